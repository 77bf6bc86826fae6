"""Randomness by counting: any word of any round's stream can be had without the words before it.

SplitMix64's finaliser turns a counter into a word (Steele, Lea and Flood, "Fast splittable
pseudorandom number generators", OOPSLA 2014). A round has two streams. The *shuffle* stream
orders the deck, whatever the rules; the *choice* stream decides, turn by turn, where a strategy
is indifferent. All arithmetic is modulo 2**64.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

import numba
import numpy as np

__all__ = [
    "CHOICE",
    "SHUFFLE",
    "compiled",
    "draw_below",
    "entry_point",
    "fraction_after",
    "fraction_of",
    "mix",
    "popcount",
    "stream_key",
    "word_at",
]

U64 = np.uint64

GOLDEN = U64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio: the step from word to word
FRACTION_BITS = U64(56)
FRACTION_MASK = U64((1 << 56) - 1)

SHUFFLE = U64(0)
CHOICE = U64(1)


_njit: Any = numba.njit  # numba's own types leave out _nrt, and what it reads from the environment
_config: Any = numba.config


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A step of the engine: compiled into its callers, plain Python when the JIT is off.

    The engine allocates nothing, so it is compiled without numba's memory manager: counting
    references to arrays, atomically and at each look into a tuple, would halve its speed.
    """
    step: Callable[..., Any] = _njit(nogil=True, forceinline=True, _nrt=False)(function)
    return step


def entry_point(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the engine that Python calls: compiled once, and kept on disk if that works."""
    if _config.DISABLE_JIT:
        return function
    unkept: Callable[..., Callable[..., Any]] = _njit(nogil=True, _nrt=False)
    try:
        kept: Any = _njit(nogil=True, cache=True, _nrt=False)(function)
    except RuntimeError:  # numba has no folder that it may write to
        return unkept(function)

    @wraps(function)
    def call(*arguments: Any) -> Any:
        try:
            return kept(*arguments)
        except Exception:  # noqa: BLE001 -- the engine raises nothing, so it was the disk
            with suppress(Exception):
                kept._cache.flush()  # noqa: SLF001 -- a torn file would fail every time
        try:
            return kept(*arguments)
        except Exception:  # noqa: BLE001 -- as above; what is wrong with the code itself shows next
            return unkept(function)(*arguments)

    return call


_MULTIPLIER_1 = U64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = U64(0x94D049BB133111EB)
_1, _2, _4, _8, _27, _30, _31, _56 = (U64(n) for n in (1, 2, 4, 8, 27, 30, 31, 56))
_PAIRS = U64(0x3333333333333333)
_ODD_BITS = U64(0x5555555555555555)
_NIBBLES = U64(0x0F0F0F0F0F0F0F0F)
_BYTES = U64(0x0101010101010101)


@compiled
def mix(z: Any) -> Any:
    """SplitMix64's finaliser: a bijection of uint64 that scatters its input."""
    z = (z ^ (z >> _30)) * _MULTIPLIER_1
    z = (z ^ (z >> _27)) * _MULTIPLIER_2
    return z ^ (z >> _31)


@compiled
def stream_key(seed: Any, stream: Any, index: Any) -> Any:
    """The uint64 that numbers one stream of round ``index`` under ``seed``, all of them uint64."""
    return mix(mix(mix(seed + GOLDEN) ^ stream) + (index + _1) * GOLDEN)


@compiled
def word_at(key: Any, position: Any) -> Any:
    """Word number ``position`` (uint64, from 0) of the stream with this key."""
    return mix(key + (position + _1) * GOLDEN)


@compiled
def fraction_of(word: Any) -> Any:
    """The 56 random bits of a word from which `draw_below` draws."""
    return word >> _8


@compiled
def draw_below(fraction: Any, n: Any) -> Any:
    """A uint64 from 0 to ``n - 1``, for ``n`` below 256.

    `fraction_after` is what is left of the fraction for a further draw. Draws from the same word
    with bounds n1, n2, ... have each outcome's probability right to within n1*n2*.../2**56 of it.
    """
    return (fraction * n) >> FRACTION_BITS


@compiled
def fraction_after(fraction: Any, n: Any) -> Any:
    """The fraction that `draw_below` leaves when it draws below ``n``."""
    return (fraction * n) & FRACTION_MASK


@compiled
def popcount(x: Any) -> Any:
    """Number of set bits of a uint64, as uint64. The compiler knows this form: one instruction."""
    x = x - ((x >> _1) & _ODD_BITS)
    x = (x & _PAIRS) + ((x >> _2) & _PAIRS)
    x = (x + (x >> _4)) & _NIBBLES
    return (x * _BYTES) >> _56
