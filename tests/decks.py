"""Many decks at once, from the engine's own shuffle, for the statistics of deals."""

from typing import Any

import numba
import numpy as np

from simdom.engine.deal import deal_order, draws_per_word
from simdom.engine.line import new_table
from simdom.engine.streams import U64
from simdom.rules import Rules
from simdom.tiles import tile_count


@numba.njit
def _fill(decks: Any, table: Any, seed: Any, attempt: Any, per_word: Any) -> None:
    for index in range(decks.shape[0]):
        deal_order(table.hands, table.deck, decks[index], seed, U64(index), attempt, per_word)


def shuffled_decks(
    max_pip: int, rounds: int, seed: int, attempt: int = 0
) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The decks of the first rounds of a seed, tile ids by position; shape (rounds, tiles)."""
    tiles = tile_count(max_pip)
    decks = np.empty((rounds, tiles), np.uint8)
    table = new_table(Rules(max_pip=max_pip, deal=1))
    with np.errstate(over="ignore"):  # words wrap round; without the JIT numpy would warn
        _fill(decks, table, U64(seed), attempt, U64(draws_per_word(tiles)))
    return decks
