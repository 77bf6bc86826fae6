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

from simdom.errors import UsageError
from simdom.estimate import student_quantile

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
    "check_shared",
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
    never seen the interval is then Wilson's. Where many rounds differ it does not show.

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

        if math.isnan(self.se) or not self._gap:
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
        z = student_quantile(level, _MANY)  # there will be many: not t of the few so far
        root = math.hypot(variance, 2 * self._gap * self.span)
        return (z / self._gap) ** 2 * (variance + root) / 2


@dataclass(frozen=True, slots=True)
class ShareChanged:
    """A share of rounds, with its exact interval. It has no sign: within is below ``smallest``.

    At the levels of many verdicts Wilson's interval is too short, if rounds are few. This one
    consists of all shares of which neither so many rounds nor so few are rarer than half of what
    the level leaves.

    Source: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404-413.

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
        from scipy.special import betainc

        n, k, share = self.rounds, self.count, self.smallest
        as_many = float(betainc(k, n - k + 1, share)) if k else 1.0
        as_few = float(betainc(n - k, k + 1, 1 - share)) if k < n else 1.0
        return min(1.0, 2 * min(as_many, as_few))

    def interval(self, level: float) -> tuple[float, float]:
        """See `Asked.interval`."""
        from scipy.special import betainccinv, betaincinv

        n, k, half = self.rounds, self.count, (1 - level) / 2
        low = float(betaincinv(k, n - k + 1, half)) if k else 0.0
        high = float(betainccinv(k + 1, n - k, half)) if k < n else 1.0
        # To 12 digits, as quantiles are: the last bit of a maths library must not show.
        return float(f"{low:.12g}"), float(f"{high:.12g}")

    def rounds_needed(self, level: float) -> float:
        """See `Asked.rounds_needed`."""
        if not self._gap:
            return math.inf
        # The normal law with half a round of continuity: gap n - 1/2 = z sqrt(variance n).
        far = student_quantile(level, _MANY) * math.sqrt(self.smallest * (1 - self.smallest))
        return ((far + math.sqrt(far**2 + 2 * self._gap)) / (2 * self._gap)) ** 2


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


def check_shared(confidence: float, verdicts: int) -> None:
    """Return if so many verdicts can hold ``confidence`` together; ask before a long run.

    Raises:
        UsageError: each would have to hold at a level that no number below 1 says.
    """
    if 1 - (1 - confidence) / max(1, verdicts) >= 1:
        raise UsageError(
            f"confidence {confidence!r} is too near to 1 for {verdicts} verdicts that hold "
            "together: give less, such as 0.999999"
        )


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
