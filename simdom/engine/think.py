"""How a seat chooses that samples: it plays each placement on, in worlds that it holds possible.

A world says where the hidden tiles lie (`simdom.engine.worlds`). In each, and from each placement,
the round is played to its end, every seat by the weights of the seat that thinks; all placements
meet the same worlds and the same random words. If there are no more worlds than samples, each of
them is taken once, and where few tiles are left, and none to draw, the round is not played by
weights but searched to its end, every seat doing its best. A placement is worth what it gains in
all worlds together; among the best the turn's own word decides, as it does among equal scores.

Look n, from 0, has the key ``mix(counter + (n + 1) * GOLDEN) ^ WORLD``, of the turn's counter. A
world that is not one of all is found by the next key, ``mix(key + GOLDEN)``, and by the next again,
up to a hundred times, if the misdeal rule would not have played it or a tile is where it cannot be;
after that it is taken as it is. Of a world's key k, the boneyard is settled tile by tile by the
words of stream ``mix(k ^ PLAY)``, and ``mix(k)`` is the counter of the turn from which the round is
played on.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from simdom.engine.ask import ask_for_placement, new_view
from simdom.engine.choose import Choosers, placement_of, weigh_all
from simdom.engine.deal import Shuffle
from simdom.engine.hands import (
    hand_size,
    is_empty,
    new_hands,
    nth_tile,
    tile_number,
    toggle_tile,
)
from simdom.engine.known import Shown, forget_shown, new_shown
from simdom.engine.line import MAX_PLACEMENTS, Table, new_table, rows_that_fit
from simdom.engine.scoring import (
    NOBODY,
    PAIRS,
    PER_HEAVIER,
    SEAT,
    award,
    end_of_round,
    goes_out_with_bonus,
    is_with,
    note_last,
    share_points,
)
from simdom.engine.streams import (
    GOLDEN,
    U64,
    compiled,
    compiled_apart,
    draw_below,
    fraction_of,
    mix,
)
from simdom.engine.turns import Position, lead_tile, take_turns
from simdom.engine.worlds import (
    BONEYARD,
    BY_TILE,
    DECIDER,
    DECIDES,
    FIRST,
    IS_MISSING,
    OPENER,
    Worlds,
    count_worlds,
    draw_world,
    new_worlds,
)
from simdom.rules import Opening, Rules
from simdom.strategies import AIMS, Strategy

__all__ = [
    "DECIDES",
    "IS_MISSING",
    "Mind",
    "Notes",
    "begin_thinking",
    "list_placements",
    "mind_of",
    "think",
    "weigh_placements",
]

POINTS, WIN = AIMS.index("points"), AIMS.index("win")
NAMED_DOUBLE = int(Opening.NAMED_DOUBLE)
MOST_SEARCHED = 8  # tiles in all hands together
MOST_TRIES = 100  # for a world that can have been
_0, _1, _11 = U64(0), U64(1), U64(11)
UNIT = 1.0 / 9007199254740992.0  # 2**-53
LAST, END_0, END_1, CLOSING, LEFT, TRIED, HAS_GAIN = range(7)
LOOKS, IS_EVERY, IS_SEARCHED = range(3)
NOT_PLAYED = -2
ON_END_1 = U64(32)
WORLD, PLAY = U64(0x5EED0001), U64(0x5EED0002)


class Mind(NamedTuple):
    """What the seats that sample need. Memory for one thread.

    Attributes:
        thinks: ndarray(bool, shape=(players,)), whether the seat samples or has a function.
        samples: ndarray(int64, shape=(players,)), worlds that the seat looks at; 0 for none.
        aims: ndarray(int64, shape=(players,)), index in `simdom.strategies.AIMS`.
        shown: what all seats have shown in the round that is played.
        worlds: that agree with it.
        model: the weights of the seat that thinks, for every seat.
        model_of: ndarray(int64, shape=(1,)), that seat.
        hands: a world's hands, as `Table.hands`.
        pool: ndarray(uint8, shape=(tiles,)), a world's boneyard.
        stage: the table at which worlds are played.
        fits, other, on_end_1: ndarray(uint64, shape=(256,)), the placements.
        values: ndarray(int64, shape=(256,)), what they gain in all worlds together.
        tree: ndarray(uint64, shape=(turns, 7)), a search: where it stands, turn by turn.
        gains: ndarray(int64, shape=(turns, players + 2)), what each seat gains from that turn on;
            where notes are taken, then who wins, and the thinker's points.
        asks: ndarray(int64, shape=(players,)), the address of the seat's function; 0 for none.
        told: what such a function is given, see `simdom.engine.ask`.
        told_at: ndarray(int64, shape=(1,)), its address.
    """

    thinks: np.ndarray[Any, np.dtype[np.bool_]]
    samples: np.ndarray[Any, np.dtype[np.int64]]
    aims: np.ndarray[Any, np.dtype[np.int64]]
    shown: Shown
    worlds: Worlds
    model: Choosers
    model_of: np.ndarray[Any, np.dtype[np.int64]]
    hands: np.ndarray[Any, Any]
    pool: np.ndarray[Any, np.dtype[np.uint8]]
    stage: Table
    fits: np.ndarray[Any, np.dtype[np.uint64]]
    other: np.ndarray[Any, np.dtype[np.uint64]]
    on_end_1: np.ndarray[Any, np.dtype[np.uint64]]
    values: np.ndarray[Any, np.dtype[np.int64]]
    tree: np.ndarray[Any, np.dtype[np.uint64]]
    gains: np.ndarray[Any, np.dtype[np.int64]]
    asks: np.ndarray[Any, np.dtype[np.int64]]
    told: np.ndarray[Any, np.dtype[np.int64]]
    told_at: np.ndarray[Any, np.dtype[np.int64]]


class Notes(NamedTuple):
    """What came of each placement in each world, for whoever asks how a choice was made.

    Attributes:
        winners: ndarray(int8, shape=(looks, placements)), a seat, `NOBODY`, or `NOT_PLAYED` where
            such a world would not have been played.
        points: ndarray(int64, shape=(looks, placements)), what the seat gains in points, whatever
            it aims at.
        facts: ndarray(int64, shape=(3,)): how many worlds were looked at, whether these are all of
            them, and whether they were searched to their end.
    """

    winners: np.ndarray[Any, np.dtype[np.int8]]
    points: np.ndarray[Any, np.dtype[np.int64]]
    facts: np.ndarray[Any, np.dtype[np.int64]]


def mind_of(strategies: Sequence[Strategy], rules: Rules) -> Mind:
    """Memory for the seats that think."""
    model = weigh_all(strategies, rules)
    told = new_view(rules)
    most_turns = (MOST_SEARCHED + 1) * rules.players + 2
    return Mind(
        thinks=np.array([bool(one.samples or one.hook) for one in strategies], np.bool_),
        samples=np.array([strategy.samples for strategy in strategies], np.int64),
        aims=np.array([AIMS.index(strategy.aim) for strategy in strategies], np.int64),
        shown=new_shown(rules),
        worlds=new_worlds(rules),
        model=model,
        model_of=np.full(1, -1, np.int64),
        hands=new_hands(rules.max_pip, rules.players),
        pool=np.zeros(rules.tiles, np.uint8),
        stage=new_table(rules),
        fits=np.zeros(MAX_PLACEMENTS, np.uint64),
        other=np.zeros(MAX_PLACEMENTS, np.uint64),
        on_end_1=np.zeros(MAX_PLACEMENTS, np.uint64),
        values=np.zeros(MAX_PLACEMENTS, np.int64),
        tree=np.zeros((most_turns, 7), np.uint64),
        gains=np.zeros((most_turns, rules.players + 2), np.int64),
        asks=np.array([one.hook.address if one.hook else 0 for one in strategies], np.int64),
        told=told,
        told_at=np.array([told.ctypes.data], np.int64),
    )


@compiled
def begin_thinking(mind: Any, rules: Any, opener: Any, low: Any, high: Any, by_tile: Any) -> None:
    """Begin a round: nothing is shown but who opens, and by which tile. Modified in place."""
    forget_shown(mind.shown, rules.players, rules.deal)
    is_named = rules.opening == NAMED_DOUBLE
    mind.worlds.facts[BY_TILE] = by_tile
    mind.worlds.facts[DECIDER] = np.int64(tile_number(low, high))
    mind.worlds.facts[FIRST] = rules.named_double if is_named else rules.max_pip
    mind.worlds.facts[OPENER] = opener


@compiled_apart
def think(table: Any, rules: Any, choosers: Any, mind: Any, position: Any, counter: Any) -> Any:
    """Choose among all placements of ``position.seat``, or among its tiles before the first.

    Returns:
        (whether it is on end 1, the number that fits, the other number of the tile), a bool and
        uint64; a lead fits by its lower number.
    """
    seat = position.seat
    count = list_placements(table, rules, mind, position)
    if count == 1:
        return mind.on_end_1[0] == _1, mind.fits[0], mind.other[0]
    if mind.asks[seat] != 0:
        asked = ask_for_placement(table, rules, mind, position, count, counter)
        return mind.on_end_1[asked] == _1, mind.fits[asked], mind.other[asked]
    best = weigh_placements(table, rules, choosers, mind, position, counter, count, None)
    return mind.on_end_1[best] == _1, mind.fits[best], mind.other[best]


@compiled
def weigh_placements(
    table: Any,
    rules: Any,
    choosers: Any,
    mind: Any,
    position: Any,
    counter: Any,
    count: Any,
    notes: Any,
) -> Any:
    """The number of the best of the ``count`` placements that are listed in ``mind``.

    ``notes``, None or `Notes` with room for the seat's samples, is modified in place.
    """
    seat = position.seat
    _take_model(mind, choosers, np.int64(seat))
    for n in range(count):
        mind.values[n] = 0
    total = count_worlds(mind.worlds, mind.shown, table, rules, seat)
    is_every = total <= np.float64(mind.samples[seat])
    looks = np.int64(total) if is_every else mind.samples[seat]
    tiles: Any = 0
    for owner in range(rules.players + 1):
        copy_hand(table.hands, mind.hands, owner)
        if owner < rules.players:
            tiles += np.int64(hand_size(table.hands, U64(owner)))
    is_searched = is_every and position.drawable == 0 and position.plays > 0
    is_searched = is_searched and tiles <= MOST_SEARCHED and not has_lasting_bonus(rules)
    if notes is not None:
        notes.facts[LOOKS], notes.facts[IS_EVERY] = looks, is_every
        notes.facts[IS_SEARCHED] = is_searched
    for look in range(looks):
        key = mix(counter + U64(look + 1) * GOLDEN) ^ WORLD
        is_played = False
        for _ in range(1 if is_every else MOST_TRIES):
            target = np.float64(look)
            if not is_every:
                key = mix(key + GOLDEN)
                target = np.floor(np.float64(key >> _11) * UNIT * total)
            is_played = draw_world(
                mind.worlds, mind.shown, rules, target, total, key, mind.hands, mind.pool
            )
            if is_played:
                break
        if is_played or not is_every:
            for n in range(count):
                mind.values[n] += _play_on(
                    table, rules, mind, position, n, key, is_searched, look, notes
                )
        elif notes is not None:
            for n in range(count):
                notes.winners[look, n] = NOT_PLAYED
    return _pick_best(mind.values, count, counter)


@compiled
def list_placements(table: Any, rules: Any, mind: Any, position: Any) -> Any:
    """Write the placements of ``position.seat`` into ``mind`` and return their number."""
    seat = position.seat
    count: Any = np.int64(0)
    if position.plays == 0:
        for n in range(hand_size(table.hands, seat)):
            mind.fits[n], mind.other[n] = nth_tile(table.hands, seat, n, rules.max_pip + 1)
            mind.on_end_1[n] = _0
            count += 1
        return count
    row_0, row_1 = rows_that_fit(table.hands, seat, position.end_0, position.end_1)
    placements = row_0 | (row_1 << ON_END_1)
    while placements != _0:
        bit = placements & (~placements + _1)
        placements ^= bit
        on_end_1, other = placement_of(bit)
        mind.on_end_1[count] = U64(on_end_1)
        mind.fits[count] = position.end_1 if on_end_1 else position.end_0
        mind.other[count] = other
        count += 1
    return count


@compiled
def _pick_best(values: Any, count: Any, counter: Any) -> Any:
    """Index of the highest of the first ``count`` values; evenly among equal ones."""
    best = values[0]
    ties = _0
    for n in range(count):
        if values[n] > best:
            best = values[n]
            ties = _0
        ties += U64(values[n] == best)
    skip = draw_below(fraction_of(mix(counter)), ties)
    chosen = 0
    while values[chosen] < best or skip > _0:
        if values[chosen] == best:
            skip -= _1
        chosen += 1
    return chosen


@compiled
def _take_model(mind: Any, choosers: Any, seat: Any) -> None:
    """Give every seat of the model the weights of ``seat``. Modified in place."""
    if mind.model_of[0] == seat:
        return
    mind.model_of[0] = seat
    model = mind.model
    for owner in range(model.looks.size):
        for a in range(model.tile_score.shape[1]):
            for b in range(model.tile_score.shape[1]):
                model.tile_score[owner, a, b] = choosers.tile_score[seat, a, b]
        for feature in range(model.weights.shape[1]):
            model.weights[owner, feature] = choosers.weights[seat, feature]
        model.looks[owner] = choosers.looks[seat]
        model.temperature[owner] = choosers.temperature[seat]
        model.over_tiles[owner] = choosers.over_tiles[seat]


@compiled
def copy_hand(source: Any, target: Any, owner: Any) -> None:
    """Make the owner's hand in ``target`` that of ``source``. Modified in place."""
    if source.ndim == 1:
        target[owner] = source[owner]
    else:
        for v in range(source.shape[1]):
            target[owner, v] = source[owner, v]


@compiled
def _play_on(
    table: Any,
    rules: Any,
    mind: Any,
    position: Any,
    n: Any,
    key: Any,
    is_searched: Any,
    look: Any,
    notes: Any,
) -> Any:
    """What placement ``n`` gains the seat in the world that was drawn: look number ``look``."""
    stage = mind.stage
    seat = position.seat
    for owner in range(rules.players + 1):
        copy_hand(mind.hands, stage.hands, owner)
    for owner in range(rules.players):
        stage.voids[owner] = table.voids[owner]
        if rules.pass_round_points > 0:
            stage.pass_rounds[owner] = table.pass_rounds[owner]
    left = mind.worlds.facts[BONEYARD]
    place = rules.players * rules.deal + position.draws
    if position.drawable > 0 or position.plays == 0:
        for at in range(left):
            stage.deck.tiles[place + at] = mind.pool[at]
    shuffle = Shuffle(mix(key ^ PLAY), U64(place + left), U64(1), _0, _0, _0)
    fits, other = mind.fits[n], mind.other[n]
    if position.plays == 0:
        _, start = lead_tile(stage, rules, mind.model, None, np.int64(seat), fits, other, None)
    else:
        toggle_tile(stage.hands, seat, fits, other)
        toggle_tile(stage.hands, U64(rules.players), fits, other)
        on_end_1 = mind.on_end_1[n] == _1
        kept = position.end_0 if on_end_1 else position.end_1
        if rules.pass_round_points > 0 and position.closing == rules.players - 1:
            stage.pass_rounds[seat] += table.last[SEAT] == np.int64(seat)
        note_last(stage.last, seat, fits, other, kept)
        start = Position(
            seat,
            position.end_0 if on_end_1 else other,
            other if on_end_1 else position.end_1,
            position.plays + 1,
            position.draws,
            position.passes,
            position.drawable,
            0,
            is_empty(stage.hands, seat),
        )
    if is_searched:
        gain = _search(stage, rules, mind, np.int64(seat), start, notes)
        if notes is not None:
            notes.winners[look, n] = mind.gains[0, rules.players]
            notes.points[look, n] = mind.gains[0, rules.players + 1]
        return gain
    end = take_turns(stage, rules, mind.model, None, None, start, shuffle, mix(key), None)
    blocked = end.closing == rules.players
    if notes is not None:
        winner = _share(stage, rules, mind, POINTS, np.int64(end.seat), blocked)
        notes.winners[look, n] = winner
        notes.points[look, n] = _gain(stage, rules, np.int64(seat))
    if rules.teams == PAIRS or rules.block_score == PER_HEAVIER or has_lasting_bonus(rules):
        _share(stage, rules, mind, mind.aims[seat], np.int64(end.seat), blocked)
        return _gain(stage, rules, np.int64(seat))
    return _gain_alone(stage, rules, mind, np.int64(seat), np.int64(end.seat), blocked)


@compiled
def has_lasting_bonus(rules: Any) -> Any:
    """Whether points depend on more than the tiles left, so that endings are not searched."""
    return goes_out_with_bonus(rules) or rules.pass_round_points > 0


@compiled
def _share(stage: Any, rules: Any, mind: Any, aim: Any, last: Any, blocked: Any) -> Any:
    """Write what each seat scores, or 1 for a win, by the aim. Modified in place.

    Where nobody wins, nobody scores, even if tied seats share what the block scores.

    Returns:
        The winner, or `NOBODY`.
    """
    winner, least = end_of_round(stage, rules, mind.worlds.facts[OPENER], last, blocked)
    if winner == NOBODY or aim == WIN:
        for seat in range(rules.players):
            stage.gained[seat] = seat == winner
        return winner
    points = award(stage, rules, rules.block_score, winner, least, blocked)
    share_points(stage, rules, Ending(winner, least, blocked, points))
    return winner


class Ending(NamedTuple):
    """What `simdom.engine.scoring.share_points` reads of an outcome."""

    winner: Any
    least: Any
    blocked: Any
    points: Any


@compiled
def _gain_alone(stage: Any, rules: Any, mind: Any, seat: Any, last: Any, blocked: Any) -> Any:
    """`_gain` where seats play for themselves and only the winner scores, in one step."""
    winner, least = end_of_round(stage, rules, mind.worlds.facts[OPENER], last, blocked)
    if winner == NOBODY:
        return np.int64(0)
    points: Any = np.int64(1)
    if mind.aims[seat] != WIN:
        points = award(stage, rules, rules.block_score, winner, least, blocked)
    return points * (rules.players - 1) if winner == seat else -points


@compiled
def _gain(stage: Any, rules: Any, seat: Any) -> Any:
    """What a round is worth to a seat: what its side gains more than each other seat's side."""
    gain: Any = np.int64(0)
    for other in range(rules.players):
        if not is_with(rules, seat, other):
            for one in range(rules.players):
                if is_with(rules, one, seat):
                    gain += stage.gained[one]
                elif is_with(rules, one, other):
                    gain -= stage.gained[one]
    return gain


@compiled_apart
def _search(stage: Any, rules: Any, mind: Any, thinker: Any, start: Any, notes: Any) -> Any:
    """What the thinker gains from ``start`` on if every seat plays for its own best: int64.

    Nothing is hidden and nothing can be drawn. Of placements that gain a seat the same it takes
    the first, on end 0 by the other number of the tile, then on end 1. Not recursive, for numba
    cannot keep recursive code on disk.
    """
    tree, gains, hands = mind.tree, mind.gains, stage.hands
    players = U64(rules.players)
    columns = rules.players
    if notes is not None:
        columns += 2
    depth = np.int64(0)
    tree[0, LAST], tree[0, END_0], tree[0, END_1] = start.seat, start.end_0, start.end_1
    tree[0, CLOSING] = _0
    is_new = True
    while depth >= 0:
        last, end_0, end_1 = tree[depth, LAST], tree[depth, END_0], tree[depth, END_1]
        seat = last + _1 if last + _1 < players else _0
        if is_new:
            if is_empty(hands, last) or tree[depth, CLOSING] == players:
                _settle(stage, rules, mind, thinker, depth, notes)
                depth -= 1
                is_new = False
                continue
            row_0, row_1 = rows_that_fit(hands, seat, end_0, end_1)
            tree[depth, LEFT] = row_0 | (row_1 << ON_END_1)
            tree[depth, TRIED] = _0
            tree[depth, HAS_GAIN] = _0
        else:  # back from what follows: `TRIED` is what was placed, nothing after a pass
            tried = tree[depth, TRIED]
            if tried != _0:
                on_end_1, other = placement_of(tried)
                toggle_tile(hands, seat, end_1 if on_end_1 else end_0, other)
            if tree[depth, HAS_GAIN] == _0 or gains[depth + 1, seat] > gains[depth, seat]:
                tree[depth, HAS_GAIN] = _1
                for column in range(columns):
                    gains[depth, column] = gains[depth + 1, column]
            if tree[depth, LEFT] == _0:
                depth -= 1
                continue
        left = tree[depth, LEFT]
        bit = left & (~left + _1)
        tree[depth, LEFT] = left ^ bit
        tree[depth, TRIED] = bit
        tree[depth + 1, CLOSING] = tree[depth, CLOSING] + _1
        if bit != _0:
            on_end_1, other = placement_of(bit)
            toggle_tile(hands, seat, end_1 if on_end_1 else end_0, other)
            end_0, end_1 = (end_0, other) if on_end_1 else (other, end_1)
            tree[depth + 1, CLOSING] = _0
        tree[depth + 1, LAST] = seat
        tree[depth + 1, END_0], tree[depth + 1, END_1] = end_0, end_1
        depth += 1
        is_new = True
    return gains[0, thinker]


@compiled
def _settle(stage: Any, rules: Any, mind: Any, thinker: Any, depth: Any, notes: Any) -> None:
    """Write what each seat gains at the end of a round into row ``depth``. Modified in place."""
    last = mind.tree[depth, LAST]
    blocked = not is_empty(stage.hands, last)
    stage.last[SEAT] = last  # who passes last in a block played the last tile
    if notes is not None:
        winner = _share(stage, rules, mind, POINTS, np.int64(last), blocked)
        mind.gains[depth, rules.players] = winner
        mind.gains[depth, rules.players + 1] = _gain(stage, rules, thinker)
    _share(stage, rules, mind, mind.aims[thinker], np.int64(last), blocked)
    for owner in range(rules.players):
        mind.gains[depth, owner] = _gain(stage, rules, owner)
