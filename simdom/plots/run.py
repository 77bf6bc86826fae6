"""Pictures of a run: how rounds end, and how points and plays are spread."""

from pathlib import Path
from typing import TYPE_CHECKING

from simdom.errors import UsageError
from simdom.estimate import METRICS, estimate_rate, format_estimate
from simdom.plots.matches import figure_of_matches
from simdom.plots.panels import (
    BAR,
    Panel,
    draw_distribution,
    draw_shares,
    headline_of,
    small_print_of,
)
from simdom.plots.style import (
    DARK_VERMILION,
    SKY,
    VERMILION,
    Picture,
    picture_of,
    render_figure,
    style,
    write_words,
)
from simdom.results import Result
from simdom.rules import Boneyard, Rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_run", "figure_of_run", "plot_run"]

_WIDTH, _HEIGHT = 9.0, 6.0  # inches
_WINS_HEIGHT, _WINS_ROW = 0.8, 0.22  # inches: of the panel that says who wins, and of each row


def plot_run(result: Result, path: str | Path | None = None) -> Picture:
    """`figure_of_run` as a picture, and in a file if there is a path; an old one is replaced.

    Raises:
        UsageError: as `simdom.plots.style.check_plot_path`; the result is of no rounds.
        RunError: the file cannot be written; what was there before is still there.
    """
    return picture_of(lambda: figure_of_run(result), path)


def draw_run(result: Result, file_format: str = "png") -> bytes:
    """The content of a file with `figure_of_run`.

    Args:
        result: of any run.
        file_format: one of `simdom.plots.style.FORMATS`.

    Raises:
        UsageError: no such format; the result is of no rounds.
    """
    return render_figure(lambda: figure_of_run(result), file_format)


def figure_of_run(result: Result) -> "Figure":
    """How rounds end, and how points and plays are spread, with what was run in small print.

    If strategies differ, also how often each seat wins. Of matches it is
    `simdom.plots.matches.figure_of_matches`.

    Raises:
        UsageError: the result is of no rounds.
    """
    if not result.rounds:
        raise UsageError("there is nothing to draw: no round was played")
    if result.matches is not None:
        return figure_of_matches(result)
    with style():
        from matplotlib.figure import Figure

        heights = [_HEIGHT / 3, _HEIGHT * 2 / 3]
        if result.mixed:
            heights.insert(1, _WINS_HEIGHT + _WINS_ROW * result.rules.players)
        figure = Figure(figsize=(_WIDTH, sum(heights)))
        rows = figure.add_gridspec(len(heights), height_ratios=heights)
        _draw_ends(figure.add_subfigure(rows[0]).subplots(), result)
        if result.mixed:
            _draw_wins(figure.add_subfigure(rows[1]).subplots(), result)
        points, plays = figure.add_subfigure(rows[-1]).subplots(ncols=2)
        draw_distribution(points, result, _POINTS)
        draw_distribution(plays, result, _PLAYS)
        write_words(figure, headline_of(result), small_print_of(result))
    return figure


def _draw_ends(axes: "Axes", result: Result) -> None:
    """Shares of rounds with their intervals, as bars; ties are the dark end of the blocked bar."""
    blocked, tied = result.estimate("blocked_rate"), result.estimate("tie_rate")
    dominoes = estimate_rate(result.rounds - (blocked.count or 0), result.rounds, result.confidence)
    draw_shares(axes, {"domino": (dominoes, SKY), "blocked": (blocked, VERMILION)}, "rounds")
    dark, left = 100 * tied.estimate, 100 * (blocked.estimate - tied.estimate)
    axes.barh(1, dark, left=left, height=BAR, color=DARK_VERMILION)
    row = 1 + (1 + BAR) / 2  # right below the bar that it is a part of
    axes.text(
        *(1.01, row, format_estimate(tied, "rate")),
        transform=axes.get_yaxis_transform(),
        va="center",
        color=DARK_VERMILION,
    )
    axes.set(
        title="How rounds end",
        yticks=[0, 1, row],
        yticklabels=["domino", "blocked", "tied, of all rounds (dark)"],
        ylim=(row + 0.3, -0.5),
    )
    axes.get_yticklabels()[-1].set_color(DARK_VERMILION)
    axes.yaxis.get_major_ticks()[-1].tick1line.set_visible(False)


def _draw_wins(axes: "Axes", result: Result) -> None:
    """How often each seat of the table wins."""
    figures = result.figures([_BY_SEAT])
    draw_shares(axes, {figure.label: (figure.estimate, SKY) for figure in figures}, "rounds")
    axes.set(title=METRICS[_BY_SEAT].group)
    axes.invert_yaxis()
    if result.caution:
        axes.set_xlabel(f"{axes.get_xlabel()}. {result.caution}")


_BY_SEAT = "table_seat_win_rate"


def _points_scale(rules: Rules) -> float:
    """About the pips that the losers may be left with: a tile has ``max_pip`` on average."""
    nothing_drawn = rules.boneyard == Boneyard.BLOCK
    drawable = 0 if nothing_drawn else rules.boneyard_size - rules.reserve
    return rules.max_pip * ((rules.players - 1) * rules.deal + drawable / 2)


def _plays_scale(rules: Rules) -> float:
    return rules.tiles


_POINTS = Panel("points", "Points", "points awarded in a round", _points_scale)
_PLAYS = Panel("plays", "Length", "tiles on the line when the round ends", _plays_scale)
