"""Two studies on the same shuffles, round by round: exact sums, and what they say of a difference.

Every metric is a ratio of two sums over rounds: of a value, and of a number of trials. The trials
are 1 in every round, but for a metric that not every round has (the pips of a winner) or that has
several a round (deals). Of each pair of studies the products of these are added up too, as whole
numbers, so no figure depends on the order of the rounds.

The difference of two ratios has the standard error of its linear part: the sum over rounds of
(value - ratio * trials) / (trials a round), under the one minus the same under the other. Where
every round is one trial, that is the paired difference itself, and nothing is approximate.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simdom.engine.kernels import Study, list_rounds
from simdom.engine.scoring import NOBODY
from simdom.engine.tally import Outcome
from simdom.errors import RunError
from simdom.estimate import METRICS, Estimate, Metrics, estimate_rate, student_quantile
from simdom.rounds import points_of
from simdom.rules import BlockScore, Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

__all__ = [
    "CHANGES",
    "PairedEstimate",
    "Sums",
    "common_keys",
    "estimate_changes",
    "estimate_differences",
    "estimate_own",
    "sum_rounds",
]

Key = tuple[str, int | None]
"""A metric, and for a metric by seat which one."""

CHANGES = ("winner_changed_rate", "points_changed_rate", "blocked_changed_rate")
"""Shares of rounds that go otherwise: the seat that wins, the points, whether it is blocked."""


@dataclass(frozen=True, slots=True)
class PairedEstimate(Estimate):
    """A difference between two studies on the same shuffles, and what pairing was worth.

    ``sd`` is the standard deviation of the difference from round to round.
    """

    pairing: float = math.nan
    """Independent rounds of each that would be as sure, for each paired round: the variance of a
    difference of two independent runs, divided by that of this one. nan if no round differs."""


class Sums(NamedTuple):
    """Sums over rounds, as Python's integers; the same of more rounds is the sum of both.

    Attributes:
        rounds: how many.
        own: one for each study, shape (5, keys): values v, trials t, vv, vt, tt.
        cross: one for each study after the first, with the first's v and t before its own, shape
            (4, common keys): vv, vt, tv, tt.
        changed: one for each study after the first, shape (3,): see `CHANGES`.
    """

    rounds: int
    own: list["NDArray[np.object_]"]
    cross: list["NDArray[np.object_]"]
    changed: list["NDArray[np.object_]"]

    def __or__(self, other: "Sums") -> "Sums":
        """The sums of the rounds of both."""
        return Sums(
            self.rounds + other.rounds,
            *(
                [a + b for a, b in zip(mine, its, strict=True)]
                for mine, its in zip(self[1:], other[1:], strict=True)
            ),
        )


def sum_rounds(studies: Sequence[Study], start: int, stop: int) -> Sums:
    """Play rounds ``start`` to ``stop - 1`` of every study and add up.

    Raises:
        RunError: the engine reached a state that no round can reach.
    """
    first = _columns(studies[0], start, stop)
    sums = Sums(stop - start, [_own(first)], [], [])
    for study in studies[1:]:
        other = _columns(study, start, stop)
        sums.own.append(_own(other))
        sums.cross.append(_cross(first, other, common_keys(studies[0].rules, study.rules)))
        differ = (first.changing != other.changing).sum(axis=1)
        sums.changed.append(differ.astype(object))
    return sums


def keys_of(rules: Rules) -> list[Key]:
    """Every metric; one by seat, once for each seat."""
    return [
        (name, seat)
        for name, metric in METRICS.items()
        for seat in (range(rules.players) if metric.per_seat else (None,))
    ]


def common_keys(a: Rules, b: Rules) -> list[Key]:
    """What can be compared: everything; with other numbers of players, the rates of the table."""
    return [
        (name, seat)
        for name, seat in keys_of(a)
        if a.players == b.players or (METRICS[name].kind == "rate" and seat is None)
    ]


def estimate_own(study: Study, sums: Sums, index: int, confidence: float) -> Metrics:
    """Every metric of study number ``index``, as `simdom.simulate.simulate` gives it."""
    keys = keys_of(study.rules)
    ratios = itertools.starmap(_Ratio, sums.own[index].T.tolist())
    return _by_metric(
        keys,
        (
            estimate_rate(ratio.v, ratio.t, confidence)
            if METRICS[name].kind == "rate"
            else _estimate_mean(ratio, confidence)
            for (name, _), ratio in zip(keys, ratios, strict=True)
        ),
    )


def estimate_differences(
    studies: Sequence[Study], sums: Sums, index: int, confidence: float
) -> Metrics:
    """Study number ``index`` minus study 0, for every metric that can be compared.

    Each is a `PairedEstimate` with Student's t interval.
    """
    keys = common_keys(studies[0].rules, studies[index].rules)
    first, other = (
        dict(zip(keys_of(studies[i].rules), sums.own[i].T.tolist(), strict=True))
        for i in (0, index)
    )
    return _by_metric(
        keys,
        (
            _estimate_difference(
                _Moments(sums.rounds, _Ratio(*first[key]), _Ratio(*other[key]), *cross), confidence
            )
            for key, cross in zip(keys, sums.cross[index - 1].T.tolist(), strict=True)
        ),
    )


def estimate_changes(
    studies: Sequence[Study], sums: Sums, index: int, confidence: float
) -> dict[str, Estimate | None]:
    """`CHANGES` of study number ``index`` against study 0.

    None where there is nothing to compare: seats and points of tables of another size.
    """
    same_table = studies[0].rules.players == studies[index].rules.players
    return {
        name: estimate_rate(count, sums.rounds, confidence)
        if same_table or name == "blocked_changed_rate"
        else None
        for name, count in zip(CHANGES, sums.changed[index - 1].tolist(), strict=True)
    }


class _Columns(NamedTuple):
    """What each round gives.

    Attributes:
        keys: of the values, see `keys_of`.
        values: shape (keys, rounds).
        trials: shape (rounds,), of the metrics that have not exactly one in every round.
        changing: shape (3, rounds), what `CHANGES` look at.
    """

    keys: list[Key]
    values: "Integers"
    trials: dict[str, "Integers"]
    changing: "Integers"


def _columns(study: Study, start: int, stop: int) -> _Columns:
    rules = study.rules
    rows = list_rounds(study, start, stop).T
    of: dict[str, Integers] = dict(zip(Outcome._fields, rows, strict=False))
    if of["impossible"].any():
        raise RunError("a round reached a state that no round can reach: a bug")
    winner, blocked = of["winner"], of["blocked"]
    won = np.where(winner != NOBODY, 1, 0)
    points = points_of(rules, winner, of["least"], rows[len(Outcome._fields) :].sum(axis=0))
    turns_after = np.where(won, (winner - of["opener"]) % rules.players, NOBODY)
    values: dict[str, Integers] = {
        "blocked_rate": blocked,
        "tie_rate": 1 - won,
        "no_double_rate": of["no_double"],
        "opener_win_rate": np.where(turns_after == 0, 1, 0),
        "first_reply_stuck_rate": of["stuck"],
        "dead_after_opening_rate": np.where(of["plays"] == 1, blocked, 0),
        "redeal_rate": of["redeals"],
        "points": points[rules.block_score],
        "points_minus_own": points[BlockScore.MINUS_OWN],
        "points_others": points[BlockScore.OTHERS],
        "points_all_hands": points[BlockScore.ALL_HANDS],
        "plays": of["plays"],
        "draws": of["draws"],
        "passes": of["passes"],
        "boneyard_left": rules.boneyard_size - of["draws"],
        "winner_pips": won * of["least"],
    }
    by_seat = {"seat_win_rate": turns_after, "table_seat_win_rate": winner}
    keys = keys_of(rules)
    table = np.empty((len(keys), stop - start), np.int64)
    for row, (name, seat) in zip(table, keys, strict=True):
        row[:] = values[name] if seat is None else by_seat[name] == seat
    trials = {"redeal_rate": of["redeals"] + 1, "winner_pips": won}
    return _Columns(keys, table, trials, np.stack([winner, points[rules.block_score], blocked]))


def _own(columns: _Columns) -> "NDArray[np.object_]":
    values = columns.values
    total, squares = values.sum(axis=1), np.einsum("kn,kn->k", values, values)
    rounds = np.full_like(total, values.shape[1])
    sums = np.stack([total, rounds, squares, total, rounds])
    for name, trials in columns.trials.items():
        at = columns.keys.index((name, None))
        sums[[1, 3, 4], at] = trials.sum(), values[at] @ trials, trials @ trials
    return sums.astype(object)


def _cross(first: _Columns, other: _Columns, keys: list[Key]) -> "NDArray[np.object_]":
    a, b = first.values, other.values
    if keys != first.keys:
        a, b = (side.values[[*map(side.keys.index, keys)]] for side in (first, other))
    rounds = np.full(len(keys), a.shape[1])
    sums = np.stack([np.einsum("kn,kn->k", a, b), a.sum(axis=1), b.sum(axis=1), rounds])
    for name, trials in first.trials.items():
        if (name, None) in keys:
            at = keys.index((name, None))
            others = other.trials[name]
            sums[1:, at] = a[at] @ others, trials @ b[at], trials @ others
    return sums.astype(object)


class _Ratio(NamedTuple):
    """Sums over rounds of values v and trials t."""

    v: int
    t: int
    vv: int
    vt: int
    tt: int

    @property
    def error(self) -> Fraction:
        """Sum of (v - ratio * t)**2."""
        ratio = Fraction(self.v, self.t)
        return self.vv - 2 * ratio * self.vt + ratio * ratio * self.tt


class _Moments(NamedTuple):
    """All that a difference is made of; vt is the first's v times the other's t."""

    rounds: int
    first: _Ratio
    other: _Ratio
    vv: int
    vt: int
    tv: int
    tt: int


def _estimate_difference(moments: _Moments, confidence: float) -> PairedEstimate:
    n, first, other, vv, vt, tv, tt = moments
    if not first.t or not other.t:
        return PairedEstimate(math.nan, math.nan, math.nan, math.nan, sd=math.nan)
    a, b = Fraction(first.v, first.t), Fraction(other.v, other.t)
    difference = float(b - a)
    if n == 1:
        return PairedEstimate(difference, math.nan, math.nan, math.nan, sd=math.nan)
    own = first.error / first.t**2 + other.error / other.t**2
    shared = (vv - b * vt - a * tv + a * b * tt) / (first.t * other.t)
    variance = (own - 2 * shared) / (n - 1)  # of one round's part, times n squared
    sd, se = math.sqrt(variance * n * n), math.sqrt(variance * n)
    radius = student_quantile(confidence, n - 1) * se
    pairing = float(own / (own - 2 * shared)) if variance else math.nan
    return PairedEstimate(
        difference, se, difference - radius, difference + radius, sd=sd, pairing=pairing
    )


def _estimate_mean(ratio: _Ratio, confidence: float) -> Estimate:
    """`simdom.estimate.estimate_mean` from sums instead of a histogram."""
    n, first, second = ratio.t, ratio.v, ratio.vv
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, math.nan, sd=math.nan)
    mean = first / n
    if n == 1:
        return Estimate(mean, math.nan, math.nan, math.nan, sd=math.nan)
    squares = n * second - first * first
    sd = math.sqrt(squares / (n * (n - 1)))
    se = math.sqrt(squares / (n * n * (n - 1)))
    radius = student_quantile(confidence, n - 1) * se
    return Estimate(mean, se, mean - radius, mean + radius, sd=sd)


def _by_metric(keys: Iterable[Key], estimates: Iterable[Estimate]) -> Metrics:
    """Estimates by metric; those of a metric by seat come seat by seat."""
    lists: dict[str, list[Estimate]] = {}
    for (name, _), estimate in zip(keys, estimates, strict=True):
        lists.setdefault(name, []).append(estimate)
    return Metrics(
        {name: found if METRICS[name].per_seat else found[0] for name, found in lists.items()}
    )
