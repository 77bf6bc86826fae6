"""``simdom ladder``: every strategy against every other, a crosstable and ratings."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simdom.cli.duel import Deals, Seats
from simdom.cli.options import (
    Confidence,
    OutputFormat,
    Overrides,
    Players,
    Quiet,
    Seed,
    Threads,
    VariantName,
    plot_option,
)
from simdom.cli.progress import COMPILING, ProgressBar, end_interrupted, note
from simdom.cli.sheets import Sheet, print_answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simdom.duels.ladder_result import Ladder

__all__ = ["ladder"]

_WIDTH = 80  # columns of a terminal that a crosstable must fit into
_BETWEEN = 2  # columns between two of the table


def ladder(
    strategies: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY",
            help="2 to 20 strategies, as for `simdom duel`; all that come with simdom unless "
            "given.",
        ),
    ] = [],
    variant: VariantName = "pagat-draw",
    deals: Deals = 20_000,
    players: Players = None,
    overrides: Overrides = [],
    seats: Seats = None,
    seed: Seed = 1,
    threads: Threads = None,
    confidence: Confidence = 0.95,
    output_format: OutputFormat = "table",
    plot: Annotated[
        Path | None,
        plot_option("Also draw the ratings with their intervals, and the crosstable."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Let every strategy meet every other on the same deals, and print who beats whom.

    Each pair plays every deal as in `simdom duel`: both play every hand.

    \b
    Examples:
      simdom ladder -n 2e4
      simdom ladder random heaviest normal my-play.toml --variant pagat-block -n 1e5
      simdom ladder normal sharp:samples=4 sharp:samples=16 sharp --plot ladder.svg
      simdom ladder random heaviest normal --players 4 --seats aabb
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.variants import parse_set

    toggles = parse_set(overrides)
    from simdom.duels.ladder import ladder as play_ladder

    with ProgressBar(quiet=quiet) as progress:
        found = play_ladder(
            *strategies,
            variant=variant,
            deals=deals,
            players=players,
            overrides=toggles,
            seats=seats,
            seed=seed,
            threads=threads,
            confidence=confidence,
            progress=progress,
            on_compile=lambda: note(COMPILING, quiet=quiet),
        )
    try:
        # Before the figures are printed, for whoever reads them may stop reading, as `head` does.
        if plot is not None:
            found.plot(plot)
            note(f"Drawn in {plot}.", quiet=quiet)
    finally:
        print_answer(
            output_format,
            to_json=found.to_json,
            to_csv=found.to_csv,
            sheets=lambda: _sheets(found, width=_WIDTH if output_format == "table" else None),
            command=found.command,
        )
    if found.asked is not None:
        end_interrupted(found.rounds, found.asked * (found.rounds // found.deals))


def _sheets(found: "Ladder", *, width: int | None) -> "Iterator[Sheet]":
    from simdom.duels.ladder_words import SHOWN

    told, made = found.summary().split("\n")
    yield Sheet(
        heading=f"The ladder of {found.asked_for.variant.name}",
        lead=told,
        columns=("", "rating", "ahead of\nthe next", "score\nagainst all", "points\na round"),
        rows=found.lines(),
        notes=[],
    )
    for metric in SHOWN:
        table = found.crosstable(metric)
        names = list(table.rows)
        labels = [f"{place} {name}" for place, name in enumerate(names, 1)]
        for number, block in enumerate(_blocks(labels, list(table.rows.values()), width)):
            more = ", continued" if number else ""
            yield Sheet(
                heading=f"{table.heading}{more}",
                lead="" if number or not table.within else f"Each figure {table.within} at most.",
                columns=("", *(str(at + 1) for at in block)),
                rows=[
                    (label, *(cells[at] for at in block))
                    for label, cells in zip(labels, table.rows.values(), strict=True)
                ],
                notes=[],
            )
    yield Sheet(
        heading="How it was made",
        lead=made,
        columns=(),
        rows=[],
        notes=[("What was played", found.played), ("How to read it", found.reading)],
    )


def _blocks(labels: list[str], rows: list[list[str]], width: int | None) -> list[range]:
    """The columns of a crosstable, in as many pieces as the width asks for."""
    count = len(rows)
    if width is None:
        return [range(count)]
    widest = max(len(cell) for cells in rows for cell in cells) + _BETWEEN
    fit = max(1, (width - max(map(len, labels))) // widest)
    pieces = -(-count // fit)
    size = -(-count // pieces)
    return [range(at, min(at + size, count)) for at in range(0, count, size)]
