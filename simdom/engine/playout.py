"""One round, from the deal to its end, as a pure function of (rules, strategies, seed, index)."""

from typing import Any

import numpy as np

from simdom.engine.choose import choose_lead
from simdom.engine.deal import HEAVIEST_FIRST, deal_hands, is_by_double, is_misdeal, start_shuffle
from simdom.engine.hands import (
    HIGH,
    LOW,
    highest_double,
    row_of,
    tile_number,
)
from simdom.engine.known import forget_voids
from simdom.engine.scoring import NOBODY, count_pips, winner_of_block
from simdom.engine.streams import (
    CHOICE,
    GOLDEN,
    SHUFFLE,
    U64,
    compiled,
    draw_below,
    fraction_of,
    stream_key,
    word_at,
)
from simdom.engine.tally import Outcome
from simdom.engine.think import begin_thinking, think
from simdom.engine.turns import Position, lead_tile, take_turns
from simdom.rules import Opening

__all__ = ["play_round"]

HIGHEST_DOUBLE = int(Opening.HIGHEST_DOUBLE)
LOT = int(Opening.LOT)

MOST_REDEALS = 1_000_000  # `check_rules` sees to it that one deal in a thousand is accepted

_0, _1 = U64(0), U64(1)
FIRST_TURN = U64((2 * int(GOLDEN)) % 2**64)
"""The word of turn t, the lead being turn 0, is ``mix(choice_key + FIRST_TURN + t * GOLDEN)``.

That is word number t + 1 of the choice stream; number 0 serves the lot. What decides gets the
counter and mixes it only if there is something to decide.
"""


@compiled
def play_round(
    table: Any,
    rules: Any,
    choosers: Any,
    mind: Any,
    per_word: Any,
    seed: Any,
    index: Any,
    moves: Any,
) -> Any:
    """Play one round at the table, which is modified in place and holds what is left at its end.

    Args:
        table: a `Table` for these rules.
        rules: checked `Rules` of plain integers.
        choosers: `Choosers`, or None for uniform play by all seats.
        mind: `Mind`, or None if no seat samples.
        per_word: uint64, `draws_per_word` of the set.
        seed: uint64.
        index: number of the round, uint64.
        moves: None, or ndarray(int64, shape=(turns, 6)) that takes a row of
            `simdom.engine.turns.MOVE_FIELDS` for
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
    if choosers is not None:
        forget_voids(table.voids, rules.players)
    if mind is not None:
        begin_thinking(mind, rules, opener, low, high)
    counter = choice_key + FIRST_TURN
    if rules.opening != HIGHEST_DOUBLE:
        if mind is None or not mind.thinks[opener]:
            low, high = choose_lead(table, U64(opener), rules.max_pip + 1, counter, choosers)
        if mind is not None and mind.thinks[opener]:
            before = Position(U64(opener), _0, _0, 0, 0, 0, 0, 0, over=False)
            _, low, high = think(table, rules, choosers, mind, before, counter)
    stuck, position = lead_tile(table, rules, choosers, mind, opener, low, high, moves)
    end = take_turns(table, rules, choosers, mind, think, position, shuffle, counter, moves)
    blocked = end.closing == rules.players

    count_pips(hands, rules, table.pips)
    opening_tile: Any = np.int64(tile_number(low, high))
    winner: Any = np.int64(end.seat)
    least: Any = np.int64(0)
    if blocked:
        winner, least = winner_of_block(hands, table.pips, opener, rules)
    return Outcome(
        opener=opener,
        opening_tile=opening_tile,
        blocked=blocked,
        winner=winner,
        least=least,
        plays=end.plays,
        draws=end.draws,
        passes=end.passes,
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
