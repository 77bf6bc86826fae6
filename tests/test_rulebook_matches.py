"""Sentences of rules pages on matches: who leads next, and what is put down.

Rounds are laid out by hand and judged by the plain match, to which ``test_match_agreement.py``
holds the engine.
"""

from types import SimpleNamespace

import pytest

from plain_matches import MatchStory, Played, earned_by_side, leader_after, play_match, put_down
from simdom.rules import (
    BlockTie,
    LaterLead,
    OthersPoints,
    Overshoot,
    Rules,
    Teams,
    TieLead,
)
from simdom.strategies import load_strategy
from simdom.variants import load_variant

FOUR = Rules(players=4, deal=7)
PAIRS = FOUR._replace(teams=Teams.PAIRS)
RANDOM = load_strategy("random")


def leads(rules, winner, opener=1, pips=(3, 9, 9, 20), index=1):
    """The seat that leads after such a round; None by the opening rule."""
    return leader_after(rules, SimpleNamespace(winner=winner, opener=opener, pips=pips), 61, index)


def scored(rules, score, gained, winner, number=9, factor=1, target=100):
    """The score of the sides after a round of these points by seat."""
    story = SimpleNamespace(gained=gained, winner=winner)
    earned = earned_by_side(rules, story, number, factor, len(score))
    return put_down(rules, score, earned, story, target)[0]


def told(target, *scores, winner=None):
    """A match with these scores after its rounds."""
    rounds = [Played(None, SimpleNamespace(winner=0), 1, [], list(score)) for score in scores]
    return MatchStory(PAIRS, target, rounds, winner)


# --- who leads ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("later_lead", "expected"),
    [
        (LaterLead.AFRESH, None),  # S0
        (LaterLead.WINNER, 0),  # S4
        (LaterLead.NEXT_SEAT, 2),  # GP
        (LaterLead.SAME_OPENER, 1),
        (LaterLead.LOSER, 3),  # SACI: of the opponents the one with 20 pips
    ],
)
@pytest.mark.parametrize("teams", Teams)
def test_s0_s4_gp_saci_who_leads_after_seat_0_won(later_lead, expected, teams):
    assert leads(FOUR._replace(later_lead=later_lead, teams=teams), winner=0) == expected


def test_loser_is_an_opponent_and_of_equal_ones_the_next_in_turn():
    rules = PAIRS._replace(later_lead=LaterLead.LOSER)
    assert leads(rules, winner=2, pips=(50, 9, 0, 9)) == 3
    assert leads(rules, winner=0, pips=(0, 9, 50, 9)) == 1
    assert leads(rules._replace(teams=Teams.NONE), winner=2, pips=(50, 9, 0, 9)) == 0


def test_pca_a_seat_of_the_winning_team_leads():
    rules = PAIRS._replace(later_lead=LaterLead.WINNING_TEAM)
    assert {leads(rules, winner=3, index=index) for index in range(40)} == {1, 3}
    assert {leads(rules, winner=0, index=index) for index in range(40)} == {0, 2}
    alone = rules._replace(teams=Teams.NONE)
    assert {leads(alone, winner=3, index=index) for index in range(40)} == {3}


@pytest.mark.parametrize("later_lead", LaterLead)
def test_s0_esw_who_leads_after_a_tie(later_lead):
    for tie_lead, expected in zip(TieLead, (None, 3, 0), strict=True):
        rules = PAIRS._replace(later_lead=later_lead, tie_lead=tie_lead)
        assert leads(rules, winner=None, opener=3) == expected
        replay = rules._replace(block_tie=BlockTie.REPLAY_DOUBLE)
        assert leads(replay, winner=None, opener=3) is None


# --- what is put down -----------------------------------------------------------------------


def test_partners_keep_their_points_together():
    assert scored(PAIRS, [10, 20], [1, 2, 3, 4], winner=0) == [14, 26]
    assert scored(FOUR, [10, 20, 30, 40], [1, 2, 3, 4], winner=0) == [11, 22, 33, 44]


def test_jam_the_round_after_a_tie_counts_double():
    assert scored(PAIRS, [0, 0], [7, 0, 0, 0], winner=0, factor=2) == [14, 0]


def test_saci_the_first_rounds_of_a_match_are_worth_more():
    rules = PAIRS._replace(early_bonus=100, early_rounds=4)
    after = [scored(rules, [0, 0], [0, 7, 0, 0], 1, number, target=500) for number in range(6)]
    assert after == [[0, 107], [0, 82], [0, 57], [0, 32], [0, 7], [0, 7]]
    assert scored(rules, [0, 0], [0, 7, 0, 0], None, number=0) == [0, 7]  # a tie, pass rounds
    assert scored(rules, [0, 0], [0, 7, 0, 0], 1, number=0, factor=2, target=500) == [0, 114]


def test_the_target_must_be_landed_on_where_more_is_lost():
    """61 in fives and threes: of the points that would pass it, nothing is scored."""
    rules = FOUR._replace(overshoot=Overshoot.IS_LOST)
    assert scored(rules, [60, 0, 50, 0], [2, 0, 11, 0], 0, target=61) == [60, 0, 61, 0]
    assert scored(FOUR, [60, 0, 50, 0], [2, 0, 11, 0], 0, target=61) == [62, 0, 61, 0]


def test_jam_six_love_is_won_by_six_in_a_row():
    rules = PAIRS._replace(others_points=OthersPoints.RESET)
    assert scored(rules, [5, 3], [0, 1, 0, 0], winner=1, target=6) == [0, 4]
    assert scored(rules, [5, 3], [2, 1, 0, 0], winner=1, target=6) == [0, 4]
    assert scored(rules, [5, 3], [0, 1, 0, 0], winner=None, target=6) == [5, 4]


def test_jam_six_love_takes_six_rounds_won_in_a_row():
    rules = load_variant("jamaican-partner").rules()
    assert rules.others_points == OthersPoints.RESET
    for match in range(5):
        played = play_match(rules, [RANDOM] * 4, 62, match, 6).rounds
        assert played[-1].score in ([6, 0], [0, 6], [7, 0], [0, 7])  # one may have counted double
        won = [one.story.winner % 2 for one in played if one.story.winner is not None]
        assert len({*won[-5:]}) == 1


# --- what is asked of a match ---------------------------------------------------------------


def test_lead_changes_are_between_sides_that_lead_alone():
    assert told(100, [0, 0], [5, 0], [5, 5], [9, 5], [9, 20], [30, 20]).lead_changes == 2
    assert told(100, [5, 5], [5, 9]).lead_changes == 0


def test_a_comeback_was_half_the_target_behind():
    assert told(100, [0, 50], [100, 50], winner=0).is_comeback
    assert not told(100, [0, 49], [100, 49], winner=0).is_comeback
    assert not told(100, [0, 50], [40, 100], winner=1).is_comeback
    assert told(61, [0, 31], [61, 31], winner=0).is_comeback
    assert not told(61, [0, 30], [61, 30], winner=0).is_comeback


def test_a_shut_out_leaves_the_others_nothing():
    assert told(100, [50, 0], [100, 0], winner=0).is_shutout
    assert not told(100, [100, 1], winner=0).is_shutout
    assert not told(100, [90, 0]).is_shutout  # unfinished


def test_both_may_be_over_the_target():
    assert told(100, [120, 101], winner=0).is_both_over
    assert not told(100, [120, 99], winner=0).is_both_over
