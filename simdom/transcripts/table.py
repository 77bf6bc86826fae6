"""The table as a reader of a transcript sees it: what lies on it, what is known of the hands."""

from typing import NamedTuple

from simdom.rules import Boneyard
from simdom.settling import Last
from simdom.tiles import tile_of
from simdom.transcripts.places import Places
from simdom.transcripts.transcript import Transcript, WrittenRound, WrittenTurn

__all__ = ["ONE_DRAW", "KnownTable", "Step"]

ONE_DRAW = (Boneyard.DRAW_ONE_PLAY, Boneyard.DRAW_ONE_PASS)
"""Rules by which one tile is drawn in a turn."""


class Step(NamedTuple):
    """The table after a turn.

    Attributes:
        ends: the open ends.
        held: tiles in each hand.
        boneyard: tiles in it, those included that are never drawn.
    """

    ends: tuple[int, int]
    held: list[int]
    boneyard: int


class KnownTable:
    """A round in play, as far as it is known.

    Attributes:
        rules: of the round.
        places: where each tile may lie.
        held: tiles in each hand.
        seat: whose turn it is; None before the lead.
        opener: the seat that led; None before.
        ends: the open ends; None before the lead.
        line: the tiles in order, from end 0 to end 1, each as (tile, its number towards end 0).
        lead_at: the place of the tile led in it.
        drawn: tiles drawn so far.
        closing: passes in a row that count towards a block: at least so many, and at most. They
            differ where it is not known whether a tile that was drawn and kept fits.
        last: the last tile placed; None before the lead.
        pass_rounds: how often each seat played, saw all others pass and played again.
    """

    def __init__(self, transcript: Transcript, written: WrittenRound) -> None:
        self.transcript = transcript
        self.rules = transcript.rules
        self.places = Places(self.rules, written.hands, written.boneyard)
        self.held = [self.rules.deal] * self.rules.players
        self.seat: int | None = None
        self.opener: int | None = None
        self.ends: tuple[int, int] | None = None
        self.line: list[tuple[int, int]] = []
        self.lead_at = 0
        self.drawn = 0
        self.closing = (0, 0)
        self.last: Last | None = None
        self.pass_rounds = [0] * self.rules.players

    @property
    def drawable(self) -> int:
        """Tiles that may still be drawn."""
        if self.rules.boneyard == Boneyard.BLOCK:
            return 0
        return self.rules.boneyard_size - self.rules.reserve - self.drawn

    @property
    def boneyard(self) -> int:
        """Tiles in the boneyard, those included that are never drawn."""
        return self.rules.boneyard_size - self.drawn

    @property
    def open_ends(self) -> str:
        """The open ends in words; nothing before the lead."""
        return " and ".join(map(str, dict.fromkeys(self.ends or ())))

    def fits(self, tile: int) -> bool:
        """Whether a tile fits an open end."""
        return self.ends is not None and bool(set(self.ends) & set(tile_of(tile)))

    def is_known(self, seat: int) -> bool:
        """Whether every tile that the seat holds is known."""
        return len(self.places.holds(seat)) == self.held[seat]

    def placements(self, seat: int) -> list[tuple[int, int | None]]:
        """What the seat certainly can place, and on which number; None for a lead."""
        held = self.places.holds(seat)
        if self.ends is None:
            return [(tile, None) for tile in held]
        ends = dict.fromkeys(self.ends)
        return [(tile, end) for tile in held for end in ends if end in tile_of(tile)]

    def allowed(self, seat: int, drawn: int = 0) -> list[str]:
        """What the seat may do now, as turns are written; empty if its hand is not known.

        ``drawn`` tiles it has drawn in this turn.
        """
        turns = [str(WrittenTurn(seat, tile=tile, on=on)) for tile, on in self.placements(seat)]
        if turns or not self.is_known(seat):
            return turns
        may_draw = self.drawable > 0 and not (drawn and self.rules.boneyard in ONE_DRAW)
        return [f"{seat}: draw" if may_draw else f"{seat}: pass"]

    def step(self) -> Step:
        """The table as it stands; somebody has led."""
        return Step(self.ends or (0, 0), list(self.held), self.boneyard)

    def take_from_boneyard(self, seat: int, tile: int | None) -> bool:
        """A seat draws the next tile; whether it can be that one. The table is modified."""
        if not self.places.draw(seat, self.drawn, tile):
            return False
        self.drawn += 1
        self.held[seat] += 1
        return True

    def pass_on(self, seat: int, closes: tuple[int, int] = (0, 0)) -> None:
        """A seat passes; it counts towards a block, at least and at most. Modified in place."""
        self.closing = (self.closing[0] + closes[0], self.closing[1] + closes[1])
        self.seat = (seat + 1) % self.rules.players

    def lay_down(self, seat: int, tile: int, on: int | None) -> None:
        """Lay a tile on the line that has left ``places`` already. The table is modified.

        Where both ends show the number, it is end 0 that the tile is placed on.
        """
        low, high = tile_of(tile)
        self.held[seat] -= 1
        if self.ends is None or on is None:
            self.opener = seat
            self.ends = (low, high)
            self.line = [(tile, low)]
            self.last = Last(seat, low, high, None)
        else:
            self._extend(seat, tile, on, high if on == low else low)
        self.closing = (0, 0)
        self.seat = (seat + 1) % self.rules.players

    def _extend(self, seat: int, tile: int, on: int, other: int) -> None:
        first, second = self.ends or (on, on)
        if on == first:
            kept, self.ends = second, (other, second)
            self.line.insert(0, (tile, other))
            self.lead_at += 1
        else:
            kept, self.ends = first, (first, other)
            self.line.append((tile, on))
        others_passed = self.closing[0] == self.rules.players - 1
        if others_passed and self.last is not None and self.last.seat == seat:
            self.pass_rounds[seat] += 1
        self.last = Last(seat, on, other, kept)
