"""A hand as suit rows of bits: in row v, bit w is set when the hand holds the tile v-w.

So the tiles that fit an open end are one row. A tile stands in two rows, a double in one, on the
diagonal. Two layouts, told apart when the code is compiled, by the rank of the array ``hands``:

* *narrow* (sets up to double-7): uint64[owners], a hand is one word of eight 8-bit rows;
* *wide* (larger sets): uint32[owners, rows].

Owners 0 to players - 1 are the seats; one more, number ``players``, holds the tiles on the line.
"""

from typing import Any

import numpy as np

from simdom.engine.streams import U64, compiled, popcount
from simdom.rules import TOGGLES
from simdom.tiles import tile_count, tiles_of_set

__all__ = [
    "HIGH",
    "LISTED",
    "LOW",
    "NARROW_MAX_PIP",
    "NUMBERS",
    "add_tile",
    "clear_hand",
    "clear_hands",
    "count_doubles",
    "count_tiles",
    "first_double",
    "hand_size",
    "highest_double",
    "is_empty",
    "list_bits",
    "new_hands",
    "nth_bit",
    "nth_tile",
    "pips_of",
    "row_of",
    "tile_number",
    "toggle_tile",
]

NARROW_MAX_PIP = 7

_0, _1, _2, _3, _7, _255, _256 = (U64(n) for n in (0, 1, 2, 3, 7, 255, 256))
_9, _18, _36 = (U64(n) for n in (9, 18, 36))


_DIAGONAL = U64(sum(1 << (9 * v) for v in range(8)))
_ROWS_1, _ROWS_2, _ROWS_4 = (
    U64(sum(0xFF << (8 * v) for v in range(8) if v & bit)) for bit in (1, 2, 4)
)
_DOUBLES_1, _DOUBLES_2, _DOUBLES_4 = (rows & _DIAGONAL for rows in (_ROWS_1, _ROWS_2, _ROWS_4))

_ALL_TILES = tiles_of_set(TOGGLES["max_pip"].highest)  # smaller sets are its beginning
LOW = np.array([tile.low for tile in _ALL_TILES], np.uint64)
HIGH = np.array([tile.high for tile in _ALL_TILES], np.uint64)
NUMBERS = np.array([1 << a | 1 << b for a, b in _ALL_TILES], np.uint64)
"""The numbers that a tile shows, as bits."""
_TILE_WORD = np.array(
    [1 << (8 * a + b) | 1 << (8 * b + a) for a, b in _ALL_TILES[: tile_count(NARROW_MAX_PIP)]],
    np.uint64,
)


def list_bits(mark: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """For each 8-bit row, its set bits as hexadecimal digits, lowest last, each with the mark."""
    listed = np.zeros(256, np.uint64)
    for row in range(256):
        bits = [bit for bit in range(8) if row >> bit & 1]
        listed[row] = sum((bit | mark) << (4 * n) for n, bit in enumerate(bits))
    return listed


LISTED = list_bits(0)


def new_hands(max_pip: int, players: int) -> np.ndarray[Any, Any]:
    """Empty hands of all seats and the line, in the layout that the set asks for."""
    if max_pip <= NARROW_MAX_PIP:
        return np.zeros(players + 1, np.uint64)
    return np.zeros((players + 1, max_pip + 1), np.uint32)


@compiled
def tile_number(low: Any, high: Any) -> Any:
    """The id (uint64) of the tile low-high."""
    return ((high * (high + _1)) >> _1) + low


@compiled
def clear_hands(hands: Any, players: Any) -> None:
    """Take all tiles from the seats and the line. Modified in place."""
    if hands.ndim == 1:
        for owner in range(players + 1):
            hands[owner] = _0
    else:
        for owner in range(players + 1):
            for v in range(hands.shape[1]):
                hands[owner, v] = 0


@compiled
def clear_hand(hands: Any, owner: Any) -> None:
    """Take all tiles from the owner. Modified in place."""
    if hands.ndim == 1:
        hands[owner] = _0
    else:
        for v in range(hands.shape[1]):
            hands[owner, v] = 0


@compiled
def row_of(hands: Any, owner: Any, v: Any) -> Any:
    """The row of number ``v``: the other ends of the owner's tiles with a ``v``, as bits."""
    if hands.ndim == 1:
        return (hands[owner] >> (v << _3)) & _255
    else:  # noqa: RET505 - the compiler drops the branch of the other layout
        return U64(hands[owner, v])


@compiled
def add_tile(hands: Any, owner: Any, tile: Any) -> None:
    """Give the tile with this id to the owner. Modified in place."""
    if hands.ndim == 1:
        hands[owner] |= _TILE_WORD[tile]
    else:
        a, b = LOW[tile], HIGH[tile]
        hands[owner, a] |= np.uint32(_1 << b)
        hands[owner, b] |= np.uint32(_1 << a)


@compiled
def toggle_tile(hands: Any, owner: Any, a: Any, b: Any) -> None:
    """Take the tile a-b from the owner if it holds it, else give it. Modified in place."""
    if hands.ndim == 1:
        hands[owner] ^= (_1 << ((a << _3) + b)) | (_1 << ((b << _3) + a))
    else:
        hands[owner, a] ^= np.uint32(_1 << b)
        if a != b:
            hands[owner, b] ^= np.uint32(_1 << a)


@compiled
def is_empty(hands: Any, owner: Any) -> Any:
    """Whether the owner has no tile."""
    if hands.ndim == 1:
        return hands[owner] == _0
    else:  # noqa: RET505 - the compiler drops the branch of the other layout
        for v in range(hands.shape[1]):
            if hands[owner, v] != 0:
                return False
        return True


@compiled
def count_tiles(row_a: Any, row_b: Any, a: Any, b: Any) -> Any:
    """Number (uint64) of tiles that show ``a`` or ``b``, equal or not, from the rows of both."""
    both = (row_a >> b) & _1
    return popcount(row_a) if a == b else popcount(row_a) + popcount(row_b) - both


@compiled
def count_doubles(hands: Any, owner: Any) -> Any:
    """Number (uint64) of doubles that the owner holds."""
    if hands.ndim == 1:
        return popcount(hands[owner] & _DIAGONAL)
    else:  # noqa: RET505 - the compiler drops the branch of the other layout
        doubles = _0
        for v in range(hands.shape[1]):
            doubles += (U64(hands[owner, v]) >> U64(v)) & _1
        return doubles


@compiled
def hand_size(hands: Any, owner: Any) -> Any:
    """Number (uint64) of tiles that the owner holds."""
    if hands.ndim == 1:
        return (popcount(hands[owner]) + popcount(hands[owner] & _DIAGONAL)) >> _1
    else:  # noqa: RET505 - the compiler drops the branch of the other layout
        shown = count_doubles(hands, owner)
        for v in range(hands.shape[1]):
            shown += popcount(U64(hands[owner, v]))
        return shown >> _1


@compiled
def highest_double(hands: Any, players: Any) -> Any:
    """(seat, number) of the highest double in a hand, int64 and uint64; (-1, 0) without one."""
    if hands.ndim == 1:
        best = _0
        holder = -1
        for seat in range(players):
            doubles = hands[U64(seat)] & _DIAGONAL
            if doubles > best:
                best = doubles
                holder = seat
        best |= best >> _9
        best |= best >> _18
        best |= best >> _36  # now the doubles below it are set too: counting them gives its number
        return holder, popcount(best) - _1 if holder >= 0 else _0
    else:  # noqa: RET505 - the compiler drops the branch of the other layout
        for v in range(hands.shape[1] - 1, -1, -1):
            for seat in range(players):
                if (U64(hands[seat, v]) >> U64(v)) & _1:
                    return seat, U64(v)
        return -1, _0


@compiled
def first_double(hands: Any, players: Any, named: Any, max_pip: Any) -> Any:
    """(seat, number) as `highest_double`, of the double looked for first.

    ``named`` is looked for first, then those below it, then those above it from the highest down.
    """
    for after in range(max_pip + 1):
        v = U64(named - after if after <= named else named - after + max_pip + 1)
        for seat in range(players):
            if (row_of(hands, U64(seat), v) >> v) & _1:
                return seat, v
    return -1, _0


@compiled
def nth_bit(row: Any, n: Any) -> Any:
    """Position of set bit number ``n`` (from 0, lowest first) of a row that has it."""
    if row < _256:
        return (LISTED[row] >> (n << _2)) & _7
    while n > _0:
        row &= row - _1
        n -= _1
    return popcount((row & (~row + _1)) - _1)


@compiled
def nth_tile(hands: Any, owner: Any, n: Any, rows: Any) -> Any:
    """(low, high) of the owner's tile number ``n`` (from 0) by id, of a hand that has it."""
    for high in range(rows):
        row = row_of(hands, owner, U64(high)) & ((_1 << U64(high + 1)) - _1)
        here = popcount(row)
        if n < here:
            return nth_bit(row, n), U64(high)
        n -= here
    return _0, _0


@compiled
def pips_of(hands: Any, owner: Any, rows: Any, double_blank_pips: Any, blank_pips: Any) -> Any:
    """Pips that the owner's hand counts (int64), blanks by the two toggles of `Rules`."""
    if hands.ndim == 1:
        hand = hands[owner]
        # A number's weight in binary: three masks count all rows, and doubles show theirs twice.
        total: Any = np.int64(
            popcount(hand & _ROWS_1)
            + (popcount(hand & _ROWS_2) << _1)
            + (popcount(hand & _ROWS_4) << _2)
            + popcount(hand & _DOUBLES_1)
            + (popcount(hand & _DOUBLES_2) << _1)
            + (popcount(hand & _DOUBLES_4) << _2)
        )
    else:
        total = 0
        for v in range(1, rows):
            row = row_of(hands, owner, U64(v))
            total += v * np.int64(popcount(row) + ((row >> U64(v)) & _1))
    blanks = row_of(hands, owner, _0)
    total += double_blank_pips * np.int64(blanks & _1)
    total += blank_pips * np.int64(popcount(blanks >> _1))
    return total
