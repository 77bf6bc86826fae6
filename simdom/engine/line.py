"""The line and the table around it: two open ends, and what drawing and playing do to them."""

from typing import Any, NamedTuple

import numpy as np

from simdom.engine.deal import Deck, draw_tile, new_deck
from simdom.engine.hands import (
    LISTED,
    NUMBERS,
    add_tile,
    list_bits,
    new_hands,
    nth_bit,
    row_of,
)
from simdom.engine.streams import U64, compiled, draw_below, fraction_of, popcount
from simdom.rules import Rules

__all__ = ["Table", "draw_for_turn", "new_table", "nth_placement", "rows_that_fit"]

LISTED_ON_END_1 = list_bits(8)
MAX_PLACEMENTS = 256  # a lead from the largest hand of double-18 has 190

_0, _1, _2, _7, _8 = (U64(n) for n in (0, 1, 2, 7, 8))


class Table(NamedTuple):
    """The memory in which one thread plays its rounds, one after another.

    Attributes:
        hands: the tiles of all seats and, last, of the line; see `simdom.engine.hands`.
        deck: the tiles not yet drawn.
        pips: ndarray(int64, shape=(players,)), pips left in each hand when the round ends.
        scores: ndarray(int64, shape=(256,)), scores of the placements being compared.
        last: ndarray(int64, shape=(4,)), the last tile placed, see `simdom.engine.scoring.KEPT`.
        pass_rounds: ndarray(int64, shape=(players,)), how often each seat played, saw all others
            pass and played again; not kept if the rules give nothing for it.
        gained: ndarray(int64, shape=(players,)), points by seat, once they are shared.
        voids: ndarray(uint64, shape=(players,)), the numbers that each seat has shown to lack, as
            bits, see `simdom.engine.known`; not kept if all seats play at random.
    """

    hands: np.ndarray[Any, Any]
    deck: Deck
    pips: np.ndarray[Any, np.dtype[np.int64]]
    scores: np.ndarray[Any, np.dtype[np.int64]]
    last: np.ndarray[Any, np.dtype[np.int64]]
    pass_rounds: np.ndarray[Any, np.dtype[np.int64]]
    gained: np.ndarray[Any, np.dtype[np.int64]]
    voids: np.ndarray[Any, np.dtype[np.uint64]]


def new_table(rules: Rules) -> Table:
    """A table set for rounds under ``rules``."""
    return Table(
        hands=new_hands(rules.max_pip, rules.players),
        deck=new_deck(rules.max_pip),
        pips=np.zeros(rules.players, np.int64),
        scores=np.zeros(MAX_PLACEMENTS, np.int64),
        last=np.zeros(4, np.int64),
        pass_rounds=np.zeros(rules.players, np.int64),
        gained=np.zeros(rules.players, np.int64),
        voids=np.zeros(rules.players, np.uint64),
    )


@compiled
def rows_that_fit(hands: Any, seat: Any, end_0: Any, end_1: Any) -> Any:
    """The seat's placements as two rows: on end 0, and on end 1 if it shows another number."""
    row_0 = row_of(hands, seat, end_0)
    row_1 = row_of(hands, seat, end_1) if end_0 != end_1 else _0
    return row_0, row_1


@compiled
def draw_for_turn(
    table: Any,
    seat: Any,
    end_0: Any,
    end_1: Any,
    position: Any,
    drawable: Any,
    shuffle: Any,
    until_it_fits: Any,
) -> Any:
    """Draw one tile for a seat that cannot play, or go on until one fits.

    ``position`` is the boneyard's place in the deck; ``drawable`` tiles (at least 1) may be drawn.

    Returns:
        (tiles drawn as int64, whether the last one fits an open end, the next `Shuffle`).
    """
    wanted = (_1 << end_0) | (_1 << end_1)
    draws = 0
    while True:
        tile, shuffle = draw_tile(table.deck, position + U64(draws), shuffle)
        add_tile(table.hands, seat, tile)
        draws += 1
        fits = (NUMBERS[tile] & wanted) != _0
        if fits or draws == drawable or not until_it_fits:
            return draws, fits, shuffle


@compiled
def nth_placement(hands: Any, row_0: Any, row_1: Any, word: Any) -> Any:
    """A placement chosen uniformly: (is it on end 1, other number of the tile).

    The rows are not both empty. ``hands`` only tells the layout.
    """
    on_0 = popcount(row_0)
    n = draw_below(fraction_of(word), on_0 + popcount(row_1))
    if hands.ndim == 1:
        # The looking up does not wait for n, which is the last thing to be known.
        listed = LISTED[row_0] | (LISTED_ON_END_1[row_1] << (on_0 << _2))
        placement = listed >> (n << _2)
        return (placement & _8) != _0, placement & _7
    else:  # noqa: RET505 - the compiler drops the branch of the other layout
        if n < on_0:
            return False, nth_bit(row_0, n)
        return True, nth_bit(row_1, n - on_0)
