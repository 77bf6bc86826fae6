"""The deck: shuffled tile by tile as it is needed, dealt round the table, then drawn from.

Position i of the deck is settled by step i of a Fisher-Yates shuffle, so nobody pays for the
order of tiles that are never seen, and the deck is the same whatever the rules.
"""

from typing import Any, NamedTuple

import numpy as np

from simdom.engine.hands import NARROW_MAX_PIP, add_tile, clear_hands, count_doubles
from simdom.engine.streams import (
    SHUFFLE,
    U64,
    compiled,
    compiled_for_all,
    draw_below,
    fraction_after,
    fraction_of,
    stream_key,
    word_at,
)
from simdom.rules import TOGGLES, NamedMissing, NoDouble, Opening
from simdom.tiles import tile_count, tiles_of_set

__all__ = [
    "HEAVIEST_FIRST",
    "Shuffle",
    "deal_hands",
    "draw_tile",
    "draws_per_word",
    "is_misdeal",
    "new_deck",
    "start_shuffle",
]

MAX_BIAS_INVERSE = 10**8
WORDS_PER_ATTEMPT = U64(256)  # more than any deck needs

REDEAL = int(NoDouble.REDEAL)
_0, _1 = U64(0), U64(1)

_ALL_TILES = tiles_of_set(TOGGLES["max_pip"].highest)  # smaller sets are its beginning
HEAVIEST_FIRST = np.array(
    sorted(
        range(len(_ALL_TILES)),
        key=lambda tile: (_ALL_TILES[tile].pips, _ALL_TILES[tile].high),
        reverse=True,
    ),
    np.uint64,
)
"""All tiles by pips, then by the higher end."""

SORTED = np.arange(-(-len(_ALL_TILES) // 8) * 8, dtype=np.uint8).view(np.uint64)
"""The deck before any shuffle, eight tiles to a word."""
NARROW_WORDS = -(-tile_count(NARROW_MAX_PIP) // 8)


HIGHEST_DOUBLE = int(Opening.HIGHEST_DOUBLE)
HOLDER_LEADS_ANY = int(Opening.HOLDER_LEADS_ANY)
NAMED_DOUBLE = int(Opening.NAMED_DOUBLE)
NEXT_DOUBLE = int(NamedMissing.NEXT_DOUBLE)


def draws_per_word(tiles: int) -> int:
    """How many tiles one random word settles: as many as keep its bias below 1e-8."""
    draws = 1
    while tiles ** (draws + 1) * MAX_BIAS_INVERSE <= 1 << 56:
        draws += 1
    return draws


class Deck(NamedTuple):
    """The tiles that are not drawn yet, the same memory seen twice.

    Attributes:
        tiles: ndarray(uint8, shape=(8 * words,)), tile ids; positions already drawn hold anything.
        words: ndarray(uint64, shape=(words,)), a view of ``tiles``: sorted eight at a time.
    """

    tiles: np.ndarray[Any, np.dtype[np.uint8]]
    words: np.ndarray[Any, np.dtype[np.uint64]]


def new_deck(max_pip: int) -> Deck:
    """A deck for the double-``max_pip`` set."""
    words = max(-(-tile_count(max_pip) // 8), NARROW_WORDS)
    tiles = np.zeros(words * 8, np.uint8)
    return Deck(tiles, tiles.view(np.uint64))


class Shuffle(NamedTuple):
    """A deck being shuffled: what settles its next positions.

    Attributes:
        key: the round's shuffle stream.
        tiles: number of tiles of the set.
        per_word: positions that one random word settles.
        word: number of the next word.
        left: positions that the current word still settles.
        fraction: what is left of the current word.
    """

    key: Any
    tiles: Any
    per_word: Any
    word: Any
    left: Any
    fraction: Any


@compiled
def start_shuffle(hands: Any, deck: Any, tiles: Any, key: Any, attempt: Any, per_word: Any) -> Any:
    """Sort the deck, which is modified in place; returns the `Shuffle` that will settle it.

    ``hands`` only tells the layout.
    """
    if hands.ndim == 1:
        for word in range(NARROW_WORDS):  # a constant number: a few stores
            deck.words[word] = SORTED[word]
    else:
        for word in range(deck.words.size):
            deck.words[word] = SORTED[word]
    return Shuffle(key, tiles, per_word, U64(attempt) * WORDS_PER_ATTEMPT, U64(0), U64(0))


@compiled
def draw_tile(deck: Any, position: Any, shuffle: Any) -> Any:
    """Settle the deck at ``position`` (uint64), one after the last; modified in place.

    Returns:
        (tile id as uint64, the `Shuffle` for the next position).
    """
    fraction, word, left = shuffle.fraction, shuffle.word, shuffle.left
    if left == _0:
        fraction = fraction_of(word_at(shuffle.key, word))
        word += _1
        left = shuffle.per_word
    remaining = shuffle.tiles - position
    there = position + draw_below(fraction, remaining)
    tile = deck.tiles[there]
    deck.tiles[there] = deck.tiles[position]
    fraction = fraction_after(fraction, remaining)
    return U64(tile), Shuffle(
        shuffle.key, shuffle.tiles, shuffle.per_word, word, left - _1, fraction
    )


@compiled
def deal_hands(hands: Any, deck: Any, rules: Any, shuffle: Any) -> Any:
    """Deal a tile to each seat in turn; ``hands`` and ``deck`` are modified in place.

    Returns:
        The `Shuffle` with which `draw_tile` goes on after the last tile dealt.
    """
    clear_hands(hands, rules.players)
    players = U64(rules.players)
    position = _0
    for _ in range(rules.deal):
        for seat in range(players):
            tile, shuffle = draw_tile(deck, position, shuffle)
            add_tile(hands, seat, tile)
            position += _1
    return shuffle


@compiled_for_all
def deal_order(
    hands: Any, deck: Any, order: Any, seed: Any, index: Any, redeals: Any, per_word: Any
) -> None:
    """Write the whole deck of a round, as it is dealt and drawn, into ``order``.

    ``deck`` is memory to shuffle in. Both are modified in place.
    """
    key = stream_key(seed, SHUFFLE, index)
    shuffle = start_shuffle(hands, deck, U64(order.size), key, redeals, per_word)
    for position in range(order.size):
        tile, shuffle = draw_tile(deck, U64(position), shuffle)
        order[position] = tile


@compiled
def is_by_double(rules: Any) -> Any:
    """Whether a double decides who opens, or what replaces it, and never a lot."""
    if rules.opening == NAMED_DOUBLE:
        return rules.named_missing == NEXT_DOUBLE
    return rules.opening == HIGHEST_DOUBLE or rules.opening == HOLDER_LEADS_ANY


@compiled
def is_misdeal(hands: Any, rules: Any, needs_no_double: Any) -> Any:
    """Whether this deal is thrown in and dealt again.

    ``needs_no_double`` says that somebody holds a double, or that the lead does not depend on one.
    """
    if rules.misdeal > 0:
        for seat in range(rules.players):
            if count_doubles(hands, U64(seat)) >= U64(rules.misdeal):
                return True
    return rules.no_double == REDEAL and is_by_double(rules) and not needs_no_double
