"""Room: how far a figure is from the edges of what a claim may stand for."""

import math

from simdom.counts import MOST_ROUNDS
from simdom.estimate import Estimate, student_quantile
from simdom.published.claim import Claim

__all__ = ["chance_inside", "error_of", "least_room", "room_in"]

_NO_ERROR = 1e-9  # instead of the standard error of a rate that is 0 or 1


def error_of(estimate: Estimate, rounds: int, others: int) -> float:
    """The standard error of so many other rounds, told from an estimate of ``rounds``."""
    return max(estimate.se * math.sqrt(rounds / others), _NO_ERROR)


def room_in(claim: Claim, estimate: Estimate, rounds: int, others: int) -> float:
    """Standard errors, of so many other rounds, from the estimate to the nearest edge.

    Args:
        claim: what the edges are of.
        estimate: a figure; outside, the room is below 0.
        rounds: that it comes from.
        others: rounds whose standard error counts.

    >>> from simdom.estimate import estimate_rate
    >>> from simdom.published.claims_file import load_claims
    >>> claim = load_claims().claim("block-blocked")
    >>> round(room_in(claim, estimate_rate(6100, 10_000), 10_000, 40_000), 3)
    2.05
    """
    inside = min(estimate.estimate - claim.low, claim.high - estimate.estimate)
    return inside / error_of(estimate, rounds, others)


def chance_inside(
    claim: Claim, estimate: Estimate, rounds: int, others: int, confidence: float
) -> float:
    """How likely the interval of so many other rounds lies within what a claim may stand for.

    The estimate is taken for the true value, and the law of the other one for normal.

    >>> from simdom.estimate import estimate_rate
    >>> from simdom.published.claims_file import load_claims
    >>> claim = load_claims().claim("draw-blocked")
    >>> figure = estimate_rate(19_200_000, 100_000_000)
    >>> round(chance_inside(claim, figure, 10**8, 10**7, 0.95), 3)
    0.96
    """
    from scipy.special import ndtr

    z = student_quantile(confidence, MOST_ROUNDS)
    error = error_of(estimate, rounds, others)
    up = (claim.high - estimate.estimate) / error - z
    down = (estimate.estimate - claim.low) / error - z
    return max(0.0, float(ndtr(up) + ndtr(down) - 1))


def least_room(confidence: float, chance: float) -> float:
    """The room without which an interval is not inside with that chance, at least a half."""
    beyond = student_quantile(2 * chance - 1, MOST_ROUNDS)
    return student_quantile(confidence, MOST_ROUNDS) + beyond
