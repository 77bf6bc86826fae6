"""One round, from the deal to its end, as a pure function of (rules, strategies, seed, index)."""

from typing import Any

import numpy as np

from simdom.engine.choose import choose_lead, choose_placement
from simdom.engine.deal import HEAVIEST_FIRST, deal_hands, is_by_double, is_misdeal, start_shuffle
from simdom.engine.hands import (
    HIGH,
    LOW,
    highest_double,
    is_empty,
    row_of,
    tile_number,
    toggle_tile,
)
from simdom.engine.line import draw_for_turn, nth_placement, rows_that_fit
from simdom.engine.scoring import NOBODY, count_pips, winner_of_block
from simdom.engine.streams import (
    CHOICE,
    GOLDEN,
    SHUFFLE,
    U64,
    compiled,
    draw_below,
    fraction_of,
    mix,
    stream_key,
    word_at,
)
from simdom.engine.tally import Outcome
from simdom.rules import Boneyard, Opening

__all__ = ["MOVE_FIELDS", "play_round"]

BLOCK = int(Boneyard.BLOCK)
DRAW = int(Boneyard.DRAW)
DRAW_ONE_PASS = int(Boneyard.DRAW_ONE_PASS)
HIGHEST_DOUBLE = int(Opening.HIGHEST_DOUBLE)
LOT = int(Opening.LOT)

MOST_REDEALS = 1_000_000  # `check_rules` sees to it that one deal in a thousand is accepted
MOVE_FIELDS = ("seat", "drawn", "tile", "end", "end_0", "end_1")
"""A recorded turn: tile and end are -1 for a pass, and the end is -1 for a lead."""

_0, _1 = U64(0), U64(1)
FIRST_TURN = U64((2 * int(GOLDEN)) % 2**64)
"""The word of turn t, the lead being turn 0, is ``mix(choice_key + FIRST_TURN + t * GOLDEN)``.

That is word number t + 1 of the choice stream; number 0 serves the lot. What decides gets the
counter and mixes it only if there is something to decide.
"""


@compiled
def play_round(
    table: Any, rules: Any, choosers: Any, per_word: Any, seed: Any, index: Any, moves: Any
) -> Any:
    """Play one round at the table, which is modified in place and holds what is left at its end.

    Args:
        table: a `Table` for these rules.
        rules: checked `Rules` of plain integers.
        choosers: `Choosers`, or None for uniform play by all seats.
        per_word: uint64, `draws_per_word` of the set.
        seed: uint64.
        index: number of the round, uint64.
        moves: None, or ndarray(int64, shape=(turns, 6)) that takes a row of `MOVE_FIELDS` for
            every turn and, after the last, a row whose seat is -1. Modified in place.

    Returns:
        The `Outcome`.
    """
    hands = table.hands
    shuffle_key = stream_key(seed, SHUFFLE, index)
    choice_key = stream_key(seed, CHOICE, index)
    tiles = U64((rules.max_pip + 1) * (rules.max_pip + 2) // 2)

    redeals = 0
    while True:
        shuffle = start_shuffle(hands, table.deck, tiles, shuffle_key, redeals, per_word)
        shuffle = deal_hands(hands, table.deck, rules, shuffle)
        holder, double = highest_double(hands, rules.players)
        if not is_misdeal(hands, rules, holder >= 0):
            break
        redeals += 1
        if redeals == MOST_REDEALS:
            return impossible_outcome(redeals)

    opener, low, high = find_opener(hands, rules, holder, double, choice_key)
    if rules.opening != HIGHEST_DOUBLE:
        counter = choice_key + FIRST_TURN
        low, high = choose_lead(table, U64(opener), rules.max_pip + 1, counter, choosers)
    stuck, blocked, last, plays, draws, passes = play_turns(
        table, rules, choosers, opener, low, high, shuffle, choice_key, moves
    )

    count_pips(hands, rules, table.pips)
    opening_tile: Any = np.int64(tile_number(low, high))
    winner = last
    least: Any = np.int64(0)
    if blocked:
        winner, least = winner_of_block(hands, table.pips, opener, rules)
    return Outcome(
        opener=opener,
        opening_tile=opening_tile,
        blocked=blocked,
        winner=winner,
        least=least,
        plays=plays,
        draws=draws,
        passes=passes,
        redeals=redeals,
        no_double=holder < 0,
        stuck=stuck,
        impossible=False,
    )


@compiled
def impossible_outcome(redeals: Any) -> Any:
    """The `Outcome` of a round that could not be dealt."""
    return Outcome(
        opener=0,
        opening_tile=0,
        blocked=False,
        winner=NOBODY,
        least=0,
        plays=0,
        draws=0,
        passes=0,
        redeals=redeals,
        no_double=False,
        stuck=False,
        impossible=True,
    )


@compiled
def find_opener(hands: Any, rules: Any, holder: Any, double: Any, choice_key: Any) -> Any:
    """(opener as int64, low and high of the tile that made it so) by the opening rule.

    ``holder`` has the highest double, ``double``; -1 if nobody has one. Where the seat does not
    depend on a tile the numbers mean nothing.
    """
    if rules.opening == LOT:
        fraction = fraction_of(word_at(choice_key, _0))
        return np.int64(draw_below(fraction, U64(rules.players))), _0, _0
    if not is_by_double(rules):
        return 0, _0, _0
    if holder >= 0:
        return holder, double, double
    for tile in HEAVIEST_FIRST:
        low, high = LOW[tile], HIGH[tile]
        for seat in range(rules.players):
            if high <= U64(rules.max_pip) and (row_of(hands, U64(seat), low) >> high) & _1:
                return seat, low, high
    return 0, _0, _0


@compiled
def play_turns(
    table: Any,
    rules: Any,
    choosers: Any,
    opener: Any,
    low: Any,
    high: Any,
    shuffle: Any,
    choice_key: Any,
    moves: Any,
) -> Any:
    """Lead the tile low-high and take turns until the round is over.

    Returns:
        (whether the first reply was stuck, whether the round is blocked, the seat that moved last,
        plays, draws, passes); seat and counts are int64.
    """
    hands = table.hands
    players = U64(rules.players)
    line = players
    boneyard = rules.players * rules.deal  # its place in the deck
    drawable = 0
    if rules.boneyard != BLOCK:
        drawable = np.int64(shuffle.tiles) - boneyard - rules.reserve

    seat = U64(opener)
    end_0, end_1 = low, high
    toggle_tile(hands, seat, low, high)
    if choosers is not None:
        toggle_tile(hands, line, low, high)
    if moves is not None:
        record_turn(moves, 0, opener, 0, np.int64(tile_number(low, high)), -1, end_0, end_1)
    plays = 1
    draws = 0
    passes = 0
    closing = 0  # passes in a row that count towards a block
    over = is_empty(hands, seat)
    counter = choice_key + FIRST_TURN

    next_seat = seat + _1 if seat + _1 < players else _0
    row_0, row_1 = rows_that_fit(hands, next_seat, end_0, end_1)
    stuck = (row_0 | row_1) == _0

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
            if not fits or rules.boneyard == DRAW_ONE_PASS:
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
            on_end_1, other = choose_placement(
                table, seat, row_0, row_1, end_0, end_1, counter, choosers
            )
        fitted = end_1 if on_end_1 else end_0
        toggle_tile(hands, seat, fitted, other)
        if choosers is not None:
            toggle_tile(hands, line, fitted, other)
        if on_end_1:
            end_1 = other
        else:
            end_0 = other
        plays += 1
        closing = 0
        over = is_empty(hands, seat)
        if moves is not None:
            tile = np.int64(tile_number(min(fitted, other), max(fitted, other)))
            record_turn(moves, plays + passes - 1, seat, drawn, tile, on_end_1, end_0, end_1)

    return stuck, closing == rules.players, np.int64(seat), plays, draws, passes


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
