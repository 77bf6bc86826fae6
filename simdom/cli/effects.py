"""``simdom effects``: every single change of a game, and which of them matter."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simdom.cli.longrun import (
    ExecutorName,
    LongRun,
    MaxRounds,
    MaxTime,
    Overwrite,
    Scheduler,
    Until,
    Workers,
    long_run,
    trials_asked,
)
from simdom.cli.options import (
    MatchMode,
    OutputFormat,
    Overrides,
    Players,
    Quiet,
    ResultFolder,
    Rounds,
    Seed,
    StrategyNames,
    Target,
    Threads,
    VariantName,
    confidence_option,
    plot_option,
)
from simdom.cli.sheets import Sheet, new_console, print_answer
from simdom.counts import MOST_ROUNDS
from simdom.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simdom.pairing.effect_table import EffectLine, Effects

__all__ = ["effects", "hand_over_effects"]

_SHORTER = {"blocked": "blocks"}  # where a column is narrow
_LUCK_ONLY = (
    "No average changes by as much as the smallest effect of interest, but who wins single {} does"
)
MATCHES = 20_000
"""Of each, if none are asked for."""

_GAPS = (2, 1)  # characters between two columns, if there is room for that


def effects(
    context: typer.Context,
    variant: VariantName = "pagat-draw",
    rounds: Rounds = 200_000,
    players: Players = None,
    overrides: Overrides = [],
    strategy: StrategyNames = "random",
    seed: Seed = 1,
    threads: Threads = None,
    confidence: Annotated[
        float,
        confidence_option(
            "Confidence that all verdicts hold together, such as 0.95; that of each interval "
            "follows from it."
        ),
    ] = 0.95,
    toggles: Annotated[
        list[str],
        typer.Option(
            "--toggle",
            metavar="NAME[=VALUES]",
            help="Change only this toggle, or `strategy`; to values of your own if you name them, "
            "such as deal=3,4. May be repeated.",
        ),
    ] = [],
    smallest: Annotated[
        list[str],
        typer.Option(
            metavar="METRIC=SIZE",
            help="The smallest effect of interest of a metric, such as points=1 or "
            "blocked_rate=0.02; may be repeated.",
        ),
    ] = [],
    match: MatchMode = False,
    target: Target = None,
    output_format: OutputFormat = "table",
    plot: Annotated[
        Path | None,
        plot_option("Also draw all effects with their intervals, a panel a metric."),
    ] = None,
    out: ResultFolder = None,
    overwrite: Overwrite = False,
    until: Until = [],
    max_rounds: MaxRounds = None,
    max_time: MaxTime = None,
    executor: ExecutorName = "threads",
    scheduler: Scheduler = None,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Make every single change of a game, and print what each does and whether it matters.

    All play the same shuffles, and all verdicts together hold at the confidence asked for. Tried
    are all values that have a name, of toggles and of strategies; 2 to 4 players; deals of 1 and 2
    tiles less and more; a reserve of 0 to 4; of other numbers, the default and those that sources
    name.

    \b
    Examples:
      simdom effects --variant pagat-draw
      simdom effects --variant pagat-block --players 4 --strategy normal
      simdom effects --toggle reserve --toggle deal -n 1e6
      simdom effects --toggle deal=3,4 --toggle strategy=normal+random,heaviest
      simdom effects --smallest blocked_rate=0.02 --plot effects.svg
      simdom effects --match --variant pagat-block --toggle block_score --toggle later_lead
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.running.stopping import parse_precision
    from simdom.variants import parse_set

    changed = parse_set(overrides)
    sizes = _parse_sizes(smallest)
    asked = trials_asked(context, rounds, until, max_rounds, MATCHES if match else None)
    with long_run(
        out=out,
        overwrite=overwrite,
        plot=plot,
        executor=executor,
        scheduler=scheduler,
        workers=workers,
        threads=threads,
        max_time=max_time,
        quiet=quiet,
        unit="matches/s" if match else "rounds/s",
    ) as going:
        from simdom.pairing.effects import effects as find_effects

        table = going.play(
            lambda: find_effects(
                variant,
                asked,
                matches=(asked or MOST_ROUNDS) if match else None,
                target=target,
                players=players,
                overrides=changed,
                strategy=strategy,
                seed=seed,
                confidence=confidence,
                toggles=toggles,
                smallest=sizes,
                until=parse_precision(until),
                max_time=max_time,
                **going.options,
            )
        )
        hand_over_effects(going, table, output_format, plot)


def hand_over_effects(
    going: LongRun, table: "Effects", output_format: str, plot: Path | None
) -> None:
    """Save and print effects, see `simdom.cli.longrun.LongRun.finish`."""
    going.finish(
        table,
        lambda: print_answer(
            output_format,
            to_json=table.to_json,
            to_csv=table.to_csv,
            sheets=lambda: [_sheet(table, narrow=output_format == "table")],
            command=table.command,
        ),
        draw=lambda: table.plot().to_png(),
        plot=plot,
        plot_it=table.plot,
        done=table.rounds,
        unit=table.watch.units,
    )


def _parse_sizes(items: list[str]) -> dict[str, str]:
    """Smallest effects as they are written; what they may be is for the library to say."""
    sizes: dict[str, str] = {}
    for item in items:
        name, equals, size = (part.strip() for part in item.partition("="))
        if not (name and equals and size):
            raise UsageError(f"{item!r} is no effect: write METRIC=SIZE, such as points=1")
        if name in sizes:
            raise UsageError(f"{name} is given twice, as {sizes[name]!r} and as {size!r}")
        sizes[name] = size
    return sizes


def _sheet(table: "Effects", *, narrow: bool) -> Sheet:
    """The table; on a terminal with as many columns of figures as there is room for."""
    lines, watched = table.lines(), table.watch.watched
    heads = _heads(table)
    rows = [_narrow_row(line) if narrow else _row(line) for line in lines]
    kept, gap = [*range(len(heads))], max(_GAPS)
    if narrow:
        kept, gap = _fitting(heads, rows, new_console().width)
        rows = [tuple(row[at] for at in kept) for row in rows]
        rows = [row for each in rows for row in (each, ("",) * len(kept))][:-1]
    left_out = [name for at, name in enumerate(watched, 1) if at not in kept]
    return Sheet(
        heading=f"Single changes of {table.base.name}",
        lead=table.lead,
        columns=tuple(heads[at] for at in kept),
        rows=rows,
        notes=[
            (
                "Not shown for want of room",
                [f"{', '.join(left_out)}: use a wider terminal, or --format csv."]
                if left_out
                else [],
            ),
            (
                f"Not settled, and {table.watch.units} that settle it if the figure stays as it is",
                table.open,
            ),
            (_LUCK_ONLY.format(table.watch.units), table.luck_only),
            ("Not played", [f"{each}." for each in table.left_out]),
            ("How to read it", table.reading),
            ("How it was made", [f"{table.made}.", table.played]),
        ],
        gap=gap,
    )


def _heads(table: "Effects") -> tuple[str, ...]:
    """The heading of each column: a word and the unit on lines of their own."""
    words = [
        [*_SHORTER.get(each.label, each.label).split(), each.unit]
        for each in table.watch.watched.values()
    ]
    return ("change", *("\n".join(filter(None, lines)) for lines in words), "verdict")


def _fitting(
    heads: "Sequence[str]", rows: "Sequence[tuple[str, ...]]", width: int
) -> tuple[list[int], int]:
    """The columns that there is room for, change and verdict among them, and the gap between."""
    sizes = [
        max(len(line) for cell in cells for line in cell.split("\n"))
        for cells in zip(heads, *rows, strict=True)
    ]
    *figures, last = range(1, len(sizes))
    while True:
        kept = [0, *figures, last]
        for gap in _GAPS:
            if sum(sizes[at] + gap for at in kept) - gap <= width or len(figures) == 1:
                return kept, gap
        figures.pop()


def _narrow_row(line: "EffectLine") -> tuple[str, ...]:
    """A row of two lines: below each figure how sure it is, and its mark."""
    from simdom.pairing.effect import rounds_in_words

    verdict = {"does not matter": "does not\nmatter", "not settled": "unsettled"}
    needed = "" if line.needed is None else rounds_in_words(line.needed, short=True)
    cells = (_cell(*cell, "\n") for cell in line.cells)
    return (line.change, *cells, f"{verdict.get(line.verdict, line.verdict)}\n{needed}".rstrip())


def _row(line: "EffectLine") -> tuple[str, ...]:
    return (line.change, *(_cell(*cell, " ") for cell in line.cells), line.verdict_text)


def _cell(value: str, interval: str, mark: str, between: str) -> str:
    """A figure without its unit, which stands above the column."""
    from simdom.pairing.differences import UNCHANGED

    if not value:
        return "–"
    value = "same" if value == UNCHANGED else value.removesuffix(" pp").removesuffix("%")
    sure = interval.replace("± ", "±") if interval[:1] in ("±", "(") else ""
    if between == "\n" and sure.startswith("("):
        low, _, high = sure.strip("()").partition(" to ")
        sure = f"≥{low}" if high == "100" else f"≤{high}" if high else ""  # none of one round
    return f"{value}{between}{sure}{mark}".rstrip()
