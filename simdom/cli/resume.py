"""``simdom resume``: go on with a run that was kept in a folder."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simdom.cli.compare import hand_over_comparison
from simdom.cli.duel import hand_over_duel
from simdom.cli.effects import hand_over_effects
from simdom.cli.longrun import (
    ExecutorName,
    LongRun,
    MaxTime,
    RecordsFile,
    Scheduler,
    Until,
    Workers,
    long_run,
    recorded,
)
from simdom.cli.options import MetricNames, OutputFormat, Quiet, Threads, count_option, plot_option
from simdom.cli.progress import note
from simdom.cli.run import hand_over
from simdom.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simdom.resuming import Answer

__all__ = ["resume"]


def resume(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that --out named.")],
    extend: Annotated[
        int | None,
        count_option("--extend", "Play so many more rounds (or matches, or deals)."),
    ] = None,
    max_rounds: Annotated[
        int | None,
        count_option("--max-rounds", "Play so many in all, instead of those asked for."),
    ] = None,
    until: Until = [],
    max_time: MaxTime = None,
    threads: Threads = None,
    executor: ExecutorName = "threads",
    scheduler: Scheduler = None,
    workers: Workers = None,
    records: RecordsFile = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a file that is in --records.")
    ] = False,
    output_format: OutputFormat = "table",
    metrics: MetricNames = [],
    plot: Annotated[
        Path | None, plot_option("Also draw it, as the command does that began it.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Go on with a run that --out keeps, to the same figures as if nothing had stopped it.

    A run that is finished is printed again; --extend adds to it.

    \b
    Examples:
      simdom resume out/draw
      simdom resume out/draw --extend 1e9
      simdom resume out/draw --until points=0.001 --max-time 8h
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.running.stopping import parse_precision

    if extend is not None and max_rounds is not None:
        raise UsageError("--extend adds rounds and --max-rounds is how many in all: give one")
    with long_run(
        out=directory,
        resume=True,
        plot=plot,
        executor=executor,
        scheduler=scheduler,
        workers=workers,
        threads=threads,
        max_time=max_time,
        quiet=quiet,
    ) as going:
        from simdom.resuming import resume as go_on

        _check_metrics(going, metrics)
        answer = going.play(
            lambda: go_on(
                going.open_folder,
                extend=extend,
                max_rounds=max_rounds,
                until=parse_precision(until) or None,
                max_time=max_time,
                records=recorded(records, overwrite=overwrite),
                **{key: value for key, value in going.options.items() if key != "checkpoint"},
            )
        )
        if going.open_folder.is_unchanged:
            note(
                f"{directory} is finished, so nothing was played: --extend N adds to it.",
                quiet=quiet,
            )
        kept = going.open_folder.start
        if kept is not None:
            first = int(kept.job.identity.get("first", 0)) + kept.done
            going.tell_records(records, first)
        _hand_over(going, answer, metrics, output_format, plot)


def _check_metrics(going: LongRun, metrics: "Sequence[str]") -> None:
    """Return if what is kept has such metrics.

    Raises:
        UsageError: it has not.
    """
    kept = going.open_folder.start
    if not metrics or kept is None:
        return
    if kept.job.kind in ("effects", "duel"):
        raise UsageError(f"--metric is for runs, matches and comparisons, not for {kept.job.kind}")
    from simdom.match_metrics import check_metrics_of

    check_metrics_of(metrics, matches=kept.job.unit == "match")


def _hand_over(
    going: LongRun,
    answer: "Answer",
    metrics: "Sequence[str]",
    output_format: str,
    plot: Path | None,
) -> None:
    from simdom.duels.duel_result import Duel
    from simdom.pairing.comparison import Comparison
    from simdom.results import Result

    if isinstance(answer, Result):
        hand_over(going, answer, metrics, output_format, plot)
    elif isinstance(answer, Comparison):
        hand_over_comparison(going, answer, metrics, output_format, plot)
    elif isinstance(answer, Duel):
        hand_over_duel(going, answer, output_format, plot)
    else:
        hand_over_effects(going, answer, output_format, plot)
