"""Variants against each other on the same shuffles: what changes, and how sure that is."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from simdom.errors import UsageError
from simdom.estimate import check_confidence
from simdom.executors.choosing import Where, as_executor
from simdom.matches import check_target_asked
from simdom.pairing.command import command_of, words_of_matches
from simdom.pairing.comparison import Comparison, Versus
from simdom.pairing.contenders import Contender, parse_contender, weigh_strategies
from simdom.pairing.play import play_together, targets_of, widest
from simdom.pairing.sums import Sums, estimate_changes, estimate_differences, estimate_own
from simdom.rules import Rules
from simdom.running.driver import Watcher
from simdom.running.keeping import Keep, keep, opened_folder
from simdom.running.stopping import Limits, Look, check_precision, check_seconds, most_trials
from simdom.simulate import (
    DEFAULT_CONFIDENCE,
    DEFAULT_ROUNDS,
    Strategies,
    give,
    request_of,
)
from simdom.variants import Variant

__all__ = ["compare", "limits_of"]

FEWEST, MOST = 2, 20


def compare(  # noqa: PLR0913 -- those of `simulate`, with the contenders
    *contenders: str | Variant | Rules,
    rounds: float | None = None,
    players: int | None = None,
    overrides: Mapping[str, object] | None = None,
    strategy: Strategies = "random",
    seed: int = 1,
    matches: float | None = None,
    target: int | None = None,
    threads: int | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    until: Mapping[str, float] | None = None,
    max_time: float | None = None,
    executor: Where = None,
    checkpoint: Keep = None,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
    on_look: Callable[[Look], None] | None = None,
) -> Comparison:
    """Play variants on the same shuffles and estimate what the others change of the first.

    Round number i has the same shuffle for all, so most of the luck cancels in the difference,
    round by round, and its interval is that of the paired differences. So too with matches: round
    r of match m has the same shuffle for all.

    Args:
        contenders: 2 to 20, each a `Variant`, `Rules`, or a word such as
            ``"pagat-draw:reserve=0"``, see `simdom.pairing.contenders.parse_contender`.
        rounds: that each plays, from 1 to 1e13; a whole number, also as a float such as ``1e6``.
            With ``until``, how many at most. None for 1e6, or with ``until`` as many as it takes.
        players: seats at the table, of all that do not say otherwise.
        overrides: toggles to change, of all that do not say otherwise.
        strategy: how all seats play, or one strategy for each seat, of all that do not say
            otherwise.
        seed: 0 to 2**64 - 1, the same for all.
        matches: that each plays, from 1 to 1e13, instead of single rounds.
        target: points that win a match, of all; None for each variant's own.
        threads: to play on; None for every usable core. They never change a figure.
        confidence: of the intervals, between 0 and 1.
        until: half-widths of the intervals of differences by metric, such as ``{"points": 0.01}``;
            of several contenders, the widest counts. See `simdom.simulate.simulate`.
        max_time: seconds after which no more are begun; None for no limit.
        executor: where to play instead of on threads, see `simdom.simulate.simulate`.
        checkpoint: a new folder in which it is kept, see `simdom.simulate.simulate`.
        progress: called now and then with the rounds, or matches, played of each, and those asked
            for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.
        on_look: called with a `Look` whenever ``until`` is looked at.

    Returns:
        The comparison. On Ctrl-C, that of the rounds played so far, with ``asked`` set.

    Raises:
        UsageError: fewer than 2 or more than 20 contenders; two that play with different sets,
            which have no shuffle in common; two strategies of one name; a target without matches,
            or matches of a variant that names no target without one; a value that cannot be used,
            which the line names.
        RulesError: rules under which no round can be played.
        RunError: the engine reached a state that no round can reach; ``checkpoint`` cannot be
            written at the end.
        StrategyError: a strategy that is a function failed; the comparison of the rounds before is
            in its ``result``.
        ExecutorError: the cluster is gone; the comparison of the rounds before is in its
            ``result``.

    >>> comparison = compare("pagat-draw", "pagat-draw:reserve=0", rounds=2000)
    >>> comparison.differences[0].metrics["blocked_rate"].estimate < 0
    True
    """
    confidence = check_confidence(confidence)
    parsed = check_contenders(
        [
            parse_contender(
                each,
                players=players,
                overrides=overrides,
                strategy=strategy,
                seed=seed,
                matches=matches is not None,
                target=target,
            )
            for each in contenders
        ]
    )
    weigh_strategies(parsed)  # refuses two that have the same name
    parsed = _tell_apart(parsed)
    contests = [contender.contest for contender in parsed]
    widths = check_precision(until, targets_of(contests))
    limits = limits_of(rounds, matches, target, widths, max_time)
    where = as_executor(executor, threads)
    with opened_folder(checkpoint) as folder:
        played = play_together(
            contests,
            limits,
            where,
            request=request_of(
                "compare",
                " against ".join(contender.name for contender in parsed),
                contenders=contenders,
                matches=matches,
                target=target,
                players=players,
                overrides=overrides,
                strategy=strategy,
                seed=contests[0].study.seed,
                confidence=confidence,
            ),
            widths=lambda sums: widest(
                [
                    {
                        **estimate_differences(contests, sums, at, confidence),
                        **estimate_changes(contests, sums, at, confidence),
                    }
                    for at in range(1, len(contests))
                ]
            ),
            folder=folder,
            watcher=Watcher(progress, on_compile, on_look),
        )
        sums = played.tally
        comparison = Comparison(
            contenders=tuple(parsed),
            seed=contests[0].study.seed,
            rounds=sums.trials,
            confidence=confidence,
            metrics=tuple(
                estimate_own(contest, sums, number, confidence)
                for number, contest in enumerate(contests)
            ),
            differences=tuple(
                _versus(parsed, sums, number, confidence) for number in range(1, len(parsed))
            ),
            seconds=played.seconds,
            threads=where.workers,
            command=command_of(
                ["simdom", "compare", *(contender.text for contender in parsed)],
                rounds=sums.trials,
                players=players,
                overrides=overrides,
                strategy=strategy,
                seed=contests[0].study.seed,
                confidence=confidence,
                more=words_of_matches(matches, target),
                made=[
                    contender.variant
                    for contender, given in zip(parsed, contenders, strict=True)
                    if not isinstance(given, str)
                ],
            ),
            asked=played.asked,
            until=widths,
            reached=played.reached,
        )
        return give(keep(checkpoint, folder, comparison, whole=played.is_whole), played.failure)


def limits_of(
    rounds: float | None,
    matches: float | None,
    target: int | None,
    until: Mapping[str, float],
    max_time: float | None,
    default: int = DEFAULT_ROUNDS,
) -> Limits:
    """When to stop: the trials are matches, if any are asked for, else rounds.

    Raises:
        UsageError: no whole number from 1 to 1e13; a target without matches; no time.
    """
    check_target_asked(target, matches)
    name, trials = ("rounds", rounds) if matches is None else ("matches", matches)
    return Limits(most_trials(name, trials, until, default), until, check_seconds(max_time))


def check_contenders(contenders: Sequence[Contender]) -> Sequence[Contender]:
    """Return ``contenders`` if they can be paired.

    Raises:
        UsageError: fewer than 2 or more than 20; different sets of tiles.
    """
    if not FEWEST <= len(contenders) <= MOST:
        what = "variant" if len(contenders) == 1 else "variants"
        raise UsageError(f"{len(contenders)} {what} to compare: give {FEWEST} to {MOST}")
    first = contenders[0]
    for other in contenders[1:]:
        if other.rules.max_pip != first.rules.max_pip:
            raise UsageError(
                f"{first.name} plays with double-{first.rules.max_pip} and {other.name} with "
                f"double-{other.rules.max_pip}: they have no shuffle in common, so they cannot be "
                "paired; run each with `simdom run`"
            )
    return contenders


def _tell_apart(contenders: Sequence[Contender]) -> list[Contender]:
    """The same, with a number behind the second and every further one of a name."""
    seen: Counter[str] = Counter()
    apart = []
    for contender in contenders:
        seen[contender.name] += 1
        number = seen[contender.name]
        name = contender.name if number == 1 else f"{contender.name} ({number})"
        apart.append(replace(contender, name=name))
    return apart


def _versus(contenders: Sequence[Contender], sums: Sums, index: int, confidence: float) -> Versus:
    contests = [contender.contest for contender in contenders]
    return Versus(
        name=contenders[index].name,
        metrics=estimate_differences(contests, sums, index, confidence),
        changes=estimate_changes(contests, sums, index, confidence),
        rates_only=contests[index].rules.players != contests[0].rules.players,
    )
