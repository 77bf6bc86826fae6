"""What is to be calibrated, checked before anything is played."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from simdom.calibration.plain import MOST_FEATURES, MOST_WEIGHT, OF_S4, Limits, check_limits
from simdom.calibration.room import error_of, least_room
from simdom.counts import MOST_ROUNDS, check_whole, format_count
from simdom.errors import UsageError, brief
from simdom.estimate import check_confidence, estimate_rate
from simdom.published.claim import Claim, Claims, Measured
from simdom.published.claims_file import PUBLISHED, load_claims
from simdom.published.judging import joint_confidence
from simdom.published.measures import OPENER_NET
from simdom.simulate import DEFAULT_CONFIDENCE, MOST_SEED
from simdom.strategies import FEATURES

__all__ = ["AGAIN", "Plan", "plan_calibration"]

AGAIN = 0.8
"""How likely other rounds must be to meet the claims, unless asked otherwise."""

_HIGHEST_WEIGHT = 100
_EVEN = 0.5


class Plan(NamedTuple):
    """A calibration that can be made.

    Attributes:
        source: the file of the claims, or "" for claims made in Python.
        claims: that are to be met together; all are measured.
        limits: which rows are looked at.
        rounds: that a row which fits plays of each rule set, and twice as many again.
        seed: of the rounds on which rows are chosen.
        confidence: of each interval, between 0 and 1.
        again: how likely it must be that so many other rounds meet the claims as well.
    """

    source: str
    claims: Claims
    limits: Limits
    rounds: int
    seed: int
    confidence: float
    again: float

    @property
    def fresh_seed(self) -> int:
        """The seed of the rounds on which no choice is made: the next one."""
        return (self.seed + 1) % (MOST_SEED + 1)

    @property
    def joint(self) -> float:
        """The confidence of each interval at which all claims together hold ``confidence``."""
        return joint_confidence(self.confidence, len(self.claims.claims))

    @property
    def fresh_rounds(self) -> int:
        """Rounds on which no choice is made."""
        return 2 * self.rounds

    @property
    def least_room(self) -> float:
        """Standard errors from an edge below which other rounds are not likely enough inside."""
        return least_room(self.confidence, self.again)


def plan_calibration(
    claims: str | Sequence[str] = (),
    *,
    source: str | Path | Claims = PUBLISHED,
    features: str | Sequence[str] = OF_S4,
    most_features: int = MOST_FEATURES,
    most_weight: int = MOST_WEIGHT,
    rounds: float = 10_000_000,
    seed: int = 1,
    confidence: float = DEFAULT_CONFIDENCE,
    again: float = AGAIN,
) -> Plan:
    """Check what is asked for; the arguments are those of `simdom.calibration.calibrate.calibrate`.

    Raises:
        UsageError: a value that cannot be used; no claim; one that is counted, that names its own
            strategy or is about what the opener gains; fewer rounds than the claims need.

    >>> plan_calibration().claims.plane
    ('block-blocked', 'draw-blocked')
    """
    limits = Limits(
        tuple(features.split(",") if isinstance(features, str) else features),
        check_whole("most_features", most_features, 1, len(FEATURES)),
        check_whole("most_weight", most_weight, 1, _HIGHEST_WEIGHT),
    )
    plan = Plan(
        source="" if isinstance(source, Claims) else str(source),
        claims=_claims(source, [claims] if isinstance(claims, str) else list(claims)),
        limits=check_limits(limits),
        rounds=check_whole("rounds", rounds, 1, MOST_ROUNDS),
        seed=check_whole("seed", seed, 0, MOST_SEED),
        confidence=check_confidence(confidence),
        again=_check_again(again),
    )
    _check_enough(plan)
    return plan


def _claims(source: str | Path | Claims, names: Sequence[str]) -> Claims:
    known = source if isinstance(source, Claims) else load_claims(str(source))
    names = names or known.plane or ()
    if not names:
        raise UsageError("there is no claim to meet: name one or more")
    wanted = known.only(names)
    for claim in wanted.claims:
        _check_measured(claim)
    return wanted


def _check_again(again: object) -> float:
    if isinstance(again, int | float) and _EVEN <= again < 1:
        return float(again)
    raise UsageError(f"again must be from 0.5 to below 1, such as 0.8, not {brief(again)}")


def _check_measured(claim: Claim) -> None:
    """Raise a `UsageError` if weights have no say in the claim, or it is not tallied."""
    answer = claim.answer
    if not isinstance(answer, Measured):
        raise UsageError(f"{claim.id} is counted exactly: no way to play changes it")
    if answer.strategy is not None:
        raise UsageError(
            f"{claim.id} names its own strategy, {answer.strategy.name}: nothing is left to find"
        )
    if answer.metric == OPENER_NET:
        raise UsageError(f"{claim.id} cannot be calibrated: {OPENER_NET} is not tallied")


def _check_enough(plan: Plan) -> None:
    """Raise a `UsageError` if no true value would make so many rounds likely enough inside."""
    needed, claim = max(
        ((_needed(claim, plan), claim) for claim in plan.claims.claims), key=lambda pair: pair[0]
    )
    if needed > plan.rounds:
        enough = f": at least {format_count(_rounded_up(needed))}" if needed <= MOST_ROUNDS else ""
        raise UsageError(
            f"{plan.rounds:,} rounds are too few for {claim.id}: their interval would seldom lie "
            f"within {claim.range}{enough}"
        )


def _needed(claim: Claim, plan: Plan) -> float:
    """About how many rounds leave room in the middle of what a claim may stand for.

    0 where that is not known beforehand, or the claim has an open side.
    """
    if not claim.is_rate or math.isinf(claim.high - claim.low):
        return 0
    if claim.high == claim.low:
        return math.inf
    like = estimate_rate(round(claim.published * plan.rounds), plan.rounds, plan.confidence)
    margin = 2 * plan.least_room * error_of(like, plan.rounds, plan.rounds)
    return plan.rounds * (margin / (claim.high - claim.low)) ** 2


def _rounded_up(number: float) -> int:
    """To two digits."""
    step: int = 10 ** max(0, math.floor(math.log10(number)) - 1)
    return math.ceil(number / step) * step
