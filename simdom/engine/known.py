"""What a seat has shown by passing or drawing: what it is certain to lack, and since when.

A seat that cannot play shows that it holds nothing of either open end. Tiles that it draws and
keeps may show any number, but for those that would have fitted. So its hand is kept in *lots*, by
when they came: the deal is the first, and each turn that draws and keeps tiles begins another. All
tiles of a lot were held since it came, and lack what the seat has shown to lack since then; what
every lot lacks, the hand lacks.

Nobody sees from which lot a tile is played, unless it is the tile just drawn, or its numbers rule
lots out. Such placements are kept with the lots that they can have come from.
"""

from typing import Any, NamedTuple

import numpy as np

from simdom.engine.hands import tile_number
from simdom.engine.streams import U64, compiled
from simdom.rules import Boneyard, Rules

__all__ = [
    "Shown",
    "forget_shown",
    "forget_voids",
    "new_shown",
    "show_lots",
    "show_placement",
    "show_void",
]

MOST_LOTS = 64  # of a seat: bits of a word. Later ones are put together, which forgets, never errs

DRAW_ONE_PASS = int(Boneyard.DRAW_ONE_PASS)
_0, _1 = U64(0), U64(1)


class Shown(NamedTuple):
    """What the seats have shown in a round so far.

    Attributes:
        lots: ndarray(int64, shape=(players,)), lots of the seat's hand.
        sizes: ndarray(int64, shape=(players, lots)), tiles of the lot, less those that were
            certainly played from it.
        lacks: ndarray(uint64, shape=(players, lots)), numbers that a tile of the lot that is still
            in the hand cannot show, as bits.
        unsure: ndarray(int64, shape=(players,)), placements that may have come from several lots.
        tiles: ndarray(uint64, shape=(players, tiles)), the ids of the tiles.
        origins: ndarray(uint64, shape=(players, tiles)), those lots, as bits.
        doubles: ndarray(int64, shape=(players,)), doubles certainly played from the deal.
    """

    lots: np.ndarray[Any, np.dtype[np.int64]]
    sizes: np.ndarray[Any, np.dtype[np.int64]]
    lacks: np.ndarray[Any, np.dtype[np.uint64]]
    unsure: np.ndarray[Any, np.dtype[np.int64]]
    tiles: np.ndarray[Any, np.dtype[np.uint64]]
    origins: np.ndarray[Any, np.dtype[np.uint64]]
    doubles: np.ndarray[Any, np.dtype[np.int64]]


def new_shown(rules: Rules) -> Shown:
    """Memory for what the seats show in a round under ``rules``."""
    players, lots = rules.players, min(rules.boneyard_size + 1, MOST_LOTS)
    return Shown(
        lots=np.zeros(players, np.int64),
        sizes=np.zeros((players, lots), np.int64),
        lacks=np.zeros((players, lots), np.uint64),
        unsure=np.zeros(players, np.int64),
        tiles=np.zeros((players, rules.tiles), np.uint64),
        origins=np.zeros((players, rules.tiles), np.uint64),
        doubles=np.zeros(players, np.int64),
    )


@compiled
def forget_voids(voids: Any, players: Any) -> None:
    """Begin a round: nobody has shown anything. Modified in place."""
    for seat in range(players):
        voids[seat] = _0


@compiled
def forget_shown(shown: Any, players: Any, deal: Any) -> None:
    """Begin a round: every hand is one lot, of which nothing is known. Modified in place."""
    for seat in range(players):
        shown.lots[seat] = 1
        shown.sizes[seat, 0] = deal
        shown.lacks[seat, 0] = _0
        shown.unsure[seat] = 0
        shown.doubles[seat] = 0


@compiled
def show_void(voids: Any, seat: Any, numbers: Any, kept: Any, boneyard: Any) -> None:
    """A seat could not play on ends of these ``numbers``, and has drawn and ``kept`` so many tiles.

    ``voids``, ndarray(uint64, shape=(players,)), the numbers that each seat certainly lacks, as
    bits, is modified in place.
    """
    voids[seat] = lacks_of_kept(numbers, boneyard) if kept > 0 else voids[seat] | numbers


@compiled
def lacks_of_kept(numbers: Any, boneyard: Any) -> Any:
    """What tiles lack that were drawn on ends of these ``numbers`` and kept, as bits.

    Who draws one tile and passes whatever it is shows nothing about that tile.
    """
    return _0 if boneyard == DRAW_ONE_PASS else numbers


@compiled
def show_lots(shown: Any, seat: Any, numbers: Any, kept: Any, boneyard: Any) -> None:
    """As `show_void`, lot by lot. ``shown`` is modified in place."""
    lots = shown.lots[seat]
    for lot in range(lots):
        shown.lacks[seat, lot] |= numbers
    if kept > 0:
        of_kept = lacks_of_kept(numbers, boneyard)
        if lots < shown.sizes.shape[1]:
            shown.lots[seat] = lots + 1
            shown.sizes[seat, lots] = kept
            shown.lacks[seat, lots] = of_kept
        else:
            shown.sizes[seat, lots - 1] += kept
            shown.lacks[seat, lots - 1] &= of_kept


@compiled
def show_placement(shown: Any, seat: Any, low: Any, high: Any) -> None:
    """A seat has played the tile low-high, which it did not draw in the same turn.

    It came from one of the lots that may have tiles left and lack neither number; if that is one
    lot, a tile of it is gone for certain. A tile drawn and played at once was in no lot.
    ``shown`` is modified in place.
    """
    numbers = (_1 << low) | (_1 << high)
    lots = _0
    last = 0
    for lot in range(shown.lots[seat]):
        if shown.sizes[seat, lot] > 0 and shown.lacks[seat, lot] & numbers == _0:
            lots |= _1 << U64(lot)
            last = lot
    if lots & (lots - _1) == _0:
        shown.sizes[seat, last] -= 1
        shown.doubles[seat] += low == high and last == 0
    else:
        shown.tiles[seat, shown.unsure[seat]] = tile_number(low, high)
        shown.origins[seat, shown.unsure[seat]] = lots
        shown.unsure[seat] += 1
