"""What is remembered of many rounds: integer counts and histograms, so that merging is adding."""

from typing import Any, NamedTuple

import numpy as np

from simdom.engine.scoring import NOBODY
from simdom.engine.streams import U64, compiled
from simdom.rules import BlockScore, DominoScore, Rules
from simdom.tiles import tiles_of_set

__all__ = [
    "COUNTS",
    "SCORES",
    "Outcome",
    "Tally",
    "merge",
    "most_points",
    "new_tally",
    "set_pips",
    "tally_round",
]

Counts = np.ndarray[Any, np.dtype[np.int64]]

COUNTS = ("rounds", "no_double", "stuck", "dead", "redeals", "impossible")
ROUNDS, NO_DOUBLE, STUCK, DEAD, REDEALS, IMPOSSIBLE = range(len(COUNTS))

SCORES = ("minus_own", "others", "all_hands", "points")
MINUS_OWN, OTHERS, ALL_HANDS, POINTS = range(len(SCORES))


class Outcome(NamedTuple):
    """How one round went: plain integers and booleans, seats by their place at the table.

    ``winner`` is -1 for nobody. ``least`` is the pips of the winner's hand, or of the lightest if
    nobody won: 0 after a domino. ``points`` are all that the rules award; ``minus_own``, ``others``
    and ``all_hands`` what they would if blocks scored so.
    """

    opener: int
    opening_tile: int
    blocked: bool
    winner: int
    least: int
    plays: int
    draws: int
    passes: int
    redeals: int
    no_double: bool
    stuck: bool
    impossible: bool
    points: int
    minus_own: int
    others: int
    all_hands: int


class Tally(NamedTuple):
    """Counts over rounds: what cannot be derived, and properties for what can.

    Every histogram cell i counts the rounds with value i.

    Attributes:
        counts: shape (6,), see `COUNTS`.
        seat_wins: shape (players,), rounds won by the seat k after the opener.
        table_wins: shape (players,), rounds won by seat k of the table.
        opening: shape (tiles,), by the tile led.
        plays, draws: shape (tiles + 1,), tiles on the line, tiles drawn.
        passes: shape (turns,), turns without a placement.
        domino_points: shape (points + 1,), what a domino awards.
        block_scores: shape (4, points + 1), what a block awards by each of `SCORES`.
        block_winner_pips: shape (pips + 1,), pips in the winner's hand, of blocks won.
        pips: shape (players, pips + 1), pips left to the seat k after the opener.
    """

    counts: Counts
    seat_wins: Counts
    table_wins: Counts
    opening: Counts
    plays: Counts
    draws: Counts
    passes: Counts
    domino_points: Counts
    block_scores: Counts
    block_winner_pips: Counts
    pips: Counts

    @property
    def rounds(self) -> int:
        """Rounds tallied."""
        return int(self.counts[ROUNDS])

    @property
    def impossible(self) -> int:
        """Rounds that reached a state that no round can reach: must be 0."""
        return int(self.counts[IMPOSSIBLE])

    @property
    def blocked(self) -> int:
        """Rounds that ended blocked."""
        return int(self.block_scores[0].sum())

    @property
    def ties(self) -> int:
        """Rounds that nobody won."""
        return int(self.plays.sum() - self.seat_wins.sum())

    @property
    def scores(self) -> Counts:
        """Shape (4, points + 1), what a round awards by each of `SCORES`, blocked or not."""
        return self.block_scores + self.domino_points

    @property
    def winner_pips(self) -> Counts:
        """Shape (pips + 1,), pips in the winner's hand, of rounds won: none after a domino."""
        pips = self.block_winner_pips.copy()
        pips[0] += self.domino_points.sum()
        return pips


def set_pips(rules: Rules) -> int:
    """Pips of the whole set as hands count them."""
    printed = sum(tile.pips for tile in tiles_of_set(rules.max_pip))
    return printed + rules.double_blank_pips + rules.max_pip * rules.blank_pips


def most_points(rules: Rules) -> int:
    """No round awards more: pips or what stands for them, and every bonus there is."""
    pips = set_pips(rules)
    if rules.block_score == BlockScore.PER_HEAVIER:
        pips *= rules.players  # each tile may count for every other seat
    if rules.block_score == BlockScore.FLAT or rules.domino_score == DominoScore.FLAT:
        pips = max(pips, rules.flat_points)
    going_out = (
        rules.capicua_points
        + rules.crossed_points
        + rules.double_out_points
        + rules.blank_out_points
    )
    passes = rules.pass_round_points * rules.tiles  # a tile is placed each time
    return max(pips, 2 * rules.players) + max(going_out, rules.block_bonus) + passes


def most_passes(rules: Rules) -> int:
    """No round has more passes: each takes a tile, or is one of `players` after a placement."""
    return rules.tiles + rules.players * (rules.tiles + 1)


def new_tally(rules: Rules) -> Tally:
    """A tally of no rounds, with room for every value that ``rules`` make possible."""
    tiles, players, pips = rules.tiles, rules.players, set_pips(rules)
    points = most_points(rules)
    shapes = {
        "counts": len(COUNTS),
        "seat_wins": players,
        "table_wins": players,
        "opening": tiles,
        "plays": tiles + 1,
        "draws": tiles + 1,
        "passes": most_passes(rules) + 1,
        "domino_points": points + 1,
        "block_scores": (len(SCORES), points + 1),
        "block_winner_pips": pips + 1,
        "pips": (players, pips + 1),
    }
    return Tally(**{name: np.zeros(shape, np.int64) for name, shape in shapes.items()})


def merge(a: Tally, b: Tally) -> Tally:
    """The tally of the rounds of both."""
    return Tally(*(x + y for x, y in zip(a, b, strict=True)))


@compiled
def tally_round(tally: Any, outcome: Any, pips: Any, rules: Any) -> None:
    """Count one round. ``tally`` is modified in place."""
    counts = tally.counts
    counts[U64(ROUNDS)] += 1
    if outcome.redeals > 0:
        counts[U64(REDEALS)] += outcome.redeals
    if outcome.impossible:
        counts[U64(IMPOSSIBLE)] += 1
        return
    if outcome.no_double:
        counts[U64(NO_DOUBLE)] += 1
    counts[U64(STUCK)] += outcome.stuck
    tally.opening[U64(outcome.opening_tile)] += 1
    tally.plays[U64(outcome.plays)] += 1
    tally.draws[U64(outcome.draws)] += 1
    tally.passes[U64(outcome.passes)] += 1
    seat = outcome.opener
    for after in range(rules.players):
        left = pips[U64(seat)]
        tally.pips[U64(after), U64(left)] += 1
        seat += 1
        if seat == rules.players:
            seat = 0
    if outcome.winner != NOBODY:
        after = outcome.winner - outcome.opener
        tally.seat_wins[U64(after if after >= 0 else after + rules.players)] += 1
        tally.table_wins[U64(outcome.winner)] += 1
    if outcome.blocked:
        tally_block(tally, outcome)
    else:
        tally.domino_points[U64(outcome.points)] += 1


@compiled
def tally_block(tally: Any, outcome: Any) -> None:
    """Count what a blocked round awards. ``tally`` is modified in place."""
    if outcome.plays == 1:
        tally.counts[U64(DEAD)] += 1
    if outcome.winner != NOBODY:
        tally.block_winner_pips[U64(outcome.least)] += 1
    tally.block_scores[U64(MINUS_OWN), U64(outcome.minus_own)] += 1
    tally.block_scores[U64(OTHERS), U64(outcome.others)] += 1
    tally.block_scores[U64(ALL_HANDS), U64(outcome.all_hands)] += 1
    tally.block_scores[U64(POINTS), U64(outcome.points)] += 1
