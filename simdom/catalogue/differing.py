"""The difference of two figures of independent runs, from each one's own interval.

Of two rates it is Newcombe's hybrid score interval: the distances from each rate to the far end
of its Wilson interval, added in squares. Of two means, and of two shares of points, it is Welch's:
Student's t at the degrees of freedom of Satterthwaite, rounded down.

Sources: R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10; B. L. Welch,
Biometrika 34 (1947) 28-35; F. E. Satterthwaite, Biometrics Bulletin 2 (1946) 110-114.
"""

import math

from simdom.agreement import count_trials
from simdom.estimate import Estimate, Metrics, student_quantile
from simdom.grids.cells import reestimate
from simdom.pairing.contests import Contest, common_keys
from simdom.pairing.differences import at_seat
from simdom.results import Result

__all__ = ["differ_means", "differ_rates", "independent_differences"]


def independent_differences(
    first: Result, other: Result, contests: tuple[Contest, Contest], confidence: float
) -> Metrics:
    """``other`` minus ``first``, for every metric that both have.

    Args:
        first: a result of rounds, or of matches.
        other: another of the same.
        contests: what they are of; what can be compared follows from both.
        confidence: of the intervals; each result is read at it, whatever its own was.
    """
    a, b = reestimate(first, confidence), reestimate(other, confidence)
    trials = [count_trials(each.metrics, each.rounds, each.matches) for each in (a, b)]
    differences: dict[str, list[Estimate]] = {}
    lists = set()
    for name, part in common_keys(*contests):
        found = [at_seat(each.metrics[name], part) for each in (a, b)]
        counts = [of[name] for of in trials]
        if part is not None:
            lists.add(name)
        differences.setdefault(name, []).append(_differ(found, counts, confidence))
    return Metrics(
        {name: found if name in lists else found[0] for name, found in differences.items()}
    )


def _differ(found: list[Estimate], trials: list[int], confidence: float) -> Estimate:
    first, other = found
    if first.count is not None:
        return differ_rates(first, other)
    return differ_means(first, trials[0], other, trials[1], confidence)


def differ_rates(first: Estimate, other: Estimate) -> Estimate:
    """The other rate minus the first; both have Wilson's interval at the same confidence.

    Newcombe's worked example, 56 of 70 against 48 of 80, is 0.2 with 0.0524 to 0.3339.

    >>> from simdom.estimate import estimate_rate
    >>> found = differ_rates(estimate_rate(48, 80), estimate_rate(56, 70))
    >>> f"{found.estimate:.1f} {found.low:.4f} {found.high:.4f}"
    '0.2 0.0524 0.3339'
    """
    difference = other.estimate - first.estimate
    return Estimate(
        difference,
        math.hypot(first.se, other.se),
        difference - math.hypot(other.estimate - other.low, first.high - first.estimate),
        difference + math.hypot(other.high - other.estimate, first.estimate - first.low),
    )


def differ_means(
    first: Estimate, first_trials: int, other: Estimate, other_trials: int, confidence: float
) -> Estimate:
    """The other mean minus the first, each over so many trials."""
    difference = other.estimate - first.estimate
    squares = first.se**2, other.se**2
    se = math.sqrt(sum(squares))
    if math.isnan(se):  # of one trial
        return Estimate(difference, math.nan, math.nan, math.nan)
    if se == 0:  # each the same in every one of its trials
        return Estimate(difference, 0.0, difference, difference)
    lost = sum(
        (square / se**2) ** 2 / (trials - 1)
        for square, trials in zip(squares, (first_trials, other_trials), strict=True)
        if square
    )
    radius = student_quantile(confidence, max(1, math.floor(1 / lost))) * se
    return Estimate(difference, se, difference - radius, difference + radius)
