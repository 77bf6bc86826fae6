"""How a match is scored, round by round, worked out by hand; and that chunks do not matter."""

from functools import reduce
from itertools import pairwise

import numpy as np
import pytest

from plain_streams import CHOICE, Chance, stream_key, word
from scale import rounds
from simdom.columns import Columns, add_products, sum_columns
from simdom.engine import kernels, match_kernels
from simdom.engine.kernels import Study, list_rounds
from simdom.engine.match_kernels import OVER, compile_matches, list_matches
from simdom.engine.matches import (
    MOST_ROUNDS_A_MATCH,
    ROUND_INDICES,
    MatchOutcome,
    begin_match,
    new_match,
)
from simdom.engine.streams import U64
from simdom.engine.tally import Outcome
from simdom.match_metrics import MatchTally, merge_matches, new_match_tally, tally_matches
from simdom.rules import (
    BlockTie,
    Boneyard,
    LaterLead,
    OthersPoints,
    Overshoot,
    Rules,
    Teams,
    TieLead,
)
from simdom.strategies import parse_strategies
from simdom.variants import load_variant

NOBODY = -1
SEED = 5


class Score:
    """A match that is scored from rounds made by hand."""

    def __init__(self, target, players=2, **toggles):
        plain = {name: int(value) for name, value in toggles.items()}
        self.rules = Rules(players=players)._replace(**plain)
        self.target = target
        self.match = new_match(self.rules)
        begin_match(self.match)
        sides = len(self.match.points)
        self.row = np.zeros((1, len(MatchOutcome._fields) + sides), np.int64)
        self.index = 0

    def play(self, winner, gained, *, opener=0, blocked=False, pips=None):
        """Score a round; ``gained`` is the winner's, or all seats' points. Returns who leads."""
        players = self.rules.players
        if isinstance(gained, int):
            gained = [gained if seat == winner else 0 for seat in range(players)]
        outcome = Outcome._make(0 for _ in Outcome._fields)
        outcome = outcome._replace(opener=opener, winner=winner, blocked=int(blocked))
        rows = np.array([[*outcome, *(pips or [0] * players), *gained]])
        left, state = np.zeros(players, np.int64), np.zeros(1, np.int64)
        step = match_kernels._step_kernel(kernels.digest_of_sources())
        self.index += 1
        with np.errstate(over="ignore"):
            step(
                *(state, self.row, self.match, rows, left, np.array(gained), self.rules),
                *(self.target, U64(SEED), U64(self.index)),
            )
        return int(state[0])

    @property
    def points(self):
        return self.match.points.tolist()

    @property
    def outcome(self):
        return MatchOutcome._make(self.row[0, : len(MatchOutcome._fields)].tolist())


# --- the target --------------------------------------------------------------------------------


def test_a_match_ends_when_the_target_is_reached_exactly():
    score = Score(100)
    assert score.play(0, 60) != OVER
    assert score.play(1, 99) != OVER
    assert score.play(0, 40) == OVER
    assert score.points == [100, 99]
    assert (score.outcome.winner, score.outcome.rounds, score.outcome.points) == (0, 3, 199)


def test_points_past_the_target_count():
    score = Score(100)
    score.play(1, 99)
    assert score.play(1, 30) == OVER
    assert score.points == [0, 129]


def test_points_past_the_target_are_lost_where_it_must_be_landed_on():
    score = Score(100, overshoot=Overshoot.IS_LOST)
    score.play(1, 90)
    assert score.play(1, 11) != OVER
    assert score.points == [0, 90]
    assert score.play(1, 10) == OVER
    assert (score.outcome.points, score.outcome.rounds) == (100, 3)


def test_another_round_is_played_if_two_have_most_at_the_target():
    score = Score(10)
    assert score.play(NOBODY, [12, 12], blocked=True) != OVER
    assert score.play(0, 1) == OVER
    assert (score.outcome.winner, score.outcome.both_over) == (0, 1)


def test_the_side_with_most_wins_if_several_are_past_the_target():
    score = Score(10, players=3)
    assert score.play(2, [11, 4, 15], blocked=True) == OVER
    assert (score.outcome.winner, score.outcome.both_over) == (2, 1)


def test_a_tie_below_the_most_does_not_matter():
    score = Score(10, players=3)
    assert score.play(2, [11, 11, 15], blocked=True) == OVER
    assert score.outcome.winner == 2


def test_a_match_is_broken_off_after_ten_thousand_rounds():
    score = Score(1, overshoot=Overshoot.IS_LOST)
    for _ in range(MOST_ROUNDS_A_MATCH - 1):
        assert score.play(0, 2) != OVER
    assert score.play(0, 2) == OVER
    assert (score.outcome.winner, score.outcome.rounds) == (NOBODY, MOST_ROUNDS_A_MATCH)
    assert (score.outcome.shutout, score.outcome.both_over, score.outcome.comeback) == (0, 0, 0)


# --- what becomes of points --------------------------------------------------------------------


def test_a_round_won_takes_all_points_of_the_others():
    score = Score(6, others_points=OthersPoints.RESET)
    for winner in (0, 0, 1, 0):
        score.play(winner, 1)
    assert score.points == [1, 0]
    score.play(1, [3, 2])  # what the others gained in it is lost too
    assert score.points == [0, 2]
    assert score.play(NOBODY, 0) != OVER
    assert score.points == [0, 2]
    for _ in range(4):
        over = score.play(1, 1)
    assert over == OVER
    assert (score.outcome.points, score.outcome.shutout) == (1 + 1 + 1 + 1 + 2 + 4, 1)


def test_the_early_bonus_shrinks_evenly_to_nothing():
    score = Score(1000, early_bonus=100, early_rounds=4)
    after = []
    for winner in (0, 1, NOBODY, 0, 1):
        score.play(winner, 0)
        after.append(score.points)
    assert after == [[100, 0], [100, 75], [100, 75], [125, 75], [125, 75]]


def test_the_early_bonus_is_rounded_down():
    score = Score(1000, early_bonus=10, early_rounds=3)
    for _ in range(3):
        score.play(1, 0)
    assert score.points == [0, 10 + 6 + 3]


def test_after_a_tie_the_next_round_scores_double_once():
    score = Score(1000, block_tie=BlockTie.REPLAY_DOUBLE, early_bonus=7, early_rounds=9)
    score.play(NOBODY, 0, blocked=True)
    score.play(NOBODY, [3, 0], blocked=True)  # what seats gain in a tie is doubled too
    score.play(1, 10)
    score.play(1, 10)
    assert score.points == [6, (20 + 7 * 7 // 9) + (10 + 7 * 6 // 9)]
    assert score.play(0, 1) != OVER


def test_a_tie_doubles_nothing_by_another_rule():
    score = Score(1000)
    score.play(NOBODY, 0, blocked=True)
    score.play(1, 10)
    assert score.points == [0, 10]


def test_partners_have_their_points_together():
    score = Score(100, players=4, teams=Teams.PAIRS)
    score.play(2, [5, 0, 30, 7], opener=3)
    score.play(1, 50)
    assert score.points == [35, 57]
    assert score.play(3, 50) == OVER
    assert (score.outcome.winner, score.outcome.first_opener) == (1, 3)


def test_points_from_blocked_rounds_are_told_apart():
    score = Score(50)
    score.play(0, 20, blocked=True)
    score.play(1, 5)
    score.play(0, [31, 4], blocked=True)
    assert (score.outcome.points, score.outcome.blocked_points) == (60, 55)


# --- what is noted -----------------------------------------------------------------------------


def test_the_lead_changes_when_another_side_is_alone_in_it():
    score = Score(100)
    for winner, gained in ((0, 10), (1, 10), (1, 1), (0, 1), (0, 5), (1, 1)):
        score.play(winner, gained)
    # 10:0, 10:10, 10:11 change, 11:11, 16:11 change, 16:12
    score.play(0, 100)
    assert score.outcome.lead_changes == 2


def test_a_lead_that_is_lost_to_nobody_and_regained_is_no_change():
    score = Score(100)
    for winner, gained in ((0, 10), (1, 10), (0, 90)):
        score.play(winner, gained)
    assert score.outcome.lead_changes == 0


@pytest.mark.parametrize(("ahead", "is_comeback"), [(49, 0), (50, 1), (51, 1)])
def test_a_comeback_is_from_half_of_the_target_behind(ahead, is_comeback):
    score = Score(100)
    score.play(0, ahead)
    score.play(1, 100)
    assert (score.outcome.winner, score.outcome.comeback) == (1, is_comeback)


def test_half_of_an_odd_target_is_no_whole_number():
    for ahead, is_comeback in ((30, 0), (31, 1)):
        score = Score(61)
        score.play(0, ahead)
        score.play(1, 61)
        assert score.outcome.comeback == is_comeback


def test_behind_is_behind_the_best_of_the_others():
    score = Score(100, players=3)
    score.play(0, 20)
    score.play(1, 60)
    score.play(2, 100)
    assert score.outcome.comeback == 1


def test_a_shutout_leaves_the_others_without_a_point():
    for other, is_shutout in ((0, 1), (1, 0)):
        score = Score(10, players=3)
        score.play(1, other)
        score.play(2, 10)
        assert (score.outcome.shutout, score.outcome.tied_rounds) == (is_shutout, 0)


# --- who leads ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("later_lead", "leader"),
    [
        (LaterLead.AFRESH, -1),
        (LaterLead.WINNER, 2),
        (LaterLead.WINNING_TEAM, 2),
        (LaterLead.NEXT_SEAT, 0),
        (LaterLead.SAME_OPENER, 3),
        (LaterLead.LOSER, 1),
    ],
)
def test_who_leads_after_a_round_that_seat_2_won(later_lead, leader):
    score = Score(100, players=4, later_lead=later_lead)
    assert score.play(2, 10, opener=3, pips=[8, 9, 0, 4]) == leader


@pytest.mark.parametrize(
    ("tie_lead", "leader"),
    [(TieLead.AFRESH, -1), (TieLead.SAME_OPENER, 3), (TieLead.NEXT_SEAT, 0)],
)
def test_who_leads_after_a_tie(tie_lead, leader):
    for later_lead in LaterLead:
        score = Score(100, players=4, later_lead=later_lead, tie_lead=tie_lead)
        assert score.play(NOBODY, 0, opener=3, blocked=True) == leader


def test_a_replay_for_double_is_opened_afresh_whatever_the_lead_after_ties():
    tie = BlockTie.REPLAY_DOUBLE
    score = Score(100, block_tie=tie, tie_lead=TieLead.SAME_OPENER, later_lead=LaterLead.WINNER)
    assert score.play(NOBODY, 0, opener=1, blocked=True) == -1
    assert score.play(1, 4, opener=1) == 1


@pytest.mark.parametrize(
    ("pips", "leader"),
    [([9, 3, 0, 9], 3), ([9, 9, 0, 2], 0), ([3, 4, 0, 4], 3), ([0, 0, 0, 0], 3)],
)
def test_the_loser_of_equal_ones_is_the_first_after_the_winner(pips, leader):
    score = Score(100, players=4, later_lead=LaterLead.LOSER)
    assert score.play(2, 5, pips=pips) == leader


def test_a_partner_is_no_loser():
    score = Score(100, players=4, later_lead=LaterLead.LOSER, teams=Teams.PAIRS)
    assert score.play(2, 5, pips=[40, 6, 1, 5]) == 1


def test_the_winning_team_leads_by_the_lot_of_the_new_round():
    score = Score(10**6, players=4, later_lead=LaterLead.WINNING_TEAM, teams=Teams.PAIRS)
    leaders = []
    for winner in (1, 3) * 20:
        leaders.append(score.play(winner, 1))
        lot = Chance(word(stream_key(SEED, CHOICE, score.index), 0)).draw(2)
        assert leaders[-1] == (1, 3)[lot]
    assert set(leaders) == {1, 3}


# --- matches of the engine ---------------------------------------------------------------------

RULES = {
    "block": load_variant("pagat-block").rules(),
    "draw, 3 players": load_variant("pagat-draw").rules(3),
    "5 players, draw one": Rules(players=5, deal=4, boneyard=Boneyard.DRAW_ONE_PLAY),
    "pairs, by the winner": Rules(players=4, teams=Teams.PAIRS, later_lead=LaterLead.WINNER),
    "double-9": Rules(max_pip=9, players=4, deal=10, later_lead=LaterLead.NEXT_SEAT),
}
STUDIES = {
    name: Study(rules, parse_strategies(play, rules.players), 7)
    for name, rules in RULES.items()
    for play in ["normal" if "winner" in name else "random"]
}


@pytest.mark.parametrize("name", STUDIES)
def test_rows_do_not_depend_on_where_they_start(name):
    whole = list_matches(STUDIES[name], 40, 3, 15)
    pieces = [list_matches(STUDIES[name], 40, at, at + 4) for at in (3, 7, 11)]
    assert np.array_equal(whole, np.concatenate(pieces))
    assert whole[:, MatchOutcome._fields.index("rounds")].min() >= 1


@pytest.mark.parametrize("name", STUDIES)
def test_kernels_for_some_rules_agree_with_the_one_for_all(name, monkeypatch):
    n = rounds(500, 5)
    special = list_matches(STUDIES[name], 40, 0, n)
    monkeypatch.setattr(match_kernels, "specialisation", lambda _rules: (-1, -1))
    assert np.array_equal(list_matches(STUDIES[name], 40, 0, n), special)


def test_rounds_of_a_match_are_those_of_a_run():
    """Match m begins with round m * 65536, and without later leads goes on with the next ones."""
    study = STUDIES["block"]
    (row,) = list_matches(study, 30, 9, 10)
    of = MatchOutcome._make(row[: len(MatchOutcome._fields)].tolist())
    listed = list_rounds(study, 9 * ROUND_INDICES, 9 * ROUND_INDICES + of.rounds)
    points = listed[:, Outcome._fields.index("points")]
    assert (of.points, of.first_opener) == (points.sum(), listed[0, 0])
    assert max(row[-2:]) >= 30 > max(row[-2:]) - points[-1]


def test_thinking_matches_are_those_of_the_kernel_that_does_not_think(monkeypatch):
    """Driven round by round, the same matches come out."""
    study = STUDIES["pairs, by the winner"]
    compiled = list_matches(study, 40, 0, 6)
    monkeypatch.setattr(match_kernels, "thinks", lambda _study: True)
    compile_matches(study)
    assert np.array_equal(list_matches(study, 40, 0, 6), compiled)


def check_same(a: MatchTally, b: MatchTally):
    for one, other in zip(a, b, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("cuts", [(0, 60), (0, 1, 60), (0, 0, 13, 13, 47, 60)])
def test_tallies_of_any_cuts_add_up(cuts, monkeypatch):
    study = STUDIES["draw, 3 players"]
    pieces = [tally_matches(study, 40, start, stop) for start, stop in pairwise(cuts)]
    check_same(reduce(merge_matches, pieces), tally_matches(study, 40, 0, 60))
    monkeypatch.setattr("simdom.match_metrics.ROWS", 7)
    check_same(tally_matches(study, 40, 0, 60), reduce(merge_matches, pieces))


def test_a_tally_of_nothing_changes_nothing():
    study = STUDIES["block"]
    tally = tally_matches(study, 40, 0, 9)
    check_same(merge_matches(tally, new_match_tally(study.rules)), tally)
    check_same(tally_matches(study, 40, 5, 5), new_match_tally(study.rules))


# --- sums --------------------------------------------------------------------------------------


def test_sums_are_exact_where_64_bits_do_not_suffice():
    values = np.array([[3_000_000_000] * 3, [1, 2, 3]])
    columns = Columns([("a", None), ("b", None)], values, {"b": values[0]}, values[:1])
    sums = sum_columns(columns)
    assert sums[:, 0].tolist() == [9 * 10**9, 3, 27 * 10**18, 9 * 10**9, 3]
    assert sums[:, 1].tolist() == [6, 9 * 10**9, 14, 18 * 10**9, 27 * 10**18]
    assert add_products(values, values[::-1]).tolist() == [18 * 10**9] * 2


def test_a_sum_of_products_may_be_large_though_neither_value_is():
    values = np.full((1, 5), 2**31)
    assert add_products(values, values).tolist() == [5 * 2**62]
