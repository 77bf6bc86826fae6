"""What comes of comparing contenders: figures, differences, and ways to show and keep them."""

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from simdom._version import __version__
from simdom.document import COLUMNS, plain_estimate
from simdom.estimate import (
    METRICS,
    Estimate,
    Metrics,
    check_metrics,
    format_estimate,
    format_parts,
)
from simdom.pairing.contenders import Contender, describe_contenders
from simdom.pairing.differences import (
    Key,
    Line,
    at_seat,
    difference_text,
    format_difference,
    pairing_text,
    plain_difference,
    reading_order,
)
from simdom.pairing.sums import CHANGES, PairedEstimate
from simdom.plots.differences import (
    PERCENTAGE_POINTS,
    DifferencePlot,
    DifferenceRow,
    plot_differences,
)
from simdom.results import Result
from simdom.rules import RULES_VERSION, rules_to_dict

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SCHEMA", "Comparison", "Versus"]

SCHEMA = "simdom.comparison/1"

PAIRED = ("difference", "difference_se", "difference_low", "difference_high", "difference_sd")
CHANGE_LABELS = dict(
    zip(CHANGES, ("The winner changes", "The points change", "Blocked in one only"), strict=True)
)


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
        changes: `simdom.pairing.sums.CHANGES`; None where tables of two sizes have nothing to
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
        rounds: that each played.
        confidence: of the intervals, between 0 and 1.
        metrics: every metric of each contender, as `simdom.simulate.simulate` gives them.
        differences: one for each contender after the first.
        seconds: time that the rounds took.
        threads: that played them.
        command: the command line that repeats it.
        asked: rounds that were asked for, if it was interrupted before; else None.
        version: of simdom.
        rules_version: see `simdom.rules.RULES_VERSION`.
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

    @property
    def names(self) -> list[str]:
        """The contenders' names; two that are the same have the same."""
        return [contender.name for contender in self.contenders]

    @property
    def results(self) -> list[Result]:
        """Each contender's own figures, as a result without distributions."""
        return [
            Result(
                variant=contender.name,
                rules=contender.rules,
                strategies=contender.strategies,
                seed=self.seed,
                rounds=self.rounds,
                confidence=self.confidence,
                metrics=metrics,
                distributions={},
                seconds=self.seconds,
                threads=self.threads,
                command="",
                asked=self.asked,
                version=self.version,
                rules_version=self.rules_version,
            )
            for contender, metrics in zip(self.contenders, self.metrics, strict=True)
        ]

    @property
    def played(self) -> list[str]:
        """The rules and the play, in words: what all have in common, then what each has alone."""
        return describe_contenders(self.contenders)

    @property
    def made(self) -> str:
        """Rounds, seed, confidence and version, in one line."""
        asked = "" if self.asked is None else f" (interrupted: {self.asked:,} asked for)"
        return (
            f"{self.rounds:,} round{'' if self.rounds == 1 else 's'}{asked} of each on the same "
            f"shuffles, seed {self.seed}; intervals at {self.confidence * 100:.10g}%; "
            f"simdom {self.version}, rules version {self.rules_version}"
        )

    def told(self, index: int) -> str:
        """What contender number ``index`` changes of the first, in a sentence or two."""
        versus = self.differences[index - 1]
        blocked, opener = (
            difference_text(versus.metrics, name) for name in ("blocked_rate", "opener_win_rate")
        )
        told = f"Rounds blocked: {blocked}; won by the opener: {opener}"
        if versus.rates_only:
            this, first = (self.contenders[number].rules.players for number in (index, 0))
            return (
                f"{told}. Only rates are compared, for {this} players and {first} have neither "
                "the same seats nor the same points to win."
            )
        points = difference_text(versus.metrics, "points")
        winner = dict(self.changes(index))[CHANGE_LABELS["winner_changed_rate"]]
        return f"{told}; points a round: {points}; another winner: {winner} of rounds."

    def _sentence(self, index: int) -> str:
        return f"{self.names[index]} against {self.names[0]}: {self.told(index)}"

    def worth(self, index: int) -> str:
        """How many independent rounds pairing was worth to contender ``index``, in a sentence."""
        blocked = self.differences[index - 1].metrics.get("blocked_rate")
        if not isinstance(blocked, PairedEstimate) or math.isnan(blocked.pairing):
            return ""
        return (
            f"Pairing: for the blocked share, these {self.rounds:,} paired rounds are as good as "
            f"{round(self.rounds * blocked.pairing):,} independent rounds of each "
            f"(×{blocked.pairing:.3g})."
        )

    def summary(self) -> str:
        """What was compared, and one sentence for each contender after the first."""
        return "\n".join([f"{self.made}.", *map(self._sentence, range(1, len(self.contenders)))])

    def lines(self, index: int, metrics: Sequence[str] | None = None) -> list[Line]:
        """The table of contender number ``index`` against the first, for people.

        Args:
            index: from 1.
            metrics: only these; None leaves out what the rules of both decide and what says again
                what another says.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        results = [self.results[number] for number in (0, index)]
        lines = []
        for (name, seat), label in self._shown(index, metrics).items():
            kind = METRICS[name].kind
            difference = at_seat(self.differences[index - 1].metrics[name], seat)
            first, other = (format_parts(each.estimate(name, seat), kind)[0] for each in results)
            told = format_difference(difference, kind)
            pairing = pairing_text(difference)
            lines.append(Line(METRICS[name].group, label, first, other, *told, pairing))
        return lines

    def _shown(self, index: int, metrics: Sequence[str] | None) -> dict[Key, str]:
        """The labels of the metrics that a person wants to see, in the order of their groups."""
        results = [self.results[number] for number in (0, index)]
        first, other = (
            {(figure.metric, figure.seat): figure.label for figure in result.figures(metrics)}
            for result in results
        )
        wanted = {
            (figure.metric, figure.seat)
            for result in results
            for figures in result.figures_by_group(metrics).values()
            for figure in figures
            if figure.metric in self.differences[index - 1].metrics
        }
        return {
            # What stands behind a comma is the strategy of a seat.
            key: first[key] if first[key] == other[key] else first[key].partition(",")[0]
            for key in sorted(wanted, key=reading_order)
        }

    def changes(self, index: int) -> list[tuple[str, str]]:
        """Shares of rounds that go otherwise for contender ``index``: what, and how many."""
        return [
            (CHANGE_LABELS[name], format_estimate(share, "rate"))
            for name, share in self.differences[index - 1].changes.items()
            if share is not None
        ]

    def __repr__(self) -> str:
        return f"<Comparison of {self.rounds:,} rounds each: {', '.join(self.names)}>"

    def __str__(self) -> str:
        """The summary and a plain table for each contender after the first."""
        text = [self.summary()]
        for index in range(1, len(self.contenders)):
            text += ["", f"{self.names[index]} against {self.names[0]}"]
            text += [
                f"  {line.label:<34}{line.first:>10}{line.other:>10}  "
                f"{line.difference} {line.interval}".rstrip()
                for line in self.lines(index)
            ]
            text += [f"  {label:<34}{share}" for label, share in self.changes(index)]
        return "\n".join([*text, "", *self.played, self.command])

    def _repr_html_(self) -> str:
        """The summary and the tables, for a notebook."""
        left = ' style="text-align:left"'
        parts = [f"<p>{escape(self.made)}.</p>"]
        for index in range(1, len(self.contenders)):
            heads = ("", self.names[0], self.names[index], "difference", "", "pairing")
            rows = [line[1:] for line in self.lines(index)]
            rows += [(label, "", "", share, "", "") for label, share in self.changes(index)]
            body = "".join(
                f"<tr>{''.join(f'<td{left}>{escape(cell)}</td>' for cell in row)}</tr>"
                for row in rows
            )
            head = "".join(f"<th{left}>{escape(cell)}</th>" for cell in heads)
            parts.append(
                f"<table><caption{left}>{escape(self._sentence(index))}</caption>"
                f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            )
        parts += [f"<p>{'<br>'.join(map(escape, self.played))}</p>"]
        return "".join([*parts, f"<p><code>{escape(self.command)}</code></p>"])

    def to_dict(self, metrics: Sequence[str] | None = None) -> dict[str, Any]:
        """The document of schema `SCHEMA`: plain Python values only, nan as None.

        A figure of ``differences`` also has ``pairing`` and ``independent_rounds``, which
        is ``pairing`` times the rounds; both are None if no round differs.

        Args:
            metrics: only these; None takes all.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        names = list(METRICS) if metrics is None else check_metrics(metrics)
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
                }
                for contender in self.contenders
            ],
            "seed": self.seed,
            "rounds": self.rounds,
            **interrupted,
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

    def to_json(self, metrics: Sequence[str] | None = None) -> str:
        """`to_dict` as text; numbers in full precision."""
        document = self.to_dict(metrics)
        return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def to_csv(self, metrics: Sequence[str] | None = None) -> str:
        """The columns of `to_frame` as text, in full precision; what is not defined is empty.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        text = io.StringIO()
        writer = csv.DictWriter(text, _HEADER, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self._records(metrics))
        return text.getvalue()

    def to_frame(self, metrics: Sequence[str] | None = None) -> "pd.DataFrame":
        """One row for each contender, metric and seat.

        Returns:
            A DataFrame with the columns ``contender`` (0 for the first), ``variant``, ``metric``,
            ``seat``, ``estimate``, ``se``, ``low``, ``high``, ``count``, ``sd``, and what the
            first does not have: ``difference``, ``difference_se``, ``difference_low``,
            ``difference_high``, ``difference_sd``, ``pairing``, ``independent_rounds``. The shares
            of rounds that change are metrics of the contenders after the first.

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

    def plot(self, path: str | Path, metrics: Sequence[str] | None = None) -> None:
        """Draw the differences with their intervals into a PNG, SVG or PDF file.

        Args:
            path: the file; one that is there already is replaced.
            metrics: only these; None leaves out what the rules decide.

        Raises:
            UsageError: an unknown metric; as `simdom.plots.style.check_plot_path`.
            RunError: the file cannot be written; what was there before is still there.
        """
        plot_differences(self.to_plot(metrics), path)

    def to_plot(self, metrics: Sequence[str] | None = None) -> DifferencePlot:
        """What `plot` draws: a row for each metric that is compared.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        others = range(1, len(self.contenders))
        labels: dict[Key, str] = {}
        for number in others:
            labels |= self._shown(number, metrics)
        panels: dict[str, list[DifferenceRow]] = {}
        for name, seat in sorted(labels, key=reading_order):
            metric = METRICS[name]
            label = labels[name, seat]
            if metric.group.startswith("Who wins"):
                label = f"Won by {label[:1].lower()}{label[1:]}"
            unit = PERCENTAGE_POINTS if metric.kind == "rate" else metric.unit
            found = [
                at_seat(versus.metrics[name], seat) if name in versus.metrics else None
                for versus in self.differences
            ]
            panels.setdefault(unit, []).append(DifferenceRow(label, found))
        play = " ".join(self.played)
        return DifferencePlot(
            title=f"{self.names[1] if len(others) == 1 else 'Others'} against {self.names[0]}",
            names=[self.names[number] for number in others],
            panels=panels,
            small_print=(self.made, play, self.command),
        )
