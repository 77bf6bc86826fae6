"""One round, from the deal to its end, as a pure function of (rules, strategies, seed, index)."""

from typing import Any

import numpy as np

from simdom.engine.choose import choose_lead
from simdom.engine.deal import (
    HEAVIEST_FIRST,
    NAMED_DOUBLE,
    NEXT_DOUBLE,
    deal_hands,
    is_by_double,
    is_misdeal,
    start_shuffle,
)
from simdom.engine.hands import (
    HIGH,
    LOW,
    first_double,
    highest_double,
    row_of,
    tile_number,
)
from simdom.engine.known import forget_voids
from simdom.engine.scoring import (
    ALL_HANDS,
    MINUS_OWN,
    NOBODY,
    OTHERS,
    award,
    end_of_round,
)
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
from simdom.engine.think import DECIDES, IS_MISSING, begin_thinking, think
from simdom.engine.turns import Position, lead_tile, take_turns
from simdom.rules import Opening

__all__ = ["BY_RULE", "judge_round", "play_round"]

BY_RULE = -1
"""The leader, where the opening rule says who leads."""

HOLDER_LEADS_ANY = int(Opening.HOLDER_LEADS_ANY)
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
    leader: Any,
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
        leader: a seat that leads any tile, whatever the opening rule says; -1 for that rule.
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
        if not is_misdeal(hands, rules, holder >= 0 or leader >= 0):
            break
        redeals += 1
        if redeals == MOST_REDEALS:
            return impossible_outcome(redeals)

    opener, low, high, by_tile = find_opener(hands, rules, holder, double, leader, choice_key)
    if choosers is not None:
        forget_voids(table.voids, rules.players)
    if rules.pass_round_points > 0:
        for seat in range(rules.players):
            table.pass_rounds[seat] = 0
    if mind is not None:
        begin_thinking(mind, rules, opener, low, high, by_tile)
    counter = choice_key + FIRST_TURN
    if by_tile != DECIDES or rules.opening == HOLDER_LEADS_ANY:
        if mind is None or not mind.thinks[opener]:
            low, high = choose_lead(table, U64(opener), rules.max_pip + 1, counter, choosers)
        if mind is not None and mind.thinks[opener]:
            before = Position(U64(opener), _0, _0, 0, 0, 0, 0, 0, over=False)
            _, low, high = think(table, rules, choosers, mind, before, counter)
    stuck, position = lead_tile(table, rules, choosers, mind, opener, low, high, moves)
    end = take_turns(table, rules, choosers, mind, think, position, shuffle, counter, moves)
    blocked = end.closing == rules.players

    outcome = judge_round(table, rules, opener, np.int64(end.seat), blocked)
    opening_tile: Any = np.int64(tile_number(low, high))
    return Outcome(
        opener=opener,
        opening_tile=opening_tile,
        blocked=blocked,
        winner=outcome.winner,
        least=outcome.least,
        plays=end.plays,
        draws=end.draws,
        passes=end.passes,
        redeals=redeals,
        no_double=holder < 0,
        stuck=stuck,
        impossible=False,
        points=outcome.points,
        minus_own=outcome.minus_own,
        others=outcome.others,
        all_hands=outcome.all_hands,
    )


@compiled
def judge_round(table: Any, rules: Any, opener: Any, last: Any, blocked: Any) -> Any:
    """The part of an `Outcome` that is known from the end of a round alone; the rest is 0.

    ``last`` is the seat that had the last turn: it is out unless the round is blocked. The pips
    left are counted into ``table.pips``.
    """
    winner, least = end_of_round(table, rules, opener, last, blocked)
    points = award(table, rules, rules.block_score, winner, least, blocked)
    minus_own, others, all_hands = points, points, points
    if blocked:
        minus_own = award(table, rules, MINUS_OWN, winner, least, blocked)
        others = award(table, rules, OTHERS, winner, least, blocked)
        all_hands = award(table, rules, ALL_HANDS, winner, least, blocked)
    return Outcome(
        opener=opener,
        opening_tile=0,
        blocked=blocked,
        winner=winner,
        least=least,
        plays=0,
        draws=0,
        passes=0,
        redeals=0,
        no_double=False,
        stuck=False,
        impossible=False,
        points=points,
        minus_own=minus_own,
        others=others,
        all_hands=all_hands,
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
        points=0,
        minus_own=0,
        others=0,
        all_hands=0,
    )


@compiled
def find_opener(
    hands: Any, rules: Any, holder: Any, double: Any, leader: Any, choice_key: Any
) -> Any:
    """Who leads, and whether a tile made it so.

    ``holder`` has the highest double, ``double``; -1 if nobody has one. ``leader`` is the seat that
    leads whatever the opening rule says, or -1.

    Returns:
        (opener as int64, low and high of the tile, `DECIDES`, `IS_MISSING` or 0). The tile means
        nothing with 0, and nobody was dealt it with `IS_MISSING`.
    """
    if leader >= 0:
        return leader, _0, _0, 0
    by_tile = DECIDES
    if rules.opening == NAMED_DOUBLE:
        holder, double = first_double(hands, rules.players, rules.named_double, rules.max_pip)
        named = U64(rules.named_double)
        if rules.named_missing != NEXT_DOUBLE and (holder < 0 or double != named):
            return draw_seat(rules, choice_key), named, named, IS_MISSING
    elif rules.opening == LOT:
        return draw_seat(rules, choice_key), _0, _0, 0
    elif not is_by_double(rules):
        return 0, _0, _0, 0
    if holder >= 0:
        return holder, double, double, by_tile
    for tile in HEAVIEST_FIRST:
        low, high = LOW[tile], HIGH[tile]
        for seat in range(rules.players):
            if high <= U64(rules.max_pip) and (row_of(hands, U64(seat), low) >> high) & _1:
                return seat, low, high, by_tile
    return 0, _0, _0, 0


@compiled
def draw_seat(rules: Any, choice_key: Any) -> Any:
    """A seat by lot: int64."""
    return np.int64(draw_below(fraction_of(word_at(choice_key, _0)), U64(rules.players)))
