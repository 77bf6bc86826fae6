"""How many deals agree with what a seat knows, exactly: in whole numbers of any size.

The engine lists what the worlds of a position are made of: tiles, and the lots in which each of
them may lie (`simdom.engine.known`, `simdom.engine.worlds`). All worlds are equally likely, as
deals are. Here they are counted, all of them, or those in which a seat holds none of some tiles.

Lots that take the same tiles are put together first, and tiles that may go to the same lots. Then
one kind of tiles after the other is spread over the lots; what matters of the kinds before is only
how much room they have left in each lot.
"""

from collections import Counter
from collections.abc import Iterable
from math import comb
from typing import NamedTuple

from simdom.engine.asides import Listed
from simdom.errors import RunError
from simdom.rules import Rules
from simdom.tiles import tile_of

__all__ = ["Deals"]

MOST_STEPS = 4_000_000  # for all that is asked of a position: some seconds
FEW_STEPS = 30_000  # for one count, so that as many as anybody asks take no time


class _Lot(NamedTuple):
    """Lots of a seat that take the same tiles, as one."""

    size: int
    seat: int
    is_deal: bool


class _Kind(NamedTuple):
    """Tiles that may go to the same lots, as bits, or be left in the boneyard."""

    lots: int
    may_be_left: bool
    is_double: bool


class Deals:
    """The worlds of a position."""

    def __init__(self, rules: Rules, listed: Listed | None) -> None:
        """``listed`` is None if the engine has no room for so many lots.

        Raises:
            RunError: it is None.
        """
        if listed is None:
            raise RunError("too many draws are to be kept apart: the deals cannot be counted")
        self._rules, self._listed = rules, listed
        self._counted: dict[tuple[int, frozenset[int]], int] = {}
        self._steps = 0

    @property
    def total(self) -> int:
        """How many worlds there are.

        Raises:
            RunError: they take too long to count.
        """
        return self.without(-1, ())

    @property
    def is_quick(self) -> bool:
        """Whether one count is quick enough to be made for every seat and number.

        Raises:
            RunError: the worlds take too long to count.
        """
        before, seat = self._steps, -1
        self._counted.pop((seat, frozenset()), None)
        self.without(seat, ())
        return self._steps - before <= FEW_STEPS

    def may_hold(self, seat: int, tile: int) -> bool:
        """Whether some lot of a seat takes a tile, whatever that leaves to the others."""
        its = sum(1 << at for at, each in enumerate(self._listed.bins) if each.seat == seat)
        return any(
            item.tile == tile and not item.was_played and item.bins & its
            for item in self._listed.items
        )

    def without(self, seat: int, tiles: Iterable[int]) -> int:
        """How many worlds there are in which ``seat`` holds none of these tiles.

        Raises:
            RunError: they take too long to count.
        """
        asked = seat, frozenset(tiles)
        if asked not in self._counted:
            self._counted[asked] = self._count(*asked)
        return self._counted[asked]

    def _count(self, seat: int, tiles: frozenset[int]) -> int:
        its = sum(1 << at for at, each in enumerate(self._listed.bins) if each.seat == seat)
        masks = [
            item.bins & ~its if item.tile in tiles and not item.was_played else item.bins
            for item in self._listed.items
        ]
        lots, masks, ways = self._join_lots(masks)
        minds = self._rules.misdeal > 0
        kinds = Counter(
            _Kind(mask, item.may_be_left, minds and tile_of(item.tile).is_double)
            for mask, item in zip(masks, self._listed.items, strict=True)
        )
        spreading = _Spreading(lots, kinds, self._doubles_left(), MOST_STEPS - self._steps)
        try:
            return ways * spreading.ways()
        finally:
            self._steps += spreading.steps

    def _join_lots(self, masks: list[int]) -> tuple[list[_Lot], list[int], int]:
        """(lots that differ, masks over them, ways to part the joined ones again)."""
        minds = self._rules.misdeal > 0
        joined: dict[tuple[object, ...], list[int]] = {}
        for at, each in enumerate(self._listed.bins):
            takes = sum((mask >> at & 1) << n for n, mask in enumerate(masks))
            is_deal = minds and each.lot == 0
            joined.setdefault((takes, each.seat if is_deal else -1), []).append(at)
        lots, ways = [], 1
        fresh = [0] * len(masks)
        for number, members in enumerate(joined.values()):
            bins = [self._listed.bins[at] for at in members]
            size = 0
            for each in bins:
                size += each.size
                ways *= comb(size, each.size)
            lots.append(_Lot(size, bins[0].seat, minds and bins[0].lot == 0))
            for n, mask in enumerate(masks):
                fresh[n] |= (mask >> members[0] & 1) << number
        return lots, fresh, ways

    def _doubles_left(self) -> dict[int, int]:
        """How many more doubles each seat can have been dealt, by the misdeal rule."""
        if not self._rules.misdeal:
            return {}
        most = self._rules.misdeal - 1
        return {seat: most - played for seat, played in enumerate(self._listed.doubles)}


class _Spreading:
    """Kinds of tiles that are spread over lots, one after another.

    A state is a number whose digits are the room left in each lot, and then the doubles that each
    seat may still have been dealt.
    """

    def __init__(
        self, lots: list[_Lot], kinds: Counter[_Kind], doubles: dict[int, int], most_steps: int
    ) -> None:
        self._lots, self._most_steps = lots, most_steps
        self._kinds = sorted(kinds.items(), key=lambda kind: kind[0].lots.bit_count())
        self._strides, self._bases = [], []
        stride = 1
        self._start = 0
        for digit in (*(lot.size for lot in lots), *(max(left, 0) for left in doubles.values())):
            self._strides.append(stride)
            self._bases.append(digit + 1)
            self._start += stride * digit
            stride *= digit + 1
        self._doubles_at = {seat: len(lots) + n for n, seat in enumerate(doubles)}
        self._is_hopeless = any(left < 0 for left in doubles.values())
        self.steps = 0

    def ways(self) -> int:
        """In how many ways all lots are filled."""
        if self._is_hopeless:
            return 0
        states = {self._start: 1}
        for number, (kind, tiles) in enumerate(self._kinds):
            states = self._spread(states, kind, tiles)
            states = self._drop_hopeless(states, self._kinds[number + 1 :])
        rooms = self._strides[len(self._lots)] if self._doubles_at else None
        return sum(
            ways
            for state, ways in states.items()
            if (state if rooms is None else state % rooms) == 0
        )

    def _room(self, state: int, at: int) -> int:
        return state // self._strides[at] % self._bases[at]

    def _spread(self, states: dict[int, int], kind: _Kind, tiles: int) -> dict[int, int]:
        """The states after so many ``tiles`` of a kind, with the ways to each."""
        open_states = {(state, tiles): ways for state, ways in states.items()}
        for at, lot in enumerate(self._lots):
            if not kind.lots >> at & 1:
                continue
            after: dict[tuple[int, int], int] = {}
            for (state, left), ways in open_states.items():
                most = min(left, self._room(state, at))
                step = self._strides[at]
                if kind.is_double and lot.is_deal:
                    digit = self._doubles_at[lot.seat]
                    most = min(most, self._room(state, digit))
                    step += self._strides[digit]
                for taken in range(most + 1):
                    key = state - taken * step, left - taken
                    after[key] = after.get(key, 0) + ways * comb(left, taken)
            self._take_steps(len(after))
            open_states = after
        closed: dict[int, int] = {}
        for (state, left), ways in open_states.items():
            if left == 0 or kind.may_be_left:
                closed[state] = closed.get(state, 0) + ways
        return closed

    def _drop_hopeless(
        self, states: dict[int, int], coming: list[tuple[_Kind, int]]
    ) -> dict[int, int]:
        """Without states in which a lot has more room than tiles are to come that it takes."""
        limits = [
            (at, sum(tiles for kind, tiles in coming if kind.lots >> at & 1))
            for at in range(len(self._lots))
        ]
        return {
            state: ways
            for state, ways in states.items()
            if all(self._room(state, at) <= most for at, most in limits)
        }

    def _take_steps(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self._most_steps:
            raise RunError("too many draws are to be kept apart: the deals take too long to count")
