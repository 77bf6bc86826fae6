"""What toggles of the rules may be set to: each value once, with what it means.

`simdom.rules` says which toggle takes which of them.
"""

from enum import IntEnum
from typing import NamedTuple, Self

__all__ = [
    "BlockScore",
    "BlockTie",
    "BlockWinner",
    "Boneyard",
    "Capicua",
    "DominoScore",
    "LaterLead",
    "NamedMissing",
    "NoDouble",
    "Opening",
    "OthersPoints",
    "Overshoot",
    "PipSteps",
    "Teams",
    "TieLead",
    "Toggle",
    "Value",
]


class Value(IntEnum):
    """A value of a toggle: the integer that the engine reads, and what it means, in words.

    Attributes:
        doc: one sentence; the command line and ``docs/rules.md`` show it.
    """

    doc: str

    def __new__(cls, number: int, doc: str = "") -> Self:
        """``doc`` is there when the value is declared; ``Boneyard(1)`` only looks it up."""
        value = int.__new__(cls, number)
        value._value_ = number
        value.doc = doc
        return value


class Boneyard(Value):
    """What a seat does that cannot play."""

    BLOCK = 0, "It passes; the boneyard is never drawn."
    DRAW = 1, "It draws until a tile fits, which it must play; it passes when nothing may be drawn."
    DRAW_ONE_PLAY = 2, "It draws one tile and plays it if it fits, else passes."
    DRAW_ONE_PASS = 3, "It draws one tile and its turn is over."


class Opening(Value):
    """Who leads the round, and with what."""

    HIGHEST_DOUBLE = 0, "The holder of the highest double leads that double."
    HOLDER_LEADS_ANY = 1, "The holder of the highest double leads any tile."
    LOT = 2, "A seat drawn by lot leads any tile."
    FIRST_SEAT = 3, "Seat 0 leads any tile."
    NAMED_DOUBLE = 4, "The holder of the double that named_double names leads it."


class NoDouble(Value):
    """What happens when the opening asks for a double and nobody was dealt one."""

    HEAVIEST_TILE = 0, "The heaviest tile takes its place; of equal totals, the higher end."
    REDEAL = 1, "All tiles are dealt again."


class NamedMissing(Value):
    """What happens when the opening asks for a named double and nobody was dealt it."""

    NEXT_DOUBLE = 0, "The next lower double that was dealt takes its place; below 0-0, the highest."
    LOT = 1, "A seat drawn by lot leads any tile."


class Teams(Value):
    """Who plays with whom."""

    NONE = 0, "Every seat for itself."
    PAIRS = 1, "Seats 0 and 2 play against seats 1 and 3."


class BlockWinner(Value):
    """What is compared when a round is blocked."""

    LIGHTEST_HAND = 0, "Single hands: the seat with the fewest pips wins, and with it its team."
    LIGHTEST_TEAM = 1, "The pips of both partners together: the lighter team wins."


class DominoScore(Value):
    """What a seat scores that plays its last tile, before bonuses."""

    OPPONENTS = 0, "The pips of the opponents."
    ALL_HANDS = 1, "The pips of all hands, the partner's included."
    FLAT = 2, "The points that flat_points says."


class BlockScore(Value):
    """What the winner of a blocked round scores."""

    MINUS_OWN = 0, "The pips of the others, minus its own."
    OTHERS = 1, "The pips of the others."
    ALL_HANDS = 2, "The pips of all hands, its own included."
    DIFFERENCE = 3, "From each other seat, that seat's pips minus its own."
    OPPONENTS = 4, "The pips of the opponents; a partner's do not count."
    PER_HEAVIER = 5, "Every seat scores, from each opponent with a heavier hand, the difference."
    FLAT = 6, "The points that flat_points says."


class BlockTie(Value):
    """Who wins a blocked round when several seats hold the fewest pips."""

    VOID = 0, "Nobody; nothing is scored."
    OPENER = 1, "The opener's side if it is tied, else nobody."
    LIGHTEST_TILE = 2, "The one of them with the lightest single tile; if those tie too, nobody."
    SPLIT = 3, "Nobody wins, and they share what the block scores."
    NEAREST = 4, "The one of them that comes first in turn, counted from the opener."
    BLOCKER = 5, "The side that played the last tile if it is tied, else nobody."
    BLOCKER_LOSES = (
        6,
        "If the side that played the last tile is tied with just one other: that other.",
    )
    REPLAY_DOUBLE = 7, "Nobody; the next round of the match is opened afresh and scores double."


class Capicua(Value):
    """What counts as going out on both ends with one tile."""

    NONE = 0, "Nothing."
    DIFFERENT_ENDS = 1, "The ends differ, and the last tile has both numbers."
    NO_DOUBLES = 2, "The last tile fits both ends, equal ends too; a double does not count."
    DOUBLES_TOO = 3, "The last tile fits both ends, equal ends and doubles too."
    EQUAL_AFTER = 4, "Both ends are equal once the last tile lies."


class PipSteps(Value):
    """How pips become points."""

    NONE = 0, "A point a pip."
    FROM_15 = 1, "1 point up to 14 pips, and one more from 15, 25, 35 and so on."
    FROM_21 = 2, "2 points up to 20 pips, and one more from 21, 31, 41 and so on."


class LaterLead(Value):
    """Who leads the rounds of a match after the first, any tile it likes."""

    AFRESH = 0, "Every round is opened like the first."
    WINNER = 1, "The seat that won the round before."
    WINNING_TEAM = 2, "A seat of the team that won the round before, by lot."
    NEXT_SEAT = 3, "The seat after the one that led the round before."
    SAME_OPENER = 4, "The seat that led the round before."
    LOSER = 5, "The opponent left with most pips; of equal ones the first in turn after the winner."


class TieLead(Value):
    """Who leads after a round that nobody won."""

    AFRESH = 0, "It is opened like the first round."
    SAME_OPENER = 1, "The seat that led the tied round leads any tile."
    NEXT_SEAT = 2, "The seat after the one that led the tied round leads any tile."


class Overshoot(Value):
    """What becomes of points that would pass the target."""

    COUNTS = 0, "They count, and the match is won."
    IS_LOST = 1, "They are not scored: the target must be landed on exactly."


class OthersPoints(Value):
    """What becomes of everybody else's points when a side wins a round of a match."""

    KEPT = 0, "They keep them."
    RESET = 1, "They go back to 0: the target must be reached without losing a round between."


class Toggle(NamedTuple):
    """What is allowed for one toggle, what it means, and who says so."""

    doc: str
    source: str
    lowest: int = 0
    highest: int = 0
    enum: type[Value] | None = None

    @property
    def values(self) -> list[str]:
        """The names of an enumerated toggle's values, as people write them."""
        return [member.name.lower() for member in self.enum or ()]

    @property
    def allowed(self) -> str:
        """What may be written, in words."""
        if self.enum is not None:
            return ", ".join(self.values)
        return f"a whole number from {self.lowest} to {self.highest}"
