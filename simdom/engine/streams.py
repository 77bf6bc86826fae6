"""Randomness by counting: any word of any round's stream can be had without the words before it.

SplitMix64's finaliser turns a counter into a word (Steele, Lea and Flood, "Fast splittable
pseudorandom number generators", OOPSLA 2014). A round has two streams. The *shuffle* stream
orders the deck, whatever the rules; the *choice* stream decides, turn by turn, where a strategy
is indifferent. All arithmetic is modulo 2**64.
"""

import ctypes
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

__all__ = [
    "CHOICE",
    "SHUFFLE",
    "call_at",
    "compiled",
    "compiled_apart",
    "compiled_for_all",
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
_LEAN: Any = {"_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A step of the engine: compiled into its callers, plain Python when the JIT is off.

    The engine allocates nothing, so it is compiled without numba's memory manager: counting
    references to arrays, atomically and at each look into a tuple, would halve its speed.
    Only compiled code may call it: what lets Python do so takes as long to compile as the step.
    """
    return _for_compiled_code(_njit(nogil=True, forceinline=True, **_LEAN)(function))


def compiled_apart(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `compiled`, but not copied into its callers, for it is large."""
    return _for_compiled_code(_njit(nogil=True, forceinline=False, **_LEAN)(function))


def compiled_for_all(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `compiled`, and Python may call it too."""
    step: Callable[..., Any] = _njit(nogil=True, forceinline=True, _nrt=False)(function)
    return step


def _for_compiled_code(step: Any) -> Callable[..., Any]:
    """Let a call from Python raise TypeError, where it would follow a pointer to nothing."""

    def refuse(*_: object) -> None:
        raise TypeError(f"only compiled code may call {step.__name__}")

    if not _config.DISABLE_JIT:
        # Calls from Python look for compiled code here, and then compile it there.
        step._insert = lambda *_: None  # noqa: SLF001 -- numba has no word for this
        step._compile_for_args = refuse  # noqa: SLF001 -- as above
    called: Callable[..., Any] = step
    return called


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


if _config.DISABLE_JIT:
    _ASKED = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)

    def call_at(address: Any, view_at: Any, size: Any) -> Any:
        """What the C function at ``address`` answers for (view_at, size); all are int64."""
        return _ASKED(int(address))(int(view_at), int(size))

else:

    @intrinsic
    def call_at(typing_context: Any, address: Any, view_at: Any, size: Any) -> Any:  # noqa: ARG001
        """What the C function at ``address`` answers for (view_at, size); all are int64."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word, word])
            return builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])

        return types.int64(types.int64, types.int64, types.int64), generate


_MULTIPLIER_1 = U64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = U64(0x94D049BB133111EB)
_1, _2, _4, _8, _27, _30, _31, _56 = (U64(n) for n in (1, 2, 4, 8, 27, 30, 31, 56))
_PAIRS = U64(0x3333333333333333)
_ODD_BITS = U64(0x5555555555555555)
_NIBBLES = U64(0x0F0F0F0F0F0F0F0F)
_BYTES = U64(0x0101010101010101)


@compiled_for_all
def mix(z: Any) -> Any:
    """SplitMix64's finaliser: a bijection of uint64 that scatters its input."""
    z = (z ^ (z >> _30)) * _MULTIPLIER_1
    z = (z ^ (z >> _27)) * _MULTIPLIER_2
    return z ^ (z >> _31)


@compiled_for_all
def stream_key(seed: Any, stream: Any, index: Any) -> Any:
    """The uint64 that numbers one stream of round ``index`` under ``seed``, all of them uint64."""
    return mix(mix(mix(seed + GOLDEN) ^ stream) + (index + _1) * GOLDEN)


@compiled_for_all
def word_at(key: Any, position: Any) -> Any:
    """Word number ``position`` (uint64, from 0) of the stream with this key."""
    return mix(key + (position + _1) * GOLDEN)


@compiled_for_all
def fraction_of(word: Any) -> Any:
    """The 56 random bits of a word from which `draw_below` draws."""
    return word >> _8


@compiled_for_all
def draw_below(fraction: Any, n: Any) -> Any:
    """A uint64 from 0 to ``n - 1``, for ``n`` below 256.

    `fraction_after` is what is left of the fraction for a further draw. Draws from the same word
    with bounds n1, n2, ... have each outcome's probability right to within n1*n2*.../2**56 of it.
    """
    return (fraction * n) >> FRACTION_BITS


@compiled_for_all
def fraction_after(fraction: Any, n: Any) -> Any:
    """The fraction that `draw_below` leaves when it draws below ``n``."""
    return (fraction * n) & FRACTION_MASK


@compiled_for_all
def popcount(x: Any) -> Any:
    """Number of set bits of a uint64, as uint64. The compiler knows this form: one instruction."""
    x = x - ((x >> _1) & _ODD_BITS)
    x = (x & _PAIRS) + ((x >> _2) & _PAIRS)
    x = (x + (x >> _4)) & _NIBBLES
    return (x * _BYTES) >> _56
