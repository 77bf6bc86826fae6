"""Every single change of a game: one toggle set to another value, or another way to play.

Which values are tried follows from the toggles' declarations: all of an enumerated toggle, else
the default and those that sources name. Only where more is of interest does a line here say so.
Whoever wants other values names them: ``deal=3,4``.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from simdom.errors import UsageError, check_choice
from simdom.matches import find_target
from simdom.pairing.contenders import SEPARATOR, STRATEGY, Contender
from simdom.rules import TOGGLES, Rules, Teams, check_rules, parse_toggle, rules_to_dict
from simdom.simulate import study_of
from simdom.strategies import load_strategy, strategy_names
from simdom.variants import why_no_effect

__all__ = ["CHANGEABLE", "TRIED", "Change", "LeftOut", "Value", "find_changes"]

Value = int | str
"""A number, or an enumerated value or a strategy by name."""

SET, PLAYERS, DIRECTION = "max_pip", "players", "direction"

CHANGEABLE = (*TOGGLES, STRATEGY)
"""What may be asked for by name."""

_TRIED: dict[str, Callable[[int], Iterable[int]]] = {
    PLAYERS: lambda _: range(2, 5),
    "deal": lambda deal: range(deal - 2, deal + 3),
    "reserve": lambda _: range(5),
}
"""Values to try of these toggles, by the one that they have."""

TRIED = (
    "Values that are tried, unless others are named as in --toggle deal=3,4: all that have a name, "
    "of toggles and of strategies; 2 to 4 players; deals of 1 and 2 tiles less and more; a reserve "
    "of 0 to 4; bonuses only where there is one; of other numbers, the default and those that "
    "sources name."
)
"""The same in words."""

_NAMED = re.compile(r"(?<!\w)(\d+):")  # as in the source "5: pagat's Cuban page; 4: Brazil"

_NO_OTHER = "no source names another value; --toggle {}=VALUE tries one of yours"
_SLOW = "it samples, and plays thousands of rounds a second where others play a million"
_BONUSES = frozenset(
    name for name, toggle in TOGGLES.items() if toggle.enum is None and "Points added" in toggle.doc
) | {"pass_round_points"}
_ALONE = {("block_score", "opponents"): "others", ("domino_score", "all_hands"): "opponents"}
"""Values that are the same as another where every seat plays for itself."""
_FOREIGN = "{} belongs to games of another scale; --toggle {}=POINTS tries one"
_NO_DIRECTION = (
    "seats are counted in turn order, whichever way round the table that goes: no figure changes"
)


class Change(NamedTuple):
    """One change, and the game with it.

    Attributes:
        toggle: of `CHANGEABLE`.
        value: see `Value`.
        contender: the game; `simdom compare` reads its ``text``.
    """

    toggle: str
    value: Value
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
    value: Value | None
    reason: str

    def __str__(self) -> str:
        what = self.toggle if self.value is None else f"{self.toggle}={self.value}"
        return f"{what}: {self.reason}"


def find_changes(
    base: Contender,
    *,
    overrides: Mapping[str, object] | None = None,
    toggles: Sequence[str] | None = None,
    target: int | None = None,
) -> tuple[list[Change], list[LeftOut]]:
    """The changes that can be played on the shuffles of ``base``, and what is left out.

    Args:
        base: what is changed.
        overrides: toggles of its variant that were changed to make it.
        toggles: only these, of `CHANGEABLE`, with the values that are usually tried or, written
            ``deal=3,4``, with those; None takes all.
        target: points that win a match, whatever is changed; None for the variant's own.

    Raises:
        UsageError: no such toggle, or not a value of it; none of the values can be tried, for the
            reason that the line gives.
    """
    changes: list[Change] = []
    left_out = [] if toggles else [LeftOut(DIRECTION, None, _NO_DIRECTION)]
    for name, values in _asked(toggles or CHANGEABLE).items():
        reason = _why_none(base, name, is_asked=bool(values))
        found, lacking = ([], []) if reason else _try(base, name, values, overrides or {}, target)
        if not found and not lacking:
            lacking = [LeftOut(name, None, reason or _NO_OTHER.format(name))]
        changes += found
        left_out += lacking
    if not changes:
        raise UsageError(f"nothing to change: {'; '.join(map(str, left_out))}")
    return changes, left_out


def _try(
    base: Contender,
    name: str,
    values: Sequence[Value],
    overrides: Mapping[str, object],
    target: int | None,
) -> tuple[list[Change], list[LeftOut]]:
    """The changes of one toggle, to ``values`` or if there are none to the usual ones."""
    changes: list[Change] = []
    left_out: list[LeftOut] = []
    for value in values or _values(base.rules, name):
        if name == STRATEGY and not values and load_strategy(str(value)).samples:
            left_out.append(LeftOut(name, value, f"{_SLOW}; --toggle {name}={value} tries it"))
            continue
        same = _ALONE.get((name, str(value))) if base.rules.teams == Teams.NONE else None
        if same and not values:
            left_out.append(LeftOut(name, value, f"without teams it is the same as {same}"))
            continue
        try:
            change = _change(base, name, value, overrides, target)
        except UsageError as error:
            left_out.append(LeftOut(name, value, str(error)))
        else:
            if change.contender.study != base.study:
                changes.append(change)
            elif values:
                left_out.append(LeftOut(name, value, f"{base.name} is played so already"))
    return changes, left_out


def _asked(toggles: Sequence[str]) -> dict[str, list[Value]]:
    """The values that were named of each toggle; none where the usual ones are meant.

    Raises:
        UsageError: see `find_changes`.
    """
    asked: dict[str, list[Value]] = {}
    for item in map(str, toggles):
        name, equals, values = (part.strip() for part in item.partition("="))
        check_choice("toggle", name, CHANGEABLE)
        found = [_read(name, value.strip()) for value in values.split(",")] if equals else []
        if name in asked and bool(asked[name]) != bool(found):
            raise UsageError(f"{name} is asked for both with values of your own and without")
        asked[name] = list(dict.fromkeys([*asked.get(name, []), *found]))
    return asked


def _read(name: str, text: str) -> Value:
    """A value as it was written; the strategies of seats are joined by ``+``."""
    if not text:
        raise UsageError(f"{name}= lacks a value: write {name}=VALUE,VALUE")
    if name == STRATEGY:
        seats = [seat.strip() for seat in text.split("+")]
        for seat in seats:
            load_strategy(seat)
        return ",".join(seats)
    number, enum = parse_toggle(name, text), TOGGLES[name].enum
    return number if enum is None else enum(number).name.lower()


def _why_none(base: Contender, name: str, *, is_asked: bool) -> str | None:
    """Why no value of a toggle is tried; None if some are."""
    if name == SET:
        return f"another set has no shuffle in common with double-{base.rules.max_pip}"
    if not is_asked and name in _BONUSES and not getattr(base.rules, name):
        return _FOREIGN.format(name, name)
    reason = why_no_effect(base.rules, name, matches=base.target is not None)
    return None if reason is None else reason[:1].lower() + reason[1:].rstrip(".")


def _values(rules: Rules, name: str) -> list[Value]:
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
    base: Contender,
    name: str,
    value: Value,
    overrides: Mapping[str, object],
    target: int | None,
) -> Change:
    """``base`` with one change.

    Raises:
        UsageError: seats and strategies do not go together; no target for so many players.
        RulesError: rules under which no round can be played.
    """
    rules, play = base.rules, base.study.strategies
    own: dict[str, Value] = {name: value}
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
        target=None if base.target is None else find_target(base.variant, study.rules, target),
    )
    return Change(name, value, contender)
