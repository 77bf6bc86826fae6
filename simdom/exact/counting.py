"""How many hands and deals of a set have a property: whole numbers and fractions, nothing sampled.

A hand is a set of tiles, all hands of a size being equally likely, and a deal gives each seat a
hand of the same size. Every chance is a number of hands (or deals) over the number of all.
"""

from fractions import Fraction
from math import comb, factorial

from simdom.tiles import tile_count, tiles_of_set

__all__ = [
    "chance_of_doubles_somewhere",
    "chance_of_missing",
    "count_deals",
    "law_of_missing",
    "law_of_opening_double",
    "law_of_pips",
    "law_of_special_tiles",
]


def count_deals(max_pip: int, players: int, hand: int) -> int:
    """The number of deals of ``hand`` tiles to each of ``players`` seats that are told apart.

    The tiles in any order, up to the order within each hand and within the boneyard.

    >>> count_deals(6, 2, 7)
    137680171200
    """
    tiles = tile_count(max_pip)
    left = tiles - players * hand
    in_any_order: int = factorial(hand) ** players * factorial(left)
    return factorial(tiles) // in_any_order


def law_of_special_tiles(max_pip: int, hand: int) -> dict[int, Fraction]:
    """How many tiles of a hand are of one special kind, such as doubles.

    The double-N set has N + 1 doubles, and N + 1 tiles that show any given number, so the law is
    the same for both: hypergeometric. Of the N + 1 special tiles the hand has k, and of the others
    ``hand - k``.

    Returns:
        The chance of each number that is possible, in rising order.

    >>> law_of_special_tiles(6, 7)[0]
    Fraction(323, 3289)
    """
    tiles, special = tile_count(max_pip), max_pip + 1
    hands = comb(tiles, hand)
    least, most = max(0, hand - (tiles - special)), min(special, hand)
    return {
        k: Fraction(comb(special, k) * comb(tiles - special, hand - k), hands)
        for k in range(least, most + 1)
    }


def law_of_opening_double(max_pip: int, dealt: int) -> dict[int | None, Fraction]:
    """The highest double among ``dealt`` tiles; None stands for no double at all.

    That it is the double of d means: the doubles above d are not dealt, that of d is, and the other
    ``dealt - 1`` tiles come from what is left of the set.

    Returns:
        The chance of every double, from the highest down, then that of None.

    >>> law_of_opening_double(6, 14)[5], law_of_opening_double(6, 14)[None]
    (Fraction(7, 27), Fraction(1, 345))
    """
    tiles = tile_count(max_pip)
    deals = comb(tiles, dealt)
    law: dict[int | None, Fraction] = {
        number: Fraction(comb(tiles - (max_pip - number) - 1, dealt - 1), deals)
        for number in range(max_pip, -1, -1)
    }
    law[None] = Fraction(comb(tiles - max_pip - 1, dealt), deals)
    return law


def chance_of_missing(max_pip: int, hand: int) -> Fraction:
    """The chance that no tile of a hand shows a given number: all are of the set without it.

    >>> chance_of_missing(6, 7)
    Fraction(323, 3289)
    """
    return Fraction(comb(tile_count(max_pip - 1), hand), comb(tile_count(max_pip), hand))


def law_of_missing(max_pip: int, hand: int) -> dict[int, Fraction]:
    """How many of the numbers no tile of a hand shows.

    Inclusion and exclusion over the numbers. Of s numbers there are s(s+1)/2 tiles, so the hands
    that show all of s given numbers, and no other, are

        full(s) = sum over i of (-1)**i * C(s, i) * C((s-i)(s-i+1)/2, hand),

    i being the numbers that are missing among them at least. A hand that misses exactly j of the
    m = N + 1 numbers shows all of some m - j: C(m, j) * full(m - j) hands.

    Returns:
        The chance of each number that is possible, in rising order.

    >>> law_of_missing(6, 7)[0]
    Fraction(33401, 78936)
    """
    numbers = max_pip + 1
    hands = comb(tile_count(max_pip), hand)
    law = {}
    for missing in range(numbers):
        shown = numbers - missing
        full = sum(
            (-1) ** i * comb(shown, i) * comb(tile_count(shown - i - 1), hand) for i in range(shown)
        )
        if full:
            law[missing] = Fraction(comb(numbers, missing) * full, hands)
    return law


def law_of_pips(max_pip: int, hand: int) -> dict[int, Fraction]:
    """The pips of a hand: both ends of all its tiles, added.

    The hands with k tiles and s pips are the coefficient of x**k * y**s in the product of
    (1 + x * y**pips) over all tiles. For each k, the polynomial in y is kept as one long integer,
    y = 2**width: no coefficient needs more bits, for none is above the number of all hands, so they
    never touch, and to multiply by y**pips is to shift. That takes tiles * hand additions, a
    fraction of a second for any set. Of a hand and what it leaves in the set, the smaller one is
    counted; the pips of the other are the rest of the set's.

    Returns:
        The chance of each number of pips that is possible, in rising order.

    >>> law = law_of_pips(6, 7)
    >>> min(law), max(law), sum(pips * chance for pips, chance in law.items())
    (15, 69, Fraction(42, 1))
    """
    tiles = tiles_of_set(max_pip)
    size = min(hand, len(tiles) - hand)
    hands = comb(len(tiles), size)
    width = hands.bit_length()
    by_size = [1] + [0] * size
    for tile in tiles:
        shift = width * tile.pips
        for k in range(size, 0, -1):
            by_size[k] += by_size[k - 1] << shift
    counts = _digits(by_size[size], width)
    law = {pips: Fraction(count, hands) for pips, count in enumerate(counts) if count}
    if size == hand:
        return law
    total = sum(tile.pips for tile in tiles)
    return {total - pips: law[pips] for pips in reversed(law)}


def _digits(number: int, width: int) -> list[int]:
    """The digits of ``number`` to the base 2**width, the lowest first.

    They are cut from its text: to shift it down once a digit would take the square of its length.
    """
    bits = f"{number:b}"
    bits = bits.zfill(-(-len(bits) // width) * width)
    return [int(bits[at : at + width], 2) for at in range(len(bits) - width, -1, -width)]


def chance_of_doubles_somewhere(max_pip: int, players: int, hand: int, least: int) -> Fraction:
    """The chance that some hand of the table has at least ``least`` doubles.

    What is counted is the opposite, hand by hand: if u doubles are gone, the next hand takes j of
    those left, ``j < least``, and the rest of it from the other tiles. How many deals lead to
    each u is all that the following hands depend on.

    Args:
        max_pip: the set.
        players: hands that are dealt.
        hand: tiles of each.
        least: doubles, 1 or more.

    >>> chance_of_doubles_somewhere(6, 4, 7, 5)
    Fraction(2279, 148005)
    """
    doubles = max_pip + 1
    others = tile_count(max_pip) - doubles
    ways = {0: 1}  # doubles dealt so far -> ways to fill the hands so far
    for seat in range(players):
        filled: dict[int, int] = {}
        for used, count in ways.items():
            others_left = others - (seat * hand - used)
            for j in range(min(least - 1, hand, doubles - used) + 1):
                here = comb(doubles - used, j) * comb(others_left, hand - j)
                if here:  # a hand that cannot be filled must not lead to the next one
                    filled[used + j] = filled.get(used + j, 0) + count * here
        ways = filled
    return 1 - Fraction(sum(ways.values()), count_deals(max_pip, players, hand))
