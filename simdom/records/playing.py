"""Rounds played once, and both tallied and kept: what a run with records does with its chunks."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simdom.engine.kernels import Study
from simdom.engine.matches import MatchOutcome
from simdom.engine.record_kernels import record_matches, record_rounds
from simdom.engine.tally import Tally
from simdom.match_metrics import (
    ROWS,
    MatchTally,
    merge_matches,
    new_match_tally,
    tally_match_rows,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from simdom.engine.recorded import Recorded

__all__ = [
    "MOST_MATCHES_A_CHUNK",
    "MOST_ROUNDS_A_CHUNK",
    "Rows",
    "play_recorded",
    "play_recorded_matches",
]

MOST_ROUNDS_A_CHUNK = 200_000
"""Larger chunks are no faster, and every chunk that waits takes some 50 bytes a round."""
MOST_MATCHES_A_CHUNK = 10_000
"""As `MOST_ROUNDS_A_CHUNK`; matches have ten or twenty rounds, as a rule."""


class Rows(NamedTuple):
    """Rounds one after another, in few bytes: they may travel between processes.

    Attributes:
        first: index of the first round; number of the first match, if there are matches.
        fields: ndarray(int16 or int32, shape=(14 + 2 * players, rounds)), see
            `simdom.engine.recorded.FIELDS`.
        redeals: ndarray(int32, shape=(rounds,)).
        lengths: ndarray(int32, shape=(matches,)), rounds of each match; None for single rounds.
    """

    first: int
    fields: "NDArray[Any]"
    redeals: "NDArray[np.int32]"
    lengths: "NDArray[np.int32] | None" = None

    @property
    def rounds(self) -> int:
        """How many rounds these are."""
        return int(self.redeals.size)


def play_recorded(study: Study, start: int, stop: int) -> tuple[Tally, Rows]:
    """Play rounds ``start`` to ``stop - 1``.

    Args:
        study: what is played.
        start: index of the first round.
        stop: index after the last.

    Returns:
        (the tally, as `simdom.engine.kernels.tally_rounds` makes it; every round).

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    tally, recorded = record_rounds(study, start, stop)
    return tally, Rows(start, recorded.fields, recorded.redeals)


def play_recorded_matches(
    study: Study, target: int, start: int, stop: int
) -> tuple[MatchTally, Rows]:
    """Play matches ``start`` to ``stop - 1``.

    Args:
        study: what is played.
        target: points that win a match, 1 to 1,000,000.
        start: number of the first match.
        stop: number of the match after the last.

    Returns:
        (the tally, as `simdom.match_metrics.tally_matches` makes it; every round of them all).

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    total = new_match_tally(study.rules)
    pieces: list[Recorded] = []
    lengths = [np.zeros(0, np.int32)]
    for at in range(start, max(stop, start + 1), ROWS):
        rows, more = record_matches(study, target, at, min(at + ROWS, stop))
        total = merge_matches(total, tally_match_rows(study.rules, rows))
        lengths.append(rows[:, MatchOutcome._fields.index("rounds")].astype(np.int32))
        pieces += more
    return total, Rows(
        start,
        np.concatenate([piece.fields for piece in pieces], axis=1),
        np.concatenate([piece.redeals for piece in pieces]),
        np.concatenate(lengths),
    )
