"""Looking for a round in a run: by conditions on what `simdom.rounds.simulate_rounds` lists."""

import operator
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from simdom.counts import MOST_ROUNDS, check_whole
from simdom.engine.kernels import Study
from simdom.errors import RunError, UsageError, check_choice
from simdom.presets import shown
from simdom.rounds import simulate_rounds
from simdom.rules import Rules
from simdom.tiles import parse_tile

if TYPE_CHECKING:
    from pandas import DataFrame, Series

__all__ = ["EXTREMES", "FLAGS", "Wanted", "find_round", "parse_wanted"]

FLAGS = {
    "blocked": "end=blocked",
    "domino": "end=domino",
    "tied": "winner=none",
    "no-double": "no_double=1",
    "first-reply-stuck": "first_reply_stuck=1",
}
"""Conditions in a word, and what they stand for."""


class Extreme(NamedTuple):
    """A superlative: the column, whether its highest value is wanted, and a condition or none."""

    column: str
    highest: bool
    condition: str


EXTREMES = {
    "longest": Extreme("plays", highest=True, condition=""),
    "shortest": Extreme("plays", highest=False, condition=""),
    "earliest-block": Extreme("plays", highest=False, condition="blocked"),
    "most-draws": Extreme("draws", highest=True, condition=""),
    "most-passes": Extreme("passes", highest=True, condition=""),
    "biggest-score": Extreme("points", highest=True, condition=""),
}
"""Superlatives: of all rounds that meet the conditions, the first of the extreme ones."""

_COMPARISONS: Mapping[str, Callable[["Series", int], "Series"]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "==": operator.eq,
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}
_CONDITION = re.compile(r"([a-z_0-9]+)\s*(<=|>=|!=|==|=|<|>)\s*([^\s<>=!]\S*)")
_FIRST, _MOST = 500, 50_000  # rounds that are listed at a time


class Condition(NamedTuple):
    """A column, how it is compared, and with what."""

    column: str
    comparison: str
    value: int

    def holds(self, frame: "DataFrame") -> "Series":
        """For each row, whether it does."""
        return _COMPARISONS[self.comparison](_numbers(frame, self.column), self.value)


class Wanted(NamedTuple):
    """What round is looked for.

    Attributes:
        text: as it was written.
        conditions: all of them must hold.
        extreme: one of `EXTREMES`; None for the first round that there is.
    """

    text: str
    conditions: list[Condition]
    extreme: Extreme | None


def columns_of(rules: Rules) -> list[str]:
    """What conditions may be about."""
    by_seat = [f"{what}_{seat}" for what in ("pips", "points") for seat in range(rules.players)]
    return [
        *("opener", "opening_tile", "end", "winner", "points", "points_minus_own"),
        *("points_others", "points_all_hands", "plays", "draws", "passes", "boneyard_left"),
        *("redeals", "no_double", "first_reply_stuck", *by_seat),
    ]


def parse_wanted(text: str, rules: Rules) -> Wanted:
    """What is looked for, as it is written: conditions and at most one superlative, with commas.

    Raises:
        UsageError: an unknown word or column; a value that the column cannot have.

    >>> [condition[:] for condition in parse_wanted("blocked,plays<=8", Rules()).conditions]
    [('end', '=', 1), ('plays', '<=', 8)]
    """
    conditions: list[Condition] = []
    extreme: Extreme | None = None
    for part in (part.strip() for part in text.split(",")):
        if part in EXTREMES:
            if extreme is not None:
                raise UsageError(f"{shown(text)} has two superlatives: give one")
            extreme = EXTREMES[part]
            conditions += [_condition(FLAGS[extreme.condition], rules)] if extreme.condition else []
        elif part in FLAGS:
            conditions.append(_condition(FLAGS[part], rules))
        else:
            conditions.append(_condition(part, rules))
    return Wanted(text, conditions, extreme)


def _condition(text: str, rules: Rules) -> Condition:
    match = _CONDITION.fullmatch(text)
    if match is None:
        raise UsageError(
            f"{shown(text)} is no condition: write such as plays<=8, or one of "
            f"{', '.join([*FLAGS, *EXTREMES])}"
        )
    column, comparison, value = match.groups()
    check_choice("column", column, columns_of(rules))
    if column == "opening_tile":
        return Condition(column, comparison, parse_tile(value, rules.max_pip))
    if column == "end":
        check_choice("end", value, ("domino", "blocked"))
        return Condition(column, comparison, int(value == "blocked"))
    if column == "winner" and value == "none":
        return Condition(column, comparison, -1)
    if not (value.isascii() and value.isdigit() and len(value) <= len(str(MOST_ROUNDS))):
        raise UsageError(f"{column} is compared with a whole number, not with {shown(value)}")
    if column in ("winner", "opener") and comparison in ("=", "==", "!="):
        check_whole(column, int(value), 0, rules.players - 1)
    return Condition(column, comparison, int(value))


def _numbers(frame: "DataFrame", column: str) -> "Series":
    """A column as whole numbers; a category by its code."""
    values = frame[column]
    return values.cat.codes if column in ("end", "opening_tile") else values.astype(int)


def find_round(
    study: Study,
    wanted: Wanted,
    rounds: int,
    progress: Callable[[int, int], None] | None = None,
    *,
    first: int = 0,
) -> int:
    """The index of the first of ``rounds`` rounds that is wanted.

    Args:
        study: what is played.
        wanted: see `parse_wanted`.
        rounds: to look through; all of them for a superlative.
        progress: called now and then with the rounds looked at and ``rounds``.
        first: index of the first of them.

    Raises:
        RunError: none of them is.
        UsageError: not a number of rounds from 1 to 1e13.
    """
    rounds = check_whole("rounds", rounds, 1, MOST_ROUNDS)
    best: tuple[int, int] | None = None  # how extreme, negated if the highest is wanted; index
    start, size = 0, _FIRST
    while start < rounds:
        stop = min(start + size, rounds)
        frame = simulate_rounds(
            study.rules,
            stop - start,
            start=first + start,
            strategy=study.strategies,
            seed=study.seed,
        )
        for condition in wanted.conditions:
            frame = frame[condition.holds(frame)]
        if len(frame):
            if wanted.extreme is None:
                return int(frame["round"].iloc[0])
            values = _numbers(frame, wanted.extreme.column)
            values = -values if wanted.extreme.highest else values
            at = values.to_numpy().argmin()
            found = (int(values.iloc[at]), int(frame["round"].iloc[at]))
            best = found if best is None else min(best, found)
        if progress is not None:
            progress(stop, rounds)
        start, size = stop, min(4 * size, _MOST)
    if best is None:
        raise RunError(f"none of the first {rounds:,} rounds is {shown(wanted.text)}")
    return best[1]
