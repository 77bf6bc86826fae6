"""Every error that simdom raises on purpose, and the one way to say "you probably meant ...".

A leaf: it imports nothing of simdom. The command line turns a `SimdomError` into one line and
its ``exit_code``; everything else is a bug and keeps its traceback.
"""

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = [
    "BrokenOffError",
    "ExecutorError",
    "RulesError",
    "RunError",
    "SimdomError",
    "StrategyError",
    "UsageError",
    "brief",
    "check_choice",
]

_LONGEST = 60  # characters of a wrong value that an error repeats


class SimdomError(Exception):
    """Base of all errors of simdom: one line that a person can act on."""

    exit_code = 1


class UsageError(SimdomError):
    """What the caller wrote cannot be used: names the value and what is allowed."""

    exit_code = 2


class RulesError(UsageError):
    """Rules under which no round can be played, with the arithmetic that shows it."""


class RunError(SimdomError):
    """A run that was rightly asked for and failed."""


class BrokenOffError(RunError):
    """A run that something ended before its time.

    ``result`` is that of the rounds that were finished before, or None.
    """

    result: object = None


class StrategyError(BrokenOffError):
    """A strategy of the caller's own that failed, or did what the rules do not allow."""


class ExecutorError(BrokenOffError):
    """Where the rounds were played is no longer there, or cannot play them."""


def brief(value: object) -> str:
    """A wrong value on one short line, for an error.

    >>> brief("1e7"), brief([0] * 99)
    ("'1e7'", '[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0…')
    """
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # Python prints no number of thousands of digits
        return "a number that is far too large"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def check_choice(what: str, value: str, allowed: Iterable[str]) -> str:
    """Return ``value`` if it is one of ``allowed``.

    Raises:
        UsageError: it is not; the line lists what is allowed and offers the nearest spelling.
    """
    names = list(allowed)
    if value in names:
        return value
    value = str(value)  # callers of the library may pass anything
    near = get_close_matches(value.lower().replace("_", "-"), names, n=1, cutoff=0.6)
    near = near or get_close_matches(value.lower().replace("-", "_"), names, n=1, cutoff=0.6)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise UsageError(f"unknown {what} {value!r}: choose from {', '.join(names)}{hint}")
