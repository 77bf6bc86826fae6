"""A grid as a table of numbers: a row for each cell and figure, or for each cell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simdom.document import COLUMNS, plain_estimate
from simdom.grids.cell import Cell, columns_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Tidy"]

_FIGURE = ("metric", "seat", *COLUMNS)
_WHOLE = ("seat", "count", "rounds")
_INTERVAL = ("se", "low", "high")
_LENGTHS = {"rounds": "Int64", "matches": "Int64", "reached": "boolean"}
"""Columns that say how much was played of a cell, with their types."""


@dataclass(frozen=True)
class Tidy:
    """Cells as rows of numbers, in full precision.

    Attributes:
        axes: their names.
        cells: all of them.
        names: of the metrics.
        lengths: the columns of `_LENGTHS` that differ from cell to cell; none where all cells have
            as many rounds or matches.
    """

    axes: Sequence[str]
    cells: Sequence[Cell]
    names: Sequence[str]
    lengths: Sequence[str] = ()

    @property
    def header(self) -> tuple[str, ...]:
        """The columns of `records`."""
        more = [name for name in self.lengths if name not in _WHOLE]
        return (*self.axes, *_FIGURE, "rounds", *more, "status", "reason")

    @property
    def records(self) -> Iterator[dict[str, Any]]:
        """A row for each cell, metric and seat; where there is no figure, for each cell and metric.

        What there is not is left out, or None.
        """
        for cell in self.cells:
            head = self._head(cell)
            if cell.result is None:
                yield from (head | {"metric": name} for name in self.names)
                continue
            for figure in cell.result.figures(self.names):
                yield (
                    head
                    | {"metric": figure.metric, "seat": figure.seat, "rounds": cell.result.rounds}
                    | plain_estimate(figure.estimate)
                )

    def long(self) -> "pd.DataFrame":
        """`records` with their types."""
        import pandas as pd

        frame = pd.DataFrame(self.records, columns=list(self.header))
        real = dict.fromkeys((name for name in COLUMNS if name not in _WHOLE), "float64")
        return frame.astype(dict.fromkeys(_WHOLE, "Int64") | real | self._types)

    def wide(self) -> "pd.DataFrame":
        """A row for each cell, with four columns for each metric and seat."""
        import pandas as pd

        columns = columns_of([cell.result for cell in self.cells if cell.result], self.names)
        records: list[dict[str, Any]] = []
        for cell in self.cells:
            record = self._head(cell)
            for column in columns:
                found = None if cell.result is None else column.find(cell.result)
                record[column.name] = None if found is None else found.estimate
                for part in _INTERVAL:
                    value = None if found is None else getattr(found, part)
                    record[f"{column.name}_{part}"] = value
            records.append(record)
        ends = ("", *(f"_{part}" for part in _INTERVAL))
        names = [f"{column.name}{end}" for column in columns for end in ends]
        return pd.DataFrame(records).astype(dict.fromkeys(names, "float64") | self._types)

    def _head(self, cell: Cell) -> dict[str, Any]:
        """What is said of a cell besides its figures."""
        head: dict[str, Any] = {**cell.labels, "status": cell.status, "reason": cell.reason}
        for name in self.lengths:
            head[name] = None if cell.result is None else getattr(cell.result, name)
        return head

    @property
    def _types(self) -> dict[str, str]:
        return {name: _LENGTHS[name] for name in self.lengths}
