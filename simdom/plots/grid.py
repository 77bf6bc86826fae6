"""Pictures of a grid: a line for one axis, a heat map for two, several of them for three.

Each cell of a heat map has its figure and the interval written in it. The colours, cividis, grow
evenly lighter, so that they can be read without colour too.
"""

import itertools
import math
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from simdom.errors import UsageError
from simdom.estimate import Estimate, Kind, format_parts
from simdom.plots.style import (
    COLOURS,
    GREY,
    MARKERS,
    Picture,
    picture_of,
    render_figure,
    style,
    write_words,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "GridAxis",
    "GridPanel",
    "GridPlot",
    "draw_grid",
    "figure_of_grid",
    "plot_grid",
]

_WIDTH = 9.0  # inches
_FRAME = 1.2  # inches, of headline and small print
_LINES_HEIGHT = 2.5  # inches, of a panel with lines
_MOST_TICKS = 24
_CHARACTERS = 85  # of labels that fit side by side below a picture; more are turned
_COLOURS = "cividis"
_PALE = "#F2F2F2"
_HATCHES = {"skipped": "////", "not played": "...."}
"""Of cells without a figure, by why they have none."""


class GridAxis(NamedTuple):
    """An axis: its name, what it means, its values, and whether they are numbers."""

    name: str
    doc: str
    labels: Sequence[int | str]
    is_numeric: bool

    @property
    def title(self) -> str:
        """The name and what it means."""
        doc = self.doc.rstrip(".")
        return f"{self.name}: {doc[:1].lower()}{doc[1:]}" if doc else self.name


class GridPanel(NamedTuple):
    """One metric.

    Attributes:
        label: its name.
        unit: of its figures.
        kind: see `simdom.estimate.Kind`; a rate is drawn in percent.
        lines: a figure for each cell, the last axis varying first, by seat if the metric is;
            where there is none, why not.
    """

    label: str
    unit: str
    kind: Kind
    lines: Mapping[str, Sequence[Estimate | str]]

    @property
    def unit_drawn(self) -> str:
        """The unit of what is drawn, where there is room for it."""
        return f"{self.unit} (%)" if self.kind == "rate" else self.unit

    @property
    def scale(self) -> int:
        """What is drawn for 1."""
        return 100 if self.kind == "rate" else 1


class GridPlot(NamedTuple):
    """What is to be drawn.

    Attributes:
        title: the headline.
        axes: one to three.
        panels: one below the other for one axis; for more axes, the first is drawn.
        small_print: what was played; lines of it are wrapped.
    """

    title: str
    axes: Sequence[GridAxis]
    panels: Sequence[GridPanel]
    small_print: Sequence[str]


def plot_grid(plot: GridPlot, path: str | Path | None = None) -> Picture:
    """`figure_of_grid` as a picture, and in a file if there is a path; an old one is replaced.

    Raises:
        UsageError: as `simdom.plots.style.check_plot_path`; there is nothing to draw.
        RunError: the file cannot be written; what was there before is still there.
    """
    return picture_of(lambda: figure_of_grid(plot), path)


def draw_grid(plot: GridPlot, file_format: str = "png") -> bytes:
    """The content of a file with `figure_of_grid`.

    Args:
        plot: what to draw.
        file_format: one of `simdom.plots.style.FORMATS`.

    Raises:
        UsageError: no such format; there is nothing to draw.
    """
    return render_figure(lambda: figure_of_grid(plot), file_format)


def figure_of_grid(plot: GridPlot) -> "Figure":
    """Lines with their intervals, or heat maps that share one scale of colours.

    Raises:
        UsageError: there is nothing to draw.
    """
    panels = [panel for panel in plot.panels if list(_values(panel))]
    if not panels:
        raise UsageError("there is nothing to draw: no cell has a figure")
    with style():
        if len(plot.axes) == 1:
            figure = _draw_lines(plot.axes[0], panels)
            untold: Sequence[GridAxis] = ()
        else:
            figure, untold = _draw_maps(plot.axes, panels[0])
        meaning = [f"{'. '.join(axis.title for axis in untold)}."] if untold else []
        write_words(figure, plot.title, [*meaning, *plot.small_print])
    return figure


def _values(panel: GridPanel) -> Iterator[float]:
    """All that is drawn, in the unit of the picture."""
    for line in panel.lines.values():
        for found in line:
            if isinstance(found, Estimate) and not math.isnan(found.estimate):
                yield panel.scale * found.estimate


def _draw_lines(axis: GridAxis, panels: Sequence[GridPanel]) -> "Figure":
    """A panel for each metric, above each other."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, _LINES_HEIGHT * len(panels) + _FRAME))
    parts = figure.subplots(len(panels), sharex=True, squeeze=False)[:, 0]
    places = [int(label) if axis.is_numeric else at for at, label in enumerate(axis.labels)]
    for axes, panel in zip(parts, panels, strict=True):
        _draw_panel(axes, places, panel, is_joined=axis.is_numeric)
    parts[-1].set_xlabel(axis.title)
    _label_ticks(parts[-1], "x", places, axis)
    return figure


def _draw_panel(axes: "Axes", places: Sequence[int], panel: GridPanel, *, is_joined: bool) -> None:
    """The lines of one metric; names are not joined, for there is nothing between them."""
    for number, (label, found) in enumerate(panel.lines.items()):
        parts = [_parts(each, panel.scale) for each in found]
        aside = 0.0 if is_joined else _ASIDE * (number - (len(panel.lines) - 1) / 2)
        axes.errorbar(
            [place + aside for place in places],
            [value for value, _, _ in parts],  # nan breaks the line
            yerr=[[down for _, down, _ in parts], [up for _, _, up in parts]],
            marker=MARKERS[number % len(MARKERS)],
            linestyle="-" if is_joined else "none",
            color=COLOURS[number % len(COLOURS)],
            markersize=4,
            capsize=3,
            linewidth=1,
            label=label if len(panel.lines) > 1 else None,
        )
    half = _HALF_BAND * min((b - a for a, b in itertools.pairwise(sorted(places))), default=1)
    seen: set[str] = set()
    for place, column in zip(places, zip(*panel.lines.values(), strict=True), strict=True):
        for word in [each for each in column if isinstance(each, str) and each in _HATCHES][:1]:
            band = axes.axvspan(place - half, place + half, label=None if word in seen else word)
            band.set(facecolor=_PALE, edgecolor=GREY, linewidth=0, hatch=_HATCHES[word])
            seen.add(word)
    axes.set(title=panel.label, ylabel=panel.unit_drawn)
    if len(panel.lines) > 1 or seen:
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))


_HALF_BAND = 0.4  # of the least step
_ASIDE = 0.05  # of the step between two names, from one seat to the next


def _parts(found: Estimate | str, scale: int) -> tuple[float, float, float]:
    """A figure and the two sides of its interval; nan where there is none, 0 for one round's."""
    if isinstance(found, str):
        return math.nan, 0.0, 0.0
    sides = (found.estimate - found.low, found.high - found.estimate)
    down, up = (0.0 if math.isnan(side) else scale * max(side, 0.0) for side in sides)
    return scale * found.estimate, down, up


def _label_ticks(
    axes: "Axes", side: str, places: Sequence[float], axis: GridAxis, across: int = 1
) -> None:
    """The values of an axis, of very many some; ``across`` pictures stand side by side."""
    step = -(-len(places) // _MOST_TICKS)
    labels = [str(label) for label in axis.labels]
    getattr(axes, f"set_{side}ticks")(places[::step], labels[::step])
    if side == "x" and len(labels[::step]) * max(map(len, labels)) > _CHARACTERS / across:
        for label in axes.get_xticklabels():
            label.set(rotation=20, ha="right", rotation_mode="anchor")


class _Layout(NamedTuple):
    """How many heat maps stand side by side and above each other, in how many inches."""

    across: int
    down: int
    width: float
    height: float
    has_text: bool

    def labels(self, across: str, down: str) -> tuple[str, str] | None:
        """Two labels, each in one or two lines along a heat map; None if there is no room."""
        sizes = (self.width / self.across, self.height / self.down)
        characters = (max(1, int((size - _MARGINS) / _LABEL_CHARACTER)) for size in sizes)
        lines = [textwrap.wrap(*each) for each in zip((across, down), characters, strict=True)]
        if max(map(len, lines)) > _LABEL_LINES:
            return None
        first, second = map("\n".join, lines)
        return first, second


_LABEL_CHARACTER, _MARGINS = 0.07, 1.5  # inches
_LABEL_LINES = 2
_CHARACTER, _CELL_EDGE, _CELL_HEIGHT = 0.072, 0.16, 0.42  # inches, of a cell with text
_SMALL_CELL = 0.1  # inches, of a cell without
_MAP_WIDTH, _MAP_HEIGHT = 0.9, 0.7  # inches, around the cells of a heat map
_SCALE_WIDTH, _SCALE_HEIGHT = 1.2, 6.0  # inches, of the scale of colours; it may be less high
_MOST_SIZE = 22.0  # inches that text in the cells may make of a picture


def _lay_out(rows: int, columns: int, maps: int, longest: int) -> _Layout:
    """A layout with text in the cells if that does not make the picture too large.

    Args:
        rows: of a heat map.
        columns: of a heat map.
        maps: how many there are.
        longest: characters of the longest line of text.
    """
    for has_text in (True, False):
        cell = longest * _CHARACTER + _CELL_EDGE if has_text else _SMALL_CELL
        width = columns * cell + _MAP_WIDTH
        height = rows * (_CELL_HEIGHT if has_text else _SMALL_CELL) + _MAP_HEIGHT
        across = max(1, min(maps, int((_WIDTH - _SCALE_WIDTH) / width)))
        down = -(-maps // across)
        layout = _Layout(
            across,
            down,
            max(_WIDTH, across * width + _SCALE_WIDTH),
            max(_LINES_HEIGHT, down * height) + _FRAME,
            has_text,
        )
        if max(layout.width, layout.height) <= _MOST_SIZE:
            break
    return layout


def _draw_maps(axes: Sequence[GridAxis], panel: GridPanel) -> "tuple[Figure, Sequence[GridAxis]]":
    """A heat map for each value of the third axis, or one; its rows are the first axis.

    Returns:
        the figure, and the axes for whose meaning it has no room.
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

    (cells,) = panel.lines.values()
    rows, columns = axes[:2]
    pages = [f"{axis.name} = {label}" for axis in axes[2:] for label in axis.labels] or [""]
    longest = max(len(line) for cell in cells for line in _texts(cell, panel.kind))
    layout = _lay_out(len(rows.labels), len(columns.labels), len(pages), longest)
    labels = layout.labels(columns.title, rows.title)
    across, down = labels or (columns.name, rows.name)
    values = list(_values(panel))
    room = 0.0 if max(values) > min(values) else 1.0  # a scale needs two ends
    scale = Normalize(min(values) - room, max(values) + room)
    colours = ScalarMappable(scale, _COLOURS)
    figure = Figure(figsize=(layout.width, layout.height))
    parts = list(figure.subplots(layout.down, layout.across, squeeze=False).flat)
    stride = len(pages)
    for number, title in enumerate(pages):
        page = cells[number::stride]
        lines = [
            page[at : at + len(columns.labels)] for at in range(0, len(page), len(columns.labels))
        ]
        _draw_map(
            parts[number],
            lines,
            panel,
            lambda value: colours.cmap(scale(value)),
            has_text=layout.has_text,
        )
        parts[number].set(title=title, xlabel=across, ylabel=down)
        for side, axis in (("x", columns), ("y", rows)):
            places = [at + 0.5 for at in range(len(axis.labels))]
            _label_ticks(parts[number], side, places, axis, layout.across)
    for part in parts[stride:]:
        part.remove()
    if not layout.has_text:
        _explain_hatches(figure, cells)
    figure.colorbar(
        colours,
        ax=parts[:stride],
        label=f"{panel.label}: {panel.unit_drawn}",
        shrink=min(1.0, _SCALE_HEIGHT / layout.height),
    )
    return figure, [axis for axis in (axes[2:] if labels else axes) if axis.doc]


def _explain_hatches(figure: "Figure", cells: Sequence[Estimate | str]) -> None:
    """A legend, where the cells are too small to say it."""
    from matplotlib.patches import Patch

    patches = [
        Patch(facecolor=_PALE, edgecolor=GREY, linewidth=0, hatch=hatch, label=word)
        for word, hatch in _HATCHES.items()
        if word in cells
    ]
    if patches:
        figure.legend(handles=patches, loc="outside right upper", frameon=False)


def _draw_map(
    axes: "Axes",
    lines: Sequence[Sequence[Estimate | str]],
    panel: GridPanel,
    colour_of: Callable[[float], Any],
    *,
    has_text: bool,
) -> None:
    """One heat map; cells without a figure are hatched."""
    from matplotlib.patches import Rectangle

    for row, line in enumerate(lines):
        for column, cell in enumerate(line):
            texts, value = _texts(cell, panel.kind), _parts(cell, panel.scale)[0]
            face = _PALE if math.isnan(value) else colour_of(value)
            box = Rectangle((column, row), 1, 1, facecolor=face, edgecolor="white", linewidth=0.5)
            if math.isnan(value):
                box.set(edgecolor=GREY, linewidth=0, hatch=_HATCHES.get(texts[0], ""))
            axes.add_patch(box)
            if has_text:
                paper = {"facecolor": _PALE, "edgecolor": "none", "pad": 1.0}
                axes.text(
                    *(column + 0.5, row + 0.5, "\n".join(texts)),
                    ha="center",
                    va="center",
                    fontsize=8,
                    color="black" if math.isnan(value) else _ink_on(face),
                    bbox=paper if math.isnan(value) else None,
                )
    axes.set(xlim=(0, len(lines[0])), ylim=(len(lines), 0))
    axes.grid(visible=False)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _texts(cell: Estimate | str, kind: Kind) -> list[str]:
    """What is written in a cell: a figure and its interval, or why there is none."""
    return [cell] if isinstance(cell, str) else [part for part in format_parts(cell, kind) if part]


def _ink_on(colour: Any) -> str:  # noqa: ANN401 -- matplotlib's red, green, blue, opacity
    """Black or white, whichever has more contrast with a colour.

    Source: W3C, Web Content Accessibility Guidelines 2.1, on relative luminance and contrast.
    """
    linear = [c / 12.92 if c <= _DARK else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    luminance = sum(part * weight for part, weight in zip(linear, _LUMINANCES, strict=True))
    return "white" if (luminance + 0.05) ** 2 < 0.05 * 1.05 else "black"


_DARK, _LUMINANCES = 0.04045, (0.2126, 0.7152, 0.0722)
