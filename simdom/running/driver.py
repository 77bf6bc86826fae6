"""Plays a job until its limits are reached, and keeps it on the way."""

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from simdom.errors import BrokenOffError, UsageError
from simdom.executors.protocol import Executor
from simdom.running.checkpoint import State
from simdom.running.folder import RunFolder
from simdom.running.job import FIRST_CHUNK, Job
from simdom.running.stopping import FIRST_LOOK, Limits, Look, look, next_look

__all__ = ["Played", "Watcher", "patience", "play"]

PATIENCE_SECONDS = 1.0  # loading compiled code takes less, compiling takes more
CHECKPOINT_SECONDS = 5.0
_VARIABLE = "SIMDOM_CHECKPOINT_SECONDS"

T = TypeVar("T")


@dataclass(frozen=True)
class Watcher:
    """Whoever wants to see a run go on.

    Attributes:
        progress: called now and then with the trials played and those to be played, of which
            nobody knows for sure how many there are if some precision is asked for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.
        on_look: called with every `Look`, if some precision is asked for.
    """

    progress: Callable[[int, int], None] | None = None
    on_compile: Callable[[], None] | None = None
    on_look: Callable[[Look], None] | None = None


class Played(NamedTuple, Generic[T]):
    """What was played.

    Attributes:
        tally: of it.
        before: the tally with which it began, if it went on from a folder.
        seconds: time that it took, that before an interruption included.
        failure: what ended it, if something failed.
        asked: trials that it should have had, if it ended before; with some precision asked for,
            about how many. None if it is over: all are played, or enough is known.
        reached: whether all is known as well as asked; None if no precision was asked for.
    """

    tally: T
    before: T
    seconds: float
    failure: BrokenOffError | None
    asked: int | None
    reached: bool | None

    @property
    def is_whole(self) -> bool:
        """Whether it is over."""
        return self.asked is None


def play(
    job: Job[T],
    limits: Limits,
    executor: Executor,
    *,
    first: int = 0,
    folder: RunFolder | None = None,
    watcher: Watcher | None = None,
) -> Played[T]:
    """Play trials until the limits, Ctrl-C or a failure.

    Args:
        job: what is played.
        limits: when to stop.
        executor: where chunks are played.
        first: index of the first trial.
        folder: where it is kept, and perhaps gone on from; None keeps nothing.
        watcher: whoever wants to see it.

    Raises:
        UsageError: what is in the folder is of another run, or has more trials than are asked for.
        RunError: something failed before anything was played; a state that no trial can reach.
        KeyboardInterrupt: Ctrl-C before anything was played.
    """
    return _Run(job, limits, executor, first, folder, watcher or Watcher()).play()


class _Run(Generic[T]):
    """A run while it goes on."""

    def __init__(
        self,
        job: Job[T],
        limits: Limits,
        executor: Executor,
        first: int,
        folder: RunFolder | None,
        watcher: Watcher,
    ) -> None:
        self._job, self._limits, self._executor = job, limits, executor
        self._first, self._folder, self._watcher = first, folder, watcher
        self._pace = _Pace(executor, job.largest_chunk)
        self._total = limits.trials
        self._seen: Look | None = None
        self._between = checkpoint_seconds()

    def play(self) -> Played[T]:
        began = time.perf_counter()
        with patience(self._watcher.on_compile):
            empty = self._job.unpack(self._job.work(range(0)))
        self._tally, self._before, self._next_look = self._start(empty)
        self._start_tally, self._kept = self._tally, self._done
        self._began = time.perf_counter()
        self._until = math.inf if self._limits.seconds is None else began + self._limits.seconds
        self._saved = self._began
        self._seconds = self._before
        failure: BrokenOffError | None = None
        try:
            self._play_on()
        except KeyboardInterrupt:
            if not self._done:
                raise
        except BrokenOffError as error:
            if not self._done:
                raise
            failure = error
        if self._done > self._kept or not (self._folder and self._folder.is_unchanged):
            self._save()
        asked, reached = self._asked(), None
        if self._limits.until:
            reached = asked is None and self._look().is_enough
        return Played(self._tally, self._start_tally, self._seconds, failure, asked, reached)

    def _asked(self) -> int | None:
        """Trials that there should be, if there are fewer.

        A run that is broken off between two looks is not over, even if it happens to know enough:
        where it ends must not depend on when that was.
        """
        if self._done >= self._limits.trials:
            return None
        if not self._limits.until:
            return self._limits.trials
        seen = self._look()
        if seen.is_enough and self._done >= self._next_look:
            return None
        rest = max(seen.expected, self._next_look - self._done, 1)
        return self._done + math.ceil(min(rest, self._limits.trials - self._done))

    @property
    def _done(self) -> int:
        return self._job.count(self._tally)

    def _start(self, empty: T) -> tuple[T, float, int]:
        """The sums, seconds and next look to begin with."""
        folder = self._folder
        if folder is None or folder.start is None:
            return empty, 0.0, FIRST_LOOK
        kept = folder.start
        try:
            state = kept.state(self._job, empty)
        except UsageError as error:
            raise UsageError(
                f"{folder.path} cannot be gone on with: {error}; has a file that it came from been "
                "changed since?"
            ) from None
        if kept.done > self._limits.trials:
            raise UsageError(
                f"{kept.done:,} {self._job.unit}s are played already, more than the "
                f"{self._limits.trials:,} asked for"
            )
        same = dict(self._limits.until) == kept.until
        again = state.next_look if same else max(kept.done, FIRST_LOOK)
        return state.tally, state.seconds, again

    def _play_on(self) -> None:
        """Play until it is over, or the time is."""
        while self._done < self._limits.trials:
            goal = self._limits.trials
            if self._limits.until:
                if self._done >= self._next_look:
                    seen = self._look()
                    if seen.is_enough:
                        return
                    self._next_look = next_look(seen)
                    rest = self._done + seen.expected
                    self._total = int(min(rest, self._limits.trials))
                goal = min(goal, self._next_look)
            if not self._play_to(goal):
                return

    def _play_to(self, goal: int) -> bool:
        """Play up to so many trials; return False if the time is over before."""
        start, stop = self._first + self._done, self._first + goal
        chunks = self._pace.chunks(start, stop)
        with closing(self._executor.play(_Timed(self._job.work), chunks)) as parts:
            for part in parts:
                self._pace.learn(part)
                self._add(part.value)
                now = time.perf_counter()
                self._seconds = self._before + now - self._began
                if self._watcher.progress is not None:
                    self._watcher.progress(self._done, max(self._total, self._done))
                if now - self._saved >= self._between:
                    self._save()
                    self._saved = time.perf_counter()
                if now >= self._until and self._done < goal:
                    return False
        return True

    def _add(self, value: Any) -> None:  # noqa: ANN401 -- what the job's work gives
        tally = self._job.add(self._tally, self._job.unpack(value))
        self._job.check(tally)
        self._tally = tally

    def _look(self) -> Look:
        if self._seen is None or self._seen.done != self._done:
            widths = self._job.widths(self._tally)
            self._seen = look(self._done, widths, self._limits.until)
            if self._watcher.on_look is not None:
                self._watcher.on_look(self._seen)
        return self._seen

    def _save(self) -> None:
        if self._folder is not None:
            state = State(self._tally, self._seconds, self._next_look)
            self._folder.save(self._job, self._limits, state)


class _Part(NamedTuple, Generic[T]):
    """What came of a chunk, and how long it took where it was played."""

    trials: int
    seconds: float
    value: T


@dataclass(frozen=True)
class _Timed(Generic[T]):
    """Work that also says how long it took; it can be sent wherever the work can."""

    work: Callable[[range], T]

    def __call__(self, chunk: range) -> _Part[T]:
        began = time.perf_counter()
        value = self.work(chunk)
        return _Part(len(chunk), time.perf_counter() - began, value)


class _Pace:
    """Chunks that take about as long as suits the executor, however slow the play."""

    def __init__(self, executor: Executor, largest: int) -> None:
        self._seconds = executor.seconds_a_chunk
        self._largest = largest
        self._size = min(FIRST_CHUNK, largest)

    def chunks(self, start: int, stop: int) -> Iterator[range]:
        """All of it, cut as the pace says when each chunk is begun."""
        while start < stop:
            chunk = range(start, min(start + self._size, stop))
            yield chunk
            start = chunk.stop

    def learn(self, part: _Part[T]) -> None:
        """Set the size by what a chunk took; a short one says little, so growth has a bound."""
        size = int(part.trials / max(part.seconds, 1e-9) * self._seconds)
        grown = max(_GROWTH * part.trials, self._size)
        self._size = max(1, min(size, grown, self._largest))


_GROWTH = 10


def checkpoint_seconds() -> float:
    """Between two checkpoints: what ``SIMDOM_CHECKPOINT_SECONDS`` says, else 5."""
    text = os.environ.get(_VARIABLE)
    if not text:
        return CHECKPOINT_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise UsageError(f"{_VARIABLE} must be a number of seconds, not {text!r}")
    return seconds


@contextmanager
def patience(call: Callable[[], None] | None) -> Iterator[None]:
    """Call ``call`` if the block takes long."""
    if call is None:
        yield
        return
    timer = threading.Timer(PATIENCE_SECONDS, call)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
