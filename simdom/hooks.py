"""Strategies that are Python functions, for what weights cannot express.

>>> import simdom
>>> @simdom.strategy
... def greedy(view):
...     pips = view.placements[:, 0] + view.placements[:, 1]
...     return int(pips.argmax())
>>> simdom.simulate("pagat-block", 100, strategy=[greedy, "random"], seed=1).rounds
100

The function is given a `View`: what its seat may know, and nothing else. It answers with the number
of a placement, its row in ``view.placements``. It must be a function of the view alone, for then a
round can be repeated and no number of threads changes a figure; ``view.chance`` is its luck.

The engine calls the function for each decision of its seat, so it plays some ten thousand decisions
a second. With ``compiled=True`` numba compiles it too, and it plays hundreds of times as fast, if
it keeps to what numba knows: numbers, loops and numpy's arrays.
"""

import ctypes
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from textwrap import shorten
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, overload

import numpy as np

from simdom.engine import ask
from simdom.errors import StrategyError, UsageError, brief
from simdom.strategies import FEATURES, Strategy, check_strategy
from simdom.tiles import tile_id, tile_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["View", "strategy"]

_UNIT = 2.0**-53
_WORD = 2**63
_LONGEST = 200  # characters of what a function says when it fails


class View(NamedTuple):
    """What a seat knows when it chooses a placement.

    Attributes:
        seat: its own number.
        players: seats at the table, which take turns in the order 0, 1, ..., 0.
        max_pip: highest number of the set.
        end_0, end_1: the open ends; -1 before the lead.
        placements: ndarray(int64, shape=(n, 3)), what it may do, a row each: the tile's lower and
            higher number, and the end, 0 or 1, that it is placed on; -1 for a lead.
        hand: ndarray(int64, shape=(tiles, 2)), its own tiles.
        line: ndarray(int64, shape=(tiles, 2)), the tiles on the line, in the order of tile ids.
        hand_sizes: ndarray(int64, shape=(players,)), tiles in each hand.
        lacks: ndarray(int64, shape=(players,)), the numbers that each seat has shown to lack, as
            bits: ``view.lacks[1] >> 6 & 1`` is 1 if seat 1 certainly has no six. Its own are those
            from before a tile that it has just drawn, and may play.
        boneyard: tiles in it, those included that are never drawn.
        drawable: those that may still be drawn.
        chance: a number from 0 to 1, another one each time, for choosing at random.
    """

    seat: int
    players: int
    max_pip: int
    end_0: int
    end_1: int
    placements: "NDArray[np.int64]"
    hand: "NDArray[np.int64]"
    line: "NDArray[np.int64]"
    hand_sizes: "NDArray[np.int64]"
    lacks: "NDArray[np.int64]"
    boneyard: int
    drawable: int
    chance: float

    def __str__(self) -> str:
        """The view in words, on one line."""
        ends = "before the lead" if self.end_0 < 0 else f"ends {self.end_0} and {self.end_1}"
        choices = ", ".join(
            tile_name(tile_id(low, high)) + ("" if end < 0 else f" on {self[3 + end]}")
            for low, high, end in self.placements.tolist()
        )
        hand = " ".join(tile_name(tile_id(low, high)) for low, high in self.hand.tolist())
        return f"seat {self.seat}, {ends}, holds {hand}, may play {choices}"


def view_of(flat: "NDArray[np.int64]") -> View:
    """The view that the engine has written; numba compiles this too."""
    players = flat[ask.PLAYERS]
    at = ask.LISTS + 2 * players
    after_placements = at + 3 * flat[ask.PLACEMENTS]
    after_hand = after_placements + 2 * flat[ask.HAND]
    after_line = after_hand + 2 * flat[ask.LINE]
    return View(
        flat[ask.SEAT],
        players,
        flat[ask.MAX_PIP],
        flat[ask.END_0],
        flat[ask.END_1],
        flat[at:after_placements].reshape(-1, 3),
        flat[after_placements:after_hand].reshape(-1, 2),
        flat[after_hand:after_line].reshape(-1, 2),
        flat[ask.LISTS : ask.LISTS + players],
        flat[ask.LISTS + players : at],
        flat[ask.BONEYARD],
        flat[ask.DRAWABLE],
        flat[ask.CHANCE] * _UNIT,
    )


@dataclass(frozen=True, eq=False)
class Hook:
    """A function as the engine calls it.

    Attributes:
        name: of the function, with its module.
        address: of the C function around it.
        callback: that function, which lives as long as this does.
        errors: what the function raised, by the address of the view.
    """

    name: str
    address: int
    callback: Any
    errors: dict[int, BaseException] = field(default_factory=dict)

    def __reduce__(self) -> NoReturn:
        """Refuse to be sent to another process, where the address would lead nowhere."""
        raise UsageError(
            f"strategy {self.name} is a Python function of this process, which cannot be sent to "
            "others: play it on threads"
        )

    def failure(self, flat: "NDArray[np.int64]") -> BaseException:
        """What to raise for an answer that is no placement; ``flat`` is the view it was given."""
        error = self.errors.pop(flat.ctypes.data, None)
        if error is not None and not isinstance(error, Exception):
            return error  # Ctrl-C
        view = view_of(flat)
        if error is not None:
            what = f"failed with {_in_a_line(error)}"
        else:
            last = len(view.placements) - 1
            what = f"answered {flat[ask.ANSWER]}, which is no placement: 0 to {last} are"
        failure = StrategyError(f"strategy {self.name} {what}; it saw: {view}")
        failure.__cause__ = error
        return failure


@overload
def strategy(function: Callable[[View], int], /) -> Strategy: ...
@overload
def strategy(
    *, name: str | None = None, title: str = "", compiled: bool = False
) -> Callable[[Callable[[View], int]], Strategy]: ...
def strategy(
    function: Callable[[View], int] | None = None,
    /,
    *,
    name: str | None = None,
    title: str = "",
    compiled: bool = False,
) -> Strategy | Callable[[Callable[[View], int]], Strategy]:
    """Make a strategy of a function; used above its definition, as ``@simdom.strategy``.

    Args:
        function: takes a `View`, and returns the number of a row of its ``placements``.
        name: of the strategy; None takes the function's.
        title: a few words.
        compiled: whether numba compiles it.

    Returns:
        The strategy, for whatever takes one.

    Raises:
        UsageError: it is no function; it was to be compiled, and numba cannot.
    """
    if function is None:
        return lambda given: _strategy_of(given, name, title, compiled=compiled)
    return _strategy_of(function, name, title, compiled=compiled)


def _strategy_of(
    function: Callable[[View], int], name: str | None, title: str, *, compiled: bool
) -> Strategy:
    if not callable(function):
        raise UsageError(f"a strategy is made of a function, not of {brief(function)}")
    own = getattr(function, "__name__", type(function).__name__)
    hook = _compiled_hook(function, own) if compiled else _plain_hook(function, own)
    return check_strategy(
        Strategy(
            name=own if name is None else name,
            title=title or ((function.__doc__ or "").strip() or "A function").splitlines()[0],
            description="A Python function.",
            weights=(0.0,) * len(FEATURES),
            hook=hook,
        )
    )


def _in_a_line(error: Exception) -> str:
    """What was raised, and the first line of what it says."""
    says = str(error).strip().splitlines()
    kind = type(error).__name__
    return f"{kind}: {shorten(says[0], _LONGEST, placeholder=' …')}" if says else kind


def _plain_hook(function: Callable[[View], int], name: str) -> Hook:
    errors: dict[int, BaseException] = {}

    def answer(view_at: int, size: int) -> int:
        try:
            memory = (ctypes.c_int64 * size).from_address(view_at)
            return _number(function(view_of(np.array(memory, np.int64))))
        except BaseException as error:  # noqa: BLE001 -- it cannot pass through the engine
            errors[view_at] = error
            return -1

    callback = ask.SIGNATURE(answer)
    address = ctypes.cast(callback, ctypes.c_void_p).value or 0
    return Hook(name, address, callback, errors)


def _number(answer: Any) -> int:  # noqa: ANN401 -- whatever a function returns
    number = operator.index(answer)
    if abs(number) >= _WORD:  # the engine would see the end of it only
        raise OverflowError(f"{brief(number)} is no placement")
    return number


def _compiled_hook(function: Callable[[View], int], name: str) -> Hook:
    numba: Any = import_module("numba")  # it has no types
    if numba.config.DISABLE_JIT:
        return _plain_hook(function, name)
    # Without checks, an index that is too large would read whatever lies there.
    inner, read = numba.njit(function, boundscheck=True), numba.njit(view_of)
    word = numba.types.int64
    signature = word(numba.types.CPointer(word), word)

    def answer(view_at: Any, size: Any) -> Any:  # noqa: ANN401 -- numba's own
        try:
            return inner(read(numba.carray(view_at, (size,))))
        except Exception:  # noqa: BLE001 -- it would be printed, and taken for the answer 0
            return -1

    try:
        callback = numba.cfunc(signature)(answer)
    except numba.core.errors.NumbaError as error:
        reason = str(error).strip().splitlines()[0]
        raise UsageError(f"{name} cannot be compiled, leave out compiled=True: {reason}") from error
    answers = {signature.return_type for signature in inner.nopython_signatures}
    if not all(isinstance(kind, numba.types.Integer | numba.types.Boolean) for kind in answers):
        # It would be cut to a whole number, where Python refuses it.
        found = ", ".join(map(str, answers))
        raise UsageError(f"{name} must answer with a whole number, not with {found}: use int()")
    return Hook(name, callback.address, callback)
