"""The law of the worlds on small sets, compiled or not, against an enumeration of all deals.

`tests/test_sharp_worlds.py` holds whole rounds to an enumeration, in plain Python; here single
positions are put together by hand, and the engine's own functions count and draw their worlds.
"""

from collections import Counter
from itertools import combinations

import numba
import numpy as np
import pytest

from oracle import Tile, full_set
from simdom.engine.hands import add_tile, new_hands, row_of
from simdom.engine.known import forget_shown, new_shown, show_lots
from simdom.engine.line import new_table
from simdom.engine.worlds import BONEYARD, BY_TILE, count_worlds, draw_world, new_worlds
from simdom.rules import Boneyard, Rules

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered")  # words wrap around

ME, OTHER, THIRD = 0, 1, 2

Lie = tuple[tuple[frozenset[Tile], ...], frozenset[Tile]]
"""The hands of the others, and the boneyard."""


# Only compiled code may call the engine's steps.
step = numba.njit(_nrt=False)


@step
def begin(shown, players, deal):
    forget_shown(shown, players, deal)


@step
def show(shown, seat, numbers, kept, boneyard):
    show_lots(shown, seat, numbers, kept, boneyard)


@step
def give(hands, owner, tile):
    add_tile(hands, owner, tile)


@step
def count(worlds, shown, table, rules, seat):
    return count_worlds(worlds, shown, table, rules, seat)


@step
def draw(worlds, shown, rules, target, total, key, hands, pool):
    return draw_world(worlds, shown, rules, target, total, key, hands, pool)


@step
def row(hands, owner, number):
    return row_of(hands, owner, number)


class Position:
    """A table of small hands at which seat 0 thinks, and what the others have shown."""

    def __init__(self, max_pip: int, players: int, deal: int, mine: list[Tile]) -> None:
        # Plain integers, as the engine's kernels are given them.
        given = Rules(
            max_pip=max_pip, players=players, deal=deal, boneyard=Boneyard.DRAW, reserve=0
        )
        self.rules = Rules._make(int(value) for value in given)
        self.tiles = full_set(max_pip)
        self.table = new_table(self.rules)
        self.shown = new_shown(self.rules)
        begin(self.shown, players, deal)
        self.hidden = [tile for tile in self.tiles if tile not in mine]
        for tile in mine:
            give(self.table.hands, np.uint64(ME), np.uint64(self.tiles.index(tile)))
        # What the others hold does not matter, only how much.
        rest = iter(self.hidden)
        for owner in range(1, players):
            for _ in range(deal):
                self.give(owner, next(rest))

    def give(self, owner: int, tile: Tile) -> None:
        give(self.table.hands, np.uint64(owner), np.uint64(self.tiles.index(tile)))

    def show(self, seat: int, numbers: tuple[int, ...], kept: int = 0) -> None:
        """The seat was stuck on ends of these numbers, and kept so many tiles that it drew."""
        bits = np.uint64(sum(1 << number for number in numbers))
        show(self.shown, np.int64(seat), bits, kept, int(Boneyard.DRAW))

    def worlds(self) -> Counter[Lie]:
        """How often each way for the tiles to lie is among all worlds, by their numbers."""
        worlds = new_worlds(self.rules)
        worlds.facts[BY_TILE] = 0
        seat = np.uint64(ME)
        total = count(worlds, self.shown, self.table, self.rules, seat)
        hands = new_hands(self.rules.max_pip, self.rules.players)
        pool = np.zeros(len(self.tiles), np.uint8)
        found: Counter[Lie] = Counter()
        for number in range(int(total)):
            target = float(number)
            key = np.uint64(0)
            assert draw(worlds, self.shown, self.rules, target, float(total), key, hands, pool)
            left = int(worlds.facts[BONEYARD])
            others = tuple(self.hand(hands, owner) for owner in range(1, self.rules.players))
            found[others, frozenset(self.tiles[int(tile)] for tile in pool[:left])] += 1
        return found

    def hand(self, hands: np.ndarray, owner: int) -> frozenset[Tile]:
        return frozenset(
            tile
            for tile in self.tiles
            if int(row(hands, np.uint64(owner), np.uint64(tile[0]))) >> tile[1] & 1
        )


def shows_none(tiles, numbers) -> bool:
    return not any(number in tile for tile in tiles for number in numbers)


@pytest.mark.parametrize("lacks", [(), (0,), (1,)])
def test_every_deal_without_what_a_seat_lacks_is_one_world(lacks):
    position = Position(3, 2, 3, mine=[(0, 0), (1, 1), (1, 2)])
    if lacks:
        position.show(OTHER, lacks)
    expected = Counter(
        ((frozenset(hand),), frozenset(position.hidden) - frozenset(hand))
        for hand in combinations(position.hidden, 3)
        if shows_none(hand, lacks)
    )
    assert expected
    assert position.worlds() == expected


def test_tiles_that_were_drawn_lack_less_than_those_that_were_dealt():
    """A hand can come about in several ways: its worlds are as many as these."""
    position = Position(3, 2, 2, mine=[(0, 0), (1, 3)])
    position.show(OTHER, (0,))
    position.show(OTHER, (1,), kept=1)  # the deal lacks 0 and 1, the tile drawn lacks 1
    position.give(OTHER, position.hidden[2])
    expected: Counter[Lie] = Counter()
    for dealt in combinations(position.hidden, 2):
        for drawn in position.hidden:
            if drawn not in dealt and shows_none(dealt, (0, 1)) and shows_none([drawn], (1,)):
                hand = frozenset({*dealt, drawn})
                expected[(hand,), frozenset(position.hidden) - hand] += 1
    assert max(expected.values()) > 1
    assert position.worlds() == expected


def test_every_deal_of_two_hands_is_one_world():
    position = Position(2, 3, 1, mine=[(1, 2)])
    position.show(THIRD, (2,))
    expected = Counter(
        ((frozenset({one}), frozenset({other})), frozenset(position.hidden) - {one, other})
        for one in position.hidden
        for other in position.hidden
        if one != other and shows_none([other], (2,))
    )
    assert position.worlds() == expected
