"""Pictures of differences: one row a metric, one marker a contender, with their intervals."""

import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from simdom.errors import UsageError
from simdom.estimate import Estimate
from simdom.plots.style import (
    BLACK,
    COLOURS,
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
    "DifferencePlot",
    "DifferenceRow",
    "draw_differences",
    "figure_of_differences",
    "plot_differences",
]

_SPREAD = 0.7  # of a row, that the markers of all contenders share
_WIDTH = 9.0  # inches
_ROW, _MARKER_ROW, _FRAME = 0.25, 0.11, 1.9  # inches
_NAME = 60  # of a contender, in the legend


class DifferenceRow(NamedTuple):
    """One metric: its name, and the difference of each contender, None where there is none."""

    label: str
    estimates: Sequence[Estimate | None]

    @property
    def is_unchanged(self) -> bool:
        """Whether no contender differs in any round."""
        return all(each is None or each.estimate == 0 == each.sd for each in self.estimates)


class DifferencePlot(NamedTuple):
    """What is to be drawn.

    Attributes:
        title: the headline.
        names: the contenders that differ, in the order of each row's estimates.
        panels: rows by the unit of their axis, the rates' in shares of rounds from 0 to 1.
        small_print: what was run; lines of it are wrapped.
    """

    title: str
    names: Sequence[str]
    panels: dict[str, list[DifferenceRow]]
    small_print: Sequence[str]


PERCENTAGE_POINTS = "percentage points"
"""The unit of rates: what is drawn is a hundred times the difference."""


def plot_differences(plot: DifferencePlot, path: str | Path | None = None) -> Picture:
    """`figure_of_differences` as a picture, and in a file if there is a path; replaced if there.

    Raises:
        UsageError: as `simdom.plots.style.check_plot_path`; there is nothing to draw.
        RunError: the file cannot be written; what was there before is still there.
    """
    return picture_of(lambda: figure_of_differences(plot), path)


def draw_differences(plot: DifferencePlot, file_format: str = "png") -> bytes:
    """The content of a file with `figure_of_differences`.

    Args:
        plot: what to draw.
        file_format: one of `simdom.plots.style.FORMATS`.

    Raises:
        UsageError: no such format; there is nothing to draw.
    """
    return render_figure(lambda: figure_of_differences(plot), file_format)


def figure_of_differences(plot: DifferencePlot) -> "Figure":
    """A panel for each unit, a row for each metric, and the line where nothing differs.

    Raises:
        UsageError: there is nothing to draw.
    """
    panels = {unit: rows for unit, rows in plot.panels.items() if rows}
    if not panels:
        raise UsageError("there is nothing to draw: no metric is compared")
    with style():
        from matplotlib.figure import Figure

        row_height = _ROW + _MARKER_ROW * (len(plot.names) - 1)
        heights = [len(rows) * row_height + 0.6 for rows in panels.values()]
        legend = 0.1 * len(plot.names)
        figure = Figure(figsize=(_WIDTH, sum(heights) + legend + _FRAME))
        parts = figure.subplots(len(panels), height_ratios=heights, squeeze=False)[:, 0]
        for axes, (unit, rows) in zip(parts, panels.items(), strict=True):
            _draw_panel(axes, plot.names, unit, rows)
        if len(plot.names) > 1:
            above = {"loc": "lower left", "bbox_to_anchor": (0, 1), "ncols": 2, "frameon": False}
            parts[0].legend(**above)
        write_words(figure, plot.title, plot.small_print)
    return figure


def _draw_panel(
    axes: "Axes", names: Sequence[str], unit: str, rows: Sequence[DifferenceRow]
) -> None:
    scale = 100 if unit == PERCENTAGE_POINTS else 1
    axes.axvline(0, color=BLACK, linewidth=1)
    step = _SPREAD / len(names)
    for number, name in enumerate(names):
        offset = (number - (len(names) - 1) / 2) * step
        found = [
            (row + offset, estimate)
            for row, estimate in enumerate(line.estimates[number] for line in rows)
            if estimate is not None and not math.isnan(estimate.estimate)
        ]
        values = [scale * estimate.estimate for _, estimate in found]
        sides = [
            [scale * _side(estimate.estimate - estimate.low) for _, estimate in found],
            [scale * _side(estimate.high - estimate.estimate) for _, estimate in found],
        ]
        axes.errorbar(
            values,
            [place for place, _ in found],
            xerr=sides,
            fmt=MARKERS[number % len(MARKERS)],
            color=COLOURS[number % len(COLOURS)],
            markersize=4,
            capsize=2,
            linewidth=1,
            label=textwrap.shorten(name, _NAME, placeholder=" …"),
        )
    axes.set(
        xlabel=f"difference ({unit})",
        ylim=(len(rows) - 0.5, -0.5),
        yticks=range(len(rows)),
        yticklabels=[row.label for row in rows],
    )


def _side(width: float) -> float:
    """One side of an interval; one round has none."""
    return 0.0 if math.isnan(width) else width
