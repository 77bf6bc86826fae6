"""What an executor is: it plays chunks and hands what comes of them back in order."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

__all__ = ["Executor"]

T = TypeVar("T")


class Executor(Protocol):
    """Plays chunks somewhere. It decides where and when, never what comes out.

    Attributes:
        workers: chunks that it plays at a time.
    """

    @property
    def workers(self) -> int:
        """Chunks that it plays at a time."""
        ...

    def play(self, work: Callable[[range], T], chunks: Iterable[range]) -> Iterator[T]:
        """Play each chunk; yield what comes of it in the order of the chunks.

        Args:
            work: plays a chunk, such as `simdom.engine.kernels.tally_rounds` of a study.
            chunks: of indices, of rounds or of matches.

        When the caller stops asking, or is interrupted, chunks not begun are never played, and
        those begun are over when this returns.
        """
        ...
