"""Rounds to be kept: as few bytes a round as their rules allow, field by field in memory."""

from typing import Any, NamedTuple

import numpy as np

from simdom.engine.streams import compiled
from simdom.engine.tally import Outcome, most_passes, most_points, set_pips
from simdom.rules import Rules

__all__ = ["FIELDS", "Recorded", "new_recorded", "pack_rows", "write_recorded"]

FIELDS = (
    "opener",
    "opening_tile",
    "blocked",
    "winner",
    "plays",
    "draws",
    "passes",
    "no_double",
    "stuck",
    "points",
    "minus_own",
    "others",
    "all_hands",
    "led_freely",  # 1 if the seat that leads was settled beforehand, as later in a match
)
"""What there is of a round, then pips left by seat, then points gained by seat."""


class Recorded(NamedTuple):
    """Rounds one after another.

    Attributes:
        fields: ndarray(int16 or int32, shape=(14 + 2 * players, rounds)), see `FIELDS`.
        redeals: ndarray(int32, shape=(rounds,)), deals thrown in: rarely any, at times very many.
    """

    fields: np.ndarray[Any, np.dtype[Any]]
    redeals: np.ndarray[Any, np.dtype[np.int32]]


def new_recorded(rules: Rules, rounds: int) -> Recorded:
    """Memory for so many rounds under ``rules``."""
    highest = max(most_points(rules), most_passes(rules), set_pips(rules))
    width = np.int16 if highest <= np.iinfo(np.int16).max else np.int32
    shape = (len(FIELDS) + 2 * rules.players, rounds)
    return Recorded(np.zeros(shape, width), np.zeros(rounds, np.int32))


@compiled
def write_recorded(
    recorded: Any, at: Any, outcome: Any, table: Any, rules: Any, leader: Any
) -> None:
    """Write one round. ``recorded`` is modified in place.

    Args:
        recorded: a `Recorded` for these rules.
        at: number of the round in it.
        outcome: of the round.
        table: with the pips left, and the points gained as `share_points` writes them.
        rules: of the round.
        leader: the seat that led whatever the opening rule says, or -1.
    """
    values = recorded.fields
    recorded.redeals[at] = outcome.redeals
    values[0, at] = outcome.opener
    values[1, at] = outcome.opening_tile
    values[2, at] = outcome.blocked
    values[3, at] = outcome.winner
    values[4, at] = outcome.plays
    values[5, at] = outcome.draws
    values[6, at] = outcome.passes
    values[7, at] = outcome.no_double
    values[8, at] = outcome.stuck
    values[9, at] = outcome.points
    values[10, at] = outcome.minus_own
    values[11, at] = outcome.others
    values[12, at] = outcome.all_hands
    values[13, at] = leader >= 0
    for seat in range(rules.players):
        values[14 + seat, at] = table.pips[seat]
        values[14 + rules.players + seat, at] = table.gained[seat]


def pack_rows(
    recorded: Recorded, at: int, rows: np.ndarray[Any, np.dtype[np.int64]], leader: int
) -> None:
    """Write rounds that are listed already. ``recorded`` is modified in place.

    Args:
        recorded: that takes them.
        at: where the first of them goes.
        rows: as `simdom.engine.kernels.list_rounds` makes them.
        leader: the seat that led them whatever the opening rule says, or -1.
    """
    stop = at + len(rows)
    for field, values in zip(FIELDS, recorded.fields, strict=False):
        if field in Outcome._fields:
            values[at:stop] = rows[:, Outcome._fields.index(field)]
    recorded.fields[FIELDS.index("led_freely"), at:stop] = leader >= 0
    recorded.fields[len(FIELDS) :, at:stop] = rows[:, len(Outcome._fields) :].T
    recorded.redeals[at:stop] = rows[:, Outcome._fields.index("redeals")]
