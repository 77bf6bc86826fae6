"""Figures of matches: what each is, and how it is read from the matches that were played.

A match is one trial: every figure is a sum over matches, so a tally of them is a few whole numbers
for each figure, and merging is adding.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simdom.columns import Columns, Key, estimate_sums, keys_of, sum_columns
from simdom.engine.match_kernels import list_matches
from simdom.engine.matches import MOST_ROUNDS_A_MATCH, MatchOutcome
from simdom.engine.scoring import NOBODY
from simdom.errors import check_choice
from simdom.estimate import (
    GROUPS,
    METRICS,
    Estimate,
    Metric,
    Metrics,
    check_metrics,
    format_parts,
)
from simdom.rules import Rules, side_of_seat

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from simdom.engine.kernels import Study

    Integers = NDArray[np.int64]

__all__ = [
    "ALL_METRICS",
    "MATCH_METRICS",
    "MatchTally",
    "check_metrics_of",
    "columns_of_matches",
    "estimate_matches",
    "match_distributions",
    "merge_matches",
    "metrics_of",
    "new_match_tally",
    "tally_match_rows",
    "tally_matches",
    "tell_estimate",
]

_ENDS, _BY_TURN, _BY_SEAT, _SCORES, _LENGTH, _DEAL, _CLOSE = GROUPS
_OF_MATCHES = "share of matches"

Listed = Mapping[str, "Integers"]
"""Matches, column by column: the fields of `MatchOutcome`, each of shape (matches,)."""

Reader = Callable[[Listed, Rules], "list[Integers]"]


def _field(name: str) -> Reader:
    return lambda of, _rules: [of[name]]


def _won_after(of: Listed, rules: Rules) -> "list[Integers]":
    """For each side, counted in turn from that of the first opener, where it won."""
    after = (of["winner"] - side_of_seat(rules, of["first_opener"])) % rules.sides
    after = np.where(of["winner"] == NOBODY, NOBODY, after)
    return [after == side for side in range(rules.sides)]


def _opener_wins(of: Listed, rules: Rules) -> "list[Integers]":
    return _won_after(of, rules)[:1]


def _seat_wins(of: Listed, rules: Rules) -> "list[Integers]":
    return [of["winner"] == side_of_seat(rules, seat) for seat in range(rules.players)]


def _unfinished(of: Listed, _rules: Rules) -> "list[Integers]":
    return [of["winner"] == NOBODY]


def _rate(
    group: str, label: str, read: Reader, doc: str, **which: bool
) -> "Metric[Listed, Integers]":
    return Metric("rate", _OF_MATCHES, group, label, read, doc, trial="match", **which)


def _mean(unit: str, group: str, label: str, read: Reader, doc: str) -> "Metric[Listed, Integers]":
    return Metric("mean", unit, group, label, read, doc, trial="match")


# One metric, two or three lines:
# fmt: off
MATCH_METRICS: "dict[str, Metric[Listed, Integers]]" = {
    "rounds_per_match": _mean("rounds a match", _LENGTH, "Rounds", _field("rounds"),
        "Rounds until a side has won the match."),
    "match_win_rate_first_opener": _rate(_BY_TURN, "The first opener", _opener_wins,
        "Matches won by the side of the seat that leads the first round."),
    "seat_match_win_rate": _rate(_BY_TURN, "{nth} to play", _won_after,
        "Matches won by the seat k turns after the first opener, k = 0, 1, ...; only where every "
        "seat plays for itself.", per_seat=True, is_single=True),
    "team_match_win_rate": _rate(_BY_TURN, "{team}", _won_after,
        "Matches won by the first opener's team, and by the other; only where there are teams.",
        per_team=True),
    "table_seat_match_win_rate": _rate(_BY_SEAT, "Seat {seat}, {strategy}", _seat_wins,
        "Matches won by seat s of the table or its team, s = 0, 1, ..., whoever leads.",
        per_seat=True),
    "blocked_points_share": Metric("share", "share of points", _SCORES, "From blocked rounds",
        _field("blocked_points"),
        "Points scored in blocked rounds, out of all points scored.", trial="match"),
    "points_per_match": _mean("points a match", _SCORES, "Points of all sides", _field("points"),
        "Points that all sides score together, those included that they lose again."),
    "lead_changes": _mean("changes a match", _CLOSE, "Changes of the lead", _field("lead_changes"),
        "How often a side is alone in the lead that was not the last to be so."),
    "comeback_rate": _rate(_CLOSE, "Won from far behind", _field("comeback"),
        "Matches whose winner was behind the best other side by half of the target or more, after "
        "some round."),
    "shutout_rate": _rate(_CLOSE, "Others without a point", _field("shutout"),
        "Matches won while every other side has 0 points."),
    "both_over_rate": _rate(_CLOSE, "Several at the target", _field("both_over"),
        "Matches at whose end more than one side has the target or more."),
    "tied_rounds": _mean("rounds a match", _LENGTH, "Rounds that nobody wins",
        _field("tied_rounds"), "Rounds of the match that nobody wins."),
    "unfinished_rate": _rate(_LENGTH, "Not finished", _unfinished,
        f"Matches that nobody has won after {MOST_ROUNDS_A_MATCH:,} rounds."),
}
# fmt: on
"""Every metric of matches by name. Tables, plots, files and the glossary of ``docs/statistics.md``
all read this."""

_SIZES = {"blocked_points_share": "points"}
"""What a share is of: a field of `MatchOutcome`."""

ALL_METRICS: Mapping[str, Metric[Any, Any]] = {**METRICS, **MATCH_METRICS}
"""Of rounds and of matches; no name is both."""


def metrics_of(*, matches: bool) -> Mapping[str, Metric[Any, Any]]:
    """The metrics of matches, or those of rounds."""
    return MATCH_METRICS if matches else METRICS


def check_metrics_of(names: Sequence[str], *, matches: bool) -> list[str]:
    """Return ``names`` as a list.

    Raises:
        UsageError: one of them is no metric of matches, or of rounds; the nearest spelling is
            offered.
    """
    if not matches:
        return check_metrics(names)
    return [check_choice("metric of matches", name, MATCH_METRICS) for name in names]


def tell_estimate(name: str, estimate: Estimate) -> tuple[str, str]:
    """A figure for a person and how sure it is, see `simdom.estimate.format_parts`."""
    metric = ALL_METRICS[name]
    return format_parts(estimate, metric.kind, metric.trial)


class MatchTally(NamedTuple):
    """What is remembered of many matches.

    Attributes:
        matches: how many.
        rounds: of all of them together.
        impossible: matches with a state that no round can reach: must be 0.
        sums: shape (5, keys), see `simdom.columns.sum_columns`.
        lengths: shape (10001,), element r counts the matches of r rounds.
    """

    matches: int
    rounds: int
    impossible: int
    sums: "NDArray[np.object_]"
    lengths: "Integers"


def new_match_tally(rules: Rules) -> MatchTally:
    """A tally of no matches."""
    keys = keys_of(MATCH_METRICS, rules)
    sums = np.zeros((5, len(keys)), np.int64).astype(object)
    return MatchTally(0, 0, 0, sums, np.zeros(MOST_ROUNDS_A_MATCH + 1, np.int64))


def merge_matches(a: MatchTally, b: MatchTally) -> MatchTally:
    """The tally of the matches of both."""
    return MatchTally(
        a.matches + b.matches,
        a.rounds + b.rounds,
        a.impossible + b.impossible,
        a.sums + b.sums,
        a.lengths + b.lengths,
    )


def tally_matches(study: "Study", target: int, start: int, stop: int) -> MatchTally:
    """The tally of matches ``start`` to ``stop - 1``.

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    total = new_match_tally(study.rules)
    for at in range(start, stop, ROWS):
        rows = list_matches(study, target, at, min(at + ROWS, stop))
        total = merge_matches(total, tally_match_rows(study.rules, rows))
    return total


ROWS = 5_000  # matches that are listed before they are tallied


def tally_match_rows(rules: Rules, listed: "Integers") -> MatchTally:
    """The tally of matches that `list_matches` has listed under these rules."""
    rows = listed.T
    of = dict(zip(MatchOutcome._fields, rows, strict=False))
    return MatchTally(
        rows.shape[1],
        int(of["rounds"].sum()),
        int(of["impossible"].sum()),
        sum_columns(columns_of_matches(rules, rows)),
        np.bincount(of["rounds"], minlength=MOST_ROUNDS_A_MATCH + 1),
    )


def columns_of_matches(rules: Rules, rows: "Integers") -> Columns:
    """Every figure of every match.

    Args:
        rules: of the matches.
        rows: shape (columns, matches), those of `list_matches`.

    Returns:
        Columns, of which ``changing`` is the side that wins, and the rounds.
    """
    of = dict(zip(MatchOutcome._fields, rows, strict=False))
    keys = keys_of(MATCH_METRICS, rules)
    table = np.empty((len(keys), rows.shape[1]), np.int64)
    found = {name: metric.read(of, rules) for name, metric in MATCH_METRICS.items()}
    for row, (name, part) in zip(table, keys, strict=True):
        row[:] = found[name][part or 0]
    sizes = {name: of[size] for name, size in _SIZES.items()}
    return Columns(keys, table, sizes, np.stack([of["winner"], of["rounds"]]))


def estimate_matches(tally: MatchTally, rules: Rules, confidence: float = 0.95) -> Metrics:
    """Every metric of `MATCH_METRICS`, in its order; a metric by seat or by team is a list.

    Raises:
        UsageError: ``confidence`` is not strictly between 0 and 1.
    """
    keys: list[Key] = keys_of(MATCH_METRICS, rules)
    return estimate_sums(MATCH_METRICS, keys, tally.sums, tally.matches, confidence)


def match_distributions(tally: MatchTally) -> dict[str, dict[str, int]]:
    """How many matches had so many rounds; lengths that never came are left out."""
    lengths = tally.lengths.tolist()
    return {"rounds_per_match": {str(n): count for n, count in enumerate(lengths) if count}}
