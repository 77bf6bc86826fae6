"""All chunks one after another, where the caller is."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

__all__ = ["SerialExecutor"]

T = TypeVar("T")


class SerialExecutor:
    """Plays chunks in the calling thread."""

    workers = 1

    def play(self, work: Callable[[range], T], chunks: Iterable[range]) -> Iterator[T]:
        """See `simdom.executors.protocol.Executor.play`."""
        return map(work, chunks)
