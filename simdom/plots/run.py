"""Pictures of a run: how rounds end, and how points and plays are spread."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from simdom.errors import UsageError
from simdom.estimate import METRICS, Estimate, estimate_rate, format_estimate
from simdom.plots.style import (
    BLACK,
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
_BARS = 100  # about as many as can be told apart
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200)
_TAIL = 0.0005  # share of rounds at either end that is not worth the room that it would take


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

    If strategies differ, also how often each seat wins.

    Raises:
        UsageError: the result is of no rounds.
    """
    if not result.rounds:
        raise UsageError("there is nothing to draw: no round was played")
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
        _draw_distribution(points, result, _POINTS)
        _draw_distribution(plays, result, _PLAYS)
        write_words(figure, _headline(result), _small_print(result))
    return figure


def _headline(result: Result) -> str:
    changed = [f"{name} {value}" for name, value, _ in result.changes if name != "players"]
    play = f"{'strategies' if result.mixed else 'strategy'} {result.play}"
    return ", ".join([result.variant, *changed, f"{result.rules.players} players", play])


def _small_print(result: Result) -> tuple[str, ...]:
    facts = (
        f"{result.identity}; intervals at {result.confidence_text}; "
        f"simdom {result.version}, rules version {result.rules_version}"
    )
    own = "; ".join(f"{name}: {content}" for name, content in result.own_strategies.items())
    return facts, own, result.command


def _draw_ends(axes: "Axes", result: Result) -> None:
    """Shares of rounds with their intervals, as bars; ties are the dark end of the blocked bar."""
    blocked, tied = result.estimate("blocked_rate"), result.estimate("tie_rate")
    dominoes = estimate_rate(result.rounds - (blocked.count or 0), result.rounds, result.confidence)
    _draw_shares(axes, {"domino": (dominoes, SKY), "blocked": (blocked, VERMILION)})
    dark, left = 100 * tied.estimate, 100 * (blocked.estimate - tied.estimate)
    axes.barh(1, dark, left=left, height=_BAR, color=DARK_VERMILION)
    row = 1 + (1 + _BAR) / 2  # right below the bar that it is a part of
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
    _draw_shares(axes, {figure.label: (figure.estimate, SKY) for figure in figures})
    axes.set(title=METRICS[_BY_SEAT].group)
    axes.invert_yaxis()
    if result.caution:
        axes.set_xlabel(f"{axes.get_xlabel()}. {result.caution}")


_BY_SEAT = "table_seat_win_rate"
_BAR = 0.65  # of a row


def _draw_shares(axes: "Axes", shares: dict[str, tuple[Estimate, str]]) -> None:
    """Bars with their intervals, by label; the figures stand to their right."""
    for row, (share, colour) in enumerate(shares.values()):
        value, low, high = (100 * x for x in (share.estimate, share.low, share.high))
        axes.barh(row, value, height=_BAR, color=colour)
        sides = [[value - low], [high - value]]
        axes.errorbar(value, row, xerr=sides, color=BLACK, capsize=3, linewidth=1)
        text = format_estimate(share, "rate")
        axes.text(1.01, row, text, transform=axes.get_yaxis_transform(), va="center")
    axes.set(
        xlabel="share of rounds (%)",
        xlim=(0, 100),
        yticks=range(len(shares)),
        yticklabels=list(shares),
    )
    axes.grid(visible=False, axis="y")


def _points_scale(rules: Rules) -> float:
    """About the pips that the losers may be left with: a tile has ``max_pip`` on average."""
    nothing_drawn = rules.boneyard == Boneyard.BLOCK
    drawable = 0 if nothing_drawn else rules.boneyard_size - rules.reserve
    return rules.max_pip * ((rules.players - 1) * rules.deal + drawable / 2)


def _plays_scale(rules: Rules) -> float:
    return rules.tiles


class _Panel(NamedTuple):
    metric: str
    title: str
    values: str
    scale: Callable[[Rules], float]
    """About the highest value, by the rules alone: pictures of two runs have the same bars."""


_POINTS = _Panel("points", "Points", "points awarded in a round", _points_scale)
_PLAYS = _Panel("plays", "Length", "tiles on the line when the round ends", _plays_scale)


def _draw_distribution(axes: "Axes", result: Result, panel: _Panel) -> None:
    from matplotlib.ticker import MaxNLocator

    counts = {int(value): count for value, count in result.distribution(panel.metric).items()}
    scale = panel.scale(result.rules)
    step = next((step for step in _STEPS if scale <= step * _BARS), _STEPS[-1])
    bars: dict[int, int] = {}
    for value, count in sorted(counts.items()):
        bars[value // step * step] = bars.get(value // step * step, 0) + count
    bars, left_out = _without_tails(bars, step)
    shares = [100 * count / result.rounds for count in bars.values()]
    middles = [value + (step - 1) / 2 for value in bars]
    axes.bar(middles, shares, width=0.9 * step, color=SKY)
    mean = result.estimate(panel.metric)
    axes.axvline(mean.estimate, color=BLACK, linestyle="--", linewidth=1.2)
    steps = "" if step == 1 else f", in steps of {step}"
    not_drawn = f"\n(not drawn: {left_out})" if left_out else ""
    axes.set(
        title=f"{panel.title}: mean {format_estimate(mean, 'mean')}",
        xlabel=f"{panel.values}{steps}{not_drawn}",
        xlim=(min(bars) - 1, max(bars) + step),
        ylabel="share of rounds (%)",
    )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(visible=False, axis="x")


def _without_tails(bars: dict[int, int], step: int) -> tuple[dict[int, int], str]:
    """The bars but for those at either end that `_TAIL` covers, and what was left out."""
    most = _TAIL * sum(bars.values())
    values = sorted(bars)
    said = []
    for end, word, edge in ((0, "below", 0), (-1, "above", step - 1)):
        dropped = 0
        while dropped + bars[values[end]] <= most:
            dropped += bars[values.pop(end)]
        if dropped:
            share = 100 * dropped / sum(bars.values())
            said.append(f"{share:.1g}% {word} {values[end] + edge}")
    return {value: bars[value] for value in values}, ", ".join(said)
