"""What comes of a sweep: the cells with their figures, and ways to show and keep them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simdom._version import __version__
from simdom.counts import MOST_ROUNDS
from simdom.errors import RunError, UsageError, check_choice
from simdom.files import check_file, write_file
from simdom.formats import (
    csv_text,
    format_confidence,
    html_command,
    html_row,
    html_table,
    json_text,
)
from simdom.grids.axes import STRATEGY, VARIANT, Axis, Choice
from simdom.grids.cell import NOT_PLAYED, SKIPPED, Cell, Column, columns_of
from simdom.grids.picture import picture_of
from simdom.grids.tidy import Tidy
from simdom.grids.words import (
    READING,
    UNCORRECTED,
    amount_in_words,
    extremes_of,
    rules_in_words,
    skipped_in_words,
    subject_of,
    unsure_in_words,
)
from simdom.match_metrics import check_metrics_of, metrics_of
from simdom.plots.grid import GridPlot, plot_grid
from simdom.plots.style import Picture
from simdom.results import Result
from simdom.rules import RULES_VERSION

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["DEFAULT_METRICS", "SCHEMA", "Sweep", "check_table_path"]

SCHEMA = "simdom.sweep/1"

DEFAULT_METRICS = ("blocked_rate", "opener_win_rate", "points", "plays")
"""Those that a person sees who asks for none."""

DEFAULT_MATCH_METRICS = (
    *("rounds_per_match", "match_win_rate_first_opener"),
    *("blocked_points_share", "comeback_rate"),
)
"""The same of matches."""

SUFFIXES = ("csv", "parquet", "md", "json")
"""Of the files that a sweep can be saved as."""


@dataclass(frozen=True, repr=False)
class Sweep:
    """What a sweep found, and what was played.

    Wherever ``metrics`` can be named, None takes those of the sweep. If it has none either, files
    have all metrics, and a person sees `DEFAULT_METRICS`.

    Attributes:
        title: that was given, or of its study; empty if there was none.
        description: of its study; empty if there was none.
        axes: what was varied.
        fixed: what all cells have in common: the variant and the strategy, unless they are axes,
            and changes of toggles.
        cells: all of them, the last axis varying first.
        seed: of both random streams, in every cell.
        rounds: of each cell; of matches, how many matches. With ``until``, at most.
        confidence: of the intervals, between 0 and 1.
        metrics: the ones that were asked for; None if none was named.
        folder: where cells are kept; None if they are not.
        seconds: time that the rounds took, of the cells that were not read.
        threads: that played them.
        command: the command line that repeats it.
        of_matches: whether cells are of matches, and not of single rounds.
        until: half-widths of intervals by metric, to which each cell was played; empty if each has
            all of ``rounds``.
        version: of simdom.
        rules_version: see `simdom.rules.RULES_VERSION`.
        problem: why it ended before all cells were played, if not for Ctrl-C or the time; else
            empty.
        time_over: whether it ended because its time was over.
    """

    title: str
    description: str
    axes: tuple[Axis, ...]
    fixed: dict[str, Choice]
    cells: tuple[Cell, ...]
    seed: int
    rounds: int
    confidence: float
    metrics: tuple[str, ...] | None
    folder: Path | None
    seconds: float
    threads: int
    command: str
    of_matches: bool = False
    until: dict[str, float] = field(default_factory=dict)
    version: str = __version__
    rules_version: int = RULES_VERSION
    problem: str = ""
    time_over: bool = False

    @property
    def results(self) -> list[Result]:
        """The results of the cells that have one."""
        return [cell.result for cell in self.cells if cell.result is not None]

    @property
    def partial(self) -> bool:
        """Whether it was interrupted before all cells were played."""
        return self.missing > 0

    @property
    def missing(self) -> int:
        """How many cells are not played, though they could be."""
        return sum(cell.status == NOT_PLAYED for cell in self.cells)

    @property
    def kept(self) -> int:
        """How many cells were read rather than played."""
        return sum(cell.kept for cell in self.cells)

    @property
    def subject(self) -> str:
        """What was varied of what, such as ``pagat-block (random) by deal and players``."""
        return subject_of(self.axes, self.fixed)

    @property
    def heading(self) -> str:
        """The title; what was varied if there is none."""
        return self.title or self.subject

    @property
    def made(self) -> str:
        """Cells, rounds, seed, confidence and version, in one line."""
        statuses = [cell.status for cell in self.cells]
        absent = "".join(
            f", {statuses.count(status):,} of them {status}"
            for status in (SKIPPED, NOT_PLAYED)
            if status in statuses
        )
        unit = "match" if self.of_matches else "round"
        return (
            f"{len(self.cells):,} cell{'' if len(self.cells) == 1 else 's'}{absent}; "
            f"{amount_in_words(self.results, self.rounds, self.until, unit)}, "
            f"seed {self.seed}; "
            f"intervals at {format_confidence(self.confidence)}; "
            f"simdom {self.version}, rules version {self.rules_version}"
        )

    @property
    def notes(self) -> list[tuple[str, list[str]]]:
        """What stands under a table, with headings: the study, what was skipped, the rules."""
        rules = rules_in_words(self.axes, self.results)
        return [
            ("What the study is about", [self.description] if self.description else []),
            ("Skipped: no round can be played", skipped_in_words(self.cells)),
            ("Less sure than asked: there were too few rounds", unsure_in_words(self.cells)),
            ("What was played", [f"{self.subject}: {self.made}.", *rules]),
            ("How to read it", list(READING)),
        ]

    def columns(self, metrics: Sequence[str] | None = None) -> list[Column]:
        """The columns of figures of a table for people.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        default = DEFAULT_MATCH_METRICS if self.of_matches else DEFAULT_METRICS
        return columns_of(self.results, self._check(metrics or self.metrics or default))

    def _check(self, metrics: Sequence[str]) -> list[str]:
        """Return the names of metrics.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        return check_metrics_of(metrics, matches=self.of_matches)

    def rows(self, columns: Sequence[Column]) -> list[tuple[str, ...]]:
        """A row of text for each cell: what `heads` says, then a figure for each column."""
        rows = []
        for cell in self.cells:
            figures = [cell.status, *[""] * (len(columns) - 1)]
            if cell.result is not None:
                figures = [column.text(cell.result) for column in columns]
            amount = [_amount(cell)] if self.until else []
            rows.append((*map(str, cell.labels.values()), *amount, *figures))
        return rows

    @property
    def heads(self) -> tuple[str, ...]:
        """What stands left of the figures: the axes, and how much was played if that varies."""
        amount = ["Matches" if self.of_matches else "Rounds"] if self.until else []
        return (*(axis.name for axis in self.axes), *amount)

    @property
    def extremes(self) -> str:
        """Between what the first metric lies, and where."""
        return extremes_of(self.cells, self.columns()[0])

    def summary(self) -> str:
        """What was varied, and between what the first metric lies, in two sentences."""
        return f"{self.subject}: {self.made}. {self.extremes}."

    def __repr__(self) -> str:
        return f"<Sweep of {len(self.cells):,} cells: {self.subject}, seed {self.seed}>"

    def __str__(self) -> str:
        """The summary, a plain table and the notes."""
        lines = self._lines(None)
        widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
        text = [self.summary(), ""]
        for line in lines:
            cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
            text.append("  ".join(cells).rstrip())
        for heading, entries in self.notes:
            text += ["", heading, *(f"  {entry}" for entry in entries)] if entries else []
        return "\n".join([*text, "", self.command])

    def _lines(self, metrics: Sequence[str] | None) -> list[tuple[str, ...]]:
        """The table for people, its heads first."""
        columns = self.columns(metrics)
        return [(*self.heads, *(column.label for column in columns)), *self.rows(columns)]

    def _repr_html_(self) -> str:
        """The summary, a table and the notes, for a notebook."""
        heads, *rows = self._lines(None)
        parts = [html_table(self.summary(), heads, map(html_row, rows))]
        for heading, entries in self.notes:
            if entries:
                parts.append(html_table(heading, (), (html_row([entry]) for entry in entries)))
        return "".join([*parts, html_command(self.command)])

    def to_markdown(self, metrics: Sequence[str] | None = None) -> str:
        """The table for people with its notes, as Markdown.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        heads, *rows = self._lines(metrics)
        lines = [f"## {self.heading}", ""]
        for row in (heads, ("---",) * len(heads), *rows):
            escaped = (cell.replace("|", "\\|") for cell in row)
            lines.append(f"| {' | '.join(escaped)} |")
        for heading, entries in self.notes:
            if entries:
                lines += ["", f"{heading}:", "", *(f"- {entry}" for entry in entries)]
        return "\n".join([*lines, "", "```sh", self.command, "```", ""])

    def to_dict(self, metrics: Sequence[str] | None = None) -> dict[str, Any]:
        """The document of schema `SCHEMA`: plain Python values only, nan as None.

        Distributions are in the files of the cells, see `Cell.file`.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        names = self._names(metrics)
        changes = {name: choice.label for name, choice in self.fixed.items()}
        return {
            "schema": SCHEMA,
            "simdom": self.version,
            "rules_version": self.rules_version,
            "title": self.title,
            "description": self.description,
            "variant": changes.pop(VARIANT, None),
            "strategy": changes.pop(STRATEGY, None),
            "set": changes,
            "grid": {axis.name: list(axis.labels) for axis in self.axes},
            "seed": self.seed,
            **self._limits,
            "confidence": self.confidence,
            **({"partial": True} if self.partial else {}),
            "cells": [cell.to_dict(names) for cell in self.cells],
            "cells_played": len(self.results) - self.kept,
            "cells_kept": self.kept,
            "seconds": self.seconds,
            "threads": self.threads,
            "command": self.command,
        }

    @property
    def _limits(self) -> dict[str, Any]:
        """How far cells are played, in a document."""
        unit = "matches" if self.of_matches else "rounds"
        if not self.until:
            return {unit: self.rounds}
        bound = {f"max_{unit}": self.rounds} if self.rounds < MOST_ROUNDS else {}
        return {"until": self.until, **bound}

    def to_json(self, metrics: Sequence[str] | None = None) -> str:
        """`to_dict` as text; numbers in full precision."""
        return json_text(self.to_dict(metrics))

    def to_csv(self, metrics: Sequence[str] | None = None) -> str:
        """The columns of `to_frame` as text, in full precision; what is not defined is empty.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        tidy = self._tidy(metrics)
        return csv_text(tidy.header, tidy.records)

    def to_frame(
        self, metrics: Sequence[str] | None = None, *, wide: bool = False
    ) -> "pd.DataFrame":
        """The grid as a table.

        Args:
            metrics: only these.
            wide: whether to have one row a cell, with the columns ``points``, ``points_se``,
                ``points_low`` and ``points_high`` for each metric, and ``seat_win_rate_0`` for each
                seat.

        Returns:
            A DataFrame with a column for each axis, then ``metric``, ``seat``, ``estimate``,
            ``se``, ``low``, ``high``, ``count``, ``sd``, ``rounds``, ``status`` and ``reason``,
            and behind ``rounds`` perhaps ``matches`` and ``reached`` if cells were played until
            enough was known; a row for each cell, metric and seat. A cell that was skipped or not
            played has a row for each metric too, without figures, so that a pivot has all cells.

        Raises:
            UsageError: an unknown metric; the nearest spelling is offered.
        """
        tidy = self._tidy(metrics)
        return tidy.wide() if wide else tidy.long()

    def _tidy(self, metrics: Sequence[str] | None) -> Tidy:
        lengths = ["rounds", *(["matches"] if self.of_matches else []), "reached"]
        return Tidy(
            axes=[axis.name for axis in self.axes],
            cells=self.cells,
            names=self._names(metrics),
            lengths=lengths if self.until else (),
        )

    def _names(self, metrics: Sequence[str] | None) -> list[str]:
        every = list(metrics_of(matches=self.of_matches))
        return list(dict.fromkeys(self._check(metrics or self.metrics or every)))

    def save(
        self,
        path: str | Path,
        metrics: Sequence[str] | None = None,
        *,
        overwrite: bool = False,
    ) -> None:
        """Write a file: CSV, Parquet, Markdown or JSON, by its suffix.

        Args:
            path: the file.
            metrics: only these.
            overwrite: whether a file that is there already may be replaced.

        Raises:
            UsageError: an unknown metric; as `check_table_path`.
            RunError: the file cannot be written; what was there before is still there.
        """
        suffix = check_table_path(path, overwrite=overwrite)
        if suffix == "parquet":
            content = self.to_frame(metrics).to_parquet(None, index=False)
        else:
            write = {"csv": self.to_csv, "md": self.to_markdown, "json": self.to_json}[suffix]
            content = write(metrics).encode()
        write_file(Path(path), content)

    def plot(self, path: str | Path | None = None, metrics: Sequence[str] | None = None) -> Picture:
        """Draw the grid, as a picture or into a PNG, SVG or PDF file.

        One axis is a line with intervals, for each metric in a panel of its own. Two are a heat
        map of the first metric, and three are several of them.

        Args:
            path: a file to save it in, too; one that is there already is replaced.
            metrics: which are drawn; ``blocked_rate`` if the sweep has none either.

        Raises:
            UsageError: as `to_plot` and `simdom.plots.style.check_plot_path`.
            RunError: no cell is finished; the file cannot be written, and what was there before is
                still there.
        """
        return plot_grid(self.to_plot(metrics), path)

    def to_plot(self, metrics: Sequence[str] | None = None) -> GridPlot:
        """What `plot` draws.

        Raises:
            UsageError: as `simdom.grids.picture.check_drawable`.
            RunError: no cell is finished.
        """
        if not self.results:
            raise RunError("no cell is finished yet, so there is nothing to draw")
        rules = " ".join(rules_in_words(self.axes, self.results))
        return picture_of(
            self.axes,
            [cell.status if cell.result is None else cell.result for cell in self.cells],
            metrics or self.metrics,
            title=self.heading,
            small_print=(f"{self.subject}: {self.made}. {UNCORRECTED}", rules, self.command),
        )


def _amount(cell: Cell) -> str:
    """How much was played in a cell, and whether more of it was not allowed."""
    if cell.result is None:
        return ""
    return f"{cell.result.trials:,}{'' if cell.result.reached else ' (bound)'}"


def check_table_path(path: str | Path, *, overwrite: bool = False) -> str:
    """Return the format that ``path`` asks for; ask before a long run.

    Raises:
        UsageError: its suffix is no format; Parquet is asked for without pyarrow; it is a folder;
            it is there already, and may not be replaced; what is above it is a file or cannot be
            written to.
    """
    suffix = Path(path).suffix.lower().removeprefix(".")
    if not suffix:
        raise UsageError(f"{path} has no suffix: choose one of .{', .'.join(SUFFIXES)}")
    check_choice("file format", suffix, SUFFIXES)
    if suffix == "parquet" and find_spec("pyarrow") is None:
        needed = "Parquet needs pyarrow: pip install 'simdom[parquet]'"
        raise UsageError(f"{path}: {needed}; or name a .csv")
    check_file(Path(path))
    if not overwrite and Path(path).exists():
        raise UsageError(
            f"{path} already holds a result: "
            "name a new file, or overwrite it (overwrite=True, or --overwrite)"
        )
    return suffix
