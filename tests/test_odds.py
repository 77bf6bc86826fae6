"""Exact answers: known values, and every hand and deal of small sets counted one by one."""

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from simdom.errors import RulesError, UsageError
from simdom.exact.odds import odds
from simdom.exact.text import chance_in_words, format_one_in
from simdom.rules import Rules, accepted_deals

EXACT = json.loads((Path(__file__).parent / "data" / "exact.json").read_text())


# --- known values ---------------------------------------------------------------------------


@pytest.mark.parametrize("known", EXACT["no_double"], ids=lambda k: f"{k['players']}x{k['deal']}")
def test_nobody_has_a_double(known):
    found = odds(
        "no-double", max_pip=known["max_pip"], players=known["players"], hand=known["deal"]
    )
    assert found.chance == Fraction(known["p"])


def test_opening_tile():
    found = odds("opening-tile", players=2, hand=7).distribution
    law = {name: Fraction(p) for name, p in EXACT["opening_tile_2x7"].items()}
    assert {chance.outcome: chance.exact for chance in found} == law
    assert [chance.outcome for chance in found] == list(law)
    dealt = odds("opening-tile", players=4, hand=7)
    assert dealt.distribution[0] == ("6-6", 1, None)
    assert dealt.distribution[-1] == ("none", 0, None)


def test_doubles_in_a_hand():
    found = odds("doubles", hand=7)
    law = [Fraction(p) for p in EXACT["doubles_in_hand_of_7"]]
    assert [chance.exact for chance in found.distribution] == law
    assert [chance.at_least for chance in found.distribution] == [sum(law[k:]) for k in range(8)]


def test_pips_of_a_hand():
    known = EXACT["hand_of_7_pips"]
    mean, variance, least, most = odds("pips", hand=7).moments
    assert (mean, variance) == (Fraction(known["mean"]), Fraction(known["variance"]))
    assert (least, most) == (known["min"], known["max"])


def test_missing_a_number():
    found = odds("missing", hand=7)
    assert found.chance == Fraction(EXACT["hand_of_7_misses_a_number"])
    assert found.distribution[0].exact == Fraction(33401, 78936)
    # The chance of a given number, times the numbers, is the mean of how many are missing.
    given = odds("missing", hand=7, number=3)
    assert given.chance * 7 == found.moments.mean
    assert given.distribution == []


def test_misdeals_by_doubles():
    assert odds("misdeal", players=4, hand=7, doubles=5).chance == Fraction(2279, 148005)
    # The rules count the deals that are not thrown in, by a program of their own.
    for players, hand, doubles in [(2, 7, 4), (3, 7, 5), (4, 6, 4), (4, 7, 3)]:
        rules = Rules(players=players, deal=hand, misdeal=doubles)
        chance = odds("misdeal", players=players, hand=hand, doubles=doubles).chance
        assert chance == 1 - accepted_deals(rules)


def test_number_of_deals():
    assert odds("deals", players=2, hand=7).number == 137680171200
    assert odds("deals", players=4, hand=7).number == 472518347558400


def test_all_seven_tiles_of_a_number():
    """Seven hands of one seat; two seats cannot both have one, for they would share a tile."""
    chance = odds("misdeal", players=4, hand=7, of_one_number=7).chance
    assert chance == Fraction(4 * 7, comb(28, 7))
    six = odds("misdeal", players=1, hand=7, of_one_number=6).chance
    assert six == Fraction(7 * (7 * 21 + 1), comb(28, 7))


# --- every hand and every deal of small sets ------------------------------------------------


def full_set(max_pip):
    return [(low, high) for high in range(max_pip + 1) for low in range(high + 1)]


def deals(tiles, players, hand):
    if not players:
        yield ()
        return
    for first in combinations(tiles, hand):
        left = [tile for tile in tiles if tile not in first]
        for others in deals(left, players - 1, hand):
            yield first, *others


@cache
def all_deals(max_pip, players, hand):
    return list(deals(full_set(max_pip), players, hand))


def law_by_counting(found, outcome_of):
    seen = Counter(map(outcome_of, found))
    return {outcome: Fraction(count, len(found)) for outcome, count in seen.items()}


def doubles_of(hand):
    return sum(low == high for low, high in hand)


def tiles_of_number(hand, number):
    return sum(number in tile for tile in hand)


HANDS = [
    (max_pip, hand)
    for max_pip, most in [(1, 3), (2, 6), (3, 10), (4, 4)]
    for hand in range(1, most + 1)
]


@pytest.mark.parametrize(("max_pip", "hand"), HANDS)
def test_hands_of_small_sets(max_pip, hand):
    hands = [deal[0] for deal in all_deals(max_pip, 1, hand)]
    numbers = range(max_pip + 1)
    counted = {
        "doubles": doubles_of,
        "number": lambda held: tiles_of_number(held, 1),
        "missing": lambda held: sum(not tiles_of_number(held, number) for number in numbers),
        "pips": lambda held: sum(map(sum, held)),
    }
    for question, outcome_of in counted.items():
        found = odds(question, max_pip=max_pip, hand=hand)
        law = law_by_counting(hands, outcome_of)
        assert {chance.outcome: chance.exact for chance in found.distribution} == law, question
        assert list(found.law) == sorted(law)
        assert (found.moments.least, found.moments.most) == (min(law), max(law))
    without = law_by_counting(hands, lambda held: not tiles_of_number(held, 0)).get(True, 0)
    assert odds("missing", max_pip=max_pip, hand=hand, number=0).chance == without


TABLES = [(1, 1, 2), (1, 3, 1), (2, 1, 3), (2, 2, 2), (2, 2, 3), (2, 3, 2), (3, 1, 5), (3, 2, 3)]
TABLES += [(3, 2, 4), (3, 3, 2), (4, 1, 5), (4, 2, 2)]


@pytest.mark.parametrize(("max_pip", "players", "hand"), TABLES)
def test_tables_of_small_sets(max_pip, players, hand):
    found = all_deals(max_pip, players, hand)
    size = {"max_pip": max_pip, "players": players, "hand": hand}
    assert odds("deals", **size).number == len(found)
    highest = law_by_counting(
        found,
        lambda deal: max(
            (high for hand in deal for low, high in hand if low == high), default=None
        ),
    )
    opening = odds("opening-tile", **size)
    assert {outcome: exact for outcome, exact in opening.law.items() if exact} == highest
    assert odds("no-double", **size).chance == highest.get(None, 0)
    most_doubles = [max(map(doubles_of, deal)) for deal in found]
    most_alike = [
        max(tiles_of_number(hand, number) for hand in deal for number in range(max_pip + 1))
        for deal in found
    ]
    for least in range(1, min(max_pip + 2, len(full_set(max_pip))) + 1):
        share = Fraction(sum(most >= least for most in most_doubles), len(found))
        assert odds("misdeal", **size, doubles=least).chance == share
        share = Fraction(sum(most >= least for most in most_alike), len(found))
        assert odds("misdeal", **size, of_one_number=least).chance == share


# --- laws that hold for any set -------------------------------------------------------------


@pytest.mark.parametrize(("max_pip", "hand"), [(6, 14), (6, 28), (9, 7), (12, 15), (18, 95)])
def test_closed_forms_of_large_sets(max_pip, hand):
    """Mean and variance of a sample without replacement; all laws add up to 1."""
    tiles = full_set(max_pip)
    size = {"max_pip": max_pip, "hand": hand}
    shrink = Fraction(hand * (len(tiles) - hand), len(tiles) - 1)
    values = {
        "pips": [low + high for low, high in tiles],
        "doubles": [int(low == high) for low, high in tiles],
        "number": [int(max_pip in tile) for tile in tiles],
    }
    for question, of_tile in values.items():
        found = odds(question, **size)
        mean = Fraction(sum(of_tile), len(tiles))
        spread = Fraction(sum(value * value for value in of_tile), len(tiles)) - mean * mean
        assert found.moments[:2] == (hand * mean, shrink * spread)
        assert sum(found.law.values()) == 1
    assert sum(odds("missing", **size).law.values()) == 1


def test_what_a_hand_leaves_has_the_other_pips():
    """A hand of 20 of 28 tiles has what the 8 left over have not: 168 pips in all."""
    many, few = odds("pips", hand=20).law, odds("pips", hand=8).law
    assert many == {168 - pips: chance for pips, chance in few.items()}


@pytest.mark.parametrize(
    ("max_pip", "players", "hand", "least"),
    [(6, 2, 7, 4), (6, 4, 7, 4), (9, 4, 9, 6), (12, 4, 12, 7), (18, 1, 40, 12)],
)
def test_misdeals_by_tiles_of_one_number_are_between_their_bounds(max_pip, players, hand, least):
    """Below the sum over seats and numbers, above that of one seat, and falling with the tiles."""
    size = {"max_pip": max_pip, "hand": hand}
    chance = odds("misdeal", **size, players=players, of_one_number=least).chance
    one_number = odds("number", **size).distribution[least].at_least
    one_seat = odds("misdeal", **size, players=1, of_one_number=least).chance
    assert one_number < one_seat <= chance <= players * one_seat
    assert one_seat <= (max_pip + 1) * one_number
    assert odds("misdeal", **size, players=players, of_one_number=least + 1).chance < chance


# --- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "options", "said"),
    [
        ("dubles", {}, r"unknown question 'dubles': choose from .*; did you mean 'doubles'\?"),
        ("doubles", {"players": 2}, "doubles is about one hand: leave out players"),
        ("doubles", {"hand": 29}, "hand must be a whole number from 1 to 28, not 29"),
        ("doubles", {"hand": 0}, "hand must be a whole number from 1 to 28, not 0"),
        ("doubles", {"max_pip": 19}, "max_pip must be a whole number from 1 to 18, not 19"),
        ("doubles", {"number": 3}, "doubles takes no --number"),
        ("missing", {"number": 7}, "number must be a whole number from 0 to 6, not 7"),
        ("deals", {"players": 0}, "players must be a whole number from 1 to 28, not 0"),
        ("misdeal", {}, "misdeal needs either --doubles K or --of-one-number K"),
        ("misdeal", {"doubles": 5, "of_one_number": 5}, "misdeal needs either"),
        ("misdeal", {"doubles": 0}, "doubles must be a whole number from 1 to 28, not 0"),
    ],
)
def test_what_cannot_be_asked(question, options, said):
    with pytest.raises(UsageError, match=said):
        odds(question, **options)


def test_more_tiles_than_there_are():
    with pytest.raises(RulesError, match="5 players × 6 tiles = 30, but double-6 has 28"):
        odds("no-double", players=5, hand=6)


def test_what_takes_too_long_is_refused(monkeypatch):
    monkeypatch.setattr("simdom.exact.crowding.MOST_STEPS", 1000)
    with pytest.raises(UsageError, match="3 tiles of one number in one of 4 hands of 7 are too"):
        odds("misdeal", players=4, hand=7, of_one_number=3)


def test_more_than_any_hand_can_have():
    assert odds("misdeal", hand=7, of_one_number=8).chance == 0
    assert odds("misdeal", hand=7, doubles=8).chance == 0
    assert odds("misdeal", hand=14, of_one_number=3).chance == 1  # 21 ends, 7 x 2 places


# --- in writing -----------------------------------------------------------------------------


def test_chances_in_words():
    assert chance_in_words(Fraction(1, 345)) == "1/345, 0.00289855, 1 in 345"
    assert (
        chance_in_words(Fraction(1, 3**40)) == "1/12157665459056928801, 8.22526e-20, 1 in 1.216e+19"
    )
    assert chance_in_words(Fraction(1)) == "1, always"
    assert [format_one_in(Fraction(p)) for p in ("2/3", "1/12345", "2/24691", "0")] == [
        "1 in 1.5",
        "1 in 12,345",
        "1 in 12,346",
        "never",
    ]


def test_summaries():
    assert odds("no-double").summary() == (
        "Nobody has a double: 2 hands of 7 tiles, double-6 set: 1/345, 0.00289855, 1 in 345."
    )
    assert "from 15 to 69, mean 42, variance 49." in odds("pips").summary()
    assert "one or more: 45535/78936, 0.576860, 1 in 1.734." in odds("missing").summary()
    assert "most often 6-6, 1/2, 0.5, 1 in 2." in odds("opening-tile").summary()
    assert odds("deals").summary().endswith(": 137,680,171,200.")
    assert repr(odds("deals", hand=1, players=1)) == (
        "<Odds of Deals that can be told apart: 1 tile, double-6 set: 28>"
    )


def test_documents():
    document = odds("no-double").to_dict()
    assert document["schema"] == "simdom.odds/1"
    assert (document["question"], document["fraction"]) == ("no-double", "1/345")
    assert document["value"] == 1 / 345
    assert document["command"] == "simdom odds no-double --max-pip 6 --hand 7 --players 2"
    pips = odds("pips").to_dict()
    assert pips["mean"] == {"fraction": "42", "value": 42}
    assert pips["distribution"][0] == {
        "question": "pips",
        "outcome": 15,
        "fraction": "1/394680",
        "value": 1 / 394680,
        "at_least": {"fraction": "1", "value": 1.0},
    }
    assert "fraction" not in pips
    deals_document = odds("deals", max_pip=18, hand=1, players=190).to_dict()
    assert deals_document["value"] == odds("deals", max_pip=18, hand=1, players=190).number


def test_frames_and_csv():
    found = odds("opening-tile")
    frame = found.to_frame()
    assert list(frame["outcome"]) == ["6-6", "5-5", "4-4", "3-3", "2-2", "1-1", "0-0", "none"]
    assert frame["value"].sum() == pytest.approx(1)
    assert found.to_csv().splitlines()[1] == "opening-tile,6-6,1/2,0.5,,"
    assert odds("deals").to_csv().splitlines()[1] == "deals,,137680171200,137680171200,,"


def test_tables_for_people():
    text = str(odds("doubles"))
    assert "0        323/3289      0.0982061    1 in 10.18      1" in text
    html = odds("missing")._repr_html_()
    assert "<td" in html
    assert "33401/78936" in html
    long = odds("pips", max_pip=12, hand=40)
    assert "fraction" not in long.table()[0]
    assert "fraction" in odds("pips").table()[0]
