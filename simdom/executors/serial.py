"""All chunks one after another, where the caller is."""

from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

__all__ = ["SerialExecutor"]

T = TypeVar("T")


class SerialExecutor:
    """Plays chunks in the calling thread."""

    workers = 1
    seconds_a_chunk = 0.1

    def play(self, work: Callable[[range], T], chunks: Iterable[range]) -> Generator[T, None, None]:
        """See `simdom.executors.protocol.Executor.play`."""
        yield from map(work, chunks)
