"""Panels that pictures of runs and of matches share: shares as bars, and a distribution."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from simdom.estimate import Estimate, format_estimate
from simdom.match_metrics import tell_estimate
from simdom.plots.style import BLACK, SKY
from simdom.results import Result
from simdom.rules import Rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "BAR",
    "Panel",
    "draw_distribution",
    "draw_shares",
    "headline_of",
    "small_print_of",
]

_BARS = 100  # about as many as can be told apart
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200)
_TAIL = 0.0005  # share of rounds at either end that is not worth the room that it would take

BAR = 0.65
"""The height of a bar, of a row."""


def draw_shares(axes: "Axes", shares: dict[str, tuple[Estimate, str]], of: str) -> None:
    """Bars with their intervals, by label; the figures stand to their right.

    ``of`` says what they are shares of: rounds, or matches.
    """
    for row, (share, colour) in enumerate(shares.values()):
        value, low, high = (100 * x for x in (share.estimate, share.low, share.high))
        axes.barh(row, value, height=BAR, color=colour)
        sides = [[value - low], [high - value]]
        axes.errorbar(value, row, xerr=sides, color=BLACK, capsize=3, linewidth=1)
        text = format_estimate(share, "rate")
        axes.text(1.01, row, text, transform=axes.get_yaxis_transform(), va="center")
    axes.set(
        xlabel=f"share of {of} (%)",
        xlim=(0, 100),
        yticks=range(len(shares)),
        yticklabels=list(shares),
    )
    axes.grid(visible=False, axis="y")


class Panel(NamedTuple):
    """How a distribution is drawn.

    Attributes:
        metric: that has it.
        title: of the panel.
        values: what is counted, in words.
        scale: about the highest value, by the rules alone, so that pictures of two runs have the
            same bars.
    """

    metric: str
    title: str
    values: str
    scale: Callable[[Rules], float]


def draw_distribution(axes: "Axes", result: Result, panel: Panel) -> None:
    """How often each value came, as bars, with the mean."""
    from matplotlib.ticker import MaxNLocator

    counts = {int(value): count for value, count in result.distribution(panel.metric).items()}
    scale = panel.scale(result.rules)
    step = next((step for step in _STEPS if scale <= step * _BARS), _STEPS[-1])
    bars: dict[int, int] = {}
    for value, count in sorted(counts.items()):
        bars[value // step * step] = bars.get(value // step * step, 0) + count
    bars, left_out = _without_tails(bars, step)
    total = result.rounds if result.matches is None else result.matches
    shares = [100 * count / total for count in bars.values()]
    middles = [value + (step - 1) / 2 for value in bars]
    axes.bar(middles, shares, width=0.9 * step, color=SKY)
    mean = result.estimate(panel.metric)
    axes.axvline(mean.estimate, color=BLACK, linestyle="--", linewidth=1.2)
    steps = "" if step == 1 else f", in steps of {step}"
    not_drawn = f"\n(not drawn: {left_out})" if left_out else ""
    axes.set(
        title=f"{panel.title}: mean {' '.join(tell_estimate(panel.metric, mean))}",
        xlabel=f"{panel.values}{steps}{not_drawn}",
        xlim=(min(bars) - 1, max(bars) + step),
        ylabel=f"share of {'rounds' if result.matches is None else 'matches'} (%)",
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


def headline_of(result: Result) -> str:
    """The variant with what was changed in it, the players and the strategies."""
    changed = [f"{name} {value}" for name, value, _ in result.changes if name != "players"]
    play = f"{'strategies' if result.mixed else 'strategy'} {result.play}"
    target = [] if result.target is None else [f"to {result.target:,} points"]
    return ", ".join([result.variant, *changed, f"{result.rules.players} players", play, *target])


def small_print_of(result: Result) -> tuple[str, ...]:
    """What was played, strategies that have only a name, and the command."""
    facts = (
        f"{result.identity}; intervals at {result.confidence_text}; "
        f"simdom {result.version}, rules version {result.rules_version}"
    )
    own = "; ".join(f"{name}: {content}" for name, content in result.own_strategies.items())
    return facts, own, result.command
