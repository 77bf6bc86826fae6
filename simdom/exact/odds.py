"""Exact answers about hands and deals, counted by `simdom.counting` and `simdom.crowding`."""

from collections.abc import Callable
from fractions import Fraction

from simdom.exact.answer import Odds
from simdom.exact.asked import Asked, check_asked
from simdom.exact.counting import (
    chance_of_doubles_somewhere,
    chance_of_missing,
    count_deals,
    law_of_missing,
    law_of_opening_double,
    law_of_pips,
    law_of_special_tiles,
)
from simdom.exact.crowding import chance_of_crowding

__all__ = ["law_of", "odds"]

Law = dict[int | None, Fraction]


def odds(
    question: str,
    *,
    max_pip: float = 6,
    hand: float = 7,
    players: float | None = None,
    number: float | None = None,
    doubles: float | None = None,
    of_one_number: float | None = None,
) -> Odds:
    """The exact answer to a question about hands or deals; nothing is sampled.

    Args:
        question: one of `simdom.exact.asked.QUESTIONS`: ``no-double``, ``doubles``,
            ``opening-tile``, ``number``, ``missing``, ``pips``, ``misdeal`` or ``deals``.
        max_pip: highest number of the set, 1 to 18.
        hand: tiles of a hand.
        players: hands that are dealt, of questions about a table; None for two.
        number: of ``number`` and ``missing``, which number; it changes no chance, for all
            numbers are alike. With it, ``missing`` is about that number and no other.
        doubles: of ``misdeal``: some hand has at least so many doubles.
        of_one_number: of ``misdeal``: some hand has at least so many tiles of one number.

    Returns:
        The answer; its ``check`` simulates the same.

    Raises:
        UsageError: no such question; an option that it does not take, or lacks; a value out of
            its range; a misdeal that is too long to count.
        RulesError: more tiles are dealt than the set has.

    >>> odds("no-double", players=2, hand=7).chance
    Fraction(1, 345)
    >>> odds("misdeal", players=4, hand=7, doubles=5).chance
    Fraction(2279, 148005)
    """
    asked = check_asked(
        question,
        max_pip=max_pip,
        hand=hand,
        players=players,
        number=number,
        doubles=doubles,
        of_one_number=of_one_number,
    )
    if asked.kind == "count":
        return Odds(asked, {}, count_deals(asked.max_pip, asked.players or 1, asked.hand))
    return Odds(asked, law_of(asked))


def law_of(asked: Asked) -> Law:
    """The chance of each outcome of a question.

    Outcomes are whole numbers in rising order: doubles, tiles, numbers that are missing, pips. Of
    the opening tile they are the numbers of the doubles, from the highest down, then None for no
    double. Of a question with one chance, 1 is yes and 0 is no.

    Raises:
        UsageError: a misdeal that is too long to count.
    """
    if asked.kind == "chance":
        chance = _CHANCES[asked.question](asked)
        return {0: 1 - chance, 1: chance}
    return _LAWS[asked.question](asked)


def _no_double(asked: Asked) -> Fraction:
    return _opening(asked)[None]


def _misdeal(asked: Asked) -> Fraction:
    max_pip, players, hand = asked.max_pip, asked.players or 1, asked.hand
    if asked.doubles is not None:
        return chance_of_doubles_somewhere(max_pip, players, hand, asked.doubles)
    return chance_of_crowding(max_pip, players, hand, asked.of_one_number or 0)


def _opening(asked: Asked) -> Law:
    return law_of_opening_double(asked.max_pip, (asked.players or 1) * asked.hand)


def _of_hand(law: Callable[[int, int], dict[int, Fraction]]) -> Callable[[Asked], Law]:
    def law_of_asked(asked: Asked) -> Law:
        chances: Law = {}
        for outcome, chance in law(asked.max_pip, asked.hand).items():
            chances[outcome] = chance
        return chances

    return law_of_asked


_CHANCES: dict[str, Callable[[Asked], Fraction]] = {
    "no-double": _no_double,
    "missing": lambda asked: chance_of_missing(asked.max_pip, asked.hand),
    "misdeal": _misdeal,
}
_LAWS: dict[str, Callable[[Asked], Law]] = {
    "doubles": _of_hand(law_of_special_tiles),
    "number": _of_hand(law_of_special_tiles),
    "opening-tile": _opening,
    "missing": _of_hand(law_of_missing),
    "pips": _of_hand(law_of_pips),
}
