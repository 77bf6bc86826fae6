"""Who wins a round and what it scores, in plain lists: the oracle's other half.

Written from the rule text, and it shares nothing with the engine. A side is a seat, or under
``teams=pairs`` the seats 0 and 2 (side 0), or 1 and 3 (side 1).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from plain_tiles import Tile, counted_pips
from simdom.rules import BlockScore, BlockTie, BlockWinner, Capicua, DominoScore, PipSteps, Rules
from simdom.toggles import Teams


class Last(NamedTuple):
    """The last tile that was placed: who placed it, the number that fitted and its other one.

    ``kept`` is the number of the other end of the line; a lead has none.
    """

    seat: int
    fitted: int
    other: int
    kept: int | None


@dataclass
class Ended:
    """A round that has ended, as it lies on the table."""

    rules: Rules
    hands: Sequence[Sequence[Tile]]
    opener: int
    last: Last
    is_blocked: bool
    pass_rounds: Sequence[int] = field(default=())  # times that each seat earned the points

    @property
    def seats(self) -> range:
        return range(self.rules.players)

    @property
    def pips(self) -> list[int]:
        return [sum(counted_pips(tile, self.rules) for tile in hand) for hand in self.hands]

    def side(self, seat: int) -> int:
        return side_of(self.rules, seat)

    def opponents(self, seat: int) -> list[int]:
        return [other for other in self.seats if self.side(other) != self.side(seat)]

    def turns_after_opener(self, seat: int) -> int:
        return (seat - self.opener) % self.rules.players


def side_of(rules: Rules, seat: int) -> int:
    return seat % 2 if rules.teams == Teams.PAIRS else seat


# --- who wins -------------------------------------------------------------------------------


def winner_of(ended: Ended) -> int | None:
    """The seat that wins, and with it its side; nobody in some ties."""
    if not ended.is_blocked:
        return ended.last.seat
    tied = tied_seats(ended)
    side = _winning_side(ended, tied)
    if side is None:
        return None
    pips = ended.pips
    return min(
        (seat for seat in tied if ended.side(seat) == side),
        key=lambda seat: (pips[seat], ended.turns_after_opener(seat)),
    )


def tied_seats(ended: Ended) -> list[int]:
    """The seats with the least weight: its pips, or those of its side together."""
    pips = ended.pips
    weights = list(pips)
    if ended.rules.block_winner == BlockWinner.LIGHTEST_TEAM:
        for seat in ended.seats:
            weights[seat] = sum(p for o, p in enumerate(pips) if ended.side(o) == ended.side(seat))
    return [seat for seat in ended.seats if weights[seat] == min(weights)]


def _winning_side(ended: Ended, tied: list[int]) -> int | None:
    sides = {ended.side(seat) for seat in tied}
    tie = ended.rules.block_tie
    if len(sides) > 1 and tie == BlockTie.LIGHTEST_TILE:
        lightest = {s: min(counted_pips(t, ended.rules) for t in ended.hands[s]) for s in tied}
        sides = {ended.side(seat) for seat in tied if lightest[seat] == min(lightest.values())}
    if len(sides) == 1:
        return sides.pop()
    if tie == BlockTie.NEAREST:
        return ended.side(min(tied, key=ended.turns_after_opener))
    if tie == BlockTie.OPENER:
        return next((side for side in sides if side == ended.side(ended.opener)), None)
    blocker = ended.side(ended.last.seat)
    if tie == BlockTie.BLOCKER:
        return blocker if blocker in sides else None
    if tie == BlockTie.BLOCKER_LOSES and blocker in sides and len(sides) == 2:
        return next(side for side in sides if side != blocker)
    return None


# --- what it scores -------------------------------------------------------------------------


def stepped(rules: Rules, pips: int) -> int:
    """The points that so many pips are."""
    if rules.pip_steps == PipSteps.FROM_15:
        return 1 if pips < 15 else 2 + (pips - 15) // 10
    if rules.pip_steps == PipSteps.FROM_21:
        return 2 if pips <= 20 else 3 + (pips - 21) // 10
    return pips


def scores_of(ended: Ended) -> dict[BlockScore, int]:
    """All points awarded to all seats, under each way to score a block."""
    passing = ended.rules.pass_round_points * sum(ended.pass_rounds)
    return {kind: main_score(ended, kind) + passing for kind in BlockScore}


def main_score(ended: Ended, kind: BlockScore) -> int:
    """What the round scores but for the points of pass rounds."""
    winner = winner_of(ended)
    if not ended.is_blocked:
        return _domino_score(ended) + _going_out(ended)
    if winner is None:
        return _block_score(ended, kind) if ended.rules.block_tie == BlockTie.SPLIT else 0
    return _block_score(ended, kind) + ended.rules.block_bonus


def _domino_score(ended: Ended) -> int:
    rules, pips = ended.rules, ended.pips
    if rules.domino_score == DominoScore.FLAT:
        return rules.flat_points
    if rules.domino_score == DominoScore.ALL_HANDS:
        return stepped(rules, sum(pips))
    return stepped(rules, sum(pips[seat] for seat in ended.opponents(ended.last.seat)))


def _block_score(ended: Ended, kind: BlockScore) -> int:
    rules, pips, total = ended.rules, ended.pips, sum(ended.pips)
    winner = winner_of(ended)
    best = tied_seats(ended)[0] if winner is None else winner
    own = min(pips) if winner is None else pips[winner]
    ways: dict[BlockScore, Callable[[], int]] = {
        BlockScore.MINUS_OWN: lambda: stepped(rules, total - 2 * own),
        BlockScore.OTHERS: lambda: stepped(rules, total - own),
        BlockScore.ALL_HANDS: lambda: stepped(rules, total),
        BlockScore.DIFFERENCE: lambda: stepped(rules, sum(count - own for count in pips)),
        BlockScore.OPPONENTS: lambda: stepped(rules, sum(pips[s] for s in ended.opponents(best))),
        BlockScore.PER_HEAVIER: lambda: sum(heavier_shares(ended)),
        BlockScore.FLAT: lambda: rules.flat_points,
    }
    return ways[kind]()


def heavier_shares(ended: Ended) -> list[int]:
    """What each seat scores from its opponents with heavier hands; who has none scores nothing."""
    pips = ended.pips
    bases = [
        sum(max(pips[other] - pips[seat], 0) for other in ended.opponents(seat))
        for seat in ended.seats
    ]
    return [stepped(ended.rules, base) if base else 0 for base in bases]


def _going_out(ended: Ended) -> int:
    """Points for the tile that a seat went out with."""
    rules = ended.rules
    _, fitted, other, kept = ended.last
    is_capicua = {
        Capicua.NONE: False,
        Capicua.DIFFERENT_ENDS: fitted != kept and other == kept,
        Capicua.NO_DOUBLES: fitted != other and kept in (fitted, other),
        Capicua.DOUBLES_TOO: kept in (fitted, other),
        Capicua.EQUAL_AFTER: other == kept,
    }[Capicua(rules.capicua)]
    return (
        rules.capicua_points * is_capicua
        + rules.crossed_points * (fitted == other == kept)
        + rules.double_out_points * (fitted == other)
        + rules.blank_out_points * (fitted == other == 0)
    )


def gained_by(ended: Ended) -> list[int]:
    """What each seat gets of the points."""
    rules = ended.rules
    kind = BlockScore(rules.block_score)
    gained = [0] * rules.players
    winner = winner_of(ended)
    is_split = winner is None and rules.block_tie == BlockTie.SPLIT
    if ended.is_blocked and kind == BlockScore.PER_HEAVIER and (winner is not None or is_split):
        gained = heavier_shares(ended)
        if winner is not None:
            gained[winner] += rules.block_bonus
    elif winner is not None:
        gained[winner] = main_score(ended, kind)
    elif is_split:
        tied = tied_seats(ended)
        for seat in tied:
            gained[seat] = main_score(ended, kind) // len(tied)
    for seat, times in enumerate(ended.pass_rounds):
        gained[seat] += rules.pass_round_points * times
    return gained
