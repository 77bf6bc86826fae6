"""The entry points of the compiled engine: many rounds tallied, many listed, one recorded.

Nothing here raises or prints, and the compiled code allocates nothing: a state that no round can
reach would be counted as impossible. The GIL is released throughout.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simdom.engine.ask import FAILED, SEAT
from simdom.engine.choose import Choosers, choosers_of
from simdom.engine.deal import deal_order, draws_per_word
from simdom.engine.hands import add_tile
from simdom.engine.line import Table, new_table
from simdom.engine.playout import BY_RULE, judge_round, play_round
from simdom.engine.scoring import NO_NUMBER, share_points
from simdom.engine.scoring import SEAT as SEAT_OF_LAST
from simdom.engine.streams import U64, compiled, entry_point
from simdom.engine.tally import Outcome, Tally, most_passes, new_tally, tally_round
from simdom.engine.think import Mind, mind_of
from simdom.engine.turns import BLOCK, DRAW, MOVE_FIELDS
from simdom.rules import TOGGLES, Rules
from simdom.strategies import FEATURES, Strategy

__all__ = [
    "Last",
    "Study",
    "Trace",
    "compile_engine",
    "judge_end",
    "list_rounds",
    "record_round",
    "tally_rounds",
]

ROWS = 10_000  # rounds with thinking that are listed before they are tallied
AFTER_BONEYARD = Rules._fields.index("boneyard") + 1
MOST_UNROLLED = 4  # players up to which a kernel of its own pays for its compilation


Inputs = tuple[Table, Rules, Choosers | None, np.uint64]


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


class Last(NamedTuple):
    """The last tile placed in a round.

    Attributes:
        seat: who placed it.
        fitted: its number that fitted; of a lead, the lower one.
        other: its other number.
        kept: the number of the other end of the line; None for a lead.
    """

    seat: int
    fitted: int
    other: int
    kept: int | None


class Trace(NamedTuple):
    """One recorded round.

    Attributes:
        deck: ndarray(uint8, shape=(tiles,)), all tiles in the order of dealing and drawing.
        moves: ndarray(int64, shape=(turns, 6)), a row of `MOVE_FIELDS` a turn.
        outcome: how it went.
        pips: ndarray(int64, shape=(players,)), pips left by seat.
        gained: ndarray(int64, shape=(players,)), points gained by seat.
        last: the last tile placed.
        pass_rounds: how often each seat played, saw all others pass and played again; 0 if the
            rules give nothing for it.
    """

    deck: np.ndarray[Any, np.dtype[np.uint8]]
    moves: np.ndarray[Any, np.dtype[np.int64]]
    outcome: Outcome
    pips: np.ndarray[Any, np.dtype[np.int64]]
    gained: np.ndarray[Any, np.dtype[np.int64]]
    last: Last
    pass_rounds: list[int]


def row_length(rules: Rules) -> int:
    """Columns of `list_rounds`."""
    return len(Outcome._fields) + 2 * rules.players


def tally_rounds(study: Study, start: int, stop: int) -> Tally:
    """The tally of rounds ``start`` to ``stop - 1``.

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    tally = new_tally(study.rules)
    digest = digest_of_sources()
    with np.errstate(over="ignore"):  # without the JIT, numpy warns when a word wraps around
        if thinks(study):
            for at in range(start, max(stop, start + 1), ROWS):
                rows = list_rounds(study, at, min(at + ROWS, stop))
                tally_rows(tally, rows, study.rules)
        else:
            kernel = _tally_kernel(digest, *specialisation(study.rules))
            kernel(tally, *inputs_of(study), U64(study.seed), start, stop)
    return tally


def tally_rows(tally: Tally, rows: np.ndarray[Any, np.dtype[np.int64]], rules: Rules) -> None:
    """Count rounds that `list_rounds` has listed. ``tally`` is modified in place."""
    pips = np.zeros(rules.players, np.int64)
    _tally_rows_kernel(digest_of_sources())(tally, rows, pips, plain_rules(rules))


def list_rounds(
    study: Study, start: int, stop: int, leader: int = BY_RULE
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """One row a round from ``start`` to ``stop - 1``.

    Args:
        study: what is played.
        start: index of the first round.
        stop: index after the last.
        leader: the seat that leads any tile, whatever the opening rule says; -1 for that rule.

    Returns:
        ndarray(int64, shape=(stop - start, 16 + 2 * players)): the fields of `Outcome`, then pips
        left by seat, then points gained by seat.

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    if thinks(study):
        return think_rounds(new_thinkers(study), start, stop, leader)[0]
    rows = np.zeros((stop - start, row_length(study.rules)), np.int64)
    with np.errstate(over="ignore"):
        kernel = _list_kernel(digest_of_sources())
        kernel(rows, *inputs_of(study), U64(study.seed), start, stop, leader)
    return rows


def record_round(study: Study, index: int, leader: int = BY_RULE) -> Trace:
    """Play round ``index`` and keep its deck, its moves and its outcome; as `list_rounds`.

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    digest = digest_of_sources()
    if thinks(study):
        thinkers = new_thinkers(study)
        inputs = thinkers.inputs
        row, moves = think_rounds(thinkers, index, index + 1, leader)
    else:
        inputs = inputs_of(study)
        row = np.zeros((1, row_length(study.rules)), np.int64)
        moves = _new_moves(study.rules)
        with np.errstate(over="ignore"):
            _record_kernel(digest)(moves, row, *inputs, U64(study.seed), U64(index), leader)
    table, per_word = inputs[0], inputs[-1]
    outcome = Outcome._make(row[0, : len(Outcome._fields)].tolist())
    deck = np.zeros(study.rules.tiles, np.uint8)
    with np.errstate(over="ignore"):
        _deck_kernel(digest)(
            table.hands, table.deck, deck, U64(study.seed), U64(index), outcome.redeals, per_word
        )
    turns = int(np.argmin(moves[:, 0]))  # the row after the last turn has seat -1
    pips, gained = np.split(row[0, len(Outcome._fields) :], 2)
    fitted, other, kept, seat = table.last.tolist()
    last = Last(seat, fitted, other, None if kept == NO_NUMBER else kept)
    return Trace(deck, moves[:turns], outcome, pips, gained, last, table.pass_rounds.tolist())


def judge_end(
    rules: Rules,
    hands_left: Sequence[Sequence[int]],
    *,
    opener: int,
    last: Last,
    is_blocked: bool,
    pass_rounds: Sequence[int] | None,
) -> tuple[int, int, list[int], list[int]]:
    """(winner or -1, points, pips by seat, points gained by seat) of a round that is over.

    The arguments are those of `simdom.settling.settle_round`.
    """
    plain = plain_rules(rules)
    table = new_table(plain)
    kept = NO_NUMBER if last.kept is None else last.kept
    table.last[:] = last.fitted, last.other, kept, last.seat
    if pass_rounds is not None:
        table.pass_rounds[:] = pass_rounds
    places = np.full(rules.tiles, -1, np.int64)
    for seat, hand in enumerate(hands_left):
        places[list(hand)] = seat
    row = np.zeros((1, row_length(rules)), np.int64)
    with np.errstate(over="ignore"):
        _judge_kernel(digest_of_sources())(row, table, plain, places, opener, is_blocked)
    outcome = Outcome._make(row[0, : len(Outcome._fields)].tolist())
    pips, gained = np.split(row[0, len(Outcome._fields) :], 2)
    return outcome.winner, outcome.points, pips.tolist(), gained.tolist()


def thinks(study: Study) -> bool:
    """Whether a seat samples or is a function: then one kernel plays, whatever the rules."""
    return any(seat.samples or seat.hook for seat in study.strategies)


class Thinkers(NamedTuple):
    """What rounds of a study that thinks are played with. Memory for one thread.

    Attributes:
        study: what is played.
        inputs: as `inputs_of` makes them.
        mind: what the seats that think need.
        moves: room for the moves of a round.
    """

    study: Study
    inputs: Inputs
    mind: Mind
    moves: np.ndarray[Any, np.dtype[np.int64]]

    @property
    def rules(self) -> Rules:
        """The rules as plain integers."""
        return self.inputs[1]


def new_thinkers(study: Study) -> Thinkers:
    """What `think_rounds` needs."""
    inputs = inputs_of(study)
    return Thinkers(study, inputs, mind_of(study.strategies, inputs[1]), _new_moves(study.rules))


def think_rounds(
    thinkers: Thinkers, start: int, stop: int, leader: int = BY_RULE
) -> tuple[np.ndarray[Any, np.dtype[np.int64]], np.ndarray[Any, np.dtype[np.int64]]]:
    """Rows as `list_rounds` gives them, of a study that thinks, and the moves of the last round.

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    study, (table, rules, choosers, per_word), mind, moves = thinkers
    rows = np.zeros((stop - start, row_length(study.rules)), np.int64)
    with np.errstate(over="ignore"):
        _think_kernel(digest_of_sources())(
            *(rows, moves, table, rules, choosers, mind, per_word),
            *(U64(study.seed), start, stop, leader),
        )
    if mind.told[FAILED]:
        hook = study.strategies[mind.told[SEAT]].hook
        if hook is not None:
            raise hook.failure(mind.told)
    return rows, moves


def _new_moves(rules: Rules) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.zeros((rules.tiles + most_passes(rules) + 1, len(MOVE_FIELDS)), np.int64)


def compile_engine(study: Study) -> None:
    """Compile what `tally_rounds` needs for this study, or load it from disk, and play nothing."""
    tally_rounds(study, 0, 0)


def plain_rules(rules: Rules) -> Rules:
    """As plain integers, for numba types an enum member by its class."""
    return Rules._make(int(value) for value in rules)


def inputs_of(study: Study) -> Inputs:
    """(table, plain rules, choosers or None, `draws_per_word`), as kernels take them."""
    plain = plain_rules(study.rules)
    return (
        new_table(plain),
        plain,
        choosers_of(study.strategies, plain),
        U64(draws_per_word(plain.tiles)),
    )


def specialisation(rules: Rules) -> tuple[int, int]:
    """(players, boneyard) that are constants of the kernel for these rules; -1 for any."""
    players = rules.players if rules.players <= MOST_UNROLLED else -1
    boneyard = int(rules.boneyard) if rules.boneyard in (BLOCK, DRAW) else -1
    return players, boneyard


@cache
def digest_of_sources() -> int:
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
        fixed = fix_rules(rules, players, boneyard)
        for index in range(start, stop):
            outcome = play_round(
                table, fixed, choosers, None, per_word, seed, U64(index), BY_RULE, None
            )
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
        leader: Any,
    ) -> Any:
        for index in range(start, stop):
            outcome = play_round(
                table, rules, choosers, None, per_word, seed, U64(index), leader, None
            )
            write_row(rows, index - start, outcome, table, rules)
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
        leader: Any,
    ) -> Any:
        outcome = play_round(table, rules, choosers, None, per_word, seed, index, leader, moves)
        write_row(row, 0, outcome, table, rules)
        return digest

    return record_kernel


@cache
def _judge_kernel(digest: int) -> Callable[..., int]:
    @entry_point
    def judge_kernel(
        row: Any, table: Any, rules: Any, places: Any, opener: Any, blocked: Any
    ) -> Any:
        for tile in range(places.size):
            if places[tile] >= 0:
                add_tile(table.hands, U64(places[tile]), U64(tile))
        outcome = judge_round(table, rules, opener, table.last[SEAT_OF_LAST], blocked)
        write_row(row, 0, outcome, table, rules)
        return digest

    return judge_kernel


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
        leader: Any,
    ) -> Any:
        for index in range(start, stop):
            outcome = play_round(
                table, rules, choosers, mind, per_word, seed, U64(index), leader, moves
            )
            write_row(rows, index - start, outcome, table, rules)
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
    """``rules`` with this many players and this boneyard rule; -1 leaves what is there.

    Where these are constants, the compiler unrolls loops over seats and drops what the boneyard
    rule cannot reach.
    """
    return Rules(
        rules.max_pip,
        players if players >= 0 else rules.players,
        rules.deal,
        boneyard if boneyard >= 0 else rules.boneyard,
        *rules[AFTER_BONEYARD:],
    )


@compiled
def write_row(rows: Any, at: Any, outcome: Any, table: Any, rules: Any) -> None:
    """Write an outcome as integers, then pips left and points gained by seat. Modified in place."""
    share_points(table, rules, outcome)
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
    rows[at, 12] = outcome.points
    rows[at, 13] = outcome.minus_own
    rows[at, 14] = outcome.others
    rows[at, 15] = outcome.all_hands
    for seat in range(rules.players):
        rows[at, 16 + seat] = table.pips[seat]
        rows[at, 16 + rules.players + seat] = table.gained[seat]


@compiled
def read_row(rows: Any, at: Any, pips: Any) -> Any:
    """The `Outcome` that `write_row` wrote, and the pips into ``pips``. Modified in place."""
    for seat in range(pips.size):
        pips[seat] = rows[at, 16 + seat]
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
        points=rows[at, 12],
        minus_own=rows[at, 13],
        others=rows[at, 14],
        all_hands=rows[at, 15],
    )
