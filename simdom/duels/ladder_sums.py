"""What the deals of a ladder add up to, and the figures of every pair and every strategy."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simdom.duels.columns import Match, list_deals
from simdom.duels.moments import Ends, Moments, estimate_ends, estimate_linear
from simdom.duels.ratings import Ratings, pairs_of
from simdom.estimate import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "LadderSums",
    "Meeting",
    "Scale",
    "Standing",
    "estimate_meetings",
    "estimate_standings",
    "sum_matches",
]


@dataclass(frozen=True, eq=False)
class LadderSums:
    """Sums over deals, by pair of strategies in the order of `simdom.duels.ratings.pairs_of`.

    Attributes:
        edges: of rounds that the first of a pair wins less rounds that it loses.
        nets: of its points less the other's, in parts of a point.
        wins: ndarray(object, shape=(4, pairs)): rounds won, rounds lost, and the squares of both.
    """

    edges: Moments
    nets: Moments
    wins: "NDArray[np.object_]"

    @property
    def deals(self) -> int:
        """How many."""
        return self.edges.deals

    def __add__(self, other: "LadderSums") -> "LadderSums":
        return LadderSums(self.edges + other.edges, self.nets + other.nets, self.wins + other.wins)


def sum_matches(matches: Sequence[Match], chunk: range) -> LadderSums:
    """Play the deals of a chunk in every match and add up.

    Raises:
        RunError: the engine reached a state that no round can reach.
    """
    played = [list_deals(match, chunk.start, chunk.stop) for match in matches]
    won, lost = np.stack([each.won for each in played]), np.stack([each.lost for each in played])
    return LadderSums(
        Moments.of((won - lost).T),
        Moments.of(np.stack([each.net for each in played], axis=1)),
        np.stack([each.sum(axis=1).astype(object) for each in (won, lost, won * won, lost * lost)]),
    )


class Meeting(NamedTuple):
    """What one strategy does against another.

    Attributes:
        win_rate, loss_rate, tie_rate: shares of rounds that it wins, that the other wins, and that
            nobody does.
        score: the first and half of the third.
        points_per_round: its points less the other's.
        expected: the score that the ratings foresee.
    """

    win_rate: Estimate
    loss_rate: Estimate
    tie_rate: Estimate
    score: Estimate
    points_per_round: Estimate
    expected: float

    @property
    def swapped(self) -> "Meeting":
        """The same, as the other sees it."""
        score, points = self.score, self.points_per_round
        return Meeting(
            self.loss_rate,
            self.win_rate,
            self.tie_rate,
            replace(score, estimate=1 - score.estimate, low=1 - score.high, high=1 - score.low),
            replace(points, estimate=-points.estimate, low=-points.high, high=-points.low),
            1 - self.expected,
        )


class Standing(NamedTuple):
    """What one strategy does against all others.

    Attributes:
        strategy: its name.
        rating: on Elo's scale.
        lead: over the next one; None for the last.
        score: the mean of its scores against each of the others.
        points_per_round: the mean of its points less the other's.
    """

    strategy: str
    rating: Estimate
    lead: Estimate | None
    score: Estimate
    points_per_round: Estimate


class Scale(NamedTuple):
    """What figures are divided by: rounds a deal of each pair, and parts of a point."""

    seatings: int
    parts: int


def estimate_meetings(
    names: Sequence[str], sums: LadderSums, ratings: Ratings, scale: Scale, confidence: float
) -> dict[tuple[str, str], Meeting]:
    """Every pair, both ways."""
    meetings = {}
    for at, (i, j) in enumerate(pairs_of(len(names))):
        expected = float(ratings.expected[i, j])
        meeting = _estimate_meeting(sums, at, expected, scale, confidence)
        meetings[names[i], names[j]] = meeting
        meetings[names[j], names[i]] = meeting.swapped
    return meetings


def _estimate_meeting(
    sums: LadderSums, at: int, expected: float, scale: Scale, confidence: float
) -> Meeting:
    won, lost, won_squares, lost_squares = map(int, sums.wins[:, at])
    wins = estimate_ends(
        Ends(
            deals=sums.deals,
            seatings=scale.seatings,
            won=won,
            lost=lost,
            won_squares=won_squares,
            lost_squares=lost_squares,
            edge_squares=int(sums.edges.products[at, at]),
        ),
        confidence,
    )
    pair = [int(at == each) for each in range(len(sums.edges.sums))]
    return Meeting(
        win_rate=wins[0],
        loss_rate=wins[1],
        tie_rate=wins[2],
        score=_as_score(estimate_linear(sums.edges, pair, 2 * scale.seatings, confidence)),
        points_per_round=estimate_linear(sums.nets, pair, scale.seatings * scale.parts, confidence),
        expected=expected,
    )


def _as_score(half_edge: Estimate) -> Estimate:
    """A score from half of what is won less what is lost: from 0 to 1."""
    low, high = 0.5 + half_edge.low, 0.5 + half_edge.high
    return Estimate(0.5 + half_edge.estimate, half_edge.se, max(low, 0.0), min(high, 1.0))


def estimate_standings(
    names: Sequence[str], sums: LadderSums, ratings: Ratings, scale: Scale, confidence: float
) -> list[Standing]:
    """Every strategy, the best first."""
    pairs = pairs_of(len(names))
    found = []
    for one, name in enumerate(names):
        # +1 where it is the first of the pair, -1 where it is the second.
        signs = [(one == i) - (one == j) for i, j in pairs]
        others = len(names) - 1
        found.append(
            Standing(
                name,
                ratings.rating(one, confidence),
                None,
                _as_score(
                    estimate_linear(sums.edges, signs, 2 * scale.seatings * others, confidence)
                ),
                estimate_linear(
                    sums.nets, signs, scale.seatings * scale.parts * others, confidence
                ),
            )
        )
    order = sorted(range(len(names)), key=lambda one: (-found[one].score.estimate, names[one]))
    ranked = [found[one] for one in order]
    for place, (one, other) in enumerate(itertools.pairwise(order)):
        ranked[place] = ranked[place]._replace(lead=ratings.difference(one, other, confidence))
    return ranked
