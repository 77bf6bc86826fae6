"""Published claims against what simdom counts and measures."""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from simdom.counts import MOST_ROUNDS, check_whole, format_count
from simdom.errors import UsageError, brief
from simdom.estimate import check_confidence
from simdom.exact.odds import law_of
from simdom.executors.threads import ThreadsExecutor
from simdom.pairing.verdicts import check_shared
from simdom.published.claim import Claim, Claims, Counted, Measured
from simdom.published.claims_file import PUBLISHED, load_claims
from simdom.published.judging import Verdict, joint_confidence, judge, verdict_of
from simdom.published.reproduction import Reproduction
from simdom.published.runs import Played, Run, RunOptions, play_runs
from simdom.simulate import DEFAULT_CONFIDENCE, MOST_SEED, describe_strategies
from simdom.strategies import Strategy, load_strategy, parse_strategies, strategy_names

__all__ = ["STRATEGIES", "claims"]

STRATEGIES = (
    "random",
    "heaviest",
    "lightest",
    "doubles-first",
    "accompanied",
    "blocker",
    "normal",
    "published",
)
"""How all seats play unless asked otherwise."""


def claims(
    source: str | Path | Claims = PUBLISHED,
    *,
    only: str | Sequence[str] = (),
    rounds: float = 1_000_000,
    strategies: str | Strategy | Sequence[str | Strategy] = STRATEGIES,
    seed: int = 1,
    threads: int | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Reproduction:
    """Confront published claims with exact chances and with rounds of every strategy.

    Rounds are those of `simdom.simulate.simulate` with the same seed. Claims about the same rules
    share them.

    Args:
        source: the path of a TOML file of claims, or `Claims`; by default those that come with
            simdom.
        only: ids of claims; none takes all.
        rounds: of each rule set with each strategy, from 1 to 1e13; a whole number, also as a
            float such as ``1e7``.
        strategies: names, paths or `Strategy`, each played by all seats; a claim that names its
            own strategy is measured with that one alone.
        seed: 0 to 2**64 - 1, the same for all.
        threads: to play on; None for every usable core. They never change a figure.
        confidence: of each interval, between 0 and 1.
        progress: called now and then with the rounds played of all, and those to be played.
        on_compile: called once if the engine must be compiled first, which takes some seconds.

    Returns:
        The reproduction. On Ctrl-C, with the figures of the rounds played so far, and ``partial``
        set; before the first of them, Ctrl-C is a KeyboardInterrupt as everywhere.

    Raises:
        UsageError: a value that cannot be used; the line names it and what is allowed.
        RulesError: rules under which no round can be played.
        RunError: the engine reached a state that no round can reach.
        StrategyError: a strategy that is a function failed, or answered with no placement; the
            reproduction from what was played before is in its ``result``.

    >>> found = claims(only=["block-blocked", "no-double"], rounds=3000, strategies=["random"])
    >>> found.figures["block-blocked"]["random"].verdict
    'outside'
    >>> found.chances["no-double"]
    (Fraction(1, 345), 'inside')
    """
    rounds = check_whole("rounds", rounds, 1, MOST_ROUNDS)
    seed = check_whole("seed", seed, 0, MOST_SEED)
    confidence = check_confidence(confidence)
    wanted = source if isinstance(source, Claims) else load_claims(str(source))
    _check_listed("only", only)
    _check_listed("strategies", strategies)
    ids = [only] if isinstance(only, str) else list(dict.fromkeys(only))
    wanted = wanted.only(ids) if ids else wanted
    several = [strategies] if isinstance(strategies, str | Strategy) else list(strategies)
    loaded = list(_load_strategies(several))
    describe_strategies(loaded)  # refuses two that differ and have the same name
    playing = tuple({one.name: one for one in loaded}.values())
    check_shared(confidence, wanted.count_verdicts(playing))
    runs = _runs_of(wanted, playing)
    describe_strategies([run.strategy for run in runs])  # with those that claims name
    options = RunOptions(rounds, seed, ThreadsExecutor(threads), confidence, on_compile)
    played, failure = play_runs(runs, options, progress)
    joint = joint_confidence(confidence, wanted.count_verdicts(playing))
    found = Reproduction(
        claims=wanted,
        strategies=playing,
        figures={
            claim.id: {
                strategy.name: judge(
                    claim,
                    found.estimate(answer),
                    found.rounds,
                    confidence=confidence,
                    joint=joint,
                    trials=found.trials(answer),
                )
                for strategy, found in _found_for(answer, playing, played)
            }
            for claim, answer in wanted.measured
        },
        chances={claim.id: _count(claim, answer) for claim, answer in wanted.counted},
        seed=seed,
        rounds=rounds,
        confidence=confidence,
        command=_command(source, ids, rounds, several, seed, confidence),
        partial=len(played) < len(runs) or any(each.rounds < rounds for each in played.values()),
    )
    if failure is not None:
        failure.result = found
        raise failure
    return found


def _check_listed(name: str, given: object) -> None:
    """Return if what was given can be gone through.

    Raises:
        UsageError: it is neither a name nor a list of names.
    """
    if not isinstance(given, Iterable | Strategy):
        raise UsageError(f"{name} must be a name or a list of names, not {brief(given)}")


def _load_strategies(strategies: Sequence[str | Strategy]) -> Iterator[Strategy]:
    """Each strategy once.

    Raises:
        UsageError: there is none; one cannot be loaded, or is no strategy, or is one for each
            seat.
    """
    if not strategies:
        raise UsageError("there is no strategy to play: give one or more")
    for one in dict.fromkeys(strategies):
        if isinstance(one, str) and _SEATS.search(one) and not one.endswith(".toml"):
            raise UsageError(
                f"{one!r} is a strategy for each seat, but here one is played by all seats: "
                "give several one by one, each with its own --strategy"
            )
        yield load_strategy(one) if isinstance(one, str) else parse_strategies([one], 1)[0]


_SEATS = re.compile("[,+]")  # how a run and a grid write the strategies of seats that differ


def _runs_of(claims: Claims, strategies: Sequence[Strategy]) -> list[Run]:
    """Every run that the claims need, once."""
    return list(
        dict.fromkeys(
            Run.answering(answer, strategy)
            for _, answer in claims.measured
            for strategy in answer.played_by(strategies)
        )
    )


def _found_for(
    answer: Measured, strategies: Sequence[Strategy], played: Mapping[Run, Played]
) -> Iterator[tuple[Strategy, Played]]:
    """What was played for a claim, strategy by strategy."""
    for strategy in answer.played_by(strategies):
        run = Run.answering(answer, strategy)
        if run in played:
            yield strategy, played[run]


def _count(claim: Claim, answer: Counted) -> tuple[Fraction, Verdict]:
    """The exact chance, and what it says of a claim."""
    chance = law_of(answer.asked)[1]
    chance = 1 - chance if answer.contrary else chance
    return chance, verdict_of(claim, float(chance), float(chance))


def _command(
    source: str | Path | Claims,
    only: Sequence[str],
    rounds: int,
    strategies: Sequence[str | Strategy],
    seed: int,
    confidence: float,
) -> str:
    """The command line that repeats it; what was made in Python is named in a comment."""
    words = ["simdom", "reproduce"]
    if source != PUBLISHED and not isinstance(source, Claims):
        words += ["--claims", str(source)]
    for name in only:
        words += ["--claim", name]
    words += ["-n", format_count(rounds)]
    if tuple(strategies) != STRATEGIES:
        for one in strategies:
            words += ["--strategy", one if isinstance(one, str) else one.name]
    words += ["--seed", str(seed)]
    if confidence != DEFAULT_CONFIDENCE:
        words += ["--confidence", str(confidence)]
    made = [source.title] if isinstance(source, Claims) else []
    made += [
        s.name for s in strategies if isinstance(s, Strategy) and s.name not in strategy_names()
    ]
    comment = f"  # made in Python, not in a file: {', '.join(made)}" if made else ""
    return shlex.join(words) + comment
