"""Worlds: the ways in which the hidden tiles can lie, by all that a seat has seen.

A seat sees its own hand, the line, how many tiles the others hold, what they have shown (see
`simdom.engine.known`), and, if a tile decided who opens, which tile that was. A *world* says of
every other tile in whose lot it is, or that it is still in the boneyard; and of every tile that
was played, and may have come from several lots, from which of them it came. All worlds that agree
with what was seen are equally likely, as deals are: what seats chose to play tells nothing.

They are counted tile by tile: table cell (i, state) is the number of ways to place tiles i, i + 1,
... when ``state`` says how much room is left in each lot. A lot takes a tile if the tile shows
nothing that the lot lacks, and if whoever held it in a deal would not have opened the round; the
boneyard takes what is left. Then a world is drawn, or the one with a given number found, by going
through the tiles once. Tiles come in this order: those played from one of several lots, by seat
and by turn, then the unseen ones by id. World 0 puts each tile into the first place that can be:
the boneyard, then the lots by seat and by age. Counts are float64: exact below 2**53.

Where there would be too many states or lots, all lots of a hand are one, which lacks what the hand
is certain to lack. Some of these worlds disagree with what single lots have shown. Where even then
the states are too many, as at tables of many seats, worlds are not counted: tiles are laid out
anyhow and swapped until none is where it cannot be. Such worlds are near evenly likely, no more.
"""

from typing import Any, NamedTuple

import numpy as np

from simdom.engine.hands import HIGH, LOW, NUMBERS, add_tile, clear_hand, hand_size, row_of
from simdom.engine.streams import (
    GOLDEN,
    U64,
    compiled,
    compiled_apart,
    draw_below,
    fraction_after,
    fraction_of,
    mix,
    popcount,
)
from simdom.rules import Rules

__all__ = [
    "DECIDES",
    "IS_MISSING",
    "Worlds",
    "count_worlds",
    "draw_world",
    "list_bins",
    "list_tiles",
    "new_worlds",
]

MOST_STATES = 4096
MOST_BINS = 48
NOT_HELD = U64(63)
ALL_LOTS = 64
SWAPS_PER_TILE = 20  # in a world that is not counted
EXACT = 2.0**52

_0, _1, _11 = U64(0), U64(1), U64(11)
UNIT = 1.0 / 9007199254740992.0  # 2**-53


class Worlds(NamedTuple):
    """The worlds that agree with what a seat has seen, counted. Memory for one thread.

    Attributes:
        facts: ndarray(int64, shape=(8,)): `ITEMS`, `BINS`, `STATES` and `BONEYARD` (its tiles) of
            this count; `BY_TILE` (`DECIDES` if a tile decided who opened, `IS_MISSING` if nobody
            was dealt it), its id `DECIDER`, the double `FIRST` that was looked for first, and the
            `OPENER`, of this round.
        tiles: ndarray(uint64, shape=(tiles,)), what is to be placed: tiles played from nobody knows
            which lot, then the unseen ones.
        allowed: ndarray(uint64, shape=(tiles,)), the places that take the tile, as bits: bins by
            their number, and `NOT_HELD`, which is the boneyard.
        played: ndarray(int64, shape=(tiles,)), 1 for a tile that was played.
        places: ndarray(int64, shape=(tiles,)), where each tile is in the world last drawn, if that
            was not counted.
        seats, lots, sizes, strides: ndarray(int64, shape=(bins,)): a bin is a lot of another
            seat's hand, or `ALL_LOTS` of it, with its size; a state is the sum of room left times
            stride.
        open_bins: ndarray(uint64, shape=(states,)), the bins with room left, as bits.
        counts: ndarray(float64, shape=(tiles + 1, states)), see above.
        doubles: ndarray(int64, shape=(players,)), doubles that each seat was dealt, in the world
            last drawn.
    """

    facts: np.ndarray[Any, np.dtype[np.int64]]
    tiles: np.ndarray[Any, np.dtype[np.uint64]]
    allowed: np.ndarray[Any, np.dtype[np.uint64]]
    played: np.ndarray[Any, np.dtype[np.int64]]
    places: np.ndarray[Any, np.dtype[np.int64]]
    seats: np.ndarray[Any, np.dtype[np.int64]]
    lots: np.ndarray[Any, np.dtype[np.int64]]
    sizes: np.ndarray[Any, np.dtype[np.int64]]
    strides: np.ndarray[Any, np.dtype[np.int64]]
    open_bins: np.ndarray[Any, np.dtype[np.uint64]]
    counts: np.ndarray[Any, np.dtype[np.float64]]
    doubles: np.ndarray[Any, np.dtype[np.int64]]


ITEMS, BINS, STATES, BY_TILE, DECIDER, OPENER, BONEYARD, FIRST = range(8)
DECIDES, IS_MISSING = 1, 2


def new_worlds(rules: Rules) -> Worlds:
    """Memory for the worlds of rounds under ``rules``."""
    tiles = rules.tiles
    return Worlds(
        facts=np.zeros(8, np.int64),
        tiles=np.zeros(tiles, np.uint64),
        allowed=np.zeros(tiles, np.uint64),
        played=np.zeros(tiles, np.int64),
        places=np.zeros(tiles, np.int64),
        seats=np.zeros(MOST_BINS, np.int64),
        lots=np.zeros(MOST_BINS, np.int64),
        sizes=np.zeros(MOST_BINS, np.int64),
        strides=np.zeros(MOST_BINS, np.int64),
        open_bins=np.zeros(MOST_STATES, np.uint64),
        counts=np.zeros((tiles + 1, MOST_STATES), np.float64),
        doubles=np.zeros(rules.players, np.int64),
    )


@compiled_apart
def count_worlds(worlds: Any, shown: Any, table: Any, rules: Any, seat: Any) -> Any:
    """Count the worlds that agree with what ``seat`` has seen. ``worlds`` is modified in place.

    Returns:
        The number of worlds, float64; infinite where they are too many to count.
    """
    facts, counts = worlds.facts, worlds.counts
    for by_lot in (True, False):
        if list_bins(worlds, shown, table, rules, seat, by_lot):
            break
    list_tiles(worlds, shown, table, rules, seat, by_lot)
    items, states, bins = facts[ITEMS], facts[STATES], facts[BINS]
    if states > MOST_STATES:
        return np.inf
    for state in range(states):
        counts[items, state] = 0.0
        room = _0
        for at in range(bins):
            if state // worlds.strides[at] % (worlds.sizes[at] + 1) > 0:
                room |= _1 << U64(at)
        worlds.open_bins[state] = room
    counts[items, 0] = 1.0
    for item in range(items - 1, -1, -1):
        allowed = worlds.allowed[item]
        for state in range(states):
            ways = counts[item + 1, state] if (allowed >> NOT_HELD) & _1 else 0.0
            takers = worlds.open_bins[state] & allowed
            while takers != _0:
                bit = takers & (~takers + _1)
                takers ^= bit
                ways += counts[item + 1, state - worlds.strides[popcount(bit - _1)]]
            counts[item, state] = ways
    return counts[0, states - 1]


@compiled
def list_bins(worlds: Any, shown: Any, table: Any, rules: Any, seat: Any, by_lot: Any) -> Any:
    """List the bins, a lot each or a hand each; whether they and their states are few enough."""
    facts = worlds.facts
    bins = 0
    states: Any = np.int64(1)
    for owner in range(rules.players):
        if U64(owner) == seat:
            continue
        for lot in range(shown.lots[owner] if by_lot else 1):
            size = shown.sizes[owner, lot]
            if not by_lot:
                size = np.int64(hand_size(table.hands, U64(owner)))
            if size == 0:
                continue
            if bins == MOST_BINS:
                return False
            worlds.seats[bins] = owner
            worlds.lots[bins] = lot if by_lot or shown.lots[owner] == 1 else ALL_LOTS
            worlds.sizes[bins] = size
            worlds.strides[bins] = states
            states = min(states * (size + 1), MOST_STATES + 1)
            bins += 1
    facts[BINS] = bins
    facts[STATES] = states
    return states <= MOST_STATES


@compiled
def list_tiles(worlds: Any, shown: Any, table: Any, rules: Any, seat: Any, by_lot: Any) -> None:
    """List the tiles to be placed, and the bins that take each."""
    facts = worlds.facts
    items = 0
    for owner in range(rules.players):
        if by_lot and U64(owner) != seat:
            for n in range(shown.unsure[owner]):
                tile = shown.tiles[owner, n]
                worlds.tiles[items] = tile
                worlds.played[items] = 1
                worlds.allowed[items] = _0
                for at in range(facts[BINS]):
                    lot = worlds.lots[at]
                    its = worlds.seats[at] == owner and (shown.origins[owner, n] >> U64(lot)) & _1
                    if its and _may_be_in(worlds, tile, owner, lot):
                        worlds.allowed[items] |= _1 << U64(at)
                items += 1
    line = U64(rules.players)
    hidden: Any = 0
    tile = _0
    for high in range(rules.max_pip + 1):
        seen = row_of(table.hands, seat, U64(high)) | row_of(table.hands, line, U64(high))
        for low in range(high + 1):
            if (seen >> U64(low)) & _1 == _0:
                allowed = _1 << NOT_HELD
                if facts[BY_TILE] == DECIDES and np.int64(tile) == facts[DECIDER]:
                    allowed = _0  # the opener holds it, for it was not played
                for at in range(facts[BINS]):
                    owner, lot = worlds.seats[at], worlds.lots[at]
                    lacks = shown.lacks[owner, lot] if by_lot else table.voids[owner]
                    if NUMBERS[tile] & lacks == _0 and _may_be_in(worlds, tile, owner, lot):
                        allowed |= _1 << U64(at)
                worlds.tiles[items] = tile
                worlds.allowed[items] = allowed
                worlds.played[items] = 0
                items += 1
                hidden += 1
            tile += _1
    for owner in range(rules.players):
        if U64(owner) != seat:
            hidden -= np.int64(hand_size(table.hands, U64(owner)))
    facts[ITEMS] = items
    facts[BONEYARD] = hidden


@compiled
def _may_be_in(worlds: Any, tile: Any, owner: Any, lot: Any) -> Any:
    """Whether the tile can have come to the owner in the lot, by who opened the round.

    A tile decided it that was dealt to the opener, and none that goes before it was dealt.
    """
    facts = worlds.facts
    if not facts[BY_TILE]:
        return True
    decider = U64(facts[DECIDER])
    if facts[BY_TILE] == IS_MISSING:
        return lot != 0 or tile != decider
    if tile == decider:
        return owner == facts[OPENER] and (lot == 0 or lot == ALL_LOTS)
    return lot != 0 or not goes_before(tile, decider, U64(facts[FIRST]))


@compiled
def goes_before(tile: Any, decider: Any, first: Any) -> Any:
    """Whether the holder of ``tile`` would have opened before the holder of ``decider``.

    Doubles go before other tiles: ``first``, then those below it, then those above from the highest
    down.
    """
    low, high = LOW[tile], HIGH[tile]
    its_low, its_high = LOW[decider], HIGH[decider]
    if low == high:
        if its_low != its_high or (high <= first) != (its_high <= first):
            return its_low != its_high or high <= first
        return high > its_high
    if its_low == its_high:
        return False
    total, its_total = low + high, its_low + its_high
    return total > its_total or (total == its_total and high > its_high)


@compiled
def draw_world(
    worlds: Any, shown: Any, rules: Any, target: Any, total: Any, key: Any, hands: Any, pool: Any
) -> Any:
    """Put the hidden tiles where world number ``target`` has them.

    Args:
        worlds: counted.
        shown: what the seats have shown.
        rules: of the round.
        target: number of the world, a whole float64 from 0; from 2**52 worlds on it is drawn.
        total: how many there are.
        key: uint64, of the random words of a drawn world.
        hands: the hidden hands are written here, others stay; as `Table.hands`.
        pool: ndarray(uint8), the boneyard's tiles are written here.

    Returns:
        Whether such a deal would have been played, by the misdeal rule, and holds no tile where
        it cannot be.
    """
    facts, counts = worlds.facts, worlds.counts
    for at in range(facts[BINS]):
        clear_hand(hands, U64(worlds.seats[at]))
    for owner in range(rules.players):
        worlds.doubles[owner] = shown.doubles[owner]
    is_counted = facts[STATES] <= MOST_STATES
    misplaced = 0 if is_counted else _swap_tiles(worlds, key)
    state = facts[STATES] - 1
    left = 0
    for item in range(facts[ITEMS]):
        tile, allowed = worlds.tiles[item], worlds.allowed[item]
        place: Any = np.int64(-1)
        if not is_counted:
            place = worlds.places[item]
        else:
            if total >= EXACT:
                key += GOLDEN
                target = np.float64(mix(key) >> _11) * UNIT * counts[item, state]
            if (allowed >> NOT_HELD) & _1:
                ways = counts[item + 1, state]
                if target < ways:
                    place = np.int64(NOT_HELD)
                else:
                    target -= ways
            takers = worlds.open_bins[state] & allowed
            while place < 0:
                bit = takers & (~takers + _1)
                takers ^= bit
                taker: Any = np.int64(popcount(bit - _1))
                ways = counts[item + 1, state - worlds.strides[taker]]
                if target < ways or takers == _0:
                    place = taker
                    state -= worlds.strides[taker]
                else:
                    target -= ways
        if place == NOT_HELD:
            pool[left] = tile
            left += 1
            continue
        owner = worlds.seats[place]
        if worlds.lots[place] == 0 and LOW[tile] == HIGH[tile]:
            worlds.doubles[owner] += 1
        if not worlds.played[item]:
            add_tile(hands, U64(owner), tile)
    if rules.misdeal > 0:
        for owner in range(rules.players):
            if worlds.doubles[owner] >= rules.misdeal:
                return False
    return misplaced == 0


@compiled
def _swap_tiles(worlds: Any, key: Any) -> Any:
    """Write a place for each tile, near evenly among all worlds, without counting them.

    Tiles begin in the bins and then the boneyard by their order. Pairs picked at random change
    places unless that leaves more tiles where they cannot be. Once none is, any swap is as likely
    as the one that undoes it, so that in the long run all worlds that swaps can reach are equally
    likely. Swap i takes both tiles from the word ``mix(key + (i + 1) * GOLDEN)``.

    Returns:
        How many tiles are where they cannot be, 0 but for worlds that are hard to find.
    """
    items = worlds.facts[ITEMS]
    item = 0
    for at in range(worlds.facts[BINS]):
        for _ in range(worlds.sizes[at]):
            worlds.places[item] = at
            item += 1
    while item < items:
        worlds.places[item] = np.int64(NOT_HELD)
        item += 1
    for _ in range(SWAPS_PER_TILE * items):
        key += GOLDEN
        fraction = fraction_of(mix(key))
        one = draw_below(fraction, U64(items))
        two = draw_below(fraction_after(fraction, U64(items)), U64(items))
        its_place, other_place = worlds.places[one], worlds.places[two]
        before = _is_misplaced(worlds, one, its_place) + _is_misplaced(worlds, two, other_place)
        after = _is_misplaced(worlds, one, other_place) + _is_misplaced(worlds, two, its_place)
        if after <= before:
            worlds.places[one], worlds.places[two] = other_place, its_place
    misplaced = 0
    for item in range(items):
        misplaced += _is_misplaced(worlds, item, worlds.places[item])
    return misplaced


@compiled
def _is_misplaced(worlds: Any, item: Any, place: Any) -> Any:
    """1 if the tile cannot be at the place, else 0."""
    return 1 - np.int64((worlds.allowed[item] >> U64(place)) & _1)
