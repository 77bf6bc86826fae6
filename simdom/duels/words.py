"""Figures of duels and ladders as people read them."""

import math
from statistics import NormalDist

from simdom.document import is_preset_strategy, strategy_in_words
from simdom.estimate import Estimate, Kind, format_parts
from simdom.formats import format_confidence

__all__ = [
    "SURE",
    "describe_strangers",
    "direction_of",
    "made_of",
    "parts_of",
    "signed",
    "text_of",
    "to_lead",
]

SURE = 0.95
"""How sure it is that the better one leads after `to_lead` rounds."""


_OF_DEALS = {"(one round)": "(one deal)", "(in every round)": "(in every deal)"}


def parts_of(figure: Estimate, kind: Kind) -> tuple[str, str]:
    """A figure, and how sure it is, where what is independent is a deal and not a round."""
    value, interval = format_parts(figure, kind)
    return value, _OF_DEALS.get(interval, interval)


def signed(figure: Estimate, kind: Kind) -> tuple[str, str]:
    """`parts_of` a difference, with its sign; one of shares is in percentage points.

    >>> signed(Estimate(0.5, 0.01, 0.48, 0.52, sd=9.0), "mean")
    ('+0.500', '± 0.020')
    """
    value, interval = parts_of(figure, kind)
    number = value.removesuffix("%").removeprefix("-")
    if math.isnan(figure.estimate):
        return value, interval
    sign = "" if not float(number) else "-" if figure.estimate < 0 else "+"
    return f"{sign}{number}{' pp' if kind == 'rate' else ''}", interval


def text_of(parts: tuple[str, str]) -> str:
    """A figure and how sure it is, as one text."""
    return " ".join(filter(None, parts))


def direction_of(figure: Estimate) -> int:
    """1 if the whole interval is above 0, -1 if it is below, else 0."""
    return (figure.low > 0) - (figure.high < 0)


def to_lead(mean: float, sd: float) -> float:
    """Rounds after which the one with this mean, round for round, leads with the chance `SURE`.

    Of so many rounds that their sum is nearly normal.
    """
    return max(1.0, (NormalDist().inv_cdf(SURE) * sd / mean) ** 2)


def describe_strangers(details: dict[str, dict[str, object]]) -> list[str]:
    """What the strategies weigh that are not presets, a line each."""
    return [
        f"{name}: {strategy_in_words(detail)}."
        for name, detail in details.items()
        if not is_preset_strategy(name, detail)
    ]


def made_of(
    deals: int,
    asked: int | None,
    played: str,
    *,
    seed: int,
    confidence: float,
    version: str,
    rules_version: int,
) -> str:
    """Deals, seed, confidence and version, in one line; ``played`` says how each was played."""
    interrupted = "" if asked is None else f" (ended early: {asked:,} asked for)"
    return (
        f"{deals:,} deal{'' if deals == 1 else 's'}{interrupted}, {played}, seed {seed}; "
        f"intervals at {format_confidence(confidence)}; "
        f"simdom {version}, rules version {rules_version}"
    )
