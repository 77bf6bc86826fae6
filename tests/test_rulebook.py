"""Sentences of rules pages, one test each, named after the source and the rule.

Sources are those of ``docs/rules.md``. Rounds are found by playing the first few hundred of a
fixed seed, so nothing here is left to chance.
"""

from itertools import pairwise

import pytest
from scale import rounds
from traces import Round, moments, rounds_of

from oracle import is_double
from simdom.rules import (
    BlockScore,
    BlockTie,
    Boneyard,
    NoDouble,
    Opening,
    Rules,
)
from simdom.variants import load_variant

FEW, MANY = 200, rounds(3000, 600)

BLOCK_2 = load_variant("pagat-block").rules()
DRAW_2 = load_variant("pagat-draw").rules()
INDIVIDUAL = load_variant("individual-draw")
ALL_DEALT = Rules(players=4, deal=7)


def by_weight(tile):
    return sum(tile), max(tile)


def doubles_in(hands):
    return [tile for hand in hands for tile in hand if is_double(tile)]


def blocked(found: list[Round]) -> list[Round]:
    some = [played for played in found if played.ending == "blocked"]
    assert len(some) >= 5
    return some


def score(block_score: BlockScore, pips: list[int], winner: int) -> int:
    from simdom.engine.scoring import score_of

    return score_of(block_score, sum(pips), pips[winner], len(pips))


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


# --- the end and the score ------------------------------------------------------------------


def test_s0_who_plays_the_last_tile_wins():
    for played in rounds_of(INDIVIDUAL.rules(3), FEW):
        empty = [seat for seat, hand in enumerate(played.hands_left) if not hand]
        assert empty == ([played.winner] if played.ending == "domino" else [])
        if played.ending == "domino":
            assert played.turns[-1].seat == played.winner


def test_s0_a_domino_scores_the_pips_of_the_others():
    for played in rounds_of(INDIVIDUAL.rules(3), FEW):
        if played.ending == "domino":
            left = [tile for hand in played.hands_left for tile in hand]
            assert played.points == sum(sum(tile) for tile in left)


def test_s0_blocked_when_all_seats_pass_in_a_row():
    for played in blocked(rounds_of(BLOCK_2, FEW)):
        tiles = [turn.tile for turn in played.turns]
        assert tiles[-2:] == [None, None]
        assert (None, None) not in list(pairwise(tiles))[:-1]


def test_s0_lowest_hand_wins_a_block():
    for played in blocked(rounds_of(BLOCK_2, FEW)):
        if played.winner is None:
            assert played.pips[0] == played.pips[1]
        else:
            assert played.pips[played.winner] == min(played.pips)
            assert played.pips.count(min(played.pips)) == 1


def test_s0_hands_6_11_18_score_23():
    assert score(BlockScore.MINUS_OWN, [6, 11, 18], winner=0) == 23


def test_s0_a_block_scores_the_others_minus_own():
    for played in blocked(rounds_of(Rules(players=3, deal=5), FEW)):
        if played.winner is not None:
            assert played.points == sum(played.pips) - 2 * min(played.pips)


def test_s0_a_tied_block_scores_nothing():
    tied = [played for played in rounds_of(BLOCK_2, MANY) if played.winner is None]
    assert len(tied) >= 5
    for played in tied:
        assert played.ending == "blocked"
        assert played.pips.count(min(played.pips)) == 2
        assert played.points == 0


def test_s1_hands_6_11_18_score_29():
    assert score(BlockScore.OTHERS, [6, 11, 18], winner=0) == 29


def test_s1_block_scores_others():
    rules = load_variant("simple-draw").rules(3)
    assert rules.block_score == BlockScore.OTHERS
    for played in blocked(rounds_of(rules, MANY)):
        if played.winner is not None:
            assert played.points == sum(played.pips) - min(played.pips)


def test_s2_hands_6_11_18_score_35():
    assert score(BlockScore.ALL_HANDS, [6, 11, 18], winner=0) == 35


def test_s2_lowest_hand_takes_all_hands():
    rules = load_variant("portal-draw").rules()
    assert rules.block_score == BlockScore.ALL_HANDS
    for played in rounds_of(rules, FEW):
        if played.winner is not None:
            assert played.pips[played.winner] == min(played.pips)
            assert played.points == sum(played.pips)


def test_s3_difference_is_taken_from_each_other_seat():
    assert score(BlockScore.DIFFERENCE, [6, 11, 18], winner=0) == 5 + 12
    assert score(BlockScore.DIFFERENCE, [6, 11], winner=0) == 5


def test_s4_block_scores_others():
    assert load_variant("app-draw").rules().block_score == BlockScore.OTHERS


@pytest.mark.parametrize("block_score", BlockScore)
def test_s0_s1_s2_agree_on_a_domino(block_score):
    for played in rounds_of(DRAW_2._replace(block_score=block_score), FEW):
        if played.ending == "domino":
            assert played.points == sum(played.pips)


def _tied(block_tie: BlockTie) -> list[Round]:
    rules = Rules(players=3, deal=5, block_tie=block_tie)
    found = [
        played
        for played in rounds_of(rules, MANY)
        if played.ending == "blocked" and played.pips.count(min(played.pips)) > 1
    ]
    assert len(found) >= 5
    return found


def test_dg_lightest_single_tile_wins_a_tied_block():
    decided = 0
    for played in _tied(BlockTie.LIGHTEST_TILE):
        tied = [seat for seat in range(3) if played.pips[seat] == min(played.pips)]
        lightest = {seat: min(sum(tile) for tile in played.hands_left[seat]) for seat in tied}
        best = [seat for seat in tied if lightest[seat] == min(lightest.values())]
        assert played.winner == (best[0] if len(best) == 1 else None)
        decided += played.winner is not None
    assert decided >= 1


def test_cas_opener_wins_a_tied_block():
    tied = _tied(BlockTie.OPENER)
    for played in tied:
        with_opener = played.pips[played.opener] == min(played.pips)
        assert played.winner == (played.opener if with_opener else None)
        assert (played.points > 0) == with_opener
    assert any(played.winner is None for played in tied)
    assert any(played.winner is not None for played in tied)


def test_evc_tied_seats_share_the_score():
    for played in _tied(BlockTie.SPLIT):
        assert played.winner is None
        assert played.points == sum(played.pips) - 2 * min(played.pips)


def test_s3_double_blank_counts_50_and_other_blanks_25():
    rules = BLOCK_2._replace(double_blank_pips=50, blank_pips=25)
    seen = set()
    for played in rounds_of(rules, FEW):
        for hand, pips in zip(played.hands_left, played.pips, strict=True):
            blanks = [25 + max(tile) for tile in hand if tile[0] == 0 < tile[1]]
            double_blank = [50 for tile in hand if tile == (0, 0)]
            assert pips == sum(sum(tile) for tile in hand if tile[0]) + sum(blanks + double_blank)
            seen |= {len(blanks) > 0, (len(double_blank) > 0, "0-0")}
    assert len(seen) == 4


# --- what is known for certain --------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "even_set"),
    [
        (ALL_DEALT, 6),
        (INDIVIDUAL.rules(), 6),
        (Rules(max_pip=4, players=3, deal=5), 4),
        (Rules(max_pip=8, players=5, deal=9), 8),
    ],
    ids=["4x7", "draw-reserve-0", "double-4", "double-8"],
)
def test_blocked_rounds_with_nothing_hidden_show_equal_ends(rules, even_set):
    """A number stands on N + 2 halves, an even number, all of them on the line when it blocks.

    Inside the line equal halves touch in pairs, so both ends show the number, or neither does. The
    N + 1 tiles with it come in N/2 touching pairs and the double, others stand between the pairs.
    """
    for played in blocked(rounds_of(rules, MANY)):
        assert played.ends[0] == played.ends[1]
        assert len(played.line) >= 3 * even_set // 2 + 1


@pytest.mark.parametrize(
    ("rules", "longest"),
    [(BLOCK_2, 13), (DRAW_2, 25), (ALL_DEALT, 25)],
    ids=["block", "draw-reserve-2", "4x7"],
)
def test_longest_line(rules, longest):
    assert max(len(played.line) for played in rounds_of(rules, MANY)) <= longest


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
