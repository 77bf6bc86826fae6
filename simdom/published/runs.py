"""The runs that claims need: each rule set with each strategy, played once for all claims."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from simdom.errors import StrategyError
from simdom.estimate import Estimate
from simdom.executors.threads import ThreadsExecutor
from simdom.published.claim import Measured
from simdom.published.measures import OPENER_NET, play_opener_net
from simdom.results import Result
from simdom.rules import Rules
from simdom.simulate import simulate, study_of
from simdom.strategies import Strategy

__all__ = ["Played", "Run", "RunOptions", "play_runs"]


class Run(NamedTuple):
    """Rounds that answer claims.

    Attributes:
        rules: that are played.
        strategy: of all seats.
        is_net: whether what is wanted is `simdom.published.measures.OPENER_NET`, which is no
            metric of other runs.
    """

    rules: Rules
    strategy: Strategy
    is_net: bool

    @classmethod
    def answering(cls, measured: Measured, strategy: Strategy) -> "Run":
        """The run that answers a claim with this strategy."""
        return cls(measured.rules, strategy, measured.metric == OPENER_NET)


class Played(NamedTuple):
    """What a run found.

    Attributes:
        metrics: by name, and by seat where they are; all that a run has, or the one it is for.
        rounds: that were played, at least 1.
    """

    metrics: dict[str, Estimate | list[Estimate]]
    rounds: int

    def trials(self, measured: Measured) -> int:
        """What a mean is over: the rounds, or those of them that somebody wins."""
        tied = self.metrics.get("tie_rate")
        if measured.metric == "winner_pips" and isinstance(tied, Estimate):
            return self.rounds - (tied.count or 0)
        return self.rounds

    def estimate(self, measured: Measured) -> Estimate:
        """The figure that a claim is about."""
        found = self.metrics[measured.metric]
        return found if isinstance(found, Estimate) else found[measured.seat or 0]


@dataclass(frozen=True)
class RunOptions:
    """What all runs share.

    Attributes:
        rounds: of each.
        seed: of both random streams.
        executor: the threads to play on.
        confidence: of the intervals.
        on_compile: called once if the engine must be compiled first.
    """

    rounds: int
    seed: int
    executor: ThreadsExecutor
    confidence: float
    on_compile: Callable[[], None] | None


def play_runs(
    runs: Sequence[Run], options: RunOptions, progress: Callable[[int, int], None] | None
) -> tuple[dict[Run, Played], StrategyError | None]:
    """Play runs one after another, until the last one, Ctrl-C or the failure of a strategy.

    Args:
        runs: no two are the same.
        options: what they share.
        progress: called now and then with the rounds played of all, and those to be played.

    Returns:
        What was played, and what failed.

    Raises:
        RunError: the engine reached a state that no round can reach.
        StrategyError: a strategy failed before any round was finished.
        KeyboardInterrupt: Ctrl-C, before that.
    """
    total = options.rounds * len(runs)
    stopped = False

    def tell(before: int, done: int, _: int) -> None:
        nonlocal stopped
        try:
            if progress is not None:
                progress(before + done, total)
        except KeyboardInterrupt:
            stopped = True  # also if that run was just over
            raise

    played: dict[Run, Played] = {}
    for number, run in enumerate(runs):
        try:
            played[run] = _play(run, options, partial(tell, number * options.rounds))
        except (KeyboardInterrupt, StrategyError) as error:
            failure = error if isinstance(error, StrategyError) else None
            if failure is not None and isinstance(failure.result, Result):
                played[run] = Played(failure.result.metrics, failure.result.rounds)
            if not played:
                raise
            return played, failure
        if stopped or played[run].rounds < options.rounds:
            break
    return played, None


def _play(run: Run, options: RunOptions, tell: Callable[[int, int], None]) -> Played:
    if run.is_net:
        net, done = play_opener_net(
            study_of(run.rules, run.strategy, options.seed),
            options.rounds,
            workers=options.executor.workers,
            confidence=options.confidence,
            progress=tell,
            on_compile=options.on_compile,
        )
        return Played({OPENER_NET: net}, done)
    result = simulate(
        run.rules,
        options.rounds,
        strategy=run.strategy,
        seed=options.seed,
        confidence=options.confidence,
        executor=options.executor,
        progress=tell,
        on_compile=options.on_compile,
    )
    return Played(result.metrics, result.rounds)
