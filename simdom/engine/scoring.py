"""The end of a round: which seat wins it, and what every seat scores.

A side is a seat, or two partners. `docs/rules.md` defines every way of scoring.
"""

from typing import Any

import numpy as np

from simdom.engine.hands import pips_of, row_of
from simdom.engine.streams import U64, compiled, compiled_apart
from simdom.rules import (
    BlockScore,
    BlockTie,
    BlockWinner,
    Capicua,
    DominoScore,
    PipSteps,
    Teams,
)

__all__ = [
    "KEPT",
    "NOBODY",
    "NO_NUMBER",
    "award",
    "count_pips",
    "end_of_round",
    "goes_out_with_bonus",
    "is_with",
    "note_last",
    "share_points",
]

NOBODY = -1
FITTED, OTHER, KEPT, SEAT = range(4)
"""What `Table.last` says of the last tile placed: the number that fitted, the tile's other one, the
number of the other end of the line (`NO_NUMBER` for a lead), and the seat."""
NO_NUMBER = -1

MINUS_OWN = int(BlockScore.MINUS_OWN)
OTHERS = int(BlockScore.OTHERS)
ALL_HANDS = int(BlockScore.ALL_HANDS)
DIFFERENCE = int(BlockScore.DIFFERENCE)
OPPONENTS = int(BlockScore.OPPONENTS)
PER_HEAVIER = int(BlockScore.PER_HEAVIER)
FLAT = int(BlockScore.FLAT)

OPENER = int(BlockTie.OPENER)
LIGHTEST_TILE = int(BlockTie.LIGHTEST_TILE)
SPLIT = int(BlockTie.SPLIT)
NEAREST = int(BlockTie.NEAREST)
BLOCKER = int(BlockTie.BLOCKER)
BLOCKER_LOSES = int(BlockTie.BLOCKER_LOSES)

PAIRS = int(Teams.PAIRS)
LIGHTEST_TEAM = int(BlockWinner.LIGHTEST_TEAM)
DOMINO_ALL_HANDS = int(DominoScore.ALL_HANDS)
DOMINO_FLAT = int(DominoScore.FLAT)
DIFFERENT_ENDS = int(Capicua.DIFFERENT_ENDS)
NO_DOUBLES = int(Capicua.NO_DOUBLES)
DOUBLES_TOO = int(Capicua.DOUBLES_TOO)
EQUAL_AFTER = int(Capicua.EQUAL_AFTER)
STEP = 10  # pips
FROM_15 = int(PipSteps.FROM_15)
FROM_21 = int(PipSteps.FROM_21)

_0, _1 = U64(0), U64(1)


@compiled
def is_with(rules: Any, seat: Any, other: Any) -> Any:
    """Whether two seats are on one side."""
    return seat == other or (rules.teams == PAIRS and (seat ^ other) & 1 == 0)


@compiled
def count_pips(hands: Any, rules: Any, pips: Any) -> None:
    """Count the pips left in each hand into ``pips``. Modified in place."""
    for seat in range(rules.players):
        pips[seat] = pips_of(
            hands, U64(seat), rules.max_pip + 1, rules.double_blank_pips, rules.blank_pips
        )


@compiled
def note_last(last: Any, seat: Any, fitted: Any, other: Any, kept: Any) -> None:
    """Note the last tile placed, see `KEPT`. ``last`` is modified in place."""
    last[FITTED] = fitted
    last[OTHER] = other
    last[KEPT] = kept
    last[SEAT] = seat


@compiled
def end_of_round(table: Any, rules: Any, opener: Any, last: Any, blocked: Any) -> Any:
    """(winner or -1, pips of its hand) of a round in which ``last`` had the last turn.

    Unless the round is blocked, that seat is out and wins. The pips left are counted into
    ``table.pips``; else see `winner_of_block`.
    """
    count_pips(table.hands, rules, table.pips)
    winner: Any = last
    least: Any = np.int64(0)
    if blocked:
        winner, least = winner_of_block(table, opener, rules)
    return winner, least


@compiled
def winner_of_block(table: Any, opener: Any, rules: Any) -> Any:
    """(winner, pips of its hand) of a blocked round; the winner is -1 for nobody.

    Where nobody wins, the pips are those of the lightest hand.
    """
    pips = table.pips
    least = pips[0]
    winner = 0
    tied = 1
    for seat in range(1, rules.players):
        if pips[seat] < least:
            least = pips[seat]
            winner = seat
            tied = 1
        elif pips[seat] == least:
            tied += 1
    by_team = rules.teams == PAIRS and rules.block_winner == LIGHTEST_TEAM
    if tied == 1 and not by_team:
        return winner, least
    winner = settle_tie(table, opener, rules, least, by_team)
    return winner, least if winner == NOBODY else pips[winner]


@compiled_apart
def settle_tie(table: Any, opener: Any, rules: Any, least: Any, by_team: Any) -> Any:
    """The winner where teams are compared, or where several seats hold ``least`` pips.

    For a side wins, of its tied seats, the one with the fewest pips; of equal ones the first in
    turn from the opener.
    """
    pips = table.pips
    tied = _0
    for seat in range(rules.players):
        is_tied = pips[seat] == least
        if by_team:
            is_tied = pips[seat] + pips[seat ^ 2] <= pips[seat ^ 1] + pips[seat ^ 3]
        tied |= U64(is_tied) << U64(seat)
    first = lightest_of(table, opener, rules, tied)
    blocker = table.last[SEAT]
    if tied & ~side_of(rules, first) == _0:
        return first
    if rules.block_tie == OPENER:
        return lightest_of(table, opener, rules, tied & side_of(rules, opener))
    if rules.block_tie == NEAREST:
        nearest = first_in_turn(rules, opener, tied)
        return lightest_of(table, opener, rules, tied & side_of(rules, nearest))
    if rules.block_tie == BLOCKER:
        return lightest_of(table, opener, rules, tied & side_of(rules, blocker))
    if rules.block_tie == BLOCKER_LOSES and tied & side_of(rules, blocker) != _0:
        others = tied & ~side_of(rules, blocker)
        winner = lightest_of(table, opener, rules, others)
        return winner if others & ~side_of(rules, winner) == _0 else NOBODY
    if rules.block_tie == LIGHTEST_TILE:
        holders = holders_of_lightest(table, rules, tied)
        side = side_of(rules, first_in_turn(rules, opener, holders))
        return lightest_of(table, opener, rules, tied & side) if holders & ~side == _0 else NOBODY
    return NOBODY


@compiled
def side_of(rules: Any, seat: Any) -> Any:
    """The seats on the side of ``seat``, as bits."""
    side = _0
    for other in range(rules.players):
        side |= U64(is_with(rules, seat, other)) << U64(other)
    return side


@compiled
def lightest_of(table: Any, opener: Any, rules: Any, seats: Any) -> Any:
    """Of the seats (bits), the one with the fewest pips, the first in turn of equal ones; or -1."""
    found = NOBODY
    for after in range(rules.players):
        seat = (opener + after) % rules.players
        is_one = (seats >> U64(seat)) & _1 != _0
        if is_one and (found == NOBODY or table.pips[seat] < table.pips[found]):
            found = seat
    return found


@compiled
def first_in_turn(rules: Any, opener: Any, seats: Any) -> Any:
    """Of the seats (bits, not none), the first in turn from the opener."""
    seat = opener
    while (seats >> U64(seat)) & _1 == _0:
        seat = (seat + 1) % rules.players
    return seat


@compiled
def holders_of_lightest(table: Any, rules: Any, tied: Any) -> Any:
    """Of the tied seats, those whose lightest single tile counts least; as bits."""
    lightest = 1 << 30
    holders = _0
    for seat in range(rules.players):
        if (tied >> U64(seat)) & _1 == _0:
            continue
        tile = lightest_tile(table.hands, U64(seat), rules)
        if tile < lightest:
            lightest = tile
            holders = _0
        if tile == lightest:
            holders |= _1 << U64(seat)
    return holders


@compiled
def lightest_tile(hands: Any, seat: Any, rules: Any) -> Any:
    """Pips that the lightest tile of a hand counts (int64)."""
    lightest = 1 << 30
    for high in range(rules.max_pip + 1):
        for low in range(high + 1):
            if (row_of(hands, seat, U64(high)) >> U64(low)) & _1:
                counted = low + high
                if low == 0:
                    counted += rules.double_blank_pips if high == 0 else rules.blank_pips
                lightest = min(lightest, counted)
    return lightest


@compiled
def award(table: Any, rules: Any, block_score: Any, winner: Any, least: Any, blocked: Any) -> Any:
    """All points (int64) that a round awards if blocks score by ``block_score``.

    ``table`` holds the pips left, the last tile and the rounds of passes; ``winner`` and ``least``
    are as `winner_of_block` gives them, the seat that is out and 0 after a domino.
    """
    total = np.int64(0)
    for seat in range(rules.players):
        total += table.pips[seat]
    points: Any = np.int64(0)
    if not blocked:
        points = domino_points(table, rules, winner, total)
    elif winner != NOBODY or rules.block_tie == SPLIT:
        points = block_points(table, rules, block_score, winner, least, total)
    if rules.pass_round_points > 0:
        for seat in range(rules.players):
            points += rules.pass_round_points * table.pass_rounds[seat]
    return points


@compiled
def domino_points(table: Any, rules: Any, winner: Any, total: Any) -> Any:
    """What the seat that is out scores: int64."""
    bonus = 0
    if goes_out_with_bonus(rules):
        bonus = bonus_of_last(table.last, rules)
    if rules.domino_score == DOMINO_FLAT:
        return bonus + rules.flat_points
    if rules.teams == PAIRS and rules.domino_score != DOMINO_ALL_HANDS:
        total -= table.pips[winner ^ 2]
    return bonus + in_steps(rules, total)


@compiled
def block_points(
    table: Any, rules: Any, block_score: Any, winner: Any, least: Any, total: Any
) -> Any:
    """What a block scores that somebody wins, or tied seats share: int64."""
    bonus = rules.block_bonus if winner != NOBODY else 0
    if block_score == MINUS_OWN:
        points = total - least - least
    elif block_score == OTHERS:
        points = total - least
    elif block_score == ALL_HANDS:
        points = total
    elif block_score == DIFFERENCE:
        points = total - rules.players * least
    elif block_score == OPPONENTS:
        points = total - least
        if rules.teams == PAIRS:
            points -= table.pips[best_seat(table, winner, least) ^ 2]
    elif block_score == PER_HEAVIER:
        points = np.int64(0)
        for seat in range(rules.players):
            points += points_off_heavier(table, rules, seat)
        return bonus + points
    else:
        return bonus + rules.flat_points
    return bonus + in_steps(rules, points)


@compiled
def best_seat(table: Any, winner: Any, least: Any) -> Any:
    """The winner, or if nobody won the first seat with the fewest pips."""
    if winner == NOBODY:
        winner = 0
        while table.pips[winner] != least:
            winner += 1
    return winner


@compiled
def points_off_heavier(table: Any, rules: Any, seat: Any) -> Any:
    """What a seat scores from each opponent with a heavier hand: int64."""
    pips: Any = np.int64(0)
    for other in range(rules.players):
        more = table.pips[other] - table.pips[seat]
        if more > 0 and not is_with(rules, seat, other):
            pips += more
    return in_steps(rules, pips) if pips > 0 else pips


@compiled
def in_steps(rules: Any, pips: Any) -> Any:
    """What pips are worth in points, by the rules' table."""
    if rules.pip_steps == FROM_15:
        return max(0, pips - 5) // STEP + 1
    if rules.pip_steps == FROM_21:
        return max(0, pips - 11) // STEP + 2
    return pips


@compiled
def goes_out_with_bonus(rules: Any) -> Any:
    """Whether it matters with which tile a seat goes out."""
    return (
        rules.capicua_points + rules.crossed_points + rules.double_out_points
    ) + rules.blank_out_points > 0


@compiled_apart
def bonus_of_last(last: Any, rules: Any) -> Any:
    """What going out with the last tile is worth besides the pips: int64."""
    fitted, other, kept = last[FITTED], last[OTHER], last[KEPT]
    fits_both = kept in (fitted, other)
    is_capicua = (
        (rules.capicua == DIFFERENT_ENDS and other == kept and fitted != kept)
        or (rules.capicua == NO_DOUBLES and fits_both and fitted != other)
        or (rules.capicua == DOUBLES_TOO and fits_both)
        or (rules.capicua == EQUAL_AFTER and other == kept)
    )
    bonus = rules.capicua_points if is_capicua else 0
    if fitted == other:
        bonus += rules.double_out_points
        if kept == other:
            bonus += rules.crossed_points
        if fitted == 0:
            bonus += rules.blank_out_points
    return bonus


@compiled
def share_points(table: Any, rules: Any, outcome: Any) -> None:
    """Write what each seat gains in a round into ``table.gained``, which is modified in place.

    Seats that share what a block scores get equal shares, rounded down.
    """
    gained = table.gained
    passes = 0
    for seat in range(rules.players):
        gained[seat] = 0
        if rules.pass_round_points > 0:
            gained[seat] = rules.pass_round_points * table.pass_rounds[seat]
            passes += gained[seat]
    points = outcome.points - passes
    if points == 0:
        return
    if outcome.blocked and rules.block_score == PER_HEAVIER:
        if outcome.winner != NOBODY:
            gained[outcome.winner] += rules.block_bonus
        for seat in range(rules.players):
            gained[seat] += points_off_heavier(table, rules, seat)
    elif outcome.winner == NOBODY:
        split_points(table, rules, outcome.least, points)
    else:
        gained[outcome.winner] += points


@compiled
def split_points(table: Any, rules: Any, least: Any, points: Any) -> None:
    """Add its share to each tied seat's points. ``table.gained`` is modified in place."""
    by_team = rules.teams == PAIRS and rules.block_winner == LIGHTEST_TEAM
    tied = 0
    for seat in range(rules.players):
        tied += by_team or table.pips[seat] == least
    for seat in range(rules.players):
        if by_team or table.pips[seat] == least:
            table.gained[seat] += points // tied
