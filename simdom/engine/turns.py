"""Turn by turn: what a seat does with what it holds, until the round is over."""

from typing import Any, NamedTuple

import numpy as np

from simdom.engine.choose import choose_placement
from simdom.engine.hands import is_empty, tile_number, toggle_tile
from simdom.engine.known import show_lots, show_placement, show_void
from simdom.engine.line import draw_for_turn, nth_placement, rows_that_fit
from simdom.engine.scoring import NO_NUMBER, SEAT, note_last
from simdom.engine.streams import GOLDEN, U64, compiled, mix
from simdom.rules import Boneyard

__all__ = ["MOVE_FIELDS", "Position", "lead_tile", "take_turns"]

BLOCK = int(Boneyard.BLOCK)
DRAW = int(Boneyard.DRAW)
DRAW_ONE_PASS = int(Boneyard.DRAW_ONE_PASS)

MOVE_FIELDS = ("seat", "drawn", "tile", "end", "end_0", "end_1")
"""A recorded turn: tile and end are -1 for a pass, and the end is -1 for a lead."""

_0, _1 = U64(0), U64(1)


class Position(NamedTuple):
    """A round between two turns, but for the tiles.

    Attributes:
        seat: that had the last turn, uint64.
        end_0, end_1: the open ends, uint64.
        plays, draws, passes: so far, int64 as are
        drawable: tiles that may still be drawn;
        closing: passes in a row that count towards a block;
        over: whether nobody has another turn.
    """

    seat: Any
    end_0: Any
    end_1: Any
    plays: Any
    draws: Any
    passes: Any
    drawable: Any
    closing: Any
    over: Any


@compiled
def lead_tile(
    table: Any, rules: Any, choosers: Any, mind: Any, opener: Any, low: Any, high: Any, moves: Any
) -> Any:
    """Lead the tile low-high from the opener's hand. The table is modified in place.

    Returns:
        (whether the next seat holds nothing that fits, the `Position`).
    """
    hands = table.hands
    players = U64(rules.players)
    seat = U64(opener)
    toggle_tile(hands, seat, low, high)
    note_last(table.last, opener, low, high, NO_NUMBER)
    if choosers is not None:
        toggle_tile(hands, players, low, high)
    if mind is not None:
        show_placement(mind.shown, seat, low, high)
    if moves is not None:
        record_turn(moves, 0, opener, 0, np.int64(tile_number(low, high)), -1, low, high)
    drawable = 0
    if rules.boneyard != BLOCK:
        tiles = (rules.max_pip + 1) * (rules.max_pip + 2) // 2
        drawable = tiles - rules.players * rules.deal - rules.reserve
    row_0, row_1 = rows_that_fit(hands, seat + _1 if seat + _1 < players else _0, low, high)
    stuck = (row_0 | row_1) == _0
    return stuck, Position(seat, low, high, 1, 0, 0, drawable, 0, is_empty(hands, seat))


@compiled
def take_turns(
    table: Any,
    rules: Any,
    choosers: Any,
    mind: Any,
    think: Any,
    position: Any,
    shuffle: Any,
    counter: Any,
    moves: Any,
) -> Any:
    """Take turns until the round is over. The table is modified in place.

    Args:
        table: a `Table`.
        rules: `Rules` of plain integers.
        choosers: `Choosers`, or None for uniform play by all seats.
        mind: `Mind`, or None if no seat samples.
        think: how a seat chooses that samples; as `simdom.engine.think.think`.
        position: where the round stands.
        shuffle: what settles the boneyard.
        counter: of the last turn, uint64; each turn is `GOLDEN` further.
        moves: None, or as in `simdom.engine.playout.play_round`.

    Returns:
        The `Position` at the end.
    """
    hands = table.hands
    players = U64(rules.players)
    line = players
    boneyard = rules.players * rules.deal  # its place in the deck
    next_seat, end_0, end_1, plays, draws, passes, drawable, closing, over = position
    seat = next_seat
    next_seat = seat + _1 if seat + _1 < players else _0
    while not over:
        seat = next_seat
        next_seat = seat + _1 if seat + _1 < players else _0
        counter += GOLDEN
        drawn = 0
        row_0, row_1 = rows_that_fit(hands, seat, end_0, end_1)
        if row_0 | row_1 == _0:
            fits = False
            if drawable > 0:
                drawn, fits, shuffle = draw_for_turn(
                    table,
                    seat,
                    end_0,
                    end_1,
                    U64(boneyard + draws),
                    drawable,
                    shuffle,
                    rules.boneyard == DRAW,
                )
                draws += drawn
                drawable -= drawn
            plays_it = fits and rules.boneyard != DRAW_ONE_PASS
            if choosers is not None:
                numbers = (_1 << end_0) | (_1 << end_1)
                kept = drawn - plays_it
                show_void(table.voids, seat, numbers, kept, rules.boneyard)
                if mind is not None:
                    show_lots(mind.shown, seat, numbers, kept, rules.boneyard)
            if not plays_it:
                passes += 1
                closing += drawable == 0 and not fits
                over = closing == rules.players
                if moves is not None:
                    record_turn(moves, plays + passes - 1, seat, drawn, -1, -1, end_0, end_1)
                continue
            row_0, row_1 = rows_that_fit(hands, seat, end_0, end_1)
        if choosers is None:
            on_end_1, other = nth_placement(hands, row_0, row_1, mix(counter))
        else:
            if mind is None or not mind.thinks[seat]:
                on_end_1, other = choose_placement(
                    table, seat, row_0, row_1, end_0, end_1, counter, choosers
                )
            if mind is not None and mind.thinks[seat]:
                here = Position(seat, end_0, end_1, plays, draws, passes, drawable, closing, over)
                on_end_1, _, other = think(table, rules, choosers, mind, here, counter)
        fitted = end_1 if on_end_1 else end_0
        toggle_tile(hands, seat, fitted, other)
        if choosers is not None:
            toggle_tile(hands, line, fitted, other)
        if mind is not None and drawn == 0:
            show_placement(mind.shown, seat, min(fitted, other), max(fitted, other))
        if on_end_1:
            end_1 = other
        else:
            end_0 = other
        if rules.pass_round_points > 0 and closing == rules.players - 1:
            table.pass_rounds[seat] += table.last[SEAT] == np.int64(seat)
        plays += 1
        closing = 0
        over = is_empty(hands, seat)
        table.last[SEAT] = seat
        if over:
            note_last(table.last, seat, fitted, other, end_0 if on_end_1 else end_1)
        if moves is not None:
            tile = np.int64(tile_number(min(fitted, other), max(fitted, other)))
            record_turn(moves, plays + passes - 1, seat, drawn, tile, on_end_1, end_0, end_1)
    return Position(seat, end_0, end_1, plays, draws, passes, drawable, closing, over)


@compiled
def record_turn(
    moves: Any, turn: Any, seat: Any, drawn: Any, tile: Any, end: Any, end_0: Any, end_1: Any
) -> None:
    """Write one turn, and after it the row that ends the record. Modified in place."""
    moves[turn, 0] = seat
    moves[turn, 1] = drawn
    moves[turn, 2] = tile
    moves[turn, 3] = end
    moves[turn, 4] = end_0
    moves[turn, 5] = end_1
    moves[turn + 1, 0] = -1
