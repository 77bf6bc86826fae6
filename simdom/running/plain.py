"""Tallies as plain values that JSON can hold, and back; nothing but whole numbers is in them."""

from collections import Counter
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

import numpy as np

from simdom.errors import UsageError

__all__ = ["from_plain", "to_plain"]

T = TypeVar("T")

_LEAST, _MOST = -(2**63), 2**63 - 1


def to_plain(value: Any) -> Any:  # noqa: ANN401 -- whatever a tally consists of
    """A tally as numbers, lists and dictionaries.

    Args:
        value: a whole number, an array of them, a `Counter`, or a list, named tuple or data class
            of such.
    """
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Counter):
        return [[int(key), int(count)] for key, count in sorted(value.items())]
    if isinstance(value, list):
        return [to_plain(each) for each in value]
    parts = _parts(value)
    if parts is None:
        return int(value)
    return {name: to_plain(each) for name, each in parts.items()}


def from_plain(like: T, plain: Any) -> T:  # noqa: ANN401 -- as JSON gives it
    """The tally that `to_plain` made ``plain`` of.

    Args:
        like: a tally of the same kind, such as one of nothing, whose shapes it must have.
        plain: what was read.

    Raises:
        UsageError: it has not the parts, shapes or whole numbers of such a tally.
    """
    found: Any
    if isinstance(like, np.ndarray):
        found = _array(like, plain)
    elif isinstance(like, Counter):
        found = Counter(dict(_pairs(plain)))
    elif isinstance(like, list):
        if not isinstance(plain, list) or len(plain) != len(like):
            raise _misfit()
        found = [from_plain(a, b) for a, b in zip(like, plain, strict=True)]
    else:
        found = _record(like, plain)
    return found  # type: ignore[no-any-return]


def _record(like: Any, plain: Any) -> Any:  # noqa: ANN401 -- as above
    parts = _parts(like)
    if parts is None:
        return _whole(plain)
    if not isinstance(plain, dict) or plain.keys() != parts.keys():
        raise _misfit()
    read = {name: from_plain(each, plain[name]) for name, each in parts.items()}
    return type(like)(**read)


def _parts(value: Any) -> dict[str, Any] | None:  # noqa: ANN401 -- as above
    """The fields of a named tuple or data class; None of anything else."""
    if isinstance(value, tuple):
        return value._asdict()  # type: ignore[attr-defined, no-any-return]
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return None


def _array(like: "np.ndarray[Any, Any]", plain: object) -> "np.ndarray[Any, Any]":
    flat = _flatten(plain, like.shape)
    if like.dtype != object and not all(_LEAST <= number <= _MOST for number in flat):
        raise _misfit()
    return np.array(flat, dtype=like.dtype).reshape(like.shape)


def _flatten(plain: object, shape: tuple[int, ...]) -> list[int]:
    if not shape:
        return [_whole(plain)]
    if not isinstance(plain, list) or len(plain) != shape[0]:
        raise _misfit()
    return [number for each in plain for number in _flatten(each, shape[1:])]


def _pairs(plain: object) -> list[tuple[int, int]]:
    if not isinstance(plain, list):
        raise _misfit()
    pairs = [_flatten(pair, (2,)) for pair in plain]
    return [(key, count) for key, count in pairs]


def _whole(plain: object) -> int:
    if isinstance(plain, bool) or not isinstance(plain, int):
        raise _misfit()
    return plain


def _misfit() -> UsageError:
    return UsageError("its sums do not fit what it says that it holds")
