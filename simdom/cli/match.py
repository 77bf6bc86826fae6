"""``simdom match``: play whole matches and say what comes out."""

from pathlib import Path
from typing import Annotated

import typer

from simdom.cli.longrun import (
    ExecutorName,
    First,
    MaxRounds,
    MaxTime,
    Overwrite,
    RecordsFile,
    Scheduler,
    Until,
    Workers,
    long_run,
    recorded,
    trials_asked,
)
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
from simdom.cli.run import hand_over

__all__ = ["match"]


def match(
    context: typer.Context,
    variant: VariantName = "pagat-draw",
    target: Target = None,
    matches: Matches = 100_000,
    first: First = 0,
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
    records: RecordsFile = None,
    overwrite: Overwrite = False,
    plot: Annotated[
        Path | None,
        plot_option("Also draw who wins, and how the number of rounds is spread."),
    ] = None,
    until: Until = [],
    max_rounds: MaxRounds = None,
    max_time: MaxTime = None,
    executor: ExecutorName = "threads",
    scheduler: Scheduler = None,
    workers: Workers = None,
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
      simdom match --until rounds_per_match=0.01
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.match_metrics import check_metrics_of
    from simdom.running.stopping import parse_precision
    from simdom.variants import parse_set

    check_metrics_of(metrics, matches=True)
    toggles = parse_set(overrides)
    asked = trials_asked(context, matches, until, max_rounds)
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
        unit="matches/s",
    ) as going:
        from simdom.matches import simulate_matches

        result = going.play(
            lambda: simulate_matches(
                variant,
                asked,
                first=first,
                target=target,
                players=players,
                overrides=toggles,
                strategy=strategy,
                seed=seed,
                confidence=confidence,
                until=parse_precision(until),
                max_time=max_time,
                records=recorded(records, overwrite=overwrite),
                **going.options,
            )
        )
        going.tell_records(records)
        hand_over(going, result, metrics, output_format, plot)
