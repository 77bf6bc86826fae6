"""A match: rounds until a side reaches the target, as a pure function of what a round depends on.

Round r of match m has the streams of round ``m * 65536 + r``. Points are kept by *side*: a seat
where every seat plays for itself, a pair of seats where pairs play.
"""

from typing import Any, NamedTuple

import numpy as np

from simdom.engine.playout import BY_RULE, play_round
from simdom.engine.recorded import write_recorded
from simdom.engine.scoring import NOBODY, share_points
from simdom.engine.streams import (
    CHOICE,
    U64,
    compiled,
    compiled_for_all,
    draw_below,
    fraction_of,
    stream_key,
    word_at,
)
from simdom.rules import (
    BlockTie,
    LaterLead,
    OthersPoints,
    Overshoot,
    Rules,
    Teams,
    TieLead,
)

__all__ = [
    "MOST_ROUNDS_A_MATCH",
    "ROUND_INDICES",
    "Match",
    "MatchOutcome",
    "begin_match",
    "count_round",
    "find_leader",
    "new_match",
    "play_match",
    "write_match",
]

ROUND_INDICES = 65_536
"""Indices of rounds that are set aside for each match."""

MOST_ROUNDS_A_MATCH = 10_000
"""A match that is not won by then is over, and nobody has won it."""

PAIRS = int(Teams.PAIRS)
REPLAY_DOUBLE = int(BlockTie.REPLAY_DOUBLE)
IS_LOST = int(Overshoot.IS_LOST)
RESET = int(OthersPoints.RESET)
WINNER, WINNING_TEAM, LOSER = (
    int(lead) for lead in (LaterLead.WINNER, LaterLead.WINNING_TEAM, LaterLead.LOSER)
)
NEXT_SEAT, SAME_OPENER = int(LaterLead.NEXT_SEAT), int(LaterLead.SAME_OPENER)
TIE_NEXT_SEAT, TIE_SAME_OPENER = int(TieLead.NEXT_SEAT), int(TieLead.SAME_OPENER)

_0, _2 = U64(0), U64(2)


class MatchOutcome(NamedTuple):
    """How one match went, as whole numbers; seats by their place at the table.

    ``winner`` is a side, -1 for nobody: then the match is unfinished. ``points`` are those scored
    by all sides, also those that a rule took away again later, and ``blocked_points`` those of
    them that came from blocked rounds. The last four are 0 or 1.
    """

    first_opener: int
    winner: int
    rounds: int
    tied_rounds: int
    points: int
    blocked_points: int
    lead_changes: int
    comeback: int
    shutout: int
    both_over: int
    impossible: int


class Match(NamedTuple):
    """The memory in which one thread keeps the score of its matches, one after another.

    Attributes:
        points: ndarray(int64, shape=(sides,)), points of each side.
        behind: ndarray(int64, shape=(sides,)), the most that each side has been behind the best.
        marks: ndarray(int64, shape=(11,)), what else goes on from round to round, see `MARKS`.
    """

    points: np.ndarray[Any, np.dtype[np.int64]]
    behind: np.ndarray[Any, np.dtype[np.int64]]
    marks: np.ndarray[Any, np.dtype[np.int64]]


MARKS = (
    "first_opener",
    "winner",  # side; of the match, once it is over
    "rounds",
    "tied_rounds",
    "scored",
    "scored_blocked",
    "lead_changes",
    "last_ahead",  # the side that was last alone in the lead; -1 before the first
    "factor",  # 2 if the next round counts double
    "both_over",
    "impossible",
)
(
    FIRST_OPENER,
    WON_BY,
    ROUNDS,
    TIED_ROUNDS,
    SCORED,
    SCORED_BLOCKED,
    LEAD_CHANGES,
    LAST_AHEAD,
    FACTOR,
    BOTH_OVER,
    IMPOSSIBLE,
) = range(len(MARKS))


def new_match(rules: Rules) -> Match:
    """Memory for matches under ``rules``."""
    zeros = np.zeros(rules.sides, np.int64)
    return Match(zeros, zeros.copy(), np.zeros(len(MARKS), np.int64))


@compiled_for_all
def begin_match(match: Any) -> None:
    """Set the score to nothing. ``match`` is modified in place."""
    for side in range(match.points.size):
        match.points[side] = 0
        match.behind[side] = 0
    for mark in range(match.marks.size):
        match.marks[mark] = 0
    match.marks[WON_BY] = NOBODY
    match.marks[LAST_AHEAD] = NOBODY
    match.marks[FACTOR] = 1


@compiled
def play_match(
    table: Any,
    match: Any,
    rules: Any,
    target: Any,
    choosers: Any,
    per_word: Any,
    seed: Any,
    number: Any,
    recorded: Any,
    at: Any,
) -> None:
    """Play match ``number`` to its end. ``table`` and ``match`` are modified in place.

    Args:
        table: a `Table` for these rules.
        match: a `Match` for these rules, which then holds what `write_match` writes.
        rules: checked `Rules` of plain integers.
        target: points that win the match.
        choosers: `Choosers`, or None for uniform play by all seats.
        per_word: uint64, `draws_per_word` of the set.
        seed: uint64.
        number: of the match, uint64.
        recorded: None, or a `Recorded` that takes a row for every round. Modified in place.
        at: where in it the first of them goes.
    """
    begin_match(match)
    index = number * U64(ROUND_INDICES)
    leader = np.int64(BY_RULE)
    while True:
        outcome = play_round(table, rules, choosers, None, per_word, seed, index, leader, None)
        share_points(table, rules, outcome)
        if recorded is not None:
            row = at + match.marks[ROUNDS]
            write_recorded(recorded, row, outcome, table, rules, leader)
        if count_round(match, rules, target, outcome, table.gained):
            return
        index += U64(1)
        leader = find_leader(rules, outcome, table.pips, seed, index)


@compiled
def side_of(seat: Any, rules: Any) -> Any:
    """The side that a seat plays for."""
    return seat & 1 if rules.teams == PAIRS else seat


@compiled
def count_round(match: Any, rules: Any, target: Any, outcome: Any, gained: Any) -> Any:
    """Score one round. ``match`` is modified in place.

    Args:
        match: the score before it.
        rules: of the match.
        target: points that win the match.
        outcome: of the round.
        gained: points that each seat gained in it.

    Returns:
        Whether the match is over.
    """
    marks = match.marks
    if outcome.impossible:
        marks[IMPOSSIBLE] = 1
        return True
    if marks[ROUNDS] == 0:
        marks[FIRST_OPENER] = outcome.opener
    factor = marks[FACTOR]
    winning = np.int64(NOBODY)
    bonus = np.int64(0)
    if outcome.winner == NOBODY:
        marks[TIED_ROUNDS] += 1
    else:
        winning = np.int64(side_of(outcome.winner, rules))
        left = rules.early_rounds - marks[ROUNDS]
        if left > 0:
            bonus += rules.early_bonus * left // rules.early_rounds
    marks[FACTOR] = 2 if rules.block_tie == REPLAY_DOUBLE and winning == NOBODY else 1
    scored, ahead, over = score_sides(match, rules, target, factor, winning, bonus, gained)
    marks[SCORED] += scored
    if outcome.blocked:
        marks[SCORED_BLOCKED] += scored
    marks[ROUNDS] += 1
    if ahead != NOBODY:
        if marks[LAST_AHEAD] != NOBODY and marks[LAST_AHEAD] != ahead:
            marks[LEAD_CHANGES] += 1
        marks[LAST_AHEAD] = ahead
        if over > 0:
            marks[WON_BY] = ahead
            marks[BOTH_OVER] = over > 1
            return True
    return marks[ROUNDS] == MOST_ROUNDS_A_MATCH


@compiled
def score_sides(
    match: Any, rules: Any, target: Any, factor: Any, winning: Any, bonus: Any, gained: Any
) -> Any:
    """Put down what each side gained, and by how much it is behind. ``match`` is modified in place.

    Args:
        match: the score before the round.
        rules: of the match.
        target: points that win the match.
        factor: by which what was gained counts.
        winning: the side that won the round, -1 for none.
        bonus: points that it gets besides.
        gained: points that each seat gained in the round.

    Returns:
        (points put down, of all sides; the side that is alone in the lead, -1 for none; how many
        sides have the target), all int64.
    """
    sides = match.points.size
    resets = rules.others_points == RESET and winning != NOBODY
    scored, most, over = np.int64(0), np.int64(-1), np.int64(0)
    ahead = np.int64(NOBODY)
    for side in range(sides):
        more = gained[side]
        if rules.teams == PAIRS:
            more += gained[side + 2]
        more *= factor
        if side == winning:
            more += bonus
        points = match.points[side]
        if resets and side != winning:
            points = np.int64(0)
        elif rules.overshoot != IS_LOST or points + more <= target:
            points += more
            scored += more
        match.points[side] = points
        if points > most:
            most = points
            ahead = np.int64(side)
        elif points == most:
            ahead = np.int64(NOBODY)
        if points >= target:
            over += 1
    for side in range(sides):
        match.behind[side] = max(match.behind[side], most - match.points[side])
    return scored, ahead, over


@compiled
def find_leader(rules: Any, outcome: Any, pips: Any, seed: Any, index: Any) -> Any:
    """The seat (int64) that leads round ``index``; -1 if the opening rule says who does.

    Args:
        rules: of the match.
        outcome: of the round before.
        pips: left in each hand at its end.
        seed: uint64.
        index: of the round to come, uint64.
    """
    following = outcome.opener + 1
    if following == rules.players:
        following = 0
    winner = outcome.winner
    if winner == NOBODY:
        if rules.block_tie == REPLAY_DOUBLE:
            return np.int64(BY_RULE)
        if rules.tie_lead == TIE_SAME_OPENER:
            return np.int64(outcome.opener)
        return np.int64(following if rules.tie_lead == TIE_NEXT_SEAT else BY_RULE)
    if rules.later_lead == WINNER:
        return np.int64(winner)
    if rules.later_lead == WINNING_TEAM:
        if rules.teams == PAIRS:
            fraction = fraction_of(word_at(stream_key(seed, CHOICE, index), _0))
            return np.int64((winner & 1) + 2 * np.int64(draw_below(fraction, _2)))
        return np.int64(winner)
    if rules.later_lead == NEXT_SEAT:
        return np.int64(following)
    if rules.later_lead == SAME_OPENER:
        return np.int64(outcome.opener)
    if rules.later_lead == LOSER:
        return heaviest_opponent(rules, winner, pips)
    return np.int64(BY_RULE)


@compiled
def heaviest_opponent(rules: Any, winner: Any, pips: Any) -> Any:
    """The opponent with most pips left (int64); of equal ones the first after the winner."""
    most = np.int64(-1)
    heaviest = np.int64(NOBODY)
    for after in range(1, rules.players):
        seat = (winner + after) % rules.players
        if side_of(seat, rules) != side_of(winner, rules) and pips[seat] > most:
            most = pips[seat]
            heaviest = np.int64(seat)
    return heaviest


@compiled
def write_match(rows: Any, at: Any, match: Any, target: Any) -> None:
    """Write a match that is over: the fields of `MatchOutcome`, then points by side; in place."""
    marks = match.marks
    winner = marks[WON_BY]
    comeback = False
    shutout = winner != NOBODY
    for side in range(match.points.size):
        rows[at, 11 + side] = match.points[side]
        if side == winner:
            comeback = 2 * match.behind[side] >= target
        elif match.points[side] != 0:
            shutout = False
    rows[at, 0] = marks[FIRST_OPENER]
    rows[at, 1] = winner
    rows[at, 2] = marks[ROUNDS]
    rows[at, 3] = marks[TIED_ROUNDS]
    rows[at, 4] = marks[SCORED]
    rows[at, 5] = marks[SCORED_BLOCKED]
    rows[at, 6] = marks[LEAD_CHANGES]
    rows[at, 7] = comeback
    rows[at, 8] = shutout
    rows[at, 9] = marks[BOTH_OVER]
    rows[at, 10] = marks[IMPOSSIBLE]
