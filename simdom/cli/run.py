"""``simdom run``: play many rounds and say what comes out."""

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from simdom.cli.longrun import (
    ExecutorName,
    First,
    LongRun,
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
    MetricNames,
    OutputFormat,
    Overrides,
    Players,
    PlotFile,
    Quiet,
    ResultFolder,
    Rounds,
    Seed,
    StrategyNames,
    Threads,
    VariantName,
    with_metrics,
)
from simdom.cli.sheets import new_console

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from simdom.results import Result

__all__ = ["hand_over", "print_result", "run"]


def run(
    context: typer.Context,
    variant: VariantName = "pagat-draw",
    rounds: Rounds = 1_000_000,
    first: First = 0,
    players: Players = None,
    overrides: Overrides = [],
    strategy: StrategyNames = "random",
    seed: Seed = 1,
    threads: Threads = None,
    confidence: Confidence = 0.95,
    output_format: OutputFormat = "table",
    metrics: MetricNames = [],
    out: ResultFolder = None,
    records: RecordsFile = None,
    overwrite: Overwrite = False,
    plot: PlotFile = None,
    until: Until = [],
    max_rounds: MaxRounds = None,
    max_time: MaxTime = None,
    executor: ExecutorName = "threads",
    scheduler: Scheduler = None,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Play rounds, and print every figure with its interval.

    \b
    Examples:
      simdom run --variant pagat-draw -n 1e7
      simdom run --variant pagat-block --players 3 --strategy normal,random,random
      simdom run --variant my-table.toml --strategy my-play.toml,random
      simdom run --set reserve=0 --set block_score=others --format json
      simdom run --until blocked_rate=0.0005 --until points=0.02
      simdom run -n 1e10 --out out/draw
      simdom run -n 1e6 --records rounds.parquet
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.estimate import check_metrics
    from simdom.running.stopping import parse_precision
    from simdom.variants import parse_set

    check_metrics(metrics)
    toggles = parse_set(overrides)
    asked = trials_asked(context, rounds, until, max_rounds)
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
        from simdom.simulate import simulate

        result = going.play(
            lambda: simulate(
                variant,
                asked,
                first=first,
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


def hand_over(
    going: LongRun,
    result: "Result",
    metrics: "Sequence[str]",
    output_format: str,
    plot: "Path | None",
) -> None:
    """Save and print what was played, and end the command if it was broken off.

    Args:
        going: the command.
        result: of rounds or of matches.
        metrics: only these are printed; none prints all.
        output_format: one of `simdom.cli.options.FORMATS`.
        plot: the file of its picture; None draws none.
    """
    going.finish(
        result,
        lambda: print_result(result, output_format, metrics or None),
        draw=lambda: _draw(result),
        plot=plot,
        plot_it=lambda file: _plot(result, file),
        done=result.rounds if result.matches is None else result.matches,
        unit="rounds" if result.matches is None else "matches",
    )


def _draw(result: "Result") -> bytes:
    from simdom.plots.run import draw_run

    return draw_run(result)


def _plot(result: "Result", file: "Path") -> None:
    from simdom.plots.run import plot_run

    plot_run(result, file)


def print_result(result: "Result", output_format: str, metrics: "Sequence[str] | None") -> None:
    """Print a result to standard output, with these metrics only if some are named."""
    result = replace(result, command=with_metrics(result.command, metrics or ()))
    if output_format == "json":
        if metrics is not None:
            kept = type(result.metrics)({name: result.metrics[name] for name in metrics})
            result = replace(result, metrics=kept)
        sys.stdout.write(result.to_json())
    elif output_format == "csv":
        sys.stdout.write(result.to_csv(metrics))
    elif output_format == "markdown":
        from simdom.tables import result_to_markdown

        sys.stdout.write(result_to_markdown(result, metrics))
    else:
        from simdom.tables import RunTable

        new_console().print(RunTable(result, metrics), crop=False)
