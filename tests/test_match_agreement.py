"""Matches of the engine against the oracle's, over random legal rules. Equality is exact."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import plain_mind
from generators import SEEDS, any_strategy, match_rules
from plain_matches import MOST_ROUNDS, MatchStory, play_match
from scale import IS_COMPILED, rounds
from simdom.engine.kernels import Study
from simdom.engine.match_kernels import list_matches
from simdom.engine.matches import MatchOutcome
from simdom.rules import (
    BlockScore,
    BlockTie,
    LaterLead,
    NamedMissing,
    Opening,
    OthersPoints,
    Overshoot,
    Rules,
    Teams,
    TieLead,
    check_rules,
)
from simdom.strategies import Strategy, load_strategy, parse_strategies

EXAMPLES = 150 if IS_COMPILED else 15
LONG = 150  # rounds of a match, above which it is left to the test of unfinished ones
NUMBERS = st.one_of(st.integers(0, 100), st.integers(0, 10**8))


def row_of(told: MatchStory) -> list[int]:
    """The row that the engine lists for the match."""
    outcome = MatchOutcome(
        first_opener=told.leaders[0],
        winner=-1 if told.winner is None else told.winner,
        rounds=len(told.rounds),
        tied_rounds=told.tied_rounds,
        points=told.points,
        blocked_points=told.blocked_points,
        lead_changes=told.lead_changes,
        comeback=told.is_comeback,
        shutout=told.is_shutout,
        both_over=told.is_both_over,
        impossible=0,
    )
    return [*map(int, outcome), *told.score]


@settings(max_examples=EXAMPLES)
@given(match_rules(), st.data(), SEEDS, NUMBERS)
def test_any_match(rules, data, seed, number):
    strategies = (data.draw(any_strategy()),) * rules.players
    target = data.draw(st.one_of(st.integers(1, 20), st.integers(20, 200)))
    told = play_match(rules, strategies, seed, number, target, most_rounds=LONG)
    assume(told.winner is not None)
    rows = list_matches(Study(rules, strategies, seed), target, number, number + 1)
    assert rows.tolist() == [row_of(told)]


# Two tiles each of double-9: a third of the rounds end blocked, and one in thirty is tied.
TINY = Rules(max_pip=9, players=4, deal=2)
RANDOM = (load_strategy("random"),) * 4


def check_matches(
    rules: Rules, target: int, count: int, strategies: tuple[Strategy, ...] = RANDOM
) -> list[MatchStory]:
    """That the first matches of a seed are the oracle's, which are returned."""
    rules = check_rules(rules)
    strategies = strategies[: rules.players]
    told = [play_match(rules, strategies, 41, number, target) for number in range(count)]
    rows = list_matches(Study(rules, strategies, 41), target, 0, count)
    assert rows.tolist() == [row_of(match) for match in told]
    return told


@pytest.mark.parametrize("teams", Teams)
@pytest.mark.parametrize("later_lead", LaterLead)
def test_who_leads_after_every_round(later_lead, teams):
    ties = [(BlockTie.VOID, tie_lead) for tie_lead in TieLead]
    ties += [(BlockTie.SPLIT, TieLead.SAME_OPENER), (BlockTie.REPLAY_DOUBLE, TieLead.NEXT_SEAT)]
    tied_rounds = 0
    for block_tie, tie_lead in ties:
        rules = TINY._replace(
            later_lead=later_lead, teams=teams, block_tie=block_tie, tie_lead=tie_lead,
        )  # fmt: skip
        told = check_matches(rules, 400, rounds(30, 15))
        tied_rounds += sum(match.tied_rounds for match in told)
    assert tied_rounds >= 1
    assert any(played.factor == 2 for match in told for played in match.rounds) or not IS_COMPILED


@pytest.mark.parametrize("teams", Teams)
@pytest.mark.parametrize("others_points", OthersPoints)
@pytest.mark.parametrize("overshoot", Overshoot)
def test_what_is_put_down_after_every_round(overshoot, others_points, teams):
    """Early bonuses, exact landings and resets, and seats that score without winning."""
    rules = TINY._replace(
        overshoot=overshoot,
        others_points=others_points,
        teams=teams,
        block_score=BlockScore.PER_HEAVIER,
        later_lead=LaterLead.WINNER,
        early_bonus=7,
        early_rounds=3,
        pass_round_points=3,
    )
    told = check_matches(rules, 30, rounds(40, 5))
    losses = [
        sum(played.story.gained) > sum(played.scored) for match in told for played in match.rounds
    ]
    may_lose = overshoot == Overshoot.IS_LOST or others_points == OthersPoints.RESET
    assert any(losses) == may_lose


def test_more_sides_than_one_reach_the_target_in_one_round():
    rules = TINY._replace(block_score=BlockScore.PER_HEAVIER)
    told = check_matches(rules, 8, rounds(150, 40))
    assert any(match.is_both_over for match in told)


def test_another_round_is_played_where_the_most_points_are_shared():
    """Two seats that split 2 points have both reached 1."""
    rules = TINY._replace(block_score=BlockScore.FLAT, flat_points=2, block_tie=BlockTie.SPLIT)
    told = check_matches(rules, 1, rounds(150, 70))
    assert any(len(match.rounds) > 1 for match in told)


def test_a_seat_by_lot_opens_where_the_named_double_was_not_dealt():
    rules = TINY._replace(
        opening=Opening.NAMED_DOUBLE, named_double=1, named_missing=NamedMissing.LOT,
        teams=Teams.PAIRS, later_lead=LaterLead.WINNING_TEAM,
    )  # fmt: skip
    told = check_matches(rules, 40, rounds(60, 10))
    assert {match.leaders[0] for match in told} == {0, 1, 2, 3}


@pytest.mark.parametrize("teams", Teams)
def test_a_match_of_seats_that_think(teams):
    """A seat that is told to lead tells nobody by it which doubles were dealt."""
    rules = check_rules(Rules(players=4, deal=5, teams=teams, later_lead=LaterLead.WINNER))
    strategies = parse_strategies("sharp:samples=3,normal,sharp:samples=2,random", 4)
    told = play_match(rules, strategies, 42, 3, 40, plain_mind.play_round)
    assert len(told.rounds) > 1
    rows = list_matches(Study(rules, strategies, 42), 40, 3, 4)
    assert rows.tolist() == [row_of(told)]


def test_a_match_that_cannot_be_won_is_unfinished():
    """Every round scores 2, and 1 must be landed on; the engine's own count of rounds ends it."""
    rules = Rules(
        max_pip=1, deal=1, block_score=BlockScore.FLAT, flat_points=2, overshoot=Overshoot.IS_LOST,
    )  # fmt: skip
    rules = check_rules(rules._replace(domino_score=2))
    (told,) = check_matches(rules, 1, 1)
    assert len(told.rounds) == MOST_ROUNDS
    assert told.winner is None
    assert told.points == 0
