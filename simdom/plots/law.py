"""A picture of a law: a bar for the exact chance of each outcome, and what a simulation found."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from simdom.errors import UsageError
from simdom.estimate import Estimate
from simdom.plots.style import BLACK, SKY, Picture, picture_of, render_figure, style, write_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["LawPlot", "draw_law", "figure_of_law", "plot_law"]

_SIZE = (9.0, 4.6)  # inches
_MOST_MARKERS = 60  # bars with a marker of their own that can be told apart
_SHOWN_FROM = 1e-4  # of the largest chance: at either end, what is rarer is not drawn


class LawPlot(NamedTuple):
    """What is to be drawn.

    Attributes:
        title: the headline.
        outcomes: numbers in rising order, or names.
        chances: the exact chance of each, from 0 to 1.
        estimates: the simulated chance of each, or nothing.
        xlabel: what the outcomes are.
        mean: of the law, if outcomes are numbers; else None.
        small_print: what was asked; lines of it are wrapped.
    """

    title: str
    outcomes: Sequence[int | str]
    chances: Sequence[Fraction]
    estimates: Sequence[Estimate]
    xlabel: str
    mean: float | None
    small_print: Sequence[str]


def plot_law(plot: LawPlot, path: str | Path | None = None) -> Picture:
    """`figure_of_law` as a picture, and in a file if there is a path; an old one is replaced.

    Raises:
        UsageError: as `simdom.plots.style.check_plot_path`; there is nothing to draw.
        RunError: the file cannot be written; what was there before is still there.
    """
    return picture_of(lambda: figure_of_law(plot), path)


def draw_law(plot: LawPlot, file_format: str = "png") -> bytes:
    """The content of a file with `figure_of_law`.

    Args:
        plot: what to draw.
        file_format: one of `simdom.plots.style.FORMATS`.

    Raises:
        UsageError: no such format; there is nothing to draw.
    """
    return render_figure(lambda: figure_of_law(plot), file_format)


def figure_of_law(plot: LawPlot) -> "Figure":
    """A bar for each outcome in percent; markers with intervals where it was simulated.

    Raises:
        UsageError: the answer is one figure.
    """
    if not plot.outcomes:
        raise UsageError(f"there is nothing to draw: {plot.title} is one figure")
    with style():
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator

        figure = Figure(figsize=_SIZE)
        axes = figure.subplots()
        shown = _shown(plot)
        of_numbers = plot.mean is not None
        places = [int(plot.outcomes[at]) if of_numbers else at for at in shown]
        heights = [100 * float(plot.chances[at]) for at in shown]
        is_wide = len(places) > _MOST_MARKERS
        axes.bar(places, heights, width=1.0 if is_wide else 0.8, color=SKY, label="exact")
        if plot.estimates:
            estimates = [plot.estimates[at] for at in shown]
            sides = [
                [100 * (each.estimate - each.low) for each in estimates],
                [100 * (each.high - each.estimate) for each in estimates],
            ]
            axes.errorbar(
                places,
                [100 * each.estimate for each in estimates],
                yerr=sides,
                fmt=".",
                color=BLACK,
                markersize=2 if is_wide else 5,
                capsize=0 if is_wide else 3,
                linewidth=0.4 if is_wide else 1,
                label="simulated, with its interval at 95%",
            )
        if plot.mean is not None:
            label = f"mean {plot.mean:.6g}"
            axes.axvline(plot.mean, color=BLACK, linestyle="--", linewidth=1.2, label=label)
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        else:
            axes.set_xticks(places, [str(plot.outcomes[at]) for at in shown])
        axes.set(xlabel=plot.xlabel, ylabel="chance (%)", ylim=(0, None))
        axes.grid(visible=False, axis="x")
        axes.legend(frameon=False)
        write_words(figure, plot.title, plot.small_print)
    return figure


def _shown(plot: LawPlot) -> list[int]:
    """Indices of the outcomes that are drawn: all but the rare ones at either end."""
    if plot.mean is None:
        return list(range(len(plot.outcomes)))
    least = _SHOWN_FROM * max(plot.chances)
    seen = [at for at, chance in enumerate(plot.chances) if chance >= least]
    return list(range(seen[0], seen[-1] + 1))
