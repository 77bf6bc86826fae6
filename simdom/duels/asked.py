"""What a duel or a ladder is asked for, checked before anything is played."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simdom.counts import format_count
from simdom.errors import UsageError, brief
from simdom.estimate import check_confidence
from simdom.executors.choosing import as_executor
from simdom.executors.protocol import Executor
from simdom.relevance import values_that_matter
from simdom.rules import TOGGLES, Rules, parse_toggle
from simdom.running.stopping import Limits, check_precision, check_seconds, most_trials
from simdom.simulate import DEFAULT_CONFIDENCE, describe_strategies, study_of
from simdom.strategies import Strategy, strategy_names
from simdom.variants import Variant, as_variant, variant_names

__all__ = ["DEFAULT_DEALS", "Asked", "ask"]

DEFAULT_DEALS = 100_000


@dataclass(frozen=True)
class Asked:
    """What is to be played.

    Attributes:
        variant: where the rules come from.
        rules: of every round.
        strategies: that meet.
        details: what they weigh, by name.
        seed: of both random streams.
        limits: how many deals, and when else to stop.
        where: they are played.
        confidence: of the intervals.
        spelled: the strategies as a command line names them.
        options: of the command line that asks for it again, but for the deals.
        made: names of what was made in Python, which a command line cannot name.
    """

    variant: Variant
    rules: Rules
    strategies: tuple[Strategy, ...]
    details: dict[str, dict[str, object]]
    seed: int
    limits: Limits
    where: Executor
    confidence: float
    spelled: tuple[str, ...]
    options: tuple[str, ...]
    made: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """The strategies' names."""
        return [strategy.name for strategy in self.strategies]

    @property
    def setting(self) -> str:
        """The rules in one line: the variant, and every toggle that makes a difference."""
        rules = values_that_matter(self.rules)
        return f"{self.variant.name}: {', '.join(f'{name} {rules[name]}' for name in rules)}"

    def command(self, name: str, deals: int, seats: str | None) -> str:
        """The command line that plays the first ``deals`` again; a comment says what it cannot."""
        words = ["simdom", name, *self.spelled, "-n", format_count(deals), *self.options]
        words += [] if seats is None else ["--seats", seats]
        made = ", ".join(self.made)
        return shlex.join(words) + (f"  # made in Python, not in a file: {made}" if made else "")


def ask(
    strategies: Sequence[str | Strategy],
    *,
    variant: str | Variant | Rules,
    deals: float | None,
    players: int | None,
    overrides: Mapping[str, object] | None,
    seed: int,
    threads: int | None,
    confidence: float,
    executor: object = None,
    until: Mapping[str, float] | None = None,
    targets: Sequence[str] = (),
    max_time: float | None = None,
) -> Asked:
    """All that was asked for, checked.

    Raises:
        UsageError: a value that cannot be used, which the line names.
        RulesError: rules under which no round can be played.
    """
    widths = check_precision(until, targets)
    limits = Limits(
        most_trials("deals", deals, widths, DEFAULT_DEALS), widths, check_seconds(max_time)
    )
    confidence = check_confidence(confidence)
    where = as_executor(executor, threads)
    loaded = as_variant(variant)
    rules = loaded.rules(players, overrides)
    studies = [study_of(rules, _check_one(each), seed) for each in strategies]
    played = tuple(study.strategies[0] for study in studies)
    python = [] if isinstance(variant, str) or loaded.name in variant_names() else [loaded.name]
    python += [
        given.name
        for given in strategies
        if isinstance(given, Strategy) and given.name not in strategy_names()
    ]
    return Asked(
        variant=loaded,
        rules=rules,
        strategies=played,
        details=describe_strategies(played),
        seed=studies[0].seed,
        limits=limits,
        where=where,
        confidence=confidence,
        spelled=tuple(given if isinstance(given, str) else given.name for given in strategies),
        options=(
            *("--variant", variant if isinstance(variant, str) else loaded.name),
            *_changes(players, overrides),
            *("--seed", str(studies[0].seed)),
            *([] if confidence == DEFAULT_CONFIDENCE else ["--confidence", str(confidence)]),
        ),
        made=tuple(dict.fromkeys(python)),
    )


def _check_one(given: object) -> str | Strategy:
    """A name, a path or a Strategy, and not several of them."""
    if isinstance(given, str) and "," in given:
        raise UsageError(
            f"{brief(given)} is a list of seats, not a strategy: name the strategies one by one"
        )
    if not isinstance(given, str | Strategy):
        raise UsageError(f"a strategy is a name, a path or a Strategy, not {brief(given)}")
    return given


def _changes(players: int | None, overrides: Mapping[str, object] | None) -> list[str]:
    """Options for what is changed of the variant."""
    words = [] if players is None else ["--players", str(players)]
    for name, value in (overrides or {}).items():
        number, enum = parse_toggle(name, value), TOGGLES[name].enum
        words += ["--set", f"{name}={number if enum is None else enum(number).name.lower()}"]
    return words
