"""Exact figures in writing: fractions, decimals, and "1 in ..."."""

from decimal import Decimal
from fractions import Fraction

__all__ = ["chance_in_words", "format_decimal", "format_one_in", "format_short", "is_short"]

_IN_FULL_BELOW = 10**15
_WHOLE_FROM = 1000
_LONGEST = 27  # characters of a fraction that a table has room for
_AT_A_GLANCE = 7  # characters of a fraction that is easier to read than its decimal


def format_decimal(number: Fraction, digits: int = 6) -> str:
    """A number to six digits, of any size.

    >>> format_decimal(Fraction(1, 345)), format_decimal(Fraction(1, 2))
    ('0.00289855', '0.5')
    """
    return f"{Decimal(number.numerator) / Decimal(number.denominator):.{digits}g}"


def format_one_in(chance: Fraction) -> str:
    """A chance as "1 in ...", in full where that is a whole number, else to four digits or more.

    >>> [format_one_in(Fraction(text)) for text in ("1/345", "2279/148005", "0", "1")]
    ['1 in 345', '1 in 64.94', 'never', 'always']
    """
    if chance in {0, 1}:
        return "always" if chance else "never"
    times = 1 / chance
    if times < _IN_FULL_BELOW and (times.denominator == 1 or times >= _WHOLE_FROM):
        return f"1 in {round(times):,}"
    return f"1 in {format_decimal(times, 4)}"


def is_short(number: Fraction) -> bool:
    """Whether a table has room for the fraction."""
    return len(str(number)) <= _LONGEST


def format_short(number: Fraction) -> str:
    """The fraction if it is short enough to be grasped, else its decimal."""
    return str(number) if len(str(number)) <= _AT_A_GLANCE else format_decimal(number)


def chance_in_words(chance: Fraction) -> str:
    """A chance in all three ways; without the fraction if that is long.

    >>> chance_in_words(Fraction(1, 345))
    '1/345, 0.00289855, 1 in 345'
    """
    parts = [str(chance)] if is_short(chance) and chance not in {0, 1} else []
    return ", ".join([*parts, format_decimal(chance), format_one_in(chance)])
