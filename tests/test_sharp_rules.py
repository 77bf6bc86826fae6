"""Seats that sample under teams, ties and bonuses: every move against the plain mind's."""

from itertools import product

import pytest

from plain_mind import play_round
from scale import rounds
from simdom.rules import (
    BlockScore,
    BlockTie,
    BlockWinner,
    Boneyard,
    Capicua,
    NamedMissing,
    Opening,
    PipSteps,
    Rules,
    Teams,
    check_rules,
)
from simdom.strategies import parse_strategies
from test_oracle_agreement import check_round
from traces import traced

POINTS, WIN = "sharp:samples=40", "sharp:samples=40:aim=win"
FOUR = Rules(max_pip=4, players=4, deal=3)
PAIRS = FOUR._replace(teams=Teams.PAIRS)


def check(rules: Rules, seats: str, count: int) -> None:
    """The first rounds of a seed, the engine's against the plain mind's."""
    rules = check_rules(rules)
    strategies = parse_strategies(seats, rules.players)
    for index in range(count):
        story = play_round(rules, strategies, 51, index)
        check_round(traced(rules, strategies, 51, index), story)


@pytest.mark.parametrize("block_tie", BlockTie)
def test_how_ties_are_settled_is_weighed(block_tie):
    """Endings are searched to their end, so the blocker's side is known at each."""
    for rules, winner in product((FOUR, PAIRS), BlockWinner):
        tied = rules._replace(block_tie=block_tie, block_winner=winner)
        check(tied, f"{POINTS},random,{WIN},{POINTS}", rounds(6, 1))


@pytest.mark.parametrize("block_score", BlockScore)
def test_what_a_block_scores_is_weighed_for_the_whole_side(block_score):
    rules = PAIRS._replace(
        block_score=block_score, flat_points=9, block_bonus=4, pip_steps=PipSteps.FROM_15
    )
    check(rules, f"{POINTS},{POINTS},random,normal", rounds(15, 2))
    individual = rules._replace(teams=Teams.NONE)
    check(individual, f"{POINTS},{POINTS},random,normal", rounds(15, 2))


@pytest.mark.parametrize("teams", Teams)
def test_bonuses_are_weighed(teams):
    """A round of passes counts where it was heard before the choice, and where it is brought on."""
    rules = FOUR._replace(
        teams=teams, capicua=Capicua.NO_DOUBLES, capicua_points=15, crossed_points=20,
        double_out_points=7, blank_out_points=9, pass_round_points=11,
    )  # fmt: skip
    check(rules, f"{POINTS},{WIN},{POINTS},random", rounds(30, 3))
    drawing = rules._replace(boneyard=Boneyard.DRAW_ONE_PLAY)
    check(drawing, f"{POINTS},{WIN},sharp:samples=3,random", rounds(10, 1))


@pytest.mark.parametrize("missing", NamedMissing)
@pytest.mark.parametrize("opening", [Opening.NAMED_DOUBLE, Opening.HOLDER_LEADS_ANY])
def test_the_opening_shows_which_doubles_nobody_was_dealt(opening, missing):
    rules = Rules(
        max_pip=5, players=2, deal=4, opening=opening, named_double=2, named_missing=missing
    )
    for boneyard in (Boneyard.BLOCK, Boneyard.DRAW):
        check(rules._replace(boneyard=boneyard), f"{POINTS},{WIN}", rounds(12, 3))
