"""The entry points of the compiled engine for matches: many of them listed, one row a match.

As in `simdom.engine.kernels`: nothing raises, nothing is allocated, the GIL is released. Play that
thinks is compiled there and nowhere else, so matches of it are driven from here, round by round.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from simdom.engine.kernels import (
    Study,
    Thinkers,
    digest_of_sources,
    fix_rules,
    inputs_of,
    list_rounds,
    new_thinkers,
    read_row,
    specialisation,
    think_rounds,
    thinks,
)
from simdom.engine.matches import (
    ROUND_INDICES,
    MatchOutcome,
    begin_match,
    count_round,
    find_leader,
    new_match,
    play_match,
    write_match,
)
from simdom.engine.playout import BY_RULE
from simdom.engine.streams import U64, entry_point
from simdom.engine.tally import Outcome

__all__ = ["compile_matches", "list_matches", "new_match_rows", "play_thinking"]

Rows = np.ndarray[Any, np.dtype[np.int64]]

OVER = -2
"""What stands in the place of the next leader when there is no next round."""


def list_matches(study: Study, target: int, start: int, stop: int) -> Rows:
    """One row a match from ``start`` to ``stop - 1``.

    Args:
        study: what is played.
        target: points that win a match, 1 to 1,000,000.
        start: number of the first match.
        stop: number of the match after the last.

    Returns:
        ndarray(int64, shape=(stop - start, 11 + sides)): the fields of `MatchOutcome`, then the
        points of each side at the end.

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    rows = new_match_rows(study, stop - start)
    digest = digest_of_sources()
    match = new_match(study.rules)
    with np.errstate(over="ignore"):  # without the JIT, numpy warns when a word wraps around
        if thinks(study):
            thinkers = new_thinkers(study)
            for at in range(stop - start):
                play_thinking(thinkers, target, start + at, rows[at : at + 1])
        else:
            table, plain, choosers, per_word = inputs_of(study)
            kernel = _match_kernel(digest, *specialisation(study.rules))
            kernel(
                *(rows, table, match, plain, target, choosers, per_word, U64(study.seed)),
                *(start, stop),
            )
    return rows


def new_match_rows(study: Study, matches: int) -> Rows:
    """Zeros for `list_matches`."""
    # Field by field in memory, as figures are read.
    return np.zeros((len(MatchOutcome._fields) + study.rules.sides, matches), np.int64).T


def compile_matches(study: Study) -> None:
    """Compile what `list_matches` needs for this study, or load it from disk, and play nothing."""
    if thinks(study):
        list_rounds(study, 0, 0)
    else:
        list_matches(study, 1, 0, 0)


def play_thinking(
    thinkers: Thinkers,
    target: int,
    number: int,
    row: Rows,
    keep: Callable[[Rows, int], None] | None = None,
) -> None:
    """Play one match round by round, and write its row.

    Args:
        thinkers: what it is played with.
        target: points that win it.
        number: of the match.
        row: of the match, as in `list_matches`; shape (1, 11 + sides). Modified in place.
        keep: called with each round's row, as in `list_rounds`, and the seat that led it whatever
            the opening rule says, or -1.

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    study, rules = thinkers.study, thinkers.rules
    match = new_match(rules)
    begin_match(match)
    pips, state = np.zeros(rules.players, np.int64), np.array([BY_RULE])
    step = _step_kernel(digest_of_sources())
    index = number * ROUND_INDICES
    while state[0] != OVER:
        leader = int(state[0])
        rounds, _ = think_rounds(thinkers, index, index + 1, leader)
        if keep is not None:
            keep(rounds, leader)
        gained = rounds[0, len(Outcome._fields) + rules.players :]
        index += 1
        step(state, row, match, rounds, pips, gained, rules, target, U64(study.seed), U64(index))


@cache
def _match_kernel(digest: int, players: int, boneyard: int) -> Callable[..., int]:
    @entry_point
    def match_kernel(
        rows: Any,
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
        for number in range(start, stop):
            play_match(
                *(table, match, fixed, target, choosers, per_word, seed, U64(number), None, 0)
            )
            write_match(rows, number - start, match, target)
        return digest

    return match_kernel


@cache
def _step_kernel(digest: int) -> Callable[..., int]:
    """Scores one round that was listed: what follows it goes into ``state``."""

    @entry_point
    def step_kernel(
        state: Any,
        row: Any,
        match: Any,
        rounds: Any,
        pips: Any,
        gained: Any,
        rules: Any,
        target: Any,
        seed: Any,
        index: Any,
    ) -> Any:
        outcome = read_row(rounds, 0, pips)
        if count_round(match, rules, target, outcome, gained):
            write_match(row, 0, match, target)
            state[0] = OVER
        else:
            state[0] = find_leader(rules, outcome, pips, seed, index)
        return digest

    return step_kernel
