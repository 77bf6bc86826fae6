"""Where each tile of the set may lie, given what a transcript says: hands and boneyard by slots.

The set is dealt into *slots*, one for each tile: first those of the hands, then the places of the
boneyard in the order of drawing. Whatever is learnt of a round takes slots from tiles: a seat that
passed on 6 has no six in any of its slots. As long as every tile can be given a slot of its own,
there is a deal under which all that is written is true.
"""

from collections.abc import Iterable, Mapping

from simdom.rules import Rules
from simdom.tiles import tile_of

__all__ = ["Places"]


class Places:
    """Which slots each tile may have, and one way to give every tile its own.

    Attributes:
        rules: of the round.
        slots_of: the slots that each seat has had so far, as bits: those of the deal, and drawn
            ones.
        unplayed: the tiles that are not on the line, by id.
    """

    def __init__(
        self,
        rules: Rules,
        hands: Iterable[Iterable[int | None] | None],
        boneyard: Iterable[int | None] | None,
    ) -> None:
        """All that the deal says. No tile is in it twice, and every list has its right length."""
        self.rules = rules
        dealt = [(1 << rules.deal) - 1 << seat * rules.deal for seat in range(rules.players)]
        self.slots_of = dealt
        self.unplayed = set(range(rules.tiles))
        self._allowed = [(1 << rules.tiles) - 1] * rules.tiles
        self._slot_of = [-1] * rules.tiles
        self._tile_in = [-1] * rules.tiles
        known: dict[int, int] = {}
        for seat, hand in enumerate(hands):
            known |= {tile: dealt[seat] for tile in hand or () if tile is not None}
        for place, tile in enumerate(boneyard or ()):
            if tile is not None:
                known[tile] = 1 << self._slot_in_boneyard(place)
        for tile, slots in known.items():
            self._allowed[tile] = slots
        full = 0  # slots that hold known tiles only
        for slots in {*known.values()}:
            if sum(1 for other in known.values() if other == slots) == slots.bit_count():
                full |= slots
        for tile in range(rules.tiles):
            if tile not in known:
                self._allowed[tile] &= ~full
        for tile in sorted(self.unplayed, key=lambda tile: self._allowed[tile].bit_count()):
            self._find_slot(tile)

    def _slot_in_boneyard(self, place: int) -> int:
        return self.rules.players * self.rules.deal + place

    def holds(self, seat: int) -> list[int]:
        """The tiles that a seat certainly holds, by id."""
        others = ~self.slots_of[seat]
        return [tile for tile in sorted(self.unplayed) if not self._allowed[tile] & others]

    def may_hold(self, seat: int, tile: int) -> bool:
        """Whether nothing that is known of the tile alone keeps the seat from holding it."""
        return tile in self.unplayed and bool(self._allowed[tile] & self.slots_of[seat])

    def holder_of(self, tile: int) -> int | None:
        """The seat that certainly holds an unplayed tile; None if there is none."""
        for seat, slots in enumerate(self.slots_of):
            if tile in self.unplayed and not self._allowed[tile] & ~slots:
                return seat
        return None

    def is_in_boneyard(self, tile: int) -> bool:
        """Whether the tile certainly lies in the boneyard."""
        return not any(self._allowed[tile] & slots for slots in self.slots_of)

    def known_at(self, place: int) -> int | None:
        """The tile that certainly lies at a place of the boneyard; None if that is not known."""
        slot = 1 << self._slot_in_boneyard(place)
        return next((t for t, allowed in enumerate(self._allowed) if allowed == slot), None)

    def draw(self, seat: int, place: int, tile: int | None) -> bool:
        """A seat draws what lies at a place of the boneyard, perhaps a tile that is known.

        Returns:
            Whether that is possible; if not, nothing has changed.
        """
        slot = 1 << self._slot_in_boneyard(place)
        if tile is not None and not self._narrow({tile: slot}):
            return False
        if tile is not None:
            # All that its place says is said: no other tile can have it.
            for other in self.unplayed - {tile}:
                self._allowed[other] &= ~slot
        self.slots_of[seat] |= slot
        return True

    def show_void(self, seat: int, numbers: Iterable[int]) -> bool:
        """A seat holds no tile of these numbers.

        Returns:
            Whether that is possible; if not, nothing has changed.
        """
        wanted, slots = set(numbers), self.slots_of[seat]
        return self._narrow({tile: ~slots for tile in self.unplayed if wanted & set(tile_of(tile))})

    def play(self, seat: int, tile: int, place: int | None = None) -> bool:
        """A seat plays a tile; one that it drew at ``place`` of the boneyard if that is given.

        Returns:
            Whether that is possible; if not, nothing has changed.
        """
        slots = self.slots_of[seat] if place is None else 1 << self._slot_in_boneyard(place)
        if tile not in self.unplayed or not self._narrow({tile: slots}):
            return False
        self.unplayed.remove(tile)
        return True

    def put_in_boneyard(self, tiles: Iterable[int]) -> bool:
        """None of these tiles was dealt to anybody.

        Returns:
            Whether that is possible; if not, nothing has changed.
        """
        dealt = (1 << self.rules.players * self.rules.deal) - 1
        return self._narrow(dict.fromkeys(tiles, ~dealt))

    def give(self, seat: int, tile: int) -> bool:
        """A seat holds this tile.

        Returns:
            Whether that is possible; if not, nothing has changed.
        """
        return self._narrow({tile: self.slots_of[seat]})

    def save(self) -> tuple[list[int], list[int], list[int]]:
        """What `restore` takes."""
        return list(self._allowed), list(self._slot_of), list(self._tile_in)

    def restore(self, saved: tuple[list[int], list[int], list[int]]) -> None:
        """Forget what was learnt since; not for use across a draw or a placement."""
        allowed, slot_of, tile_in = saved
        self._allowed, self._slot_of, self._tile_in = list(allowed), list(slot_of), list(tile_in)

    def _narrow(self, masks: Mapping[int, int]) -> bool:
        """Take slots from tiles, if every tile can still be given its own.

        Returns:
            Whether it can; if not, nothing has changed.
        """
        changed = {t: self._allowed[t] & mask for t, mask in masks.items()}
        changed = {t: allowed for t, allowed in changed.items() if allowed != self._allowed[t]}
        if not changed:
            return True
        saved = self.save()
        homeless = []
        for tile, allowed in changed.items():
            self._allowed[tile] = allowed
            if not allowed >> self._slot_of[tile] & 1:
                self._tile_in[self._slot_of[tile]] = -1
                self._slot_of[tile] = -1
                homeless.append(tile)
        if all(self._find_slot(tile) for tile in homeless):
            return True
        self.restore(saved)
        return False

    def _find_slot(self, tile: int) -> bool:
        """Give a tile a slot, moving others if need be: an augmenting path, breadth first."""
        came_from: dict[int, int] = {}  # slot -> the tile that wants it
        seen, queue = 0, [tile]
        for wanting in queue:
            slots = self._allowed[wanting] & ~seen
            seen |= slots
            while slots:
                slot = (slots & -slots).bit_length() - 1
                slots &= slots - 1
                came_from[slot] = wanting
                if self._tile_in[slot] < 0:
                    self._shift(slot, came_from)
                    return True
                queue.append(self._tile_in[slot])
        return False

    def _shift(self, slot: int, came_from: Mapping[int, int]) -> None:
        """Give the free slot at the end of a path to the tile that wants it, and so on back."""
        while slot >= 0:
            tile = came_from[slot]
            before = self._slot_of[tile]
            self._slot_of[tile], self._tile_in[slot] = slot, tile
            slot = before
