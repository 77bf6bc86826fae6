"""``simdom match``: play whole matches and say what comes out."""

from pathlib import Path
from typing import Annotated

import typer

from simdom.cli.options import (
    Confidence,
    Matches,
    OutputFormat,
    Overrides,
    Players,
    Quiet,
    ResultFolder,
    Seed,
    StrategyNames,
    Target,
    Threads,
    VariantName,
    plot_option,
)
from simdom.cli.progress import COMPILING, ProgressBar, note
from simdom.cli.run import check_places, hand_over

__all__ = ["match"]


def match(
    variant: VariantName = "pagat-draw",
    target: Target = None,
    matches: Matches = 100_000,
    players: Players = None,
    overrides: Overrides = [],
    strategy: StrategyNames = "random",
    seed: Seed = 1,
    threads: Threads = None,
    confidence: Confidence = 0.95,
    output_format: OutputFormat = "table",
    metrics: Annotated[
        list[str],
        typer.Option(
            "--metric",
            "-m",
            metavar="NAME",
            help="Only this metric of matches (see `simdom metrics`); may be repeated.",
        ),
    ] = [],
    out: ResultFolder = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a result in --out.")
    ] = False,
    plot: Annotated[
        Path | None,
        plot_option("Also draw who wins, and how the number of rounds is spread."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Play whole matches, and print every figure with its interval.

    A match ends after the round in which a side reaches the target; a side is a seat, or two
    partners. Who leads the later rounds, and what becomes of points, are toggles.

    \b
    Examples:
      simdom match --variant pagat-draw --target 100 -n 1e5
      simdom match --variant pagat-block --set block_score=others
      simdom match --variant pagat-block --players 3 --set later_lead=winner --plot match.svg
      simdom match --target 61 --strategy normal,random --format json
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.match_metrics import check_metrics_of
    from simdom.variants import parse_set

    check_metrics_of(metrics, matches=True)
    toggles = parse_set(overrides)
    check_places(out, plot, overwrite=overwrite)
    from simdom.matches import simulate_matches

    with ProgressBar(quiet=quiet, unit="matches/s") as progress:
        result = simulate_matches(
            variant,
            matches,
            target=target,
            players=players,
            overrides=toggles,
            strategy=strategy,
            seed=seed,
            threads=threads,
            confidence=confidence,
            progress=progress,
            on_compile=lambda: note(COMPILING, quiet=quiet),
        )
    hand_over(
        *(result, metrics, output_format), out=out, plot=plot, overwrite=overwrite, quiet=quiet
    )
