"""When a run has played enough: so many trials, figures as sure as asked, or the time is over.

Figures are looked at after numbers of trials that depend on nothing but the figures at earlier
looks. So a run that stops when it knows enough stops at the same trial on any machine, in any
number of threads, and after any interruption.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from simdom.counts import MOST_ROUNDS, check_whole
from simdom.errors import UsageError, brief, check_choice
from simdom.estimate import Estimate, Metrics

__all__ = [
    "FIRST_LOOK",
    "Limits",
    "Look",
    "check_precision",
    "check_seconds",
    "half_width",
    "look",
    "made_until",
    "next_look",
    "parse_duration",
    "parse_precision",
    "plain_precision",
    "most_trials",
    "tell_precision",
    "wider",
    "widths_of",
]

FIRST_LOOK = 10_000
"""Trials before figures are looked at: the intervals of fewer are too rough to stop by."""

_GROWTH = 2.0  # from look to look, at most: an early guess of what is needed may be far off
_LEAST_GROWTH = 1.1
_SPARE = 1.02  # a little more than what is needed, so that the next look is the last as a rule

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_LONGEST = 366 * _UNITS["d"]


class Limits(NamedTuple):
    """When to stop.

    Attributes:
        trials: that are played at most: rounds, matches or deals.
        until: half-widths of intervals by metric; when all are reached, it is enough. A metric by
            seat stands for its widest interval; ``metric[k]`` for that of seat k.
        seconds: after which no more are begun; None for no limit.
    """

    trials: int
    until: Mapping[str, float] = {}
    seconds: float | None = None


class Look(NamedTuple):
    """How far a run is from knowing enough.

    Attributes:
        done: trials played.
        metric: the one that is furthest from what was asked.
        width: half of its interval; nan if nothing is known of it yet.
        wanted: what it should be.
        expected: trials that are still needed, as far as can be told; inf if that is unknown.
    """

    done: int
    metric: str
    width: float
    wanted: float
    expected: float

    @property
    def is_enough(self) -> bool:
        """Whether every interval is as narrow as asked."""
        return self.width <= self.wanted

    @property
    def short(self) -> str:
        """Such as ``blocked_rate ±0.0012 of ±0.0005``."""
        return f"{self.metric} ±{self.width:.2g} of ±{self.wanted:g}"

    def __str__(self) -> str:
        """Such as ``blocked_rate ± 0.0012, 0.0005 wanted; about 1,200,000 more``."""
        known = "not known yet" if math.isnan(self.width) else f"± {self.width:.2g}"
        told = f"{self.metric} {known}, {self.wanted:g} wanted"
        if self.is_enough or math.isinf(self.expected):
            return told
        return f"{told}; about {_round_up(self.expected):,} more"

    def told(self, units: str) -> str:
        """The same for a person, such as ``...; about 1,200,000 more rounds``."""
        text = str(self)
        return f"{text} {units}" if text.endswith(" more") else text


def _round_up(number: float) -> int:
    """To two digits."""
    if number < 1:
        return 1
    unit = 10 ** max(0, math.floor(math.log10(number)) - 1)
    return int(math.ceil(number / unit) * unit)


def half_width(estimate: Estimate) -> float:
    """Half the length of an interval; nan if there is none yet."""
    return (estimate.high - estimate.low) / 2


def wider(widths: dict[str, float], name: str, width: float) -> None:
    """Set the width of a metric to this one if it is wider, or unknown; in place."""
    before = widths.get(name, 0.0)
    widths[name] = width if math.isnan(width) or width > before else before


def widths_of(metrics: Metrics) -> dict[str, float]:
    """The half-width of every metric; of one by seat the widest, and each as ``metric[k]``."""
    widths: dict[str, float] = {}
    for name, found in metrics.items():
        if isinstance(found, Estimate):
            widths[name] = half_width(found)
            continue
        for part, each in enumerate(found):
            widths[f"{name}[{part}]"] = half_width(each)
            wider(widths, name, half_width(each))
    return widths


def look(done: int, widths: Mapping[str, float], until: Mapping[str, float]) -> Look:
    """How far the metrics of ``until`` are from it after ``done`` trials."""

    def trials_needed(name: str) -> float:
        ratio = widths[name] / until[name]
        return math.inf if math.isnan(ratio) else done * ratio * ratio

    furthest = max(until, key=trials_needed)
    needed = trials_needed(furthest)
    more = math.inf if math.isinf(needed) else max(needed - done, 0.0)
    return Look(done, furthest, widths[furthest], until[furthest], more)


def next_look(seen: Look) -> int:
    """After how many trials to look again."""
    goal = min(seen.done + seen.expected, _GROWTH * seen.done) * _SPARE
    return math.ceil(max(goal, _LEAST_GROWTH * seen.done, seen.done + 1))


def check_precision(until: object, allowed: Sequence[str]) -> dict[str, float]:
    """``until`` as half-widths by metric.

    Args:
        until: as it was given; None asks for nothing.
        allowed: names of the metrics that can be targets, those of seats as ``metric[k]``.

    Raises:
        UsageError: no dictionary; an unknown metric, or one that cannot be a target; a half-width
            that is no number above 0.
    """
    if until is None:
        return {}
    if not isinstance(until, Mapping):
        raise UsageError(
            f"until must be a dictionary, such as {{'blocked_rate': 0.001}}, not {brief(until)}"
        )
    checked: dict[str, float] = {}
    for name, width in until.items():
        if name not in allowed:
            plain = [each for each in allowed if not each.endswith("]")]
            check_choice("metric for until", str(name), plain)
        number = isinstance(width, int | float) and not isinstance(width, bool)
        if not number or not 0 < width < math.inf:
            raise UsageError(
                f"the half-width of {name} must be a number above 0, not {brief(width)}"
            )
        checked[str(name)] = float(width)
    return checked


def parse_precision(items: Sequence[str]) -> dict[str, float]:
    """What ``--until METRIC=HALF-WIDTH`` says.

    Raises:
        UsageError: it is not written so; a metric twice.

    >>> parse_precision(["blocked_rate=0.0005", "points=1e-2"])
    {'blocked_rate': 0.0005, 'points': 0.01}
    """
    until: dict[str, float] = {}
    for item in items:
        name, equals, text = (part.strip() for part in item.partition("="))
        try:
            width = float(text)
        except ValueError:
            width = math.nan
        if not equals or not name or not 0 < width < math.inf:
            raise UsageError(
                f"--until must be METRIC=HALF-WIDTH, a number above 0, such as "
                f"blocked_rate=0.0005, not {brief(item)}"
            )
        if name in until:
            raise UsageError(f"--until names {name} twice")
        until[name] = width
    return until


def parse_duration(text: str) -> float:
    """Seconds of a length of time.

    Raises:
        UsageError: it is not one, or not above 0 and up to 366 days.

    >>> [parse_duration(text) for text in ("90", "90s", "1.5m", "2h")]
    [90.0, 90.0, 90.0, 7200.0]
    """
    written = text.strip().lower()
    unit = _UNITS.get(written[-1:])
    try:
        seconds = float(written if unit is None else written[:-1]) * (unit or 1.0)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _LONGEST:
        raise UsageError(
            f"{brief(text)} is not a length of time: write seconds, or 90s, 10m, 2h or 1d, "
            "up to 366d"
        )
    return seconds


def check_seconds(seconds: object) -> float | None:
    """``max_time``, checked.

    Raises:
        UsageError: it is neither None nor a number above 0 and up to 366 days of seconds.
    """
    if seconds is None:
        return None
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not number or not 0 < seconds <= _LONGEST:  # type: ignore[operator]
        raise UsageError(f"max_time must be seconds above 0, up to 366 days, not {brief(seconds)}")
    return float(seconds)  # type: ignore[arg-type]


def most_trials(name: str, trials: object, until: Mapping[str, float], default: int) -> int:
    """How many trials to play at most: as asked, else the default, or without end for ``until``.

    Raises:
        UsageError: no whole number from 1 to 1e13.
    """
    if trials is None:
        return MOST_ROUNDS if until else default
    return check_whole(name, trials, 1, MOST_ROUNDS)


def tell_precision(until: Mapping[str, float], *, reached: bool | None) -> str:
    """What precision was asked for, and whether it was reached; empty if none was."""
    if not until:
        return ""
    asked = ", ".join(f"{name} to ±{width:g}" for name, width in until.items())
    return f"{asked}: {'reached' if reached else 'not reached'}"


def made_until(until: Mapping[str, float], *, reached: bool | None) -> str:
    """The same behind the line that says how something was made."""
    return f"; asked for {tell_precision(until, reached=reached)}" if until else ""


def plain_precision(until: Mapping[str, float], *, reached: bool | None) -> dict[str, object]:
    """The same in a document; nothing if none was asked for."""
    return {"until": dict(until), "reached": reached} if until else {}
