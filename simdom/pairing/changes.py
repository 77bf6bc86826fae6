"""Every single change of a game: one toggle set to another value, or another way to play.

Which values are tried follows from the toggles' declarations: all of an enumerated toggle, else
the default and those that sources name. Only where more is of interest does a line here say so.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from simdom.errors import UsageError, check_choice
from simdom.pairing.contenders import SEPARATOR, STRATEGY, Contender
from simdom.rules import TOGGLES, Rules, check_rules, rules_to_dict
from simdom.simulate import study_of
from simdom.strategies import strategy_names
from simdom.variants import why_no_effect

__all__ = ["CHANGEABLE", "Change", "LeftOut", "find_changes"]

SET, PLAYERS, DIRECTION = "max_pip", "players", "direction"

CHANGEABLE = (*TOGGLES, STRATEGY)
"""What may be asked for by name."""

_TRIED: dict[str, Callable[[int], Iterable[int]]] = {
    PLAYERS: lambda _: range(2, 5),
    "deal": lambda deal: range(deal - 2, deal + 3),
    "reserve": lambda _: range(5),
}
"""Values to try of these toggles, by the one that they have."""

_NAMED = re.compile(r"(?<!\w)(\d+):")  # as in the source "5: pagat's Cuban page; 4: Brazil"

_NO_DIRECTION = (
    "seats are counted in turn order, whichever way round the table that goes: no figure changes"
)


class Change(NamedTuple):
    """One change, and the game with it.

    Attributes:
        toggle: of `CHANGEABLE`.
        value: a number, or an enumerated value or a strategy by name.
        contender: the game; `simdom compare` reads its ``text``.
    """

    toggle: str
    value: int | str
    contender: Contender

    @property
    def name(self) -> str:
        """Such as ``reserve=0``; with what must go with it, such as ``players=3:deal=7``."""
        return self.contender.name.partition(SEPARATOR)[2]


class LeftOut(NamedTuple):
    """What is not played, and why.

    Attributes:
        toggle: of `CHANGEABLE`; or ``"direction"``, of play, which simdom does not model.
        value: None for all values.
        reason: in words.
    """

    toggle: str
    value: int | str | None
    reason: str

    def __str__(self) -> str:
        what = self.toggle if self.value is None else f"{self.toggle}={self.value}"
        return f"{what}: {self.reason}"


def find_changes(
    base: Contender,
    *,
    overrides: Mapping[str, object] | None = None,
    toggles: Sequence[str] | None = None,
) -> tuple[list[Change], list[LeftOut]]:
    """The changes that can be played on the shuffles of ``base``, and what is left out.

    Args:
        base: what is changed.
        overrides: toggles of its variant that were changed to make it.
        toggles: only these, of `CHANGEABLE`; None takes all.

    Raises:
        UsageError: no such toggle; none of its values can be tried, for the reason that the line
            gives.
    """
    names = CHANGEABLE if not toggles else [check_choice("toggle", t, CHANGEABLE) for t in toggles]
    changes: list[Change] = []
    left_out = [] if toggles else [LeftOut(DIRECTION, None, _NO_DIRECTION)]
    for name in dict.fromkeys(names):
        reason = _why_none(base.rules, name)
        if reason is not None:
            left_out.append(LeftOut(name, None, reason))
            continue
        for value in _values(base.rules, name):
            try:
                change = _change(base, name, value, overrides or {})
            except UsageError as error:
                left_out.append(LeftOut(name, value, str(error)))
            else:
                if change.contender.study != base.study:
                    changes.append(change)
    if not changes:
        raise UsageError(
            f"nothing to change: {'; '.join(map(str, left_out)) or 'no value is left'}"
        )
    return changes, left_out


def _why_none(rules: Rules, name: str) -> str | None:
    """Why no value of a toggle is tried; None if some are."""
    if name == SET:
        return f"another set has no shuffle in common with double-{rules.max_pip}"
    reason = why_no_effect(rules, name)
    return None if reason is None else reason[:1].lower() + reason[1:].rstrip(".")


def _values(rules: Rules, name: str) -> list[int | str]:
    """What to try, the present value included: numbers, and enumerated values by name."""
    if name == STRATEGY:
        return list(strategy_names())
    toggle, value = TOGGLES[name], int(getattr(rules, name))
    if toggle.enum is not None:
        return list(toggle.values)
    if name in _TRIED:
        tried = _TRIED[name](value)
    else:
        tried = sorted({int(getattr(Rules(), name)), *map(int, _NAMED.findall(toggle.source))})
    return [number for number in tried if toggle.lowest <= number <= toggle.highest]


def _change(
    base: Contender, name: str, value: int | str, overrides: Mapping[str, object]
) -> Change:
    """``base`` with one change.

    Raises:
        UsageError: seats and strategies do not go together.
        RulesError: rules under which no round can be played.
    """
    rules, play = base.rules, base.study.strategies
    own: dict[str, int | str] = {name: value}
    if name == STRATEGY:
        seats = study_of(rules, str(value), base.study.seed).strategies
        study = base.study._replace(strategies=seats)
    elif name == PLAYERS:
        if value not in base.variant.players and "deal" not in overrides:
            own["deal"] = rules.deal
        rules = base.variant.rules(None, {**overrides, **own})
        alike = play[0] if len(set(play)) == 1 else play
        study = study_of(rules, alike, base.study.seed)
    else:
        rules = check_rules(Rules._make({**rules_to_dict(rules), **own}.values()))
        study = base.study._replace(rules=rules)
    words = [f"{key}={each}" for key, each in own.items()]
    contender = Contender(
        name=SEPARATOR.join([base.name, *words]),
        text=SEPARATOR.join([base.text, *words]),
        variant=base.variant,
        study=study,
    )
    return Change(name, value, contender)
