"""The main job: check what was asked for, play it in chunks, and turn the tally into a `Result`."""

import shlex
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar

from simdom.counts import MOST_ROUNDS, check_whole, format_count
from simdom.engine.kernels import Study, compile_engine, tally_rounds
from simdom.engine.tally import Tally, merge
from simdom.errors import RunError, StrategyError, UsageError
from simdom.estimate import check_confidence, distributions, estimate_metrics
from simdom.executors.protocol import Executor
from simdom.executors.threads import ThreadsExecutor
from simdom.results import Result
from simdom.rules import Rules, rules_to_dict
from simdom.strategies import Strategy, parse_strategies, strategy_names
from simdom.variants import Variant, as_variant, variant_names

__all__ = [
    "Played",
    "check_possible",
    "command_of",
    "describe_strategies",
    "patience",
    "play_chunks",
    "play_parts",
    "play_until_stopped",
    "simulate",
    "study_of",
    "whole_or_failed",
]

MOST_SEED = 2**64 - 1
DEFAULT_CONFIDENCE = 0.95

FIRST_CHUNK = 10
LARGEST_CHUNK = 10**8
CHUNK_SECONDS = 0.1  # an interrupted run loses about this much, and progress is this smooth
PATIENCE_SECONDS = 1.0  # loading compiled code takes less, compiling takes more

T = TypeVar("T")

Strategies = str | Strategy | Sequence[str | Strategy]


def simulate(
    variant: str | Variant | Rules = "pagat-draw",
    rounds: float = 1_000_000,
    *,
    players: int | None = None,
    overrides: Mapping[str, object] | None = None,
    strategy: Strategies = "random",
    seed: int = 1,
    threads: int | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Result:
    """Play rounds of a variant and estimate every metric.

    Round number i is a function of the rules, the strategies, the seed and i alone: the metrics
    are the same, to the last bit, for any number of threads, on any machine.

    Args:
        variant: a preset's name, the path of a TOML file, a `Variant`, or `Rules`.
        rounds: how many, from 1 to 1e13; a whole number, also as a float such as ``1e7``.
        players: seats at the table; None for the variant's own.
        overrides: toggles of `Rules` to change, such as ``{"reserve": 0}``.
        strategy: how all seats play, or one strategy for each seat.
        seed: 0 to 2**64 - 1.
        threads: to play on, no more than there are usable cores; None for all of these.
        confidence: of the intervals, between 0 and 1.
        executor: where to play instead of on threads.
        progress: called now and then with the rounds played and the rounds asked for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.

    Returns:
        The result. On Ctrl-C, that of the rounds played so far, with ``asked`` set; before the
        first of them, Ctrl-C is a KeyboardInterrupt as everywhere.

    Raises:
        UsageError: a value that cannot be used; the line names it and what is allowed.
        RulesError: rules under which no round can be played.
        RunError: the engine reached a state that no round can reach.
        StrategyError: a strategy that is a function failed, or answered with no placement; the
            rounds that were finished before are in its ``result``.

    >>> result = simulate("pagat-block", rounds=2000, seed=7)
    >>> 0.6 < result.metrics["blocked_rate"].estimate < 0.7
    True
    """
    rounds = check_whole("rounds", rounds, 1, MOST_ROUNDS)
    confidence = check_confidence(confidence)
    loaded = as_variant(variant)
    study = study_of(loaded.rules(players, overrides), strategy, seed)
    details = describe_strategies(study.strategies)
    executor = ThreadsExecutor(threads) if executor is None else executor

    played = play_until_stopped(
        play_chunks(study, rounds, executor),
        lambda tally: tally.rounds,
        lambda done: progress(done, rounds) if progress is not None else None,
        compile_it=lambda: compile_engine(study),
        on_compile=on_compile,
    )
    done = played.tally.rounds
    result = Result(
        variant=loaded.name,
        title=loaded.title,
        rules=study.rules,
        strategies=tuple(seat.name for seat in study.strategies),
        strategy_details=details,
        seed=study.seed,
        rounds=done,
        confidence=confidence,
        metrics=estimate_metrics(played.tally, study.rules, confidence),
        distributions=distributions(played.tally),
        seconds=played.seconds,
        threads=executor.workers,
        command=command_of(loaded, study, done, overrides, confidence, written=(variant, strategy)),
        asked=rounds if done < rounds else None,
    )
    return whole_or_failed(result, played.failure)


def study_of(rules: Rules, strategy: Strategies, seed: int) -> Study:
    """Everything that a round depends on, besides its index.

    Raises:
        UsageError: a strategy that cannot be loaded; neither one nor one for each seat; a seed
            that is not a whole number from 0 to 2**64 - 1.
    """
    seed = check_whole("seed", seed, 0, MOST_SEED)
    return Study(rules, parse_strategies(strategy, rules.players), seed)


def play_chunks(study: Study, rounds: int, executor: Executor) -> Iterator[Tally]:
    """Play rounds 0 to ``rounds - 1`` and yield the tally of all so far, after every chunk.

    Raises:
        RunError: the engine reached a state that no round can reach.
    """

    def work(chunk: range) -> Tally:
        return tally_rounds(study, chunk.start, chunk.stop)

    for tally in accumulate(play_parts(work, rounds, executor, FIRST_CHUNK), merge):
        check_possible(tally.impossible)
        yield tally


def play_parts(
    work: Callable[[range], T], trials: int, executor: Executor, first: int
) -> Iterator[T]:
    """Play trials 0 to ``trials - 1``, and yield what comes of each chunk.

    Args:
        work: plays a chunk of trials, which are rounds or matches.
        trials: how many.
        executor: where chunks are played.
        first: trials of the first chunk, which shows how fast it goes.
    """
    size, done = first, 0
    for share in (0.01, 0.1, 1.0):  # short looks at the speed: a busy moment may spoil one
        began = time.perf_counter()
        here = range(done, min(done + size, trials))
        yield from executor.play(work, [here] if here else [])
        done = here.stop
        speed = len(here) / max(time.perf_counter() - began, 1e-9)
        size = min(max(int(speed * CHUNK_SECONDS * share), size), LARGEST_CHUNK)
    chunks = (range(at, min(at + size, trials)) for at in range(done, trials, size))
    yield from executor.play(work, chunks)


def check_possible(impossible: int) -> None:
    """Return if no round reached a state that no round can reach.

    Raises:
        RunError: so many did.
    """
    if impossible:
        raise RunError(f"{impossible} rounds reached a state that no round can reach: a bug")


class Played(NamedTuple, Generic[T]):
    """What was played until the end, Ctrl-C or a strategy's failure.

    Attributes:
        tally: of it.
        seconds: time that it took.
        failure: of a strategy, if there was one.
    """

    tally: T
    seconds: float
    failure: StrategyError | None


def play_until_stopped(
    tallies: Iterator[T],
    count: Callable[[T], int],
    progress: Callable[[int], None],
    *,
    compile_it: Callable[[], None],
    on_compile: Callable[[], None] | None,
) -> Played[T]:
    """Play until all is played, or until Ctrl-C or a strategy's failure once something is.

    Args:
        tallies: plays as it is asked for more, and says what came of all so far.
        count: rounds or matches of a tally.
        progress: called after every chunk with that number.
        compile_it: makes the engine ready.
        on_compile: called if that takes long.

    Raises:
        KeyboardInterrupt: before anything was played.
        StrategyError: as above.
    """
    tally: T | None = None
    seconds, failure = 0.0, None
    try:
        with patience(on_compile):
            compile_it()
        began = time.perf_counter()
        for tally in tallies:
            seconds = time.perf_counter() - began
            progress(count(tally))
    except KeyboardInterrupt:
        if tally is None:
            raise
    except StrategyError as error:
        if tally is None:
            raise
        failure = error
    if tally is None:
        raise RunError("nothing was played")
    return Played(tally, seconds, failure)


def whole_or_failed(result: Result, failure: StrategyError | None) -> Result:
    """Return ``result``.

    Raises:
        StrategyError: ``failure``, if there is one; it has the result.
    """
    if failure is not None:
        failure.result = result
        raise failure
    return result


@contextmanager
def patience(call: Callable[[], None] | None) -> Iterator[None]:
    """Call ``call`` if the block takes long."""
    if call is None:
        yield
        return
    timer = threading.Timer(PATIENCE_SECONDS, call)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def describe_strategies(strategies: Sequence[Strategy]) -> dict[str, dict[str, object]]:
    """What the strategies weigh, by name.

    Raises:
        UsageError: two that differ have the same name, so that a result could not tell them apart.
    """
    details: dict[str, dict[str, object]] = {}
    known: dict[str, Strategy] = {}
    for one in strategies:
        same = known.setdefault(one.name, one)
        details[one.name] = one.content
        if same.content != one.content or same.hook is not one.hook:
            raise UsageError(f"two different strategies are called {one.name}: rename one")
    return details


def command_of(
    variant: Variant,
    study: Study,
    rounds: int,
    overrides: Mapping[str, object] | None,
    confidence: float,
    *,
    written: tuple[object, object],
    target: int | None = None,
) -> str:
    """The command line that repeats a run; of matches if there is a target.

    ``written`` is how the variant and the strategies were given. What was made in Python has no
    spelling on a command line: a comment says so.
    """
    names = [as_written if isinstance(as_written, str) else None for as_written in written]
    strategies = list(dict.fromkeys(seat.name for seat in study.strategies))
    play = ",".join(seat.name for seat in study.strategies) if strategies[1:] else strategies[0]
    words = ["simdom", "run" if target is None else "match"]
    words += ["--variant", names[0] or variant.name, "-n", format_count(rounds)]
    if study.rules.players != variant.players[0]:
        words += ["--players", str(study.rules.players)]
    values = rules_to_dict(study.rules)
    for name in overrides or {}:
        if name != "players":
            words += ["--set", f"{name}={values[name]}"]
    if target is not None:
        words += ["--target", str(target)]
    words += ["--strategy", names[1] or play, "--seed", str(study.seed)]
    if confidence != DEFAULT_CONFIDENCE:
        words += ["--confidence", str(confidence)]
    made = [] if names[0] or variant.name in variant_names() else [variant.name]
    made += [] if names[1] else [name for name in strategies if name not in strategy_names()]
    comment = f"  # made in Python, not in a file: {', '.join(made)}" if made else ""
    return shlex.join(words) + comment
