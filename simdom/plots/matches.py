"""Pictures of matches: who wins, and how many rounds it takes."""

from typing import TYPE_CHECKING

from simdom.figures import Figure as Line
from simdom.plots.panels import (
    Panel,
    draw_distribution,
    draw_shares,
    headline_of,
    small_print_of,
)
from simdom.plots.style import SKY, VERMILION, style, write_words
from simdom.results import Result
from simdom.rules import Teams

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["figure_of_matches"]

_WIDTH, _HEIGHT = 9.0, 4.0  # inches; of the panel of rounds
_WINS_HEIGHT, _WINS_ROW = 1.2, 0.25  # inches: of the panel that says who wins, and of each row


def figure_of_matches(result: Result) -> "Figure":
    """Who wins, and how the number of rounds is spread, with what was played in small print.

    If strategies differ, it is each seat of the table that wins, else each in turn from the first
    opener.

    Args:
        result: of matches.
    """
    with style():
        from matplotlib.figure import Figure

        wins = _wins_of(result)
        heights = [_WINS_HEIGHT + _WINS_ROW * len(wins), _HEIGHT]
        figure = Figure(figsize=(_WIDTH, sum(heights)))
        rows = figure.add_gridspec(len(heights), height_ratios=heights)
        _draw_wins(figure.add_subfigure(rows[0]).subplots(), result, wins)
        draw_distribution(figure.add_subfigure(rows[1]).subplots(), result, _rounds_panel(result))
        write_words(figure, headline_of(result), small_print_of(result))
    return figure


def _wins_of(result: Result) -> list[Line]:
    """Who may win a match, and how often."""
    if result.mixed:
        name = "table_seat_match_win_rate"
    elif result.rules.teams == Teams.PAIRS:
        name = "team_match_win_rate"
    else:
        name = "seat_match_win_rate"
    return result.figures([name])


def _draw_wins(axes: "Axes", result: Result, wins: list[Line]) -> None:
    shares = {line.label: (line.estimate, SKY) for line in wins}
    unfinished = result.estimate("unfinished_rate")
    if unfinished.count:
        shares["nobody, not finished"] = (unfinished, VERMILION)
    draw_shares(axes, shares, "matches")
    axes.set(title="Who wins the match")
    axes.invert_yaxis()
    if result.caution:
        axes.set_xlabel(f"{axes.get_xlabel()}. {result.caution}")


def _rounds_panel(result: Result) -> Panel:
    """The panel of rounds; matches to more points have more of them."""
    longest = max(map(int, result.distribution("rounds_per_match")))
    unfinished = result.estimate("unfinished_rate").count
    what = "rounds played" if unfinished else "rounds until the match is won"
    return Panel("rounds_per_match", "Length", what, lambda _: longest)
