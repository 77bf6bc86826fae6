"""Decks alone: many at once, in the order in which they are dealt and drawn, without any play."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from simdom.engine.deal import deal_order, draws_per_word
from simdom.engine.kernels import digest_of_sources
from simdom.engine.line import new_table
from simdom.engine.streams import U64, entry_point
from simdom.rules import Rules
from simdom.tiles import tile_count

__all__ = ["list_decks"]


def list_decks(
    max_pip: int, seed: int, start: int, stop: int
) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The decks of rounds ``start`` to ``stop - 1`` of a seed, as they are under any rules.

    They are those that a round plays with if its first deal is not thrown in.

    Returns:
        ndarray(uint8, shape=(stop - start, tiles)), tile ids; with P players, position k of the
        tiles that are dealt goes to seat k modulo P.
    """
    tiles = tile_count(max_pip)
    decks = np.empty((stop - start, tiles), np.uint8)
    table = new_table(Rules(max_pip=max_pip, deal=1))
    with np.errstate(over="ignore"):  # without the JIT, numpy warns when a word wraps around
        _decks_kernel(digest_of_sources())(
            decks, table, U64(seed), U64(draws_per_word(tiles)), start
        )
    return decks


@cache
def _decks_kernel(digest: int) -> Callable[..., int]:
    @entry_point
    def decks_kernel(decks: Any, table: Any, seed: Any, per_word: Any, start: Any) -> Any:
        for row in range(decks.shape[0]):
            index = U64(start + row)
            deal_order(table.hands, table.deck, decks[row], seed, index, 0, per_word)
        return digest

    return decks_kernel
