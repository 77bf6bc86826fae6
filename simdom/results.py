"""The result of a run: its figures, everything that is needed to repeat it, and how it is kept.

A saved result is a folder with ``result.json`` (all of it), ``metrics.csv`` (the figures) and, if
wanted, ``plot.png``. Such a folder appears whole or not at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from simdom._version import __version__
from simdom.document import (
    COLUMNS,
    SCHEMA,
    Distribution,
    changes_of_preset,
    is_preset_strategy,
    plain_estimate,
    plain_metrics,
    read_document,
    strategy_in_words,
)
from simdom.errors import UsageError, check_choice
from simdom.estimate import Estimate, Metrics
from simdom.figures import Figure, goes_without_saying, group_figures, list_figures
from simdom.files import check_folder, write_folder
from simdom.formats import (
    csv_text,
    format_confidence,
    format_rounds,
    html_command,
    html_row,
    html_table,
    json_text,
)
from simdom.match_metrics import check_metrics_of, tell_estimate
from simdom.relevance import values_that_matter
from simdom.rules import RULES_VERSION, Opening, Rules, rules_from_dict, rules_to_dict
from simdom.running.folder import METRICS_FILE, PLOT_FILE, RESULT_FILE
from simdom.running.stopping import plain_precision, tell_precision
from simdom.variants import load_variant, variant_names

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Figure", "Result", "check_out", "load_result"]

FILES = RESULT_FILE, METRICS_FILE, PLOT_FILE

_KIND = f"{SCHEMA.partition('/')[0]}/"  # of any version: it may be replaced even so

T = TypeVar("T")

_HEADER = ("metric", "seat", *COLUMNS)
_WHOLE = ("seat", "count")
_MAIN = ("blocked_rate", "opener_win_rate", "points")
_MAIN_OF_MATCHES = ("rounds_per_match", "match_win_rate_first_opener", "blocked_points_share")
_TYPES = {name: "Int64" if name in _WHOLE else "float64" for name in _HEADER[1:]}


@dataclass(frozen=True, repr=False)
class Result:
    """What a run found, and what was run.

    Attributes:
        variant: name of the variant: a preset's, or that of a file, with ``.toml``.
        rules: the rules that were played, overrides included.
        strategies: name of each table seat's strategy, seat 0 first.
        seed: of both random streams.
        rounds: rounds that were played; of matches, in all of them.
        confidence: of the intervals, between 0 and 1.
        metrics: every metric of `simdom.estimate.METRICS`; of matches, of
            `simdom.match_metrics.MATCH_METRICS`.
        distributions: how many rounds had each value, see `simdom.estimate.distributions`; of
            matches, see `simdom.match_metrics.match_distributions`.
        seconds: time that the rounds took.
        threads: that played them.
        command: the command line that repeats the run.
        asked: rounds, or matches, that were asked for, if the run was interrupted before; else
            None.
        version: of simdom.
        rules_version: see `simdom.rules.RULES_VERSION`.
        title: the variant's; empty in documents of earlier versions.
        strategy_details: what each strategy is, by name: its ``weights`` by feature, its
            ``temperature`` and its ``ties``, see `simdom.strategies.Strategy`.
        matches: that were played; None for single rounds.
        target: points that win a match; None for single rounds.
        first: index of the first round, or match.
        until: half-widths of intervals that were asked for, by metric.
        reached: whether they were reached; None if none were asked for.
    """

    variant: str
    rules: Rules
    strategies: tuple[str, ...]
    seed: int
    rounds: int
    confidence: float
    metrics: Metrics
    distributions: dict[str, Distribution]
    seconds: float
    threads: int
    command: str
    asked: int | None = None
    version: str = __version__
    rules_version: int = RULES_VERSION
    title: str = ""
    strategy_details: dict[str, dict[str, object]] = field(default_factory=dict)
    matches: int | None = None
    target: int | None = None
    first: int = 0
    until: dict[str, float] = field(default_factory=dict)
    reached: bool | None = None

    @property
    def partial(self) -> bool:
        """Whether the run was interrupted before all rounds were played."""
        return self.asked is not None

    @property
    def trials(self) -> int:
        """What was played: matches, or else single rounds."""
        return self.rounds if self.matches is None else self.matches

    @property
    def rounds_text(self) -> str:
        """How many rounds were played, such as ``1,000 rounds``; and asked for, if more.

        Of matches, such as ``1,000 matches to 100 points``.
        """
        begun = f" from number {self.first:,} on" if self.first else ""
        if self.matches is None:
            return f"{format_rounds(self.rounds, self.asked)}{begun}"
        points = f"{self.target:,} point{'' if self.target == 1 else 's'}"
        return f"{format_rounds(self.matches, self.asked, 'match')} to {points}{begun}"

    @property
    def precision_text(self) -> str:
        """What precision was asked for, and whether it was reached; empty if none was."""
        return tell_precision(self.until, reached=self.reached)

    @property
    def rounds_per_second(self) -> float | None:
        """Rounds played a second; None if no time was measured."""
        return self.rounds / self.seconds if self.seconds > 0 else None

    @property
    def play(self) -> str:
        """The strategies in words: the one of all seats, or one a seat."""
        return ", ".join(self.strategies if self.mixed else self.strategies[:1])

    @property
    def mixed(self) -> bool:
        """Whether the seats play by more than one strategy."""
        return len(set(self.strategies)) > 1

    @property
    def heading(self) -> str:
        """The variant with its title; the name alone if there is none."""
        is_preset = self.variant in variant_names()
        title = self.title or (load_variant(self.variant).title if is_preset else "")
        return f"{self.variant}: {title}" if title else self.variant

    @property
    def changes(self) -> list[tuple[str, str, str]]:
        """Toggles that differ from the preset's: name, value, and the preset's value.

        Empty for a variant that is no preset: its own rules are all there is.
        """
        return changes_of_preset(self.variant, self.rules)

    @property
    def identity(self) -> str:
        """The rounds, the variant with what was changed in it, the strategies and the seed."""
        changed = [f"{name} {value}" for name, value, _ in self.changes if name != "players"]
        with_these = f" with {', '.join(changed)}" if changed else ""
        return (
            f"{self.rounds_text} of {self.variant}{with_these}, {self.rules.players} players "
            f"({self.play}), seed {self.seed}"
        )

    @property
    def own_strategies(self) -> dict[str, str]:
        """The strategies that are no presets, or no longer: name, and content in words."""
        return {
            name: strategy_in_words(detail)
            for name, detail in self.strategy_details.items()
            if not is_preset_strategy(name, detail)
        }

    @property
    def caution(self) -> str:
        """What to beware of when seats are compared; mostly nothing."""
        if self.mixed and self.rules.opening == Opening.FIRST_SEAT:
            what = "always leads" if self.matches is None else "leads the first round"
            return f"Seat 0 {what}: swap the strategies to be fair."
        return ""

    @property
    def confidence_text(self) -> str:
        """The confidence as people say it, such as ``95%``."""
        return format_confidence(self.confidence)

    def estimate(self, metric: str, seat: int | None = None) -> Estimate:
        """One estimate.

        Args:
            metric: one of `simdom.estimate.METRICS`; of matches, of
                `simdom.match_metrics.MATCH_METRICS`.
            seat: for a metric by seat, which one; else None.

        Raises:
            UsageError: no such metric; no such seat; a seat too many or missing.
        """
        return _at_seat(metric, self.metrics[metric], seat)

    def distribution(self, name: str, seat: int | None = None) -> dict[str, int]:
        """How many rounds had each value, see `simdom.estimate.distributions`.

        Args:
            name: ``points``, ``plays``, ``draws``, ``passes``, ``opening_tile`` or ``pips_left``;
                of matches ``rounds_per_match``.
            seat: for ``pips_left``, how many turns after the opener; else None.

        Raises:
            UsageError: no such distribution; no such seat; a seat too many or missing.
        """
        check_choice("distribution", name, self.distributions)
        return _at_seat(name, self.distributions[name], seat)

    def figures(self, metrics: Sequence[str] | None = None) -> list[Figure]:
        """The figures, one a line, in the order of the document.

        Args:
            metrics: only these; None takes all.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        names = list(self.metrics)
        if metrics is not None:
            names = check_metrics_of(metrics, matches=self.matches is not None)
        return list_figures(self.metrics, names, self.strategies)

    def figures_by_group(self, metrics: Sequence[str] | None = None) -> dict[str, list[Figure]]:
        """The figures that a person wants to see, under their headings.

        Args:
            metrics: only these; None takes all but those that the rules decide, such as a rate
                of what cannot happen, and those that say again what another says.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        return group_figures(
            figure
            for figure in self.figures(metrics)
            if metrics is not None or not goes_without_saying(figure, self.rules, mixed=self.mixed)
        )

    def summary(self) -> str:
        """The run and its main figures in two sentences."""
        names = _MAIN if self.matches is None else _MAIN_OF_MATCHES
        first, second, third = (self.figures([name])[0].text for name in names)
        told = (
            f"{first} end blocked, the opener wins {second}, and a round is worth {third} points"
            if self.matches is None
            else f"a match takes {first} rounds, the first opener's side wins {second}, and "
            f"{third} of the points come from blocked rounds"
        )
        asked = f" Asked for {self.precision_text}." if self.until else ""
        sure = f"Intervals are at {self.confidence_text} confidence."
        return f"{self.identity}: {told}. {sure}{asked}"

    def __repr__(self) -> str:
        return (
            f"<Result of {self.rounds_text}: {self.variant}, {self.rules.players} players, "
            f"{self.play}, seed {self.seed}>"
        )

    def __str__(self) -> str:
        """The summary and a plain table."""
        lines = [self.summary()]
        for group, figures in self.figures_by_group().items():
            lines += ["", group]
            lines += [f"  {figure.label:<36}{figure.text}" for figure in figures]
        if self.caution:
            lines += ["", self.caution]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The summary, a table, the rules and the command, for a notebook."""
        rows = []
        for group, figures in self.figures_by_group().items():
            rows.append(html_row([group], tag="th", columns=3))
            for figure in figures:
                parts = tell_estimate(figure.metric, figure.estimate)
                rows.append(html_row([figure.label, *parts]))
        heads = ("", "estimate", f"{self.confidence_text} interval")
        values = values_that_matter(self.rules, matches=self.matches is not None)
        rules = ", ".join(f"{name} {value}" for name, value in values.items())
        own = [f"{name}: {content}" for name, content in self.own_strategies.items()]
        notes = [f"Rules: {rules}", *own, self.caution]
        below = "".join(f"<p>{escape(note)}</p>" for note in notes if note)
        return html_table(self.summary(), heads, rows) + below + html_command(self.command)

    def to_dict(self) -> dict[str, Any]:
        """The document of schema `SCHEMA`: plain Python values only, nan as None."""
        interrupted = {"asked": self.asked, "partial": True} if self.partial else {}
        matches = {"matches": self.matches, "target": self.target} if self.matches else {}
        first = {"first": self.first} if self.first else {}
        return {
            "schema": SCHEMA,
            "simdom": self.version,
            "rules_version": self.rules_version,
            "variant": self.variant,
            "title": self.title,
            "rules": rules_to_dict(self.rules),
            "strategies": list(self.strategies),
            "strategy_details": self.strategy_details,
            "seed": self.seed,
            **matches,
            **first,
            "rounds": self.rounds,
            **interrupted,
            **plain_precision(self.until, reached=self.reached),
            "confidence": self.confidence,
            "metrics": plain_metrics(self.metrics),
            "distributions": self.distributions,
            "seconds": self.seconds,
            "rounds_per_second": self.rounds_per_second,
            "threads": self.threads,
            "command": self.command,
        }

    def to_json(self) -> str:
        """`to_dict` as text; numbers in full precision."""
        return json_text(self.to_dict())

    def to_csv(self, metrics: Sequence[str] | None = None) -> str:
        """The columns of `to_frame` as text, in full precision; what is not defined is empty.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        return csv_text(_HEADER, self._records(metrics))

    def to_frame(self, metrics: Sequence[str] | None = None) -> "pd.DataFrame":
        """One row a figure: metric, seat, estimate, se, low, high, count, sd.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        import pandas as pd

        frame = pd.DataFrame(self._records(metrics), columns=list(_HEADER))
        return frame.astype(_TYPES)

    def _records(self, metrics: Sequence[str] | None) -> list[dict[str, Any]]:
        return [
            {"metric": figure.metric, "seat": figure.seat} | plain_estimate(figure.estimate)
            for figure in self.figures(metrics)
        ]

    def save(
        self, directory: str | Path, *, plot: bytes | None = None, overwrite: bool = False
    ) -> None:
        """Write ``result.json``, ``metrics.csv`` and perhaps ``plot.png`` into a new folder.

        Args:
            directory: the folder; it is made, or may exist if it is empty.
            plot: the picture, as `simdom.plots.run.draw_run` makes it; None saves none.
            overwrite: whether a result that the folder holds already may be replaced.

        Raises:
            UsageError: as `check_out`.
            RunError: the disk is full, or some such; nothing is left behind.
        """
        contents = {RESULT_FILE: self.to_json().encode(), METRICS_FILE: self.to_csv().encode()}
        if plot is not None:
            contents[PLOT_FILE] = plot
        write_folder(Path(directory), contents, FILES, schema=_KIND, overwrite=overwrite)


def check_out(directory: str | Path, *, overwrite: bool = False) -> None:
    """Return if a result can be saved in ``directory``; ask before a long run.

    Raises:
        UsageError: it is a file; it holds a result already, or other files; it cannot be made or
            written to.
    """
    check_folder(Path(directory), FILES, schema=_KIND, overwrite=overwrite)


def load_result(path: str | Path) -> Result:
    """The result that was saved in a folder, or as a JSON document in a file.

    Raises:
        UsageError: there is no such file; it is no JSON, or no complete document of schema
            `simdom.document.SCHEMA`.
    """
    file = Path(path)
    document = read_document(file / RESULT_FILE if file.is_dir() else file)
    rules = rules_from_dict(document.rules)
    return Result(
        variant=document.variant,
        rules=rules,
        strategies=tuple(document.strategies),
        seed=document.seed,
        rounds=document.rounds,
        confidence=document.confidence,
        metrics=document.estimates(rules),
        distributions=document.histograms(),
        seconds=document.seconds,
        threads=document.threads,
        command=document.command,
        asked=document.asked,
        version=document.simdom,
        rules_version=document.rules_version,
        title=document.title,
        strategy_details={
            name: detail.model_dump(exclude_unset=True)
            for name, detail in document.strategy_details.items()
        },
        matches=document.matches,
        target=document.target,
        first=document.first,
        until=document.until,
        reached=document.reached,
    )


def _at_seat(name: str, found: T | list[T], seat: int | None) -> T:
    if not isinstance(found, list):
        if seat is not None:
            raise UsageError(f"{name} is not by seat: leave out seat {seat}")
        return found
    if seat is None or not 0 <= seat < len(found):
        raise UsageError(f"{name} is by seat: give a seat from 0 to {len(found) - 1}")
    return found[seat]
