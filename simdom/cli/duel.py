"""``simdom duel``: two strategies on the same deals, each playing every hand."""

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
    Confidence,
    OutputFormat,
    Overrides,
    Players,
    Quiet,
    ResultFolder,
    Seed,
    Threads,
    VariantName,
    plot_option,
)
from simdom.cli.sheets import Sheet, print_answer
from simdom.counts import parse_count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simdom.duels.duel_result import Duel

__all__ = ["Deals", "Seats", "duel", "hand_over_duel"]


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
    context: typer.Context,
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
    """Let two strategies play every hand of the same deals, and print which is better.

    Every deal is played again with the seats swapped, so the luck of the deal cancels; how much of
    the points it explains is printed too.

    \b
    Examples:
      simdom duel sharp normal --variant pagat-block -n 2e4
      simdom duel normal my-play.toml --players 3
      simdom duel normal random --players 4 --seats aabb
      simdom duel sharp:samples=16 sharp -n 1e4 --plot duel.svg
      simdom duel heaviest random --until points_per_round=0.05
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.running.stopping import parse_precision
    from simdom.variants import parse_set

    toggles = parse_set(overrides)
    asked = trials_asked(context, deals, until, max_rounds)
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
    ) as going:
        from simdom.duels.duel import duel as play_duel

        found = going.play(
            lambda: play_duel(
                *strategies,
                variant=variant,
                deals=asked,
                players=players,
                overrides=toggles,
                seats=seats,
                seed=seed,
                confidence=confidence,
                until=parse_precision(until),
                max_time=max_time,
                **going.options,
            )
        )
        hand_over_duel(going, found, output_format, plot)


def hand_over_duel(going: LongRun, found: "Duel", output_format: str, plot: Path | None) -> None:
    """Save and print a duel, see `simdom.cli.longrun.LongRun.finish`."""
    going.finish(
        found,
        lambda: print_answer(
            output_format,
            to_json=found.to_json,
            to_csv=found.to_csv,
            sheets=lambda: [_sheet(found)],
            command=found.command,
        ),
        draw=lambda: found.plot().to_png(),
        plot=plot,
        plot_it=found.plot,
        done=found.rounds,
        ratio=len(found.seatings),
    )


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
