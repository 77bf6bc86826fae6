"""Rounds that the engine traces, with tiles as pairs of numbers: the oracle's own words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from oracle import Tile, Turn, full_set
from simdom.rounds import RoundTrace, trace_round
from simdom.rules import Rules, check_rules
from simdom.strategies import Strategy, parse_strategies


@dataclass
class Round:
    """One round as the engine tells it."""

    deal: list[list[Tile]]
    boneyard: list[Tile]
    opener: int
    turns: list[Turn]
    ending: str
    winner: int | None
    hands_left: list[list[Tile]]
    pips: list[int]
    scores: dict[str, int]
    points: int
    gained: list[int]
    redeals: int

    @property
    def line(self) -> list[Tile]:
        """Tiles in the order in which they were played."""
        return [turn.tile for turn in self.turns if turn.tile is not None]

    @property
    def drawn(self) -> list[Tile]:
        return [tile for turn in self.turns for tile in turn.draws]

    @property
    def ends(self) -> tuple[int, int]:
        return self.turns[-1].ends


def traced(rules: Rules, strategies: Sequence[Strategy], seed: int, index: int) -> Round:
    return _in_pairs(
        trace_round(rules, index, strategy=strategies, seed=seed), full_set(rules.max_pip)
    )


def _in_pairs(trace: RoundTrace, tiles: list[Tile]) -> Round:
    turns = [
        Turn(
            seat=turn.seat,
            draws=[tiles[tile] for tile in turn.draws],
            tile=None if turn.tile is None else tiles[turn.tile],
            end=turn.end,
            number=turn.number,
            ends=tuple(turn.ends),
        )
        for turn in trace.turns
    ]
    return Round(
        deal=[[tiles[tile] for tile in hand] for hand in trace.hands],
        boneyard=[tiles[tile] for tile in trace.boneyard],
        opener=trace.opener,
        turns=turns,
        ending=trace.end,
        winner=trace.winner,
        hands_left=[[tiles[tile] for tile in hand] for hand in trace.hands_left],
        pips=list(trace.pips),
        scores=trace.scores,
        points=trace.points,
        gained=trace.gained,
        redeals=trace.redeals,
    )


def rounds_of(rules: Rules, count: int, strategy: str = "random", seed: int = 1) -> list[Round]:
    """The first rounds of a seed, all seats by one strategy."""
    strategies = parse_strategies(strategy, rules.players)
    return [traced(check_rules(rules), strategies, seed, index) for index in range(count)]


def blocked(found: list[Round]) -> list[Round]:
    """Those of the rounds that ended blocked: some did."""
    some = [played for played in found if played.ending == "blocked"]
    assert len(some) >= 5
    return some


@dataclass
class Moment:
    """A turn and what its seat saw before it."""

    turn: Turn
    hand: list[Tile]
    ends: tuple[int, int] | None
    boneyard: list[Tile]
    drawn: int

    def fits(self, tile: Tile) -> bool:
        return self.ends is None or self.ends[0] in tile or self.ends[1] in tile

    @property
    def could_play(self) -> bool:
        """Whether the seat held a tile that fitted before any draw."""
        return any(self.fits(tile) for tile in self.hand)


def moments(played: Round) -> Iterator[Moment]:
    """The turns of a round, replayed tile by tile."""
    hands = [list(hand) for hand in played.deal]
    boneyard = list(played.boneyard)
    ends = None
    drawn = 0
    for turn in played.turns:
        yield Moment(turn, list(hands[turn.seat]), ends, list(boneyard), drawn)
        for tile in turn.draws:
            assert boneyard.pop(0) == tile
            hands[turn.seat].append(tile)
            drawn += 1
        if turn.tile is not None:
            hands[turn.seat].remove(turn.tile)
        ends = turn.ends
