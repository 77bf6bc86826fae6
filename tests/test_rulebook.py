"""Sentences of rules pages on deal, lead and turn, one test each, named after source and rule.

Sources are those of ``docs/rules.md``. Rounds are found by playing the first few hundred of a
fixed seed, so nothing here is left to chance.
"""

import pytest

from oracle import is_double
from scale import rounds
from simdom.rules import (
    Boneyard,
    NoDouble,
    Opening,
    Rules,
)
from simdom.variants import load_variant
from traces import blocked, moments, rounds_of

FEW, MANY = 200, rounds(3000, 600)

BLOCK_2 = load_variant("pagat-block").rules()
DRAW_2 = load_variant("pagat-draw").rules()
INDIVIDUAL = load_variant("individual-draw")
ALL_DEALT = Rules(players=4, deal=7)


def by_weight(tile):
    return sum(tile), max(tile)


def doubles_in(hands):
    return [tile for hand in hands for tile in hand if is_double(tile)]


# --- who leads ------------------------------------------------------------------------------


def test_s0_highest_double_leads():
    for played in rounds_of(INDIVIDUAL.rules(3), FEW):
        highest = max(doubles_in(played.deal), default=None)
        if highest is not None:
            assert played.turns[0].tile == highest
            assert highest in played.deal[played.opener]
            assert played.turns[0].seat == played.opener


def test_s0_heaviest_tile_leads_when_nobody_has_a_double():
    """Equal totals by the higher end. Ten tiles of 28: no double in 34/1265 of the deals."""
    found = [r for r in rounds_of(Rules(deal=5), MANY) if not doubles_in(r.deal)]
    assert len(found) >= 5
    for played in found:
        heaviest = max((tile for hand in played.deal for tile in hand), key=by_weight)
        assert played.turns[0].tile == heaviest
        assert heaviest in played.deal[played.opener]


def test_s0_equal_totals_lead_by_the_higher_end():
    found = [r for r in rounds_of(Rules(deal=2), MANY) if not doubles_in(r.deal)]
    equal = 0
    for played in found:
        dealt = sorted((tile for hand in played.deal for tile in hand), key=by_weight)
        if sum(dealt[-1]) == sum(dealt[-2]):
            equal += 1
            assert max(played.turns[0].tile) > max(dealt[-2])
    assert equal >= 5


def test_s0_opener_is_found_afresh_every_round():
    openers = {played.opener for played in rounds_of(INDIVIDUAL.rules(4), FEW)}
    assert openers == {0, 1, 2, 3}


def test_s2_lot_opens_with_any_tile():
    rules = load_variant("portal-draw").rules(3)
    found = rounds_of(rules, FEW)
    assert {played.opener for played in found} == {0, 1, 2}
    leads = [played.turns[0].tile for played in found]
    assert all(played.turns[0].tile in played.deal[played.opener] for played in found)
    assert any(not is_double(tile) for tile in leads)
    assert any(is_double(tile) for tile in leads)


def test_pagat_draw_lot_leads_any_tile():
    rules = load_variant("pagat-draw-lot").rules()
    assert rules.opening == Opening.LOT
    found = rounds_of(rules, FEW)
    free = [r for r in found if r.turns[0].tile != max(doubles_in(r.deal), default=None)]
    assert len(free) > FEW / 2


def test_s4_first_seat_leads_any_tile():
    found = rounds_of(load_variant("app-draw").rules(), FEW)
    assert {played.opener for played in found} == {0}
    assert any(not is_double(played.turns[0].tile) for played in found)


def test_s2_holder_of_the_highest_double_may_lead_another_tile():
    found = rounds_of(Rules(opening=Opening.HOLDER_LEADS_ANY), FEW)
    for played in found:
        assert (
            max(doubles_in(played.deal), default=played.turns[0].tile)
            in (played.deal[played.opener])
        )
    assert any(not is_double(played.turns[0].tile) for played in found)


def test_gp_double_six_leads_when_all_tiles_are_dealt():
    assert {played.turns[0].tile for played in rounds_of(ALL_DEALT, FEW)} == {(6, 6)}


# --- which deals are played -----------------------------------------------------------------


def test_netexl_no_double_is_dealt_again():
    rules = Rules(deal=2, no_double=NoDouble.REDEAL)
    found = rounds_of(rules, FEW)
    assert all(doubles_in(played.deal) for played in found)
    assert any(played.redeals > 0 for played in found)


@pytest.mark.parametrize("opening", [Opening.LOT, Opening.FIRST_SEAT])
def test_no_double_is_played_when_no_double_is_asked_for(opening):
    rules = Rules(deal=2, no_double=NoDouble.REDEAL, opening=opening)
    found = rounds_of(rules, FEW)
    assert not any(played.redeals for played in found)
    assert not all(doubles_in(played.deal) for played in found)


def test_pagat_cuban_five_doubles_are_thrown_in():
    """Ten tiles each of double-9."""
    rules = Rules(max_pip=9, players=4, deal=10, misdeal=5)
    found = rounds_of(rules, FEW)
    assert all(len(doubles_in([hand])) < 5 for played in found for hand in played.deal)
    assert any(played.redeals for played in found)
    without = rounds_of(rules._replace(misdeal=0), FEW)
    assert any(len(doubles_in([hand])) >= 5 for played in without for hand in played.deal)


def test_pagat_cuban_fifteen_tiles_are_left_out():
    rules = Rules(max_pip=9, players=4, deal=10)
    (played,) = rounds_of(rules, 1)
    assert len(played.boneyard) == 15
    assert not played.drawn


def test_brazil_four_doubles_are_thrown_in():
    rules = Rules(players=4, misdeal=4)
    found = rounds_of(rules, FEW)
    assert all(len(doubles_in([hand])) < 4 for played in found for hand in played.deal)
    assert any(played.redeals for played in found)


@pytest.mark.parametrize(
    ("variant", "deals"),
    [
        ("pagat-block", {2: 7, 3: 5, 4: 5}),
        ("pagat-draw", {2: 7, 3: 7, 4: 6}),
        ("household-draw", {2: 7, 3: 5, 4: 5}),
        ("household-block", {2: 7, 3: 5, 4: 5}),
        ("individual-draw", {2: 7, 3: 7, 4: 6}),
        ("simple-draw", {2: 7, 3: 5, 4: 5}),
        ("portal-draw", {2: 7, 3: 7, 4: 6}),
        ("app-draw", {2: 7, 3: 5, 4: 5}),
        ("pagat-draw-lot", {2: 7, 3: 7, 4: 6}),
        ("draw-one", {2: 7}),
    ],
)
def test_tiles_dealt_to_each_seat(variant, deals):
    for players, deal in deals.items():
        (played,) = rounds_of(load_variant(variant).rules(players), 1)
        assert [len(hand) for hand in played.deal] == [deal] * players
        assert len(played.boneyard) == 28 - players * deal


def test_jamaica_two_players_hold_the_whole_set():
    (played,) = rounds_of(Rules(deal=14), 1)
    assert played.boneyard == []
    assert len({tile for hand in played.deal for tile in hand}) == 28


# --- a turn ---------------------------------------------------------------------------------


def test_s0_turns_go_round_the_table():
    for played in rounds_of(INDIVIDUAL.rules(3), FEW):
        seats = [turn.seat for turn in played.turns]
        assert seats == [(played.opener + k) % 3 for k in range(len(seats))]


def test_s0_a_tile_is_played_on_an_open_end_that_it_matches():
    for played in rounds_of(INDIVIDUAL.rules(), FEW):
        for moment in list(moments(played))[1:]:
            turn, before = moment.turn, list(moment.ends)
            if turn.tile is None:
                assert turn.ends == moment.ends
            else:
                assert before[turn.end] == turn.number
                assert turn.number in turn.tile
                other = sum(turn.tile) - turn.number
                before[turn.end] = other
                assert turn.ends == tuple(before)


def test_s3_a_lead_opens_both_its_numbers():
    for played in rounds_of(load_variant("app-draw").rules(), FEW):
        assert sorted(played.turns[0].ends) == sorted(played.turns[0].tile)


def test_s3_who_can_play_must_play():
    for rules in (BLOCK_2, DRAW_2):
        for played in rounds_of(rules, FEW):
            for moment in moments(played):
                if moment.could_play:
                    assert moment.turn.tile is not None
                    assert moment.turn.tile in moment.hand
                    assert moment.turn.draws == []


def test_s3_block_boneyard_is_never_drawn():
    for played in rounds_of(BLOCK_2, FEW):
        assert not played.drawn
        for moment in moments(played):
            assert (moment.turn.tile is None) == (not moment.could_play)


def test_s0_draws_until_a_tile_fits_and_plays_it():
    turns = 0
    for played in rounds_of(INDIVIDUAL.rules(), FEW):
        for moment in moments(played):
            *unfit, last = moment.turn.draws or [None]
            assert not any(moment.fits(tile) for tile in unfit)
            if last is not None and moment.fits(last):
                assert moment.turn.tile == last
                turns += 1
    assert turns > FEW


def test_s0_who_cannot_draw_any_more_passes():
    passes = 0
    for played in rounds_of(INDIVIDUAL.rules(), FEW):
        for moment in moments(played):
            if moment.turn.tile is None:
                passes += 1
                assert len(moment.boneyard) == len(moment.turn.draws)
                assert not any(moment.fits(tile) for tile in moment.hand + moment.turn.draws)
    assert passes >= FEW / 4


def test_s0_last_tile_may_be_drawn():
    assert any(played.drawn == played.boneyard for played in rounds_of(INDIVIDUAL.rules(), FEW))


@pytest.mark.parametrize(("rules", "reserve"), [(DRAW_2, 2), (DRAW_2._replace(reserve=1), 1)])
def test_s3_reserve_is_never_drawn(rules, reserve):
    """Two with S3 and pagat, one in pagat's Double Draw."""
    left = [len(played.boneyard) - len(played.drawn) for played in rounds_of(rules, FEW)]
    assert min(left) == reserve


def test_s3_draw_is_blocked_only_when_nobody_may_draw():
    for played in blocked(rounds_of(DRAW_2, FEW)):
        assert len(played.boneyard) - len(played.drawn) == 2
        for hand in played.hands_left:
            assert not any(played.ends[0] in tile or played.ends[1] in tile for tile in hand)


def test_aig_drawing_one_ends_the_turn_even_if_it_fits():
    fitted = 0
    for played in rounds_of(Rules(boneyard=Boneyard.DRAW_ONE_PASS), FEW):
        for moment in moments(played):
            assert len(moment.turn.draws) <= 1
            if moment.turn.draws:
                assert moment.turn.tile is None
                fitted += moment.fits(moment.turn.draws[0])
    assert fitted >= FEW / 4


def test_itc_drawing_one_plays_it_if_it_fits():
    fitted = passed = 0
    for played in rounds_of(load_variant("draw-one").rules(), FEW):
        for moment in moments(played):
            assert len(moment.turn.draws) <= 1
            for tile in moment.turn.draws:
                assert moment.turn.tile == (tile if moment.fits(tile) else None)
                fitted += moment.fits(tile)
                passed += not moment.fits(tile)
    assert min(fitted, passed) >= FEW / 4


def test_s3_a_seat_that_drew_one_closes_nothing_while_tiles_may_be_drawn():
    """So a row of passes as long as the table does not end the round by itself."""
    longest = 0
    for played in rounds_of(Rules(boneyard=Boneyard.DRAW_ONE_PASS), FEW):
        row = 0
        for moment in moments(played):
            row = row + 1 if moment.turn.tile is None else 0
            longest = max(longest, row)
    assert longest > 2


def test_s3_a_tile_that_fits_two_different_ends_has_two_placements():
    """Both are made: by either end the round goes on differently."""
    ends = {0: 0, 1: 0}
    for played in rounds_of(ALL_DEALT, FEW):
        for moment in list(moments(played))[1:]:
            if moment.turn.tile and sorted(moment.turn.tile) == sorted(set(moment.ends)):
                ends[moment.turn.end] += 1
    assert min(ends.values()) >= FEW / 10


def test_s3_equal_ends_count_once():
    """With both ends equal a placement is on the first."""
    for played in rounds_of(ALL_DEALT, FEW):
        for moment in list(moments(played))[1:]:
            if moment.turn.tile and moment.ends[0] == moment.ends[1]:
                assert moment.turn.end == 0
