"""Deals played in chunks on threads until all are played, or until Ctrl-C."""

import time
from collections.abc import Callable, Iterator
from typing import Generic, NamedTuple, Protocol, Self, TypeVar

from simdom.errors import StrategyError
from simdom.executors.threads import map_in_order
from simdom.simulate import patience

__all__ = ["Played", "Sums", "play_deals"]

FIRST_CHUNK = 10
LARGEST_CHUNK = 20_000
CHUNK_SECONDS = 0.3  # Ctrl-C waits for the chunks in hand and loses them; no figure depends on it


class Sums(Protocol):
    """What deals add up to, exactly."""

    @property
    def deals(self) -> int:
        """How many."""
        ...

    def __add__(self, other: Self) -> Self:
        """The sums of the deals of both."""
        ...


S = TypeVar("S", bound=Sums)
R = TypeVar("R")


class Played(NamedTuple, Generic[S]):
    """What was played.

    Attributes:
        sums: over the deals.
        seconds: that they took.
        failure: of a strategy, which ended it.
    """

    sums: S
    seconds: float
    failure: StrategyError | None

    def give(self, result: R) -> R:
        """Return what came of it.

        Raises:
            StrategyError: a strategy failed; ``result`` is in its ``result``.
        """
        if self.failure is None:
            return result
        self.failure.result = result
        raise self.failure


class _Pace:
    """Chunks that take a while each, however slow the play: strategies differ a thousandfold."""

    def __init__(self, deals: int) -> None:
        self._deals = deals
        self._size = FIRST_CHUNK

    def chunks(self) -> Iterator[range]:
        """All deals, cut as the pace says when each chunk is begun."""
        at = 0
        while at < self._deals:
            chunk = range(at, min(at + self._size, self._deals))
            yield chunk
            at = chunk.stop

    def timed(self, work: Callable[[range], S]) -> Callable[[range], S]:
        """``work``, whose time sets the pace of what is yet to be cut."""

        def call(chunk: range) -> S:
            began = time.perf_counter()
            done = work(chunk)
            speed = len(chunk) / max(time.perf_counter() - began, 1e-9)
            self._size = min(max(int(speed * CHUNK_SECONDS), 1), LARGEST_CHUNK)
            return done

        return call


def play_deals(
    work: Callable[[range], S],
    deals: int,
    workers: int,
    *,
    rounds_a_deal: int,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Played[S]:
    """Play deals 0 to ``deals - 1``; after Ctrl-C, or where a strategy fails, those before.

    Args:
        work: plays the deals of a range and adds them up; must play an empty one.
        deals: how many.
        workers: threads.
        rounds_a_deal: that each is played.
        progress: called now and then with the rounds played, and those asked for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.

    Raises:
        RunError: the engine reached a state that no round can reach.
        StrategyError: a strategy failed before the first chunk was played.
        KeyboardInterrupt: Ctrl-C, before that.
    """
    with patience(on_compile):
        sums = work(range(0))
    pace = _Pace(deals)
    began = time.perf_counter()
    seconds = 0.0
    failure: StrategyError | None = None
    try:
        for more in map_in_order(pace.timed(work), pace.chunks(), workers):
            sums += more
            seconds = time.perf_counter() - began
            if progress is not None:
                progress(sums.deals * rounds_a_deal, deals * rounds_a_deal)
    except (KeyboardInterrupt, StrategyError) as error:
        if not sums.deals:
            raise
        failure = error if isinstance(error, StrategyError) else None
    return Played(sums, seconds, failure)
