"""Asking a function from outside the engine for a placement.

The engine writes what the seat may know into a flat array of int64 and calls a C function with its
address; the answer is the number of a placement. `simdom.hooks` makes such functions, and the view
of people's own words, from either side of the call.
"""

import ctypes
from typing import Any

import numpy as np

from simdom.engine.hands import hand_size, row_of
from simdom.engine.streams import U64, call_at, compiled, compiled_apart, mix
from simdom.rules import Rules

__all__ = ["FAILED", "SEAT", "SIGNATURE", "ask_for_placement", "new_view", "view_size"]

SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
"""(address of the view, its size) -> number of a placement."""

(
    SEAT,
    PLAYERS,
    MAX_PIP,
    END_0,
    END_1,
    BONEYARD,
    DRAWABLE,
    CHANCE,
    PLACEMENTS,
    HAND,
    LINE,
    ANSWER,
    FAILED,
) = range(13)
"""Where each number of the view stands. `CHANCE` has 53 random bits; `PLACEMENTS`, `HAND` and
`LINE` count; `ANSWER` is the last answer, and `FAILED` is 1 after one that is no placement."""
LISTS = 13
"""From here on: hand sizes and what each seat lacks, (players) each; placements as (low, high,
end), tiles of the hand and of the line as (low, high)."""

_0, _1, _11 = U64(0), U64(1), U64(11)


def view_size(players: int, tiles: int) -> int:
    """Room for every list at its longest."""
    return LISTS + 2 * players + 3 * 2 * tiles + 4 * tiles


def new_view(rules: Rules) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Memory for one thread."""
    return np.zeros(view_size(rules.players, rules.tiles), np.int64)


@compiled_apart
def ask_for_placement(
    table: Any, rules: Any, mind: Any, position: Any, count: Any, counter: Any
) -> Any:
    """The number of the placement, of ``count`` in ``mind``, that the seat's function answers.

    After an answer that is no placement it is not asked again, and the view stays as it was: 0.
    """
    view = mind.told
    if view[FAILED] != 0:
        return 0
    seat = np.int64(position.seat)
    is_lead = position.plays == 0
    view[SEAT] = seat
    view[PLAYERS] = rules.players
    view[MAX_PIP] = rules.max_pip
    view[END_0] = -1 if is_lead else np.int64(position.end_0)
    view[END_1] = -1 if is_lead else np.int64(position.end_1)
    view[DRAWABLE] = position.drawable
    view[CHANCE] = np.int64(mix(counter) >> _11)
    at = LISTS
    undealt = (rules.max_pip + 1) * (rules.max_pip + 2) // 2 - position.plays
    for owner in range(rules.players):
        view[at + owner] = np.int64(hand_size(table.hands, U64(owner)))
        undealt -= view[at + owner]
        view[at + rules.players + owner] = np.int64(table.voids[owner])
    view[BONEYARD] = undealt
    at += 2 * rules.players
    view[PLACEMENTS] = count
    for n in range(count):
        fits, other = np.int64(mind.fits[n]), np.int64(mind.other[n])
        view[at] = min(fits, other)
        view[at + 1] = max(fits, other)
        view[at + 2] = -1 if is_lead else np.int64(mind.on_end_1[n])
        at += 3
    view[HAND], at = list_hand(view, at, table.hands, position.seat, rules.max_pip)
    view[LINE], at = list_hand(view, at, table.hands, U64(rules.players), rules.max_pip)
    answer = call_at(mind.asks[seat], mind.told_at[0], np.int64(at))
    view[ANSWER] = answer
    if answer < 0 or answer >= count:
        view[FAILED] = 1
        return 0
    return answer


@compiled
def list_hand(view: Any, at: Any, hands: Any, owner: Any, max_pip: Any) -> Any:
    """Write the owner's tiles, low and high, from ``at`` on; (how many, the place after them)."""
    count = 0
    for high in range(max_pip + 1):
        row = row_of(hands, owner, U64(high))
        for low in range(high + 1):
            if (row >> U64(low)) & _1:
                view[at] = low
                view[at + 1] = high
                at += 2
                count += 1
    return count, at
