"""A figure of any document, and how people read it."""

import math
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from simdom.estimate import Estimate, format_parts
from simdom.match_metrics import ALL_METRICS
from simdom.pairing.differences import format_difference

__all__ = ["Found", "Given", "Plain", "Whole", "given_of", "in_words"]

Whole = Annotated[int, Field(ge=0, le=10**17)]
"""A count of a document: no run has more rounds."""


class Plain(BaseModel):
    """Part of a document. Keys that are not asked for may be there: later versions add some."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True, allow_inf_nan=False)


class Given(Plain):
    """An estimate as documents have it; None is what is not defined."""

    estimate: float | None
    se: float | None = None
    low: float | None = None
    high: float | None = None
    count: Whole | None = None
    sd: float | None = None

    @property
    def defined(self) -> Estimate:
        """The same as an `Estimate`; what is not defined is nan."""
        estimate, se, low, high = (
            math.nan if number is None else number
            for number in (self.estimate, self.se, self.low, self.high)
        )
        return Estimate(estimate, se, low, high, count=self.count, sd=self.sd)


class Found(NamedTuple):
    """A figure and where in its document it stands.

    Attributes:
        metric: what it is.
        given: the estimate.
        part: of the document: a contender, a cell, a strategy; empty if it is of the whole.
        against: what it is compared with; empty for a figure of its own.
        seat: of a metric by seat or by team, which one.
        confidence: of its interval, if not that of the document.
        trials: rounds or matches that it is of, if not those of the document.
    """

    metric: str
    given: Given
    part: str = ""
    against: str = ""
    seat: int | None = None
    confidence: float | None = None
    trials: int | None = None


def given_of(estimate: Estimate) -> Given:
    """An estimate as documents have it."""
    values = (estimate.estimate, estimate.se, estimate.low, estimate.high)
    numbers = [None if math.isnan(x) else float(x) for x in values]
    sd = None if estimate.sd is None or math.isnan(estimate.sd) else float(estimate.sd)
    names = ("estimate", "se", "low", "high")
    return Given(**dict(zip(names, numbers, strict=True)), count=estimate.count, sd=sd)


def in_words(found: Found, *, is_difference: bool = False) -> str:
    """A figure and its interval for a person; a rate in percent, a difference with its sign.

    What is known exactly is said to be so, as a number from 0 to 1 if it is a chance.

    >>> in_words(Found("points", Given(estimate=12.5, se=0.1, low=12.3, high=12.7, sd=8.0)))
    '12.50 ± 0.20'
    """
    given, metric = found.given, ALL_METRICS.get(found.metric)
    if given.estimate is None:
        return "undefined"
    if metric is None and given.se == 0 and given.estimate == given.low == given.high:
        return f"exactly {given.estimate:.6g}"
    is_rate = given.count is not None or found.metric.endswith(("_rate", "_share", "_edge"))
    kind = metric.kind if metric is not None else "rate" if is_rate else "mean"
    trial = metric.trial if metric is not None else "round"
    tell = format_difference if is_difference else format_parts
    try:
        told = " ".join(filter(None, tell(given.defined, kind, trial)))
    except ArithmeticError:  # of numbers that no run gives, but a file may hold
        told = ""
    return told if 0 < len(told) <= _LONGEST else _plainly(given)


_LONGEST = 60  # characters of a figure of any run with its interval


def _plainly(given: Given) -> str:
    estimate, low, high = (
        "nothing" if number is None else f"{number:.6g}"
        for number in (given.estimate, given.low, given.high)
    )
    return f"{estimate} ({low} to {high})"
