"""Two contests on the same shuffles, trial by trial: exact sums, and what they say of a difference.

Every metric is a ratio of two sums over rounds or matches, see `simdom.columns`. Of each pair of
contests the products of values and sizes are added up too, as whole numbers, so no figure depends
on the order of the trials.

The difference of two ratios has the standard error of its linear part: the sum over trials of
(value - ratio * size) / (mean size), under the one minus the same under the other. Where every
size is 1, that is the paired difference itself, and nothing is approximate.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simdom.columns import Columns, Key, add_products, by_metric, estimate_sums, sum_columns
from simdom.estimate import Estimate, Metrics, Ratio, estimate_rate, student_quantile
from simdom.match_metrics import ALL_METRICS
from simdom.pairing.contests import Contest, common_keys, list_trials

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "PairedEstimate",
    "Sums",
    "estimate_changes",
    "estimate_differences",
    "estimate_own",
    "sum_trials",
]


@dataclass(frozen=True, slots=True)
class PairedEstimate(Estimate):
    """A difference between two contests on the same shuffles, and what pairing was worth.

    ``sd`` is the standard deviation of the difference from trial to trial.
    """

    pairing: float = math.nan
    """Independent trials of each that would be as sure, for each paired one: the variance of a
    difference of two independent runs, divided by that of this one. nan if no trial differs."""


class Sums(NamedTuple):
    """Sums over trials, as Python's integers; the same of more trials is the sum of both.

    Attributes:
        trials: how many rounds or matches.
        own: one for each contest, shape (5, keys), see `simdom.columns.sum_columns`.
        cross: one for each contest after the first, with the first's value and size before its
            own, shape (4, common keys): vv, vt, tv, tt.
        changed: one for each contest after the first, shape (changes,): see `Contest.changes`.
    """

    trials: int
    own: list["NDArray[np.object_]"]
    cross: list["NDArray[np.object_]"]
    changed: list["NDArray[np.object_]"]

    def __or__(self, other: "Sums") -> "Sums":
        """The sums of the trials of both."""
        return Sums(
            self.trials + other.trials,
            *(
                [a + b for a, b in zip(mine, its, strict=True)]
                for mine, its in zip(self[1:], other[1:], strict=True)
            ),
        )


def sum_trials(contests: Sequence[Contest], start: int, stop: int) -> Sums:
    """Play trials ``start`` to ``stop - 1`` of every contest and add up.

    Raises:
        RunError: the engine reached a state that no round can reach.
    """
    first = list_trials(contests[0], start, stop)
    sums = Sums(stop - start, [sum_columns(first)], [], [])
    for contest in contests[1:]:
        other = list_trials(contest, start, stop)
        sums.own.append(sum_columns(other))
        sums.cross.append(_cross(first, other, common_keys(contests[0], contest)))
        differ = (first.changing != other.changing).sum(axis=1)
        sums.changed.append(differ.astype(object))
    return sums


def estimate_own(contest: Contest, sums: Sums, index: int, confidence: float) -> Metrics:
    """Every metric of contest number ``index``, as it is estimated when played alone."""
    return estimate_sums(contest.metrics, contest.keys, sums.own[index], sums.trials, confidence)


def estimate_differences(
    contests: Sequence[Contest], sums: Sums, index: int, confidence: float
) -> Metrics:
    """Contest number ``index`` minus contest 0, for every metric that can be compared.

    Each is a `PairedEstimate` with Student's t interval.
    """
    keys = common_keys(contests[0], contests[index])
    first, other = (
        dict(zip(contests[i].keys, sums.own[i].T.tolist(), strict=True)) for i in (0, index)
    )
    estimates = [
        _estimate_difference(
            _Moments(sums.trials, Ratio(*first[key]), Ratio(*other[key]), *cross), confidence
        )
        for key, cross in zip(keys, sums.cross[index - 1].T.tolist(), strict=True)
    ]
    return by_metric(ALL_METRICS, keys, estimates)


def estimate_changes(
    contests: Sequence[Contest], sums: Sums, index: int, confidence: float
) -> dict[str, Estimate | None]:
    """`Contest.changes` of contest number ``index`` against contest 0.

    None where there is nothing to compare: seats, sides and points of other tables.
    """
    first, other = contests[0], contests[index]
    return {
        name: estimate_rate(count, sums.trials, confidence)
        if first.can_change(name, other)
        else None
        for name, count in zip(first.changes, sums.changed[index - 1].tolist(), strict=True)
    }


def _cross(first: Columns, other: Columns, keys: list[Key]) -> "NDArray[np.object_]":
    a, b = first.values, other.values
    if keys != first.keys or keys != other.keys:
        a, b = (side.values[[*map(side.keys.index, keys)]] for side in (first, other))
    trials = np.full(len(keys), a.shape[1])
    sums = np.stack([add_products(a, b), a.sum(axis=1), b.sum(axis=1), trials]).astype(object)
    for name, sizes in first.sizes.items():
        if (name, None) in keys:
            at = keys.index((name, None))
            t, u = sizes[None], other.sizes[name][None]
            sums[1:, at] = [
                add_products(x, y)[0] for x, y in ((a[at : at + 1], u), (t, b[at : at + 1]), (t, u))
            ]
    return sums


class _Moments(NamedTuple):
    """All that a difference is made of; vt is the first's v times the other's t."""

    trials: int
    first: Ratio
    other: Ratio
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
    variance = (own - 2 * shared) / (n - 1)  # of one trial's part, times n squared
    sd, se = math.sqrt(variance * n * n), math.sqrt(variance * n)
    radius = student_quantile(confidence, n - 1) * se
    pairing = float(own / (own - 2 * shared)) if variance else math.nan
    return PairedEstimate(
        difference, se, difference - radius, difference + radius, sd=sd, pairing=pairing
    )
