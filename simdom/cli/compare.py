"""``simdom compare``: variants on the same shuffles, and what each changes of the first."""

from dataclasses import replace
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
    MatchMode,
    MetricNames,
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
    plot_option,
    with_metrics,
)
from simdom.cli.sheets import Sheet, print_answer
from simdom.counts import MOST_ROUNDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from simdom.pairing.comparison import Comparison

__all__ = ["compare", "hand_over_comparison"]

MATCHES = 100_000
"""Of each, if none are asked for."""


def compare(
    context: typer.Context,
    contenders: Annotated[
        list[str],
        typer.Argument(
            metavar="VARIANT[:KEY=VALUE...]",
            help="2 to 20 presets or TOML files. A key is a toggle, players or strategy; it counts "
            "for this one only. The others are compared with the first.",
        ),
    ],
    rounds: Rounds = 1_000_000,
    players: Players = None,
    overrides: Overrides = [],
    strategy: StrategyNames = "random",
    seed: Seed = 1,
    threads: Threads = None,
    confidence: Confidence = 0.95,
    output_format: OutputFormat = "table",
    match: MatchMode = False,
    target: Target = None,
    metrics: MetricNames = [],
    plot: Annotated[
        Path | None,
        plot_option("Also draw the differences with their intervals, one row a metric."),
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
    """Play variants on the same shuffles, and print what each changes of the first.

    \b
    Examples:
      simdom compare pagat-draw pagat-block
      simdom compare pagat-draw pagat-draw:reserve=0 pagat-draw:strategy=normal -n 1e6
      simdom compare pagat-block pagat-block:block_score=others --players 3
      simdom compare pagat-draw pagat-draw:players=3 --plot players.svg
      simdom compare pagat-draw pagat-draw:reserve=0 --until points=0.02
      simdom compare --match pagat-block pagat-block:block_score=others -n 2e4
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.match_metrics import check_metrics_of
    from simdom.running.stopping import parse_precision
    from simdom.variants import parse_set

    check_metrics_of(metrics, matches=match)
    toggles = parse_set(overrides)
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
        from simdom.pairing.compare import compare as compare_contenders

        comparison = going.play(
            lambda: compare_contenders(
                *contenders,
                rounds=asked,
                matches=(asked or MOST_ROUNDS) if match else None,
                target=target,
                players=players,
                overrides=toggles,
                strategy=strategy,
                seed=seed,
                confidence=confidence,
                until=parse_precision(until),
                max_time=max_time,
                **going.options,
            )
        )
        hand_over_comparison(going, comparison, metrics, output_format, plot)


def hand_over_comparison(
    going: LongRun,
    comparison: "Comparison",
    metrics: "Sequence[str]",
    output_format: str,
    plot: Path | None,
) -> None:
    """Save and print a comparison, see `simdom.cli.longrun.LongRun.finish`."""
    comparison = replace(comparison, command=with_metrics(comparison.command, metrics))
    shown = metrics or None
    going.finish(
        comparison,
        lambda: print_answer(
            output_format,
            to_json=lambda: comparison.to_json(shown),
            to_csv=lambda: comparison.to_csv(shown),
            sheets=lambda: _sheets(comparison, shown),
            command=comparison.command,
        ),
        draw=lambda: comparison.plot().to_png(),
        plot=plot,
        plot_it=lambda file: comparison.plot(file, shown),
        done=comparison.rounds,
        unit=_units(comparison),
    )


def _sheets(comparison: "Comparison", metrics: "Sequence[str] | None") -> "Iterator[Sheet]":
    for index in range(1, len(comparison.contenders)):
        rows: list[tuple[str, ...]] = []
        group = ""
        for line in comparison.lines(index, metrics):
            if line.group != group:
                group = line.group
                rows.append((group, "", "", "", ""))
            difference = f"{line.difference} {line.interval}".strip()
            rows.append((f"  {line.label}", line.first, line.other, difference, line.pairing))
        rows.append((f"{_units(comparison).capitalize()} that change", "", "", "", ""))
        for label, share in comparison.changes(index):
            rows.append((f"  {label}", "", "", share, ""))
        yield Sheet(
            heading=f"{comparison.names[index]} against {comparison.names[0]}",
            lead="\n".join(filter(None, (comparison.told(index), comparison.worth(index)))),
            columns=("", "first", "this", "difference", "pairing"),
            rows=rows,
            notes=[],
        )
    units = _units(comparison)
    yield Sheet(
        heading="How it was made",
        lead=f"{comparison.made}.",
        columns=(),
        rows=[],
        notes=[
            ("What was played", comparison.played),
            (
                "How to read it",
                [
                    f"The difference is this one minus the first, {comparison.names[0]}.",
                    "pp are percentage points.",
                    f"Unchanged: the same in every one of these {units}.",
                    f"×3: independent runs would need three times the {units} to be as sure.",
                ],
            ),
        ],
    )


def _units(comparison: "Comparison") -> str:
    return "matches" if comparison.of_matches else "rounds"
