"""What an executor is: it plays chunks of a study and hands the tallies back in order."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from simdom.engine.kernels import Study
from simdom.engine.tally import Tally

__all__ = ["Executor"]


class Executor(Protocol):
    """Plays chunks somewhere. It decides where and when, never what comes out.

    Attributes:
        workers: chunks that it plays at a time.
    """

    @property
    def workers(self) -> int:
        """Chunks that it plays at a time."""
        ...

    def play(self, study: Study, chunks: Iterable[range]) -> Iterator[Tally]:
        """Play each chunk of round indices; yield the tallies in the order of the chunks.

        When the caller stops asking, or is interrupted, chunks not begun are never played, and
        those begun are over when this returns.
        """
        ...
