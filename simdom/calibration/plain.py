"""Plain ways to play: small whole weights on a few features, the plainest first."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, gcd
from typing import NamedTuple

from simdom.errors import UsageError, check_choice
from simdom.strategies import FEATURES, Strategy

__all__ = [
    "MOST_FEATURES",
    "MOST_WEIGHT",
    "OF_S4",
    "Limits",
    "Row",
    "check_limits",
    "list_rows",
    "plainness",
    "row_in_words",
    "strategy_of",
    "weights_of",
]

OF_S4 = ("pips", "double", "own_fit", "-unseen_fit", "next_void")
"""What S4's Normal computer player goes by, each with the sign of its weight."""

MOST_FEATURES, MOST_WEIGHT = 3, 20
"""The limits of a row unless others are asked for: some ten thousand rows of five features."""

MOST_ROWS = 50_000
LARGEST_WEIGHT = 1000
NEGATIVE = "-"

Row = tuple[int, ...]
"""Weights in the order of `FEATURES`."""


class Limits(NamedTuple):
    """Which rows are looked at.

    Attributes:
        features: of `FEATURES`, with `NEGATIVE` before those whose weights are below 0.
        most_features: that one row may weigh.
        most_weight: that the sizes of its weights may add up to.
    """

    features: tuple[str, ...]
    most_features: int
    most_weight: int


def check_limits(limits: Limits) -> Limits:
    """Return ``limits``, with no feature twice.

    Raises:
        UsageError: no feature; an unknown one; more than 50,000 rows.
    """
    features = tuple(dict.fromkeys(limits.features))
    if not features:
        raise UsageError("there is no feature to weigh: name one or more")
    for feature in features:
        check_choice("feature", feature.removeprefix(NEGATIVE), FEATURES)
    limits = limits._replace(features=features)
    rows = _count_at_most(limits)
    if rows > MOST_ROWS:
        raise UsageError(
            f"up to {rows:,} rows are too many, more than {MOST_ROWS:,}: "
            "name fewer features, or allow fewer of them or less weight in a row"
        )
    return limits


def list_rows(limits: Limits) -> list[Row]:
    """Every row without a common factor, the plainest first; no two play alike by proportion.

    >>> rows = list_rows(Limits(("pips", "-unseen_fit"), 2, 3))
    >>> [row_in_words(row) for row in rows[1:]]
    ['unseen_fit -1', 'pips 1, unseen_fit -1', 'pips 2, unseen_fit -1', 'pips 1, unseen_fit -2']
    """
    return sorted(set(_rows(limits)), key=lambda row: (*plainness(row), [*map(abs, row[::-1])]))


def plainness(row: Row) -> tuple[int, int]:
    """How many weights are not 0, and what their sizes add up to: the smaller, the plainer."""
    return sum(map(bool, row)), sum(map(abs, row))


def weights_of(row: Row) -> dict[str, int]:
    """The weights that are not 0, by feature."""
    return {name: weight for name, weight in zip(FEATURES, row, strict=True) if weight}


def row_in_words(row: Row) -> str:
    """Such as ``pips 1, own_fit 4``."""
    return ", ".join(f"{name} {weight}" for name, weight in weights_of(row).items())


def strategy_of(weights: Sequence[float], name: str = "row") -> Strategy:
    """The strategy with these weights, in the order of `FEATURES`."""
    return Strategy(name, "A row of weights", "", tuple(map(float, weights)))


def _rows(limits: Limits) -> Iterator[Row]:
    for count in range(1, limits.most_features + 1):
        for chosen in combinations(limits.features, count):
            names = [feature.removeprefix(NEGATIVE) for feature in chosen]
            if len(set(names)) < count:  # a feature with either sign
                continue
            for sizes in _sizes(count, limits.most_weight):
                signed = {
                    name: -size if feature.startswith(NEGATIVE) else size
                    for name, feature, size in zip(names, chosen, sizes, strict=True)
                }
                yield tuple(signed.get(name, 0) for name in FEATURES)


def _sizes(count: int, most: int) -> Iterator[tuple[int, ...]]:
    """``count`` whole numbers from 1 that add up to at most ``most``, without a common factor."""
    for cuts in combinations(range(1, most + 1), count):
        sizes = tuple(b - a for a, b in zip((0, *cuts), cuts, strict=False))
        if gcd(*sizes) == 1 and max(sizes) <= LARGEST_WEIGHT:
            yield sizes


def _count_at_most(limits: Limits) -> int:
    """A bound of the number of rows, found without making them."""
    counts = range(1, min(limits.most_features, len(limits.features)) + 1)
    return sum(comb(len(limits.features), n) * comb(limits.most_weight, n) for n in counts)
