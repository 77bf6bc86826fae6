"""The table of all changes: their effects and verdicts, and ways to show and keep them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from simdom._version import __version__
from simdom.document import COLUMNS, plain_estimate
from simdom.estimate import Estimate, format_estimate
from simdom.formats import (
    csv_text,
    format_confidence,
    format_rounds,
    html_command,
    html_row,
    html_table,
    json_text,
)
from simdom.pairing.changes import TRIED, LeftOut
from simdom.pairing.contenders import (
    Contender,
    describe_contenders,
    own_strategies,
    weigh_strategies,
)
from simdom.pairing.effect import (
    Effect,
    Watch,
    kind_of,
    least_rounds,
    rounds_in_words,
    watch_of,
)
from simdom.pairing.verdicts import DOES_NOT_MATTER, MATTERS, NOT_SETTLED
from simdom.plots.effects import EffectMark, EffectPanel, EffectPlot, plot_effects
from simdom.plots.style import Picture
from simdom.rules import RULES_VERSION, rules_to_dict
from simdom.running.stopping import made_until, plain_precision

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SCHEMA", "EffectLine", "Effects"]

SCHEMA = "simdom.effects/1"

_HEADER = (
    "change",
    "toggle",
    "value",
    "contender",
    "verdict",
    "size",
    "metric",
    *COLUMNS,
    "level",
    "metric_verdict",
    "rounds_needed",
)
_COLUMN = {"verdict": "metric_verdict"}  # of a figure; the change has one too


class EffectLine(NamedTuple):
    """One row of a table for people.

    Attributes:
        change: such as ``reserve=0``.
        cells: by metric, the figure and what stands behind "±", both empty if it is not compared,
            and its mark: ``*`` beyond the smallest effect, ``?`` not settled, empty within.
        verdict: on the change.
        needed: see `simdom.pairing.effect.Open`; None if it is settled.
    """

    change: str
    cells: list[tuple[str, str, str]]
    verdict: str
    needed: float | None

    @property
    def verdict_text(self) -> str:
        """The verdict, and the rounds that it needs if it is not settled."""
        needed = "" if self.needed is None else rounds_in_words(self.needed, short=True)
        return f"{self.verdict}, {needed}" if needed else self.verdict


_ORDER = "The order is that of the largest effect on an average, in smallest effects of interest."
_SAME = (
    "Same, or unchanged: it differed in no {}; ± is how much it may still differ on average. "
    "Without ±, the rules do not let it differ."
)
_NOT_COMPARED = "–: not compared. With other numbers of players only rates of the whole table are."
_WINNER_APART = (
    "Other winner is the share of {} that another side wins. The verdict does not go by it: a "
    "change may pass wins from side to side and favour none. Behind ≤ is the upper end of its "
    "interval, where that is not alike on both sides."
)
_ROUNDS = (
    "Not settled, ~65k: about 65,000 {} in all would settle it if the figure stayed as it is. "
    "That is about an even chance, and no promise."
)
_MARKS = {MATTERS: "*", NOT_SETTLED: "?", DOES_NOT_MATTER: ""}
_MARKED = {MATTERS: "beyond it", DOES_NOT_MATTER: "within it", NOT_SETTLED: "not settled"}


@dataclass(frozen=True, repr=False)
class Effects:
    """What every single change of a game does.

    Attributes:
        base: what is changed.
        metrics: its own figures, at the confidence asked for.
        effects: one for each change, the largest effect first.
        left_out: what was not played, and why.
        smallest: the smallest effect of interest of each metric; rates from 0 to 1.
        rounds: that each played; of matches, how many matches.
        confidence: that all verdicts together are right, between 0 and 1.
        seconds: time that the rounds took.
        threads: that played them.
        command: the command line that repeats it.
        asked: rounds that were asked for, if it was interrupted before; else None.
        version: of simdom.
        rules_version: see `simdom.rules.RULES_VERSION`.
        until: half-widths of intervals that were asked for, by metric.
        reached: whether they were reached; None if none were asked for.
    """

    base: Contender
    metrics: dict[str, Estimate]
    effects: tuple[Effect, ...]
    left_out: tuple[LeftOut, ...]
    smallest: Mapping[str, float]
    rounds: int
    confidence: float
    seconds: float
    threads: int
    command: str
    asked: int | None = None
    version: str = __version__
    rules_version: int = RULES_VERSION
    until: Mapping[str, float] = field(default_factory=dict)
    reached: bool | None = None

    @property
    def watch(self) -> Watch:
        """What is watched: of rounds, or of matches."""
        return watch_of(matches=self.base.target is not None)

    @property
    def comparisons(self) -> int:
        """Figures on which there is a verdict."""
        return sum(len(effect.figures) for effect in self.effects)

    @property
    def lead(self) -> str:
        """How many changes matter, in a sentence."""
        verdicts = [effect.verdict for effect in self.effects]
        yes, no, unsettled = map(verdicts.count, (MATTERS, DOES_NOT_MATTER, NOT_SETTLED))
        played = format_rounds(self.rounds, None, self.watch.unit)
        changes = "1 single change" if len(verdicts) == 1 else f"{len(verdicts)} single changes"
        return (
            f"Of {changes} of {self.base.name}, {yes} matter{'s' if yes == 1 else ''}, "
            f"{no} {'does' if no == 1 else 'do'} not, and {unsettled} "
            f"{'is' if unsettled == 1 else 'are'} not settled at {played}."
        )

    @property
    def made(self) -> str:
        """Rounds, seed and version, in one line."""
        return (
            f"{format_rounds(self.rounds, self.asked, self.watch.unit)} of each on the same "
            f"shuffles, seed "
            f"{self.base.study.seed}; simdom {self.version}, rules version {self.rules_version}"
            f"{made_until(self.until, reached=self.reached)}"
        )

    @property
    def played(self) -> str:
        """The baseline's rules and play, in words, and all strategies that are no presets."""
        rules = describe_contenders([self.base])[0].replace("All", self.base.name, 1)
        return " ".join([rules, *own_strategies(self._contenders)])

    @property
    def _contenders(self) -> list[Contender]:
        return [self.base, *(effect.change.contender for effect in self.effects)]

    @property
    def baseline(self) -> str:
        """The baseline's own figures, in a sentence."""
        told = (
            f"{self.watch.watched[name].label} {format_estimate(each, kind_of(name))}"
            for name, each in self.metrics.items()
        )
        return f"{self.base.name} itself: {', '.join(told)}."

    @property
    def held_against(self) -> str:
        """The smallest effects of interest, in words."""
        watched = self.watch.watched
        return ", ".join(
            f"{watched[name].label} {watched[name].size_text(value)}"
            for name, value in self.smallest.items()
        )

    @property
    def sure(self) -> str:
        """How sure the verdicts are, in a sentence."""
        levels = [figure.level for effect in self.effects for figure in effect.figures.values()]
        least, most = (f"{100 * level:.4g}%" for level in (min(levels), max(levels)))
        return (
            f"The {len(levels)} verdicts on single figures are right together with "
            f"{format_confidence(self.confidence)} confidence (Holm); for that, each interval is "
            f"at a level of its own, from {least} to {most}."
        )

    @property
    def open(self) -> list[str]:
        """What is not settled: the change, the figure that it waits for, the rounds it needs."""
        return [
            f"{effect.name}: {effect.text(effect.open.metric)}, "
            f"{rounds_in_words(effect.open.rounds, units=self.watch.units)}."
            for effect in self.effects
            if effect.open is not None
        ]

    @property
    def luck_only(self) -> list[str]:
        """Changes that change who wins single rounds, but no average by its smallest effect."""
        return [
            f"{effect.name}: {effect.text(self.watch.winner)} of {self.watch.units}."
            for effect in self.effects
            if effect.luck_only
        ]

    @property
    def reading(self) -> list[str]:
        """How to read the table."""
        return [
            f"Each figure is the change minus {self.base.name}; pp are percentage points.",
            self.baseline,
            f"Marked *: beyond the smallest effect of interest, {self.held_against}.",
            "Marked ?: not settled. No mark: within the smallest effect of interest.",
            "A change matters if any average is beyond; it does not if all are within.",
            *([_ROUNDS.format(self.watch.units)] if self.open else []),
            _ORDER,
            _SAME.format(self.watch.unit),
            _NOT_COMPARED,
            _WINNER_APART.format(self.watch.units),
            TRIED,
            self.sure,
        ]

    def summary(self) -> str:
        """How many changes matter, which most, and what was played."""
        first = self.effects[0]
        return (
            f"{self.lead} Largest: {first.name}, {first.text(first.largest)}.\n"
            f"Smallest effects of interest: {self.held_against}. {self.made}."
        )

    def lines(self) -> list[EffectLine]:
        """The table for people, the largest effect first."""
        return [self._line(effect) for effect in self.effects]

    def _line(self, effect: Effect) -> EffectLine:
        cells = []
        for name in self.watch.watched:
            figure = effect.figures.get(name)
            if figure is None:
                cells.append(("", "", ""))
            else:
                cells.append((*effect.parts(name), _MARKS[figure.verdict]))
        needed = None if effect.open is None else effect.open.rounds
        return EffectLine(effect.name, cells, effect.verdict, needed)

    def __repr__(self) -> str:
        return (
            f"<Effects of {len(self.effects)} changes of {self.base.name}, "
            f"{format_rounds(self.rounds, None, self.watch.unit)}>"
        )

    def __str__(self) -> str:
        """The summary, and a line for each change."""
        text = [self.summary(), ""]
        for effect in self.effects:
            told = "; ".join(map(effect.text, effect.figures))
            text.append(f"{effect.name} {self._verdict_text(effect)}: {told}")
        return "\n".join([*text, "", *map(str, self.left_out), self.played, self.command])

    @staticmethod
    def _verdict_text(effect: Effect) -> str:
        return "is not settled" if effect.verdict == NOT_SETTLED else effect.verdict

    def _repr_html_(self) -> str:
        """The lead and the table, for a notebook."""
        heads = ["change", *(each.label for each in self.watch.watched.values()), "verdict"]
        rows = [
            html_row(
                [
                    line.change,
                    *(" ".join(filter(None, cell[:2])) + cell[2] or "–" for cell in line.cells),
                    line.verdict_text,
                ]
            )
            for line in self.lines()
        ]
        reading = "".join(f"<p>{escape(text)}</p>" for text in [*self.reading, f"{self.made}."])
        return html_table(self.lead, heads, rows) + reading + html_command(self.command)

    def to_dict(self) -> dict[str, Any]:
        """The document of schema `SCHEMA`: plain Python values only, nan as None."""
        interrupted = {} if self.asked is None else {"asked": self.asked, "partial": True}
        return {
            "schema": SCHEMA,
            "simdom": self.version,
            "rules_version": self.rules_version,
            "baseline": {
                "variant": self.base.variant.name,
                "rules": rules_to_dict(self.base.rules),
                "strategies": list(self.base.strategies),
                **({} if self.base.target is None else {"target": self.base.target}),
                "metrics": {name: plain_estimate(each) for name, each in self.metrics.items()},
            },
            "strategy_details": weigh_strategies(self._contenders),
            "seed": self.base.study.seed,
            "rounds" if self.base.target is None else "matches": self.rounds,
            **interrupted,
            **plain_precision(self.until, reached=self.reached),
            "confidence": self.confidence,
            "comparisons": self.comparisons,
            "smallest": dict(self.smallest),
            "effects": [_plain_effect(effect) for effect in self.effects],
            "left_out": [each._asdict() for each in self.left_out],
            "seconds": self.seconds,
            "threads": self.threads,
            "command": self.command,
        }

    def to_json(self) -> str:
        """`to_dict` as text; numbers in full precision."""
        return json_text(self.to_dict())

    def to_csv(self) -> str:
        """The columns of `to_frame` as text, in full precision; what is not defined is empty."""
        return csv_text(_HEADER, self._records())

    def to_frame(self) -> "pd.DataFrame":
        """One row for each change and metric.

        Returns:
            A DataFrame with the columns ``change``, ``toggle``, ``value`` (as text), ``contender``
            (for `simdom.compare`), ``verdict``, ``size`` (of the largest effect, in smallest
            effects of interest), ``metric``, ``estimate``, ``se``, ``low``, ``high``, ``count``,
            ``sd``, ``level`` (of the interval), ``metric_verdict`` and ``rounds_needed`` (to
            settle that figure; missing if it is settled, or if no run has so many).
        """
        import pandas as pd

        frame = pd.DataFrame(self._records(), columns=list(_HEADER))
        whole = dict.fromkeys(("count", "rounds_needed"), "Int64")
        real = dict.fromkeys(("size", "estimate", "se", "low", "high", "sd", "level"), "float64")
        return frame.astype(whole | real)

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "change": effect.name,
                "toggle": effect.change.toggle,
                "value": str(effect.change.value),
                "contender": effect.change.contender.text,
                "verdict": effect.verdict,
                "size": effect.size,
                "metric": name,
                **{_COLUMN.get(key, key): each for key, each in figure.to_dict().items()},
            }
            for effect in self.effects
            for name, figure in effect.figures.items()
        ]

    def plot(self, path: str | Path | None = None) -> Picture:
        """Draw the effects with their intervals, as a picture or into a PNG, SVG or PDF file.

        Args:
            path: a file to save it in, too; one that is there already is replaced.

        Raises:
            UsageError: as `simdom.plots.style.check_plot_path`.
            RunError: the file cannot be written; what was there before is still there.
        """
        return plot_effects(self.to_plot(), path)

    def to_plot(self) -> EffectPlot:
        """What `plot` draws: a row for each change, a panel for each metric."""
        return EffectPlot(
            title=f"What single changes of {self.base.name} do",
            rows=[effect.name for effect in self.effects],
            panels=[
                EffectPanel(
                    label=f"{watched.label} ({watched.unit or f'per {self.watch.unit}'})"
                    + ("\nno part of the verdict" if self.watch.unsigned(name) else ""),
                    scale=1 if kind_of(name) == "mean" else 100,
                    is_share=self.watch.unsigned(name),
                    smallest=self.smallest[name],
                    marks=[
                        EffectMark(effect.figures[name], _MARKED[effect.figures[name].verdict])
                        if name in effect.figures
                        else None
                        for effect in self.effects
                    ],
                )
                for name, watched in self.watch.watched.items()
            ],
            verdicts=tuple(_MARKED.values()),
            small_print=(self.lead, self.sure, self.made, self.played, self.command),
        )


def _plain_effect(effect: Effect) -> dict[str, Any]:
    opened = effect.open
    waits = (
        {}
        if opened is None
        else {"waits_for": opened.metric, "rounds_needed": least_rounds(opened.rounds)}
    )
    return {
        "toggle": effect.change.toggle,
        "value": effect.change.value,
        "contender": effect.change.contender.text,
        "verdict": effect.verdict,
        "size": effect.size,
        **waits,
        "metrics": {name: figure.to_dict() for name, figure in effect.figures.items()},
    }
