"""The entry points of the compiled engine: many rounds tallied, many listed, one recorded.

Nothing here raises or prints, and the compiled code allocates nothing: a state that no round can
reach would be counted as impossible. The GIL is released throughout.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simdom.engine.ask import FAILED, SEAT
from simdom.engine.choose import Choosers, choosers_of
from simdom.engine.deal import deal_order, draws_per_word
from simdom.engine.line import Table, new_table
from simdom.engine.playout import play_round
from simdom.engine.streams import U64, compiled, entry_point
from simdom.engine.tally import Outcome, Tally, most_passes, new_tally, tally_round
from simdom.engine.think import mind_of
from simdom.engine.turns import BLOCK, DRAW, MOVE_FIELDS
from simdom.rules import TOGGLES, Rules
from simdom.strategies import FEATURES, Strategy

__all__ = ["Study", "Trace", "compile_engine", "list_rounds", "record_round", "tally_rounds"]

ROWS = 10_000  # rounds with thinking that are listed before they are tallied
MOST_UNROLLED = 4  # players up to which a kernel of its own pays for its compilation


class Study(NamedTuple):
    """What a round depends on, besides its index.

    Attributes:
        rules: checked rules.
        strategies: one for each seat.
        seed: 0 to 2**64 - 1.
    """

    rules: Rules
    strategies: tuple[Strategy, ...]
    seed: int


class Trace(NamedTuple):
    """One recorded round.

    Attributes:
        deck: ndarray(uint8, shape=(tiles,)), all tiles in the order of dealing and drawing.
        moves: ndarray(int64, shape=(turns, 6)), a row of `MOVE_FIELDS` a turn.
        outcome: how it went.
        pips: ndarray(int64, shape=(players,)), pips left by seat.
    """

    deck: np.ndarray[Any, np.dtype[np.uint8]]
    moves: np.ndarray[Any, np.dtype[np.int64]]
    outcome: Outcome
    pips: np.ndarray[Any, np.dtype[np.int64]]


def tally_rounds(study: Study, start: int, stop: int) -> Tally:
    """The tally of rounds ``start`` to ``stop - 1``.

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    tally = new_tally(study.rules)
    digest = _digest_of_sources()
    with np.errstate(over="ignore"):  # without the JIT, numpy warns when a word wraps around
        if _thinks(study):
            for at in range(start, max(stop, start + 1), ROWS):
                rows = list_rounds(study, at, min(at + ROWS, stop))
                pips = np.zeros(study.rules.players, np.int64)
                _tally_rows_kernel(digest)(tally, rows, pips, _plain(study.rules))
        else:
            kernel = _tally_kernel(digest, *_specialisation(study.rules))
            kernel(tally, *_inputs(study), U64(study.seed), start, stop)
    return tally


def list_rounds(study: Study, start: int, stop: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """One row a round from ``start`` to ``stop - 1``: the fields of `Outcome`, then pips by seat.

    Returns:
        ndarray(int64, shape=(stop - start, 12 + players)).

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    rows = np.zeros((stop - start, len(Outcome._fields) + study.rules.players), np.int64)
    if _thinks(study):
        _think(study, rows, start, stop)
    else:
        with np.errstate(over="ignore"):
            _list_kernel(_digest_of_sources())(rows, *_inputs(study), U64(study.seed), start, stop)
    return rows


def record_round(study: Study, index: int) -> Trace:
    """Play round ``index`` and keep its deck, its moves and its outcome.

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    row = np.zeros((1, len(Outcome._fields) + study.rules.players), np.int64)
    digest = _digest_of_sources()
    inputs = _inputs(study)
    table, per_word = inputs[0], inputs[-1]
    if _thinks(study):
        moves = _think(study, row, index, index + 1)
    else:
        moves = _new_moves(study.rules)
        with np.errstate(over="ignore"):
            _record_kernel(digest)(moves, row, *inputs, U64(study.seed), U64(index))
    outcome = Outcome._make(row[0, : len(Outcome._fields)].tolist())
    deck = np.zeros(study.rules.tiles, np.uint8)
    with np.errstate(over="ignore"):
        _deck_kernel(digest)(
            table.hands, table.deck, deck, U64(study.seed), U64(index), outcome.redeals, per_word
        )
    turns = int(np.argmin(moves[:, 0]))  # the row after the last turn has seat -1
    return Trace(deck, moves[:turns], outcome, row[0, len(Outcome._fields) :])


def _thinks(study: Study) -> bool:
    return any(seat.samples or seat.hook for seat in study.strategies)


def _think(
    study: Study, rows: np.ndarray[Any, np.dtype[np.int64]], start: int, stop: int
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """List rounds in which a seat samples or asks; returns the moves of the last one."""
    table, rules, choosers, per_word = _inputs(study)
    mind = mind_of(study.strategies, rules)
    moves = _new_moves(study.rules)
    with np.errstate(over="ignore"):
        _think_kernel(_digest_of_sources())(
            rows, moves, table, rules, choosers, mind, per_word, U64(study.seed), start, stop
        )
    if mind.told[FAILED]:
        hook = study.strategies[mind.told[SEAT]].hook
        if hook is not None:
            raise hook.failure(mind.told)
    return moves


def _new_moves(rules: Rules) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.zeros((rules.tiles + most_passes(rules) + 1, len(MOVE_FIELDS)), np.int64)


def compile_engine(study: Study) -> None:
    """Compile what `tally_rounds` needs for this study, or load it from disk, and play nothing."""
    tally_rounds(study, 0, 0)


def _plain(rules: Rules) -> Rules:
    """As plain integers, for numba types an enum member by its class."""
    return Rules._make(int(value) for value in rules)


def _inputs(study: Study) -> tuple[Table, Rules, Choosers | None, np.uint64]:
    plain = _plain(study.rules)
    return (
        new_table(plain),
        plain,
        choosers_of(study.strategies, plain),
        U64(draws_per_word(plain.tiles)),
    )


def _specialisation(rules: Rules) -> tuple[int, int]:
    """(players, boneyard) that are constants of the kernel for these rules; -1 for any."""
    players = rules.players if rules.players <= MOST_UNROLLED else -1
    boneyard = int(rules.boneyard) if rules.boneyard in (BLOCK, DRAW) else -1
    return players, boneyard


@cache
def _digest_of_sources() -> int:
    """A number that changes when anything does that the compiled code was made from.

    numba keeps compiled code on disk, and looks only at an entry point's own file to see whether it
    is still good. But the entry points are closures over this digest, and numba does look at what
    a closure holds.
    """
    package = Path(__file__).parent.parent
    sources = [*sorted((package / "engine").glob("*.py")), package / "tiles.py"]
    constants = [Rules._fields, [list(toggle.enum or ()) for toggle in TOGGLES.values()], FEATURES]
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    digest.update(repr(constants).encode())
    return int.from_bytes(digest.digest()[:4], "big")


@cache
def _tally_kernel(digest: int, players: int, boneyard: int) -> Callable[..., int]:
    @entry_point
    def tally_kernel(
        tally: Any,
        table: Any,
        rules: Any,
        choosers: Any,
        per_word: Any,
        seed: Any,
        start: Any,
        stop: Any,
    ) -> Any:
        fixed = fix_rules(
            rules,
            players if players >= 0 else rules.players,
            boneyard if boneyard >= 0 else rules.boneyard,
        )
        for index in range(start, stop):
            outcome = play_round(table, fixed, choosers, None, per_word, seed, U64(index), None)
            tally_round(tally, outcome, table.pips, fixed)
        return digest

    return tally_kernel


@cache
def _list_kernel(digest: int) -> Callable[..., int]:
    @entry_point
    def list_kernel(
        rows: Any,
        table: Any,
        rules: Any,
        choosers: Any,
        per_word: Any,
        seed: Any,
        start: Any,
        stop: Any,
    ) -> Any:
        for index in range(start, stop):
            outcome = play_round(table, rules, choosers, None, per_word, seed, U64(index), None)
            write_row(rows, index - start, outcome, table.pips)
        return digest

    return list_kernel


@cache
def _record_kernel(digest: int) -> Callable[..., int]:
    @entry_point
    def record_kernel(
        moves: Any,
        row: Any,
        table: Any,
        rules: Any,
        choosers: Any,
        per_word: Any,
        seed: Any,
        index: Any,
    ) -> Any:
        outcome = play_round(table, rules, choosers, None, per_word, seed, index, moves)
        write_row(row, 0, outcome, table.pips)
        return digest

    return record_kernel


@cache
def _deck_kernel(digest: int) -> Callable[..., int]:
    @entry_point
    def deck_kernel(
        hands: Any, deck: Any, order: Any, seed: Any, index: Any, redeals: Any, per_word: Any
    ) -> Any:
        deal_order(hands, deck, order, seed, index, redeals, per_word)
        return digest

    return deck_kernel


@cache
def _think_kernel(digest: int) -> Callable[..., int]:
    """The one kernel with all that thinking takes, for any rules: it is slow to compile."""

    @entry_point
    def think_kernel(
        rows: Any,
        moves: Any,
        table: Any,
        rules: Any,
        choosers: Any,
        mind: Any,
        per_word: Any,
        seed: Any,
        start: Any,
        stop: Any,
    ) -> Any:
        for index in range(start, stop):
            outcome = play_round(table, rules, choosers, mind, per_word, seed, U64(index), moves)
            write_row(rows, index - start, outcome, table.pips)
        return digest

    return think_kernel


@cache
def _tally_rows_kernel(digest: int) -> Callable[..., int]:
    @entry_point
    def tally_rows_kernel(tally: Any, rows: Any, pips: Any, rules: Any) -> Any:
        for at in range(rows.shape[0]):
            outcome = read_row(rows, at, pips)
            tally_round(tally, outcome, pips, rules)
        return digest

    return tally_rows_kernel


@compiled
def fix_rules(rules: Any, players: Any, boneyard: Any) -> Any:
    """``rules`` with this many players and this boneyard rule.

    Where these are constants, the compiler unrolls loops over seats and drops what the boneyard
    rule cannot reach.
    """
    return Rules(
        rules.max_pip,
        players,
        rules.deal,
        boneyard,
        rules.reserve,
        rules.opening,
        rules.no_double,
        rules.misdeal,
        rules.block_score,
        rules.block_tie,
        rules.double_blank_pips,
        rules.blank_pips,
    )


@compiled
def write_row(rows: Any, at: Any, outcome: Any, pips: Any) -> None:
    """Write an outcome as integers, then the pips left by seat. Modified in place."""
    rows[at, 0] = outcome.opener
    rows[at, 1] = outcome.opening_tile
    rows[at, 2] = outcome.blocked
    rows[at, 3] = outcome.winner
    rows[at, 4] = outcome.least
    rows[at, 5] = outcome.plays
    rows[at, 6] = outcome.draws
    rows[at, 7] = outcome.passes
    rows[at, 8] = outcome.redeals
    rows[at, 9] = outcome.no_double
    rows[at, 10] = outcome.stuck
    rows[at, 11] = outcome.impossible
    for seat in range(pips.size):
        rows[at, 12 + seat] = pips[seat]


@compiled
def read_row(rows: Any, at: Any, pips: Any) -> Any:
    """The `Outcome` that `write_row` wrote, and the pips into ``pips``. Modified in place."""
    for seat in range(pips.size):
        pips[seat] = rows[at, 12 + seat]
    return Outcome(
        opener=rows[at, 0],
        opening_tile=rows[at, 1],
        blocked=rows[at, 2] != 0,
        winner=rows[at, 3],
        least=rows[at, 4],
        plays=rows[at, 5],
        draws=rows[at, 6],
        passes=rows[at, 7],
        redeals=rows[at, 8],
        no_double=rows[at, 9] != 0,
        stuck=rows[at, 10] != 0,
        impossible=rows[at, 11] != 0,
    )
