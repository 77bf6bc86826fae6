"""How a strategy decides that samples, in plain Python: what `simdom.engine.think` must decide.

Written from the descriptions of the engine's `known`, `worlds` and `think`, and it shares nothing
with them: numbers are Python's own, worlds are counted by recursion, searches are recursive, and
a round is played on at the oracle's own `Table` by the oracle's own `choose`.

`play_round` is the oracle's, for strategies of which some sample.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import floor, inf, prod
from typing import NamedTuple

import oracle
from oracle import (
    Placement,
    SamplingStrategy,
    Story,
    Table,
    Tile,
    begin_turn,
    choose,
    full_set,
    is_double,
)
from plain_scoring import gained_by, side_of, winner_of
from plain_streams import GOLDEN, WORD, Chance, mix, word
from simdom.rules import Boneyard, Opening, Rules

WORLD_SALT, PLAY_SALT = 0x5EED0001, 0x5EED0002  # so that no two streams share their words
MOST_ROOMS = 4096  # ways to have room left, above which the lots of a hand are one
MOST_BINS = 48
DRAWN_FROM = 2**52  # so many worlds are not numbered: tile by tile is drawn
MOST_SEARCHED = 8
MOST_TRIES = 100
SWAPS_PER_TILE = 20


# --- what was shown -------------------------------------------------------------------------


@dataclass
class Lot:
    """Tiles that came to a hand together: how many may be left, and what they cannot show."""

    size: int
    lacks: set[int] = field(default_factory=set)


@dataclass
class Known:
    """What a seat has shown: its lots, and played tiles with the lots that they may be from."""

    lots: list[Lot]
    unsure: list[tuple[Tile, list[int]]] = field(default_factory=list)
    doubles: int = 0  # certainly played from the deal

    def could_not_play(self, numbers: set[int], kept: int, of_kept: set[int]) -> None:
        for lot in self.lots:
            lot.lacks |= numbers
        if kept:
            self.lots.append(Lot(kept, set(of_kept)))

    def played(self, tile: Tile) -> None:
        lots = [n for n, lot in enumerate(self.lots) if lot.size and not lot.lacks & {*tile}]
        if len(lots) > 1:
            self.unsure.append((tile, lots))
            return
        self.lots[lots[0]].size -= 1
        self.doubles += is_double(tile) and lots[0] == 0


# --- worlds ---------------------------------------------------------------------------------


class Bin(NamedTuple):
    """A lot of another seat's hand, and of what numbers it takes no tile."""

    seat: int
    size: int
    is_deal: bool
    lacks: set[int]


class Item(NamedTuple):
    """A tile to be placed, and the numbers of the bins that may take it."""

    tile: Tile
    takers: list[int]
    was_played: bool = False
    is_held: bool = False  # else it may also be in the boneyard


class World(NamedTuple):
    """Where the hidden tiles lie: hands of the other seats, the boneyard by id, doubles dealt.

    Some are ``misplaced`` where no world was found.
    """

    hands: dict[int, list[Tile]]
    boneyard: list[Tile]
    doubles: dict[int, int]
    misplaced: int


@dataclass
class Worlds:
    """All ways to place the items in turn, so that every bin is full."""

    bins: list[Bin]
    items: list[Item]
    memory: dict[tuple[int, tuple[int, ...]], int] = field(default_factory=dict)

    @property
    def room(self) -> tuple[int, ...]:
        return tuple(each.size for each in self.bins)

    @property
    def total(self) -> float:
        """How many there are, a whole number; infinite where they are not counted."""
        return self.count(0, self.room) if _can_be_counted(self.bins) else inf

    def ways(self, n: int, room: tuple[int, ...]) -> list[tuple[int | None, tuple[int, ...]]]:
        """Where item ``n`` may go, the boneyard (None) first, and what room that leaves."""
        ways: list[tuple[int | None, tuple[int, ...]]] = []
        if not self.items[n].is_held:
            ways.append((None, room))
        return ways + [
            (at, (*room[:at], room[at] - 1, *room[at + 1 :]))
            for at in self.items[n].takers
            if room[at]
        ]

    def count(self, n: int, room: tuple[int, ...]) -> int:
        """In how many ways items ``n``, ``n + 1``, ... fill the room."""
        if n == len(self.items):
            return int(not any(room))
        if (n, room) not in self.memory:
            self.memory[n, room] = sum(self.count(n + 1, after) for _, after in self.ways(n, room))
        return self.memory[n, room]

    def world(self, number: float, key: int) -> World:
        """World ``number``; of very many worlds one drawn by the words of ``key``."""
        places = self._places(number, key) if self.total < inf else self._swapped(key)
        misplaced = sum(not self._may_be(n, at) for n, at in enumerate(places))
        seats = [each.seat for each in self.bins]
        found = World({seat: [] for seat in seats}, [], dict.fromkeys(seats, 0), misplaced)
        for item, at in zip(self.items, places, strict=True):
            self._lay(found, item, at)
        return found

    def _places(self, number: float, key: int) -> list[int | None]:
        room = self.room
        places = []
        for n in range(len(self.items)):
            if self.total >= DRAWN_FROM:
                key = (key + GOLDEN) % WORD
                number = (mix(key) >> 11) * 2.0**-53 * self.count(n, room)
            ways = self.ways(n, room)
            for at, after in ways:
                count = self.count(n + 1, after)
                if number < count or (at, after) == ways[-1]:
                    break
                number -= count
            room = after
            places.append(at)
        return places

    def _swapped(self, key: int) -> list[int | None]:
        """Places anyhow, and then two and two changed if it leaves no more tiles misplaced."""
        size = len(self.items)
        places: list[int | None] = [at for at, room in enumerate(self.room) for _ in range(room)]
        places += [None] * (size - len(places))
        for _ in range(SWAPS_PER_TILE * size):
            key = (key + GOLDEN) % WORD
            chance = Chance(mix(key))
            one, two = chance.draw(size), chance.draw(size)
            now = self._may_be(one, places[one]) + self._may_be(two, places[two])
            if self._may_be(one, places[two]) + self._may_be(two, places[one]) >= now:
                places[one], places[two] = places[two], places[one]
        return places

    def _may_be(self, n: int, at: int | None) -> bool:
        return not self.items[n].is_held if at is None else at in self.items[n].takers

    def _lay(self, found: World, item: Item, at: int | None) -> None:
        if at is None:
            found.boneyard.append(item.tile)
            return
        taker = self.bins[at]
        found.doubles[taker.seat] += taker.is_deal and is_double(item.tile)
        if not item.was_played:
            found.hands[taker.seat].append(item.tile)


def goes_before(tile: Tile, decider: Tile, named: int) -> bool:
    """Whether its holder would have opened before the holder of the tile that decided.

    Of doubles those up to the one that is ``named`` come first.
    """
    order = [
        (is_double(one), is_double(one) and one[0] <= named, sum(one), one[1])
        for one in (tile, decider)
    ]
    return order[0] > order[1]


def has_bonuses(rules: Rules) -> bool:
    """Whether more counts than who wins and the pips that are left."""
    return any(
        (
            rules.capicua_points,
            rules.crossed_points,
            rules.double_out_points,
            rules.blank_out_points,
            rules.pass_round_points,
        )
    )


# --- the mind -------------------------------------------------------------------------------


class Mind:
    """What all have seen of a round, and how a seat decides by it."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.known = [Known([Lot(rules.deal)]) for _ in range(rules.players)]
        self.opener = 0
        self.decider: Tile | None = None
        self.undealt: Tile | None = None

    def opened(self, opener: int, decider: Tile | None, undealt: Tile | None) -> None:
        self.opener, self.decider, self.undealt = opener, decider, undealt

    def could_not_play(self, seat: int, numbers: tuple[int, int], kept: int) -> None:
        hides = self.rules.boneyard == Boneyard.DRAW_ONE_PASS
        self.known[seat].could_not_play({*numbers}, kept, set() if hides else {*numbers})

    def played(self, seat: int, tile: Tile) -> None:
        self.known[seat].played(tile)

    def may_be_dealt(self, tile: Tile, seat: int) -> bool:
        """Whether it can have been dealt to the seat, by who opened."""
        if self.decider is None:
            return tile != self.undealt
        if tile == self.decider:
            return seat == self.opener
        is_named = self.rules.opening == Opening.NAMED_DOUBLE
        named = self.rules.named_double if is_named else self.rules.max_pip
        return not goes_before(tile, self.decider, named)

    def worlds(self, table: Table, seat: int) -> Worlds:
        """The worlds that agree with what the seat has seen."""
        others = [owner for owner in range(self.rules.players) if owner != seat]
        unseen = [
            tile
            for tile in full_set(self.rules.max_pip)
            if tile not in table.hands[seat] and tile not in table.line
        ]
        lots = [(owner, n) for owner in others for n in range(len(self.known[owner].lots))]
        lots = [(owner, n) for owner, n in lots if self.known[owner].lots[n].size]
        bins = [self._bin(owner, n) for owner, n in lots]
        if _can_be_counted(bins):
            played = [
                Item(tile, self._takers(tile, owner, origins, lots), was_played=True, is_held=True)
                for owner in others
                for tile, origins in self.known[owner].unsure
            ]
            return Worlds(bins, played + [self._hidden(tile, bins) for tile in unseen])
        bins = [
            Bin(owner, len(hand), len(self.known[owner].lots) == 1, table.lacks[owner])
            for owner in others
            if (hand := table.hands[owner])
        ]
        return Worlds(bins, [self._hidden(tile, bins) for tile in unseen])

    def _bin(self, owner: int, n: int) -> Bin:
        lot = self.known[owner].lots[n]
        return Bin(owner, lot.size, n == 0, lot.lacks)

    def _takers(
        self, tile: Tile, owner: int, origins: list[int], lots: list[tuple[int, int]]
    ) -> list[int]:
        """The bins that a played tile may have come from."""
        if tile == self.decider:
            origins = [0]
        return [
            lots.index((owner, n))
            for n in origins
            if (owner, n) in lots and (n or self.may_be_dealt(tile, owner))
        ]

    def _hidden(self, tile: Tile, bins: list[Bin]) -> Item:
        """The item of a tile that the seat has not seen."""
        if tile == self.decider:  # the first bin of its holder is what is left of the deal
            return Item(tile, [[each.seat for each in bins].index(self.opener)], is_held=True)
        takers = [
            at
            for at, each in enumerate(bins)
            if not each.lacks & {*tile} and (not each.is_deal or self.may_be_dealt(tile, each.seat))
        ]
        return Item(tile, takers)

    def is_impossible(self, world: World) -> bool:
        """Whether a tile is misplaced, or the misdeal rule would not have let it be played."""
        if world.misplaced:
            return True
        return self.rules.misdeal > 0 and any(
            self.known[seat].doubles + doubles >= self.rules.misdeal
            for seat, doubles in world.doubles.items()
        )

    def decide(
        self, table: Table, seat: int, strategy: SamplingStrategy, counter: int
    ) -> Placement:
        """What the seat plays; ``counter`` is the turn's, before it is mixed to its word."""
        options = table.options()
        if len(options) == 1:
            return options[0]
        worlds = self.worlds(table, seat)
        is_every = worlds.total <= strategy.samples
        is_searched = is_every and table.ends is not None and not table.may_draw()
        is_searched = is_searched and sum(map(len, table.hands)) <= MOST_SEARCHED
        is_searched = is_searched and not has_bonuses(self.rules)
        values = [0] * len(options)
        for look in range(int(worlds.total) if is_every else strategy.samples):
            key = mix((counter + (look + 1) * GOLDEN) % WORD) ^ WORLD_SALT
            if is_every:
                world = worlds.world(look, key)
                if self.is_impossible(world):
                    continue
            else:
                world, key = self._draw(worlds, key)
            for n, option in enumerate(options):
                stage = _stage(table, seat, world, key)
                stage.place(option)
                if is_searched:
                    gains = self._search(stage, strategy)
                else:
                    _play_on(stage, strategy, mix(key))
                    gains = self._gains(stage, strategy)
                values[n] += gains[seat]
        best = [one for one, value in zip(options, values, strict=True) if value == max(values)]
        return best[Chance(mix(counter)).draw(len(best))]

    def _draw(self, worlds: Worlds, key: int) -> tuple[World, int]:
        """A world that may have been played, if one is found, and the key that drew it."""
        for _ in range(MOST_TRIES):
            key = mix((key + GOLDEN) % WORD)
            share = (key >> 11) * 2.0**-53
            number = floor(share * worlds.total) if worlds.total < inf else 0
            world = worlds.world(number, key)
            if not self.is_impossible(world):
                break
        return world, key

    def _gains(self, stage: Table, strategy: SamplingStrategy) -> list[int]:
        """What the round that has ended is worth to each seat.

        It is what its side gains more than the side of each opponent, added up; nothing if nobody
        wins.
        """
        ended = stage.ended(self.opener)
        winner = winner_of(ended)
        seats = range(self.rules.players)
        if winner is None:
            return [0] * self.rules.players
        gained = [int(seat == winner) for seat in seats]
        if strategy.aim == "points":
            gained = gained_by(ended)
        side = [side_of(self.rules, seat) for seat in seats]
        of_side = [sum(gained[o] for o in seats if side[o] == side[seat]) for seat in seats]
        return [
            sum(of_side[seat] - of_side[o] for o in seats if side[o] != side[seat])
            for seat in seats
        ]

    def _search(self, stage: Table, strategy: SamplingStrategy) -> list[int]:
        """What each seat gains if all see all tiles and each does its best, the first of equals."""
        if stage.ending is not None:
            return self._gains(stage, strategy)
        followed = []
        for option in stage.options() or [None]:
            after = stage.copy()
            if option is None:
                after.pass_turn()
            else:
                after.place(option)
            followed.append(self._search(after, strategy))
        return max(followed, key=lambda gains: gains[stage.seat])


def _can_be_counted(bins: Sequence[Bin]) -> bool:
    return len(bins) <= MOST_BINS and prod(each.size + 1 for each in bins) <= MOST_ROOMS


def _stage(table: Table, seat: int, world: World, key: int) -> Table:
    """The table as it is in that world, its boneyard shuffled a word a tile."""
    stage = table.copy()
    stage.hands = [
        list(hand) if owner == seat else list(world.hands.get(owner, []))
        for owner, hand in enumerate(table.hands)
    ]
    stage.boneyard = list(world.boneyard)
    stream = mix(key ^ PLAY_SALT)
    size = len(stage.boneyard)
    for n in range(size):
        other = n + Chance(word(stream, n)).draw(size - n)
        stage.boneyard[n], stage.boneyard[other] = stage.boneyard[other], stage.boneyard[n]
    return stage


def _play_on(stage: Table, strategy: SamplingStrategy, counter: int) -> None:
    """Play to the end, every seat by the weights; a word a turn. Modified in place."""
    while stage.ending is None:
        counter = (counter + GOLDEN) % WORD
        _, plays = begin_turn(stage)
        if plays:
            stage.place(choose(stage, stage.seat, strategy, mix(counter)))
        else:
            stage.pass_turn()


def play_round(
    rules: Rules,
    strategies: Sequence[SamplingStrategy],
    seed: int,
    index: int,
    leader: int | None = None,
) -> Story:
    """The oracle's round, in which seats that sample decide so."""
    return oracle.play_round(rules, strategies, seed, index, leader, Mind(rules))
