"""Whole matches: rounds until a side reaches the target, many times, with a figure for each."""

from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter

from simdom.counts import MOST_ROUNDS, check_whole
from simdom.engine.kernels import Study
from simdom.engine.match_kernels import compile_matches
from simdom.errors import UsageError
from simdom.estimate import check_confidence
from simdom.executors.choosing import Where, as_executor
from simdom.match_metrics import (
    MATCH_METRICS,
    MatchTally,
    estimate_matches,
    match_distributions,
    merge_matches,
    tally_matches,
)
from simdom.records.recorder import Record, recording
from simdom.results import Result
from simdom.rules import Rules
from simdom.running.driver import Watcher, play
from simdom.running.job import Job, identity_of, parts_of, plain_study
from simdom.running.keeping import Keep, keep, opened_folder
from simdom.running.stopping import (
    Limits,
    Look,
    check_precision,
    check_seconds,
    most_trials,
    widths_of,
)
from simdom.simulate import (
    DEFAULT_CONFIDENCE,
    Strategies,
    check_possible,
    command_of,
    describe_strategies,
    give,
    has_function,
    request_of,
    study_of,
    tell_play,
)
from simdom.variants import HIGHEST_TARGET, Variant, as_variant

__all__ = ["check_target_asked", "find_target", "simulate_matches"]

DEFAULT_MATCHES = 100_000


def simulate_matches(  # noqa: PLR0913 -- those of `simulate`, with the target
    variant: str | Variant | Rules = "pagat-draw",
    matches: float | None = None,
    *,
    first: float = 0,
    target: int | None = None,
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
    """Play matches of a variant and estimate every metric of `simdom.match_metrics.MATCH_METRICS`.

    Match number m is a function of the rules, the target, the strategies, the seed and m alone. Its
    round r has the shuffle of round ``m * 65536 + r`` of a run with that seed.

    Args:
        variant: a preset's name, the path of a TOML file, a `Variant`, or `Rules`.
        matches: how many, from 1 to 1e13; a whole number, also as a float such as ``1e5``. With
            ``until``, how many at most. None for 1e5, or with ``until`` for as many as it takes.
        first: number of the first of them, for a piece of a longer run.
        target: points that win a match, 1 to 1,000,000; None for the variant's own.
        players: seats at the table; None for the variant's own.
        overrides: toggles of `Rules` to change, such as ``{"later_lead": "winner"}``.
        strategy: how all seats play, or one strategy for each seat.
        seed: 0 to 2**64 - 1.
        threads: to play on, no more than there are usable cores; None for all of these.
        confidence: of the intervals, between 0 and 1.
        until: half-widths of intervals by metric, see `simdom.simulate.simulate`.
        max_time: seconds after which no more matches are begun; None for no limit.
        executor: where to play instead of on threads, see `simdom.simulate.simulate`.
        checkpoint: a new folder in which the run is kept, see `simdom.simulate.simulate`.
        records: a new Parquet file in which every round of every match is recorded.
        progress: called now and then with the matches played and the matches asked for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.
        on_look: called with a `Look` whenever ``until`` is looked at.

    Returns:
        The result, with ``matches`` and ``target`` set. On Ctrl-C, that of the matches played so
        far, with ``asked`` set; before the first of them, Ctrl-C is a KeyboardInterrupt as
        everywhere.

    Raises:
        UsageError: a value that cannot be used; the line names it and what is allowed; no target,
            where the variant names none.
        RulesError: rules under which no round can be played.
        RunError: the engine reached a state that no round can reach; ``checkpoint`` cannot be
            written at the end.
        StrategyError: a strategy that is a function failed, or answered with no placement; the
            matches that were finished before are in its ``result``.
        ExecutorError: the cluster is gone; the matches before are in its ``result``.

    >>> result = simulate_matches("pagat-block", matches=200, target=50, seed=7)
    >>> result.metrics["shutout_rate"].estimate < result.metrics["comeback_rate"].estimate
    True
    """
    confidence = check_confidence(confidence)
    loaded = as_variant(variant)
    study = study_of(loaded.rules(players, overrides), strategy, seed)
    points = find_target(loaded, study.rules, target)
    details = describe_strategies(study.strategies)
    first = check_whole("first", first, 0, MOST_ROUNDS)
    widths = check_precision(until, parts_of(MATCH_METRICS, study.rules))
    limits = Limits(
        most_trials("matches", matches, widths, DEFAULT_MATCHES), widths, check_seconds(max_time)
    )
    job = Job(
        request=request_of(
            "match",
            f"matches of {loaded.name} to {points:,}, {tell_play(study)}",
            variant=variant,
            target=target,
            players=players,
            overrides=overrides,
            strategy=strategy,
            seed=study.seed,
            confidence=confidence,
            first=first,
        ),
        unit="match",
        identity=identity_of("match", target=points, first=first, **plain_study(study)),
        work=partial(_tally_chunk, study, points),
        add=merge_matches,
        count=attrgetter("matches"),
        widths=lambda tally: widths_of(estimate_matches(tally, study.rules, confidence)),
        check=lambda tally: check_possible(tally.impossible),
        has_function=has_function(study.strategies),
    )
    where = as_executor(executor, threads)
    with (
        opened_folder(checkpoint) as folder,
        recording(records, job, study, points) as recorder,
    ):
        played = play(
            recorder.job,
            limits,
            where,
            first=first,
            folder=folder,
            watcher=Watcher(progress, on_compile, on_look),
        )
        tally = played.tally

        def command(count: int, begin: int) -> str:
            return command_of(
                *(loaded, study, count, overrides, confidence),
                written=(variant, strategy),
                target=points,
                first=begin,
            )

        result = Result(
            variant=loaded.name,
            title=loaded.title,
            rules=study.rules,
            strategies=tuple(seat.name for seat in study.strategies),
            strategy_details=details,
            seed=study.seed,
            rounds=tally.rounds,
            confidence=confidence,
            metrics=estimate_matches(tally, study.rules, confidence),
            distributions={**match_distributions(tally)},
            seconds=played.seconds,
            threads=where.workers,
            command=command(tally.matches, first),
            asked=played.asked,
            matches=tally.matches,
            target=points,
            first=first,
            until=widths,
            reached=played.reached,
        )
        problem = recorder.finish(result, played.before, command)
        keep(checkpoint, folder, result, whole=played.is_whole)
        return give(result, played.failure or problem)


def find_target(variant: Variant, rules: Rules, target: object) -> int:
    """The points that win a match: ``target``, or if that is None the variant's own.

    Args:
        variant: that is played.
        rules: of it; its target may depend on the number of players.
        target: that was asked for.

    Raises:
        UsageError: it is no whole number from 1 to 1,000,000; None, and the variant names none.
    """
    if target is not None:
        return check_whole("target", target, 1, HIGHEST_TARGET)
    own = variant.target(rules.players)
    if own is None:
        raise UsageError(
            f"{variant.name} names no target for {rules.players} players: "
            f"give one, from 1 to {HIGHEST_TARGET:,}"
        )
    return own


def check_target_asked(target: object, matches: object) -> None:
    """Return if a target goes with a number of matches.

    Raises:
        UsageError: a target without matches.
    """
    if target is not None and matches is None:
        raise UsageError(
            f"target {target!r} is for matches: say how many (matches=..., or --match and -n)"
        )


def _tally_chunk(study: Study, target: int, chunk: range) -> MatchTally:
    if not chunk:
        compile_matches(study)
    return tally_matches(study, target, chunk.start, chunk.stop)
