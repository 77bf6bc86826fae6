"""From whole-number tallies to figures that say how sure they are.

Every metric is a whole number per round, so all that is ever kept of it is a histogram: how many
rounds had the value 0, 1, 2, ... A rate is the same thing with the values 0 and 1. All sums are
exact Python integers; a float appears only in the last step, so the order in which rounds were
played or merged cannot show.

``docs/statistics.md`` says what the intervals mean and what they do not.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Generic, Literal, NamedTuple, TypeVar

from simdom.engine.tally import DEAD, NO_DOUBLE, REDEALS, ROUNDS, SCORES, STUCK, Tally
from simdom.errors import UsageError, check_choice
from simdom.rules import TEAMS, Rules, Teams
from simdom.tiles import tile_name

__all__ = [
    "GROUPS",
    "METRICS",
    "Estimate",
    "Metric",
    "Metrics",
    "Ratio",
    "check_confidence",
    "check_metrics",
    "distributions",
    "estimate_mean",
    "estimate_metrics",
    "estimate_rate",
    "estimate_share",
    "format_estimate",
    "format_parts",
    "mean_of_sums",
    "student_quantile",
]

Histogram = list[int]
"""Element v is the number of rounds with the value v."""

Reader = Callable[[Tally, Rules], list[Histogram]]

Kind = Literal["rate", "mean", "share"]
"""A share is a ratio of two sums: it is printed as a rate is, and its spread is that of a mean."""

Source = TypeVar("Source")
Values = TypeVar("Values")


@dataclass(frozen=True, slots=True)
class Estimate:
    """One figure and its interval. What is not defined (a spread of one round) is nan."""

    estimate: float
    se: float
    """Standard error of ``estimate``."""
    low: float
    high: float
    """The interval at the confidence that was asked for: Wilson's for a rate, Student's for a
    mean."""
    count: int | None = None
    """Rates only: how many rounds have the property."""
    sd: float | None = None
    """Means only: standard deviation of the value from round to round."""

    def __float__(self) -> float:
        return self.estimate


class Metrics(dict[str, Estimate | list[Estimate]]):
    """Estimates by metric; of a metric by seat, a list."""

    def __missing__(self, name: str) -> Estimate | list[Estimate]:
        """Raise the `UsageError` that offers the nearest spelling."""
        return self[check_choice("metric", name, self)]


class Metric(NamedTuple, Generic[Source, Values]):
    """What a figure is called, what it counts, and where it is read: of rounds, in their tally."""

    kind: Kind
    unit: str
    group: str
    """Heading that it stands under; one of `GROUPS`."""
    label: str
    """Its name in tables; {nth}, {seat}, {strategy} and {team} are filled in there."""
    read: Callable[[Source, Rules], list[Values]]
    """Of rounds, its histogram; for a metric by seat or team, one each."""
    doc: str
    """Its definition, in one line."""
    per_seat: bool = False
    per_team: bool = False
    is_single: bool = False
    """Whether it makes sense only where every seat plays for itself."""
    trial: str = "round"
    """What it is over: a round or a match."""

    @property
    def is_list(self) -> bool:
        """Whether it has several figures, one a seat or one a team."""
        return self.per_seat or self.per_team

    def parts(self, rules: Rules) -> list[int | None]:
        """What it has a figure for: each seat or team by number, or None for all together."""
        if self.per_team:
            return list(range(TEAMS if rules.teams == Teams.PAIRS else 0))
        if self.is_single and rules.teams == Teams.PAIRS:
            return []
        return list(range(rules.players)) if self.per_seat else [None]


GROUPS = (
    "How rounds end",
    "Who wins, by turn",
    "Who wins, by seat",
    "What is scored",
    "How long it lasts",
    "The deal",
    "How close it is",
)
"""Headings. The two ways to say who wins each share out the same rounds: never add across them."""
_ENDS, _BY_TURN, _BY_SEAT, _SCORES, _LENGTH, _DEAL, _CLOSE = GROUPS
_OF_ROUNDS = "share of rounds"


def _rounds(tally: Tally) -> int:
    return int(tally.counts[ROUNDS])


def _yes_no(count: int, total: int) -> Histogram:
    return [total - count, count]


def _counted(cell: int) -> Reader:
    return lambda tally, _rules: [_yes_no(int(tally.counts[cell]), _rounds(tally))]


def _derived(count: str) -> Reader:
    return lambda tally, _rules: [_yes_no(getattr(tally, count), _rounds(tally))]


def _won(wins: str) -> Reader:
    return lambda tally, _rules: [
        _yes_no(count, _rounds(tally)) for count in getattr(tally, wins).tolist()
    ]


def _values(histogram: str) -> Reader:
    return lambda tally, _rules: [getattr(tally, histogram).tolist()]


def _score(name: str) -> Reader:
    return lambda tally, _rules: [tally.scores[SCORES.index(name)].tolist()]


def _opener_wins(tally: Tally, _rules: Rules) -> list[Histogram]:
    return [_yes_no(int(tally.seat_wins[0]), _rounds(tally))]


def _teams_win(tally: Tally, rules: Rules) -> list[Histogram]:
    """By the opener's team and the other; none where there are no teams."""
    wins = tally.seat_wins.tolist()
    teams = TEAMS if rules.teams == Teams.PAIRS else 0
    return [_yes_no(sum(wins[team::TEAMS]), _rounds(tally)) for team in range(teams)]


def _thrown_in(tally: Tally, _rules: Rules) -> list[Histogram]:
    return [[_rounds(tally), int(tally.counts[REDEALS])]]


def _boneyard_left(tally: Tally, rules: Rules) -> list[Histogram]:
    drawn: Histogram = tally.draws.tolist()
    return [drawn[rules.boneyard_size :: -1]]


# One metric, two or three lines:
# fmt: off
METRICS: dict[str, Metric[Tally, Histogram]] = {
    "blocked_rate": Metric("rate", _OF_ROUNDS, _ENDS, "Blocked", _derived("blocked"),
        "Rounds that end with nobody able to play and nobody allowed to draw."),
    "tie_rate": Metric("rate", _OF_ROUNDS, _ENDS, "Tied, nobody wins", _derived("ties"),
        "Rounds that nobody wins, out of all rounds."),
    "no_double_rate": Metric("rate", _OF_ROUNDS, _DEAL, "No double dealt", _counted(NO_DOUBLE),
        "Rounds in which no hand was dealt a double."),
    "opener_win_rate": Metric("rate", _OF_ROUNDS, _BY_TURN, "The opener", _opener_wins,
        "Rounds won by the seat that leads."),
    "seat_win_rate": Metric("rate", _OF_ROUNDS, _BY_TURN, "{nth} to play", _won("seat_wins"),
        "Rounds won by the seat k turns after the opener, k = 0, 1, ...", per_seat=True),
    "team_win_rate": Metric("rate", _OF_ROUNDS, _BY_TURN, "{team}", _teams_win,
        "Rounds won by the opener's team, and by the other; only where there are teams.",
        per_team=True),
    "first_reply_stuck_rate": Metric("rate", _OF_ROUNDS, _DEAL, "First reply is stuck",
        _counted(STUCK),
        "Rounds in which the seat after the opener holds nothing that fits the opening tile, "
        "before any draw."),
    "dead_after_opening_rate": Metric("rate", _OF_ROUNDS, _ENDS, "Blocked by the first tile",
        _counted(DEAD), "Rounds that end blocked with one tile on the line."),
    "redeal_rate": Metric("rate", "share of deals", _DEAL, "Deals thrown in", _thrown_in,
        "Deals that the rules have dealt again, out of all deals made."),
    "table_seat_win_rate": Metric("rate", _OF_ROUNDS, _BY_SEAT, "Seat {seat}, {strategy}",
        _won("table_wins"),
        "Rounds won by seat s of the table, s = 0, 1, ..., whoever leads.", per_seat=True),
    "points": Metric("mean", "points a round", _SCORES, "Points",
        _score("points"),
        "Points that the rules award in the round, to all seats; 0 if nothing is scored."),
    "points_minus_own": Metric("mean", "points a round", _SCORES,
        "Points if blocks subtract own pips", _score("minus_own"),
        "Points if a block scores the pips of the others minus the winner's own."),
    "points_others": Metric("mean", "points a round", _SCORES,
        "Points if blocks score the others", _score("others"),
        "Points if a block scores the pips of the others."),
    "points_all_hands": Metric("mean", "points a round", _SCORES,
        "Points if blocks score all hands", _score("all_hands"),
        "Points if a block scores the pips of all hands."),
    "plays": Metric("mean", "tiles a round", _LENGTH, "Tiles played", _values("plays"),
        "Tiles on the line when the round ends."),
    "draws": Metric("mean", "tiles a round", _LENGTH, "Tiles drawn", _values("draws"),
        "Tiles drawn from the boneyard, by all seats."),
    "passes": Metric("mean", "turns a round", _LENGTH, "Passes", _values("passes"),
        "Turns that end without a tile played, those that close a blocked round included."),
    "boneyard_left": Metric("mean", "tiles a round", _LENGTH, "Boneyard left", _boneyard_left,
        "Tiles still in the boneyard when the round ends, the reserve included."),
    "winner_pips": Metric("mean", "pips a round won", _SCORES, "Pips left to the winner",
        _values("winner_pips"),
        "Pips in the winner's hand when the round ends, over the rounds that somebody wins."),
}
# fmt: on
"""Every metric by name. Tables, plots, files, errors and the glossary of ``docs/statistics.md``
all read this."""


def check_metrics(names: Sequence[str]) -> list[str]:
    """Return ``names`` as a list.

    Raises:
        UsageError: one of them is no metric; the nearest spelling is offered.
    """
    return [check_choice("metric", name, METRICS) for name in names]


def check_confidence(confidence: object) -> float:
    """Return ``confidence`` as a float.

    Raises:
        UsageError: it is not strictly between 0 and 1.
    """
    if isinstance(confidence, int | float) and 0 < confidence < 1:
        return float(confidence)
    raise UsageError(f"confidence must be between 0 and 1, such as 0.95, not {confidence!r}")


def estimate_metrics(tally: Tally, rules: Rules, confidence: float = 0.95) -> Metrics:
    """Every metric of `METRICS`, in its order; a metric by seat or by team is a list.

    Raises:
        UsageError: ``confidence`` is not strictly between 0 and 1.
    """
    figures = Metrics()
    for name, metric in METRICS.items():
        estimates = [
            estimate_rate(histogram[1], sum(histogram), confidence)
            if metric.kind == "rate"
            else estimate_mean(histogram, confidence)
            for histogram in metric.read(tally, rules)
        ]
        figures[name] = estimates if metric.is_list else estimates[0]
    return figures


def estimate_rate(count: int, total: int, confidence: float = 0.95) -> Estimate:
    """The rate ``count / total`` with Wilson's score interval.

    The standard error is the plain sqrt(p(1-p)/n); it is 0 at rates of 0 and 1, where only the
    interval tells how sure the figure is. Without any trial all is nan.

    Source: E. B. Wilson, JASA 22 (1927) 209-212.

    >>> estimate_rate(0, 100).high < 0.037
    True

    Raises:
        UsageError: ``confidence`` is not strictly between 0 and 1.
    """
    check_confidence(confidence)
    if total == 0:
        return Estimate(math.nan, math.nan, math.nan, math.nan, count=0)
    z = _normal_quantile(confidence)
    spread = count * (total - count) / total
    centre = count + z * z / 2
    radius = z * math.sqrt(spread + z * z / 4)
    # (centre - radius) / (total + z * z) without its cancellation at small counts.
    low = count * count / total / (centre + radius) if count else 0.0
    high = (centre + radius) / (total + z * z) if count < total else 1.0
    rate = count / total
    return Estimate(rate, math.sqrt(spread) / total, min(low, rate), max(high, rate), count=count)


def estimate_mean(histogram: Sequence[int], confidence: float = 0.95) -> Estimate:
    """The mean of whole numbers 0, 1, 2, ... with Student's t interval.

    The standard deviation is the sample's (n - 1). One value has no spread, and none has no mean
    either: what is not defined is nan.

    Args:
        histogram: element v is how often the value v was seen.
        confidence: how often such an interval covers the true mean.

    Raises:
        UsageError: ``confidence`` is not strictly between 0 and 1.
    """
    check_confidence(confidence)
    n = sum(histogram)
    first = sum(value * count for value, count in enumerate(histogram))
    second = sum(value * value * count for value, count in enumerate(histogram))
    return mean_of_sums(n, first, second, confidence)


def mean_of_sums(n: int, first: int, second: int, confidence: float = 0.95) -> Estimate:
    """`estimate_mean` of ``n`` whole numbers with the sum ``first``, and ``second`` of squares."""
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan, math.nan, sd=math.nan)
    mean = first / n
    if n == 1:
        return Estimate(mean, math.nan, math.nan, math.nan, sd=math.nan)
    squares = n * second - first * first  # n times the sum of squared deviations, exactly
    sd = math.sqrt(squares / (n * (n - 1)))
    se = math.sqrt(squares / (n * n * (n - 1)))
    radius = student_quantile(confidence, n - 1) * se
    return Estimate(mean, se, mean - radius, mean + radius, sd=sd)


class Ratio(NamedTuple):
    """Sums over trials of values v and sizes t: of both, of their squares, of their product."""

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


def estimate_share(n: int, ratio: Ratio, confidence: float = 0.95) -> Estimate:
    """The ratio of two sums over ``n`` trials, with Student's t interval of its linear part.

    The standard deviation is that of (v - ratio * t) divided by the mean of t. Without anything to
    divide by all is nan.
    """
    if not ratio.t:
        return Estimate(math.nan, math.nan, math.nan, math.nan, sd=math.nan)
    share = ratio.v / ratio.t
    if n == 1:
        return Estimate(share, math.nan, math.nan, math.nan, sd=math.nan)
    variance = ratio.error / (n - 1) / ratio.t**2  # of the linear part, divided by n squared
    sd, se = math.sqrt(variance * n * n), math.sqrt(variance * n)
    radius = student_quantile(confidence, n - 1) * se
    return Estimate(share, se, share - radius, share + radius, sd=sd)


def format_estimate(estimate: Estimate, kind: Kind) -> str:
    """The figure for a person, to the digits that its interval gives it; a rate in percent.

    >>> format_estimate(estimate_rate(2_021_300, 10_000_000), "rate")
    '20.213% ± 0.025'
    >>> format_estimate(estimate_rate(3, 10_000), "rate")
    '0.030% (0.010 to 0.089)'
    """
    return " ".join(filter(None, format_parts(estimate, kind)))


def format_parts(estimate: Estimate, kind: Kind, trial: str = "round") -> tuple[str, str]:
    """`format_estimate` in its two parts: the figure, and how sure it is.

    ``trial`` is what the estimate is over: its spread is unknown for one, or none in all of them.
    The longer side of the interval sets the digits and is what stands after "±". Where one side
    is longer than the other by more than a tenth, both ends are written instead, rounded outwards.
    """
    scale, unit = (1, "") if kind == "mean" else (100, "%")
    value, low, high = (
        Decimal(x) * scale for x in (estimate.estimate, estimate.low, estimate.high)
    )
    if value.is_nan():
        return "undefined", ""
    if low.is_nan():
        return f"{value}{unit}", f"(one {trial})"
    if estimate.sd == 0:
        return f"{value}{unit}", f"(in every {trial})"
    down, up = value - low, high - value
    if abs(up - down) <= _LOPSIDED * max(up, down):
        places = _decimals(max(up, down))
        return f"{value:.{places}f}{unit}", f"± {max(up, down):.{places}f}"
    # The shorter side is the one next to 0% or 100%: it must not vanish in the rounding.
    places = _decimals(min(side for side in (down, up, low, scale - high) if side > 0))
    step = Decimal(1).scaleb(-places)
    figure, start, end = (
        f"{x}" if x in (0, scale) else f"{x.quantize(step, rounding):f}"
        for x, rounding in ((value, ROUND_HALF_EVEN), (low, ROUND_FLOOR), (high, ROUND_CEILING))
    )
    return f"{figure}{unit}", f"({start} to {end})"


_LOPSIDED = Decimal("0.1")


def _decimals(width: Decimal) -> int:
    """Decimals to write for an uncertainty: two digits of it from 100 to 354, one from 355 up.

    Source: Particle Data Group, Review of Particle Physics, introduction, "Rounding".
    """
    digits, exponent = f"{width:.2e}".split("e")
    two = Decimal(digits) <= _LAST_OF_TWO_DIGITS
    return max(0, two - int(exponent))


_LAST_OF_TWO_DIGITS = Decimal("3.54")


def distributions(tally: Tally) -> dict[str, dict[str, int] | list[dict[str, int]]]:
    """How many rounds had each value; values that never came are left out.

    Keys of a distribution are the values as text in rising order (``opening_tile``: tile names, by
    tile id). ``pips_left`` is a list, k turns after the opener.
    """
    return {
        "points": _non_zero(tally.scores[SCORES.index("points")].tolist()),
        "plays": _non_zero(tally.plays.tolist()),
        "draws": _non_zero(tally.draws.tolist()),
        "passes": _non_zero(tally.passes.tolist()),
        "opening_tile": _non_zero(tally.opening.tolist(), tile_name),
        "pips_left": [_non_zero(seat) for seat in tally.pips.tolist()],
    }


def _non_zero(histogram: Histogram, name: Callable[[int], str] = str) -> dict[str, int]:
    return {name(value): count for value, count in enumerate(histogram) if count}


@lru_cache(maxsize=64)
def _normal_quantile(confidence: float) -> float:
    from scipy.special import ndtri  # a third of a second to import; help and errors need it not

    return _steady(-float(ndtri((1 - confidence) / 2)))


@lru_cache(maxsize=64)
def student_quantile(confidence: float, freedom: int) -> float:
    """Standard errors to each side of a mean, at ``freedom`` degrees of freedom."""
    from scipy.special import stdtrit

    return _steady(-float(stdtrit(freedom, (1 - confidence) / 2)))


def _steady(quantile: float) -> float:
    """``quantile`` to 12 digits, so that the last bit of a maths library does not show."""
    return float(f"{quantile:.12g}")
