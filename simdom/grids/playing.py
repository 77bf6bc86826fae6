"""Cells played one after another: each is looked up first, gone on with if it can be, and kept."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from simdom.errors import BrokenOffError, RunError, SimdomError, UsageError
from simdom.executors.protocol import Executor
from simdom.formats import format_rounds
from simdom.grids.cell import Cell
from simdom.grids.cells import CellStore, Precision, check_played
from simdom.grids.plan import CellPlan, Plan
from simdom.grids.unfinished import CellFolder, Unfinished
from simdom.matches import simulate_matches
from simdom.results import Result
from simdom.running.stopping import FIRST_LOOK, Look
from simdom.simulate import command_of, has_function, simulate

__all__ = ["ChangedFileError", "End", "Table", "Watching", "play_missing"]

Note = Callable[[str], None]


@dataclass(frozen=True)
class Watching:
    """Whoever wants to see a sweep go on.

    Attributes:
        progress: called now and then with the rounds, or matches, played and those to play, in all
            cells that are not read; about how many, if cells are played until enough is known.
        on_compile: called if the engine must be compiled first, which takes some seconds.
        on_note: called with a line of text where something is read, skipped or not trusted.
        on_cell: called when a cell is begun, with its number from 1 on and that of cells to play.
        on_look: called with a `Look` whenever a cell is looked at that is played until enough is
            known.
    """

    progress: Callable[[int, int], None] | None = None
    on_compile: Callable[[], None] | None = None
    on_note: Note | None = None
    on_cell: Callable[[int, int], None] | None = None
    on_look: Callable[[Look], None] | None = None

    def say(self, line: str) -> None:
        """Tell a line of text."""
        if self.on_note is not None:
            self.on_note(line)


class ChangedFileError(RunError):
    """A TOML file is no longer what it was when the sweep began."""


class _TimeOverError(RunError):
    """The time is over, in the midst of a cell."""


class End(NamedTuple):
    """How it ended: the seconds that rounds took, what went wrong, and whether the time is over."""

    seconds: float = 0.0
    problem: RunError | None = None
    time_over: bool = False


def play_missing(
    table: "Table",
    planned: Sequence[CellPlan],
    found: list[Cell],
    missing: Sequence[int],
    max_time: float | None,
) -> End:
    """Play the cells that are not there, until the last one, Ctrl-C, a failure or the time.

    Args:
        table: where they are played and kept.
        planned: all cells.
        found: the same, as far as they are there; changed in place.
        missing: the numbers of those that are not.
        max_time: seconds after which none is begun, but for the first; None for no limit.

    Raises:
        KeyboardInterrupt: Ctrl-C before any cell is there.
        RunError: a failure before any cell is there.
    """
    seconds = 0.0
    clock = _Clock(max_time)
    tell = _Progress(table.watching, table.plan, len(missing))
    try:
        for turn, number in enumerate(missing):
            if turn and clock.is_over:
                return End(seconds, time_over=True)
            tell.begin()
            with table.folder_of(planned[number]) as folder:
                result = table.play(planned[number], folder, tell, clock)
                seconds += result.seconds
                found[number] = replace(found[number], result=_slim(result))
                file = table.keep(planned[number], result)
                found[number] = replace(found[number], file=file)
                if file is not None:
                    folder.remove()
            tell.end(result.trials)
            if tell.is_interrupted:
                break
    except _TimeOverError:
        return End(seconds, time_over=True)
    except (KeyboardInterrupt, ChangedFileError, BrokenOffError) as error:
        if isinstance(error, BrokenOffError):
            error.result = None  # that of a part of one cell is no sweep
        if not any(cell.result for cell in found):
            raise
        return End(seconds, None if isinstance(error, KeyboardInterrupt) else error)
    return End(seconds)


class _Clock:
    """The time that is left of a sweep's."""

    def __init__(self, seconds: float | None) -> None:
        self._end = math.inf if seconds is None else time.perf_counter() + seconds

    @property
    def is_over(self) -> bool:
        return time.perf_counter() >= self._end

    @property
    def left(self) -> float | None:
        """Seconds, more than 0; None if there is no end."""
        return None if math.isinf(self._end) else max(self._end - time.perf_counter(), _INSTANT)


_INSTANT = 1e-9  # seconds


@dataclass
class Table:
    """Where cells are played and kept.

    Attributes:
        plan: of the sweep.
        confidence: of the intervals.
        where: they are played.
        store: in which they are kept; None if they are not.
        fresh: whether what is kept is not used.
        watching: whoever wants to see it.
    """

    plan: Plan
    confidence: float
    where: Executor
    store: CellStore | None
    fresh: bool
    watching: Watching

    def __post_init__(self) -> None:
        """Look what is unfinished, once."""
        self._unfinished = None if self.store is None else Unfinished(self.store)
        until = self.plan.until
        self._precision = Precision(until, self.confidence) if until else None

    def look_up(self, plan: CellPlan) -> Cell:
        """The cell as far as nothing must be played for it."""
        cell = Cell(plan.labels, reason=plan.reason)
        study, store = plan.study, self.store
        if study is None or self.fresh or store is None or has_function(study.strategies):
            return cell
        asked = (study, self.plan.rounds)
        found = store.find(*asked, self.confidence, plan.target, self.plan.until)
        for file, reason in found.broken.items():
            self.watching.say(f"Played again: {cell.name}; {file} is not used: {reason}")
        if found.result is None:
            return cell
        if self._unfinished is not None:
            self._unfinished.clear(*asked, plan.target, self._precision)
        variant = plan.variant.loaded
        # It may have been kept for another variant that comes to the same rules.
        result = replace(
            found.result,
            variant=variant.name,
            title=variant.title,
            command=command_of(
                variant,
                study,
                found.result.trials,
                plan.toggles,
                self.confidence,
                written=(plan.variant.given, plan.strategy.given),
                target=plan.target,
            ),
        )
        return replace(cell, result=_slim(result), file=found.file, kept=True)

    def folder_of(self, plan: CellPlan) -> CellFolder:
        """Where the cell is kept before it is finished."""
        name = Cell(plan.labels).name
        study = plan.playable
        far = (self.plan.rounds, self._precision)

        def say(line: str) -> None:
            self.watching.say(f"{name}: {line}")

        if self.store is None or self._unfinished is None or has_function(study.strategies):
            return CellFolder(None, far, fresh=self.fresh, say=say)
        rounds, precision = far
        return self._unfinished.folder(
            study, rounds, plan.target, precision, fresh=self.fresh, say=say
        )

    def play(
        self, plan: CellPlan, folder: CellFolder, progress: "_Progress", clock: _Clock
    ) -> Result:
        """The result of a cell, all of its rounds.

        Raises:
            KeyboardInterrupt: on Ctrl-C; what was played of the cell is in its folder.
            _TimeOverError: the time is over; likewise.
            RunError: the TOML file of its variant or strategy is not what it was; the engine
                reached a state that no round can reach; the cluster is gone.
        """
        name = Cell(plan.labels).name
        if folder.start is not None:
            self.watching.say(f"Gone on with: {name}, from {self._count(folder.start.done)} on.")
        try:
            try:
                result = self._simulate(plan, folder, progress, clock)
            except BrokenOffError:
                raise
            except SimdomError as problem:
                if folder.start is None:
                    raise
                self.watching.say(f"Begun anew: {name}; {problem}")
                folder.forget()
                result = self._simulate(plan, folder, progress, clock)
            if folder.is_over:
                target, far = plan.target, self.plan.rounds
                check_played(result, plan.playable, far, target, self._precision)
                return result
        except UsageError as error:  # all was checked before the first cell
            raise ChangedFileError(f"a file was changed during the sweep: {error}") from None
        finally:
            if folder.is_kept and not folder.is_over:
                self.watching.say(f"Kept unfinished: {name}, {self._count(folder.done)}.")
        if clock.is_over and not progress.is_interrupted:
            raise _TimeOverError("the time is over")
        raise KeyboardInterrupt

    def _simulate(
        self, plan: CellPlan, folder: CellFolder, progress: "_Progress", clock: _Clock
    ) -> Result:
        play = simulate if plan.target is None else partial(simulate_matches, target=plan.target)
        return play(
            plan.variant.given,
            self.plan.rounds,
            overrides=plan.toggles,
            strategy=plan.strategy.given,
            seed=plan.playable.seed,
            confidence=self.confidence,
            until=self.plan.until,
            max_time=clock.left,
            executor=self.where,
            checkpoint=folder,
            progress=progress,
            on_compile=self.watching.on_compile,
            on_look=self.watching.on_look,
        )

    def _count(self, trials: int) -> str:
        return format_rounds(trials, None, self.plan.unit)

    def check_keeping(self) -> None:
        """Give up a store that can be read and not written to, and say so."""
        try:
            if self.store is not None:
                self.store.check_writable()
        except UsageError as problem:
            self.watching.say(f"Cells are not kept: {problem}")
            self.store = None

    def keep(self, plan: CellPlan, result: Result) -> Path | None:
        """Write the cell into the store; a store that cannot be written to is given up."""
        if self.store is None or has_function(plan.playable.strategies):
            return None
        most = self.plan.rounds if self.plan.until else None
        try:
            return self.store.keep(plan.playable, result, most)
        except RunError as error:
            self.watching.say(f"From here on, cells are not kept: {error}")
            self.store = None
            return None


def _slim(result: Result) -> Result:
    """The result without its distributions, of which ten thousand cells would fill the memory."""
    return replace(result, distributions={})


class _Progress:
    """The progress of one cell after another, told as that of all.

    A run that is interrupted once its last round is played is whole, and says nothing of it: what
    went through here is remembered.

    Attributes:
        is_interrupted: whether Ctrl-C went through here.
    """

    def __init__(self, watching: Watching, plan: Plan, cells: int) -> None:
        self.is_interrupted = False
        self._watching, self._plan, self._cells = watching, plan, cells
        self._finished, self._before = 0, 0

    def begin(self) -> None:
        """A cell is begun."""
        if self._watching.on_cell is not None:
            self._watching.on_cell(self._finished + 1, self._cells)

    def end(self, played: int) -> None:
        """It is finished after so many trials."""
        self._finished += 1
        self._before += played

    def __call__(self, done: int, expected: int) -> None:
        """Tell it.

        Raises:
            KeyboardInterrupt: on Ctrl-C.
        """
        try:
            if self._watching.progress is not None:
                self._watching.progress(self._before + done, self._total(done, expected))
        except KeyboardInterrupt:
            self.is_interrupted = True
            raise

    def _total(self, done: int, expected: int) -> int:
        """Trials of all cells; those that nobody knows yet are taken for as many as the others."""
        if not self._plan.until:
            return self._cells * self._plan.rounds
        usual = self._before / self._finished if self._finished else FIRST_LOOK
        this = max(done, usual if expected >= self._plan.rounds else expected)
        mean = (self._before + this) / (self._finished + 1)
        return math.ceil(mean * self._cells)
