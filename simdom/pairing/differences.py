"""Differences between two contenders, as people and programs read them."""

import math
from typing import Any, NamedTuple

from simdom.document import plain_estimate
from simdom.estimate import GROUPS, Estimate, Kind, Metrics, format_parts
from simdom.match_metrics import ALL_METRICS
from simdom.pairing.sums import PairedEstimate

__all__ = [
    "Key",
    "Line",
    "at_seat",
    "difference_text",
    "format_difference",
    "pairing_text",
    "plain_difference",
    "reading_order",
    "tell_difference",
]

UNCHANGED = "unchanged"
"""Said of what was the same in every round or match."""

Key = tuple[str, int | None]
"""A metric, and for a metric by seat which one."""


class Line(NamedTuple):
    """One row of a table for people.

    ``first`` and ``other`` are the figures of the two contenders, ``difference`` the other minus
    the first, and ``pairing`` how many independent rounds a paired one was worth.
    """

    group: str
    label: str
    first: str
    other: str
    difference: str
    interval: str
    pairing: str


def format_difference(estimate: Estimate, kind: Kind, trial: str = "round") -> tuple[str, str]:
    """A difference for a person, with its sign, and how sure it is; rates in percentage points.

    ``trial`` is what it is over.

    >>> format_difference(Estimate(-0.0278, 0.0003, -0.0284, -0.0272, sd=0.3), "rate")
    ('-2.78 pp', '± 0.06')
    """
    if estimate.estimate == 0 == estimate.sd:
        return UNCHANGED, ""
    value, interval = format_parts(estimate, kind, trial)
    if math.isnan(estimate.estimate):
        return value, interval
    number = value.removesuffix("%")
    size = number.lstrip("-")
    sign = "" if float(size) == 0 else "-" if number.startswith("-") else "+"
    return f"{sign}{size}{'' if kind == 'mean' else ' pp'}", interval


def at_seat(found: Estimate | list[Estimate], seat: int | None) -> Estimate:
    """One estimate of a metric; ``seat`` is None for a metric that is not by seat."""
    return found if isinstance(found, Estimate) else found[seat or 0]


def reading_order(key: Key) -> tuple[int, int, int]:
    """The place of a metric in a table: by group, in the order of its registry, by seat."""
    name, seat = key
    return GROUPS.index(ALL_METRICS[name].group), list(ALL_METRICS).index(name), seat or 0


def difference_text(metrics: Metrics, name: str) -> str:
    """`format_difference` of a metric that is not by seat, as one text."""
    found = at_seat(metrics[name], None)
    return " ".join(filter(None, tell_difference(name, found)))


def tell_difference(name: str, difference: Estimate) -> tuple[str, str]:
    """`format_difference` of a metric."""
    metric = ALL_METRICS[name]
    return format_difference(difference, metric.kind, metric.trial)


def pairing_text(estimate: Estimate) -> str:
    """The factor that pairing was worth, such as ×3.35; empty if it is not defined."""
    if not isinstance(estimate, PairedEstimate) or math.isnan(estimate.pairing):
        return ""
    return f"×{estimate.pairing:.3g}"


def plain_difference(found: Estimate | list[Estimate], rounds: int) -> Any:  # noqa: ANN401 -- JSON
    """Estimates for a document; of differences also what pairing was worth in rounds."""
    if isinstance(found, list):
        return [plain_difference(one, rounds) for one in found]
    plain = plain_estimate(found)
    if isinstance(found, PairedEstimate):
        is_known = not math.isnan(found.pairing)
        plain["independent_rounds"] = round(rounds * found.pairing) if is_known else None
    return plain
