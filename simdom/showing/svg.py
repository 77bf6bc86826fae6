"""A drawing of the line of a round, as SVG: what a page of rules shows."""

from collections.abc import Sequence
from html import escape

from simdom.showing.layout import Half, Placed, lay_out

__all__ = ["draw_line"]

SCALE = 28  # pixels a unit
MARGIN = 0.75  # units
GAP = 0.03  # units that a tile is drawn smaller on each side
ROUND_OFF = 0.14
PIP = 0.085
SPREAD = 0.26  # from the middle of a half to an outer row of pips
MOST_PIPS = 9  # above, a half shows a figure

INK, FACE, MARK = "#1b1f24", "#fdfcf7", "#b5482a"

_CORNERS = [(-1, -1), (1, 1)]
_OTHERS = [(1, -1), (-1, 1)]
_SIDES = [(-1, 0), (1, 0)]
_ENDS = [(0, -1), (0, 1)]
_PATTERNS: dict[int, list[tuple[int, int]]] = {
    0: [],
    1: [(0, 0)],
    2: _CORNERS,
    3: [*_CORNERS, (0, 0)],
    4: [*_CORNERS, *_OTHERS],
    5: [*_CORNERS, *_OTHERS, (0, 0)],
    6: [*_CORNERS, *_OTHERS, *_SIDES],
    7: [*_CORNERS, *_OTHERS, *_SIDES, (0, 0)],
    8: [*_CORNERS, *_OTHERS, *_SIDES, *_ENDS],
    9: [*_CORNERS, *_OTHERS, *_SIDES, *_ENDS, (0, 0)],
}


def draw_line(line: Sequence[tuple[int, int]], lead_at: int, title: str, columns: int = 18) -> str:
    """A drawing of a line of dominoes, as the text of an SVG file.

    Args:
        line: the tiles from end 0 to end 1, each as (tile, its number towards end 0).
        lead_at: the place of the tile led, which has a coloured edge.
        title: what the drawing shows, for those who cannot see it.
        columns: see `simdom.showing.layout.lay_out`.
    """
    placed = lay_out(line, columns)
    left = min(tile.x for tile in placed) - MARGIN
    top = min(tile.y for tile in placed) - MARGIN
    width = max(tile.x + tile.width for tile in placed) + MARGIN - left
    height = max(tile.y + tile.height for tile in placed) + MARGIN - top
    size = f'width="{_n(width * SCALE)}" height="{_n(height * SCALE)}"'
    box = f'viewBox="{_n(left)} {_n(top)} {_n(width)} {_n(height)}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} role="img">',
        f"<title>{escape(title)}</title>",
    ]
    for at, tile in enumerate(placed):
        parts.append(_tile(tile, MARK if at == lead_at else INK))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _tile(tile: Placed, edge: str) -> str:
    first, second = tile.halves
    middle_x, middle_y = (first.x + second.x) / 2, (first.y + second.y) / 2
    reach = 0.5 - 3 * GAP
    across = (reach, 0.0) if tile.height > tile.width else (0.0, reach)
    line = (
        f'<line x1="{_n(middle_x - across[0])}" y1="{_n(middle_y - across[1])}" '
        f'x2="{_n(middle_x + across[0])}" y2="{_n(middle_y + across[1])}" '
        f'stroke="{INK}" stroke-width="0.03"/>'
    )
    face = (
        f'<rect x="{_n(tile.x + GAP)}" y="{_n(tile.y + GAP)}" '
        f'width="{_n(tile.width - 2 * GAP)}" height="{_n(tile.height - 2 * GAP)}" '
        f'rx="{ROUND_OFF}" fill="{FACE}" stroke="{edge}" '
        f'stroke-width="{0.09 if edge == MARK else 0.05}"/>'
    )
    is_upright = tile.height > tile.width
    return "\n".join([face, line, *(_half(half, is_upright=is_upright) for half in tile.halves)])


def _half(half: Half, *, is_upright: bool) -> str:
    if half.number > MOST_PIPS:
        return (
            f'<text x="{_n(half.x)}" y="{_n(half.y)}" font-family="sans-serif" font-size="0.55" '
            f'text-anchor="middle" dominant-baseline="central" fill="{INK}">{half.number}</text>'
        )
    # The pips of an upright tile are those of a lying one, turned by a quarter.
    spots = [(x, y) if is_upright else (y, -x) for x, y in _PATTERNS[half.number]]
    return "\n".join(
        f'<circle cx="{_n(half.x + x * SPREAD)}" cy="{_n(half.y + y * SPREAD)}" r="{PIP}" '
        f'fill="{INK}"/>'
        for x, y in spots
    )


def _n(number: float) -> str:
    """A coordinate without a tail of digits."""
    return f"{number:.3f}".rstrip("0").rstrip(".")
