"""How the line of a round lies on the table: a place for every tile, turning at the edges.

A unit is half a tile: a tile is two units long and one wide. The line runs in rows. Doubles lie
crosswise. At the edge a tile stands upright between two rows, so that the line turns.
"""

from collections.abc import Sequence
from typing import NamedTuple

from simdom.tiles import tile_of

__all__ = ["Half", "Placed", "lay_out"]

LENGTH, WIDTH = 2.0, 1.0
HALF = 0.5


class Half(NamedTuple):
    """Half of a tile: its number, and its middle."""

    number: int
    x: float
    y: float


class Placed(NamedTuple):
    """A tile on the table.

    Attributes:
        tile: its id.
        x, y: the corner with the least of both; y grows downwards.
        width, height: 2 and 1, or 1 and 2.
        halves: the one towards end 0 first; of a double that lies crosswise, the upper one.
    """

    tile: int
    x: float
    y: float
    width: float
    height: float
    halves: tuple[Half, Half]


def lay_out(line: Sequence[tuple[int, int]], columns: int = 18) -> list[Placed]:
    """Give every tile of a line its place.

    Args:
        line: the tiles from end 0 to end 1, each as (tile, its number towards end 0).
        columns: units that a row may be long, at least 6; a double at the edge may add one.

    Returns:
        The tiles in the same order; the first row begins at (0, 0) or lies half a unit lower.
    """
    rows = _Rows(columns)
    for tile, first in line:
        low, high = tile_of(tile)
        rows.add(tile, first, high if first == low else low)
    return rows.placed


class _Rows:
    """Tiles laid so far, and where the next one goes."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.placed: list[Placed] = []
        self.x, self.y = 0.0, 1.0  # the edge that the next tile touches, and the row's middle
        self.way = 1  # to the right; -1 to the left
        self.depth = HALF  # from the row's middle to the lower edge of the tile laid last
        self.is_after_corner = False

    def add(self, tile: int, first: int, second: int) -> None:
        """Lay a tile; ``first`` is its number towards the one before."""
        is_double = first == second
        used = self.x if self.way > 0 else self.columns - self.x
        is_full = used + (WIDTH if is_double else LENGTH) > self.columns
        if is_full and not is_double and self.placed and not self.is_after_corner:
            self._turn(tile, first, second)
        elif is_double:
            self._lay_crosswise(tile, first)
        else:
            self._lay_along(tile, first, second)

    def _lay_along(self, tile: int, first: int, second: int) -> None:
        if self.is_after_corner:
            self._begin_row(WIDTH)
        left = self.x if self.way > 0 else self.x - LENGTH
        near = self.x + self.way * HALF
        far = near + self.way * WIDTH
        halves = Half(first, near, self.y), Half(second, far, self.y)
        self.placed.append(Placed(tile, left, self.y - HALF, LENGTH, WIDTH, halves))
        self.x += self.way * LENGTH
        self.depth = HALF

    def _lay_crosswise(self, tile: int, number: int) -> None:
        if self.is_after_corner:
            self._begin_row(LENGTH)
        left = self.x if self.way > 0 else self.x - WIDTH
        middle = self.x + self.way * HALF
        halves = Half(number, middle, self.y - HALF), Half(number, middle, self.y + HALF)
        self.placed.append(Placed(tile, left, self.y - WIDTH, WIDTH, LENGTH, halves))
        self.x += self.way * WIDTH
        self.depth = WIDTH

    def _turn(self, tile: int, first: int, second: int) -> None:
        """Stand a tile upright under the end of the row."""
        left = self.x - WIDTH if self.way > 0 else self.x
        top = self.y + self.depth
        middle = left + HALF
        halves = Half(first, middle, top + HALF), Half(second, middle, top + WIDTH + HALF)
        self.placed.append(Placed(tile, left, top, WIDTH, LENGTH, halves))
        self.y = top + LENGTH
        self.way = -self.way
        # The next row begins under this tile, flush with its outer side.
        self.x = left + WIDTH if self.way < 0 else left
        self.is_after_corner = True

    def _begin_row(self, height: float) -> None:
        """Put the row's middle where a tile of that height hangs under the corner."""
        self.y += height / 2
        self.is_after_corner = False
