"""Cells that are not finished: kept beside the others while they are played, and gone on with.

Most cells take less time than it takes to make a folder. So there is none before the first
checkpoint is due, or before a cell is broken off.
"""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self, TypeVar

from simdom.engine.kernels import Study
from simdom.errors import UsageError
from simdom.grids.cells import CellStore, Precision, key_of
from simdom.running.checkpoint import Checkpoint, State, read_checkpoint
from simdom.running.folder import CHECKPOINT_FILE, RunFolder
from simdom.running.job import Job
from simdom.running.stopping import Limits, look

__all__ = ["CellFolder", "Unfinished"]

FOLDER = "unfinished"

T = TypeVar("T")


class CellFolder(RunFolder):
    """The folder of one cell while it is played; it is made when there is something to keep.

    Args:
        path: of it; None keeps nothing.
        asked: how far the cell is to be played, see `Unfinished.folder`.
        fresh: whether what is in it is not used.
        say: called with a line if something in it cannot be used, or nothing can be kept.

    Attributes:
        done: trials that are played.
        is_over: whether all are played, or enough is known. A run that is interrupted between two
            looks may happen to know enough: one that is not interrupted goes on to the next look.
    """

    def __init__(
        self,
        path: Path | None,
        asked: tuple[int, Precision | None],
        *,
        fresh: bool,
        say: Callable[[str], None],
    ) -> None:
        super().__init__(path or Path(), on_problem=say)
        self.done, self.is_over = 0, False
        self._keeps = path is not None
        self._asked, self._fresh = asked, fresh
        self._is_open = False

    def __enter__(self) -> Self:
        """Take the folder if it is there, with the checkpoint in it."""
        try:
            there = self._keeps and os.path.isdir(self.path)  # noqa: PTH112 -- never raises
            if there and self._take() and not self._fresh:
                self.start = self._find()
                self.done = 0 if self.start is None else self.start.done
        except BaseException:
            self._close()
            raise
        return self

    @property
    def is_unchanged(self) -> bool:
        """Never: there is no result in it."""
        return False

    @property
    def is_kept(self) -> bool:
        """Whether what is played of the cell can be gone on with."""
        return self._is_open and self._keeps and self._has_checkpoint

    @property
    def _has_checkpoint(self) -> bool:
        return os.path.lexists(self.path / CHECKPOINT_FILE)

    def forget(self) -> None:
        """Begin the cell anew."""
        self.start = None

    def save(self, job: Job[T], limits: Limits, state: State) -> None:
        """Write the checkpoint, unless the cell is over; where that fails, say so once."""
        self.done = job.count(state.tally)
        self.is_over = _is_over(self.done, job, limits, state)
        if self.is_over or not self._keeps or job.has_function:
            return
        if self._is_open or self._take():
            super().save(job, limits, state)

    def remove(self) -> None:
        """Take away what was kept, for the cell is finished."""
        if self._is_open:
            shutil.rmtree(self.path, ignore_errors=True)

    def _take(self) -> bool:
        """Make the folder and lock it; return whether that can be done, and say if not."""
        try:
            self._open()
        except UsageError as error:
            self._keeps = False
            self._say(f"Not kept before it is finished: {error}")
        self._is_open = self._keeps
        return self._is_open

    def _find(self) -> Checkpoint | None:
        """The checkpoint in the folder, if it is of what was asked for, as far as it says."""
        if not self._has_checkpoint:
            return None
        try:
            return _checked(read_checkpoint(self.path / CHECKPOINT_FILE), self.path, self._asked)
        except UsageError as error:
            self._say(f"Not gone on with: {error}")
            return None


def _is_over(done: int, job: Job[T], limits: Limits, state: State) -> bool:
    if done >= limits.trials or not limits.until:
        return done >= limits.trials
    return done >= state.next_look and look(done, job.widths(state.tally), limits.until).is_enough


def _checked(kept: Checkpoint, folder: Path, asked: tuple[int, Precision | None]) -> Checkpoint:
    """Return ``kept`` if it was to be played as far as this cell.

    Raises:
        UsageError: it was not, so that it may have been looked at after other numbers of trials.
    """
    trials, precision = asked
    until = {} if precision is None else dict(precision.until)
    arguments = kept.job.arguments or {}
    same = precision is None or arguments.get("confidence", precision.confidence) == (
        precision.confidence
    )
    if (kept.asked, kept.until) != (trials, until) or not same:
        raise UsageError(f"{folder} holds a run that was to end elsewhere")
    return kept


class Unfinished:
    """The folders of a store's unfinished cells.

    Args:
        store: beside whose cells they are.
    """

    def __init__(self, store: CellStore) -> None:
        self._folder = store.folder / FOLDER
        self._there: set[str] = set()
        with suppress(OSError):  # there is none, or it may not be looked into
            self._there = {path.name for path in self._folder.iterdir()}

    def folder(
        self,
        study: Study,
        trials: int,
        target: int | None,
        precision: Precision | None,
        *,
        fresh: bool,
        say: Callable[[str], None],
    ) -> CellFolder:
        """That of a cell, to be used in a ``with`` statement.

        Args:
            study: what is played.
            trials: how many rounds, or matches; with a precision, how many at most.
            target: points that win a match; None for single rounds.
            precision: until when it is played; None for all of ``trials``.
            fresh: whether what was kept is not used.
            say: called with a line if something cannot be used, or nothing can be kept.
        """
        path = self._folder / key_of(study, trials, target, precision)
        return CellFolder(path, (trials, precision), fresh=fresh, say=say)

    def clear(
        self, study: Study, trials: int, target: int | None, precision: Precision | None
    ) -> None:
        """Take away what is left of a cell that another sweep has finished."""
        if not self._there or key_of(study, trials, target, precision) not in self._there:
            return
        with self.folder(
            study, trials, target, precision, fresh=True, say=lambda _: None
        ) as folder:
            folder.remove()
