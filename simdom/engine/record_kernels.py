"""Rounds and matches that are played once, and both tallied and kept."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from simdom.engine.kernels import (
    ROWS,
    Study,
    digest_of_sources,
    fix_rules,
    inputs_of,
    list_rounds,
    new_thinkers,
    specialisation,
    tally_rows,
    thinks,
)
from simdom.engine.match_kernels import new_match_rows, play_thinking
from simdom.engine.matches import (
    MOST_ROUNDS_A_MATCH,
    ROUNDS,
    new_match,
    play_match,
    write_match,
)
from simdom.engine.playout import BY_RULE, play_round
from simdom.engine.recorded import Recorded, new_recorded, pack_rows, write_recorded
from simdom.engine.scoring import share_points
from simdom.engine.streams import U64, entry_point
from simdom.engine.tally import Tally, new_tally, tally_round

__all__ = ["record_matches", "record_rounds"]

MatchRows = np.ndarray[Any, np.dtype[np.int64]]

ROOM = 4 * MOST_ROUNDS_A_MATCH  # rounds of matches that are kept in one piece of memory


def record_rounds(study: Study, start: int, stop: int) -> tuple[Tally, Recorded]:
    """Rounds ``start`` to ``stop - 1``: their tally, as `tally_rounds` makes it, and each of them.

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    tally = new_tally(study.rules)
    recorded = new_recorded(study.rules, stop - start)
    with np.errstate(over="ignore"):  # without the JIT, numpy warns when a word wraps around
        if thinks(study):
            for at in range(start, max(stop, start + 1), ROWS):
                rows = list_rounds(study, at, min(at + ROWS, stop))
                tally_rows(tally, rows, study.rules)
                pack_rows(recorded, at - start, rows, BY_RULE)
        else:
            kernel = _record_rounds_kernel(digest_of_sources(), *specialisation(study.rules))
            kernel(tally, recorded, *inputs_of(study), U64(study.seed), start, stop)
    return tally, recorded


def record_matches(
    study: Study, target: int, start: int, stop: int
) -> tuple[MatchRows, list[Recorded]]:
    """Matches ``start`` to ``stop - 1``: a row for each, as `list_matches`, and all their rounds.

    The rounds are in order; how many of them are of a match is in its row.

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    rows = new_match_rows(study, stop - start)
    with np.errstate(over="ignore"):
        if thinks(study):
            return rows, _record_thinking(study, target, start, rows)
        return rows, _record_playing(study, target, start, stop, rows)


def _record_playing(
    study: Study, target: int, start: int, stop: int, rows: MatchRows
) -> list[Recorded]:
    """As `record_matches`, where no seat thinks. ``rows`` is modified in place."""
    table, plain, choosers, per_word = inputs_of(study)
    kernel = _record_matches_kernel(digest_of_sources(), *specialisation(study.rules))
    match, room = new_match(study.rules), new_recorded(study.rules, ROOM)
    reached = np.array([start, 0])
    pieces = []
    while True:
        kernel(
            *(reached, rows, room, table, match, plain, target, choosers, per_word),
            *(U64(study.seed), start, stop),
        )
        used = reached[1]
        pieces.append(Recorded(room.fields[:, :used].copy(), room.redeals[:used].copy()))
        if reached[0] == stop:
            return pieces
        reached[1] = 0


def _record_thinking(study: Study, target: int, start: int, rows: MatchRows) -> list[Recorded]:
    """As `_record_playing`, where a seat thinks."""
    thinkers = new_thinkers(study)
    pieces: list[Recorded] = []

    def keep(listed: MatchRows, leader: int) -> None:
        piece = new_recorded(study.rules, len(listed))
        pack_rows(piece, 0, listed, leader)
        pieces.append(piece)

    for at in range(len(rows)):
        play_thinking(thinkers, target, start + at, rows[at : at + 1], keep)
    return pieces


@cache
def _record_rounds_kernel(digest: int, players: int, boneyard: int) -> Callable[..., int]:
    @entry_point
    def record_rounds_kernel(
        tally: Any,
        recorded: Any,
        table: Any,
        rules: Any,
        choosers: Any,
        per_word: Any,
        seed: Any,
        start: Any,
        stop: Any,
    ) -> Any:
        fixed = fix_rules(rules, players, boneyard)
        for index in range(start, stop):
            outcome = play_round(
                table, fixed, choosers, None, per_word, seed, U64(index), BY_RULE, None
            )
            tally_round(tally, outcome, table.pips, fixed)
            share_points(table, fixed, outcome)
            write_recorded(recorded, index - start, outcome, table, fixed, BY_RULE)
        return digest

    return record_rounds_kernel


@cache
def _record_matches_kernel(digest: int, players: int, boneyard: int) -> Callable[..., int]:
    """Plays on until the rounds of one more match may find no room.

    ``reached`` is the number of the next match and the rounds kept so far. Modified in place.
    """

    @entry_point
    def record_matches_kernel(
        reached: Any,
        rows: Any,
        recorded: Any,
        table: Any,
        match: Any,
        rules: Any,
        target: Any,
        choosers: Any,
        per_word: Any,
        seed: Any,
        start: Any,
        stop: Any,
    ) -> Any:
        fixed = fix_rules(rules, players, boneyard)
        for number in range(reached[0], stop):
            if reached[1] + MOST_ROUNDS_A_MATCH > recorded.redeals.size:
                return digest
            play_match(
                *(table, match, fixed, target, choosers, per_word, seed, U64(number)),
                *(recorded, reached[1]),
            )
            write_match(rows, number - start, match, target)
            reached[0] += 1
            reached[1] += match.marks[ROUNDS]
        return digest

    return record_matches_kernel
