"""The difference of two saved results, and ways to show and keep it."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from simdom._version import __version__
from simdom.document import plain_estimate
from simdom.estimate import Estimate, Metrics, format_estimate
from simdom.formats import (
    csv_text,
    format_confidence,
    html_command,
    html_row,
    html_table,
    json_text,
)
from simdom.match_metrics import ALL_METRICS, check_metrics_of, tell_estimate
from simdom.pairing.differences import (
    Key,
    Line,
    at_seat,
    difference_text,
    pairing_text,
    plain_difference,
    reading_order,
    tell_difference,
)
from simdom.pairing.showing import CHANGE_LABELS
from simdom.results import Result
from simdom.rules import RULES_VERSION, rules_to_dict

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SCHEMA", "Difference"]

SCHEMA = "simdom.difference/1"

_PARTS = ("estimate", "se", "low", "high")
_HEADER = (
    *("metric", "seat", "first", "first_low", "first_high", "other", "other_low", "other_high"),
    *("difference", "difference_se", "difference_low", "difference_high", "pairing"),
)
_MAIN = ("blocked_rate", "opener_win_rate", "points")
_MAIN_OF_MATCHES = ("match_win_rate_first_opener", "rounds_per_match", "blocked_points_share")


@dataclass(frozen=True, repr=False)
class Difference:
    """What one saved result gives less another.

    Attributes:
        names: where the first and the other were saved.
        results: both; if they are paired, what they gave when they were played again.
        is_paired: whether the differences are of the same shuffles, round by round.
        why: why they are, or why they are not.
        differences: the other minus the first, for every metric that both have.
        changes: shares of rounds, or matches, that go otherwise; none of independent results. None
            where two tables have nothing to compare.
        confidence: of the intervals, between 0 and 1.
        asked: rounds, or matches, that were to be played again, if that was interrupted; else None.
        caution: what to beware of; mostly nothing.
        seconds: time that it took to play them again; 0 if they were not.
        command: the command line that repeats it.
        version: of simdom.
        rules_version: see `simdom.rules.RULES_VERSION`.
    """

    names: tuple[str, str]
    results: tuple[Result, Result]
    is_paired: bool
    why: str
    differences: Metrics
    changes: dict[str, Estimate | None]
    confidence: float
    asked: int | None = None
    caution: str = ""
    seconds: float = 0.0
    command: str = ""
    version: str = __version__
    rules_version: int = RULES_VERSION

    @property
    def of_matches(self) -> bool:
        """Whether they are of matches, and not of single rounds."""
        return self.results[0].matches is not None

    @property
    def unit(self) -> str:
        """What they are of: "rounds" or "matches"."""
        return "matches" if self.of_matches else "rounds"

    @property
    def way(self) -> str:
        """Which of the two ways it was made in, and why."""
        return f"{'Paired' if self.is_paired else 'Independent'}: {self.why}."

    @property
    def method(self) -> str:
        """Where the intervals come from."""
        told = (
            "Student's t of the paired differences"
            if self.is_paired
            else "Newcombe's of Wilson's for rates, Welch's t for means and shares of points"
        )
        return f"Intervals at {format_confidence(self.confidence)}: {told}."

    @property
    def made(self) -> list[str]:
        """What the two are, and which simdom compared them."""
        again = "Played again of " if self.is_paired else ""  # a part of what the document holds
        told = [
            f"{again}{name}: {result.identity}; saved by simdom {result.version}, rules version "
            f"{result.rules_version}."
            for name, result in zip(self.names, self.results, strict=True)
        ]
        versions = f"Compared by simdom {self.version}, rules version {self.rules_version}."
        return [*told, *filter(None, [self.caution]), versions]

    @property
    def rates_only(self) -> bool:
        """Whether the numbers of players differ, so that only rates are compared."""
        return len({result.rules.players for result in self.results}) > 1

    def summary(self) -> str:
        """The way and the main differences."""
        main = _MAIN_OF_MATCHES if self.of_matches else _MAIN
        told = [
            f"{ALL_METRICS[name].label} {difference_text(self.differences, name)}"
            for name in main
            if name in self.differences
        ]
        return f"{self.names[1]} less {self.names[0]}: {'; '.join(told)}. {self.way} {self.method}"

    def lines(self, metrics: Sequence[str] | None = None) -> list[Line]:
        """The table for people.

        Args:
            metrics: only these; None leaves out what the rules of both decide and what says again
                what another says.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        lines = []
        for (name, seat), label in self._labels(metrics).items():
            found = at_seat(self.differences[name], seat)
            first, other = (
                tell_estimate(name, each.estimate(name, seat))[0] for each in self.results
            )
            told = tell_difference(name, found)
            group = ALL_METRICS[name].group
            lines.append(Line(group, label, first, other, *told, pairing_text(found)))
        return lines

    def _labels(self, metrics: Sequence[str] | None) -> dict[Key, str]:
        """The labels of what a person wants to see, in the order of their groups."""
        play_alike = self.results[0].strategies == self.results[1].strategies
        labels = {
            # What stands behind a comma is the strategy of a seat.
            (figure.metric, figure.seat): figure.label
            if play_alike or not ALL_METRICS[figure.metric].per_seat
            else figure.label.partition(",")[0]
            for result in self.results
            for figures in result.figures_by_group(metrics).values()
            for figure in figures
            if figure.metric in self.differences
        }
        return {key: labels[key] for key in sorted(labels, key=reading_order)}

    def changed(self) -> list[tuple[str, str]]:
        """Shares of rounds, or matches, that go otherwise: what, and how many."""
        return [
            (CHANGE_LABELS[name], format_estimate(share, "rate"))
            for name, share in self.changes.items()
            if share is not None
        ]

    def __repr__(self) -> str:
        way = "paired" if self.is_paired else "independent"
        return f"<Difference of {self.names[0]} and {self.names[1]}, {way}>"

    def __str__(self) -> str:
        """The summary and a plain table."""
        text = [self.summary(), ""]
        text += [
            f"  {line.label:<34}{line.first:>10}{line.other:>10}  "
            f"{line.difference} {line.interval}".rstrip()
            for line in self.lines()
        ]
        text += [f"  {label:<34}{share}" for label, share in self.changed()]
        return "\n".join([*text, "", *self.made, self.command])

    def _repr_html_(self) -> str:
        """The summary and a table, for a notebook."""
        heads = ("", *self.names, "difference", "", "pairing")
        rows = [html_row(line[1:]) for line in self.lines()]
        rows += [html_row((label, "", "", share, "", "")) for label, share in self.changed()]
        below = f"<p>{'<br>'.join(map(escape, self.made))}</p>"
        return html_table(self.summary(), heads, rows) + below + html_command(self.command)

    def to_dict(self, metrics: Sequence[str] | None = None) -> dict[str, Any]:
        """The document of schema `SCHEMA`: plain Python values only, nan as None.

        Args:
            metrics: only these; None takes all.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        names = self._names(metrics)
        trials = self.trials
        return {
            "schema": SCHEMA,
            "simdom": self.version,
            "rules_version": self.rules_version,
            "results": [
                {
                    "name": name,
                    "variant": result.variant,
                    "rules": rules_to_dict(result.rules),
                    "strategies": list(result.strategies),
                    "seed": result.seed,
                    **({"target": result.target} if self.of_matches else {}),
                    self.unit: count,
                    "metrics": {key: plain_difference(result.metrics[key], count) for key in names},
                }
                for name, result, count in zip(self.names, self.results, trials, strict=True)
            ],
            "paired": self.is_paired,
            "why": self.why,
            "caution": self.caution,
            **({} if self.asked is None else {"asked": self.asked, "partial": True}),
            "confidence": self.confidence,
            "differences": {
                key: plain_difference(self.differences[key], min(trials)) for key in names
            },
            "changes": {
                key: None if share is None else plain_estimate(share)
                for key, share in self.changes.items()
            },
            "seconds": self.seconds,
            "command": self.command,
        }

    @property
    def trials(self) -> list[int]:
        """Rounds, or matches, of the first and of the other."""
        return [each.rounds if each.matches is None else each.matches for each in self.results]

    def _names(self, metrics: Sequence[str] | None) -> list[str]:
        """Metrics that both have; of these, those that are asked for.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        if metrics is None:
            return list(self.differences)
        asked = check_metrics_of(metrics, matches=self.of_matches)
        return [name for name in asked if name in self.differences]

    def to_json(self, metrics: Sequence[str] | None = None) -> str:
        """`to_dict` as text; numbers in full precision."""
        return json_text(self.to_dict(metrics))

    def to_csv(self, metrics: Sequence[str] | None = None) -> str:
        """The columns of `to_frame` as text, in full precision; what is not defined is empty."""
        return csv_text(_HEADER, self._records(metrics))

    def to_frame(self, metrics: Sequence[str] | None = None) -> "pd.DataFrame":
        """One row for each metric and seat.

        Returns:
            A DataFrame with the columns ``metric``, ``seat``, ``first``, ``first_low``,
            ``first_high``, ``other``, ``other_low``, ``other_high``, ``difference``,
            ``difference_se``, ``difference_low``, ``difference_high`` and ``pairing``, which is
            missing if they are independent.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        import pandas as pd

        frame = pd.DataFrame(self._records(metrics), columns=list(_HEADER))
        return frame.astype({"seat": "Int64"} | dict.fromkeys(_HEADER[2:], "float64"))

    def _records(self, metrics: Sequence[str] | None) -> list[dict[str, Any]]:
        records = []
        for name in self._names(metrics):
            found = self.differences[name]
            for seat in range(len(found)) if isinstance(found, list) else [None]:
                record: dict[str, Any] = {"metric": name, "seat": seat}
                plain = plain_difference(at_seat(found, seat), min(self.trials))
                record |= {
                    f"difference_{part}".removesuffix("_estimate"): plain[part] for part in _PARTS
                }
                record["pairing"] = plain.get("pairing")
                for place, result in zip(("first", "other"), self.results, strict=True):
                    own = plain_estimate(result.estimate(name, seat))
                    record |= {place: own["estimate"]}
                    record |= {f"{place}_{end}": own[end] for end in ("low", "high")}
                records.append(record)
        return records
