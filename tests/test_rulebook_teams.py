"""Sentences of rules pages on teams, ties, bonuses and named doubles; see ``test_rulebook.py``.

Ends of rounds are laid out by hand and judged twice: by the oracle, and by the engine.
"""

import pytest

from oracle import is_double
from plain_scoring import Ended, Last, gained_by, scores_of, winner_of
from scale import rounds
from simdom.rules import (
    BlockScore,
    BlockTie,
    BlockWinner,
    Capicua,
    DominoScore,
    NamedMissing,
    NoDouble,
    Opening,
    PipSteps,
    Rules,
    Teams,
    check_rules,
)
from simdom.settling import Settled, settle_round
from simdom.tiles import parse_tile
from traces import blocked, moments, rounds_of

FEW, MANY = 200, rounds(3000, 600)

PAIRS = Rules(
    players=4,
    deal=7,
    teams=Teams.PAIRS,
    block_score=BlockScore.OPPONENTS,
    opening=Opening.NAMED_DOUBLE,
)
TEAM_TOTAL = PAIRS._replace(block_winner=BlockWinner.LIGHTEST_TEAM)
ALONE = Rules(players=3)
NOTHING = ""  # of a hand that is out
NO_BONUS = {"fitted": 1, "other": 2, "kept": 3}


def judged(rules, *hands, opener=0, out=None, blocker=0, passes=None, **last) -> Settled:
    """The end of a round with these hands left: blocked, or with a seat out.

    ``last`` says how the last tile lay: the number that fitted, its other one, and what the other
    end of the line showed.
    """
    rules = check_rules(rules)
    seat = blocker if out is None else out
    tile = Last(seat, **(last or NO_BONUS))
    left = [[parse_tile(name, rules.max_pip) for name in hand.split()] for hand in hands]
    settled = settle_round(
        rules, left, opener=opener, last=tile, is_blocked=out is None, pass_rounds=passes
    )
    pairs = [[(int(name[-1]), int(name[0])) for name in hand.split()] for hand in hands]
    assert len({tile for hand in pairs for tile in hand}) == sum(map(len, pairs))
    plain = Ended(rules, pairs, opener, tile, out is None, passes or ())
    assert settled.winner == winner_of(plain)
    assert settled.scores == {kind.name.lower(): s for kind, s in scores_of(plain).items()}
    assert settled.gained == gained_by(plain)
    return settled


# --- who wins a block -----------------------------------------------------------------------

FIVE, THIRTY, TEN, TWELVE = "5-0", "6-6 5-5 4-4", "6-4", "6-5 1-0"


def test_gp_the_lower_team_total_wins_a_block():
    """A 5 and C 30 against B 10 and D 12: 35 to 22."""
    settled = judged(TEAM_TOTAL, FIVE, TEN, THIRTY, TWELVE)
    assert settled.pips == [5, 10, 30, 12]
    assert settled.winner == 1
    assert (settled.points, settled.gained) == (35, [0, 35, 0, 0])


def test_pca_the_lowest_single_hand_wins_a_block():
    """The same hands: A's 5 is the lowest, and C's 30 do not count against it."""
    settled = judged(PAIRS, FIVE, TEN, THIRTY, TWELVE)
    assert settled.winner == 0
    assert (settled.points, settled.gained) == (22, [22, 0, 0, 0])


def test_gp_15_and_15_against_13_and_33_score_46():
    settled = judged(TEAM_TOTAL, "6-6 2-1", "6-5 2-0", "5-5 4-1", "4-4 6-4 5-4 6-0")
    assert settled.pips == [15, 13, 15, 33]
    assert settled.winner in (0, 2)
    assert settled.points == 46


def test_pca_13_is_the_lowest_of_15_15_13_33():
    settled = judged(PAIRS, "6-6 2-1", "6-5 2-0", "5-5 4-1", "4-4 6-4 5-4 6-0")
    assert (settled.winner, settled.points) == (1, 30)


@pytest.mark.parametrize("block_tie", BlockTie)
def test_pca_a_tie_inside_one_team_is_that_teams_win(block_tie):
    """However ties are settled: partners 0 and 2 hold 5 each; the first in turn is the winner."""
    rules = PAIRS._replace(block_tie=block_tie)
    for opener, winner in ((0, 0), (1, 2), (2, 2), (3, 0)):
        settled = judged(rules, "5-0", "6-4", "4-1", "6-5", opener=opener, blocker=1)
        assert (settled.winner, settled.points) == (winner, 21)


def test_block_winner_does_nothing_where_every_seat_plays_for_itself():
    rules = Rules(players=4, block_winner=BlockWinner.LIGHTEST_TEAM, deal=5)
    assert judged(rules, FIVE, TEN, THIRTY, TWELVE).winner == 0


# --- a team goes out ------------------------------------------------------------------------

HEAVY = "6-6 6-5 5-5"  # 33 pips


@pytest.mark.parametrize("block_winner", BlockWinner)
def test_gp_a_team_that_goes_out_wins_whatever_its_partner_holds(block_winner):
    rules = PAIRS._replace(block_winner=block_winner)
    settled = judged(rules, NOTHING, "1-0", HEAVY, "0-0", out=0)
    assert (settled.winner, settled.points) == (0, 1)


def test_gp_a_domino_scores_the_opponents_hands():
    assert judged(PAIRS, NOTHING, FIVE, HEAVY, TEN, out=0).points == 15


def test_dom_patio_a_domino_scores_the_partners_hand_too():
    rules = PAIRS._replace(domino_score=DominoScore.ALL_HANDS)
    assert judged(rules, NOTHING, FIVE, HEAVY, TEN, out=0).points == 48


@pytest.mark.parametrize("block_score", BlockScore)
def test_what_a_block_scores_plays_no_part_in_a_domino(block_score):
    rules = PAIRS._replace(block_score=block_score, block_bonus=100, flat_points=3)
    settled = judged(rules, NOTHING, FIVE, HEAVY, TEN, out=0)
    assert (settled.points, set(settled.scores.values())) == (15, {15})


def test_jam_every_round_won_is_a_point():
    flat = PAIRS._replace(domino_score=DominoScore.FLAT, block_score=BlockScore.FLAT)
    assert judged(flat, NOTHING, FIVE, HEAVY, TEN, out=0).points == 1
    assert judged(flat, FIVE, TEN, THIRTY, TWELVE).points == 1
    assert judged(flat, FIVE, TEN, THIRTY, "4-1").points == 0  # tied across the teams


# --- what a block scores --------------------------------------------------------------------


def test_fed_a_block_scores_all_hands_the_partners_too():
    rules = TEAM_TOTAL._replace(block_score=BlockScore.ALL_HANDS)
    assert judged(rules, FIVE, TEN, THIRTY, TWELVE).points == 57


def test_dgg_every_seat_scores_against_every_heavier_hand():
    """6, 11 and 18 pips: 5 + 12 for the first seat, 7 for the second."""
    rules = ALONE._replace(block_score=BlockScore.PER_HEAVIER)
    settled = judged(rules, "6-0", "6-5", "6-6 4-2")
    assert (settled.points, settled.gained) == (24, [17, 7, 0])


def test_a_heavier_partner_is_nobody_to_score_against():
    """5 and 30 against 10 and 12: 5 + 7 for seat 0, 20 for seat 1, 18 for seat 3."""
    settled = judged(PAIRS._replace(block_score=BlockScore.PER_HEAVIER), FIVE, TEN, THIRTY, TWELVE)
    assert settled.gained == [12, 20, 0, 18]


def test_evc_a_win_is_worth_20():
    rules = ALONE._replace(block_score=BlockScore.FLAT, domino_score=DominoScore.FLAT)
    rules = rules._replace(flat_points=20)
    assert judged(rules, "6-0", "6-5", "6-6").gained == [20, 0, 0]
    assert judged(rules, "6-0", NOTHING, "6-6", out=1).gained == [0, 20, 0]


# --- ties -----------------------------------------------------------------------------------

# Seats 0 and 1 hold 5 pips each, seat 2 holds 6 and seat 3 holds 10.
TIED = ("5-0", "3-1 1-0", "6-0", "6-4")


def tied(block_tie, opener=0, blocker=0, hands=TIED, **toggles) -> Settled:
    return judged(
        PAIRS._replace(block_tie=block_tie, **toggles), *hands, opener=opener, blocker=blocker
    )


@pytest.mark.parametrize("block_tie", [BlockTie.VOID, BlockTie.REPLAY_DOUBLE])
def test_gp_a_tie_across_the_teams_scores_nothing(block_tie):
    settled = tied(block_tie, block_bonus=100)
    assert (settled.winner, settled.points, settled.gained) == (None, 0, [0, 0, 0, 0])


def test_lib_the_opening_pair_wins_a_tie():
    """Its tied seat wins, though the partner may have opened; an opener's side may not be tied."""
    winners = [tied(BlockTie.OPENER, opener).winner for opener in range(4)]
    assert winners == [0, 1, 0, 1]
    alone = ALONE._replace(block_tie=BlockTie.OPENER)
    assert judged(alone, "5-0", "4-1", "6-6", opener=2).winner is None
    assert judged(alone, "5-0", "4-1", "6-6", opener=1).winner == 1


def test_cas_the_tied_seat_nearest_to_the_opener_wins():
    assert [tied(BlockTie.NEAREST, opener).winner for opener in range(4)] == [0, 1, 0, 0]


def test_nearest_within_a_team_that_is_nearest():
    """Teams of 11 and 11: the side of the opener, and of it the lighter hand."""
    even = ("5-0", "3-2", "6-0", "4-2")
    winners = [
        tied(BlockTie.NEAREST, opener, hands=even, block_winner=BlockWinner.LIGHTEST_TEAM).winner
        for opener in range(4)
    ]
    assert winners == [0, 1, 0, 1]


def test_dol_the_blocker_wins_a_tie():
    assert [tied(BlockTie.BLOCKER, blocker=seat).winner for seat in range(4)] == [0, 1, 0, 1]
    alone = ALONE._replace(block_tie=BlockTie.BLOCKER)
    assert judged(alone, "5-0", "4-1", "6-6", blocker=2).winner is None


def test_bra_the_blocker_loses_a_tie():
    assert [tied(BlockTie.BLOCKER_LOSES, blocker=seat).winner for seat in range(4)] == [1, 0, 1, 0]
    alone = ALONE._replace(block_tie=BlockTie.BLOCKER_LOSES)
    assert judged(alone, "5-0", "4-1", "6-6", blocker=0).winner == 1
    assert judged(alone, "5-0", "4-1", "6-6", blocker=2).winner is None
    assert judged(alone, "5-0", "4-1", "3-2", blocker=0).winner is None  # which other one?


def test_dg_the_lightest_single_tile_wins_a_tie():
    """Seat 1 holds the 1-0. With a tile of one pip on both sides nobody wins."""
    assert tied(BlockTie.LIGHTEST_TILE).winner == 1
    both = ("2-0 1-1 1-0", "5-0", "6-6", "4-1")  # 5 each, and seats 1 and 3 are of one team
    assert tied(BlockTie.LIGHTEST_TILE, hands=both).winner == 0
    assert tied(BlockTie.LIGHTEST_TILE, hands=("5-0", "4-1", "6-6", "6-5")).winner is None


def test_evc_tied_seats_share_what_the_block_scores():
    """5, 5 and 12: the others' 17 make 8 each, and the odd one is lost."""
    rules = ALONE._replace(block_tie=BlockTie.SPLIT, block_score=BlockScore.OTHERS)
    settled = judged(rules, "5-0", "4-1", "6-6")
    assert (settled.winner, settled.points, settled.gained) == (None, 17, [8, 8, 0])


def test_split_counts_the_opponents_of_the_first_tied_seat():
    """Of seat 0, who ties with seat 1: 5 and 10; all tied seats share them."""
    settled = tied(BlockTie.SPLIT)
    assert (settled.points, settled.gained) == (15, [7, 7, 0, 0])


# --- steps ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "points"),
    [
        (PipSteps.NONE, {3: 3, 20: 20}),
        (PipSteps.FROM_15, {1: 1, 14: 1, 15: 2, 24: 2, 25: 3, 34: 3, 35: 4}),
        (PipSteps.FROM_21, {3: 2, 20: 2, 21: 3, 30: 3, 31: 4}),
    ],
)
def test_prw_lib_pips_become_points_in_steps(steps, points):
    """PRW from 15, LIB from 21; what is left of double-18 is one tile."""
    rules = check_rules(Rules(max_pip=18, pip_steps=steps))
    for pips, expected in points.items():
        high = min(pips, 18)
        left = [[], [parse_tile(f"{high}-{pips - high}", 18)]]
        settled = settle_round(rules, left, opener=0, last=Last(0, 1, 2, 3), is_blocked=False)
        assert settled.points == expected


def test_a_flat_score_and_bonuses_take_no_steps():
    rules = PAIRS._replace(
        pip_steps=PipSteps.FROM_15, block_score=BlockScore.FLAT, flat_points=20, block_bonus=100
    )
    assert judged(rules, FIVE, TEN, THIRTY, TWELVE).points == 120
    others = rules._replace(block_score=BlockScore.OTHERS)
    assert judged(others, FIVE, TEN, THIRTY, TWELVE).points == 5 + 100  # for 52 pips


def test_each_seat_takes_its_own_steps_against_heavier_hands():
    """17 pips make 2 points, 7 make 1, and who scores nothing has not even one."""
    rules = ALONE._replace(block_score=BlockScore.PER_HEAVIER, pip_steps=PipSteps.FROM_15)
    settled = judged(rules, "6-0", "6-5", "6-6 4-2")
    assert (settled.points, settled.gained) == (3, [2, 1, 0])


# --- bonuses --------------------------------------------------------------------------------

# How the last tile lay: fitted, other, the other end; and the ways to tell a capicua that count it.
WAYS_OUT = [
    ((5, 3, 3), {"different_ends", "no_doubles", "doubles_too", "equal_after"}),
    ((5, 3, 5), {"no_doubles", "doubles_too"}),
    ((5, 5, 5), {"doubles_too", "equal_after"}),
    ((5, 5, 3), set()),
    ((5, 3, 2), set()),
    ((5, 3, None), set()),
]


@pytest.mark.parametrize("capicua", [kind for kind in Capicua if kind != Capicua.NONE])
@pytest.mark.parametrize(("lay", "counted"), WAYS_OUT)
def test_dom_saci_lib_going_out_on_both_ends(lay, counted, capicua):
    """DOM: different ends; SACI and LIB: no doubles; others count doubles, or equal ends after."""
    rules = PAIRS._replace(capicua=capicua, capicua_points=25)
    fitted, other, kept = lay
    settled = judged(rules, NOTHING, FIVE, HEAVY, TEN, out=0, fitted=fitted, other=other, kept=kept)
    bonus = 25 if capicua.name.lower() in counted else 0
    assert (settled.points, settled.gained) == (15 + bonus, [15 + bonus, 0, 0, 0])


@pytest.mark.parametrize(
    ("lay", "points"),
    [
        ((4, 4, 4), 2 + 4),  # a double on both ends
        ((4, 4, 1), 2),
        ((0, 0, 0), 2 + 4 + 100),
        ((0, 0, 3), 2 + 100),
        ((0, 0, None), 2 + 100),  # a hand of one tile, led
        ((4, 4, None), 2),
        ((4, 1, 4), 0),
    ],
)
def test_bra_saci_bonuses_for_doubles_add_up(lay, points):
    """BRA: out with a double, and crossed; SACI: out with 0-0."""
    rules = PAIRS._replace(crossed_points=4, double_out_points=2, blank_out_points=100)
    fitted, other, kept = lay
    settled = judged(rules, NOTHING, FIVE, HEAVY, TEN, out=0, fitted=fitted, other=other, kept=kept)
    assert settled.points == 15 + points


def test_saci_the_tile_that_blocks_earns_no_bonus():
    rules = PAIRS._replace(
        crossed_points=4, double_out_points=2, blank_out_points=100,
        capicua=Capicua.DOUBLES_TOO, capicua_points=100,
    )  # fmt: skip
    settled = judged(rules, FIVE, TEN, THIRTY, TWELVE, fitted=0, other=0, kept=0)
    assert settled.points == 22


def test_rpr_a_block_that_somebody_wins_scores_100_more():
    rules = PAIRS._replace(block_bonus=100)
    assert judged(rules, FIVE, TEN, THIRTY, TWELVE).gained == [122, 0, 0, 0]
    assert judged(rules, NOTHING, FIVE, HEAVY, TEN, out=0).points == 15
    assert tied(BlockTie.SPLIT, block_bonus=100).points == 15
    heavier = rules._replace(block_score=BlockScore.PER_HEAVIER)
    assert judged(heavier, FIVE, TEN, THIRTY, TWELVE).gained == [112, 20, 0, 18]


def test_dom_a_round_of_passes_is_paid_whoever_wins():
    rules = PAIRS._replace(pass_round_points=25)
    settled = judged(rules, FIVE, TEN, THIRTY, TWELVE, passes=[0, 2, 0, 1])
    assert (settled.points, settled.gained) == (22 + 75, [22, 50, 0, 25])
    nobody = judged(rules, *TIED, passes=[0, 0, 1, 0])
    assert (nobody.winner, nobody.points, nobody.gained) == (None, 25, [0, 0, 25, 0])
    shared = judged(rules._replace(block_tie=BlockTie.SPLIT), *TIED, passes=[1, 0, 0, 0])
    assert (shared.points, shared.gained) == (15 + 25, [7 + 25, 7, 0, 0])


def test_dom_who_plays_and_hears_all_others_pass_and_plays_again_scores_25():
    found = rounds_of(PAIRS._replace(pass_round_points=25), MANY)
    earned = 0
    for played in found:
        expected = [0, 0, 0, 0]
        for at, turn in enumerate(played.turns[4:]):
            tiles = [before.tile for before in played.turns[at : at + 4]]
            if turn.tile and tiles[0] and tiles[1:] == [None, None, None]:
                expected[turn.seat] += 25
        earned += sum(expected)
        won = [0, 0, 0, 0]
        if played.winner is not None:
            won[played.winner] = played.points - sum(expected)
        assert played.gained == [one + two for one, two in zip(won, expected, strict=True)]
    assert earned > 0


# --- the named double -----------------------------------------------------------------------


def test_gp_six_six_leads():
    assert {played.turns[0].tile for played in rounds_of(PAIRS, FEW)} == {(6, 6)}


def test_pcu_nine_nine_may_be_asked_for():
    """Fifteen tiles are left out: where 9-9 is one of them the next double below leads."""
    rules = Rules(max_pip=9, players=4, deal=10, opening=Opening.NAMED_DOUBLE, named_double=9)
    found = rounds_of(rules, FEW)
    assert {played.turns[0].tile for played in found} >= {(9, 9), (8, 8)}
    for played in found:
        doubles = [tile for hand in played.deal for tile in hand if is_double(tile)]
        assert played.turns[0].tile == max(doubles)


def test_rus_one_double_after_another_is_asked_for():
    """From the named one down to 0-0, and then from the highest."""
    rules = Rules(deal=4, opening=Opening.NAMED_DOUBLE, named_double=3)
    order = [3, 2, 1, 0, 6, 5, 4]
    leads = set()
    for played in rounds_of(rules, MANY):
        dealt = {tile[0] for hand in played.deal for tile in hand if is_double(tile)}
        if dealt:
            number = next(number for number in order if number in dealt)
            assert played.turns[0].tile == (number, number)
            assert (number, number) in played.deal[played.opener]
            leads.add(number)
        else:
            heaviest = max((t for hand in played.deal for t in hand), key=lambda t: (sum(t), t[1]))
            assert played.turns[0].tile == heaviest
    assert leads >= {3, 2, 1, 0, 6}


def test_evc_six_six_that_was_not_dealt():
    """Four of 28 tiles are left out, so in one deal of seven a lot decides, and any tile leads."""
    rules = Rules(
        players=4, deal=6, opening=Opening.NAMED_DOUBLE, named_missing=NamedMissing.LOT,
        no_double=NoDouble.REDEAL,
    )  # fmt: skip
    found = rounds_of(rules, MANY)
    missing = [played for played in found if not any((6, 6) in hand for hand in played.deal)]
    assert 0.1 < len(missing) / len(found) < 0.19  # four standard errors of 600 rounds, about
    assert {played.opener for played in missing} == {0, 1, 2, 3}
    assert any(not is_double(played.turns[0].tile) for played in missing)
    assert all(p.turns[0].tile == (6, 6) for p in found if p not in missing)


def test_no_double_is_dealt_again_only_where_the_next_double_is_asked_for():
    """Two tiles each: with a lot for the named one, deals without doubles are played."""
    rules = Rules(deal=2, opening=Opening.NAMED_DOUBLE, no_double=NoDouble.REDEAL)
    next_double = rounds_of(rules, FEW)
    assert any(played.redeals for played in next_double)
    assert all(is_double(played.turns[0].tile) for played in next_double)
    by_lot = rounds_of(rules._replace(named_missing=NamedMissing.LOT), FEW)
    assert not any(played.redeals for played in by_lot)
    assert not all(any(is_double(t) for hand in p.deal for t in hand) for p in by_lot)


# --- whole rounds ---------------------------------------------------------------------------


def test_pca_partners_sit_opposite_and_turns_go_round():
    for played in rounds_of(PAIRS, FEW):
        assert [m.turn.seat for m in moments(played)] == [
            (played.opener + k) % 4 for k in range(len(played.turns))
        ]


def test_gp_the_lower_team_wins_every_block():
    for played in blocked(rounds_of(TEAM_TOTAL, FEW)):
        teams = [played.pips[0] + played.pips[2], played.pips[1] + played.pips[3]]
        if teams[0] == teams[1]:
            assert (played.winner, played.points) == (None, 0)
        else:
            assert played.winner is not None
            assert teams[played.winner % 2] == min(teams)
            assert played.points == max(teams)
