"""Chunks on the workers of a dask cluster, which may join, leave and die while it goes on."""

import pickle
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from simdom.errors import ExecutorError, SimdomError, UsageError, brief
from simdom.executors.remote import (
    WORKER,
    Build,
    build_here,
    check_same,
    in_a_line,
    play_chunk,
    sealed,
)

if TYPE_CHECKING:
    from distributed import Client, Future

__all__ = ["DaskExecutor"]

AHEAD = 3  # chunks for each thread: one that it plays, one that waits there, one on the way
SHORTEST_SECONDS = 2.0  # of a chunk
MOST_A_SECOND = 50.0  # chunks: one scheduler and one client have to see to all of them
LOOK_SECONDS = 1.0  # between two looks at who the workers are
NOBODY_SECONDS = 60.0  # a run without any worker is given up after this

T = TypeVar("T")


class DaskExecutor:
    """Plays chunks on the workers of a cluster, one at a time on each of their threads.

    Args:
        client: connected to the cluster. It stays open.

    Raises:
        UsageError: ``client`` is none, is closed or is asynchronous.
    """

    def __init__(self, client: "Client") -> None:
        from distributed import Client

        if not isinstance(client, Client):
            raise UsageError(f"a dask Client is needed, not {brief(client)}")
        if client.asynchronous:
            raise UsageError("an asynchronous dask Client cannot be used: leave out asynchronous")
        if client.status != "running":
            raise UsageError(f"the dask Client is {client.status}: connect it to a scheduler")
        self._client = client
        self._address = str(client.scheduler.address)
        self._build = build_here()
        self._threads: dict[str, int] = {}  # by the worker's address
        self._same: set[str] = set()  # addresses of those whose build was looked at
        self._looked = self._seen = -float("inf")

    @property
    def workers(self) -> int:
        """Threads of all workers that were there when it last looked; 1 where none was."""
        with suppress(ExecutorError):  # whoever plays is told; a finished run may still ask
            self._look()
        return self._known

    @property
    def _known(self) -> int:
        return max(sum(self._threads.values()), 1)

    @property
    def seconds_a_chunk(self) -> float:
        """How long a chunk should take: a task costs some milliseconds besides, docs/scale.md."""
        return max(SHORTEST_SECONDS, self.workers / MOST_A_SECOND)

    def play(self, work: Callable[[range], T], chunks: Iterable[range]) -> Generator[T, None, None]:
        """See `simdom.executors.protocol.Executor.play`.

        A chunk whose worker leaves or dies is played by another one. When the caller stops asking,
        the cluster forgets the chunks; those begun are still played to their end there.

        Raises:
            UsageError: ``work`` cannot be sent to another process.
            ExecutorError: a process of the cluster has another build of simdom; a chunk whose
                workers died again and again; no worker for a minute; the scheduler is gone.
        """
        packed = _packed(work)
        run = f"simdom-{uuid4().hex}"
        todo = iter(chunks)
        waiting: deque[tuple[range, Future[T]]] = deque()
        self._seen = time.monotonic()
        try:
            while True:
                self._look()
                room = max(AHEAD * self._known - len(waiting), 0)
                for chunk in islice(todo, room):
                    call = sealed(play_chunk, self._build, packed, chunk)
                    waiting.append((chunk, self._submit(chunk, run, call)))
                if not waiting:
                    return
                yield from self._take_finished(waiting)
        finally:
            for _, future in waiting:
                future.release()

    def _submit(self, chunk: range, run: str, call: bytes) -> "Future[Any]":
        """Send a chunk; its key is that of no other, so that nothing else is taken for it."""
        key = f"{run}-{chunk.start}-{chunk.stop}"
        with self._told():
            return self._client.submit(pickle.loads, call, key=key, pure=False)

    def _take_finished(self, waiting: "deque[tuple[range, Future[T]]]") -> list[T]:
        """Wait for the first chunk; take it, and those after it that are finished, too.

        ``waiting`` is modified in place. What is taken together is one message, not one for each.
        """
        self._wait(*waiting[0])
        finished = []
        while waiting and waiting[0][1].status == "finished":
            finished.append(waiting.popleft()[1])
        with self._told():
            results: list[T] = self._client.gather(finished)
        return results

    def _wait(self, chunk: range, future: "Future[Any]") -> None:
        """Return when a chunk is played, and raise what it raised."""
        while not self._is_over(future):
            self._look()
        with self._told():
            error = future.exception()
        if error is not None:
            raise _plain(error, chunk, self._address)

    def _is_over(self, future: "Future[Any]") -> bool:
        """Whether a chunk is played or has failed; waits a second for that."""
        with self._told():
            try:
                future.exception(timeout=LOOK_SECONDS)
            except TimeoutError:
                return False
            return True

    def _look(self) -> None:
        """See who the workers are, at most once a second, and that new ones are the same simdom."""
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        with self._told():
            self._threads = dict(self._client.nthreads())
            self._check_builds()
        self._looked = now
        if self._threads:
            self._seen = now
        elif now - self._seen > NOBODY_SECONDS:
            raise ExecutorError(f"{self._address} has had no worker for {NOBODY_SECONDS:.0f} s")

    def _check_builds(self) -> None:
        """Ask those who were not asked before. Who gives no answer shows it with the first chunk.

        Raises:
            ExecutorError: one has another build, or no simdom.
        """
        new = [address for address in self._threads if address not in self._same]
        if new:
            answers = self._client.run(
                pickle.loads, sealed(build_here), workers=new, on_error="return"
            )
            for address, found in answers.items():
                _check(f"{WORKER} {address}", found, self._build)
            self._same.update(new)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in a line that the scheduler is gone."""
        from concurrent.futures import CancelledError

        try:
            yield
        except SimdomError:
            raise
        except Exception as error:
            known = isinstance(error, OSError | CancelledError)
            if not known and self._client.status == "running":
                raise
            raise ExecutorError(
                f"the scheduler {self._address} is gone: {in_a_line(error)}"
            ) from error


def _check(where: str, found: object, wanted: Build) -> None:
    """Return if ``found`` is the build that is wanted, or says nothing about it."""
    if isinstance(found, Build):
        check_same(where, found, wanted)
    elif isinstance(found, ImportError | AttributeError):
        raise ExecutorError(_lacking(where, found)) from found


def _lacking(where: str, error: BaseException) -> str:
    """What to say of a process that could not import something."""
    if (getattr(error, "name", None) or "simdom").split(".")[0] != "simdom":
        return f"{where} lacks something that is played with: {in_a_line(error)}"
    version = build_here().simdom
    return f"{where} has no simdom {version}: install it there ({in_a_line(error)})"


def _plain(error: BaseException, chunk: range, scheduler: str) -> BaseException:
    """What to raise for a chunk that failed: errors of its own as they are."""
    from concurrent.futures import CancelledError

    from distributed.scheduler import KilledWorker

    if isinstance(error, KilledWorker):
        return ExecutorError(
            f"the workers that played {chunk.start:,} to {chunk.stop - 1:,} died, one after "
            f"the other, the last of them {error.last_worker.address}: see its log"
        )
    if isinstance(error, CancelledError):
        return ExecutorError(
            f"the scheduler {scheduler} is gone, or has cancelled what it was to do"
        )
    if isinstance(error, ImportError):
        return ExecutorError(_lacking(f"a worker of {scheduler}", error))
    return error


def _packed(work: Callable[[range], T]) -> bytes:
    """What a worker unpacks.

    Raises:
        UsageError: it cannot be sent to another process.
    """
    from distributed.protocol.pickle import dumps

    try:
        return bytes(dumps(work))
    except SimdomError:
        raise
    except Exception as error:
        raise UsageError(f"what is played cannot be sent to workers: {in_a_line(error)}") from error
