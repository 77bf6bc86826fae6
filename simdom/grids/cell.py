"""A cell of a grid and what has become of it; a column of figures, and what it finds in a cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from simdom.document import plain_metrics
from simdom.estimate import Estimate, Metrics
from simdom.grids.axes import Label
from simdom.match_metrics import ALL_METRICS, tell_estimate
from simdom.results import Result
from simdom.rules import rules_to_dict

__all__ = ["DONE", "NOT_PLAYED", "SKIPPED", "Cell", "Column", "columns_of"]

DONE, SKIPPED, NOT_PLAYED = "done", "skipped", "not played"
"""What has become of a cell; the last only where a sweep was interrupted."""


@dataclass(frozen=True)
class Cell:
    """One combination of values.

    Attributes:
        labels: the value of each axis.
        result: of its rounds, without distributions; None if it was skipped or not played.
        reason: why no round can be played under its rules; else empty.
        file: where it is kept, distributions and all; None if it is not.
        kept: whether it was read rather than played.
    """

    labels: dict[str, Label]
    result: Result | None = None
    reason: str = ""
    file: Path | None = None
    kept: bool = False

    @property
    def name(self) -> str:
        """Such as ``deal=5, players=2``."""
        return ", ".join(f"{axis}={label}" for axis, label in self.labels.items())

    @property
    def status(self) -> str:
        """`DONE`, `SKIPPED` or `NOT_PLAYED`."""
        if self.result is not None:
            return DONE
        return SKIPPED if self.reason else NOT_PLAYED

    def to_dict(self, metrics: Sequence[str]) -> dict[str, Any]:
        """The cell as a document of plain values, with these metrics of its result."""
        plain: dict[str, Any] = {"values": self.labels, "status": self.status}
        if self.result is None:
            return plain | ({"reason": self.reason} if self.reason else {})
        figures = Metrics((name, self.result.metrics[name]) for name in metrics)
        return plain | {
            "variant": self.result.variant,
            "rules": rules_to_dict(self.result.rules),
            "strategies": list(self.result.strategies),
            "strategy_details": self.result.strategy_details,
            **({} if self.result.target is None else {"target": self.result.target}),
            **self._amount(self.result),
            "metrics": plain_metrics(figures),
            "command": self.result.command,
        }

    @staticmethod
    def _amount(result: Result) -> dict[str, Any]:
        """How much was played, where that was not said before."""
        if not result.until:
            return {}
        unit = "rounds" if result.matches is None else "matches"
        return {unit: result.trials, "reached": result.reached}


class Column(NamedTuple):
    """A column of figures: a metric, of a metric by seat which seat, and what it is called."""

    metric: str
    seat: int | None
    label: str

    @property
    def name(self) -> str:
        """The name of the column in a file, such as ``seat_win_rate_1``."""
        return self.metric if self.seat is None else f"{self.metric}_{self.seat}"

    def find(self, result: Result) -> Estimate | None:
        """The figure of a result; None if its table has no such seat, or no teams."""
        found = result.metrics[self.metric]
        if self.seat is not None and isinstance(found, list) and self.seat >= len(found):
            return None
        return result.estimate(self.metric, self.seat)

    def text(self, result: Result) -> str:
        """The figure of a result with its interval, for a person; or nothing."""
        found = self.find(result)
        return "" if found is None else " ".join(filter(None, tell_estimate(self.metric, found)))


def columns_of(results: Sequence[Result], metrics: Sequence[str]) -> list[Column]:
    """A column for each metric; of a metric by seat or by team, for each that any table has.

    Without any result there is no table yet, and so no seat.
    """
    if not results:
        return [Column(name, None, ALL_METRICS[name].label) for name in dict.fromkeys(metrics)]
    names = list(dict.fromkeys(metrics))
    tables = {(result.rules.players, result.rules.teams): result for result in results}
    found = {
        # What stands behind a comma is the strategy of a seat, which may vary.
        (names.index(figure.metric), figure.seat or 0): Column(
            figure.metric, figure.seat, figure.label.partition(",")[0]
        )
        for _, result in sorted(tables.items())
        for figure in result.figures(names)
    }
    return [column for _, column in sorted(found.items())]
