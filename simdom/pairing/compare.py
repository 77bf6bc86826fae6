"""Variants against each other on the same shuffles: what changes, and how sure that is."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from simdom.counts import MOST_ROUNDS, check_whole
from simdom.errors import UsageError
from simdom.estimate import check_confidence
from simdom.executors.threads import ThreadsExecutor
from simdom.matches import check_target_asked
from simdom.pairing.command import command_of, words_of_matches
from simdom.pairing.comparison import Comparison, Versus
from simdom.pairing.contenders import Contender, parse_contender, weigh_strategies
from simdom.pairing.play import play_together
from simdom.pairing.sums import Sums, estimate_changes, estimate_differences, estimate_own
from simdom.rules import Rules
from simdom.simulate import DEFAULT_CONFIDENCE, Strategies
from simdom.variants import Variant

__all__ = ["compare"]

FEWEST, MOST = 2, 20


def compare(
    *contenders: str | Variant | Rules,
    rounds: float = 1_000_000,
    players: int | None = None,
    overrides: Mapping[str, object] | None = None,
    strategy: Strategies = "random",
    seed: int = 1,
    matches: float | None = None,
    target: int | None = None,
    threads: int | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Comparison:
    """Play variants on the same shuffles and estimate what the others change of the first.

    Round number i has the same shuffle for all, so most of the luck cancels in the difference,
    round by round, and its interval is that of the paired differences. So too with matches: round
    r of match m has the same shuffle for all.

    Args:
        contenders: 2 to 20, each a `Variant`, `Rules`, or a word such as
            ``"pagat-draw:reserve=0"``, see `simdom.pairing.contenders.parse_contender`.
        rounds: that each plays, from 1 to 1e13; a whole number, also as a float such as ``1e6``.
        players: seats at the table, of all that do not say otherwise.
        overrides: toggles to change, of all that do not say otherwise.
        strategy: how all seats play, or one strategy for each seat, of all that do not say
            otherwise.
        seed: 0 to 2**64 - 1, the same for all.
        matches: that each plays, from 1 to 1e13, instead of single rounds.
        target: points that win a match, of all; None for each variant's own.
        threads: to play on; None for every usable core. They never change a figure.
        confidence: of the intervals, between 0 and 1.
        progress: called now and then with the rounds, or matches, played of each, and those asked
            for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.

    Returns:
        The comparison. On Ctrl-C, that of the rounds played so far, with ``asked`` set.

    Raises:
        UsageError: fewer than 2 or more than 20 contenders; two that play with different sets,
            which have no shuffle in common; two strategies of one name; a target without matches,
            or matches of a variant that names no target without one; a value that cannot be used,
            which the line names.
        RulesError: rules under which no round can be played.
        RunError: the engine reached a state that no round can reach.

    >>> comparison = compare("pagat-draw", "pagat-draw:reserve=0", rounds=2000)
    >>> comparison.differences[0].metrics["blocked_rate"].estimate < 0
    True
    """
    trials = check_trials(rounds, matches, target)
    confidence = check_confidence(confidence)
    workers = ThreadsExecutor(threads).workers
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
    sums, seconds = play_together(
        contests, trials, workers, progress=progress, on_compile=on_compile
    )
    return Comparison(
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
        seconds=seconds,
        threads=workers,
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
        asked=trials if sums.trials < trials else None,
    )


def check_trials(rounds: float, matches: float | None, target: int | None) -> int:
    """How many rounds are asked for; if any matches are, how many of these.

    Raises:
        UsageError: no whole number from 1 to 1e13; a target without matches.
    """
    check_target_asked(target, matches)
    if matches is not None:
        return check_whole("matches", matches, 1, MOST_ROUNDS)
    return check_whole("rounds", rounds, 1, MOST_ROUNDS)


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
