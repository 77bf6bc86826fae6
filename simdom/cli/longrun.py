"""What commands that play share: where they play, when they stop, and where they keep it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import typer

from simdom.cli.options import check_apart, count_option, is_written, whole_number
from simdom.cli.progress import COMPILING, ProgressBar, end_interrupted, interrupts, note
from simdom.cli.streams import say
from simdom.counts import parse_count
from simdom.errors import BrokenOffError, RunError, UsageError

if TYPE_CHECKING:
    from simdom.executors.protocol import Executor
    from simdom.records.recorder import Records
    from simdom.running.folder import RunFolder

__all__ = [
    "WHOLE",
    "ExecutorName",
    "First",
    "LongRun",
    "MaxRounds",
    "MaxTime",
    "Overwrite",
    "RecordsFile",
    "Scheduler",
    "Until",
    "Workers",
    "long_run",
    "recorded",
    "trials_asked",
]

WHOLE = "{} {}: what is there may be whole, and this is not."
"""What is said of a file or folder that is left alone because what was played is not whole."""


def _precision(text: str) -> str:
    """An item of ``--until``, checked as far as that can be done without the metrics."""
    from simdom.running.stopping import parse_precision

    parse_precision([text])
    return text


def _duration(text: str) -> float:
    from simdom.running.stopping import parse_duration

    return parse_duration(text)


def _index(value: str | int) -> int:
    """A number from 0, as people write it; or the default, which is a number already."""
    if isinstance(value, int):
        return value
    if value.strip() == "0":
        return 0
    try:
        return parse_count(value)
    except UsageError:
        raise UsageError(
            f"--first must be a whole number from 0 to 1e13, such as 0 or 5e6, not {value!r}"
        ) from None


Until = Annotated[
    list[str],
    typer.Option(
        "--until",
        metavar="METRIC=HALF-WIDTH",
        parser=_precision,
        help="Play until half the interval of a metric is as narrow as this, such as "
        "blocked_rate=0.0005; may be repeated.",
    ),
]
First = Annotated[
    int,
    typer.Option(
        "--first",
        metavar="N",
        parser=_index,
        help="Number of the first one, for a piece of a longer run: `simdom results merge` puts "
        "pieces together.",
    ),
]
MaxRounds = Annotated[
    int | None,
    count_option("--max-rounds", "With --until: play at most so many rounds, matches or deals."),
]
MaxTime = Annotated[
    float | None,
    typer.Option(
        "--max-time",
        metavar="TIME",
        parser=_duration,
        help="Stop when this time is over, such as 90s, 10m or 2h.",
    ),
]
ExecutorName = Annotated[
    str,
    typer.Option(
        "--executor",
        metavar="NAME",
        help="Where to play: threads (of this process), serial (no threads) or dask (a cluster).",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="With --executor dask: the cluster's scheduler, such as tcp://HOST:8786.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        parser=whole_number("--workers"),
        help="With --executor dask, without a scheduler: processes to start on this machine.",
    ),
]
RecordsFile = Annotated[
    Path | None,
    typer.Option(
        "--records",
        metavar="FILE",
        help="Also record every round in this new .parquet file, a row each.",
    ),
]
Overwrite = Annotated[
    bool,
    typer.Option(
        "--overwrite",
        help="Replace what is in --out, a result or an unfinished run, and --records.",
    ),
]


def trials_asked(
    context: typer.Context,
    written: int,
    until: Sequence[str],
    max_rounds: int | None,
    default: int | None = None,
) -> int | None:
    """How many trials to play at most, from ``-n``, ``--until`` and ``--max-rounds``.

    Args:
        context: knows whether ``-n`` was written.
        written: what ``-n`` says.
        until: what ``--until`` says.
        max_rounds: what ``--max-rounds`` says.
        default: if ``-n`` was not written; None for its own.

    Returns:
        The number; None if only the precision that is asked for decides.

    Raises:
        UsageError: options that do not go together.
    """
    counted = any(is_written(context, name) for name in ("rounds", "matches", "deals"))
    if until:
        if counted:
            raise UsageError(
                "-n says how many to play and --until how sure to be: give one of them; "
                "--max-rounds sets a bound to --until"
            )
        return max_rounds
    if max_rounds is not None:
        raise UsageError("--max-rounds goes with --until; -n says how many to play")
    return written if counted or default is None else default


def recorded(records: Path | None, *, overwrite: bool = False) -> "Records | None":
    """Where ``--records`` says that rounds are recorded."""
    if records is None:
        return None
    from simdom.records.recorder import Records

    return Records(records, overwrite)


class _Played(Protocol):
    """What a command has played and hands over."""

    @property
    def asked(self) -> int | None: ...
    def to_json(self) -> str: ...
    def to_csv(self) -> str: ...


P = TypeVar("P", bound=_Played)


@dataclass
class LongRun:
    """A command while it plays.

    Attributes:
        where: it plays.
        folder: in which it is kept; None keeps nothing.
        progress: what a person sees meanwhile.
        quiet: whether nothing but the result and errors is said.
    """

    where: "Executor"
    folder: "RunFolder | None"
    progress: ProgressBar
    quiet: bool
    _failure: BrokenOffError | None = field(default=None, init=False)

    @property
    def open_folder(self) -> "RunFolder":
        """The folder, of a command that always has one."""
        if self.folder is None:
            raise UsageError("no folder was named")
        return self.folder

    @property
    def options(self) -> dict[str, Any]:
        """Arguments of the library's functions that say where to play and what to tell."""
        return {
            "executor": self.where,
            "checkpoint": self.folder,
            "progress": self.progress,
            "on_compile": lambda: note(COMPILING, quiet=self.quiet),
            "on_look": self.progress.see,
        }

    def play(self, call: Callable[[], P]) -> P:
        """What ``call`` has played; also if something broke it off, which `finish` raises.

        Raises:
            SimdomError: of ``call``, if nothing was played.
        """
        with self.progress:
            try:
                return call()
            except BrokenOffError as error:
                if error.result is None:
                    raise
                self._failure = error
                return error.result  # type: ignore[return-value]

    def tell_records(self, records: Path | None, first: int = 0) -> None:
        """Say where rounds, or matches, were recorded, if they were: those from ``first`` on."""
        if records is None or self._failure is not None or not records.exists():
            return
        begun = f", from number {first:,} on" if first else ""
        note(f"Recorded in {records}{begun}.", quiet=self.quiet)

    def finish(
        self,
        answer: _Played,
        print_it: Callable[[], None],
        *,
        draw: "Callable[[], bytes] | None" = None,
        plot: Path | None = None,
        plot_it: Callable[[Path], object] | None = None,
        done: int = 0,
        unit: str = "rounds",
        ratio: int = 1,
    ) -> None:
        """Save and print what was played, and end the command if it was broken off.

        Args:
            answer: what was played.
            print_it: prints it to standard output.
            draw: its picture for the folder, as a PNG; None draws none.
            plot: the file of ``--plot``.
            plot_it: draws into that file.
            done: trials played.
            unit: what they are called.
            ratio: how many of ``unit`` one of ``answer.asked`` is.

        Raises:
            RunError: something cannot be written or drawn; what broke the run off.
            KeyboardInterrupt: Ctrl-C was pressed while it played.
        """
        try:
            # Before the figures are printed, for whoever reads them may stop reading, as `head`
            # does.
            self._save(answer, draw)
            if plot is not None and plot_it is not None:
                self._plot(answer, plot, plot_it)
        finally:
            print_it()
        resume = ""
        if answer.asked is not None and self.folder is not None and self.folder.can_resume:
            resume = f"; {self.folder.resume_hint}"
        seen = self.progress.seen
        if seen is not None and not seen.is_enough:
            note(seen.told(unit), quiet=self.quiet)
        if self._failure is not None:
            raise RunError(f"{self._failure}; the figures are of the {unit} played before{resume}")
        if answer.asked is None:
            return
        if interrupts.seen or not self.progress.timed:
            end_interrupted(done, answer.asked * ratio, unit, more=resume, about=seen is not None)
        note(f"The time is over after {done:,} {unit}{resume}.", quiet=self.quiet)

    def _save(self, answer: _Played, draw: "Callable[[], bytes] | None") -> None:
        if self.folder is None or self.folder.is_unchanged:
            return
        from simdom.running.keeping import fill

        # A picture that cannot be drawn must not take the figures with it.
        picture, problem = None, None
        try:
            picture = None if draw is None else draw()
        except Exception as error:  # noqa: BLE001 -- whatever a drawing library may raise
            problem = error
        whole = answer.asked is None
        if fill(self.folder, answer, whole=whole, plot=picture):
            note(f"Saved in {self.folder.path}.", quiet=self.quiet)
        else:
            note(WHOLE.format("Not saved in", self.folder.path), quiet=self.quiet)
        if problem is not None:
            raise RunError(f"the plot could not be drawn: {problem}") from problem

    def _plot(self, answer: _Played, plot: Path, plot_it: Callable[[Path], object]) -> None:
        if answer.asked is not None and plot.exists():
            note(WHOLE.format("Not drawn in", plot), quiet=self.quiet)
            return
        plot_it(plot)
        note(f"Drawn in {plot}.", quiet=self.quiet)


@contextmanager
def long_run(
    *,
    out: Path | None = None,
    overwrite: bool = False,
    resume: bool = False,
    plot: Path | None = None,
    executor: str = "threads",
    scheduler: str | None = None,
    workers: int | None = None,
    threads: int | None = None,
    max_time: float | None = None,
    quiet: bool = False,
    unit: str = "rounds/s",
) -> Iterator[LongRun]:
    """A command that plays, with the folder that it is kept in and the place where it plays.

    Raises:
        UsageError: the folder cannot be used; options that do not go together.
        RunError: no cluster can be had.
    """
    from simdom.executors.choosing import check_options, opened

    check_apart(plot, out)
    with ExitStack() as stack:
        folder = None
        if out is not None:
            from simdom.running.folder import RunFolder

            folder = stack.enter_context(
                RunFolder(
                    out,
                    overwrite=overwrite,
                    resume=resume,
                    on_problem=lambda line: note(line, quiet=quiet),
                )
            )
        check_options(executor, threads=threads, scheduler=scheduler, workers=workers)
        if executor == "dask" and scheduler is None:
            note("Starting worker processes ...", quiet=quiet)
        where = stack.enter_context(
            opened(executor, threads=threads, scheduler=scheduler, workers=workers)
        )
        progress = ProgressBar(quiet=quiet, unit=unit, timed=max_time is not None)
        try:
            yield LongRun(where, folder, progress, quiet)
        except KeyboardInterrupt:
            if folder is not None and folder.can_resume and not interrupts.told:
                say(f"simdom: interrupted; {folder.resume_hint}")
                interrupts.told = True
            raise
