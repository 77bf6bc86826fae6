"""Figures against claims: inside the interval that a claim allows, outside, or not settled."""

import math
from typing import Literal, NamedTuple

from simdom.counts import MOST_ROUNDS
from simdom.estimate import Estimate, estimate_rate, student_quantile
from simdom.published.claim import Claim

__all__ = ["Judged", "Verdict", "joint_confidence", "judge", "verdict_of"]

Verdict = Literal["inside", "outside", "not settled"]


class Judged(NamedTuple):
    """A figure and what it says of a claim.

    Attributes:
        estimate: the figure.
        rounds: that it comes from.
        verdict: by the figure's own interval.
        firm: whether the verdict is the same with the wider interval at `joint_confidence`.
        settle: if it is not settled, about how many rounds give an even chance to settle it, if the
            figure stays as it is; None if more than `simdom.counts.MOST_ROUNDS`.
    """

    estimate: Estimate
    rounds: int
    verdict: Verdict
    firm: bool
    settle: int | None


def joint_confidence(confidence: float, verdicts: int) -> float:
    """The confidence of each of so many intervals that hold ``confidence`` together (Bonferroni).

    >>> joint_confidence(0.95, 1), round(joint_confidence(0.95, 50), 6)
    (0.95, 0.999)
    """
    if verdicts <= 1:
        return confidence
    return 1 - float(f"{(1 - confidence) / verdicts:.4g}")  # few digits, to be read by people


def verdict_of(claim: Claim, low: float, high: float) -> Verdict:
    """Whether all from ``low`` to ``high``, or nothing of it, is in the interval of ``claim``."""
    if claim.low <= low and high <= claim.high:
        return "inside"
    if high < claim.low or claim.high < low:
        return "outside"
    return "not settled"


def judge(
    claim: Claim, estimate: Estimate, rounds: int, *, confidence: float, joint: float
) -> Judged:
    """What a figure says of a claim.

    Args:
        claim: what is claimed.
        estimate: the figure, with its interval.
        rounds: that it comes from, at least 1.
        confidence: of that interval.
        joint: the confidence at which a verdict is firm.
    """
    verdict = verdict_of(claim, estimate.low, estimate.high)
    firm = verdict == verdict_of(claim, *_interval(estimate, rounds, joint))
    is_open = verdict == "not settled"
    settle = _rounds_to_settle(claim, estimate, rounds, confidence) if is_open else None
    return Judged(estimate, rounds, verdict, firm, settle)


def _interval(estimate: Estimate, rounds: int, confidence: float) -> tuple[float, float]:
    """The interval at another confidence."""
    if estimate.count is None:
        radius = student_quantile(confidence, rounds - 1) * estimate.se
        return estimate.estimate - radius, estimate.estimate + radius
    trials = round(estimate.count / estimate.estimate) if estimate.count else rounds
    other = estimate_rate(estimate.count, trials, confidence)
    return other.low, other.high


def _rounds_to_settle(
    claim: Claim, estimate: Estimate, rounds: int, confidence: float
) -> int | None:
    """About how many rounds make the interval end at the nearest edge of the claim's.

    Student's interval ends at an edge when the edge is so many standard errors away, with the
    variance that was seen; Wilson's, with the variance of a rate that is the edge.
    """
    z = student_quantile(confidence, MOST_ROUNDS)
    needed = float(rounds)
    for edge in (claim.low, claim.high):
        if math.isinf(edge):
            continue
        variance = edge * (1 - edge) if estimate.sd is None else estimate.sd**2
        distance = abs(estimate.estimate - edge)
        if not distance > 0 or math.isnan(variance):
            return None
        needed = max(needed, variance * (z / distance) ** 2)
    return _rounded_up(needed) if needed <= MOST_ROUNDS else None


def _rounded_up(number: float) -> int:
    """To two digits."""
    step: int = 10 ** max(0, math.floor(math.log10(number)) - 1)
    return math.ceil(number / step) * step
