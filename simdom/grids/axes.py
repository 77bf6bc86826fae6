"""The axes of a grid: what is varied, and the values that it takes.

An axis is a toggle of `Rules` (``players`` is one), ``strategy`` or ``variant``. In one word it is
written ``deal=5,6,7``; numbers may be ranges, ``reserve=0..6`` or ``deal=3..9:2``; seats that play
by different strategies are joined, ``strategy=random,normal+random``.
"""

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from simdom.errors import UsageError, check_choice
from simdom.presets import preset_names, shown
from simdom.rules import TOGGLES, Rules, parse_toggle
from simdom.strategies import Strategy, load_strategy
from simdom.variants import as_variant

__all__ = [
    "AXES",
    "MOST_CELLS",
    "STRATEGY",
    "VARIANT",
    "Axis",
    "Choice",
    "Label",
    "check_size",
    "parse_axis",
    "parse_choice",
    "parse_grid",
]

STRATEGY, VARIANT = "strategy", "variant"
AXES = (*TOGGLES, STRATEGY, VARIANT)
"""All that can be an axis."""

MOST_CELLS = 10_000

Label = int | str
"""A value as tables and files have it."""

_RANGE = re.compile(r"(\d+) *\.\. *(\d+)(?: *: *(\d+))?", re.ASCII)
_MOST_DIGITS = 18  # of a step: no toggle has more
_FEWEST_IN_A_RANGE = 4  # values that a command line writes as a range


class Choice(NamedTuple):
    """One value of an axis.

    Attributes:
        label: see `Label`.
        given: what a run takes for it: a toggle's integer; or a name, a path or an object.
        loaded: the same integer; the `Variant`; or the strategies, one or one a seat.
    """

    label: Label
    given: Any
    loaded: Any


class Axis(NamedTuple):
    """What is varied, and its values in the order in which they were given."""

    name: str
    choices: tuple[Choice, ...]

    @property
    def labels(self) -> tuple[Label, ...]:
        """The values as tables and files have them."""
        return tuple(choice.label for choice in self.choices)

    @property
    def is_numeric(self) -> bool:
        """Whether the values are numbers rather than names."""
        return all(isinstance(label, int) for label in self.labels)

    @property
    def text(self) -> str:
        """The axis in one word, as a command line writes it; a long row of numbers as a range."""
        labels = self.labels
        if self.is_numeric and len(labels) >= _FEWEST_IN_A_RANGE:
            first, second, *_ = map(int, labels)
            last, step = int(labels[-1]), second - first
            if step > 0 and labels == tuple(range(first, last + 1, step)):
                return f"{self.name}={first}..{last}{f':{step}' if step > 1 else ''}"
        return f"{self.name}={','.join(map(str, labels))}"


def parse_grid(items: Iterable[str]) -> dict[str, str]:
    """The values of each axis, unread, from the way that the command line writes them.

    >>> parse_grid(["deal=5,6,7", "reserve=0..6"])
    {'deal': '5,6,7', 'reserve': '0..6'}

    Raises:
        UsageError: no ``=``; an unknown axis; an axis without values; the same axis twice.
    """
    grid: dict[str, str] = {}
    for item in items:
        name, equals, values = (part.strip() for part in item.partition("="))
        if not (name and equals):
            raise UsageError(f"{item!r} is no axis: write NAME=VALUES, such as deal=5,6,7")
        check_choice("axis", name, AXES)
        if not values:
            raise UsageError(f"axis {name} has no values: write {name}=VALUE,VALUE")
        if name in grid:
            raise UsageError(f"axis {name} is given twice, as {grid[name]!r} and as {values!r}")
        grid[name] = values
    return grid


def parse_axis(name: str, values: object) -> Axis:
    """An axis, with its presets loaded.

    Args:
        name: one of `AXES`.
        values: text with commas between the values; or a sequence of values, each as text or as
            what `simdom.simulate.simulate` takes; or a single one.

    Raises:
        UsageError: an unknown axis; no values, or the same twice; a value of the wrong type or out
            of range; a range that is none; a variant or strategy that cannot be loaded.
    """
    check_choice("axis", name, AXES)
    choices: dict[Label, Choice] = {}
    for value in _values(name, values):
        choice = parse_choice(name, value)
        if choice.label in choices:
            raise UsageError(f"axis {name} has {choice.label} twice: give each value once")
        choices[choice.label] = choice
    if not choices:
        raise UsageError(f"axis {name} has no values: give at least one")
    return Axis(name, tuple(choices.values()))


def check_size(axes: Sequence[Axis]) -> int:
    """The number of cells, which are not made for that.

    Raises:
        UsageError: no axis; more than `MOST_CELLS` cells.
    """
    if not axes:
        studies = ", ".join(preset_names("studies"))
        raise UsageError(
            "the grid is empty: give it an axis, such as --grid deal=5,6,7, "
            f"or name a study: {studies}"
        )
    cells = math.prod(len(axis.choices) for axis in axes)
    if cells > MOST_CELLS:
        sides = " × ".join(f"{len(axis.choices)} {axis.name}" for axis in axes)
        raise UsageError(
            f"a grid of {cells:,} cells ({sides}): at most {MOST_CELLS:,} are played; "
            "leave out an axis, or some values"
        )
    return cells


def parse_choice(name: str, value: Any) -> Choice:  # noqa: ANN401 -- what an axis may hold
    """One value: of a toggle; a variant; or a strategy, or one for each seat.

    The strategies of seats are joined by ``+``, or by commas where there is only one value.

    >>> parse_choice("strategy", "normal+random").given
    'normal,random'

    Raises:
        UsageError: not a value of the toggle; a variant or strategy that cannot be loaded.
    """
    if name == STRATEGY:
        return _parse_strategy(value)
    if name == VARIANT:
        given = value.strip() if isinstance(value, str) else value
        variant = as_variant(given)
        return Choice(given if isinstance(given, str) else variant.name, given, variant)
    number, enum = parse_toggle(name, value), TOGGLES[name].enum
    return Choice(number if enum is None else enum(number).name.lower(), number, number)


def _parse_strategy(value: object) -> Choice:
    several = _split_seats(value) if isinstance(value, str) else value
    seats: list[Any] = []
    for seat in several if isinstance(several, Sequence) else [several]:
        if not isinstance(seat, str | Strategy):
            raise UsageError(f"a strategy is a name, a path or a Strategy, not {shown(seat)}")
        seats.append(seat.strip() if isinstance(seat, str) else seat)
    label = "+".join(seat if isinstance(seat, str) else seat.name for seat in seats)
    given = ",".join(seats) if all(isinstance(seat, str) for seat in seats) else seats
    loaded = tuple(load_strategy(seat) if isinstance(seat, str) else seat for seat in seats)
    return Choice(label, given, loaded)


def _split_seats(text: str) -> list[str]:
    """The strategies of seats; a plus in the path of a file that is there parts nothing."""
    return [
        seat
        for part in text.split(",")
        for seat in ([part] if _is_path(part.strip()) else part.split("+"))
    ]


def _is_path(text: str) -> bool:
    """Whether it is the path of a file that is there, rather than names."""
    return (os.sep in text or text.endswith(".toml")) and os.path.isfile(text)  # noqa: PTH113 -- never raises


def _values(name: str, values: object) -> Iterable[object]:
    """The values one by one; ranges of numbers are counted out."""
    if isinstance(values, Mapping):
        raise UsageError(f"axis {name} must be a list of values, not {shown(dict(values))}")
    whole: Iterable[object]
    if isinstance(values, str):
        whole = values.split(",") if values.strip() else ()
    elif isinstance(values, Iterable) and not isinstance(values, Rules):
        whole = values
    else:
        whole = [values]
    counts = name in TOGGLES and TOGGLES[name].enum is None
    for value in whole:
        if isinstance(value, str) and not value.strip():
            raise UsageError(f"axis {name} has an empty value in {shown(values)}")
        if counts and isinstance(value, str) and ".." in value:
            yield from _range(name, value.strip())
        else:
            yield value


def _range(name: str, text: str) -> range:
    match = _RANGE.fullmatch(text)
    if match is None:
        raise UsageError(
            f"{text!r} is no range of {name}: write FIRST..LAST or FIRST..LAST:STEP, such as 5..9"
        )
    first, last = (parse_toggle(name, end) for end in match.group(1, 2))
    if first > last:
        raise UsageError(f"the range {text} of {name} runs backwards: write {last}..{first}")
    step = int((match[3] or "1")[:_MOST_DIGITS])
    if not step:
        raise UsageError(f"the range {text} of {name} has a step of 0: write 1 or more")
    return range(first, last + 1, step)
