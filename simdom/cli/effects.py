"""``simdom effects``: every single change of a game, and which of them matter."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simdom.cli.options import (
    Confidence,
    OutputFormat,
    Overrides,
    Players,
    Quiet,
    Rounds,
    Seed,
    StrategyNames,
    Threads,
    VariantName,
    plot_option,
)
from simdom.cli.progress import COMPILING, ProgressBar, end_interrupted, note
from simdom.cli.sheets import Sheet, print_answer
from simdom.errors import UsageError

if TYPE_CHECKING:
    from simdom.pairing.effect_table import EffectLine, Effects

__all__ = ["effects"]

_HEADS = (
    "change",
    "blocks\npp",
    "opener\nwins\npp",
    "points",
    "tiles\nplayed",
    "tiles\ndrawn",
    "other\nwinner\n%",
    "verdict",
)


def effects(
    variant: VariantName = "pagat-draw",
    rounds: Rounds = 200_000,
    players: Players = None,
    overrides: Overrides = [],
    strategy: StrategyNames = "random",
    seed: Seed = 1,
    threads: Threads = None,
    confidence: Confidence = 0.95,
    toggles: Annotated[
        list[str],
        typer.Option(
            "--toggle",
            metavar="NAME",
            help="Change only this toggle, or `strategy`; may be repeated.",
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
    output_format: OutputFormat = "table",
    plot: Annotated[
        Path | None,
        plot_option("Also draw all effects with their intervals, a panel a metric."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Make every single change of a game, and print what each does and whether it matters.

    All play the same shuffles, and all verdicts together hold at the confidence asked for.

    \b
    Examples:
      simdom effects --variant pagat-draw
      simdom effects --variant pagat-block --players 4 --strategy normal
      simdom effects --toggle reserve --toggle deal -n 1e6
      simdom effects --smallest blocked_rate=0.02 --plot effects.svg
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.variants import parse_set

    changed = parse_set(overrides)
    sizes = _parse_sizes(smallest)
    from simdom.pairing.effects import effects as find_effects

    with ProgressBar(quiet=quiet) as progress:
        table = find_effects(
            variant,
            rounds,
            players=players,
            overrides=changed,
            strategy=strategy,
            seed=seed,
            threads=threads,
            confidence=confidence,
            toggles=toggles,
            smallest=sizes,
            progress=progress,
            on_compile=lambda: note(COMPILING, quiet=quiet),
        )
    try:
        # Before the figures are printed, for whoever reads them may stop reading, as `head` does.
        if plot is not None:
            table.plot(plot)
            note(f"Drawn in {plot}.", quiet=quiet)
    finally:
        print_answer(
            output_format,
            to_json=table.to_json,
            to_csv=table.to_csv,
            sheets=lambda: [_sheet(table, narrow=output_format == "table")],
            command=table.command,
        )
    if table.asked is not None:
        end_interrupted(table.rounds, table.asked)


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
    return Sheet(
        heading=f"Single changes of {table.base.name}",
        lead=table.lead,
        columns=_HEADS,
        rows=[_narrow_row(line) if narrow else _row(line) for line in table.lines()],
        notes=[
            ("Not settled, and rounds that settle it if the figure stays as it is", table.open),
            ("No average changes, but who wins single rounds does", table.luck_only),
            ("Not played", [f"{each}." for each in table.left_out]),
            ("How to read it", table.reading),
            ("How it was made", [f"{table.made}.", table.played]),
        ],
    )


def _narrow_row(line: "EffectLine") -> tuple[str, ...]:
    """A row of two lines: below each figure how sure it is, and its mark."""
    verdict = {"does not matter": "does not\nmatter", "not settled": "unsettled"}
    needed = f"\nto {line.needed}" if line.needed else ""
    cells = (_cell(*cell, "\n") for cell in line.cells)
    return (
        line.change.replace("=", "\n", 1),
        *cells,
        verdict.get(line.verdict, line.verdict) + needed,
    )


def _row(line: "EffectLine") -> tuple[str, ...]:
    needed = f", needs {line.needed}" if line.needed else ""
    return (line.change, *(_cell(*cell, " ") for cell in line.cells), line.verdict + needed)


def _cell(value: str, interval: str, mark: str, between: str) -> str:
    """A figure without its unit, which stands above the column."""
    if not value:
        return "–"
    value = "same" if value == "unchanged" else value.removesuffix(" pp").removesuffix("%")
    sure = interval.replace("± ", "±") if interval.startswith("±") else ""
    return f"{value}{between}{sure}{mark}".rstrip()
