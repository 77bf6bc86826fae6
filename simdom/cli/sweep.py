"""``simdom sweep``: a grid of rules, cell by cell."""

import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simdom.cli.longrun import (
    WHOLE,
    ExecutorName,
    MaxRounds,
    MaxTime,
    Scheduler,
    Until,
    Workers,
    trials_asked,
)
from simdom.cli.options import (
    Confidence,
    MatchMode,
    MetricNames,
    OutputFormat,
    Overrides,
    Players,
    Quiet,
    Rounds,
    Seed,
    StrategyNames,
    Target,
    Threads,
    VariantName,
    is_written,
    plot_option,
)
from simdom.cli.progress import COMPILING, ProgressBar, interrupts, note
from simdom.cli.sheets import Sheet, new_console, print_answer
from simdom.cli.streams import say
from simdom.counts import MOST_ROUNDS
from simdom.errors import BrokenOffError, RunError
from simdom.grids.folder import user_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from simdom.grids.cell import Column
    from simdom.grids.plan import Plan
    from simdom.grids.table import Sweep

__all__ = ["sweep"]

MATCHES = 10_000
"""Of each cell, if none are asked for."""


def _user_folder() -> str:
    """Where cells are kept on this system, for a person."""
    try:
        folder, home = user_folder(), Path.home()
    except RuntimeError:  # a user without a home
        return "nowhere"
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)


_USER_FOLDER = _user_folder()


def sweep(
    context: typer.Context,
    study: Annotated[
        str | None,
        typer.Argument(
            metavar="STUDY",
            help="A TOML file that says what is varied, or one of the above; options override it.",
        ),
    ] = None,
    grid: Annotated[
        list[str],
        typer.Option(
            "--grid",
            "-g",
            metavar="NAME=VALUES",
            help="Vary a toggle, strategy or variant: deal=5,6,7 or reserve=0..6 or deal=3..9:2. "
            "Seats that play by different strategies are joined: normal+random. May be repeated.",
        ),
    ] = [],
    variant: VariantName = "pagat-draw",
    rounds: Rounds = 100_000,
    players: Players = None,
    overrides: Overrides = [],
    strategy: StrategyNames = "random",
    match: MatchMode = False,
    target: Target = None,
    seed: Seed = 1,
    threads: Threads = None,
    confidence: Confidence = 0.95,
    output_format: OutputFormat = "table",
    metrics: MetricNames = [],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Also save all cells in this new file: .csv, .parquet, .md or .json.",
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the file in --out.")
    ] = False,
    plot: Annotated[
        Path | None,
        plot_option(
            "Also draw it: one axis as lines, with a panel for each --metric; two as a heat map of "
            "the first --metric, three as several. Blocked rounds if none is named."
        ),
    ] = None,
    cells: Annotated[
        str | None,  # an empty path would be the current folder
        typer.Option(
            metavar="DIR",
            help="Where finished cells are kept, and read when they are asked for again, and where "
            f"one that is broken off waits; else SIMDOM_CELLS, or {_USER_FOLDER}. Delete the "
            "folder to be rid of them.",
        ),
    ] = None,
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The headline; the study's unless given.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Play all cells, whatever is kept.")
    ] = False,
    until: Until = [],
    max_rounds: MaxRounds = None,
    max_time: MaxTime = None,
    executor: ExecutorName = "threads",
    scheduler: Scheduler = None,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Play every combination of some rules, and print the grid. Only missing cells are played.

    After Ctrl-C, a crash or --max-time the same command goes on, in the midst of a cell too. With
    --until, each cell has as many rounds as it takes.

    \b
    Examples:
      simdom sweep --variant pagat-block --grid deal=5,6,7 --grid players=2,3,4
      simdom sweep --grid reserve=0..6 --grid strategy=random,normal --plot grid.svg
      simdom sweep --grid variant=pagat-draw,app-draw --metric points --out grid.csv
      simdom sweep block-hands -n 1e6 --max-time 8h
      simdom sweep --grid reserve=0..6 --until blocked_rate=0.002 --max-rounds 1e7
      simdom sweep --match --variant pagat-block --grid block_score=minus_own,others,all_hands

    \b
    Studies:
      block-hands       Block: how many tiles to deal, and to how many players
      draw-reserve      Draw: how many tiles stay in the boneyard, by how people play
      one-plays-better  Draw: what one seat gains by its play, against random play
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.grids.axes import parse_grid
    from simdom.grids.picture import check_drawable
    from simdom.grids.sweep import plan_sweep
    from simdom.grids.table import check_table_path
    from simdom.running.stopping import parse_precision
    from simdom.variants import parse_set

    asked = trials_asked(context, rounds, until, max_rounds, MATCHES if match else None)
    plan = plan_sweep(
        study,
        grid=parse_grid(grid),
        players=players,
        overrides=parse_set(overrides),
        metrics=metrics or None,
        title=title,
        rounds=asked if until or is_written(context, "rounds") else None,
        matches=(asked or MOST_ROUNDS) if match else None,
        target=target,
        until=parse_precision(until) or None,
        **_given(context, variant=variant, strategy=strategy, seed=seed),
    )
    if out is not None:
        check_table_path(out, overwrite=overwrite)
    if plot is not None:
        check_drawable(plan.axes, plan.metrics, matches=plan.matches)
    found, failure = _play(
        plan,
        {
            "name": executor,
            "threads": threads,
            "scheduler": scheduler,
            "workers": workers,
        },
        quiet=quiet,
        confidence=confidence,
        max_time=max_time,
        cells=cells,
        fresh=fresh,
    )
    try:
        # Before the figures are printed, for whoever reads them may stop reading, as `head` does.
        _save(found, out=out, plot=plot, overwrite=overwrite, quiet=quiet)
    finally:
        _print_sweep(found, output_format)
    _end(found, failure, again=found.folder is not None and not fresh, quiet=quiet)


def _play(
    plan: "Plan",
    where: dict[str, Any],
    *,
    quiet: bool,
    **options: Any,  # noqa: ANN401 -- those of `play_plan`
) -> "tuple[Sweep, BrokenOffError | None]":
    """The sweep; and what broke it off, if that left some cells.

    Args:
        plan: what is played.
        where: the arguments of `simdom.executors.choosing.opened`.
        quiet: whether nothing is said meanwhile.
        options: others of `simdom.grids.sweep.play_plan`.
    """
    from simdom.executors.choosing import opened
    from simdom.grids.playing import Watching
    from simdom.grids.sweep import play_plan
    from simdom.grids.table import Sweep

    with opened(**where) as executor, _CellBar(plan, quiet=quiet) as progress:
        watching = Watching(
            progress=progress,
            on_compile=lambda: note(COMPILING, quiet=quiet),
            on_note=lambda line: note(line, quiet=quiet),
            on_cell=progress.begin,
            on_look=progress.see,
        )
        try:
            return play_plan(plan, executor=executor, watching=watching, **options), None
        except BrokenOffError as error:
            if not isinstance(error.result, Sweep):
                raise
            return error.result, error


def _end(found: "Sweep", failure: BrokenOffError | None, *, again: bool, quiet: bool) -> None:
    """Say why cells are missing, if some are.

    Raises:
        RunError: something failed.
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    done = f"{len(found.results):,} of {len(found.cells):,} cells"
    goes_on = "; the same command goes on from there" if again else ""
    if failure is not None:
        raise RunError(f"{failure}; the figures are of {done}{goes_on}")
    if found.problem:
        raise RunError(f"{found.problem}; the figures are of {done}")
    if not found.partial:
        return
    if found.time_over and not interrupts.seen:
        are = "1 is missing" if found.missing == 1 else f"{found.missing:,} are missing"
        note(f"The time is over after {done}: {are}{goes_on}.", quiet=quiet)
        return
    say(f"simdom: interrupted after {done}{goes_on}")
    interrupts.told = True
    raise KeyboardInterrupt


def _given(context: typer.Context, **options: Any) -> dict[str, Any]:  # noqa: ANN401 -- of any type
    """Those options that were written: the others leave it to the study."""
    return {name: value for name, value in options.items() if is_written(context, name)}


class _CellBar(ProgressBar):
    """A progress bar of rounds that also says which of the cells is being played."""

    def __init__(self, plan: "Plan", *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._rate = "matches/s" if plan.matches else "rounds/s"

    def begin(self, cell: int, cells: int) -> None:
        """Say which cell is played now, of those to play."""
        self.seen = None  # what was known of the one before
        self._unit = f"{self._rate}, cell {cell:,} of {cells:,}"


def _save(
    found: "Sweep", *, out: Path | None, plot: Path | None, overwrite: bool, quiet: bool
) -> None:
    if out is not None and found.partial and out.exists():
        note(WHOLE.format("Not saved in", out), quiet=quiet)
    elif out is not None:
        found.save(out, overwrite=overwrite)
        note(f"Saved in {out}.", quiet=quiet)
    if plot is not None and not found.results:
        note(f"Not drawn in {plot}: no cell is finished.", quiet=quiet)
    elif plot is not None and found.partial and plot.exists():
        note(WHOLE.format("Not drawn in", plot), quiet=quiet)
    elif plot is not None:
        found.plot(plot)
        note(f"Drawn in {plot}.", quiet=quiet)


def _print_sweep(found: "Sweep", output_format: str) -> None:
    if output_format == "markdown":  # as --out writes it
        sys.stdout.write(found.to_markdown())
        return
    print_answer(
        output_format,
        to_json=found.to_json,
        to_csv=found.to_csv,
        sheets=lambda: _sheets(found, new_console().width),
        command=found.command,
    )


def _sheets(found: "Sweep", width: int) -> "Iterator[Sheet]":
    """The grid, in as many tables as it takes to show whole every figure that was asked for.

    If nobody asked for any, one table has those that there is room for.
    """
    columns = found.columns()
    rows = found.rows(columns)
    left = found.heads
    blocks = [*_blocks(left, columns, rows, width)]
    left_out: list[str] = []
    if found.metrics is None:
        left_out = [columns[at].metric for block in blocks[1:] for at in block]
        del blocks[1:]
    for number, block in enumerate(blocks):
        places = [*range(len(left)), *(len(left) + at for at in block)]
        yield Sheet(
            heading=found.heading if number == 0 else "The same cells",
            lead=f"{found.extremes}." if number == 0 else "",
            columns=(*left, *(_head(columns[at], rows, len(left) + at) for at in block)),
            rows=[tuple(row[place] for place in places) for row in rows],
            notes=[] if block is not blocks[-1] else [*_more(left_out), *found.notes],
        )


def _more(left_out: "Sequence[str]") -> "Iterator[tuple[str, list[str]]]":
    if left_out:
        yield (
            "Not shown for want of room",
            [f"{name}: say --metric {name}, or use a wider terminal" for name in left_out],
        )


def _blocks(
    left: "Sequence[str]", columns: "Sequence[Column]", rows: "Sequence[Sequence[str]]", width: int
) -> "Iterator[list[int]]":
    """Which columns of figures stand in one table: as many as there is room for, at least one."""
    heads = [*left, *(_head(column, rows, len(left) + at) for at, column in enumerate(columns))]
    sizes = [
        _GAP + max(len(line) for text in (head, *cells) for line in text.split("\n"))
        for head, *cells in zip(heads, *rows, strict=True)
    ]
    room = width + _GAP - sum(sizes[: len(left)])
    block: list[int] = []
    taken = 0
    for at, size in enumerate(sizes[len(left) :]):
        if block and taken + size > room:
            yield block
            block, taken = [], 0
        block.append(at)
        taken += size
    yield block


_GAP = 2  # characters between two columns
_SHORTEST = 10  # characters of a line of a heading


def _head(column: "Column", rows: "Sequence[Sequence[str]]", place: int) -> str:
    """The heading of a column, on lines that are no longer than its figures."""
    return textwrap.fill(column.label, max(_SHORTEST, *(len(row[place]) for row in rows)))
