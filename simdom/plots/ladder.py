"""A picture of a ladder: ratings with their intervals, and beside them the crosstable."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from simdom.estimate import Estimate
from simdom.plots.style import (
    BLACK,
    COLOURS,
    GREY,
    Picture,
    picture_of,
    render_figure,
    style,
    write_words,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["LadderPlot", "draw_ladder", "figure_of_ladder", "plot_ladder"]

_WIDTH = 10.0  # inches
_ROW, _FRAME = 0.34, 2.3  # inches
_LEAST_ROWS = 4
_WIDTHS = (1.0, 1.9)  # of the two parts
_COLOURS = "cividis"  # grows evenly lighter, so that it can be read without colour
_DARK = 0.5  # of the scale: below, text on it is white
_SMALL = 10  # strategies from which the text of the cells is smaller


class LadderPlot(NamedTuple):
    """What is to be drawn.

    Attributes:
        title: the headline.
        names: the strategies, the best first.
        ratings: one for each; not drawn if they are nan.
        rating_label: what they are.
        anchor: the rating that is fixed.
        table_title: what the crosstable shows.
        values: of row against column; nan on the diagonal.
        texts: what stands in the cells.
        small_print: what was played; lines of it are wrapped.
    """

    title: str
    names: Sequence[str]
    ratings: Sequence[Estimate]
    rating_label: str
    anchor: float
    table_title: str
    values: Sequence[Sequence[float]]
    texts: Sequence[Sequence[str]]
    small_print: Sequence[str]


def plot_ladder(plot: LadderPlot, path: str | Path | None = None) -> Picture:
    """`figure_of_ladder` as a picture, and in a file if there is a path; an old one is replaced.

    Raises:
        UsageError: as `simdom.plots.style.check_plot_path`.
        RunError: the file cannot be written; what was there before is still there.
    """
    return picture_of(lambda: figure_of_ladder(plot), path)


def draw_ladder(plot: LadderPlot, file_format: str = "png") -> bytes:
    """The content of a file with `figure_of_ladder`.

    Raises:
        UsageError: no such format.
    """
    return render_figure(lambda: figure_of_ladder(plot), file_format)


def figure_of_ladder(plot: LadderPlot) -> "Figure":
    """The ratings on the left, the crosstable on the right, in the same rows."""
    with style():
        from matplotlib.figure import Figure

        rows = max(len(plot.names), _LEAST_ROWS)
        figure = Figure(figsize=(_WIDTH, _FRAME + _ROW * rows))
        ratings, table = figure.subplots(1, 2, sharey=True, width_ratios=_WIDTHS)
        _draw_ratings(ratings, plot)
        _draw_table(table, plot)
        write_words(figure, plot.title, plot.small_print)
    return figure


def _draw_ratings(axes: "Axes", plot: LadderPlot) -> None:
    found = [
        (row, rating) for row, rating in enumerate(plot.ratings) if not math.isnan(rating.estimate)
    ]
    axes.axvline(plot.anchor, color=GREY, linewidth=0.8, linestyle="--")
    axes.errorbar(
        [rating.estimate for _, rating in found],
        [row for row, _ in found],
        xerr=[
            [_side(rating.estimate - rating.low) for _, rating in found],
            [_side(rating.high - rating.estimate) for _, rating in found],
        ],
        fmt="o",
        color=COLOURS[0],
        markersize=4,
        capsize=3,
        linewidth=1,
    )
    labels = [f"{place} {name}" for place, name in enumerate(plot.names, 1)]
    axes.set(
        xlabel=plot.rating_label,
        ylim=(len(labels) - 0.5, -0.5),
        yticks=range(len(labels)),
        yticklabels=labels,
    )


def _draw_table(axes: "Axes", plot: LadderPlot) -> None:
    import numpy as np

    largest = max((abs(v) for row in plot.values for v in row if not math.isnan(v)), default=0) or 1
    axes.imshow(
        np.ma.masked_invalid(np.array(plot.values, float)),
        cmap=_COLOURS,
        vmin=-largest,
        vmax=largest,
        aspect="auto",
    )
    size = 7 if len(plot.names) >= _SMALL else 9
    for row, (values, texts) in enumerate(zip(plot.values, plot.texts, strict=True)):
        for column, (value, text) in enumerate(zip(values, texts, strict=True)):
            is_dark = not math.isnan(value) and (value / largest + 1) / 2 < _DARK
            axes.text(
                column,
                row,
                text,
                ha="center",
                va="center",
                fontsize=size,
                color="white" if is_dark else BLACK,
            )
    places = range(len(plot.names))
    axes.set(xticks=places, xticklabels=[str(place + 1) for place in places])
    axes.set_title(plot.table_title, fontsize=9, fontweight="normal")
    axes.tick_params(length=0, labelleft=False)
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _side(width: float) -> float:
    """One side of an interval; one deal has none."""
    return 0.0 if math.isnan(width) else max(width, 0.0)
