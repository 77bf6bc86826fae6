"""Deals that two strategies play against each other: what each deal gives, as whole numbers."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simdom.duels.seating import A, Seating, find_seatings
from simdom.engine.kernels import Study, list_rounds
from simdom.engine.scoring import NOBODY
from simdom.engine.tally import Outcome, most_points
from simdom.errors import RunError
from simdom.rules import BlockScore, BlockTie, Rules
from simdom.strategies import Strategy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[Any]

__all__ = ["Columns", "Match", "list_deals", "new_match", "parts_of_a_point"]

_FITS = 2**62  # whole numbers below it leave room in a word


class Match(NamedTuple):
    """Two strategies and all the seatings in which they play a deal.

    Attributes:
        pairs: of seatings, see `simdom.duels.seating`.
        studies: what is played in each of them, in their order.
    """

    pairs: list[tuple[Seating, Seating]]
    studies: list[tuple[Study, Study]]

    @property
    def rules(self) -> Rules:
        """The rules that they play by."""
        return self.studies[0][0].rules

    @property
    def seatings(self) -> int:
        """Rounds that each deal is played."""
        return 2 * len(self.pairs)

    @property
    def is_even(self) -> bool:
        """Whether both have as many seats as each other in every seating."""
        return 2 * self.pairs[0][0].count(A) == self.rules.players


def new_match(rules: Rules, a: Strategy, b: Strategy, seed: int, seats: str | None = None) -> Match:
    """What the two play.

    Raises:
        UsageError: as `simdom.duels.seating.find_seatings`.
    """
    pairs = find_seatings(rules.players, seats)
    studies = [
        (_study(rules, a, b, seed, first), _study(rules, a, b, seed, swapped))
        for first, swapped in pairs
    ]
    return Match(pairs, studies)


def _study(rules: Rules, a: Strategy, b: Strategy, seed: int, seating: Seating) -> Study:
    return Study(rules, tuple(a if letter == A else b for letter in seating), seed)


def parts_of_a_point(rules: Rules) -> int:
    """In how many parts a point is counted, so that seats that share it get whole numbers."""
    return math.lcm(*range(1, rules.players + 1)) if shares_blocks(rules) else 1


class Columns(NamedTuple):
    """What each deal gives over all its seatings: arrays of whole numbers, shape (deals,).

    A seat's *gain* in a round is ``players`` times its points less the points of all seats: what
    it has above the table's mean, in parts of a point and ``players``-ths. At a table of two it is
    what one wins and the other loses. Values are int64, or Python's integers where those are small.

    Attributes:
        won, lost: rounds won by a seat of a, and of b.
        net: points of all seats of a less those of b.
        net_squares: the same, squared round by round.
        edges: gains of all seats of a: in the first seatings of the pairs, and in their swaps.
        products: the gain of a hand in the one seating times that in the other, twice over all
            hands and pairs.
        squares: gains squared, over all hands and seatings.
        rounds: ndarray, shape=(deals * seatings,), points of a less those of b in each round.
    """

    won: "Integers"
    lost: "Integers"
    net: "Integers"
    net_squares: "Integers"
    edges: tuple["Integers", "Integers"]
    products: "Integers"
    squares: "Integers"
    rounds: "Integers"


def list_deals(match: Match, start: int, stop: int) -> Columns:
    """Play deals ``start`` to ``stop - 1`` in all seatings.

    Raises:
        RunError: the engine reached a state that no round can reach.
    """
    played = [
        (_play(first, seating, start, stop), _play(other, swap, start, stop))
        for (seating, swap), (first, other) in zip(match.pairs, match.studies, strict=True)
    ]
    rounds = [each for pair in played for each in pair]
    nets: Integers = np.stack([each.net for each in rounds])
    return Columns(
        won=_sum([each.won for each in rounds]),
        lost=_sum([each.lost for each in rounds]),
        net=nets.sum(axis=0),
        net_squares=(nets * nets).sum(axis=0),
        edges=(_sum([one.edge for one, _ in played]), _sum([other.edge for _, other in played])),
        products=_sum([2 * (one.gains * other.gains).sum(axis=1) for one, other in played]),
        squares=_sum([(each.gains * each.gains).sum(axis=1) for each in rounds]),
        rounds=nets.ravel(),
    )


def _sum(arrays: Sequence["Integers"]) -> "Integers":
    total: Integers = np.sum(arrays, axis=0)
    return total


class _Rounds(NamedTuple):
    """One seating: ``gains`` has the shape (deals, players), all others (deals,)."""

    won: "Integers"
    lost: "Integers"
    net: "Integers"
    edge: "Integers"
    gains: "Integers"


def _play(study: Study, seating: Seating, start: int, stop: int) -> _Rounds:
    rules = study.rules
    rows = list_rounds(study, start, stop)
    of = dict(zip(Outcome._fields, rows.T, strict=False))
    if of["impossible"].any():
        raise RunError("a round reached a state that no round can reach: a bug")
    plays_a = np.array([letter == A for letter in seating])
    winner = of["winner"]
    a_won = plays_a[winner]  # of NOBODY it is the last seat's, which the next line puts right
    won = winner != NOBODY
    points = _points_by_seat(rules, rows)
    gains = rules.players * points - points.sum(axis=1, keepdims=True)
    return _Rounds(
        won=(won & a_won).astype(np.int64),
        lost=(won & ~a_won).astype(np.int64),
        net=points[:, plays_a].sum(axis=1) - points[:, ~plays_a].sum(axis=1),
        edge=gains[:, plays_a].sum(axis=1),
        gains=gains,
    )


def _points_by_seat(rules: Rules, rows: "NDArray[np.int64]") -> "Integers":
    """ndarray(shape=(rounds, players)) of parts of a point; of Python's integers if they are large.

    Tied seats share a block in equal parts of a point if the rules say so; beside points for rounds
    of passes, which only whole points are told of, they share it rounded down.
    """
    of = dict(zip(Outcome._fields, rows.T, strict=False))
    pips, gained = np.split(rows[:, len(Outcome._fields) :], 2, axis=1)
    parts = parts_of_a_point(rules)
    most = parts * rules.players * most_points(rules)
    terms = 2 * (2 * rules.players) * rules.players  # of the largest sum, in all seatings
    is_large = terms * most * most >= _FITS
    whole = gained.astype(object) if is_large else gained
    if not shares_blocks(rules):
        return whole * parts
    # What the engine rounds down is shared here to the last part.
    nobody = (of["winner"] == NOBODY) & (of["points"] > 0)
    tied = nobody[:, None] & (pips == of["least"][:, None])
    points = of["points"].astype(object) if is_large else of["points"]
    shares = (points * parts)[:, None] // tied.sum(axis=1).clip(min=1)[:, None]
    return np.where(nobody[:, None], np.where(tied, shares, 0), whole * parts)


def shares_blocks(rules: Rules) -> bool:
    """Whether tied seats share what a block scores, and every seat's own points do not say it."""
    return (
        rules.block_tie == BlockTie.SPLIT
        and rules.block_score != BlockScore.PER_HEAVIER
        and not rules.pass_round_points
    )
