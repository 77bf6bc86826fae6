"""Chunks on the threads of this process: the engine lets go of the interpreter's lock."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from simdom.errors import UsageError, brief

__all__ = ["ThreadsExecutor", "map_in_order", "usable_cores"]

MOST_THREADS = 1024
_AHEAD = 2  # chunks waiting for each thread, so that none idles while tallies are merged

T = TypeVar("T")


def usable_cores() -> int:
    """Cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class ThreadsExecutor:
    """Plays chunks on threads, on no more of them than there are cores to run them.

    More would be no faster, for the engine waits for nothing; but each has a chunk in hand, and
    Ctrl-C waits for all of these and loses them.

    Raises:
        UsageError: ``threads`` is not a whole number from 1 to 1024.
    """

    seconds_a_chunk = 0.1  # an interrupted run loses about this much, and progress is this smooth

    def __init__(self, threads: int | None = None) -> None:
        if threads is None:
            threads = usable_cores()
        if isinstance(threads, bool) or not isinstance(threads, int):
            raise UsageError(f"threads must be a whole number, not {brief(threads)}")
        if not 1 <= threads <= MOST_THREADS:
            raise UsageError(f"threads must be from 1 to {MOST_THREADS}, not {brief(threads)}")
        self.workers = min(threads, usable_cores())

    def play(self, work: Callable[[range], T], chunks: Iterable[range]) -> Generator[T, None, None]:
        """See `simdom.executors.protocol.Executor.play`."""
        return map_in_order(work, chunks, self.workers)


def map_in_order(
    work: Callable[[range], T], chunks: Iterable[range], workers: int
) -> Generator[T, None, None]:
    """Do the work of each chunk on threads; yield what comes of it in the order of the chunks.

    When the caller stops asking, or is interrupted, chunks not begun are never worked on, and
    those begun are over when this returns.
    """
    pool = ThreadPoolExecutor(workers, thread_name_prefix="simdom")
    waiting: deque[Future[T]] = deque()
    try:
        for chunk in chunks:
            waiting.append(pool.submit(work, chunk))
            if len(waiting) == _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
