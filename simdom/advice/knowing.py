"""What a seat can know of the others: what they certainly lack, and the chance that one can answer.

All by the law of the worlds: every deal that agrees with what the seat has seen is equally likely.
What the others chose to play, where they had a choice, tells nothing under this law.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from simdom.advice.deals import Deals
from simdom.advice.standing import Standing
from simdom.engine.asides import Setting, list_worlds
from simdom.errors import RunError
from simdom.tiles import tile_of

__all__ = ["LAW", "Knowledge", "Void"]

LAW = (
    "All deals that agree with what the seat has seen are equally likely; what others chose to "
    "play tells nothing."
)
"""Under which law the chances hold, for people."""


class Void(NamedTuple):
    """A number that a seat certainly holds nothing of.

    Attributes:
        seat: who lacks it.
        number: which.
        turn: the last turn that shows it, from 0; None if no turn of the seat does.
        is_seen: whether all tiles of the number are on the line or in the hand of who asks.
    """

    seat: int
    number: int
    turn: int | None
    is_seen: bool


class Knowledge:
    """What is known of the other hands in a position, counted."""

    def __init__(self, standing: Standing, setting: Setting) -> None:
        """``setting`` is the scene of ``standing``.

        Raises:
            RunError: the deals cannot be counted, or there is none.
        """
        self._standing = standing
        self._deals = Deals(standing.rules, list_worlds(setting))
        self._is_quick = self._deals.is_quick
        if self._deals.total == 0:
            raise RunError("no deal agrees with all that is written")

    @property
    def worlds(self) -> int:
        """How many worlds there are: ways in which the hidden tiles can lie and have come there."""
        return self._deals.total

    def chance_to_answer(self, seat: int, ends: Iterable[int]) -> Fraction:
        """The chance that another seat holds a tile that shows one of these numbers.

        Raises:
            RunError: the deals take too long to count.
        """
        wanted = set(ends)
        tiles = [tile for tile in range(self._standing.rules.tiles) if wanted & {*tile_of(tile)}]
        return 1 - Fraction(self._deals.without(seat, tiles), self._deals.total)

    @property
    def knows_all_voids(self) -> bool:
        """Whether `voids` are all there are; else those that need no counting."""
        return self._is_quick

    def voids(self) -> list[Void]:
        """What the others certainly lack, by seat in turn order and by number."""
        return [
            Void(seat, number, self._shown_at(seat, number), self._is_seen(number))
            for seat in self._standing.others
            for number in range(self._standing.rules.max_pip + 1)
            if self._lacks(seat, number)
        ]

    def _lacks(self, seat: int, number: int) -> bool:
        tiles = [t for t in range(self._standing.rules.tiles) if number in tile_of(t)]
        if not any(self._deals.may_hold(seat, tile) for tile in tiles):
            return True
        return self._is_quick and not self.chance_to_answer(seat, [number])

    def _is_seen(self, number: int) -> bool:
        standing = self._standing
        seen = {*standing.hand, *(turn.tile for turn in standing.turns)}
        tiles = (tile for tile in range(standing.rules.tiles) if number in tile_of(tile))
        return all(tile in seen for tile in tiles)

    def _shown_at(self, seat: int, number: int) -> int | None:
        """The last turn in which the seat could not play on an end that showed the number."""
        standing, found = self._standing, None
        for at, turn in enumerate(standing.turns):
            is_stuck = bool(turn.draws) or turn.tile is None
            if at and turn.seat == seat and is_stuck and number in standing.scene.turns[at - 1][3]:
                found = at
        return found
