"""Sums and sums of products over deals: exact whole numbers, and the means that follow.

What is added up is never a float, so no figure depends on how the deals were cut into chunks, nor
on the order in which threads came back with them.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simdom.estimate import Estimate, student_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Integers = NDArray[Any]
    Reals = NDArray[np.float64]

__all__ = ["Ends", "Moments", "estimate_ends", "estimate_linear", "radius_of", "spread_of"]

_EXACT = 2**53  # whole numbers below it are floats too, and so is every sum that stays below


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over deals of some whole numbers each has; of the deals of both, ``first + other``.

    Attributes:
        deals: how many.
        sums: ndarray(object, shape=(k,)), of Python's integers.
        products: ndarray(object, shape=(k, k)), of Python's integers.
    """

    deals: int
    sums: "NDArray[np.object_]"
    products: "NDArray[np.object_]"

    @classmethod
    def of(cls, columns: "Integers") -> "Moments":
        """The moments of so many deals as ``columns`` has rows.

        Args:
            columns: ndarray of whole numbers, shape=(deals, k).
        """
        largest = int(np.abs(columns).max(initial=0))
        if largest * largest * len(columns) < _EXACT:
            # As floats because those are multiplied much faster; each sum is exact.
            real = columns.astype(np.float64)
            products: NDArray[Any] = (real.T @ real).astype(np.int64)
        else:
            products = columns.T.astype(object) @ columns.astype(object)
        return cls(
            len(columns), columns.astype(object).sum(axis=0, initial=0), products.astype(object)
        )

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(
            self.deals + other.deals, self.sums + other.sums, self.products + other.products
        )

    @property
    def means(self) -> "Reals":
        """ndarray(float64, shape=(k,))."""
        return np.asarray(self.sums / self.deals, np.float64)

    @property
    def covariance(self) -> "Reals":
        """ndarray(float64, shape=(k, k)), from deal to deal; nan for one deal.

        It is the sample's (n - 1): whole numbers until the one division.
        """
        n = self.deals
        if n == 1:
            return np.full(self.products.shape, math.nan)
        centred = n * self.products - np.multiply.outer(self.sums, self.sums)
        return np.asarray(centred / (n * (n - 1)), np.float64)


def estimate_linear(
    moments: Moments, weights: "Sequence[int] | Integers", divisor: int, confidence: float
) -> Estimate:
    """The mean of a weighted sum of a deal's numbers, with Student's t interval over deals.

    The weights are whole numbers, to be divided by ``divisor``, so that only the last division and
    the last root are rounded: what is 0 in every deal is 0, and so is its spread.
    """
    exact = np.array(weights, dtype=object)
    n = moments.deals
    first, second = int(exact @ moments.sums), int(exact @ moments.products @ exact)
    mean = first / (n * divisor)
    if n == 1:
        return Estimate(mean, math.nan, math.nan, math.nan, sd=math.nan)
    squares = n * second - first * first  # n times the sum of squared deviations, exactly
    sd = math.sqrt(squares / (n * (n - 1))) / divisor
    se = sd / math.sqrt(n)
    radius = radius_of(se, n, confidence)
    return Estimate(mean, se, mean - radius, mean + radius, sd=sd)


def spread_of(weights: "Reals", covariance: "Reals") -> float:
    """The standard deviation of a weighted sum; nan if the covariance is."""
    return math.sqrt(max(float(weights @ covariance @ weights), 0.0))


def radius_of(se: float, deals: int, confidence: float) -> float:
    """Half of Student's interval; nan for one deal."""
    return math.nan if deals == 1 else student_quantile(confidence, deals - 1) * se


class Ends(NamedTuple):
    """Sums over deals of how rounds ended.

    Attributes:
        deals: how many.
        seatings: rounds of each.
        won, lost: rounds.
        won_squares, lost_squares, edge_squares: of a deal's rounds won, of those lost, and of the
            first less the second.
    """

    deals: int
    seatings: int
    won: int
    lost: int
    won_squares: int
    lost_squares: int
    edge_squares: int


def estimate_ends(ends: Ends, confidence: float) -> tuple[Estimate, Estimate, Estimate]:
    """The shares of rounds won, of rounds lost, and of those that nobody wins."""
    decided = ends.won + ends.lost
    # (won + lost)**2 = 2 won**2 + 2 lost**2 - (won - lost)**2; the undecided vary as the decided.
    squares = 2 * ends.won_squares + 2 * ends.lost_squares - ends.edge_squares
    undecided = ends.deals * ends.seatings - decided
    return (
        _estimate_share(ends, ends.won, _variance(ends, ends.won, ends.won_squares), confidence),
        _estimate_share(ends, ends.lost, _variance(ends, ends.lost, ends.lost_squares), confidence),
        _estimate_share(ends, undecided, _variance(ends, decided, squares), confidence),
    )


def _variance(ends: Ends, total: int, squares: int) -> float:
    n = ends.deals
    return (n * squares - total * total) / (n * (n - 1)) if n > 1 else math.nan


def _estimate_share(ends: Ends, count: int, variance: float, confidence: float) -> Estimate:
    """A share of rounds, where the rounds of one deal belong together.

    The interval is Wilson's for as many independent rounds as would be as sure, which is
    p(1 - p) / se**2; for a share of 0 or 1, as many as there are deals. Like Wilson's own it stays
    between 0 and 1. Sources: E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998) 193-201;
    N. Dean and M. Pagano, Journal of Survey Statistics and Methodology 3 (2015) 484-503.

    Args:
        ends: how many deals and seatings.
        count: rounds that have the property.
        variance: of how many rounds of a deal have it, from deal to deal.
        confidence: how often such an interval covers the true share.
    """
    deals, rounds = ends.deals, ends.deals * ends.seatings
    p = count / rounds
    se = math.sqrt(variance / deals) / ends.seatings
    if math.isnan(se):
        return Estimate(p, se, se, se, count=count)
    if 0 < count < rounds and se == 0:  # the same in every deal
        return Estimate(p, 0.0, p, p, count=count)
    worth = deals if count in {0, rounds} else p * (1 - p) / (se * se)
    z2 = student_quantile(confidence, deals - 1) ** 2 / worth
    centre = (p + z2 / 2) / (1 + z2)
    radius = math.sqrt(z2 * (p * (1 - p) + z2 / 4)) / (1 + z2)
    low = max(0.0, min(centre - radius, p)) if count else 0.0
    high = min(1.0, max(centre + radius, p)) if count < rounds else 1.0
    return Estimate(p, se, low, high, count=count)
