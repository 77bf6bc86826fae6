"""A position from outside the engine: what its seats have shown, its worlds, its placements.

Here a position is set up from what one seat knows of it, turn by turn, as rounds that are played
set it up themselves. Then its worlds can be listed, to be counted exactly, and its placements
weighed, as a strategy that samples weighs them. Nothing of a round is played but in worlds.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from simdom.engine.choose import Choosers, weigh_all
from simdom.engine.hands import HIGH, LOW, add_tile, clear_hands
from simdom.engine.kernels import digest_of_sources, plain_rules
from simdom.engine.known import MOST_LOTS, forget_voids, show_lots, show_placement, show_void
from simdom.engine.line import Table, new_table
from simdom.engine.playout import FIRST_TURN
from simdom.engine.scoring import SEAT as SEAT_OF_LAST
from simdom.engine.streams import CHOICE, GOLDEN, U64, entry_point, stream_key
from simdom.engine.think import (
    IS_EVERY,
    IS_SEARCHED,
    LOOKS,
    NOT_PLAYED,
    Mind,
    Notes,
    begin_thinking,
    list_placements,
    mind_of,
    weigh_placements,
)
from simdom.engine.turns import Position
from simdom.engine.worlds import (
    ALL_LOTS,
    BINS,
    ITEMS,
    MOST_BINS,
    MOST_STATES,
    NOT_HELD,
    STATES,
    list_bins,
    list_tiles,
)
from simdom.rules import Rules
from simdom.strategies import Strategy

__all__ = [
    "MOST_BINS",
    "NOT_PLAYED",
    "Bin",
    "Item",
    "Listed",
    "Scene",
    "Setting",
    "Weighed",
    "list_worlds",
    "set_scene",
    "weigh",
]

SEAT, END_0, END_1, PLAYS, DRAWS, PASSES, DRAWABLE, CLOSING_PASSES = range(8)


class Scene(NamedTuple):
    """A position as one seat knows it.

    Attributes:
        rules: of the round.
        seat: who asks.
        opener: who led; before the lead, who leads.
        decider: the tile that decided who opens, if one did; else 0.
        by_tile: `simdom.engine.worlds.DECIDES`, `IS_MISSING` or 0.
        turns: of all seats so far: (seat, tiles drawn, tile played or -1, open ends after it), the
            ends in the order of the line.
        hand: the tiles that the seat holds.
        held: how many tiles each seat holds.
        closing: passes in a row that count towards a block.
        last: the seat that placed the last tile; -1 before.
        pass_rounds: how often each seat played, saw all others pass and played again.
    """

    rules: Rules
    seat: int
    opener: int
    decider: int
    by_tile: int
    turns: Sequence[tuple[int, int, int, tuple[int, int]]]
    hand: Sequence[int]
    held: Sequence[int]
    closing: int
    last: int
    pass_rounds: Sequence[int]


class Setting(NamedTuple):
    """A scene in the engine's memory.

    Attributes:
        scene: what was set.
        strategy: by which the seat weighs.
        rules: as plain integers.
        table: as it stands; what others hold there is of the right size, and means nothing.
        choosers: of all seats.
        mind: that has seen all turns.
        state: ndarray(int64, shape=(8,)), the `Position`.
    """

    scene: Scene
    strategy: Strategy
    rules: Rules
    table: Table
    choosers: Choosers
    mind: Mind
    state: np.ndarray[Any, np.dtype[np.int64]]


class Bin(NamedTuple):
    """A lot of tiles that came to a seat together, see `simdom.engine.known`."""

    seat: int
    lot: int
    size: int


class Item(NamedTuple):
    """A tile that lies in one of some bins, as bits, or in the boneyard if that ``may_be_left``.

    Of a tile that ``was_played`` it is asked from which lot it came.
    """

    tile: int
    bins: int
    may_be_left: bool
    was_played: bool


class Listed(NamedTuple):
    """All that the worlds of a scene are made of.

    Attributes:
        bins: of the other seats.
        items: tiles that were played from one of several lots, then the unseen ones by id.
        doubles: that each seat was certainly dealt and has played.
    """

    bins: list[Bin]
    items: list[Item]
    doubles: list[int]


class Weighed(NamedTuple):
    """What a seat that samples makes of its placements.

    Attributes:
        placements: (tile, end 0 or 1), in the engine's order.
        best: the number of the one that it plays.
        values: what each gains by the strategy's aim, in all worlds together.
        winners: ndarray(int8, shape=(looks, placements)), see `Notes`.
        points: ndarray(int64, shape=(looks, placements)), see `Notes`.
        is_every: whether each world was looked at once.
        is_searched: whether they were searched to their end.
        is_by_hand: whether all lots of a hand were taken as one, for there are too many.
        is_numbered: whether worlds were drawn by their number, each as likely as any other.
    """

    placements: list[tuple[int, int]]
    best: int
    values: list[int]
    winners: np.ndarray[Any, np.dtype[np.int8]]
    points: np.ndarray[Any, np.dtype[np.int64]]
    is_every: bool
    is_searched: bool
    is_by_hand: bool
    is_numbered: bool


def set_scene(scene: Scene, strategy: Strategy) -> Setting:
    """Show the engine all turns of a scene; all seats are thought to play by ``strategy``."""
    rules = plain_rules(scene.rules)
    strategies = (strategy,) * rules.players
    setting = Setting(
        scene=scene,
        strategy=strategy,
        rules=rules,
        table=new_table(rules),
        choosers=weigh_all(strategies, rules),
        mind=mind_of(strategies, rules),
        state=_state_of(scene),
    )
    setting.table.pass_rounds[:] = scene.pass_rounds
    setting.table.last[SEAT_OF_LAST] = scene.last
    rows = [(seat, drawn, tile, *ends) for seat, drawn, tile, ends in scene.turns]
    moves = np.array(rows, np.int64).reshape(-1, 5)
    places = _place_tiles(scene)
    with np.errstate(over="ignore"):  # without the JIT, numpy warns when a word wraps around
        _watch_kernel(digest_of_sources())(
            *(setting.table, rules, setting.mind, moves, places),
            *(scene.opener, U64(scene.decider), scene.by_tile),
        )
    return setting


def _state_of(scene: Scene) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The `Position` before the next turn, which is the asking seat's or another's."""
    ends = scene.turns[-1][3] if scene.turns else (0, 0)
    plays = sum(tile >= 0 for _, _, tile, _ in scene.turns)
    draws = sum(drawn for _, drawn, _, _ in scene.turns)
    drawable = 0
    if scene.rules.boneyard and plays:
        drawable = scene.rules.boneyard_size - scene.rules.reserve - draws
    passes = len(scene.turns) - plays
    state = [scene.seat, *ends, plays, draws, passes, drawable, scene.closing]
    return np.array(state, np.int64)


def _place_tiles(scene: Scene) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Who holds each tile: the asking seat's own, the line's, and anyhow those of the others."""
    places = np.full(scene.rules.tiles, -1, np.int64)
    places[[tile for _, _, tile, _ in scene.turns if tile >= 0]] = scene.rules.players
    places[list(scene.hand)] = scene.seat
    hidden = iter(np.flatnonzero(places < 0).tolist())
    for seat, held in enumerate(scene.held):
        if seat != scene.seat:
            places[[next(hidden) for _ in range(held)]] = seat
    return places


def list_worlds(setting: Setting) -> Listed | None:
    """What the worlds are made of that agree with a scene; None if there are too many lots."""
    worlds, shown = setting.mind.worlds, setting.mind.shown
    seat = setting.scene.seat
    lots = [
        int(np.count_nonzero(shown.sizes[owner, : shown.lots[owner]]))
        for owner in range(setting.rules.players)
        if owner != seat
    ]
    if sum(lots) > MOST_BINS or max(shown.lots) == MOST_LOTS:
        return None
    with np.errstate(over="ignore"):
        _list_kernel(digest_of_sources())(worlds, shown, setting.table, setting.rules, U64(seat))
    bins = [
        Bin(*map(int, row))
        for row in zip(worlds.seats[: worlds.facts[BINS]], worlds.lots, worlds.sizes, strict=False)
    ]
    items = []
    for at in range(worlds.facts[ITEMS]):
        allowed = int(worlds.allowed[at])
        left = 1 << int(NOT_HELD)
        is_left, was_played = bool(allowed & left), bool(worlds.played[at])
        items.append(Item(int(worlds.tiles[at]), allowed & ~left, is_left, was_played))
    return Listed(bins, items, shown.doubles.tolist())


def weigh(setting: Setting, seed: int, index: int) -> Weighed:
    """Weigh the placements of the asking seat, whose turn it is and who can play.

    Args:
        setting: a scene.
        seed: of the lots, 0 to 2**64 - 1.
        index: of the round whose lots are drawn: those that a strategy which samples draws at this
            turn of that round.
    """
    looks = setting.strategy.samples
    count = 2 * len(setting.scene.hand)  # each tile fits at most both ends
    notes = Notes(
        winners=np.zeros((looks, count), np.int8),
        points=np.zeros((looks, count), np.int64),
        facts=np.zeros(3, np.int64),
    )
    chosen = np.zeros(2, np.int64)
    turn = len(setting.scene.turns)
    with np.errstate(over="ignore"):
        key = U64(stream_key(U64(seed), CHOICE, U64(index)))
        counter = U64(key + FIRST_TURN + U64(turn) * GOLDEN)
        _weigh_kernel(digest_of_sources())(
            *(setting.table, setting.rules, setting.choosers, setting.mind),
            *(setting.state, counter, notes, chosen),
        )
    mind, (best, count) = setting.mind, chosen.tolist()
    looks = int(notes.facts[LOOKS])
    ids = {
        (int(low), int(high)): tile for tile, (low, high) in enumerate(zip(LOW, HIGH, strict=True))
    }
    pairs = zip(mind.fits[:count].tolist(), mind.other[:count].tolist(), strict=True)
    tiles = [ids[min(pair), max(pair)] for pair in pairs]
    return Weighed(
        placements=list(zip(tiles, map(int, mind.on_end_1[:count]), strict=True)),
        best=best,
        values=mind.values[:count].tolist(),
        winners=notes.winners[:looks, :count],
        points=notes.points[:looks, :count],
        is_every=bool(notes.facts[IS_EVERY]),
        is_searched=bool(notes.facts[IS_SEARCHED]),
        is_by_hand=bool(np.any(mind.worlds.lots[: mind.worlds.facts[BINS]] == ALL_LOTS)),
        is_numbered=bool(mind.worlds.facts[STATES] <= MOST_STATES),
    )


@cache
def _watch_kernel(digest: int) -> Callable[..., int]:
    @entry_point
    def watch_kernel(
        table: Any,
        rules: Any,
        mind: Any,
        moves: Any,
        places: Any,
        opener: Any,
        decider: Any,
        by_tile: Any,
    ) -> Any:
        clear_hands(table.hands, rules.players)
        for tile in range(places.size):
            if places[tile] >= 0:
                add_tile(table.hands, U64(places[tile]), U64(tile))
        forget_voids(table.voids, rules.players)
        begin_thinking(mind, rules, opener, LOW[decider], HIGH[decider], by_tile)
        for at in range(moves.shape[0]):
            seat, drawn, tile = moves[at, 0], moves[at, 1], moves[at, 2]
            if at > 0 and (drawn > 0 or tile < 0):
                numbers = (U64(1) << U64(moves[at - 1, 3])) | (U64(1) << U64(moves[at - 1, 4]))
                kept = drawn - np.int64(drawn > 0 and tile >= 0)
                show_void(table.voids, seat, numbers, kept, rules.boneyard)
                show_lots(mind.shown, seat, numbers, kept, rules.boneyard)
            if tile >= 0 and drawn == 0:
                show_placement(mind.shown, seat, LOW[tile], HIGH[tile])
        return digest

    return watch_kernel


@cache
def _list_kernel(digest: int) -> Callable[..., int]:
    @entry_point
    def list_kernel(worlds: Any, shown: Any, table: Any, rules: Any, seat: Any) -> Any:
        list_bins(worlds, shown, table, rules, seat, True)  # noqa: FBT003 -- inlined, by position
        list_tiles(worlds, shown, table, rules, seat, True)  # noqa: FBT003
        return digest

    return list_kernel


@cache
def _weigh_kernel(digest: int) -> Callable[..., int]:
    @entry_point
    def weigh_kernel(
        table: Any,
        rules: Any,
        choosers: Any,
        mind: Any,
        state: Any,
        counter: Any,
        notes: Any,
        chosen: Any,
    ) -> Any:
        position = Position(
            U64(state[SEAT]),
            U64(state[END_0]),
            U64(state[END_1]),
            state[PLAYS],
            state[DRAWS],
            state[PASSES],
            state[DRAWABLE],
            state[CLOSING_PASSES],
            over=False,
        )
        count = list_placements(table, rules, mind, position)
        chosen[0] = weigh_placements(table, rules, choosers, mind, position, counter, count, notes)
        chosen[1] = count
        return digest

    return weigh_kernel
