"""``simdom compare``: variants on the same shuffles, and what each changes of the first."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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
    count_matches,
    plot_option,
    with_metrics,
)
from simdom.cli.progress import COMPILING, ProgressBar, end_interrupted, note
from simdom.cli.sheets import Sheet, print_answer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from simdom.pairing.comparison import Comparison

__all__ = ["compare"]

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
    quiet: Quiet = False,
) -> None:
    """Play variants on the same shuffles, and print what each changes of the first.

    \b
    Examples:
      simdom compare pagat-draw pagat-block
      simdom compare pagat-draw pagat-draw:reserve=0 pagat-draw:strategy=normal -n 1e6
      simdom compare pagat-block pagat-block:block_score=others --players 3
      simdom compare pagat-draw pagat-draw:players=3 --plot players.svg
      simdom compare --match pagat-block pagat-block:block_score=others -n 2e4
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.match_metrics import check_metrics_of
    from simdom.variants import parse_set

    check_metrics_of(metrics, matches=match)
    toggles = parse_set(overrides)
    from simdom.pairing.compare import compare as compare_contenders

    with ProgressBar(quiet=quiet, unit="matches/s" if match else "rounds/s") as progress:
        comparison = compare_contenders(
            *contenders,
            rounds=rounds,
            matches=count_matches(context, rounds, MATCHES) if match else None,
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
    comparison = replace(comparison, command=with_metrics(comparison.command, metrics))
    try:
        # Before the figures are printed, for whoever reads them may stop reading, as `head` does.
        if plot is not None:
            comparison.plot(plot, metrics or None)
            note(f"Drawn in {plot}.", quiet=quiet)
    finally:
        shown = metrics or None
        print_answer(
            output_format,
            to_json=lambda: comparison.to_json(shown),
            to_csv=lambda: comparison.to_csv(shown),
            sheets=lambda: _sheets(comparison, shown),
            command=comparison.command,
        )
    if comparison.asked is not None:
        end_interrupted(comparison.rounds, comparison.asked, _units(comparison))


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
