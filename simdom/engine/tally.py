"""What is remembered of many rounds: integer counts and histograms, so that merging is adding."""

from typing import Any, NamedTuple

import numpy as np

from simdom.engine.scoring import ALL_SCORES, NOBODY, score_of
from simdom.engine.streams import U64, compiled
from simdom.rules import BlockTie, Rules
from simdom.tiles import tiles_of_set

__all__ = ["COUNTS", "Outcome", "Tally", "merge", "new_tally", "set_pips", "tally_round"]

Counts = np.ndarray[Any, np.dtype[np.int64]]

COUNTS = ("rounds", "no_double", "stuck", "dead", "redeals", "impossible")
ROUNDS, NO_DOUBLE, STUCK, DEAD, REDEALS, IMPOSSIBLE = range(len(COUNTS))

SPLIT = int(BlockTie.SPLIT)


class Outcome(NamedTuple):
    """How one round went: plain integers and booleans, seats by their place at the table.

    ``least`` is the pips of the lightest hand: 0 after a domino. ``winner`` is -1 for nobody.
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
        domino_pips: shape (pips + 1,), pips left in all hands after a domino.
        block_scores: shape (4, pips + 1), what each `BlockScore` awards for a block.
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
    domino_pips: Counts
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
        """Shape (4, pips + 1), what each `BlockScore` awards for a round, blocked or not."""
        return self.block_scores + self.domino_pips

    @property
    def winner_pips(self) -> Counts:
        """Shape (pips + 1,), pips in the winner's hand, of rounds won: none after a domino."""
        pips = self.block_winner_pips.copy()
        pips[0] += self.domino_pips.sum()
        return pips


def set_pips(rules: Rules) -> int:
    """Pips of the whole set as hands count them: no score is larger."""
    printed = sum(tile.pips for tile in tiles_of_set(rules.max_pip))
    return printed + rules.double_blank_pips + rules.max_pip * rules.blank_pips


def most_passes(rules: Rules) -> int:
    """No round has more passes: each takes a tile, or is one of `players` after a placement."""
    return rules.tiles + rules.players * (rules.tiles + 1)


def new_tally(rules: Rules) -> Tally:
    """A tally of no rounds, with room for every value that ``rules`` make possible."""
    tiles, players, pips = rules.tiles, rules.players, set_pips(rules)
    shapes = {
        "counts": len(COUNTS),
        "seat_wins": players,
        "table_wins": players,
        "opening": tiles,
        "plays": tiles + 1,
        "draws": tiles + 1,
        "passes": most_passes(rules) + 1,
        "domino_pips": pips + 1,
        "block_scores": (ALL_SCORES, pips + 1),
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
    total = np.int64(0)
    seat = outcome.opener
    for after in range(rules.players):
        left = pips[U64(seat)]
        total += left
        tally.pips[U64(after), U64(left)] += 1
        seat += 1
        if seat == rules.players:
            seat = 0
    if outcome.winner != NOBODY:
        after = outcome.winner - outcome.opener
        tally.seat_wins[U64(after if after >= 0 else after + rules.players)] += 1
        tally.table_wins[U64(outcome.winner)] += 1
    if outcome.blocked:
        tally_block(tally, outcome, total, rules)
    else:
        tally.domino_pips[U64(total)] += 1


@compiled
def tally_block(tally: Any, outcome: Any, total: Any, rules: Any) -> None:
    """Count what a blocked round awards. ``tally`` is modified in place."""
    if outcome.plays == 1:
        tally.counts[U64(DEAD)] += 1
    if outcome.winner != NOBODY:
        tally.block_winner_pips[U64(outcome.least)] += 1
    awarded = outcome.winner != NOBODY or rules.block_tie == SPLIT
    for kind in range(ALL_SCORES):
        score = score_of(kind, total, outcome.least, rules.players) if awarded else 0
        tally.block_scores[U64(kind), U64(score)] += 1
