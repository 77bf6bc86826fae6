"""Whole matches: rounds until a side reaches the target, many times, with a figure for each."""

from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate

from simdom.counts import MOST_ROUNDS, check_whole
from simdom.engine.kernels import Study
from simdom.engine.match_kernels import compile_matches
from simdom.errors import UsageError
from simdom.estimate import check_confidence
from simdom.executors.protocol import Executor
from simdom.executors.threads import ThreadsExecutor
from simdom.match_metrics import (
    MatchTally,
    estimate_matches,
    match_distributions,
    merge_matches,
    tally_matches,
)
from simdom.results import Result
from simdom.rules import Rules
from simdom.simulate import (
    DEFAULT_CONFIDENCE,
    Strategies,
    check_possible,
    command_of,
    describe_strategies,
    play_parts,
    play_until_stopped,
    study_of,
    whole_or_failed,
)
from simdom.variants import HIGHEST_TARGET, Variant, as_variant

__all__ = ["check_target_asked", "find_target", "simulate_matches"]

FIRST_CHUNK = 100


def simulate_matches(
    variant: str | Variant | Rules = "pagat-draw",
    matches: float = 100_000,
    *,
    target: int | None = None,
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
    """Play matches of a variant and estimate every metric of `simdom.match_metrics.MATCH_METRICS`.

    Match number m is a function of the rules, the target, the strategies, the seed and m alone. Its
    round r has the shuffle of round ``m * 65536 + r`` of a run with that seed.

    Args:
        variant: a preset's name, the path of a TOML file, a `Variant`, or `Rules`.
        matches: how many, from 1 to 1e13; a whole number, also as a float such as ``1e5``.
        target: points that win a match, 1 to 1,000,000; None for the variant's own.
        players: seats at the table; None for the variant's own.
        overrides: toggles of `Rules` to change, such as ``{"later_lead": "winner"}``.
        strategy: how all seats play, or one strategy for each seat.
        seed: 0 to 2**64 - 1.
        threads: to play on, no more than there are usable cores; None for all of these.
        confidence: of the intervals, between 0 and 1.
        executor: where to play instead of on threads.
        progress: called now and then with the matches played and the matches asked for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.

    Returns:
        The result, with ``matches`` and ``target`` set. On Ctrl-C, that of the matches played so
        far, with ``asked`` set; before the first of them, Ctrl-C is a KeyboardInterrupt as
        everywhere.

    Raises:
        UsageError: a value that cannot be used; the line names it and what is allowed; no target,
            where the variant names none.
        RulesError: rules under which no round can be played.
        RunError: the engine reached a state that no round can reach.
        StrategyError: a strategy that is a function failed, or answered with no placement; the
            matches that were finished before are in its ``result``.

    >>> result = simulate_matches("pagat-block", matches=200, target=50, seed=7)
    >>> result.metrics["shutout_rate"].estimate < result.metrics["comeback_rate"].estimate
    True
    """
    matches = check_whole("matches", matches, 1, MOST_ROUNDS)
    confidence = check_confidence(confidence)
    loaded = as_variant(variant)
    study = study_of(loaded.rules(players, overrides), strategy, seed)
    points = find_target(loaded, study.rules, target)
    details = describe_strategies(study.strategies)
    executor = ThreadsExecutor(threads) if executor is None else executor

    played = play_until_stopped(
        _play_matches(study, points, matches, executor),
        lambda tally: tally.matches,
        lambda done: progress(done, matches) if progress is not None else None,
        compile_it=lambda: compile_matches(study),
        on_compile=on_compile,
    )
    tally = played.tally
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
        threads=executor.workers,
        command=command_of(
            *(loaded, study, tally.matches, overrides, confidence),
            written=(variant, strategy),
            target=points,
        ),
        asked=matches if tally.matches < matches else None,
        matches=tally.matches,
        target=points,
    )
    return whole_or_failed(result, played.failure)


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


def _play_matches(
    study: Study, target: int, matches: int, executor: Executor
) -> Iterator[MatchTally]:
    """Play matches 0 to ``matches - 1`` and yield the tally of all so far, after every chunk.

    Raises:
        RunError: the engine reached a state that no round can reach.
    """

    def work(chunk: range) -> MatchTally:
        return tally_matches(study, target, chunk.start, chunk.stop)

    for tally in accumulate(play_parts(work, matches, executor, FIRST_CHUNK), merge_matches):
        check_possible(tally.impossible)
        yield tally
