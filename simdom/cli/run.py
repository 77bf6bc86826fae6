"""``simdom run``: play many rounds and say what comes out."""

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

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
    check_apart,
    with_metrics,
)
from simdom.cli.progress import COMPILING, ProgressBar, end_interrupted, note
from simdom.cli.sheets import new_console
from simdom.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from simdom.results import Result

__all__ = ["WHOLE", "check_places", "hand_over", "run"]

WHOLE = "{} {}: what is there may be whole, and this is not."
"""What is said, after Ctrl-C, of a file or folder that is left alone."""


def run(
    variant: VariantName = "pagat-draw",
    rounds: Rounds = 1_000_000,
    players: Players = None,
    overrides: Overrides = [],
    strategy: StrategyNames = "random",
    seed: Seed = 1,
    threads: Threads = None,
    confidence: Confidence = 0.95,
    output_format: OutputFormat = "table",
    metrics: MetricNames = [],
    out: ResultFolder = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a result in --out.")
    ] = False,
    plot: PlotFile = None,
    quiet: Quiet = False,
) -> None:
    """Play rounds, and print every figure with its interval.

    \b
    Examples:
      simdom run --variant pagat-draw -n 1e7
      simdom run --variant pagat-block --players 3 --strategy normal,random,random
      simdom run --variant my-table.toml --strategy my-play.toml,random
      simdom run --set reserve=0 --set block_score=others --format json
      simdom run -n 1e8 --out out/draw
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.estimate import check_metrics
    from simdom.variants import parse_set

    check_metrics(metrics)
    toggles = parse_set(overrides)
    check_places(out, plot, overwrite=overwrite)
    from simdom.simulate import simulate

    with ProgressBar(quiet=quiet) as progress:
        result = simulate(
            variant,
            rounds,
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


def check_places(out: "Path | None", plot: "Path | None", *, overwrite: bool) -> None:
    """Return if a result can be saved in these places.

    Args:
        out: the folder.
        plot: the file of its picture.
        overwrite: whether a result in the folder is replaced.

    Raises:
        UsageError: one is in the other; the folder holds something else, or cannot be written to.
    """
    check_apart(plot, out)
    if out is not None:
        from simdom.results import check_out

        check_out(out, overwrite=overwrite)


def hand_over(
    result: "Result",
    metrics: "Sequence[str]",
    output_format: str,
    *,
    out: "Path | None",
    plot: "Path | None",
    overwrite: bool,
    quiet: bool,
) -> None:
    """Save and print what was played, and end the command if it was interrupted.

    Args:
        result: of rounds or of matches.
        metrics: only these are printed; none prints all.
        output_format: one of `simdom.cli.options.FORMATS`.
        out: see `save_result`, as the others.
        plot: the same.
        overwrite: the same.
        quiet: the same.
    """
    try:
        # Before the figures are printed, for whoever reads them may stop reading, as `head` does.
        save_result(result, out=out, plot=plot, overwrite=overwrite, quiet=quiet)
    finally:
        print_result(result, output_format, metrics or None)
    if result.asked is not None:
        played = result.rounds if result.matches is None else result.matches
        end_interrupted(played, result.asked, "rounds" if result.matches is None else "matches")


def save_result(
    result: "Result", *, out: "Path | None", plot: "Path | None", overwrite: bool, quiet: bool
) -> None:
    """Save a result in a folder, with its picture, and the picture in a file, where asked for.

    Args:
        result: what is saved; where it was interrupted, nothing that is there is replaced by it.
        out: the folder.
        plot: the file.
        overwrite: whether a result in the folder is replaced.
        quiet: whether nothing is said of it.

    Raises:
        RunError: the picture cannot be drawn, although the figures are saved; something cannot be
            written.
    """
    if out is None and plot is None:
        return
    from simdom.plots.run import draw_run, plot_run

    if out is not None and result.partial and out.exists() and any(out.iterdir()):
        note(WHOLE.format("Not saved in", out), quiet=quiet)
    elif out is not None:
        # A picture that cannot be drawn must not take the figures with it.
        picture, problem = None, None
        try:
            picture = draw_run(result)
        except Exception as error:  # noqa: BLE001 -- whatever a drawing library may raise
            problem = error
        result.save(out, plot=picture, overwrite=overwrite)
        note(f"Saved in {out}.", quiet=quiet)
        if problem is not None:
            raise RunError(f"the plot could not be drawn: {problem}") from problem
    if plot is not None and result.partial and plot.exists():
        note(WHOLE.format("Not drawn in", plot), quiet=quiet)
    elif plot is not None:
        plot_run(result, plot)
        note(f"Drawn in {plot}.", quiet=quiet)


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
