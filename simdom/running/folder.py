"""The folder that a run is kept in: its checkpoint while it goes on, its result at the end.

At every moment the folder holds something that can be trusted: files are written under another
name and renamed, and a result is only there together with the sums that it was made of. One process
at a time works in it; the system's lock on the folder is gone with the process, however it ends.
"""

import errno
import fcntl
import os
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from simdom.errors import RunError, UsageError
from simdom.files import check_folder, remove_parts, replace_files, write_file
from simdom.running.checkpoint import Checkpoint, State, read_checkpoint, write_checkpoint
from simdom.running.job import Job
from simdom.running.stopping import Limits

__all__ = ["CHECKPOINT_FILE", "RUN_FILES", "TALLY_FILE", "RunFolder"]

RESULT_FILE, METRICS_FILE, PLOT_FILE = "result.json", "metrics.csv", "plot.png"
TALLY_FILE, CHECKPOINT_FILE = "tally.json", "checkpoint.json"
RUN_FILES = (RESULT_FILE, METRICS_FILE, PLOT_FILE, TALLY_FILE, CHECKPOINT_FILE)

T = TypeVar("T")


def check_run_folder(folder: Path, *, overwrite: bool = False) -> None:
    """Return if a run can be kept in ``folder``; ask before a long run.

    Raises:
        UsageError: it holds an unfinished run, or a result, which may not be replaced; it is a
            file, or holds other files; it cannot be made or written to.
    """
    if not overwrite and (folder / CHECKPOINT_FILE).is_file():
        raise UsageError(
            f"{folder} holds an unfinished run: `simdom resume {shell_path(folder)}` goes on with "
            "it; name a new folder, or overwrite it (overwrite=True, or --overwrite)"
        )
    check_folder(folder, RUN_FILES, schema="simdom.", overwrite=overwrite)


def shell_path(path: Path) -> str:
    """A path as a shell reads it back, and no command takes it for an option."""
    text = str(path)
    return shlex.quote(f"./{text}" if text.startswith("-") else text)


class RunFolder:
    """A folder for one run, to be used in a ``with`` statement.

    Args:
        path: the folder; it is made, with those above it.
        overwrite: whether a result or an unfinished run in it may be replaced.
        resume: whether to go on with what is in it.
        on_problem: called with a line when a checkpoint or a picture cannot be written, without
            which the run goes on.

    Raises:
        UsageError: as `check_run_folder`; another process is working in it; to be resumed, but
            there is nothing in it.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        overwrite: bool = False,
        resume: bool = False,
        on_problem: Callable[[str], None] | None = None,
    ) -> None:
        self.path = Path(path)
        self.overwrite = overwrite
        self.start: Checkpoint | None = None
        self.is_damaged = False
        self._resume = resume
        self._say = on_problem or (lambda _: None)
        self._told = False
        self._lock: int | None = None
        self._made: list[Path] = []
        self._written: bytes | None = None

    def __enter__(self) -> Self:
        """Make the folder and lock it."""
        if self._resume:
            if not self.path.is_dir():
                raise UsageError(f"{self.path} is no folder that a run was kept in")
        else:
            check_run_folder(self.path, overwrite=self.overwrite)
        try:
            self._open()
            if self._resume:
                self.start = find_checkpoint(self.path)
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let others in; a folder in which nothing was put is gone again."""
        self._close()

    @property
    def holds_whole_result(self) -> bool:
        """Whether there is a result that this run must not replace before it is whole itself."""
        return self.holds_result and (self.start is None or self._is_of_another())

    def _is_of_another(self) -> bool:
        """Whether the result is not of the run that goes on, but of one that it is to replace."""
        try:
            tally = read_checkpoint(self.path / TALLY_FILE)
        except UsageError:  # nobody knows what it is of
            return True
        return self.start is None or tally.job.identity != self.start.job.identity

    @property
    def holds_result(self) -> bool:
        """Whether there is a result in it."""
        return (self.path / RESULT_FILE).is_file()

    @property
    def is_unchanged(self) -> bool:
        """Whether it was opened with a finished run and its result, and nothing was added."""
        whole = self.start is not None and not (self.path / CHECKPOINT_FILE).exists()
        return whole and self._written is None and self.holds_result and not self.is_damaged

    @property
    def can_resume(self) -> bool:
        """Whether there is a checkpoint to go on from."""
        return (self.path / CHECKPOINT_FILE).is_file()

    @property
    def resume_hint(self) -> str:
        """What to do about a run that is not over, in words that a shell can read."""
        return f"`simdom resume {shell_path(self.path)}` goes on"

    def _put(self, files: Mapping[str, bytes]) -> None:
        replace_files(self.path, files, last=RESULT_FILE, names=RUN_FILES[:-1])

    def save(self, job: Job[T], limits: Limits, state: State) -> None:
        """Write the checkpoint; where that fails, say so once, and keep the one before."""
        if job.has_function:
            return
        self._written = write_checkpoint(job, limits, state)
        try:
            write_file(self.path / CHECKPOINT_FILE, self._written)
        except RunError as error:
            if not self._told:
                self._told = True
                self._say(f"No checkpoint: {error}. The run goes on without.")

    def finish(self, contents: Mapping[str, bytes], *, whole: bool) -> None:
        """Put the result in the place of what was there.

        Args:
            contents: of `RESULT_FILE`, `METRICS_FILE` and perhaps `PLOT_FILE`.
            whole: whether the run is over, so that nothing is left to be resumed.

        Raises:
            RunError: a file cannot be written. The checkpoint is still there, as far as it could
                be written.
        """
        tally = {} if self._written is None else {TALLY_FILE: self._written}
        # Without its result the rest is nobody's, whatever stops this in the middle.
        files = {**contents, **tally}
        try:
            self._put(files)
        except RunError as error:
            hint = f"; {self.resume_hint}" if self.can_resume else ""
            if PLOT_FILE not in files:
                raise RunError(f"{error}{hint}") from error
            # The picture is the largest, and can be drawn again.
            del files[PLOT_FILE]
            try:
                self._put(files)
            except RunError as again:
                raise RunError(f"{again}{hint}") from again
            self._say(f"Saved without its picture: {error}.")
        if whole:
            with suppress(OSError):  # it says the same as the tally
                (self.path / CHECKPOINT_FILE).unlink(missing_ok=True)

    def _open(self) -> None:
        try:
            self._made = [each for each in (self.path, *self.path.parents) if not each.exists()]
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(self.path)
            if self._lock is not None:  # nobody else is writing here
                remove_parts(self.path, RUN_FILES)
        except OSError as error:
            raise UsageError(f"{self.path} cannot be written: {error.strerror or error}") from None

    def _close(self) -> None:
        for folder in self._made:  # those that hold something stay
            with suppress(OSError):
                folder.rmdir()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _lock(folder: Path) -> int | None:
    """Keep other processes out of a folder for as long as the descriptor is open.

    Where the file system has no locks, there is none: then two runs replace each other's files,
    each of which is whole.

    Raises:
        UsageError: another process has it.
    """
    while True:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                raise UsageError(
                    f"another run is being kept in {folder}: wait for it, or name another folder"
                ) from None
            return None
        # Whoever had it before may have removed the folder meanwhile.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), folder.stat()):
                return descriptor
        os.close(descriptor)
        folder.mkdir(parents=True, exist_ok=True)


def find_checkpoint(folder: Path) -> Checkpoint:
    """What a run in a folder can go on from: its checkpoint, else the tally of its result.

    Raises:
        UsageError: there is none, or it cannot be used.
    """
    checkpoint, tally = folder / CHECKPOINT_FILE, folder / TALLY_FILE
    if checkpoint.exists():
        try:
            return read_checkpoint(checkpoint)
        except UsageError as error:
            instead = f"; delete it to go on from {TALLY_FILE}" if tally.is_file() else ""
            raise UsageError(f"{error}{instead}") from None
    if tally.exists():
        return read_checkpoint(tally)
    if (folder / RESULT_FILE).is_file():
        raise UsageError(
            f"{folder} holds a result without {TALLY_FILE}, the sums that it was made of, so "
            "nothing can be added to it: `simdom run --out` keeps them"
        )
    raise UsageError(f"{folder} is no folder that a run was kept in: it has no {CHECKPOINT_FILE}")
