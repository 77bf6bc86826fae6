"""Tiles: names, numbers, pictures, and the counts that rule pages print for each set."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simdom.errors import UsageError
from simdom.tiles import (
    Tile,
    parse_tile,
    tile_count,
    tile_glyph,
    tile_id,
    tile_name,
    tile_of,
    tiles_of_set,
)

TILES = st.integers(0, tile_count(18) - 1)


@pytest.mark.parametrize(
    ("max_pip", "tiles", "pips"),
    [(6, 28, 168), (9, 55, 495), (12, 91, 1092), (15, 136, 2040), (18, 190, 3420)],
)
def test_s3_tiles_and_pips_of_the_sets(max_pip, tiles, pips):
    of_set = tiles_of_set(max_pip)
    assert tile_count(max_pip) == len(of_set) == tiles
    assert sum(tile.pips for tile in of_set) == pips


@pytest.mark.parametrize("max_pip", range(1, 19))
def test_a_set_has_each_pair_of_numbers_once(max_pip):
    pairs = [(low, high) for high in range(max_pip + 1) for low in range(high + 1)]
    assert tiles_of_set(max_pip) == pairs
    assert sum(tile.is_double for tile in tiles_of_set(max_pip)) == max_pip + 1


def test_a_smaller_set_is_the_beginning_of_a_larger():
    assert tiles_of_set(9)[:28] == tiles_of_set(6)


@given(TILES)
def test_id_and_numbers_round_trip(tile):
    low, high = tile_of(tile)
    assert 0 <= low <= high <= 18
    assert tile_id(low, high) == tile_id(high, low) == tile


@given(TILES)
def test_print_and_parse_round_trip(tile):
    name = tile_name(tile)
    high, low = name.split("-")
    assert int(high) >= int(low)
    assert parse_tile(name, 18) == parse_tile(f"{low}-{high}", 18) == tile
    assert parse_tile(f"  {name} ", 18) == tile


def test_glyphs_are_the_horizontal_tiles_of_unicode():
    assert tile_glyph(tile_id(0, 0)) == "\N{DOMINO TILE HORIZONTAL-00-00}"
    assert tile_glyph(tile_id(6, 4)) == "\N{DOMINO TILE HORIZONTAL-06-04}"
    assert tile_glyph(tile_id(6, 6)) == "\N{DOMINO TILE HORIZONTAL-06-06}"
    assert tile_glyph(tile_id(7, 0)) == "7-0"
    assert len({tile_glyph(tile) for tile in range(28)}) == 28


@pytest.mark.parametrize("text", ["", "6", "6-", "-6", "six-four", "6-4-2", "6 4", "²-1", "1.5-2"])
def test_what_is_no_tile_is_refused(text):
    with pytest.raises(UsageError, match="is not a tile: write two numbers and a hyphen"):
        parse_tile(text, 6)


def test_a_tile_of_a_larger_set_is_refused():
    with pytest.raises(UsageError, match="double-6 has no tile '7-1': its numbers are 0 to 6"):
        parse_tile("7-1", 6)


def test_pips_and_doubles():
    assert Tile(4, 6).pips == 10
    assert not Tile(4, 6).is_double
    assert Tile(3, 3).is_double
