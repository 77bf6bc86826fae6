"""Bradley–Terry ratings: one number a strategy, from which every pair's result follows.

With strengths s, the first of two scores a share 1 / (1 + exp(s2 - s1)) of their rounds, a round
that nobody wins being half to each. The strengths are fitted by maximum likelihood, and written on
Elo's scale, where 400 points are odds of ten to one. Sources: R. A. Bradley and M. E. Terry,
Biometrika 39 (1952) 324-345; A. E. Elo, The Rating of Chessplayers (1978).

All pairs play the same deals, so their scores go up and down together, and no deal's scores are
those of independent rounds. The intervals come from the sandwich covariance (H. White,
Econometrica 50 (1982) 1-25): the curvature of the likelihood on both sides of what the sums of the
scores really do from deal to deal. That stays right if the scores do not quite follow one line of
strengths, and, other than a bootstrap, it needs no random numbers.
"""

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simdom.duels.moments import Moments, radius_of
from simdom.errors import RunError
from simdom.estimate import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

__all__ = ["ANCHOR", "ELO", "Ratings", "fit_ratings", "pairs_of"]

ELO = 400 / math.log(10)
"""Points of Elo's scale to one natural logarithm of odds."""

ANCHOR = 1000.0
"""The rating that one of the strategies is given, for only differences can be told."""

_TOLERANCE = 1e-13
_DECIMALS = 8
_NOTHING = 1e-12


def pairs_of(count: int) -> list[tuple[int, int]]:
    """Every pair of so many, the smaller number first."""
    return [(i, j) for i in range(count) for j in range(i + 1, count)]


class Ratings(NamedTuple):
    """Ratings on Elo's scale.

    Attributes:
        values: ndarray(float64, shape=(k,)); nan if no finite ratings fit the scores.
        covariance: ndarray(float64, shape=(k, k)), of the values; 0 for the anchor's.
        expected: ndarray(float64, shape=(k, k)), the score of row against column that they foresee.
        deals: that they rest on.
    """

    values: "Reals"
    covariance: "Reals"
    expected: "Reals"
    deals: int

    def difference(self, one: int, other: int, confidence: float) -> Estimate:
        """The rating of ``one`` less that of ``other``."""
        cov = self.covariance
        parts = float(cov[one, one]), float(cov[other, other]), -2 * float(cov[one, other])
        variance = sum(parts)
        if variance < _NOTHING * max(parts):  # what rounding leaves of two that play alike
            variance = 0.0
        return self._estimate(float(self.values[one] - self.values[other]), variance, confidence)

    def rating(self, one: int, confidence: float) -> Estimate:
        """The rating of ``one``; the anchor's has no width, and the others' are against it."""
        return self._estimate(float(self.values[one]), float(self.covariance[one, one]), confidence)

    def _estimate(self, value: float, variance: float, confidence: float) -> Estimate:
        # The last bits of a library of matrices must not show.
        value, se = round(value, _DECIMALS) + 0.0, round(math.sqrt(variance), _DECIMALS)
        radius = radius_of(se, self.deals, confidence)
        return Estimate(value, se, value - radius, value + radius)


def fit_ratings(count: int, edges: Moments, seatings: int, anchor: int | None) -> Ratings:
    """The ratings that make the scores likeliest.

    Args:
        count: strategies.
        edges: of every pair in the order of `pairs_of`, rounds of a deal that the first wins less
            those that it loses.
        seatings: rounds of each pair a deal.
        anchor: which of them has the rating `ANCHOR`; None for the mean of all.

    Raises:
        RunError: the fit does not converge.
    """
    pairs = pairs_of(count)
    scores = 0.5 + edges.means / (2 * seatings)
    undefined = np.full((count, count), math.nan)
    if not _is_finite(count, scores):
        return Ratings(undefined[0], undefined, undefined, edges.deals)
    fixed = anchor or 0
    strengths = _fit(count, scores, fixed)
    expected = _expected(strengths)
    # How the sums of the strategies' scores vary from deal to deal, and vary together.
    signs = np.zeros((count, len(pairs)))
    for at, (i, j) in enumerate(pairs):
        signs[i, at], signs[j, at] = 1, -1
    meat = signs @ edges.covariance @ signs.T / (4 * seatings**2 * edges.deals)
    free = np.ix_(*[[k for k in range(count) if k != fixed]] * 2)
    bread = np.linalg.inv(_curvature(expected)[free])
    covariance = np.zeros((count, count))
    covariance[free] = bread @ meat[free] @ bread
    if anchor is None:
        centre = np.eye(count) - 1 / count
        strengths, covariance = centre @ strengths, centre @ covariance @ centre
    return Ratings(ANCHOR + ELO * strengths, ELO**2 * covariance, expected, edges.deals)


def _is_finite(count: int, scores: "Reals") -> bool:
    """Whether the likelihood has its maximum at finite strengths.

    It has if from every strategy a chain of "scored against" leads to every other. Source: L. R.
    Ford, American Mathematical Monthly 64 (1957) 28-33.
    """
    from scipy.sparse.csgraph import connected_components

    scored = np.zeros((count, count))
    for (i, j), score in zip(pairs_of(count), scores, strict=True):
        scored[i, j], scored[j, i] = score > 0, score < 1
    parts, _ = connected_components(scored, directed=True, connection="strong")
    return bool(parts == 1)


def _fit(count: int, scores: "Reals", anchor: int) -> "Reals":
    """The strengths at which the likelihood's slope is 0: it is concave, so there is one place.

    The search begins where logarithms of odds put the strengths, which is nearly there.
    """
    from scipy.optimize import root

    square = np.full((count, count), 0.5)
    for (i, j), score in zip(pairs_of(count), scores, strict=True):
        square[i, j], square[j, i] = score, 1 - score
    free = [k for k in range(count) if k != anchor]

    def slope(at: "Reals") -> "Reals":
        sums: Reals = (square - _expected(_with_anchor(at, anchor))).sum(axis=1)
        return sums[free]

    def curvature(at: "Reals") -> "Reals":
        return -_curvature(_expected(_with_anchor(at, anchor)))[np.ix_(free, free)]

    near = square.clip(_EDGE, 1 - _EDGE)
    begin = np.log(near / (1 - near)).mean(axis=1)
    found = root(slope, (begin - begin[anchor])[free], jac=curvature, method="hybr", tol=_TOLERANCE)
    if np.abs(slope(found.x)).max() > _CLOSE:
        raise RunError("the ratings could not be fitted: play more deals")
    return _with_anchor(found.x, anchor)


_EDGE = 1e-4  # scores of 0 and 1 have no odds to begin with
_CLOSE = 1e-9  # to the scores: far less than any number of deals can tell


def _with_anchor(free: "Reals", anchor: int) -> "Reals":
    return np.insert(free, anchor, 0.0)


def _expected(strengths: "Reals") -> "Reals":
    """The score of row against column, shape (k, k)."""
    from scipy.special import expit

    expected: Reals = expit(np.subtract.outer(strengths, strengths))
    return expected


def _curvature(expected: "Reals") -> "Reals":
    """Minus the second derivatives of the likelihood, a deal, shape (k, k)."""
    information = expected * (1 - expected)
    np.fill_diagonal(information, 0)
    return np.diag(information.sum(axis=1)) - information
