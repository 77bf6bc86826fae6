"""Pictures of many changes: a row for each, a panel for each metric, intervals and verdicts."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from simdom.estimate import Estimate
from simdom.plots.style import (
    BLACK,
    COLOURS,
    SKY,
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
    "EffectMark",
    "EffectPanel",
    "EffectPlot",
    "draw_effects",
    "figure_of_effects",
    "plot_effects",
]

_WIDTH = 13.0  # inches
_ROW, _FRAME = 0.23, 2.3  # inches
_NAMES = 2.4  # inches for the names of the rows
_TICK = 7  # points, of the name of a tick
_DIGIT, _MARK = 0.062, 0.035  # inches, of its digits; of its sign and its decimal point
_APART = 0.02  # inches between two
_TENFOLDS = 5
_AXES = "Axes are linear within the band, and logarithmic beyond it."
_MARKERS = ("o", "|", "D")
_FILLED = (True, True, False)


class EffectMark(NamedTuple):
    """One figure with its interval, and what is said of it."""

    estimate: Estimate
    verdict: str


class EffectPanel(NamedTuple):
    """One metric.

    Attributes:
        label: what it is called, with its unit.
        scale: what is drawn is so many times the figure.
        is_share: whether it is a share and not a difference.
        smallest: the smallest effect of interest, whose band is shaded.
        marks: one for each row, None where there is none.
    """

    label: str
    scale: int
    is_share: bool
    smallest: float
    marks: Sequence[EffectMark | None]


class EffectPlot(NamedTuple):
    """What is to be drawn.

    Attributes:
        title: the headline.
        rows: the changes, in the order of each panel's marks.
        panels: the metrics, from left to right.
        verdicts: all that may be said of a figure, up to three; each has its own marker.
        small_print: what was run; lines of it are wrapped.
    """

    title: str
    rows: Sequence[str]
    panels: Sequence[EffectPanel]
    verdicts: Sequence[str]
    small_print: Sequence[str]


def plot_effects(plot: EffectPlot, path: str | Path | None = None) -> Picture:
    """`figure_of_effects` as a picture, and in a file if there is a path; an old one is replaced.

    Raises:
        UsageError: as `simdom.plots.style.check_plot_path`.
        RunError: the file cannot be written; what was there before is still there.
    """
    return picture_of(lambda: figure_of_effects(plot), path)


def draw_effects(plot: EffectPlot, file_format: str = "png") -> bytes:
    """The content of a file with `figure_of_effects`.

    Args:
        plot: what to draw.
        file_format: one of `simdom.plots.style.FORMATS`.

    Raises:
        UsageError: no such format.
    """
    return render_figure(lambda: figure_of_effects(plot), file_format)


def figure_of_effects(plot: EffectPlot) -> "Figure":
    """A panel for each metric beside the next, sharing the rows.

    The axes are linear within the smallest effect of interest, which is shaded, and logarithmic
    beyond, so that small and large effects are both seen.
    """
    with style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(_WIDTH, _ROW * len(plot.rows) + _FRAME))
        parts = figure.subplots(1, len(plot.panels), sharey=True, squeeze=False)[0]
        for axes, panel in zip(parts, plot.panels, strict=True):
            _draw_panel(axes, panel, plot.verdicts, (_WIDTH - _NAMES) / len(plot.panels))
        parts[0].set(
            ylim=(len(plot.rows) - 0.5, -0.5), yticks=range(len(plot.rows)), yticklabels=plot.rows
        )
        figure.legend(
            *parts[0].get_legend_handles_labels(), loc="outside upper right", ncols=4, frameon=False
        )
        write_words(figure, plot.title, [_AXES, *plot.small_print])
    return figure


def _draw_panel(axes: "Axes", panel: EffectPanel, verdicts: Sequence[str], inches: float) -> None:
    scale = panel.scale
    band = scale * panel.smallest
    axes.axvspan(
        0 if panel.is_share else -band,
        band,
        color=SKY,
        alpha=0.35,
        linewidth=0,
        label="smallest effect of interest:",
    )
    if not panel.is_share:
        axes.axvline(0, color=BLACK, linewidth=0.8)
    for number, verdict in enumerate(verdicts):
        found = [
            (row, mark.estimate)
            for row, mark in enumerate(panel.marks)
            if mark is not None and mark.verdict == verdict
        ]
        values = [scale * each.estimate for _, each in found]
        sides = [
            [scale * _side(each.estimate - each.low) for _, each in found],
            [scale * _side(each.high - each.estimate) for _, each in found],
        ]
        axes.errorbar(
            values,
            [row for row, _ in found],
            xerr=sides,
            fmt=_MARKERS[number],
            color=COLOURS[number],
            markerfacecolor=COLOURS[number] if _FILLED[number] else "white",
            markersize=5,
            capsize=2,
            linewidth=1,
            label=verdict,
        )
    axes.set_xscale("symlog", linthresh=band, linscale=0.7)
    axes.set_xlabel(panel.label)
    if panel.is_share:
        axes.set_xlim(0, None)
    _draw_ticks(axes, band, inches)


def _draw_ticks(axes: "Axes", band: float, inches: float) -> None:
    """Ticks at 1 to 9 times the smallest effect and their tenfolds, on both sides.

    Named are 0 and those at 1, 10, 100, ... times it, then those at 3, 30, ..., as far as there is
    room for their names on an axis of so many inches.
    """
    low, high = axes.get_xlim()
    scale = axes.xaxis.get_transform()
    start, end = (float(scale.transform(edge)) for edge in (low, high))
    named: dict[float, tuple[float, float]] = {}  # the middle of each name, and half its width
    for size in (
        0,
        *(factor * band * 10**power for factor in (1, 3) for power in range(_TENFOLDS)),
    ):
        pair = [tick for tick in dict.fromkeys((-size, size)) if low <= tick <= high]
        places = {
            tick: (
                inches * (float(scale.transform(tick)) - start) / (end - start),
                sum(map(_width, f"{tick:g}")) / 2,
            )
            for tick in pair
        }
        if all(
            abs(at - other) >= half + others + _APART
            for at, half in places.values()
            for other, others in named.values()
        ):
            named |= places
    axes.set_xticks([*named], [f"{tick:g}" for tick in named], fontsize=_TICK)
    sizes = [times * band * 10**power for power in range(_TENFOLDS) for times in range(1, 10)]
    minor = [tick for size in sizes for tick in (-size, size) if low <= tick <= high]
    axes.set_xticks([tick for tick in minor if tick not in named], minor=True)


def _width(character: str) -> float:
    return _DIGIT if character.isdigit() else _MARK


def _side(width: float) -> float:
    """One side of an interval; one round has none."""
    return 0.0 if math.isnan(width) else width
