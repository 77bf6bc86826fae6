"""Contests played together on the same shuffles: chunk by chunk, on threads, until Ctrl-C."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from simdom.executors.threads import map_in_order
from simdom.pairing.contests import Contest
from simdom.pairing.sums import Sums, sum_trials
from simdom.simulate import patience

__all__ = ["Played", "play_together"]

CHUNK = 20_000  # rounds of each that a thread plays at a time; no figure depends on it
CHUNK_OF_ALL = 200_000  # rounds of all together: Ctrl-C waits for what was begun
ROUNDS_A_MATCH = 20  # about as many as a match has


class Played(NamedTuple):
    """What came of it.

    Attributes:
        sums: over the trials played.
        seconds: time that they took.
    """

    sums: Sums
    seconds: float


def play_together(
    contests: Sequence[Contest],
    trials: int,
    workers: int,
    *,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Played:
    """Play trials 0 to ``trials - 1`` of every contest; after Ctrl-C, what was played so far.

    Args:
        contests: the first is what the others are compared with; one seed and one set of tiles.
        trials: rounds or matches of each.
        workers: threads.
        progress: called now and then with the trials played of each, and those asked for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.

    Raises:
        RunError: the engine reached a state that no round can reach.
        KeyboardInterrupt: Ctrl-C, before any trial was played.
    """
    with patience(on_compile):
        sums = sum_trials(contests, 0, 0)
    began = time.perf_counter()
    seconds = 0.0
    try:
        for more in _play_chunks(contests, trials, workers):
            sums |= more
            seconds = time.perf_counter() - began
            if progress is not None:
                progress(sums.trials, trials)
    except KeyboardInterrupt:
        if not sums.trials:
            raise
    return Played(sums, seconds)


def _play_chunks(contests: Sequence[Contest], trials: int, workers: int) -> Iterator[Sums]:
    """The sums of each chunk, in order."""
    size = max(1, min(CHUNK, CHUNK_OF_ALL // len(contests)))
    if contests[0].target is not None:
        size = max(1, size // ROUNDS_A_MATCH)
    chunks = (range(at, min(at + size, trials)) for at in range(0, trials, size))
    return map_in_order(
        lambda chunk: sum_trials(contests, chunk.start, chunk.stop), chunks, workers
    )
