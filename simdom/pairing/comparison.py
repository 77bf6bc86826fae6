"""What comes of comparing contenders: figures, differences, and ways to show and keep them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from simdom._version import __version__
from simdom.document import COLUMNS, plain_estimate
from simdom.estimate import Estimate, Metrics
from simdom.formats import csv_text, format_confidence, format_rounds, json_text
from simdom.match_metrics import check_metrics_of
from simdom.pairing.contenders import (
    Contender,
    describe_contenders,
    own_strategies,
    weigh_strategies,
)
from simdom.pairing.differences import Line, at_seat, plain_difference
from simdom.pairing.showing import (
    html_of,
    list_changes,
    list_lines,
    plot_of,
    summary_of,
    tell_difference,
    tell_worth,
    text_of,
)
from simdom.plots.differences import DifferencePlot, plot_differences
from simdom.plots.style import Picture
from simdom.results import Result
from simdom.rules import RULES_VERSION, rules_to_dict
from simdom.running.stopping import made_until, plain_precision

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SCHEMA", "Comparison", "Versus"]

SCHEMA = "simdom.comparison/1"

PAIRED = ("difference", "difference_se", "difference_low", "difference_high", "difference_sd")
_PARTS = ("estimate", "se", "low", "high", "sd")
_HEADER = (
    "contender",
    "variant",
    "metric",
    "seat",
    *COLUMNS,
    *PAIRED,
    "pairing",
    "independent_rounds",
)


class Versus(NamedTuple):
    """What one contender does that the first does not.

    Attributes:
        name: of the contender.
        metrics: the contender minus the first, each a `PairedEstimate`.
        changes: `simdom.pairing.contests.Contest.changes`; None where two tables have nothing to
            compare.
        rates_only: whether the numbers of players differ, so that only rates are compared.
    """

    name: str
    metrics: Metrics
    changes: dict[str, Estimate | None]
    rates_only: bool


@dataclass(frozen=True, repr=False)
class Comparison:
    """What a comparison found, and what was compared.

    Attributes:
        contenders: at least two; the first is what the others are compared with.
        seed: of both random streams, for all.
        rounds: that each played; of matches, how many matches.
        confidence: of the intervals, between 0 and 1.
        metrics: every metric of each contender, as `simdom.simulate.simulate` gives them, or
            `simdom.matches.simulate_matches`.
        differences: one for each contender after the first.
        seconds: time that the rounds took.
        threads: that played them.
        command: the command line that repeats it.
        asked: rounds that were asked for, if it was interrupted before; else None.
        version: of simdom.
        rules_version: see `simdom.rules.RULES_VERSION`.
        until: half-widths of intervals that were asked for, by metric.
        reached: whether they were reached; None if none were asked for.
    """

    contenders: tuple[Contender, ...]
    seed: int
    rounds: int
    confidence: float
    metrics: tuple[Metrics, ...]
    differences: tuple[Versus, ...]
    seconds: float
    threads: int
    command: str
    asked: int | None = None
    version: str = __version__
    rules_version: int = RULES_VERSION
    until: Mapping[str, float] = field(default_factory=dict)
    reached: bool | None = None

    @property
    def of_matches(self) -> bool:
        """Whether matches were compared, and not single rounds."""
        return self.contenders[0].target is not None

    @property
    def unit(self) -> str:
        """What was played of each: "round" or "match"."""
        return "match" if self.of_matches else "round"

    @property
    def names(self) -> list[str]:
        """The contenders' names; the second of one name has ``(2)`` behind it."""
        return [contender.name for contender in self.contenders]

    @property
    def results(self) -> list[Result]:
        """Each contender's own figures, as a result without distributions."""
        return [
            Result(
                variant=contender.name,
                rules=contender.rules,
                strategies=contender.strategies,
                strategy_details=weigh_strategies([contender]),
                seed=self.seed,
                rounds=self._rounds_of(metrics),
                confidence=self.confidence,
                metrics=metrics,
                distributions={},
                seconds=self.seconds,
                threads=self.threads,
                command="",
                asked=self.asked,
                version=self.version,
                rules_version=self.rules_version,
                matches=self.rounds if self.of_matches else None,
                target=contender.target,
            )
            for contender, metrics in zip(self.contenders, self.metrics, strict=True)
        ]

    def _rounds_of(self, metrics: Metrics) -> int:
        """The rounds that a contender played, in all its matches if it is of these."""
        if not self.of_matches:
            return self.rounds
        return round(self.rounds * at_seat(metrics["rounds_per_match"], None).estimate)

    @property
    def played(self) -> list[str]:
        """Rules and play in words: what all have in common, what each has alone, own strategies."""
        return [*describe_contenders(self.contenders), *own_strategies(self.contenders)]

    @property
    def made(self) -> str:
        """Rounds, seed, confidence and version, in one line."""
        return (
            f"{format_rounds(self.rounds, self.asked, self.unit)} of each on the same shuffles, "
            f"seed {self.seed}; intervals at {format_confidence(self.confidence)}; "
            f"simdom {self.version}, rules version {self.rules_version}"
            f"{made_until(self.until, reached=self.reached)}"
        )

    def told(self, index: int) -> str:
        """What contender number ``index`` changes of the first, in a sentence or two."""
        return tell_difference(self, index)

    def worth(self, index: int) -> str:
        """How many independent rounds pairing was worth to contender ``index``, in a sentence."""
        return tell_worth(self, index)

    def summary(self) -> str:
        """What was compared, and one sentence for each contender after the first."""
        return summary_of(self)

    def lines(self, index: int, metrics: Sequence[str] | None = None) -> list[Line]:
        """The table of contender number ``index`` against the first, for people.

        Args:
            index: from 1.
            metrics: only these; None leaves out what the rules of both decide and what says again
                what another says.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        return list_lines(self, index, metrics)

    def changes(self, index: int) -> list[tuple[str, str]]:
        """Shares of rounds that go otherwise for contender ``index``: what, and how many."""
        return list_changes(self, index)

    def __repr__(self) -> str:
        played = format_rounds(self.rounds, None, self.unit)
        return f"<Comparison of {played} each: {', '.join(self.names)}>"

    def __str__(self) -> str:
        """The summary and a plain table for each contender after the first."""
        return text_of(self)

    def _repr_html_(self) -> str:
        """The summary and the tables, for a notebook."""
        return html_of(self)

    def to_dict(self, metrics: Sequence[str] | None = None) -> dict[str, Any]:
        """The document of schema `SCHEMA`: plain Python values only, nan as None.

        A figure of ``differences`` also has ``pairing`` and ``independent_rounds``, which
        is ``pairing`` times the rounds; both are None if no round differs.

        Args:
            metrics: only these; None takes all.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        names = list(self.metrics[0]) if metrics is None else self._check(metrics)
        names = [name for name in names if any(own[name] != [] for own in self.metrics)]
        interrupted = {} if self.asked is None else {"asked": self.asked, "partial": True}
        return {
            "schema": SCHEMA,
            "simdom": self.version,
            "rules_version": self.rules_version,
            "variants": self.names,
            "contenders": [
                {
                    "variant": contender.variant.name,
                    "rules": rules_to_dict(contender.rules),
                    "strategies": list(contender.strategies),
                    **({"target": contender.target} if self.of_matches else {}),
                }
                for contender in self.contenders
            ],
            "strategy_details": weigh_strategies(self.contenders),
            "seed": self.seed,
            "matches" if self.of_matches else "rounds": self.rounds,
            **interrupted,
            **plain_precision(self.until, reached=self.reached),
            "confidence": self.confidence,
            "metrics": {
                name: [
                    plain_difference(metrics_of[name], self.rounds) for metrics_of in self.metrics
                ]
                for name in names
            },
            "differences": [
                {
                    "variant": versus.name,
                    "rates_only": versus.rates_only,
                    **{
                        name: plain_difference(versus.metrics[name], self.rounds)
                        for name in names
                        if name in versus.metrics
                    },
                    **{
                        name: None if share is None else plain_estimate(share)
                        for name, share in versus.changes.items()
                    },
                }
                for versus in self.differences
            ],
            "seconds": self.seconds,
            "threads": self.threads,
            "command": self.command,
        }

    def _check(self, metrics: Sequence[str]) -> list[str]:
        """Return the names of metrics.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        return check_metrics_of(metrics, matches=self.of_matches)

    def to_json(self, metrics: Sequence[str] | None = None) -> str:
        """`to_dict` as text; numbers in full precision."""
        return json_text(self.to_dict(metrics))

    def to_csv(self, metrics: Sequence[str] | None = None) -> str:
        """The columns of `to_frame` as text, in full precision; what is not defined is empty.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        return csv_text(_HEADER, self._records(metrics))

    def to_frame(self, metrics: Sequence[str] | None = None) -> "pd.DataFrame":
        """One row for each contender, metric and seat.

        Returns:
            A DataFrame with the columns ``contender`` (0 for the first), ``variant``, ``metric``,
            ``seat``, ``estimate``, ``se``, ``low``, ``high``, ``count``, ``sd``, and what the
            first does not have: ``difference``, ``difference_se``, ``difference_low``,
            ``difference_high``, ``difference_sd``, ``pairing``, ``independent_rounds`` (of matches,
            that many matches). The shares of rounds or matches that change are metrics of the
            contenders after the first.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        import pandas as pd

        frame = pd.DataFrame(self._records(metrics), columns=list(_HEADER))
        whole = dict.fromkeys(("seat", "count", "independent_rounds"), "Int64")
        real = dict.fromkeys(("estimate", "se", "low", "high", "sd", *PAIRED, "pairing"), "float64")
        return frame.astype(whole | real)

    def _records(self, metrics: Sequence[str] | None) -> list[dict[str, Any]]:
        records = []
        for number, result in enumerate(self.results):
            versus = self.differences[number - 1] if number else None
            head = {"contender": number, "variant": result.variant}
            for figure in result.figures(metrics):
                record = head | {"metric": figure.metric, "seat": figure.seat}
                record |= plain_estimate(figure.estimate)
                if versus is not None and figure.metric in versus.metrics:
                    paired = plain_difference(
                        at_seat(versus.metrics[figure.metric], figure.seat), self.rounds
                    )
                    for column, key in zip(PAIRED, _PARTS, strict=True):
                        record[column] = paired[key]
                    record |= {key: paired[key] for key in ("pairing", "independent_rounds")}
                records.append(record)
            for name, share in versus.changes.items() if versus is not None else ():
                if share is not None:
                    records.append(head | {"metric": name} | plain_estimate(share))
        return records

    def plot(self, path: str | Path | None = None, metrics: Sequence[str] | None = None) -> Picture:
        """Draw the differences with their intervals, as a picture or into a PNG, SVG or PDF file.

        Args:
            path: a file to save it in, too; one that is there already is replaced.
            metrics: only these; None leaves out what the rules decide.

        Raises:
            UsageError: an unknown metric; as `simdom.plots.style.check_plot_path`.
            RunError: the file cannot be written; what was there before is still there.
        """
        return plot_differences(self.to_plot(metrics), path)

    def to_plot(self, metrics: Sequence[str] | None = None) -> DifferencePlot:
        """What `plot` draws: a row for each metric that is compared.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        return plot_of(self, metrics)
