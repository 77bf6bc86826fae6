"""Questions about hands and deals: which there are, what each needs, and how it is put in words."""

import shlex
from typing import Literal, NamedTuple

from simdom.counts import check_whole
from simdom.errors import RulesError, UsageError, check_choice
from simdom.rules import TOGGLES
from simdom.tiles import tile_count

__all__ = ["QUESTIONS", "Asked", "Question", "check_asked"]

Kind = Literal["chance", "law", "count"]

DEFAULT_MAX_PIP, DEFAULT_HAND, DEFAULT_PLAYERS = 6, 7, 2


class Question(NamedTuple):
    """What can be asked.

    Attributes:
        doc: one line.
        kind: whether the answer is one chance, the chance of each outcome, or a number.
        outcome: for a law, what its outcomes are: the head of their column.
        of_table: whether it is about all hands of a table, so that ``players`` matters.
        options: what else it takes.
        axis: for a law, what its outcomes are, in words for a picture.
    """

    doc: str
    kind: Kind
    outcome: str = ""
    of_table: bool = False
    options: tuple[str, ...] = ()
    axis: str = ""


QUESTIONS: dict[str, Question] = {
    "no-double": Question("Nobody at the table is dealt a double.", "chance", of_table=True),
    "doubles": Question(
        "How many doubles a hand has.", "law", "doubles", axis="doubles in the hand"
    ),
    "opening-tile": Question(
        "Which is the highest double that is dealt, if any.",
        "law",
        "tile",
        of_table=True,
        axis="highest double that is dealt",
    ),
    "number": Question(
        "How many tiles of a hand show a given number.",
        "law",
        "tiles",
        options=("number",),
        axis="tiles that show the number",
    ),
    "missing": Question(
        "A hand shows not all numbers, or not a given one.",
        "law",
        "missing",
        options=("number",),
        axis="numbers that the hand does not show",
    ),
    "pips": Question("How many pips a hand has.", "law", "pips", axis="pips in the hand"),
    "misdeal": Question(
        "Some hand of the table has many doubles, or many tiles of one number.",
        "chance",
        of_table=True,
        options=("doubles", "of_one_number"),
    ),
    "deals": Question("How many deals can be told apart.", "count", of_table=True),
}
"""Every question by name."""


class Asked(NamedTuple):
    """A question with all that it needs; what it does not take is None.

    Attributes:
        question: one of `QUESTIONS`.
        max_pip: highest number of the set.
        hand: tiles of a hand.
        players: hands that are dealt.
        number: the number that is asked about; which one makes no difference to any chance.
        doubles: of a misdeal, how many doubles one hand must have.
        of_one_number: of a misdeal, how many tiles of one number one hand must have.
    """

    question: str
    max_pip: int
    hand: int
    players: int | None = None
    number: int | None = None
    doubles: int | None = None
    of_one_number: int | None = None

    @property
    def kind(self) -> Kind:
        """Whether the answer is one chance, the chance of each outcome, or a number."""
        is_chance = self.question == "missing" and self.number is not None
        return "chance" if is_chance else QUESTIONS[self.question].kind

    @property
    def title(self) -> str:
        """What is asked, without the hands that it is about."""
        seat = "Some hand" if self.players != 1 else "The hand"
        return {
            "no-double": "Nobody has a double",
            "doubles": "Doubles in a hand",
            "opening-tile": "The highest double that is dealt",
            "number": f"Tiles of a hand that show a {_or(self.number, 'given number')}",
            "missing": "Numbers that a hand does not show"
            if self.number is None
            else f"A hand does not show a {self.number}",
            "pips": "Pips of a hand",
            "misdeal": f"{seat} has {self.doubles} doubles or more"
            if self.doubles is not None
            else f"{seat} has {self.of_one_number} tiles of one number or more",
            "deals": "Deals that can be told apart",
        }[self.question]

    @property
    def hands(self) -> str:
        """The hands that it is about."""
        tiles = f"{self.hand} tile{'' if self.hand == 1 else 's'}"
        many = "" if self.players is None or self.players == 1 else f"{self.players} hands of "
        return f"{many}{tiles}, double-{self.max_pip} set"

    @property
    def text(self) -> str:
        """What is asked, in words."""
        return f"{self.title}: {self.hands}"

    @property
    def command(self) -> str:
        """The command line that asks it."""
        words = ["simdom", "odds", self.question]
        for name, value in zip(self._fields[1:], self[1:], strict=True):
            if value is not None:
                words += [f"--{name.replace('_', '-')}", str(value)]
        return shlex.join(words)

    def to_dict(self) -> dict[str, str | int]:
        """Its fields, without those that it does not take."""
        return {name: value for name, value in self._asdict().items() if value is not None}


def check_asked(
    question: str,
    *,
    max_pip: float = DEFAULT_MAX_PIP,
    hand: float = DEFAULT_HAND,
    players: float | None = None,
    number: float | None = None,
    doubles: float | None = None,
    of_one_number: float | None = None,
) -> Asked:
    """A question with all that it needs.

    Raises:
        UsageError: no such question; an option that it does not take, or lacks; a value out of
            its range.
        RulesError: more tiles are dealt than the set has.
    """
    asks = QUESTIONS[check_choice("question", question, QUESTIONS)]
    toggle = TOGGLES["max_pip"]
    max_pip = check_whole("max_pip", max_pip, toggle.lowest, toggle.highest)
    tiles = tile_count(max_pip)
    hand = check_whole("hand", hand, 1, tiles)
    if players is not None and not asks.of_table:
        raise UsageError(f"{question} is about one hand: leave out players")
    given = {"number": number, "doubles": doubles, "of_one_number": of_one_number}
    highest = {"number": max_pip, "doubles": tiles, "of_one_number": tiles}
    checked: dict[str, int] = {}
    for name, value in given.items():
        if value is None:
            continue
        if name not in asks.options:
            raise UsageError(f"{question} takes no {_option(name)}")
        checked[name] = check_whole(name, value, int(name != "number"), highest[name])
    if question == "misdeal" and len(checked) != 1:
        raise UsageError("misdeal needs either --doubles K or --of-one-number K")
    if asks.of_table:
        seats = DEFAULT_PLAYERS if players is None else players
        checked["players"] = check_whole("players", seats, 1, tiles)
        dealt = checked["players"] * hand
        if dealt > tiles:
            raise RulesError(
                f"{seats} players × {hand} tiles = {dealt}, but double-{max_pip} has {tiles}"
            )
    return Asked(question, max_pip, hand, **checked)


def _or(number: int | None, otherwise: str) -> str:
    return otherwise if number is None else str(number)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
