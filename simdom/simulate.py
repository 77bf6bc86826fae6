"""The main job: check what was asked for, play it in chunks, and turn the tally into a `Result`."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from operator import attrgetter
from typing import TypeVar

from simdom.counts import MOST_ROUNDS, check_whole, format_count
from simdom.engine.kernels import Study, tally_rounds
from simdom.engine.tally import Tally, merge
from simdom.errors import BrokenOffError, RunError, UsageError
from simdom.estimate import METRICS, check_confidence, distributions, estimate_metrics
from simdom.executors.choosing import Where, as_executor
from simdom.records.recorder import Record, recording
from simdom.results import Result
from simdom.rules import Rules, rules_to_dict
from simdom.running.driver import Watcher, play
from simdom.running.job import Job, Request, identity_of, parts_of, plain_study
from simdom.running.keeping import Keep, keep, opened_folder
from simdom.running.stopping import (
    Limits,
    Look,
    check_precision,
    check_seconds,
    most_trials,
    widths_of,
)
from simdom.strategies import Strategy, parse_strategies, strategy_names
from simdom.variants import Variant, as_variant, variant_names

__all__ = [
    "check_possible",
    "command_of",
    "describe_strategies",
    "give",
    "has_function",
    "request_of",
    "simulate",
    "study_of",
    "tell_play",
]

MOST_SEED = 2**64 - 1
DEFAULT_CONFIDENCE = 0.95
DEFAULT_ROUNDS = 1_000_000

T = TypeVar("T")

Strategies = str | Strategy | Sequence[str | Strategy]


def simulate(  # noqa: PLR0913 -- each is an option that people ask for
    variant: str | Variant | Rules = "pagat-draw",
    rounds: float | None = None,
    *,
    first: float = 0,
    players: int | None = None,
    overrides: Mapping[str, object] | None = None,
    strategy: Strategies = "random",
    seed: int = 1,
    threads: int | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    until: Mapping[str, float] | None = None,
    max_time: float | None = None,
    executor: Where = None,
    checkpoint: Keep = None,
    records: Record = None,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
    on_look: Callable[[Look], None] | None = None,
) -> Result:
    """Play rounds of a variant and estimate every metric.

    Round number i is a function of the rules, the strategies, the seed and i alone: the metrics
    are the same, to the last bit, for any number of threads, on any machine.

    Args:
        variant: a preset's name, the path of a TOML file, a `Variant`, or `Rules`.
        rounds: how many, from 1 to 1e13; a whole number, also as a float such as ``1e7``. With
            ``until``, how many at most. None for 1e6, or with ``until`` for as many as it takes.
        first: index of the first of them, for a piece of a longer run.
        players: seats at the table; None for the variant's own.
        overrides: toggles of `Rules` to change, such as ``{"reserve": 0}``.
        strategy: how all seats play, or one strategy for each seat.
        seed: 0 to 2**64 - 1.
        threads: to play on, no more than there are usable cores; None for all of these.
        confidence: of the intervals, between 0 and 1.
        until: half-widths of intervals by metric, such as ``{"blocked_rate": 0.0005}``: rounds are
            played until all of them are reached. A metric by seat stands for its widest interval;
            ``"seat_win_rate[1]"`` for one.
        max_time: seconds after which no more rounds are begun; None for no limit.
        executor: where to play instead of on threads: an `Executor`, or a client of
            dask.distributed.
        checkpoint: a new folder in which the run is kept while it goes on, see
            `simdom.resuming.resume`, and in which the result is saved; None keeps nothing.
        records: a new Parquet file in which every round is recorded, see ``docs/records.md``.
        progress: called now and then with the rounds played and the rounds asked for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.
        on_look: called with a `Look` whenever ``until`` is looked at.

    Returns:
        The result. On Ctrl-C, that of the rounds played so far, with ``asked`` set; before the
        first of them, Ctrl-C is a KeyboardInterrupt as everywhere.

    Raises:
        UsageError: a value that cannot be used; the line names it and what is allowed.
        RulesError: rules under which no round can be played.
        RunError: the engine reached a state that no round can reach; ``checkpoint`` cannot be
            written at the end.
        StrategyError: a strategy that is a function failed, or answered with no placement; the
            rounds that were finished before are in its ``result``.
        ExecutorError: the cluster is gone; the rounds before are in its ``result``.

    >>> result = simulate("pagat-block", rounds=2000, seed=7)
    >>> 0.6 < result.metrics["blocked_rate"].estimate < 0.7
    True
    """
    confidence = check_confidence(confidence)
    loaded = as_variant(variant)
    study = study_of(loaded.rules(players, overrides), strategy, seed)
    details = describe_strategies(study.strategies)
    first = check_whole("first", first, 0, MOST_ROUNDS)
    widths = check_precision(until, parts_of(METRICS, study.rules))
    limits = Limits(
        most_trials("rounds", rounds, widths, DEFAULT_ROUNDS), widths, check_seconds(max_time)
    )
    check_whole("first + rounds", first + limits.trials, 1, 2 * MOST_ROUNDS)
    job = Job(
        request=request_of(
            "run",
            f"{loaded.name}, {tell_play(study)}",
            variant=variant,
            players=players,
            overrides=overrides,
            strategy=strategy,
            seed=study.seed,
            confidence=confidence,
            first=first,
        ),
        unit="round",
        identity=identity_of("run", first=first, **plain_study(study)),
        work=partial(_tally_chunk, study),
        add=merge,
        count=attrgetter("rounds"),
        widths=lambda tally: widths_of(estimate_metrics(tally, study.rules, confidence)),
        check=lambda tally: check_possible(tally.impossible),
        has_function=has_function(study.strategies),
    )
    where = as_executor(executor, threads)
    with (
        opened_folder(checkpoint) as folder,
        recording(records, job, study) as recorder,
    ):
        played = play(
            recorder.job,
            limits,
            where,
            first=first,
            folder=folder,
            watcher=Watcher(progress, on_compile, on_look),
        )
        done = played.tally.rounds

        def command(count: int, begin: int) -> str:
            return command_of(
                *(loaded, study, count, overrides, confidence),
                written=(variant, strategy),
                first=begin,
            )

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
            threads=where.workers,
            command=command(done, first),
            asked=played.asked,
            first=first,
            until=widths,
            reached=played.reached,
        )
        problem = recorder.finish(result, played.before, command)
        keep(checkpoint, folder, result, whole=played.is_whole)
        return give(result, played.failure or problem)


def _tally_chunk(study: Study, chunk: range) -> Tally:
    return tally_rounds(study, chunk.start, chunk.stop)


def study_of(rules: Rules, strategy: Strategies, seed: int) -> Study:
    """Everything that a round depends on, besides its index.

    Raises:
        UsageError: a strategy that cannot be loaded; neither one nor one for each seat; a seed
            that is not a whole number from 0 to 2**64 - 1.
    """
    seed = check_whole("seed", seed, 0, MOST_SEED)
    return Study(rules, parse_strategies(strategy, rules.players), seed)


def check_possible(impossible: int) -> None:
    """Return if no round reached a state that no round can reach.

    Raises:
        RunError: so many did.
    """
    if impossible:
        raise RunError(f"{impossible} rounds reached a state that no round can reach: a bug")


def give(result: T, failure: BrokenOffError | None) -> T:
    """Return ``result``.

    Raises:
        BrokenOffError: ``failure``, if there is one; it has the result.
    """
    if failure is not None:
        failure.result = result
        raise failure
    return result


def has_function(strategies: Sequence[Strategy]) -> bool:
    """Whether one of them is a Python function."""
    return any(strategy.hook is not None for strategy in strategies)


def tell_play(study: Study) -> str:
    """Players, strategies and seed in words."""
    names = [seat.name for seat in study.strategies]
    play = ",".join(names) if len(set(names)) > 1 else names[0]
    return f"{study.rules.players} players ({play}), seed {study.seed}"


def request_of(kind: str, said: str, **arguments: object) -> Request:
    """What was asked for; without its arguments if some were made in Python."""
    plain = {name: _plain(value) for name, value in arguments.items()}
    made = any(value is _MADE for value in plain.values())
    return Request(kind, None if made else plain, said)


_MADE = object()


def _plain(value: object) -> object:
    """A value as JSON has it; `_MADE` if that has no such thing."""
    if isinstance(value, Enum):
        return value.name.lower()
    if value is None or isinstance(value, str | bool | int | float):
        return value
    parts: list[object]
    if isinstance(value, Mapping):
        parts = [_plain(each) for each in value.values()]
        return _MADE if _MADE in parts else dict(zip(map(str, value), parts, strict=True))
    if isinstance(value, list | tuple) and not isinstance(value, Rules):
        parts = [_plain(each) for each in value]
        return _MADE if _MADE in parts else parts
    return _MADE


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
    first: int = 0,
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
    words += ["--first", format_count(first)] if first else []
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
