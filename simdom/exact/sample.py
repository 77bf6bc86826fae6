"""Deals looked at instead of counted: how often each answer to a question came up in a sample.

The deals are those that `simdom.simulate.simulate` plays with the same seed, as they are before
any is thrown in.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from simdom.engine.decks import list_decks
from simdom.errors import UsageError
from simdom.exact.asked import Asked
from simdom.tiles import tiles_of_set

__all__ = ["count_alike_deals", "count_outcomes"]

MOST_ALIKE = 10**7  # deals that are kept in memory to look for equal ones
_DEALS_AT_A_TIME = 20_000

Array = np.ndarray[Any, np.dtype[Any]]
Progress = Callable[[int, int], None]


def count_outcomes(
    asked: Asked, rounds: int, seed: int, progress: Progress | None = None
) -> Counter[int | None]:
    """How often each outcome came up in the deals of rounds 0 to ``rounds - 1``.

    Args:
        asked: a question whose answer is a chance or a law.
        rounds: deals to look at; of a question about one hand, seat 0's.
        seed: 0 to 2**64 - 1.
        progress: called now and then with the deals looked at and all of them.

    Returns:
        The counts, by the outcomes of `simdom.exact.odds.law_of`.
    """
    counts: Counter[int | None] = Counter()
    look = _LOOKS[asked.question]
    for start in range(0, rounds, _DEALS_AT_A_TIME):
        stop = min(start + _DEALS_AT_A_TIME, rounds)
        values = np.bincount(look(_deal(asked, seed, start, stop), asked))
        counts.update({value: int(count) for value, count in enumerate(values) if count})
        if progress is not None:
            progress(stop, rounds)
    if asked.question == "opening-tile":  # kept as one more than the number, 0 for none
        return Counter(
            {value - 1 if value else None: counts[value] for value in counts if value is not None}
        )
    return counts


def count_alike_deals(
    asked: Asked, rounds: int, seed: int, progress: Progress | None = None
) -> int:
    """How many pairs of the first ``rounds`` deals are equal: each seat has the same hand in both.

    A deal is known by a sum of 64-bit words, one for each tile in each hand; two deals of 1e7 that
    differ are taken for equal less than once in a hundred thousand such runs.

    Args:
        asked: says what is dealt.
        rounds: from 1 to 1e7.
        seed: 0 to 2**64 - 1.
        progress: called now and then with the deals looked at and all of them.

    Raises:
        UsageError: more than 1e7 rounds.
    """
    if rounds > MOST_ALIKE:
        raise UsageError(f"at most {MOST_ALIKE:,} deals can be searched for equal ones")
    tiles = len(tiles_of_set(asked.max_pip))
    seats = asked.players or 1
    words = np.random.default_rng(0).integers(0, 2**64, (tiles, seats), np.uint64, endpoint=False)
    marks = np.empty(rounds, np.uint64)
    for start in range(0, rounds, _DEALS_AT_A_TIME):
        stop = min(start + _DEALS_AT_A_TIME, rounds)
        hands = _deal(asked, seed, start, stop)
        marks[start:stop] = sum(
            words[hands[:, seat], seat].sum(axis=1, dtype=np.uint64) for seat in range(seats)
        )
        if progress is not None:
            progress(stop, rounds)
    often = np.unique(marks, return_counts=True)[1].astype(np.int64)
    return int((often * (often - 1) // 2).sum())


def _deal(asked: Asked, seed: int, start: int, stop: int) -> Array:
    """Hands as they are dealt: ndarray(uint8, shape=(deals, seats, tiles of a hand)), tile ids."""
    seats = asked.players or 1
    decks = list_decks(asked.max_pip, seed, start, stop)
    return decks[:, : seats * asked.hand].reshape(-1, asked.hand, seats).swapaxes(1, 2)


def _tiles(asked: Asked) -> Array:
    return np.array(tiles_of_set(asked.max_pip))


def _doubles(hands: Array, asked: Asked) -> Array:
    """Doubles of each hand: ndarray(int64, shape=(deals, seats))."""
    low, high = _tiles(asked).T
    return np.asarray((low == high)[hands].sum(axis=2))


def _of_number(hands: Array, asked: Asked, number: int) -> Array:
    """Tiles of each hand that show ``number``, as `_doubles`."""
    return np.asarray((_tiles(asked) == number).any(axis=1)[hands].sum(axis=2))


def _no_double(hands: Array, asked: Asked) -> Array:
    return np.asarray((_doubles(hands, asked) == 0).all(axis=1), np.int64)


def _doubles_of_one(hands: Array, asked: Asked) -> Array:
    return _doubles(hands, asked)[:, 0]


def _highest_double(hands: Array, asked: Asked) -> Array:
    low, high = _tiles(asked).T
    return np.asarray(np.where(low == high, high + 1, 0)[hands].max(axis=(1, 2)))


def _number_of_one(hands: Array, asked: Asked) -> Array:
    number = asked.max_pip if asked.number is None else asked.number
    return _of_number(hands, asked, number)[:, 0]


def _missing(hands: Array, asked: Asked) -> Array:
    if asked.number is not None:
        return np.asarray(_number_of_one(hands, asked) == 0, np.int64)
    numbers = range(asked.max_pip + 1)
    return np.asarray(
        sum((_of_number(hands, asked, n)[:, 0] == 0).astype(np.int64) for n in numbers)
    )


def _pips(hands: Array, asked: Asked) -> Array:
    return np.asarray(_tiles(asked).sum(axis=1)[hands[:, 0]].sum(axis=1))


def _misdeal(hands: Array, asked: Asked) -> Array:
    if asked.doubles is not None:
        found = (_doubles(hands, asked) >= asked.doubles).any(axis=1)
    else:
        most = [_of_number(hands, asked, n).max(axis=1) for n in range(asked.max_pip + 1)]
        found = np.max(most, axis=0) >= asked.of_one_number
    return np.asarray(found.astype(np.int64))


_LOOKS: dict[str, Callable[[Array, Asked], Array]] = {
    "no-double": _no_double,
    "doubles": _doubles_of_one,
    "opening-tile": _highest_double,
    "number": _number_of_one,
    "missing": _missing,
    "pips": _pips,
    "misdeal": _misdeal,
}
