"""Many decks at once, from the engine's own shuffle, for the statistics of deals."""

from typing import Any

import numba
import numpy as np

from simdom.engine.deal import draw_tile, draws_per_word, new_deck, start_shuffle
from simdom.engine.streams import SHUFFLE, U64, stream_key


@numba.njit
def _fill(decks: Any, deck: Any, seed: Any, per_word: Any) -> None:
    for index in range(decks.shape[0]):
        key = stream_key(seed, SHUFFLE, U64(index))
        shuffle = start_shuffle(deck, key, 0, per_word)
        for position in range(deck.size):
            tile, shuffle = draw_tile(deck, U64(position), shuffle)
            decks[index, position] = tile


def shuffled_decks(max_pip: int, rounds: int, seed: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The decks of the first rounds of a seed, tile ids by position; shape (rounds, tiles)."""
    deck = new_deck(max_pip)
    decks = np.empty((rounds, deck.size), np.uint8)
    with np.errstate(over="ignore"):  # words wrap round; without the JIT numpy would warn
        _fill(decks, deck, U64(seed), U64(draws_per_word(deck.size)))
    return decks
