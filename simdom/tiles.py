"""The double-N set: what a tile is called, what it shows, how it is drawn and parsed.

A tile is a small integer, its *id*. Tiles are numbered row by row, 0-0, 1-0, 1-1, 2-0, ...,
so that id = high * (high + 1) / 2 + low, and the double-6 set is the beginning of the double-9
set.
"""

from functools import cache
from math import isqrt
from typing import NamedTuple

from simdom.errors import UsageError

__all__ = [
    "Tile",
    "tile_count",
    "tile_glyph",
    "tile_id",
    "tile_name",
    "tile_of",
    "tiles_of_set",
    "parse_tile",
]

_FIRST_GLYPH = 0x1F031  # DOMINO TILE HORIZONTAL-00-00; Unicode has glyphs up to 6-6
_GLYPH_MAX_PIP = 6


class Tile(NamedTuple):
    """The two numbers of a tile, ``low <= high``."""

    low: int
    high: int

    @property
    def pips(self) -> int:
        """Both ends added."""
        return self.low + self.high

    @property
    def is_double(self) -> bool:
        """Both ends equal."""
        return self.low == self.high


def tile_count(max_pip: int) -> int:
    """Number of tiles of the double-``max_pip`` set.

    >>> tile_count(6)
    28
    """
    return (max_pip + 1) * (max_pip + 2) // 2


def tile_id(a: int, b: int) -> int:
    """The id of the tile that shows ``a`` and ``b``, in either order.

    >>> tile_id(6, 4), tile_id(4, 6), tile_id(0, 0)
    (25, 25, 0)
    """
    low, high = min(a, b), max(a, b)
    return high * (high + 1) // 2 + low


@cache
def tile_of(tile: int) -> Tile:
    """The numbers of the tile with id ``tile``.

    >>> tile_of(25)
    Tile(low=4, high=6)
    """
    high = (isqrt(8 * tile + 1) - 1) // 2
    return Tile(tile - high * (high + 1) // 2, high)


def tiles_of_set(max_pip: int) -> list[Tile]:
    """All tiles of the double-``max_pip`` set, by id."""
    return [tile_of(tile) for tile in range(tile_count(max_pip))]


def tile_name(tile: int) -> str:
    """The name of a tile, higher end first.

    >>> tile_name(25)
    '6-4'
    """
    low, high = tile_of(tile)
    return f"{high}-{low}"


def tile_glyph(tile: int) -> str:
    """The Unicode picture of a tile, higher end on the left; its name where Unicode has none.

    >>> tile_glyph(25) == chr(0x1F031 + 7 * 6 + 4)
    True
    >>> tile_glyph(tile_id(9, 4))
    '9-4'
    """
    low, high = tile_of(tile)
    if high > _GLYPH_MAX_PIP:
        return tile_name(tile)
    return chr(_FIRST_GLYPH + (_GLYPH_MAX_PIP + 1) * high + low)


def parse_tile(text: str, max_pip: int) -> int:
    """The id of the tile written as ``6-4`` or ``4-6``.

    Raises:
        UsageError: ``text`` is not two numbers joined by a hyphen, or the set has no such tile.
    """
    a, hyphen, b = text.strip().partition("-")
    if not (hyphen and a.isascii() and b.isascii() and a.isdigit() and b.isdigit()):
        raise UsageError(f"{text!r} is not a tile: write two numbers and a hyphen, such as 6-4")
    if max(int(a), int(b)) > max_pip:
        raise UsageError(f"double-{max_pip} has no tile {text!r}: its numbers are 0 to {max_pip}")
    return tile_id(int(a), int(b))
