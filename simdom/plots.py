"""Pictures of a run. The same result gives the same bytes, on any day.

Colours are Okabe and Ito's, which the colour-blind tell apart; no picture needs them to be read.
"""

import io
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from simdom.errors import UsageError, check_choice
from simdom.estimate import estimate_rate, format_estimate
from simdom.files import check_file, write_file
from simdom.results import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["FORMATS", "check_plot_path", "draw_run", "figure_of_run", "plot_run"]

# Without these a file would say when and by what it was made.
_NO_METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
FORMATS = tuple(_NO_METADATA)
"""Formats of pictures, by the suffix of the file."""

SKY, VERMILION, BLACK, GREY = "#56B4E9", "#D55E00", "#000000", "#595959"

_STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": True,
    "axes.labelsize": 9,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",  # comes with matplotlib, so every machine has it
    "font.size": 9,
    "grid.color": "#D9D9D9",
    "grid.linewidth": 0.6,
    "pdf.fonttype": 42,
    "savefig.dpi": 150,
    "svg.hashsalt": "simdom",  # ids in the file would be random otherwise
    "xtick.color": GREY,
    "xtick.labelcolor": BLACK,
    "ytick.color": GREY,
    "ytick.labelcolor": BLACK,
}
_SIZE = (9.0, 6.0)  # inches
_HEADLINE = 78  # characters that fit
_LINE = 165  # characters of small print that fit in a line
_MOST_BARS = 110
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200)


def check_plot_path(path: str | Path) -> str:
    """Return the format that ``path`` asks for; ask before a long run.

    Raises:
        UsageError: its suffix is no format; it is a folder; its own folder does not exist or
            cannot be written to.
    """
    suffix = Path(path).suffix.lower().removeprefix(".")
    if not suffix:
        raise UsageError(f"{path} has no suffix: choose one of .{', .'.join(FORMATS)}")
    check_choice("plot format", suffix, FORMATS)
    check_file(Path(path))
    return suffix


def plot_run(result: Result, path: str | Path) -> None:
    """Draw `figure_of_run` into a file; one that is there already is replaced.

    Raises:
        UsageError: as `check_plot_path`; the result is of no rounds.
        RunError: the file cannot be written; what was there before is still there.
    """
    write_file(Path(path), draw_run(result, check_plot_path(path)))


def draw_run(result: Result, file_format: str = "png") -> bytes:
    """The content of a file with `figure_of_run`.

    Args:
        result: of any run.
        file_format: one of `FORMATS`.

    Raises:
        UsageError: no such format; the result is of no rounds.
    """
    check_choice("plot format", file_format, FORMATS)
    with _style():
        content = io.BytesIO()
        figure_of_run(result).savefig(
            content, format=file_format, metadata=_NO_METADATA[file_format]
        )
    return content.getvalue()


def figure_of_run(result: Result) -> "Figure":
    """How rounds end, and how points and plays are spread, with what was run in small print.

    Raises:
        UsageError: the result is of no rounds.
    """
    if not result.rounds:
        raise UsageError("there is nothing to draw: no round was played")
    with _style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=_SIZE)
        rows = figure.add_gridspec(2, height_ratios=[2, 4])
        points, plays = figure.add_subfigure(rows[1]).subplots(ncols=2)
        _draw_ends(figure.add_subfigure(rows[0]).subplots(), result)
        _draw_distribution(points, result, _POINTS)
        _draw_distribution(plays, result, _PLAYS)
        figure.suptitle(_headline(result), x=0.01, ha="left", fontsize=13, fontweight="bold")
        figure.supxlabel(_small_print(result), x=0.01, ha="left", fontsize=7, color=GREY)
    return figure


@contextmanager
def _style() -> Iterator[None]:
    """One style, whatever the user's own settings are; those are back afterwards."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        yield


def _headline(result: Result) -> str:
    headline = f"{result.variant}, {result.rules.players} players, strategy {result.play}"
    return textwrap.shorten(headline, _HEADLINE, placeholder=" …")


def _small_print(result: Result) -> str:
    facts = (
        f"{result.rounds_text} of {result.variant}, strategy {result.play}, seed {result.seed}; "
        f"intervals at {result.confidence_text}; "
        f"simdom {result.version}, rules version {result.rules_version}"
    )
    return "\n".join(
        line for text in (facts, result.command) for line in textwrap.wrap(text, _LINE)
    )


def _draw_ends(axes: "Axes", result: Result) -> None:
    """Shares of rounds with their intervals, as bars; the figures stand to their right."""
    blocked = result.estimate("blocked_rate")
    dominoes = estimate_rate(result.rounds - (blocked.count or 0), result.rounds, result.confidence)
    ends = {
        "domino": (dominoes, SKY),
        "blocked": (blocked, VERMILION),
        "blocked and tied": (result.estimate("tie_rate"), BLACK),
    }
    for row, (share, colour) in enumerate(ends.values()):
        value, low, high = (100 * x for x in (share.estimate, share.low, share.high))
        axes.barh(row, value, height=0.65, color=colour)
        sides = [[value - low], [high - value]]
        axes.errorbar(value, row, xerr=sides, color=BLACK, capsize=3, linewidth=1)
        text = format_estimate(share, "rate")
        axes.text(1.01, row, text, transform=axes.get_yaxis_transform(), va="center")
    axes.set(
        title="How rounds end",
        xlabel="share of rounds (%)",
        xlim=(0, 100),
        yticks=range(len(ends)),
        yticklabels=list(ends),
    )
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")


class _Panel(NamedTuple):
    metric: str
    title: str
    values: str


_POINTS = _Panel("points", "Points", "points awarded in a round")
_PLAYS = _Panel("plays", "Length", "tiles on the line when the round ends")


def _draw_distribution(axes: "Axes", result: Result, panel: _Panel) -> None:
    from matplotlib.ticker import MaxNLocator

    counts = {int(value): count for value, count in result.distribution(panel.metric).items()}
    spread = max(counts) - min(counts) + 1
    step = next((step for step in _STEPS if spread <= step * _MOST_BARS), _STEPS[-1])
    bars: dict[int, int] = {}
    for value, count in counts.items():
        bars[value // step * step] = bars.get(value // step * step, 0) + count
    shares = [100 * count / result.rounds for count in bars.values()]
    middles = [value + (step - 1) / 2 for value in bars]
    axes.bar(middles, shares, width=0.9 * step, color=SKY)
    mean = result.estimate(panel.metric)
    axes.axvline(mean.estimate, color=BLACK, linestyle="--", linewidth=1.2)
    axes.set(
        title=f"{panel.title}: mean {format_estimate(mean, 'mean')}",
        xlabel=panel.values if step == 1 else f"{panel.values}, in steps of {step}",
        xlim=(min(bars) - 1, max(bars) + step),
        ylabel="share of rounds (%)",
    )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(visible=False, axis="x")
