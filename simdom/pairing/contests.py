"""What is compared, trial by trial: the rounds of a study, or its matches to a target.

Trial number i of two contests has the same shuffles: that of round i, or those of all the rounds
that match i may come to.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simdom.columns import Columns, Key, keys_of
from simdom.engine.kernels import Study, list_rounds
from simdom.engine.match_kernels import list_matches
from simdom.engine.matches import MatchOutcome
from simdom.engine.scoring import NOBODY
from simdom.engine.tally import Outcome
from simdom.errors import RunError
from simdom.estimate import METRICS, Metric
from simdom.match_metrics import ALL_METRICS, columns_of_matches, metrics_of
from simdom.rules import TEAMS, Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

__all__ = ["CHANGES", "MATCH_CHANGES", "Contest", "common_keys", "list_trials"]

CHANGES = ("winner_changed_rate", "points_changed_rate", "blocked_changed_rate")
"""Shares of rounds that go otherwise: the seat that wins, the points, whether it is blocked."""

MATCH_CHANGES = ("match_winner_changed_rate", "rounds_changed_rate")
"""Shares of matches that go otherwise: the side that wins, the number of rounds."""

_OF_ANY_TABLE = {"blocked_changed_rate"}
"""The only change that tables of different sizes may have."""


class Contest(NamedTuple):
    """One of the things that are compared.

    Attributes:
        study: what is played.
        target: points that win a match; None for single rounds.
    """

    study: Study
    target: int | None = None

    @property
    def rules(self) -> Rules:
        """The rules that it is played by."""
        return self.study.rules

    @property
    def metrics(self) -> Mapping[str, Metric[Any, Any]]:
        """What there is to know of a trial."""
        return metrics_of(matches=self.target is not None)

    @property
    def keys(self) -> list[Key]:
        """Every metric; one by seat or by team, once for each."""
        return keys_of(self.metrics, self.rules)

    @property
    def changes(self) -> tuple[str, ...]:
        """What may go otherwise in a trial."""
        return CHANGES if self.target is None else MATCH_CHANGES

    def can_change(self, name: str, other: "Contest") -> bool:
        """Whether it makes sense to ask for one of `changes` against another contest.

        Seats, sides and points of tables that differ in their players have nothing in common.
        """
        here, there = self.rules, other.rules
        return name in _OF_ANY_TABLE or (here.players, here.teams) == (there.players, there.teams)


def common_keys(a: Contest, b: Contest) -> list[Key]:
    """What can be compared: everything; with other numbers of players, the rates of the table."""
    shared = set(b.keys)
    same = a.rules.players == b.rules.players
    return [
        (name, part)
        for name, part in a.keys
        if (name, part) in shared and (same or (ALL_METRICS[name].kind != "mean" and part is None))
    ]


def list_trials(contest: Contest, start: int, stop: int) -> Columns:
    """Every figure of trials ``start`` to ``stop - 1``, and what `Contest.changes` look at.

    Raises:
        RunError: the engine reached a state that no round can reach.
    """
    if contest.target is None:
        return _columns_of_rounds(contest.study, start, stop)
    rows = list_matches(contest.study, contest.target, start, stop).T
    _check_possible(rows[MatchOutcome._fields.index("impossible")])
    return columns_of_matches(contest.rules, rows)


def _check_possible(impossible: "Integers") -> None:
    if impossible.any():
        raise RunError("a round reached a state that no round can reach: a bug")


def _columns_of_rounds(study: Study, start: int, stop: int) -> Columns:
    rules = study.rules
    rows = list_rounds(study, start, stop).T
    of: dict[str, Integers] = dict(zip(Outcome._fields, rows, strict=False))
    _check_possible(of["impossible"])
    winner, blocked = of["winner"], of["blocked"]
    won = np.where(winner != NOBODY, 1, 0)
    turns_after = np.where(won, (winner - of["opener"]) % rules.players, NOBODY)
    values: dict[str, Integers] = {
        "blocked_rate": blocked,
        "tie_rate": 1 - won,
        "no_double_rate": of["no_double"],
        "opener_win_rate": np.where(turns_after == 0, 1, 0),
        "first_reply_stuck_rate": of["stuck"],
        "dead_after_opening_rate": np.where(of["plays"] == 1, blocked, 0),
        "redeal_rate": of["redeals"],
        "points": of["points"],
        "points_minus_own": of["minus_own"],
        "points_others": of["others"],
        "points_all_hands": of["all_hands"],
        "plays": of["plays"],
        "draws": of["draws"],
        "passes": of["passes"],
        "boneyard_left": rules.boneyard_size - of["draws"],
        "winner_pips": won * of["least"],
    }
    by_seat = {
        "seat_win_rate": turns_after,
        "team_win_rate": np.where(won, turns_after % TEAMS, NOBODY),
        "table_seat_win_rate": winner,
    }
    keys = keys_of(METRICS, rules)
    table = np.empty((len(keys), stop - start), np.int64)
    for row, (name, seat) in zip(table, keys, strict=True):
        row[:] = values[name] if seat is None else by_seat[name] == seat
    sizes = {"redeal_rate": of["redeals"] + 1, "winner_pips": won}
    return Columns(keys, table, sizes, np.stack([winner, of["points"], blocked]))
