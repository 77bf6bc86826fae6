"""Who holds which tile, in which order: chi-square tests of the deal.

Each test has a false-alarm probability of one in a million a check and a fixed seed.
"""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy import stats

from decks import shuffled_decks
from evidence import FALSE_ALARM, check_counts
from oracle import full_set
from scale import rounds
from simdom import simulate
from simdom.rounds import simulate_rounds
from simdom.rules import NoDouble, Rules
from simdom.tiles import tile_count, tile_name
from traces import rounds_of

MILLION = rounds(1_000_000, 3000)


def check_places(decks: np.ndarray) -> None:
    """Each tile is as often in each place of the deck.

    Of a fair shuffle the usual statistic, times (T - 1) / T since a tile has one place and a
    place one tile, is chi-square with (T - 1)**2 degrees of freedom.
    """
    n, tiles = decks.shape
    counts = np.array([np.bincount(places, minlength=tiles) for places in decks.T])
    expected = n / tiles
    statistic = ((counts - expected) ** 2 / expected).sum() * (tiles - 1) / tiles
    assert stats.chi2.sf(statistic, (tiles - 1) ** 2) > FALSE_ALARM
    assert stats.chi2.cdf(statistic, (tiles - 1) ** 2) > FALSE_ALARM  # nor too even


@pytest.mark.parametrize("max_pip", [1, 2, 3, 6, 9, 12, 18])
def test_every_tile_is_as_often_in_every_place(max_pip):
    """Seats and boneyard alike: a place of the deck is a place in a hand or in the boneyard."""
    per_place = rounds(200_000, 2000) * 28 // tile_count(max_pip) // 4
    check_places(shuffled_decks(max_pip, min(per_place, 200_000), seed=max_pip))


@pytest.mark.parametrize(("first", "second"), [(0, 1), (5, 6), (11, 12), (13, 14), (26, 27)])
def test_pairs_of_places_hold_every_pair_of_tiles(first, second):
    """Neighbours: in one word, across two words, from hand to boneyard, and the reserve."""
    decks = shuffled_decks(6, MILLION, seed=1).astype(np.int64)
    pairs = np.bincount(decks[:, first] * 28 + decks[:, second], minlength=28 * 28)
    distinct = [pairs[a * 28 + b] for a in range(28) for b in range(28) if a != b]
    assert sum(distinct) == MILLION
    check_counts(distinct, [Fraction(1, 28 * 27)] * (28 * 27))


def test_triples_on_a_tiny_set_come_in_every_order():
    """Double-1 has three tiles: six decks, all as likely."""
    decks = shuffled_decks(1, MILLION, seed=2).astype(np.int64)
    orders = np.bincount(decks @ np.array([9, 3, 1]), minlength=27)
    seen = [count for count in orders.tolist() if count]
    assert len(seen) == 6
    check_counts(seen, [Fraction(1, 6)] * 6)


def test_every_deck_of_double_2_is_as_likely():
    """720 decks."""
    decks = shuffled_decks(2, MILLION, seed=3).astype(np.int64)
    places = np.unique(decks @ 6 ** np.arange(6), return_counts=True)[1]
    if MILLION > 100_000:
        assert places.size == 720
    counts = [*places.tolist(), *[0] * (720 - places.size)]
    check_counts(counts, [Fraction(1, 720)] * 720)


def test_neighbouring_rounds_share_nothing():
    """The first tiles of a round and of the next: all pairs as likely."""
    firsts = shuffled_decks(6, MILLION, seed=4)[:, 0].astype(np.int64)
    pairs = np.bincount(firsts[:-1:2] * 28 + firsts[1::2], minlength=28 * 28)
    check_counts(pairs.tolist(), [Fraction(1, 28 * 28)] * (28 * 28))


def test_decks_of_other_seeds_share_nothing():
    first, second = (shuffled_decks(6, MILLION, seed)[:, 0].astype(np.int64) for seed in (5, 6))
    pairs = np.bincount(first * 28 + second, minlength=28 * 28)
    check_counts(pairs.tolist(), [Fraction(1, 28 * 28)] * (28 * 28))


def test_deals_after_a_misdeal_are_fair_too():
    """Given a double among four tiles, each tile's law is known: doubles are dealt more often."""
    rules = Rules(deal=2, no_double=NoDouble.REDEAL)
    n = rounds(10_000, 1000)
    found = rounds_of(rules, n, seed=7)
    tiles = full_set(6)
    again = [played for played in found if played.redeals]
    counts = np.zeros(28, np.int64)
    for played in again:
        for hand in played.deal:
            for tile in hand:
                counts[tiles.index(tile)] += 1
    some_double = 1 - Fraction(comb(21, 4), comb(28, 4))
    double = Fraction(4, 28) / some_double
    other = (Fraction(4, 28) - Fraction(comb(20, 3), comb(28, 4))) / some_double
    law = [(double if low == high else other) / 4 for low, high in tiles]
    # Four tiles without replacement vary less than four independent ones: the test errs on
    # the safe side, its false-alarm probability is below one in a million.
    check_counts(counts.tolist(), law)


def opening_law(players: int, deal: int) -> dict[str, Fraction]:
    """Of each double, the chance that it is dealt and every higher one is not; and of none."""
    dealt, tiles = players * deal, 28
    law = {}
    for high in range(6, -1, -1):
        missing = 6 - high
        ways = comb(tiles - missing - 1, dealt - 1)
        law[tile_name(high * (high + 3) // 2)] = Fraction(ways, comb(tiles, dealt))
    law["none"] = 1 - sum(law.values())
    return law


@pytest.mark.parametrize(("players", "deal"), [(2, 7), (3, 5), (4, 5), (2, 3)])
def test_opening_tile_follows_its_exact_law(players, deal):
    result = simulate("pagat-block", MILLION, players=players, overrides={"deal": deal}, seed=8)
    law = opening_law(players, deal)
    seen = dict(result.distributions["opening_tile"])
    counts = [seen.pop(name, 0) for name in law if name != "none"]
    check_counts([*counts, sum(seen.values())], list(law.values()))


@pytest.mark.parametrize("opening", ["highest_double", "holder_leads_any", "lot"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_opens_as_often(opening, players):
    frame = simulate_rounds(
        "pagat-block", rounds(200_000), players=players, overrides={"opening": opening}, seed=9
    )
    counts = np.bincount(frame["opener"], minlength=players).tolist()
    check_counts(counts, [Fraction(1, players)] * players)


def test_the_lot_is_independent_of_the_deal():
    """Opener by lot against the seat that holds the highest double: all four pairs as likely."""
    n = rounds(200_000)
    lot = simulate_rounds("pagat-draw-lot", n, seed=10)["opener"].to_numpy()
    holder = simulate_rounds("pagat-draw", n, seed=10)["opener"].to_numpy()
    check_counts(np.bincount(lot * 2 + holder, minlength=4).tolist(), [Fraction(1, 4)] * 4)
