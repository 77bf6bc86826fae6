"""Whole numbers: how people write them, and how simdom writes them back."""

import math
import re
from decimal import Decimal
from numbers import Integral, Real

from simdom.errors import UsageError, brief

__all__ = ["MOST_ROUNDS", "check_whole", "format_count", "parse_count"]

MOST_ROUNDS = 10**13
_COUNT = re.compile(r"\d+(_\d+)*(\.\d+)?(e\+?\d{1,3}|[km])?", re.IGNORECASE | re.ASCII)
_GROUPED = re.compile(r"[1-9]\d{0,2}(,\d{3})+", re.ASCII)
_SUFFIXES = {"k": 10**3, "m": 10**6}


def check_whole(name: str, number: object, least: int, most: int) -> int:
    """``number`` as an int; ``1e7`` is one too.

    Raises:
        UsageError: it is not a whole number from ``least`` to ``most``.
    """
    if isinstance(number, bool) or not isinstance(number, Real):
        raise UsageError(f"{name} must be a whole number, not {brief(number)}")
    try:
        value = int(number) if isinstance(number, Integral) else float(number)
    except OverflowError:
        value = math.inf
    if least <= value <= most and value == int(value):
        return int(value)
    raise UsageError(f"{name} must be a whole number from {least} to {most:,}, not {brief(number)}")


def parse_count(text: str) -> int:
    """A number of rounds, from the ways that people write it.

    >>> [parse_count(text) for text in ("1e7", "10_000_000", "10,000,000", "10M", "2.5k")]
    [10000000, 10000000, 10000000, 10000000, 2500]

    Raises:
        UsageError: it is not a number; not whole; not from 1 to 1e13.
    """
    text = text.strip()
    count = Decimal(0)
    if _GROUPED.fullmatch(text):
        count = Decimal(text.replace(",", ""))
    elif _COUNT.fullmatch(text):
        suffix = _SUFFIXES.get(text[-1].lower(), 1)
        count = Decimal(text.rstrip("kKmM")) * suffix
    if not 1 <= count <= MOST_ROUNDS or count % 1:
        raise UsageError(
            f"{brief(text)} is not a number of rounds: write a whole number from 1 to 1e13, "
            "such as 1e7, 10,000,000, 10M or 5k"
        )
    return int(count)


def format_count(count: int) -> str:
    """The shortest way to write ``count`` that `parse_count` reads back.

    >>> format_count(10_000_000), format_count(2_500_000), format_count(1234)
    ('1e7', '2.5e6', '1234')
    """
    digits = str(count).rstrip("0")
    exponent = len(str(count)) - 1
    mantissa = digits[0] + (f".{digits[1:]}" if digits[1:] else "")
    return min(str(count), f"{mantissa}e{exponent}", key=len)
