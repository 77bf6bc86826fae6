"""``simdom duel``: two strategies on the same deals, each playing every hand."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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
from simdom.counts import parse_count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simdom.duels.duel_result import Duel

__all__ = ["Deals", "Seats", "duel"]


def _deals(value: str | int) -> int:
    """What was written, or the command's default, which is a number already."""
    return value if isinstance(value, int) else parse_count(value)


Deals = Annotated[
    int,
    typer.Option(
        "--deals",
        "-n",
        metavar="N",
        parser=_deals,
        help="Deals, such as 2e5, 200,000 or 200k. Each is played once in every seating: twice "
        "by two or four players, six times by three.",
    ),
]

Seats = Annotated[
    str | None,
    typer.Option(
        metavar="SEATS",
        help="Who of the two sits where, a letter a seat, such as aabb; all rotations are played, "
        "and all of them with a and b swapped. As a rule they alternate: abab.",
    ),
]


def duel(
    strategies: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY",
            help="Two strategies: names (see `simdom strategies`) or TOML files; of one that "
            "samples, with options, such as sharp:samples=32.",
        ),
    ],
    variant: VariantName = "pagat-draw",
    deals: Deals = 100_000,
    players: Players = None,
    overrides: Overrides = [],
    seats: Seats = None,
    seed: Seed = 1,
    threads: Threads = None,
    confidence: Confidence = 0.95,
    output_format: OutputFormat = "table",
    plot: Annotated[
        Path | None,
        plot_option("Also draw how points are spread, by round and by deal, and what explains it."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Let two strategies play every hand of the same deals, and print which is better.

    Every deal is played again with the seats swapped, so the luck of the deal cancels; how much of
    the points it explains is printed too.

    \b
    Examples:
      simdom duel sharp normal --variant pagat-block -n 2e4
      simdom duel normal my-play.toml --players 3
      simdom duel normal random --players 4 --seats aabb
      simdom duel sharp:samples=16 sharp -n 1e4 --plot duel.svg
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.variants import parse_set

    toggles = parse_set(overrides)
    from simdom.duels.duel import duel as play_duel

    with ProgressBar(quiet=quiet) as progress:
        found = play_duel(
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
            sheets=lambda: [_sheet(found)],
            command=found.command,
        )
    if found.asked is not None:
        seatings = len(found.seatings)
        end_interrupted(found.rounds, found.asked * seatings)


def _sheet(found: "Duel") -> Sheet:
    told, made = found.summary().split("\n")
    return Sheet(
        heading=" against ".join(found.names),
        lead=told,
        columns=("", "estimate", f"{found.confidence_text} interval"),
        rows=list(_rows(found)),
        notes=[("How it was made", [made, *found.played]), ("How to read it", found.reading)],
    )


def _rows(found: "Duel") -> "Iterator[tuple[str, str, str]]":
    group = ""
    for line in found.lines():
        if line.group != group:
            group = line.group
            yield group, "", ""
        yield f"  {line.label}", line.value, line.interval
