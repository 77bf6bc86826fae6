"""Tiles and placements in plain tuples: a tile is a pair ``(low, high)``."""

from collections.abc import Sequence
from functools import cache

from simdom.rules import Rules

Tile = tuple[int, int]
Placement = tuple[Tile, int]


@cache
def full_set(max_pip: int) -> list[Tile]:
    """0-0, 1-0, 1-1, 2-0, ...: the place of a tile in this list is its id."""
    return [(low, high) for high in range(max_pip + 1) for low in range(high + 1)]


def is_double(tile: Tile) -> bool:
    return tile[0] == tile[1]


def other_number(tile: Tile, number: int) -> int:
    return tile[1] if tile[0] == number else tile[0]


def counted_pips(tile: Tile, rules: Rules) -> int:
    """What a tile that is left in a hand counts."""
    if tile == (0, 0):
        return rules.double_blank_pips
    return sum(number or rules.blank_pips for number in tile)


def placements(hand: Sequence[Tile], ends: tuple[int, int] | None) -> list[Placement]:
    """All (tile, end) that may be played, in the order in which choices number them."""
    if ends is None:
        return [(tile, 0) for tile in sorted(hand, key=lambda tile: (tile[1], tile[0]))]
    found = []
    for end in (0, 1):
        if end == 1 and ends[0] == ends[1]:
            continue
        fitting = [tile for tile in hand if ends[end] in tile]
        found += [(tile, end) for tile in sorted(fitting, key=lambda t: other_number(t, ends[end]))]
    return found


def ends_after(placement: Placement, ends: tuple[int, int] | None) -> tuple[int, int]:
    tile, end = placement
    if ends is None:
        return tile
    new = list(ends)
    new[end] = other_number(tile, ends[end])
    return new[0], new[1]


def new_number(placement: Placement, ends: tuple[int, int] | None) -> int:
    """The number that the tile brings to the line: of a lead, its higher one."""
    tile, end = placement
    return tile[1] if ends is None else other_number(tile, ends[end])
