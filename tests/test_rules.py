"""Rules as data: what may be written, what is refused and with which arithmetic."""

from fractions import Fraction

import pytest
from hypothesis import given

from generators import legal_rules
from simdom.errors import RulesError, UsageError
from simdom.rules import (
    TOGGLES,
    BlockScore,
    BlockTie,
    Boneyard,
    NoDouble,
    Opening,
    Rules,
    accepted_deals,
    check_rules,
    parse_toggle,
    rules_from_dict,
    rules_to_dict,
)

CURE = "set reserve to 1 or less"
RARE = "at least 1 in 1000 must be playable"


@pytest.mark.parametrize("name", Rules._fields)
def test_every_toggle_says_what_it_means_and_who_says_so(name):
    toggle = TOGGLES[name]
    assert toggle.doc.endswith(".")
    assert toggle.source
    assert toggle.allowed
    default = Rules._field_defaults[name]
    assert parse_toggle(name, default) == default


@pytest.mark.parametrize("enum", [Boneyard, Opening, NoDouble, BlockScore, BlockTie])
def test_every_enumerated_toggle_lists_its_values(enum):
    (name,) = [name for name, toggle in TOGGLES.items() if toggle.enum is enum]
    assert TOGGLES[name].values == [member.name.lower() for member in enum]
    for member in enum:
        written = member.name.lower()
        assert parse_toggle(name, written) is member
        assert parse_toggle(name, written.replace("_", "-").upper()) is member
        assert parse_toggle(name, int(member)) is member


def test_toggles_are_in_the_order_of_the_fields():
    assert tuple(TOGGLES) == Rules._fields


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (
            Rules(players=4, deal=8),
            "4 players × 8 tiles = 32, but double-6 has 28",
        ),
        (
            Rules(players=14, deal=15, max_pip=18),
            "14 players × 15 tiles = 210, but double-18 has 190",
        ),
        (
            Rules(players=3, deal=9, reserve=2),
            "reserve 2 is more than the boneyard: 28 tiles of double-6 - 3 × 9 dealt = 1; " + CURE,
        ),
        (
            Rules(deal=14, misdeal=1),
            "misdeal=1 and no_double=heaviest_tile accept no deal at all; " + RARE,
        ),
        (
            Rules(players=4, deal=5, misdeal=1),
            "misdeal=1 and no_double=heaviest_tile accept 1 deal in 148,005; " + RARE,
        ),
        (
            Rules(misdeal=1, no_double=NoDouble.REDEAL),
            "misdeal=1 and no_double=redeal accept no deal at all; " + RARE,
        ),
    ],
)
def test_impossible_rules_are_refused_with_the_arithmetic(rules, message):
    with pytest.raises(RulesError) as raised:
        check_rules(rules)
    assert str(raised.value) == message
    assert raised.value.exit_code == 2


def test_as_many_tiles_as_the_set_has_may_be_dealt():
    assert check_rules(Rules(players=4, deal=7)).boneyard_size == 0
    assert check_rules(Rules(players=14, deal=13, max_pip=18)).boneyard_size == 8


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("players", 15, "players must be a whole number from 2 to 14, not 15"),
        ("players", "1", "players must be a whole number from 2 to 14, not '1'"),
        ("max_pip", "abc", "max_pip must be a whole number from 1 to 18, not 'abc'"),
        ("max_pip", 0, "max_pip must be a whole number from 1 to 18, not 0"),
        ("deal", 1.5, "deal must be a whole number from 1 to 95, not 1.5"),
        ("deal", True, "deal must be a whole number from 1 to 95, not True"),
        ("deal", "²", "deal must be a whole number from 1 to 95, not '²'"),
        ("reserve", "-1", "reserve must be a whole number from 0 to 188, not '-1'"),
        ("double_blank_pips", 101, "double_blank_pips must be a whole number from 0 to 100"),
    ],
)
def test_a_number_out_of_its_range_is_refused(name, value, message):
    with pytest.raises(UsageError) as raised:
        parse_toggle(name, value)
    assert str(raised.value).startswith(message)


def test_the_nearest_toggle_is_offered():
    with pytest.raises(UsageError, match="did you mean 'reserve'") as raised:
        parse_toggle("reserv", 2)
    assert "unknown toggle 'reserv'" in str(raised.value)


def test_the_nearest_value_is_offered():
    with pytest.raises(UsageError, match="did you mean 'minus_own'") as raised:
        parse_toggle("block_score", "minus-own-")
    assert "others, all_hands, difference" in str(raised.value)


def test_an_enumerated_toggle_takes_no_other_number():
    with pytest.raises(UsageError, match="unknown value of boneyard '4'"):
        parse_toggle("boneyard", 4)


@given(legal_rules(max_pip=18, players=14))
def test_rules_round_trip_through_what_people_write(rules):
    written = rules_to_dict(rules)
    assert rules_from_dict(written) == rules
    assert rules_from_dict({name: str(value) for name, value in written.items()}) == rules
    assert check_rules(rules) == rules


def test_toggles_that_are_not_written_keep_their_defaults():
    assert rules_from_dict({"deal": "6"}) == Rules(deal=6)


@pytest.mark.parametrize(
    ("deal", "players", "none"),
    [
        (7, 2, "1/345"),
        (6, 2, "2/207"),
        (5, 2, "34/1265"),
        (5, 3, "1/690"),
        (5, 4, "1/148005"),
        (6, 3, "1/9867"),
        (6, 4, "0"),
    ],
)
def test_deals_thrown_in_for_want_of_a_double(deal, players, none):
    rules = Rules(players=players, deal=deal, no_double=NoDouble.REDEAL)
    assert accepted_deals(rules) == 1 - Fraction(none)
    assert accepted_deals(rules._replace(opening=Opening.LOT)) == 1


def test_brazil_deals_thrown_in_for_four_doubles_in_a_hand():
    """In one hand of 7: 4655/118404 + 49/13156 + ...; two hands cannot both have four."""
    one_hand = sum(Fraction(p) for p in ("4655/118404", "49/13156", "49/394680", "1/1184040"))
    assert accepted_deals(Rules(misdeal=4)) == 1 - 2 * one_hand


def test_pagat_cuban_deals_thrown_in_for_five_doubles_in_a_hand():
    one_hand = sum(Fraction(p) for p in ("49/13156", "49/394680", "1/1184040"))
    assert accepted_deals(Rules(misdeal=5)) == 1 - 2 * one_hand
    assert accepted_deals(Rules(players=4, misdeal=5)) == 1 - Fraction(2279, 148005)


def test_both_reasons_to_deal_again():
    both = Rules(players=4, deal=5, misdeal=5, no_double=NoDouble.REDEAL)
    many = both._replace(no_double=NoDouble.HEAVIEST_TILE)
    assert accepted_deals(both) == accepted_deals(many) - Fraction(1, 148005)


def test_misdeals_on_double_1():
    """Double-1 has 0-0, 1-1 and 1-0: one tile each is never two doubles, and always one double."""
    assert accepted_deals(Rules(max_pip=1, deal=1, misdeal=2)) == 1
    assert accepted_deals(Rules(max_pip=1, deal=1, no_double=NoDouble.REDEAL)) == 1
    assert accepted_deals(Rules(max_pip=1, deal=1, misdeal=1)) == 0
