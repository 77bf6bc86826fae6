"""A transcript: what somebody wrote down of one or several rounds, as data.

It may be wrong and it may be incomplete; `simdom.transcripts.referee` judges it. Tiles are ids, see
`simdom.tiles`; None stands for one that is not known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from simdom.rules import Rules
from simdom.tiles import tile_name

__all__ = [
    "NO_VARIANT",
    "UNKNOWN",
    "Ending",
    "Transcript",
    "WrittenRound",
    "WrittenScore",
    "WrittenTurn",
    "name_tiles",
]

UNKNOWN = "?"
"""How a tile is written that is not known."""

NO_VARIANT = "none"
"""The variant of a transcript whose rules are those of no preset."""

Tiles = tuple[int | None, ...]


@dataclass(frozen=True)
class WrittenTurn:
    """What one seat did in its turn.

    Attributes:
        seat: who.
        draws: the tiles drawn, in order.
        tile: the tile placed; None for a pass.
        on: the number that it was placed on; None for a lead and a pass.
        ends: the open ends after the turn, if they are written.
        line: where it is written, from 1; 0 if it is in no lines.
    """

    seat: int
    draws: Tiles = ()
    tile: int | None = None
    on: int | None = None
    ends: tuple[int, int] | None = None
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        """The turn as a transcript has it."""
        return f"{self.seat}: {self.acts}"

    @property
    def acts(self) -> str:
        """What the seat did, as a transcript has it."""
        words = [f"draw {name_tiles([tile])}" for tile in self.draws]
        if self.tile is None:
            words.append("pass")
        else:
            words.append(tile_name(self.tile) + ("" if self.on is None else f" on {self.on}"))
        return " ".join(words)


@dataclass(frozen=True)
class Ending:
    """How a round is said to have ended; None is what is not said.

    Attributes:
        end: "domino" or "blocked".
        winner: a seat; -1 for nobody.
        points: that the round awards.
        pips: left in each hand.
        scores: points by the name of a way to score.
        line: where it is written, from 1; 0 if it is in no lines.
    """

    end: str
    winner: int | None = None
    points: int | None = None
    pips: tuple[int, ...] | None = None
    scores: dict[str, int] | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class WrittenScore:
    """Points of a match, by side, and the line that says so."""

    points: tuple[int, ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class WrittenRound:
    """One round.

    Attributes:
        hands: what each seat was dealt; None if nothing is known of it.
        boneyard: in the order of drawing, the reserve last; None if nothing is known of it.
        turns: the lead first.
        ending: None if the round goes on, or if nothing is said.
        number: of the round in its match, from 1; None if there is no match.
        leader: the seat that leads any tile, as the winner of the round before may; None where the
            rules say who leads.
        score: of the match after the round, if it is written.
        line: where the round begins, from 1; 0 if it is in no lines.
    """

    hands: tuple[Tiles | None, ...]
    boneyard: Tiles | None = None
    turns: tuple[WrittenTurn, ...] = ()
    ending: Ending | None = None
    number: int | None = None
    leader: int | None = None
    score: WrittenScore | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Transcript:
    """One or several rounds, and what they were played by.

    Attributes:
        variant: a preset's name; `NO_VARIANT` if the rules were made from none.
        rules: checked.
        rounds: in order.
        target: points that win the match; None if there is none.
        names: of the seats; None for those without.
        score: of the match before the first round, if it is written.
        is_text: whether it was read from lines; else it was a JSON document.
    """

    variant: str
    rules: Rules
    rounds: tuple[WrittenRound, ...]
    target: int | None = None
    names: tuple[str | None, ...] = ()
    score: WrittenScore | None = None
    is_text: bool = field(default=True, compare=False)

    def only(self, number: int) -> "Transcript":
        """One of its rounds, from 0, with the score of the match before it."""
        before = self.rounds[number - 1].score if number else self.score
        return replace(self, rounds=self.rounds[number : number + 1], score=before)

    def name_of(self, seat: int) -> str:
        """The seat as people call it: ``seat 0``, with its name if it has one."""
        name = self.names[seat] if seat < len(self.names) else None
        return f"seat {seat}" + (f" ({name})" if name else "")


def name_tiles(tiles: Sequence[int | None]) -> str:
    """The names of tiles with spaces between them."""
    return " ".join(UNKNOWN if tile is None else tile_name(tile) for tile in tiles)
