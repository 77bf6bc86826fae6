"""Contenders: a variant, what is changed of it, and how it is played, in one word.

A contender is written ``VARIANT`` or ``VARIANT:key=value:key=value``; a key is a toggle of `Rules`
(``players`` is one) or ``strategy``, behind which ``samples`` and ``aim`` change what it names.
What several contenders share is given beside them, and a contender's own word counts for more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simdom.document import is_preset_strategy, strategy_in_words
from simdom.engine.kernels import Study
from simdom.errors import UsageError
from simdom.matches import find_target
from simdom.pairing.contests import Contest
from simdom.presets import naming
from simdom.relevance import values_that_matter
from simdom.rules import Rules
from simdom.simulate import Strategies, describe_strategies, study_of
from simdom.strategies import OPTIONS
from simdom.variants import Variant, as_variant, load_variant, parse_set

__all__ = [
    "Contender",
    "describe_contenders",
    "own_strategies",
    "parse_contender",
    "weigh_strategies",
]

SEPARATOR = ":"
STRATEGY = "strategy"


@dataclass(frozen=True)
class Contender:
    """One of several ways to play.

    Attributes:
        name: the variant's name and its own settings, such as ``pagat-draw:reserve=0``.
        text: what was written for it; a command line reads it back.
        variant: where its rules come from.
        study: its rules, with what is shared; the strategy of each seat; the seed.
        target: points that win a match; None where single rounds are compared.
    """

    name: str
    text: str
    variant: Variant
    study: Study
    target: int | None = None

    @property
    def contest(self) -> Contest:
        """What is played of it."""
        return Contest(self.study, self.target)

    @property
    def rules(self) -> Rules:
        """The rules that it is played by."""
        return self.study.rules

    @property
    def strategies(self) -> tuple[str, ...]:
        """Names of the seats' strategies, seat 0 first."""
        return tuple(seat.name for seat in self.study.strategies)

    @property
    def play(self) -> str:
        """The strategies in words: the one of all seats, or one a seat."""
        names = self.strategies
        return names[0] if len(set(names)) == 1 else ", ".join(names)


def parse_contender(
    contender: str | Variant | Rules,
    *,
    players: int | None = None,
    overrides: Mapping[str, object] | None = None,
    strategy: Strategies = "random",
    seed: int = 1,
    matches: bool = False,
    target: int | None = None,
) -> Contender:
    """The contender that ``contender`` says.

    Args:
        contender: such as ``"pagat-draw:reserve=0:strategy=normal"``, where the variant may be the
            path of a TOML file, without a colon in it; or a `Variant`, or `Rules`.
        players: seats at the table, if it does not say.
        overrides: toggles to change, if it does not say.
        strategy: how all seats play, or one strategy for each seat, if it does not say.
        seed: of both random streams.
        matches: whether whole matches are played.
        target: points that win them; None for the variant's own.

    Raises:
        UsageError: no such variant or toggle; not a value of it; a key without a value; a key
            twice; no target for matches; neither one strategy nor one for each seat. The line
            begins with the contender.
        RulesError: rules under which no round can be played.

    >>> parse_contender("pagat-draw:reserve=0").rules.reserve
    0
    """
    own: dict[str, str] = {}
    if not isinstance(contender, str):
        variant = as_variant(contender)
        text = variant.name
    else:
        text = contender
        name, *items = _split(contender)
        if not name.strip():
            raise UsageError(f"{contender!r} names no variant: write VARIANT:key=value")
        if any(item.strip().endswith(".toml") and "=" not in item for item in items):
            raise UsageError(
                f"{contender!r}: a path must not contain {SEPARATOR!r}, which stands before a "
                "change here: rename the folder or the file"
            )
        variant = load_variant(name.strip())
        with naming(text):
            own = parse_set(items)
    name = SEPARATOR.join([variant.name, *(f"{key}={value}" for key, value in own.items())])
    with naming(text):
        seats = own.pop(STRATEGY, strategy)
        changes = {**(overrides or {}), **own}
        rules = variant.rules(None if "players" in own else players, changes)
        points = find_target(variant, rules, target) if matches else None
        return Contender(name, text, variant, study_of(rules, seats, seed), points)


def _split(contender: str) -> list[str]:
    """The parts of a word; what is changed of a strategy stays with it."""
    parts: list[str] = []
    for part in contender.split(SEPARATOR):
        belongs = part.partition("=")[0].strip() in OPTIONS
        if belongs and parts and parts[-1].lstrip().startswith(f"{STRATEGY}="):
            parts[-1] += SEPARATOR + part
        else:
            parts.append(part)
    return parts


def weigh_strategies(contenders: Sequence[Contender]) -> dict[str, dict[str, object]]:
    """What all their strategies weigh, by name.

    Raises:
        UsageError: two that differ have the same name; ask before a long run.
    """
    return describe_strategies([seat for each in contenders for seat in each.study.strategies])


def own_strategies(contenders: Sequence[Contender]) -> list[str]:
    """The strategies that are no presets, and what they weigh."""
    return [
        f"{name}: {strategy_in_words(detail)}."
        for name, detail in weigh_strategies(contenders).items()
        if not is_preset_strategy(name, detail)
    ]


def describe_contenders(contenders: Sequence[Contender]) -> list[str]:
    """Rules and play in words: a line for what all have in common, and one for each of them.

    What makes no difference under the rules of one is not said of it.
    """
    facts = [
        {
            name: str(value)
            for name, value in values_that_matter(
                contender.rules, matches=contender.target is not None
            ).items()
        }
        | {STRATEGY: contender.play}
        | ({} if contender.target is None else {"target": f"{contender.target:,}"})
        for contender in contenders
    ]
    common = {
        name: value
        for name, value in facts[0].items()
        if all(value == each.get(name) for each in facts)
    }
    lines = [f"All: {', '.join(f'{name} {value}' for name, value in common.items())}."]
    for contender, each in zip(contenders, facts, strict=True):
        alone = ", ".join(f"{name} {value}" for name, value in each.items() if name not in common)
        lines.append(f"{contender.name}: {alone or 'nothing else'}.")
    return lines
