"""What an executor is: it plays chunks and hands what comes of them back in order."""

from collections.abc import Callable, Generator, Iterable
from typing import Protocol, TypeVar

__all__ = ["Executor"]

T = TypeVar("T")


class Executor(Protocol):
    """Plays chunks somewhere. It decides where and when, never what comes out.

    Attributes:
        workers: chunks that it plays at a time.
        seconds_a_chunk: how long a chunk should take, so that handing it out costs next to nothing.
    """

    @property
    def workers(self) -> int:
        """Chunks that it plays at a time; may change while it plays."""
        ...

    @property
    def seconds_a_chunk(self) -> float:
        """How long a chunk should take, so that handing it out costs next to nothing."""
        ...

    def play(self, work: Callable[[range], T], chunks: Iterable[range]) -> Generator[T, None, None]:
        """Play each chunk; yield what comes of it in the order of the chunks.

        Args:
            work: plays a chunk, such as `simdom.engine.kernels.tally_rounds` of a study; it can be
                sent to another process.
            chunks: of indices, of rounds or of matches; they are asked for when they are needed.

        When the caller stops asking, or is interrupted, chunks not begun are never played, and
        those begun are over when this returns.
        """
        ...
