"""The drawing of a line: no two tiles overlap, neighbours touch with equal numbers."""

import xml.etree.ElementTree as ET
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simdom.showing.layout import lay_out
from simdom.showing.svg import draw_line
from simdom.simulate import study_of
from simdom.tiles import parse_tile, tile_id, tile_of
from simdom.transcripts.recording import transcribe
from simdom.transcripts.referee import judge
from simdom.variants import load_variant

SVG = "{http://www.w3.org/2000/svg}"
NEAR = 1e-9


@st.composite
def lines(draw):
    """A chain of tiles from a set of any size, no tile twice: each as (tile, its first number)."""
    max_pip = draw(st.integers(2, 18))
    line, used = [], set()
    number = draw(st.integers(0, max_pip))
    for _ in range(draw(st.integers(1, 90))):
        free = [n for n in range(max_pip + 1) if tile_id(number, n) not in used]
        if not free:
            break
        # Doubles often, for they are what a layout can get wrong.
        is_double = number in free and draw(st.booleans())
        other = number if is_double else draw(st.sampled_from(free))
        used.add(tile_id(number, other))
        line.append((tile_id(number, other), number))
        number = other
    return line


def overlap(a, b):
    """The area that two tiles share."""
    width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    return max(width, 0) * max(height, 0)


def gap(a, b):
    """How far two tiles are apart, along the further of the two axes."""
    across = max(a.x, b.x) - min(a.x + a.width, b.x + b.width)
    down = max(a.y, b.y) - min(a.y + a.height, b.y + b.height)
    return max(across, down)


@given(lines(), st.integers(6, 30))
def test_no_two_tiles_overlap(line, columns):
    placed = lay_out(line, columns)
    assert [tile.tile for tile in placed] == [tile for tile, _ in line]
    for a, b in combinations(placed, 2):
        assert overlap(a, b) < NEAR


@given(lines(), st.integers(6, 30))
def test_neighbours_touch_with_equal_numbers(line, columns):
    for a, b in pairwise(lay_out(line, columns)):
        assert abs(gap(a, b)) < NEAR
        ends = [(p, q) for p in a.halves for q in b.halves if p.number == q.number]
        # A half of each with the same number; they lie side by side, or beside a double's middle.
        assert min(abs(p.x - q.x) + abs(p.y - q.y) for p, q in ends) < 1.5 + NEAR


@given(lines(), st.integers(6, 30))
def test_only_neighbours_touch(line, columns):
    placed = lay_out(line, columns)
    for (i, a), (j, b) in combinations(enumerate(placed), 2):
        assert j == i + 1 or gap(a, b) > 0.4 or is_at_corner(placed, i, j)


def is_at_corner(placed, i, j):
    """Whether a tile lies between them that stands upright in a corner, or is a double."""
    return j == i + 2 and placed[i + 1].height + placed[i + 1].width == 3


@given(lines(), st.integers(6, 30))
def test_it_stays_within_the_columns(line, columns):
    for tile in lay_out(line, columns):
        assert tile.x > -1 - NEAR
        assert tile.x + tile.width < columns + 1 + NEAR


@given(lines())
def test_doubles_lie_crosswise_to_the_row(line):
    """With room for all of it in one row."""
    for tile in lay_out(line, 1000):
        assert (tile.height == 2) == tile_of(tile.tile).is_double
        assert tile.width + tile.height == 3


def test_a_row_and_its_turn():
    """Four columns hold two tiles; the third stands upright, the fourth lies under it."""
    names = ["1-2", "2-3", "3-4", "4-5"]
    line = [(parse_tile(name, 6), int(name[0])) for name in names]
    placed = [tile[1:5] for tile in lay_out(line, 4)]
    assert placed == [(0, 0.5, 2, 1), (2, 0.5, 2, 1), (3, 1.5, 1, 2), (2, 3.5, 2, 1)]
    upright = lay_out(line, 4)[2]
    assert [half.number for half in upright.halves] == [3, 4]
    assert upright.halves[0].y < upright.halves[1].y
    last = lay_out(line, 4)[3]
    assert last.halves[0].x > last.halves[1].x  # the row runs to the left


PICTURES = [("pagat-draw", 3), ("cuban-nine", 0), ("block-multi", 1)]


def table_of(name, index):
    variant = load_variant(name)
    study = study_of(variant.rules(variant.players[-1]), "random", 1)
    return judge(transcribe(name, study, index)[0]).rounds[0].table


@pytest.mark.parametrize(("name", "index"), PICTURES)
def test_the_drawing_has_every_tile_and_every_pip(name, index):
    table = table_of(name, index)
    root = ET.fromstring(draw_line(table.line, table.lead_at, f"{name} <&>"))  # noqa: S314 -- drawn here
    assert root.find(f"{SVG}title").text == f"{name} <&>"
    faces = root.findall(f"{SVG}rect")
    assert len(faces) == len(table.line)
    assert len({face.get("stroke") for face in faces}) == min(2, len(faces))
    numbers = [number for tile, _ in table.line for number in tile_of(tile)]
    assert len(root.findall(f"{SVG}circle")) == sum(n for n in numbers if n <= 9)
    assert len(root.findall(f"{SVG}text")) == sum(1 for n in numbers if n > 9)


def test_everything_drawn_lies_in_the_picture():
    table = table_of(*PICTURES[0])
    root = ET.fromstring(draw_line(table.line, table.lead_at, "a line"))  # noqa: S314 -- drawn here
    left, top, width, height = map(float, root.get("viewBox").split())
    for face in root.findall(f"{SVG}rect"):
        x, y = float(face.get("x")), float(face.get("y"))
        assert left < x
        assert x + float(face.get("width")) < left + width
        assert top < y
        assert y + float(face.get("height")) < top + height
    for pip in root.findall(f"{SVG}circle"):
        assert any(
            float(face.get("x"))
            < float(pip.get("cx"))
            < float(face.get("x")) + float(face.get("width"))
            for face in root.findall(f"{SVG}rect")
        )
