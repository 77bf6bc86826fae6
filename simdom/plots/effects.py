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

_WIDTH = 12.0  # inches
_ROW, _FRAME = 0.23, 2.3  # inches
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
            _draw_panel(axes, panel, plot.verdicts)
        parts[0].set(
            ylim=(len(plot.rows) - 0.5, -0.5), yticks=range(len(plot.rows)), yticklabels=plot.rows
        )
        figure.legend(
            *parts[0].get_legend_handles_labels(), loc="outside upper right", ncols=4, frameon=False
        )
        write_words(figure, plot.title, [_AXES, *plot.small_print])
    return figure


def _draw_panel(axes: "Axes", panel: EffectPanel, verdicts: Sequence[str]) -> None:
    scale = panel.scale
    band = scale * panel.smallest
    axes.axvspan(
        0 if panel.is_share else -band,
        band,
        color=SKY,
        alpha=0.35,
        linewidth=0,
        label="within the smallest effect of interest",
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
    _name_ticks(axes, band, is_share=panel.is_share)


def _name_ticks(axes: "Axes", band: float, *, is_share: bool) -> None:
    """Ticks at the smallest effect and at its tenfolds, as far as there is something to see."""
    low, high = axes.get_xlim()
    tens = [band * 10**power for power in range(4)]
    ticks = [*([] if is_share else [-each for each in reversed(tens)]), 0, *tens]
    if is_share:
        axes.set_xlim(0, high)
        low = 0
    shown = [tick for tick in ticks if low <= tick <= high]
    axes.set_xticks(shown, [f"{tick:g}" for tick in shown])
    axes.minorticks_off()


def _side(width: float) -> float:
    """One side of an interval; one round has none."""
    return 0.0 if math.isnan(width) else width
