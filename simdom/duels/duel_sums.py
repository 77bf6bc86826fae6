"""What the deals of a duel add up to, and the figures that follow.

A round's outcome, for the hand that a seat was dealt, is what the seat gains over the table's mean.
Played by a and played by b, a hand's outcomes vary together as far as the deal decides. So, with
x and y for a hand's gains in a seating and in its swap, and m for the mean of the squares of all
gains:

- the share of the deal is the covariance of x and y, divided by m;
- the share of the play is the square of what playing a rather than b gains on average, over m;
- the rest is what is left of 1: a deal suits the one and not the other, and lots fall.

At a table of two, with d for a's mean net points a round, they are (mean of x y + d**2) / m,
d**2 / m and the rest. In the analysis of variance of hands by who plays them, the share of the deal
is the intraclass correlation ICC(A,1). Source: K. O. McGraw and S. P. Wong, Psychological Methods 1
(1996) 30-46. Intervals of the shares come from their linear parts: to within terms of 1/n, a share
is a mean over deals, of which the spread from deal to deal is known.
"""

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simdom.duels.columns import Columns, Match, list_deals, parts_of_a_point
from simdom.duels.moments import (
    Ends,
    Moments,
    estimate_ends,
    estimate_linear,
    radius_of,
    spread_of,
)
from simdom.duels.seating import A
from simdom.estimate import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

__all__ = ["DuelSums", "Figures", "estimate_figures", "sum_deals"]

WON, LOST, NET, NET_SQUARES, PRODUCTS, SQUARES, FIRST_EDGE = range(7)


@dataclass(frozen=True, eq=False)
class DuelSums:
    """Sums over deals.

    Attributes:
        moments: of a deal's won, lost, net, squares of nets, products, squares, and edges: one if
            both have as many seats, else that of the first seatings and that of their swaps.
        of_rounds: how many rounds had each net, in parts of a point.
        of_deals: how many deals had each net over all their rounds.
    """

    moments: Moments
    of_rounds: Counter[int]
    of_deals: Counter[int]

    @property
    def deals(self) -> int:
        """How many."""
        return self.moments.deals

    def __add__(self, other: "DuelSums") -> "DuelSums":
        return DuelSums(
            self.moments + other.moments,
            self.of_rounds + other.of_rounds,
            self.of_deals + other.of_deals,
        )


def sum_deals(match: Match, chunk: range) -> DuelSums:
    """Play the deals of a chunk and add up.

    Raises:
        RunError: the engine reached a state that no round can reach.
    """
    of = list_deals(match, chunk.start, chunk.stop)
    return DuelSums(
        Moments.of(_table(match, of)), Counter(of.rounds.tolist()), Counter(of.net.tolist())
    )


def _table(match: Match, of: Columns) -> "NDArray[np.int64] | NDArray[np.object_]":
    first, swapped = of.edges
    edges = [first + swapped] if match.is_even else [first, swapped]
    columns = [of.won, of.lost, of.net, of.net_squares, of.products, of.squares, *edges]
    return np.stack(columns, axis=1)


class Figures(NamedTuple):
    """The figures of a duel.

    Attributes:
        win_rate, loss_rate, tie_rate: shares of rounds that a seat of a wins, of b, or nobody.
        win_edge: the first minus the second.
        points_per_round: points of a's seats less those of b's.
        luck_share, skill_share, rest_share: of how the points of a round vary: what the deal
            explains, what the play does, and what neither does alone. They add up to 1.
        round_sd: the standard deviation of a round's points of a less those of b.
        pairing: rounds of deals of their own that would be as sure of the points, for each round
            played; nan if no deal differs.
    """

    win_rate: Estimate
    loss_rate: Estimate
    tie_rate: Estimate
    win_edge: Estimate
    points_per_round: Estimate
    luck_share: Estimate
    skill_share: Estimate
    rest_share: Estimate
    round_sd: float
    pairing: float


def estimate_figures(match: Match, sums: DuelSums, confidence: float) -> Figures:
    """All figures from the sums; what one deal cannot tell is nan."""
    moments, seatings = sums.moments, match.seatings
    parts = parts_of_a_point(match.rules)
    edge = _weights(moments, {WON: 1, LOST: -1})
    squares = np.diagonal(moments.products)
    wins = estimate_ends(
        Ends(
            deals=moments.deals,
            seatings=seatings,
            won=int(moments.sums[WON]),
            lost=int(moments.sums[LOST]),
            won_squares=int(squares[WON]),
            lost_squares=int(squares[LOST]),
            edge_squares=int(edge @ moments.products @ edge),
        ),
        confidence,
    )
    luck, skill, rest = _split(match, moments, confidence)
    single = _variance_of_rounds(moments, moments.deals * seatings)
    paired = float(moments.covariance[NET, NET]) / seatings
    return Figures(
        win_rate=wins[0],
        loss_rate=wins[1],
        tie_rate=wins[2],
        win_edge=estimate_linear(moments, edge, seatings, confidence),
        points_per_round=estimate_linear(
            moments, _weights(moments, {NET: 1}), seatings * parts, confidence
        ),
        luck_share=luck,
        skill_share=skill,
        rest_share=rest,
        round_sd=math.sqrt(single) / parts,
        pairing=single / paired if paired > 0 else math.nan,
    )


def _weights(moments: Moments, weights: dict[int, int]) -> "NDArray[np.object_]":
    return np.array([weights.get(at, 0) for at in range(len(moments.sums))], dtype=object)


def _variance_of_rounds(moments: Moments, rounds: int) -> float:
    """Of the net of a round, in parts of a point."""
    net, squares = int(moments.sums[NET]), int(moments.sums[NET_SQUARES])
    return (rounds * squares - net * net) / (rounds * rounds)


def _split(
    match: Match, moments: Moments, confidence: float
) -> tuple[Estimate, Estimate, Estimate]:
    """The shares of luck, of skill and of the rest.

    With k and l seats for a and b, a's seats gain an edge t in the first seatings and u in their
    swaps; one of a's seats gains t / k there and loses u / k as b's in the swap. Over all seats the
    mean square of what play gains is half of (t**2 + u**2) * w, and the mean product -t * u * w,
    with w = (1/k + 1/l) / (k + l).
    """
    terms = match.seatings * match.rules.players
    seats = match.pairs[0][0].count(A)
    w = (1 / seats + 1 / (match.rules.players - seats)) / match.rules.players
    means, cov = moments.means, moments.covariance
    total = float(means[SQUARES]) / terms
    if not total > 0:
        unknown = Estimate(math.nan, math.nan, math.nan, math.nan)
        return unknown, unknown, unknown
    unit = np.eye(len(means))
    # Rows that take the numbers of a deal to an edge a round; one row, or first and swapped.
    rows = unit[FIRST_EDGE:] * ((len(means) - FIRST_EDGE) / match.seatings)
    edges = rows @ means
    t, u = edges[0], edges[-1]
    luck = (float(means[PRODUCTS]) / terms + w * t * u) / total
    skill = w * (t * t + u * u) / 2 / total

    # What a deal adds to each share, in the linear part: weights of its numbers.
    of_luck = (unit[PRODUCTS] - luck * unit[SQUARES]) / terms + w * (u * rows[0] + t * rows[-1])
    of_skill = w * (t * rows[0] + u * rows[-1]) - skill * unit[SQUARES] / terms

    def share_of(share: float, weights: "Reals") -> Estimate:
        return _interval(share, spread_of(weights / total, cov), moments.deals, confidence)

    # Near 0 a square is not close to its linear part, but its root is.
    root = math.sqrt(total)
    low = high = 0.0
    for row, edge in ((rows[0], t), (rows[-1], u)):
        of_effect = row / root - edge / (2 * total * root) * unit[SQUARES] / terms
        effect = _interval(abs(edge) / root, spread_of(of_effect, cov), moments.deals, confidence)
        low += w / 2 * max(effect.low, 0.0) ** 2
        high += w / 2 * effect.high**2
    return (
        share_of(luck, of_luck),
        replace(share_of(skill, of_skill), low=low, high=high),
        share_of(1 - luck - skill, -of_luck - of_skill),
    )


def _interval(value: float, sd: float, deals: int, confidence: float) -> Estimate:
    se = sd / math.sqrt(deals)
    radius = radius_of(se, deals, confidence)
    return Estimate(value, se, value - radius, value + radius)
