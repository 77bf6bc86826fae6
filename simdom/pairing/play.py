"""Studies played together on the same shuffles: chunk by chunk, on threads, until Ctrl-C."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from simdom.engine.kernels import Study
from simdom.executors.threads import map_in_order
from simdom.pairing.sums import Sums, sum_rounds
from simdom.simulate import patience

__all__ = ["Played", "play_together"]

CHUNK = 20_000  # rounds of each that a thread plays at a time; no figure depends on it
CHUNK_OF_ALL = 200_000  # rounds of all together: Ctrl-C waits for what was begun


class Played(NamedTuple):
    """What came of it.

    Attributes:
        sums: over the rounds played.
        seconds: time that they took.
    """

    sums: Sums
    seconds: float


def play_together(
    studies: Sequence[Study],
    rounds: int,
    workers: int,
    *,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Played:
    """Play rounds 0 to ``rounds - 1`` of every study; after Ctrl-C, what was played so far.

    Args:
        studies: the first is what the others are compared with; one seed and one set of tiles.
        rounds: of each.
        workers: threads.
        progress: called now and then with the rounds played of each, and those asked for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.

    Raises:
        RunError: the engine reached a state that no round can reach.
        KeyboardInterrupt: Ctrl-C, before any round was played.
    """
    with patience(on_compile):
        sums = sum_rounds(studies, 0, 0)
    began = time.perf_counter()
    seconds = 0.0
    try:
        for more in _play_chunks(studies, rounds, workers):
            sums |= more
            seconds = time.perf_counter() - began
            if progress is not None:
                progress(sums.rounds, rounds)
    except KeyboardInterrupt:
        if not sums.rounds:
            raise
    return Played(sums, seconds)


def _play_chunks(studies: Sequence[Study], rounds: int, workers: int) -> Iterator[Sums]:
    """The sums of each chunk, in order."""
    size = max(1, min(CHUNK, CHUNK_OF_ALL // len(studies)))
    chunks = (range(at, min(at + size, rounds)) for at in range(0, rounds, size))
    return map_in_order(lambda chunk: sum_rounds(studies, chunk.start, chunk.stop), chunks, workers)
