"""What a strategy that samples believes: the worlds that it draws, and what it cannot see.

These tests look into the engine while it plays, which only plain Python allows.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from math import factorial, prod

import numpy as np
import pytest

from oracle import Table, Tile, begin_turn, full_set, is_thrown_in, opening_seat
from scale import IS_COMPILED
from simdom.engine import playout, think, turns, worlds
from simdom.rules import Boneyard, Opening, Rules, check_rules
from simdom.strategies import load_strategy, parse_strategies, strategy_names
from simdom.variants import load_variant
from traces import Round, traced

pytestmark = pytest.mark.skipif(IS_COMPILED, reason="the engine is compiled: see make test-nojit")

ROUNDS = 6
MOST_WORLDS = 2000


# --- the law of the worlds ------------------------------------------------------------------

Lie = tuple[tuple[frozenset[Tile], ...], frozenset[Tile]]
"""Where the tiles lie: the hands by seat, and the boneyard."""


@dataclass
class Belief:
    """All worlds of a seat at its turn, by number."""

    turn: int
    seat: int
    found: Counter[Lie]


def tiles_of(hands: np.ndarray, owner: int, tiles: list[Tile]) -> frozenset[Tile]:
    """A hand as a set, read bit by bit."""
    return frozenset(
        tile
        for tile in tiles
        if int(worlds.row_of(hands, np.uint64(owner), np.uint64(tile[0]))) >> tile[1] & 1
    )


@pytest.fixture
def beliefs(monkeypatch):
    """The `Belief` of every choice that is made by sampling, one after another."""
    believed: list[Belief] = []
    decide = think.think

    def spy(table, rules, choosers, mind, position, counter):
        seat = position.seat
        total = worlds.count_worlds(mind.worlds, mind.shown, table, rules, seat)
        tiles = full_set(rules.max_pip)
        found: Counter[Lie] = Counter()
        assert 1 <= total <= MOST_WORLDS
        for number in range(int(total)):
            for owner in range(rules.players + 1):
                think.copy_hand(table.hands, mind.hands, owner)
            if worlds.draw_world(
                mind.worlds,
                mind.shown,
                rules,
                float(number),
                total,
                np.uint64(0),
                mind.hands,
                mind.pool,
            ):
                left = int(mind.worlds.facts[worlds.BONEYARD])
                hands = tuple(tiles_of(mind.hands, owner, tiles) for owner in range(rules.players))
                found[hands, frozenset(tiles[int(at)] for at in mind.pool[:left])] += 1
        believed.append(Belief(position.plays + position.passes, int(seat), found))
        return decide(table, rules, choosers, mind, position, counter)

    monkeypatch.setattr(playout, "think", spy)
    return believed


def decks(rules: Rules, played: Round, turn: int, seat: int) -> Iterator[Table]:
    """Every deal and drawing order that the seat cannot rule out by its own tiles."""
    others = [owner for owner in range(rules.players) if owner != seat]
    own_draws = {}  # by place in the boneyard
    draws = 0
    for at in range(turn + 1):
        for tile in played.turns[at].draws:
            if played.turns[at].seat == seat:
                own_draws[draws] = tile
            draws += 1
    held = {*played.deal[seat], *own_draws.values()}
    hidden = [tile for tile in full_set(rules.max_pip) if tile not in held]
    for hands in _dealt(hidden, len(others), rules.deal):
        dealt = {tile for hand in hands for tile in hand}
        rest = [tile for tile in hidden if tile not in dealt]
        for drawn in permutations(rest, draws - len(own_draws)):
            order = list(drawn)
            boneyard = [own_draws[at] if at in own_draws else order.pop(0) for at in range(draws)]
            boneyard += [tile for tile in rest if tile not in drawn]
            all_hands = [list(hand) for hand in hands]
            all_hands.insert(seat, list(played.deal[seat]))
            yield Table(rules, all_hands, boneyard, played.opener)


def _dealt(tiles: list[Tile], seats: int, size: int) -> Iterator[list[tuple[Tile, ...]]]:
    if seats == 0:
        yield []
        return
    for hand in combinations(tiles, size):
        rest = [tile for tile in tiles if tile not in hand]
        for others in _dealt(rest, seats - 1, size):
            yield [hand, *others]


def would_be_played(table: Table, played: Round) -> bool:
    """Whether the deal is no misdeal, and the same seat opens it, by the same tile."""
    if is_thrown_in(table.rules, table.hands):
        return False
    if table.rules.opening not in (Opening.HIGHEST_DOUBLE, Opening.HOLDER_LEADS_ANY):
        return True
    return opening_seat(table.hands) == opening_seat(played.deal)


def replays(table: Table, played: Round, turn: int) -> bool:
    """Whether what all see of the turns before ``turn`` would be the same. Modifies the table."""
    for at in range(turn + 1):
        shown = played.turns[at]
        drawn, plays = begin_turn(table)
        if table.seat != shown.seat or len(drawn) != len(shown.draws):
            return False
        if at == turn:
            return plays
        if plays != (shown.tile is not None):
            return False
        if shown.tile is None:
            table.pass_turn()
            continue
        if (shown.tile, shown.end or 0) not in table.options():
            return False
        table.place((shown.tile, shown.end or 0))
    raise AssertionError("the last turn returns")


SMALL = [
    Rules(max_pip=2, deal=2),
    Rules(max_pip=2, deal=2, boneyard=Boneyard.DRAW),
    Rules(max_pip=3, deal=4, opening=Opening.LOT),
    Rules(max_pip=3, deal=3, boneyard=Boneyard.DRAW),
    Rules(max_pip=3, deal=3, boneyard=Boneyard.DRAW, reserve=2, opening=Opening.LOT),
    Rules(max_pip=3, deal=3, boneyard=Boneyard.DRAW_ONE_PLAY, opening=Opening.HOLDER_LEADS_ANY),
    Rules(max_pip=3, deal=3, boneyard=Boneyard.DRAW_ONE_PASS, opening=Opening.HOLDER_LEADS_ANY),
    Rules(max_pip=3, deal=3, boneyard=Boneyard.DRAW, opening=Opening.LOT, misdeal=2),
    Rules(max_pip=3, players=3, deal=3),
    Rules(max_pip=3, players=3, deal=2, boneyard=Boneyard.DRAW),
    Rules(max_pip=3, players=3, deal=2, boneyard=Boneyard.DRAW_ONE_PASS, opening=Opening.LOT),
    Rules(max_pip=3, players=3, deal=2, boneyard=Boneyard.DRAW, misdeal=2),
]


@pytest.mark.parametrize(
    "rules", SMALL, ids=lambda r: f"D{r.max_pip}-{r.players}x{r.deal}-{r.boneyard.name.lower()}"
)
def test_worlds_are_all_deals_that_agree_with_what_was_seen(rules, beliefs):
    """Each as often as by brute force: no odds, every deal and drawing order is replayed."""
    rules = check_rules(rules)
    tries = 0
    for index in range(ROUNDS):
        beliefs.clear()
        played = traced(rules, parse_strategies("sharp:samples=1", rules.players), 41, index)
        for belief in beliefs:
            agreeing: Counter[Lie] = Counter()
            for table in decks(rules, played, belief.turn, belief.seat):
                if would_be_played(table, played) and replays(table, played, belief.turn):
                    hands = tuple(frozenset(hand) for hand in table.hands)
                    agreeing[hands, frozenset(table.boneyard)] += 1
            orders = orders_of_lots(played, belief)
            assert agreeing == Counter({lie: n * orders for lie, n in belief.found.items()})
            tries += 1
    assert tries >= 5


def orders_of_lots(played: Round, belief: Belief) -> int:
    """In how many orders the others can have drawn the tiles that they kept."""
    before = [turn for turn in played.turns[: belief.turn] if turn.seat != belief.seat]
    kept = [len(turn.draws) - (turn.tile is not None) for turn in before if turn.draws]
    return prod(map(factorial, kept))


# --- what a seat cannot see -----------------------------------------------------------------


class Shuffler:
    """Asks each choice twice, the second time with all tiles that the seat cannot see shuffled."""

    def __init__(self) -> None:
        self.random = np.random.default_rng(42)
        self.asked = 0

    def twice(self, choose, table, seat, arguments):
        answer = choose(*arguments)
        hands, deck = table.hands.copy(), table.deck.tiles.copy()
        self.shuffle(table, int(seat))
        self.asked += not np.array_equal(hands, table.hands)
        again = choose(*arguments)
        table.hands[...], table.deck.tiles[...] = hands, deck
        assert again == answer
        return answer

    def shuffle(self, table, seat: int) -> None:
        """Deal the others' tiles and the boneyard anew. Modifies the table."""
        line = table.hands.shape[0] - 1
        tiles = full_set(6)
        seen = tiles_of(table.hands, seat, tiles) | tiles_of(table.hands, line, tiles)
        hidden = [number for number, tile in enumerate(tiles) if tile not in seen]
        self.random.shuffle(hidden)
        for owner in range(line):
            if owner != seat:
                size = int(worlds.hand_size(table.hands, np.uint64(owner)))
                worlds.clear_hand(table.hands, np.uint64(owner))
                for _ in range(size):
                    worlds.add_tile(table.hands, np.uint64(owner), hidden.pop())
        table.deck.tiles[len(tiles) - len(hidden) : len(tiles)] = hidden


@pytest.fixture
def shuffler(monkeypatch):
    """A `Shuffler` that is at work whenever the engine chooses."""
    shuffler = Shuffler()
    decide, choose_placement = think.think, turns.choose_placement
    choose_lead = playout.choose_lead
    stages = []

    def thought(table, rules, choosers, mind, position, counter):
        stages.append(mind.stage)
        arguments = table, rules, choosers, mind, position, counter
        return shuffler.twice(decide, table, position.seat, arguments)

    def placement(table, seat, *arguments):
        if any(table is stage for stage in stages):  # there the tiles are only imagined
            return choose_placement(table, seat, *arguments)
        return shuffler.twice(choose_placement, table, seat, (table, seat, *arguments))

    def lead(table, seat, *arguments):
        return shuffler.twice(choose_lead, table, seat, (table, seat, *arguments))

    monkeypatch.setattr(playout, "think", thought)
    monkeypatch.setattr(turns, "choose_placement", placement)
    monkeypatch.setattr(playout, "choose_lead", lead)
    return shuffler


@pytest.mark.parametrize("name", strategy_names())
@pytest.mark.parametrize("variant", ["pagat-block", "pagat-draw", "app-draw"])
def test_hidden_tiles_do_not_matter(variant, name, shuffler):
    """A table with a heaviest seat, so that those at random are asked by the same code."""
    if load_strategy(name).samples:
        name += ":samples=2"
    for players in (2, 3, 4):
        rules = load_variant(variant).rules(players)
        strategies = parse_strategies([name] * (players - 1) + ["heaviest"], players)
        for index in range(2):
            traced(rules, strategies, 43, index)
    assert shuffler.asked > 20
