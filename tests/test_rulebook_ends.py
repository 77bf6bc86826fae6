"""Sentences of rules pages on how a round ends and what it scores; see ``test_rulebook.py``."""

from itertools import pairwise

import pytest

from scale import rounds
from simdom.rules import BlockScore, BlockTie, Rules
from simdom.settling import Last, settle_round
from simdom.tiles import parse_tile
from simdom.variants import load_variant
from traces import Round, blocked, rounds_of

FEW, MANY = 200, rounds(3000, 600)

BLOCK_2 = load_variant("pagat-block").rules()
DRAW_2 = load_variant("pagat-draw").rules()
INDIVIDUAL = load_variant("individual-draw")
ALL_DEALT = Rules(players=4, deal=7)


def score(block_score: BlockScore) -> int:
    """What the hands 6-0, 6-5 and the two tiles 6-6 and 4-2 score: 6, 11 and 18 pips."""
    hands = [[parse_tile(name, 6) for name in hand.split()] for hand in ("6-0", "6-5", "6-6 4-2")]
    rules = Rules(players=3, block_score=block_score)
    last = Last(seat=1, fitted=3, other=1, kept=1)
    settled = settle_round(rules, hands, opener=2, last=last, is_blocked=True)
    assert (settled.winner, settled.pips) == (0, [6, 11, 18])
    return settled.points


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
    assert score(BlockScore.MINUS_OWN) == 23


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
    assert score(BlockScore.OTHERS) == 29


def test_s1_block_scores_others():
    rules = load_variant("simple-draw").rules(3)
    assert rules.block_score == BlockScore.OTHERS
    for played in blocked(rounds_of(rules, MANY)):
        if played.winner is not None:
            assert played.points == sum(played.pips) - min(played.pips)


def test_s2_hands_6_11_18_score_35():
    assert score(BlockScore.ALL_HANDS) == 35


def test_s2_lowest_hand_takes_all_hands():
    rules = load_variant("portal-draw").rules()
    assert rules.block_score == BlockScore.ALL_HANDS
    for played in rounds_of(rules, FEW):
        if played.winner is not None:
            assert played.pips[played.winner] == min(played.pips)
            assert played.points == sum(played.pips)


def test_s3_difference_is_taken_from_each_other_seat():
    assert score(BlockScore.DIFFERENCE) == 5 + 12


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
