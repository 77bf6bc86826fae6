"""The chance that some hand of a table holds many tiles of one number, exactly.

Two numbers share a tile, and what one hand holds the others do not, so neither numbers nor hands
can be counted one by one. `chance_of_crowding` says how they are counted together.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, count, product
from math import comb, factorial, perm, prod
from typing import NamedTuple

from simdom.errors import UsageError
from simdom.tiles import tile_count

__all__ = ["chance_of_crowding"]

MOST_STEPS = 500_000
"""States that may be visited before a question is refused; some five seconds."""

_LONE = -1

Kind = tuple[int, ...]
"""The seats that are marked for a number, in rising order; `_LONE` stands for any seat that is
marked for no other number, for such seats are exchangeable."""

Pattern = tuple[Kind, ...]
"""The kind of every number that any seat is marked for, in rising order."""


class _Case(NamedTuple):
    """What is asked."""

    numbers: int
    tiles: int
    players: int
    hand: int
    least: int


def chance_of_crowding(max_pip: int, players: int, hand: int, least: int) -> Fraction:
    """The chance that some hand of the table has at least ``least`` tiles of one number.

    Inclusion and exclusion over pairs of a seat and a number. Let X be the tiles of number v in
    the hand of seat s, and let f(0) = 1, f(j) = -(-1)**(j - least) * C(j - 1, least - 1) for
    j >= least, and f(j) = 0 between. Then f(size of M), added over all subsets M of X, is 1 if X
    has fewer than ``least`` tiles, else 0. The product of these sums over all pairs is therefore 1
    for the deals in which no hand is crowded, and 0 for the others. Now exchange the sums: for
    each pair, mark no tile, or ``least`` tiles of v or more, as held by s; a seat may mark the
    tile of two numbers for both. Of the deals, those in which every hand holds what is marked are

        product over seats of hand! / (hand - u)!   divided by   T! / (T - U)!

    where T is the tiles of the set, u those marked for the seat, and U those marked in all. The
    unmarked tiles need no look. Where ``least`` is large few pairs can be marked at once, and the
    sum is short:

    1. `_patterns` lists which pairs are marked, up to the names of seats and numbers.
    2. `_Marking` adds up, for one pattern, the ways to mark tiles, number by number and tile by
       tile. Of the tiles before, all that matters is how many are marked for each pair that is
       still open, and numbers marked by the same seats are exchangeable.

    Args:
        max_pip: the set.
        players: hands that are dealt.
        hand: tiles of each.
        least: tiles of one number, 1 or more.

    Raises:
        UsageError: there are too many ways to mark tiles, as for three of nine in a large set.

    >>> chance_of_crowding(6, 1, 7, 7) * comb(28, 7)
    Fraction(7, 1)
    """
    numbers = max_pip + 1
    if least > min(hand, numbers):
        return Fraction(0)
    if 2 * hand - min(hand, numbers) > numbers * (least - 1):
        return Fraction(1)  # more ends than places for them, though all its doubles have but one
    case = _Case(numbers, tile_count(max_pip), players, hand, least)
    budget = _Budget(case)
    marked: Counter[int] = Counter()  # tiles marked in all -> weight
    for pattern, times in _patterns(case, budget).items():
        for tiles, weight in _Marking(case, pattern, budget).weigh():
            marked[tiles] += times * weight
    return -sum(
        (Fraction(weight, perm(case.tiles, tiles)) for tiles, weight in marked.items()),
        Fraction(0),
    )


class _Budget:
    """Refuses what would take too long."""

    def __init__(self, case: _Case) -> None:
        self._case = case
        self._left = MOST_STEPS

    def spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise UsageError(
                f"{self._case.least} tiles of one number in one of {self._case.players} hands of "
                f"{self._case.hand} are too many cases to count exactly: ask for more tiles of one "
                "number, or for fewer players"
            )


def _patterns(case: _Case, budget: _Budget) -> Counter[Pattern]:
    """Every pattern of one marked pair or more, and for how many seats and numbers it stands.

    Seat after seat is given its numbers: some that other seats have, and some that are new.
    Patterns that differ by the names of seats are merged as far as that is easily seen; a pattern
    that comes twice costs time and changes nothing.
    """
    found: Counter[Pattern] = Counter()
    level: Counter[Pattern] = Counter({(): 1})
    for seats in range(1, case.players + 1):
        following: Counter[Pattern] = Counter()
        for pattern, times in level.items():
            for more, ways in _with_seat(case, pattern, seats - 1, budget):
                following[_renamed(more)] += times * ways
        level = following
        for pattern, times in level.items():
            found[_without_lone_seats(pattern)] += times * comb(case.players, seats)
    return found


def _with_seat(
    case: _Case, pattern: Pattern, seat: int, budget: _Budget
) -> Iterator[tuple[Pattern, int]]:
    """The pattern with one seat more, and in how many ways it can be given its numbers."""
    kinds = Counter(pattern)
    unused = case.numbers - len(pattern)
    roomy = [kind for kind in kinds if (len(kind) + 1) * case.least <= case.numbers]
    for *taken, new in product(*(range(kinds[kind] + 1) for kind in roomy), range(unused + 1)):
        budget.spend(1)
        if not _fits_hand(case, sum(taken) + new):
            continue
        after = kinds.copy()
        ways = comb(unused, new)
        for kind, take in zip(roomy, taken, strict=True):
            ways *= comb(kinds[kind], take)
            after[kind] -= take
            after[*kind, seat] += take
        after[seat,] += new
        yield tuple(sorted(after.elements())), ways


def _fits_hand(case: _Case, numbers: int) -> bool:
    """Whether a hand may be marked for so many numbers, one at least.

    Two numbers share one tile; and what all share is at most half of what they need.
    """
    needed = numbers * case.least
    return numbers > 0 and needed - min(comb(numbers, 2), needed // 2) <= case.hand


def _renamed(pattern: Pattern) -> Pattern:
    """The pattern with its seats named in the order of how many numbers and partners they have."""
    sizes: dict[int, list[int]] = {}
    for kind in pattern:
        for seat in kind:
            sizes.setdefault(seat, []).append(len(kind))
    order = sorted(sizes, key=lambda seat: (sorted(sizes[seat]), seat))
    names = {seat: name for name, seat in enumerate(order)}
    return tuple(sorted(tuple(sorted(names[seat] for seat in kind)) for kind in pattern))


def _without_lone_seats(pattern: Pattern) -> Pattern:
    """The pattern with `_LONE` for each seat that is marked for one number only."""
    often = Counter(chain.from_iterable(pattern))
    shared = [seat for seat, numbers in sorted(often.items()) if numbers > 1]
    names = {seat: name for name, seat in enumerate(shared)}
    return tuple(sorted(tuple(sorted(names.get(seat, _LONE) for seat in kind)) for kind in pattern))


class _Open(NamedTuple):
    """A number whose tiles are not all looked at: tiles marked so far for each seat of its kind."""

    kind: Kind
    marks: tuple[int, ...]


class _State(NamedTuple):
    """What the tiles to come depend on.

    Attributes:
        held: tiles marked so far for each seat that has several numbers; 0 once it is done with.
        numbers: those that are open, in order; the last is the next to be closed.
    """

    held: tuple[int, ...]
    numbers: tuple[_Open, ...]


class _Closing(NamedTuple):
    """A state in the midst of closing a number.

    Attributes:
        held: as of `_State`.
        this: the number.
        others: open numbers, the tile of which with this one has not been looked at.
        done: those of which it has, in order.
    """

    held: tuple[int, ...]
    this: _Open
    others: tuple[_Open, ...]
    done: tuple[_Open, ...]


class _Marking:
    """The ways to mark the tiles of one pattern.

    A weight is a polynomial, the coefficient of whose U-th power is that of the ways with U tiles
    marked for the seats that are done with. It is kept as one whole number, its value at
    2**width, where no coefficient is half as large as that.
    """

    def __init__(self, case: _Case, pattern: Pattern, budget: _Budget) -> None:
        least, numbers = case.least, case.numbers
        self._case = case
        self._budget = budget
        self._pattern = pattern
        self._lone_tiles = numbers - len(pattern) + 1  # of each number, its double included
        self._f = [0] * least + [
            -((-1) ** (j - least)) * comb(j - 1, least - 1) for j in range(least, numbers + 1)
        ]
        # As if no tile were in the way of another, and every hand were marked in full.
        pairs = sum(map(len, pattern))
        for_pair = sum(comb(numbers, j) * abs(f) for j, f in enumerate(self._f))
        self._width = (for_pair * factorial(case.hand)).bit_length() * pairs + 1

    def weigh(self) -> Iterator[tuple[int, int]]:
        """The weight of all ways, by how many tiles are marked in all."""
        shared = len(set(chain.from_iterable(self._pattern)) - {_LONE})
        start = tuple(_Open(kind, (0,) * len(kind)) for kind in self._pattern)
        ways = {_State((0,) * shared, start): 1}
        for _ in self._pattern:
            ways = self._close_number(ways)
        packed = sum(ways.values())  # of one state, or of none
        base = 1 << self._width
        for marked in count():
            if not packed:
                return
            weight = packed % base
            weight -= base * (2 * weight >= base)
            if weight:
                yield marked, weight
            packed = (packed - weight) >> self._width

    def _close_number(self, ways: dict[_State, int]) -> dict[_State, int]:
        """Look at all tiles of the last open number, first at those that it shares with others."""
        closing = {
            _Closing(held, numbers[-1], numbers[:-1], ()): weight
            for (held, numbers), weight in ways.items()
        }
        while closing and next(iter(closing)).others:
            closing = self._look_at_shared_tile(closing)
        closed: Counter[_State] = Counter()
        for each, weight in closing.items():
            for state, tiles, factor in self._take_lone_tiles(each):
                self._budget.spend(1)
                if self._can_be_completed(state):
                    closed[state] += weight * factor << tiles * self._width
        return closed

    def _look_at_shared_tile(self, ways: dict[_Closing, int]) -> dict[_Closing, int]:
        """Settle the tile that the number shares with the next of the others."""
        following: Counter[_Closing] = Counter()
        for (held, this, others, done), weight in ways.items():
            for more, now, that in self._share_tile(held, this, others[-1]):
                self._budget.spend(1)
                after = _Closing(more, now, others[:-1], tuple(sorted((*done, that))))
                following[after] += weight
        return following

    def _share_tile(
        self, held: tuple[int, ...], this: _Open, that: _Open
    ) -> Iterator[tuple[tuple[int, ...], _Open, _Open]]:
        """What may become of a tile: not marked, or marked for one of its numbers, or for both."""
        yield held, this, that
        for place, seat in enumerate(this.kind):
            if self._can_hold(held, seat):
                more = self._hold(held, seat, 1)
                yield more, _mark(this, place), that
                if seat != _LONE and seat in that.kind:
                    yield more, _mark(this, place), _mark(that, that.kind.index(seat))
        for place, seat in enumerate(that.kind):
            if self._can_hold(held, seat):
                yield self._hold(held, seat, 1), this, _mark(that, place)

    def _take_lone_tiles(self, closing: _Closing) -> Iterator[tuple[_State, int, int]]:
        """Mark tiles that the number shares with none of the pattern, and be done with it.

        Yields:
            The state, tiles marked for the seats that are done with by this, the weight of it.
        """
        case = self._case
        partial = [(closing.held, self._lone_tiles, 0, 1)]
        for seat, before in zip(*closing.this, strict=True):
            following = []
            for held, left, tiles, weight in partial:
                most = min(left, case.hand - (before if seat == _LONE else held[seat]))
                for more in range(max(case.least - before, 0), most + 1):
                    marks = before + more
                    factor = weight * comb(left, more) * self._f[marks]
                    if seat == _LONE:
                        state = held, left - more, tiles + marks, factor * perm(case.hand, marks)
                    else:
                        state = self._hold(held, seat, more), left - more, tiles, factor
                    following.append(state)
            partial = following
        still_open = set(chain.from_iterable(number.kind for number in closing.done))
        ended = {seat for seat in closing.this.kind if seat != _LONE} - still_open
        for held, _, tiles, weight in partial:
            kept = tuple(0 if seat in ended else own for seat, own in enumerate(held))
            orders = prod(perm(case.hand, held[seat]) for seat in ended)
            released = tiles + sum(held[seat] for seat in ended)
            yield _State(kept, closing.done), released, weight * orders

    def _can_be_completed(self, state: _State) -> bool:
        """Whether each seat can still hold what it lacks; two of its numbers may share a tile."""
        lacking = [0] * len(state.held)
        numbers = [0] * len(state.held)
        for seat, marks in chain.from_iterable(zip(*each, strict=True) for each in state.numbers):
            if seat != _LONE and marks < self._case.least:
                lacking[seat] += self._case.least - marks
                numbers[seat] += 1
        return all(
            held + lack - comb(each, 2) <= self._case.hand
            for held, lack, each in zip(state.held, lacking, numbers, strict=True)
        )

    def _can_hold(self, held: tuple[int, ...], seat: int) -> bool:
        return seat == _LONE or held[seat] < self._case.hand

    @staticmethod
    def _hold(held: tuple[int, ...], seat: int, tiles: int) -> tuple[int, ...]:
        """What the seats with several numbers hold after one seat takes more."""
        if seat == _LONE:
            return held
        return (*held[:seat], held[seat] + tiles, *held[seat + 1 :])


def _mark(number: _Open, place: int) -> _Open:
    """One more tile marked for the seat at ``place`` of the kind."""
    kind, marks = number
    marks = (*marks[:place], marks[place] + 1, *marks[place + 1 :])
    if kind[place] == _LONE:  # such seats come first, and may change places
        lone = kind.count(_LONE)
        marks = (*sorted(marks[:lone]), *marks[lone:])
    return _Open(kind, marks)
