"""How a seat decides: a weight row over the features of a placement, and one chooser for all.

Weights are fixed point, so that equal scores are equal and every machine agrees. Placements are
considered in one order: those on end 0 by the other number of the tile, then those on end 1.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from simdom.engine.hands import count_tiles, hand_size, nth_tile, row_of, tile_number
from simdom.engine.streams import (
    GOLDEN,
    U64,
    compiled,
    draw_below,
    fraction_after,
    fraction_of,
    mix,
    popcount,
)
from simdom.rules import Rules
from simdom.strategies import FEATURES, Strategy

__all__ = ["Choosers", "choose_lead", "choose_placement", "choosers_of", "weigh_all"]

ONE = 65536  # a weight of 1 in fixed point
OWN_FIT, SHARE, UNSEEN_FIT, EQUAL_ENDS, OWN_NUMBER, NEXT_VOID, PARTNER_VOID, SHORT_HAND, RANDOM = (
    FEATURES.index(name)
    for name in (
        "own_fit",
        "share",
        "unseen_fit",
        "equal_ends",
        "own_number",
        "next_void",
        "partner_void",
        "short_hand",
        "random",
    )
)

NEGLIGIBLE = -40.0  # exp of less, times 2**32, is no whole weight
AT_FITS, AT_VOIDS, AT_REST = 1, 2, 4
LEAST = np.int64(-(1 << 62))
ON_END_1 = U64(32)  # placements as one word: those on end 1 start at this bit

SHORT = U64(2)  # tiles of a short hand

_0, _1, _2, _3, _4, _11, _40, _256 = (U64(n) for n in (0, 1, 2, 3, 4, 11, 40, 256))


class Choosers(NamedTuple):
    """The strategies of all seats, as arrays.

    Attributes:
        tile_score: ndarray(int64, shape=(players, N+1, N+1)), what the tile a-b scores for
            features that only depend on the tile.
        pips: ndarray(int64, shape=(N+1, N+1)), pips of the tile a-b as hands count them.
        weights: ndarray(int64, shape=(players, features)), fixed point.
        looks: ndarray(int64, shape=(players,)), what the weights look at besides the tile, as
            bits: `AT_FITS` at tiles that will fit the ends, `AT_VOIDS` at what others lack,
            `AT_REST` at all else.
        temperature: ndarray(float64, shape=(players,)), in units of the score.
        over_tiles: ndarray(bool, shape=(players,)): indifference is among tiles, not placements.
    """

    tile_score: np.ndarray[Any, np.dtype[np.int64]]
    pips: np.ndarray[Any, np.dtype[np.int64]]
    weights: np.ndarray[Any, np.dtype[np.int64]]
    looks: np.ndarray[Any, np.dtype[np.int64]]
    temperature: np.ndarray[Any, np.dtype[np.float64]]
    over_tiles: np.ndarray[Any, np.dtype[np.bool_]]


def choosers_of(strategies: Sequence[Strategy], rules: Rules) -> Choosers | None:
    """The strategies by seat in the engine's form; None if all of them play at random.

    None makes the engine compile without any scoring: the law and the stream are the same.
    """
    return None if all(one.is_random for one in strategies) else weigh_all(strategies, rules)


def weigh_all(strategies: Sequence[Strategy], rules: Rules) -> Choosers:
    """The strategies by seat in the engine's form."""
    weights = np.array([[round(w * ONE) for w in s.weights] for s in strategies], np.int64)
    numbers = np.arange(rules.max_pip + 1)
    low, high = np.minimum.outer(numbers, numbers), np.maximum.outer(numbers, numbers)
    counted = low + high + rules.blank_pips * (low == 0)
    counted[0, 0] = rules.double_blank_pips
    features = {"pips": counted, "double": low == high, "high_end": high}
    score = sum(
        np.multiply.outer(weights[:, FEATURES.index(name)], value.astype(np.int64))
        for name, value in features.items()
    )
    fits, voids = [OWN_FIT, UNSEEN_FIT], [NEXT_VOID, PARTNER_VOID]
    known = [*map(FEATURES.index, features), *fits, *voids]
    looks = AT_FITS * weights[:, fits].any(axis=1) + AT_VOIDS * weights[:, voids].any(axis=1)
    looks += AT_REST * np.delete(weights, known, axis=1).any(axis=1)
    return Choosers(
        tile_score=np.ascontiguousarray(score),
        pips=counted.astype(np.int64),
        weights=weights,
        looks=looks,
        temperature=np.array([s.temperature for s in strategies], np.float64),
        over_tiles=np.array([s.ties == "tiles" for s in strategies], np.bool_),
    )


@compiled
def score_placement(
    table: Any, seat: Any, end: Any, fits: Any, other: Any, stays: Any, counter: Any, choosers: Any
) -> Any:
    """The score (int64, fixed point) of the tile fits-other, after which other and stays are open.

    For a lead, ``fits`` and ``stays`` are the same number.
    """
    score = choosers.tile_score[seat, fits, other]
    looks = choosers.looks[seat]
    if looks == 0:
        return score
    hands, weights = table.hands, choosers.weights
    # The tile itself is still in the hand, and has `other`: it is in each of these counts, once.
    own_other = row_of(hands, seat, other)
    own_stays = row_of(hands, seat, stays)
    line = U64(hands.shape[0] - 1)
    seen_other = own_other | row_of(hands, line, other)
    seen_stays = own_stays | row_of(hands, line, stays)
    rows = U64(choosers.tile_score.shape[1])
    if looks & AT_FITS:
        own_fit = count_tiles(own_other, own_stays, other, stays) - _1
        in_set = rows if other == stays else rows + rows - _1
        unseen_fit = in_set - count_tiles(seen_other, seen_stays, other, stays)
        score += weights[seat, OWN_FIT] * np.int64(own_fit)
        score += weights[seat, UNSEEN_FIT] * np.int64(unseen_fit)
    if looks & AT_VOIDS:
        # A number of which all tiles are seen, nobody else can hold.
        all_other = U64(popcount(seen_other) == rows)
        all_stays = U64(popcount(seen_stays) == rows)
        seats = U64(table.voids.size)
        voids = table.voids[seat + _1 if seat + _1 < seats else _0]
        lacks = ((all_other | voids >> other) & _1) + ((all_stays | voids >> stays) & _1)
        score += weights[seat, NEXT_VOID] * np.int64(lacks)
        if seats == _4:
            voids = table.voids[(seat + _2) & _3]
            lacks = ((all_other | voids >> other) & _1) + ((all_stays | voids >> stays) & _1)
            score += weights[seat, PARTNER_VOID] * np.int64(lacks)
    if looks & AT_REST:
        share = count_tiles(own_other, row_of(hands, seat, fits), other, fits) - _1
        score += weights[seat, SHARE] * np.int64(share)
        score += weights[seat, OWN_NUMBER] * np.int64(popcount(own_other) - _1)
        score += weights[seat, EQUAL_ENDS] * (other == stays)
        if weights[seat, SHORT_HAND] != 0 and is_any_short(table, seat):
            score += weights[seat, SHORT_HAND] * choosers.pips[fits, other]
        if weights[seat, RANDOM] != 0:
            tile = tile_number(min(fits, other), max(fits, other))
            noise = mix(mix(counter) + (_1 + end * _256 + tile) * GOLDEN) >> _40
            score += (weights[seat, RANDOM] * np.int64(noise)) >> 24
    return score


@compiled
def is_any_short(table: Any, seat: Any) -> Any:
    """Whether another seat than this has few tiles left."""
    for owner in range(table.voids.size):
        if U64(owner) != seat and hand_size(table.hands, U64(owner)) <= SHORT:
            return True
    return False


@compiled
def choose_placement(
    table: Any,
    seat: Any,
    row_0: Any,
    row_1: Any,
    end_0: Any,
    end_1: Any,
    counter: Any,
    choosers: Any,
) -> Any:
    """Choose among the placements of ``row_0`` on end 0 and ``row_1`` on end 1, not both empty.

    Returns:
        (whether it is on end 1, other number of the tile as uint64).
    """
    placements = row_0 | (row_1 << ON_END_1)
    if placements & (placements - _1) == _0:
        return placement_of(placements)
    if choosers.temperature[seat] > 0.0:
        return _sample_placement(table, seat, placements, end_0, end_1, counter, choosers)
    best = LEAST
    tied = _0
    while placements != _0:
        bit = placements & (~placements + _1)
        placements ^= bit
        on_end_1, other = placement_of(bit)
        fits, stays = (end_1, end_0) if on_end_1 else (end_0, end_1)
        score = score_placement(table, seat, U64(on_end_1), fits, other, stays, counter, choosers)
        # Without branches: which of two placements is better is a coin's toss.
        tied = tied if score <= best else _0
        tied |= bit if score >= best else _0
        best = max(best, score)
    if tied & (tied - _1) == _0:
        return placement_of(tied)
    return pick_tied(tied, end_0, end_1, fraction_of(mix(counter)), choosers.over_tiles[seat])


@compiled
def pick_tied(tied: Any, end_0: Any, end_1: Any, fraction: Any, over_tiles: Any) -> Any:
    """A placement of ``tied``, evenly; or evenly over its tiles and then over the tile's ends.

    Returns:
        As `choose_placement`.
    """
    # Only the tile that shows both open ends can have two placements.
    its_second = _1 << (ON_END_1 + end_0)
    both = (_1 << end_1) | its_second
    if not over_tiles or end_0 == end_1 or tied & both != both:
        return placement_of(_nth(tied, draw_below(fraction, popcount(tied))))
    tiles = popcount(tied) - _1
    on_end_1, other = placement_of(_nth(tied ^ its_second, draw_below(fraction, tiles)))
    if other == end_1 and not on_end_1:
        on_end_1 = draw_below(fraction_after(fraction, tiles), _2) == _1
        other = end_0 if on_end_1 else end_1
    return on_end_1, other


@compiled
def placement_of(bit: Any) -> Any:
    """(whether it is on end 1, other number) of a placement given as one bit of a word."""
    position = popcount(bit - _1)
    return position >= ON_END_1, position & (ON_END_1 - _1)


@compiled
def _nth(bits: Any, n: Any) -> Any:
    """Set bit number ``n`` (from 0, lowest first) of a word, alone."""
    while n > _0:
        bits &= bits - _1
        n -= _1
    return bits & (~bits + _1)


@compiled
def _sample_placement(
    table: Any, seat: Any, placements: Any, end_0: Any, end_1: Any, counter: Any, choosers: Any
) -> Any:
    """A placement with probability proportional to exp(score / temperature)."""
    left = placements
    count = 0
    one = -1
    two = -1
    while left != _0:
        bit = left & (~left + _1)
        left ^= bit
        on_end_1, other = placement_of(bit)
        fits, stays = (end_1, end_0) if on_end_1 else (end_0, end_1)
        table.scores[count] = score_placement(
            table, seat, U64(on_end_1), fits, other, stays, counter, choosers
        )
        if choosers.over_tiles[seat] and other == stays and fits != stays:
            # The tile that shows both open ends: its two placements share one tile's weight.
            one = count if not on_end_1 else one
            two = count if on_end_1 else two
        count += 1
    n = _sample_scores(table.scores, count, choosers.temperature[seat], one, two, mix(counter))
    return placement_of(_nth(placements, U64(n)))


@compiled
def _sample_scores(scores: Any, count: Any, temperature: Any, one: Any, two: Any, word: Any) -> Any:
    """Index below ``count``, drawn with weight exp(score / temperature), halved for one and two.

    ``one`` and ``two`` are the two placements of one tile that count as one, or -1 both.
    Modifies ``scores`` in place.
    """
    best = scores[0]
    for i in range(1, count):
        best = max(best, scores[i])
    total = np.int64(0)
    for i in range(count):
        weight: Any = np.int64(4294967296.0 * exp_of((scores[i] - best) / ONE / temperature))
        if one >= 0 and i != one and i != two:
            weight *= 2
        total += weight
        scores[i] = total
    target = np.int64(np.float64(word >> _11) * (1.0 / 9007199254740992.0) * np.float64(total))
    chosen = 0
    while scores[chosen] <= target:
        chosen += 1
    return chosen


@compiled
def exp_of(x: Any) -> Any:
    """exp(x) for x <= 0, from additions and multiplications only.

    The C library's exp differs between machines in the last bit, and a round must not.
    """
    if x < NEGLIGIBLE:
        return 0.0
    powers = x * 1.4426950408889634  # log2(e)
    whole = np.floor(powers)
    y = (powers - whole) * 0.6931471805599453  # ln 2
    series = 1.0
    for n in range(18, 0, -1):  # y < 0.7: the next term is below 1e-19
        series = 1.0 + series * y / n
    halvings: Any = np.int64(-whole)
    return series / np.float64(1 << halvings)


@compiled
def choose_lead(table: Any, seat: Any, rows: Any, counter: Any, choosers: Any) -> Any:
    """Choose any tile of the hand to lead: (low, high), uint64 both."""
    hands = table.hands
    count = _0
    for high in range(rows):
        count += popcount(_tiles_up_to(hands, seat, high))
    if choosers is None:
        return nth_tile(hands, seat, draw_below(fraction_of(mix(counter)), count), rows)
    scores = table.scores
    best = LEAST
    tied = _0
    n = 0
    for high in range(rows):
        row = _tiles_up_to(hands, seat, high)
        while row != _0:
            bit = row & (~row + _1)
            row ^= bit
            low = popcount(bit - _1)
            scores[n] = score_placement(table, seat, _0, low, U64(high), low, counter, choosers)
            if scores[n] > best:
                best = scores[n]
                tied = _0
            if scores[n] == best:
                tied += _1
            n += 1
    if choosers.temperature[seat] > 0.0:
        chosen = _sample_scores(scores, n, choosers.temperature[seat], -1, -1, mix(counter))
        return nth_tile(hands, seat, U64(chosen), rows)
    skip = draw_below(fraction_of(mix(counter)), tied)
    chosen = 0
    while scores[chosen] < best or skip > _0:
        if scores[chosen] == best:
            skip -= _1
        chosen += 1
    return nth_tile(hands, seat, U64(chosen), rows)


@compiled
def _tiles_up_to(hands: Any, seat: Any, high: Any) -> Any:
    """The seat's tiles whose higher end is ``high``, as bits of the lower end."""
    return row_of(hands, seat, U64(high)) & ((_1 << U64(high + 1)) - _1)
