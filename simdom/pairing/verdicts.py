"""Verdicts on many differences at once: beyond the smallest effect of interest, within it, or open.

Of each difference d and its smallest effect s, one of two claims is true: that d is s or more in
size, or that it is s or less. A difference is *settled* when its interval lies beyond ±s, or within
±s. The intervals' levels are those of Holm's procedure, so that the chance of any wrong verdict
among all is no more than a single interval's chance to miss: the best settled of m differences is
held to the level 1 - alpha/m, the next to 1 - alpha/(m - 1), and so on; where an interval contains
s or -s, that difference and all that follow stay open, at the level reached.

Sources: S. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70; that the side of a settled
difference is as safe, J. P. Shaffer, Annals of Statistics 8 (1980) 1342-1347.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from simdom.estimate import estimate_rate, student_quantile

__all__ = [
    "DOES_NOT_MATTER",
    "MATTERS",
    "NOT_SETTLED",
    "Asked",
    "Fixed",
    "MeanChange",
    "Settled",
    "ShareChanged",
    "Verdict",
    "settle",
]

Verdict = Literal["matters", "does not matter", "not settled"]
MATTERS: Verdict = "matters"
DOES_NOT_MATTER: Verdict = "does not matter"
NOT_SETTLED: Verdict = "not settled"


class Asked(Protocol):
    """A difference that was measured, and the smallest effect that it is held against."""

    @property
    def rounds(self) -> int:
        """How many rounds were played."""

    @property
    def smallest(self) -> float:
        """The smallest effect of interest, above 0."""

    @property
    def tail(self) -> float:
        """The least alpha at which the interval of level 1 - alpha settles it; 1 if none does."""

    def interval(self, level: float) -> tuple[float, float]:
        """Low and high of the interval at that level; nan if there is none."""

    def rounds_needed(self, level: float) -> float:
        """Rounds at which that interval would settle it if the difference stays as it is.

        inf if it lies on the border; nan if nothing is known of its spread.
        """


@dataclass(frozen=True, slots=True)
class MeanChange:
    """A mean of differences, round by round.

    Its interval is Student's t with an allowance for what has not been seen: a standard error of
    sqrt(se**2 + (t * span / rounds)**2), as if t**2 more rounds had differed by all that a round
    can differ by. So a difference that never came is not taken for impossible; of a share that was
    never seen the interval is then about Wilson's. Where many rounds differ it does not show.

    Attributes:
        estimate: the mean.
        se: its standard error, 0 if all rounds differ alike; nan for a single round.
        rounds: how many.
        smallest: see `Asked.smallest`.
        span: the most that one round can differ by.
    """

    estimate: float
    se: float
    rounds: int
    smallest: float
    span: float

    @property
    def _gap(self) -> float:
        return abs(abs(self.estimate) - self.smallest)

    @property
    def tail(self) -> float:
        """See `Asked.tail`."""
        from scipy.special import stdtr

        if math.isnan(self.se):
            return 1.0
        # The t whose interval ends at the border solves t**2 (se**2 + (t span / rounds)**2) =
        # gap**2, a quadratic equation of t**2.
        spread = self.se**2
        root = math.hypot(spread, 2 * self._gap * self.span / self.rounds)
        t = math.sqrt(2 / (spread + root)) * self._gap
        return 2 * float(stdtr(self.rounds - 1, -t))

    def interval(self, level: float) -> tuple[float, float]:
        """See `Asked.interval`."""
        if math.isnan(self.se):
            return math.nan, math.nan
        t = student_quantile(level, self.rounds - 1)
        radius = t * math.hypot(self.se, t * self.span / self.rounds)
        return self.estimate - radius, self.estimate + radius

    def rounds_needed(self, level: float) -> float:
        """See `Asked.rounds_needed`."""
        if math.isnan(self.se):
            return math.nan
        if not self._gap:
            return math.inf
        variance = self.se**2 * self.rounds
        t = student_quantile(level, self.rounds - 1)
        root = math.hypot(variance, 2 * self._gap * self.span)
        return (t / self._gap) ** 2 * (variance + root) / 2


@dataclass(frozen=True, slots=True)
class ShareChanged:
    """A share of rounds, with Wilson's interval. It has no sign: within is below ``smallest``.

    Attributes:
        count: rounds that have the property.
        rounds: of so many.
        smallest: see `Asked.smallest`; below 1.
    """

    count: int
    rounds: int
    smallest: float

    @property
    def _gap(self) -> float:
        return abs(self.count / self.rounds - self.smallest)

    @property
    def tail(self) -> float:
        """See `Asked.tail`."""
        from scipy.special import ndtr

        # Wilson's interval ends at p where the share is z standard errors of p away.
        variance = self.smallest * (1 - self.smallest) / self.rounds
        return 2 * float(ndtr(-self._gap / math.sqrt(variance)))

    def interval(self, level: float) -> tuple[float, float]:
        """See `Asked.interval`."""
        share = estimate_rate(self.count, self.rounds, level)
        return share.low, share.high

    def rounds_needed(self, level: float) -> float:
        """See `Asked.rounds_needed`."""
        if not self._gap:
            return math.inf
        z = student_quantile(level, _MANY)
        return (z / self._gap) ** 2 * self.smallest * (1 - self.smallest)


@dataclass(frozen=True, slots=True)
class Fixed:
    """A difference that the rules do not let happen: it is 0, whatever is played.

    Attributes:
        rounds: how many were played.
        smallest: see `Asked.smallest`.
    """

    rounds: int
    smallest: float

    @property
    def tail(self) -> float:
        """See `Asked.tail`."""
        return 0.0

    def interval(self, _level: float) -> tuple[float, float]:
        """See `Asked.interval`."""
        return 0.0, 0.0

    def rounds_needed(self, _level: float) -> float:
        """See `Asked.rounds_needed`."""
        return 0.0


_FAR = 100  # times the rounds played
_MANY = 10**13  # degrees of freedom at which Student's law is the normal one


class Settled(NamedTuple):
    """What is said of one difference.

    Attributes:
        verdict: whether it is beyond its smallest effect, within it, or open.
        level: of its interval, between 0 and 1.
        low: of the interval.
        high: of the interval.
        rounds_needed: see `Asked.rounds_needed`; None if it is settled; nan also if the interval is
            wider than from -s to s and the figure so near to its border that only luck put it
            there.
    """

    verdict: Verdict
    level: float
    low: float
    high: float
    rounds_needed: float | None


def settle(asked: Sequence[Asked], alpha: float) -> list[Settled]:
    """A verdict on each difference; the chance that any of them is wrong is at most ``alpha``.

    Args:
        asked: the differences; all rounds may be the same ones.
        alpha: between 0 and 1.

    >>> clear, close = MeanChange(0.3, 0.01, 1000, 0.1, 1), MeanChange(0.1, 0.01, 1000, 0.1, 1)
    >>> [(each.verdict, each.level) for each in settle([close, clear], 0.05)]
    [('not settled', 0.95), ('matters', 0.975)]
    """
    tails = [one.tail for one in asked]
    settled: dict[int, Settled] = {}
    level, going = math.nan, True
    for rank, index in enumerate(sorted(range(len(asked)), key=tails.__getitem__)):
        one = asked[index]
        if going:
            level = 1 - alpha / (len(asked) - rank)
        low, high = one.interval(level)
        verdict = _read(low, high, one.smallest) if going else NOT_SETTLED
        going = verdict != NOT_SETTLED
        needed = None if going else _rounds_needed(one, level, high - low)
        settled[index] = Settled(verdict, level, low, high, needed)
    return [settled[index] for index in range(len(asked))]


def _rounds_needed(one: Asked, level: float, width: float) -> float:
    needed = one.rounds_needed(level)
    is_luck = width > 2 * one.smallest and needed > _FAR * one.rounds
    return math.nan if is_luck else needed


def _read(low: float, high: float, smallest: float) -> Verdict:
    if low > smallest or high < -smallest:
        return MATTERS
    return DOES_NOT_MATTER if -smallest < low and high < smallest else NOT_SETTLED
