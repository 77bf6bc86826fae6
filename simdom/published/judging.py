"""Figures against claims: inside the interval that a claim allows, outside, or not settled."""

import math
from dataclasses import replace
from typing import Literal, NamedTuple

from simdom.counts import MOST_ROUNDS
from simdom.estimate import Estimate, estimate_rate
from simdom.pairing.verdicts import MeanChange
from simdom.published.claim import Claim, Measured
from simdom.published.measures import bounds_of

__all__ = ["Judged", "Verdict", "joint_confidence", "judge", "verdict_of"]

Verdict = Literal["inside", "outside", "not settled"]


class Judged(NamedTuple):
    """A figure and what it says of a claim.

    Attributes:
        estimate: the figure.
        rounds: that it comes from.
        verdict: by the figure's own interval; that of a mean is made wider for what few rounds have
            not shown, see `simdom.pairing.verdicts.MeanChange`.
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
    claim: Claim,
    estimate: Estimate,
    rounds: int,
    *,
    confidence: float,
    joint: float,
    trials: int | None = None,
) -> Judged:
    """What a figure says of a claim.

    Args:
        claim: what is claimed.
        estimate: the figure, with its interval.
        rounds: that it comes from, at least 1.
        confidence: of that interval.
        joint: the confidence at which a verdict is firm.
        trials: that a mean is over, if not all of these rounds; at least 1 if it is defined.
    """
    mean = None if estimate.count is not None else _mean(claim, estimate, trials or rounds)
    verdict, wide = (
        verdict_of(claim, *_interval(claim, estimate, rounds, mean, level))
        for level in (confidence, joint)
    )
    is_open = verdict == "not settled"
    settle = _rounds_to_settle(claim, estimate, rounds, mean, confidence) if is_open else None
    return Judged(estimate, rounds, verdict, verdict == wide, settle)


def _bounds(claim: Claim) -> tuple[int, int]:
    """What no figure of this claim can be beyond."""
    answer = claim.answer
    return bounds_of(answer.metric, answer.rules) if isinstance(answer, Measured) else (0, 1)


def _mean(claim: Claim, estimate: Estimate, trials: int) -> MeanChange:
    """A mean with the allowance for what so many trials may not have shown."""
    least, most = _bounds(claim)
    return MeanChange(estimate.estimate, estimate.se, trials, 0, most - least)


def _interval(
    claim: Claim, estimate: Estimate, rounds: int, mean: MeanChange | None, confidence: float
) -> tuple[float, float]:
    """The interval of a verdict at that confidence; nan if there is none."""
    if mean is not None:
        low, high = mean.interval(confidence)
        least, most = _bounds(claim)
        return (low, high) if math.isnan(low) else (max(low, least), min(high, most))
    count = estimate.count or 0
    trials = round(count / estimate.estimate) if count else rounds
    other = estimate_rate(count, trials, confidence)
    return other.low, other.high


def _rounds_to_settle(
    claim: Claim, estimate: Estimate, rounds: int, mean: MeanChange | None, confidence: float
) -> int | None:
    """About how many rounds make the interval end at the nearest edge of the claim's.

    A mean's interval ends at an edge when the edge is so many standard errors away, with the
    variance that was seen; Wilson's, with the variance of a rate that is the edge. An edge that no
    figure can be beyond keeps nothing from being settled.
    """
    least, most = _bounds(claim)
    edges = [claim.low] if claim.low > least else []
    edges += [claim.high] if claim.high < most else []
    needed = float(rounds)
    for edge in edges:
        distance = estimate.estimate - edge
        if mean is None:
            # The deviation of one round from such a rate, and no allowance: Wilson's needs none.
            one = MeanChange(distance, math.sqrt(edge * (1 - edge)), 1, 0, 0)
            enough = one.rounds_needed(confidence)
        else:
            one = replace(mean, estimate=distance)
            enough = one.rounds_needed(confidence) * (rounds / mean.rounds)
        if math.isnan(enough):
            return None
        needed = max(needed, enough)
    return _rounded_up(needed) if needed <= MOST_ROUNDS else None


def _rounded_up(number: float) -> int:
    """To two digits."""
    step: int = 10 ** max(0, math.floor(math.log10(number)) - 1)
    return math.ceil(number / step) * step
