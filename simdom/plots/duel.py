"""A picture of a duel: how points are spread, by round and by deal, and what explains them."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from simdom.estimate import Estimate, format_estimate
from simdom.plots.style import (
    BLACK,
    COLOURS,
    GREY,
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

__all__ = ["DuelPlot", "Spread", "draw_duel", "figure_of_duel", "plot_duel"]

_SIZE = (9.0, 5.4)  # inches
_HEIGHTS = (4.0, 1.0)
_BARS = 45  # about so many across the picture
_OUTSIDE = 0.001  # of all, at either end: what is further out is not drawn
_FILLS = ("#D9D9D9", SKY)
_SHARE_FILLS = (("#D9D9D9", ""), (COLOURS[0], "////"), ("white", ""))


class Spread(NamedTuple):
    """How many there were of each value."""

    label: str
    counts: Mapping[float, int]


class DuelPlot(NamedTuple):
    """What is to be drawn.

    Attributes:
        title: the headline.
        xlabel: what the values are.
        spreads: two, the wider one first.
        mean: of either.
        shares: of how the values vary, by name; they add up to 1.
        small_print: what was played; lines of it are wrapped.
    """

    title: str
    xlabel: str
    spreads: Sequence[Spread]
    mean: Estimate
    shares: Sequence[tuple[str, Estimate]]
    small_print: Sequence[str]


def plot_duel(plot: DuelPlot, path: str | Path | None = None) -> Picture:
    """`figure_of_duel` as a picture, and in a file if there is a path; an old one is replaced.

    Raises:
        UsageError: as `simdom.plots.style.check_plot_path`.
        RunError: the file cannot be written; what was there before is still there.
    """
    return picture_of(lambda: figure_of_duel(plot), path)


def draw_duel(plot: DuelPlot, file_format: str = "png") -> bytes:
    """The content of a file with `figure_of_duel`.

    Raises:
        UsageError: no such format.
    """
    return render_figure(lambda: figure_of_duel(plot), file_format)


def figure_of_duel(plot: DuelPlot) -> "Figure":
    """Both spreads above each other with their mean, and a bar that is cut into the shares."""
    with style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=_SIZE)
        spreads, shares = figure.subplots(2, height_ratios=_HEIGHTS)
        _draw_spreads(spreads, plot)
        _draw_shares(shares, plot.shares)
        write_words(figure, plot.title, plot.small_print)
    return figure


def _draw_spreads(axes: "Axes", plot: DuelPlot) -> None:
    low, high = _ends(plot.spreads)
    width = max(1, round((high - low) / _BARS))
    for number, (spread, fill) in enumerate(zip(plot.spreads, _FILLS, strict=True)):
        bars = _bars(spread.counts, width)
        axes.bar(
            [at * width for at in bars],
            [100 * share for share in bars.values()],
            width=width,
            color=fill,
            edgecolor=BLACK if number else GREY,
            linewidth=0.6 if number else 0.3,
            alpha=0.75 if number else 1,
            label=spread.label,
        )
    mean = plot.mean
    axes.axvline(0, color=BLACK, linewidth=0.8)
    axes.axvline(
        mean.estimate,
        color=COLOURS[1],
        linewidth=1.6,
        linestyle="--",
        label=f"mean {format_estimate(mean, 'mean')}",
    )
    if not math.isnan(mean.low):
        axes.axvspan(mean.low, mean.high, color=COLOURS[1], alpha=0.3, linewidth=0)
    axes.set(xlim=(low - width, high + width), xlabel=plot.xlabel, ylabel="share (%)")
    axes.legend(frameon=False, loc="upper right")


def _ends(spreads: Sequence[Spread]) -> tuple[float, float]:
    """Between which values nearly all of each spread lies."""
    lows: list[float] = []
    highs: list[float] = []
    for spread in spreads:
        total = sum(spread.counts.values())
        for ends, values in (
            (lows, sorted(spread.counts)),
            (highs, sorted(spread.counts, reverse=True)),
        ):
            seen = 0
            for value in values:
                seen += spread.counts[value]
                if seen >= _OUTSIDE * total:
                    ends.append(value)
                    break
    return min(lows), max(highs)


def _bars(counts: Mapping[float, int], width: float) -> dict[int, float]:
    """The share of each bar; bar k is centred at k times the width.

    A value on the border of two bars is shared by them, so that means of a few rounds, half of
    which lie there, stay in balance.
    """
    total = sum(counts.values())
    bars: dict[int, float] = {}
    for value, count in counts.items():
        place = value / width + 0.5
        on = [math.floor(place)]
        if place == on[0]:
            on.append(on[0] - 1)
        for at in on:
            bars[at] = bars.get(at, 0.0) + count / len(on) / total
    return bars


def _draw_shares(axes: "Axes", shares: Sequence[tuple[str, Estimate]]) -> None:
    """One bar, cut into the shares; an undefined one is not drawn, and neither is one below 0."""
    left = 0.0
    for (label, share), (fill, hatch) in zip(shares, _SHARE_FILLS, strict=True):
        width = 100 * share.estimate
        if not width > 0:
            width = 0.0
        axes.barh(
            0,
            width,
            left=left,
            height=0.8,
            color=fill,
            hatch=hatch,
            edgecolor=BLACK,
            linewidth=0.6,
            label=f"{label}: {format_estimate(share, 'rate')}",
        )
        left += width
    axes.set(xlim=(0, max(left, 100)), yticks=[], xlabel="of how the points of a round vary (%)")
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=3)
