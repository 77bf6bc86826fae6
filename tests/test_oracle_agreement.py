"""The engine against the oracle: every move, every figure, over random legal rules.

Equality is exact. Only with a temperature above zero does a choice rest on an ``exp`` that the two
sides compute differently; that moves a choice with a probability of about 1e-9.
"""

from collections import Counter
from collections.abc import Sequence
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators import BY_WEIGHTS, ROUND_INDICES, SEEDS, ended_rounds, rules_and_strategies
from oracle import Story, full_set, is_double, play_round
from plain_scoring import gained_by, scores_of, winner_of
from scale import IS_COMPILED, rounds
from simdom.engine import kernels
from simdom.engine.kernels import Study, list_rounds
from simdom.engine.scoring import NOBODY
from simdom.engine.tally import COUNTS, Outcome, Tally
from simdom.rounds import simulate_rounds
from simdom.rules import (
    BlockScore,
    BlockTie,
    Boneyard,
    NoDouble,
    Opening,
    Rules,
    check_rules,
    rules_to_dict,
)
from simdom.settling import settle_round
from simdom.strategies import Strategy, load_strategy, parse_strategies
from simdom.variants import load_variant, variant_names
from traces import Round, traced

EXAMPLES = 1500 if IS_COMPILED else 60


def check_round(played: Round, story: Story) -> None:
    """Every move of the trace, and how the round ended."""
    assert played.deal == story.deal
    assert played.boneyard == story.boneyard
    assert played.redeals == story.redeals
    assert played.opener == story.opener
    assert played.turns == story.turns
    assert (played.ending, played.winner) == (story.ending, story.winner)
    assert [sorted(hand) for hand in played.hands_left] == [sorted(h) for h in story.hands_left]
    assert played.pips == story.pips
    assert played.scores == {kind.name.lower(): s for kind, s in story.scores.items()}
    assert (played.points, played.gained) == (story.points, story.gained)


def row_of(story: Story, index: int) -> dict[str, object]:
    """The row that `simulate_rounds` gives for the round."""
    lead = story.turns[0].tile
    assert lead is not None
    return {
        "round": index,
        "opener": story.opener,
        "opening_tile": f"{lead[1]}-{lead[0]}",
        "end": story.ending,
        "winner": -1 if story.winner is None else story.winner,
        "points": story.points,
        "points_minus_own": story.scores[BlockScore.MINUS_OWN],
        "points_others": story.scores[BlockScore.OTHERS],
        "points_all_hands": story.scores[BlockScore.ALL_HANDS],
        "plays": story.plays,
        "draws": story.draws,
        "passes": story.passes,
        "boneyard_left": story.boneyard_left,
        "redeals": story.redeals,
        "no_double": story.no_double,
        "first_reply_stuck": story.first_reply_stuck,
        **{f"pips_{seat}": pips for seat, pips in enumerate(story.pips)},
        **{f"points_{seat}": points for seat, points in enumerate(story.gained)},
    }


def tally_of(stories: Sequence[Story], rules: Rules) -> dict[str, object]:
    """All that the engine remembers of these rounds, added up story by story.

    Histograms are counters; those by seat are lists, by seats after the opener.
    """
    won = [story for story in stories if story.winner is not None]
    dominoes = [story for story in stories if story.ending == "domino"]
    blocks = [story for story in stories if story.ending == "blocked"]
    counts = {
        "rounds": len(stories),
        "no_double": sum(story.no_double for story in stories),
        "stuck": sum(story.first_reply_stuck for story in stories),
        "dead": sum(story.dead_after_opening for story in stories),
        "redeals": sum(story.redeals for story in stories),
        "impossible": 0,
    }
    ids = full_set(rules.max_pip)
    seats = range(rules.players)
    scored = [BlockScore.MINUS_OWN, BlockScore.OTHERS, BlockScore.ALL_HANDS, rules.block_score]
    return {
        "counts": [counts[name] for name in COUNTS],
        "blocked": len(blocks),
        "ties": len(stories) - len(won),
        "seat_wins": Counter((s.winner - s.opener) % rules.players for s in won),
        "table_wins": Counter(s.winner for s in won),
        "opening": Counter(ids.index(s.turns[0].tile) for s in stories),
        "plays": Counter(s.plays for s in stories),
        "draws": Counter(s.draws for s in stories),
        "passes": Counter(s.passes for s in stories),
        "scores": [Counter(s.scores[kind] for s in stories) for kind in scored],
        "winner_pips": Counter(s.pips[s.winner] for s in won),
        "pips": [
            Counter(s.pips[(s.opener + after) % rules.players] for s in stories) for after in seats
        ],
        "domino_points": Counter(s.points for s in dominoes),
        "block_scores": [Counter(s.scores[kind] for s in blocks) for kind in scored],
        "block_winner_pips": Counter(s.pips[s.winner] for s in blocks if s.winner is not None),
    }


def check_tally(tally: Tally, expected: dict[str, object]) -> None:
    assert set(tally._fields) <= set(expected)
    for name, wanted in expected.items():
        found = getattr(tally, name)
        if isinstance(found, int):
            assert found == wanted, name
        elif name == "counts":
            assert found.tolist() == wanted
        elif isinstance(wanted, list):
            assert [_cells(row) for row in found] == wanted, name
        else:
            assert _cells(found) == wanted, name


def _cells(histogram: np.ndarray) -> Counter[int]:
    return Counter({int(i): int(histogram[i]) for i in np.flatnonzero(histogram)})


# --- random rules, random strategies --------------------------------------------------------


@settings(max_examples=EXAMPLES)
@given(rules_and_strategies(), SEEDS, ROUND_INDICES)
def test_every_move_of_any_round(setup, seed, index):
    rules, strategies = setup
    check_round(traced(rules, strategies, seed, index), play_round(rules, strategies, seed, index))


@settings(max_examples=EXAMPLES // 5)
@given(rules_and_strategies(), SEEDS, ROUND_INDICES)
def test_rows_and_tallies_of_any_rounds(setup, seed, start):
    """A few rounds in a row: the row of each, and the sum of all.

    The engine's kernel for any rules is held to it here, those for some rules further down.
    """
    rules, strategies = setup
    stories = [play_round(rules, strategies, seed, start + k) for k in range(5)]
    check_frame(rules, strategies, seed, start, stories)
    with patch.object(kernels, "specialisation", return_value=(-1, -1)):
        tally = kernels.tally_rounds(Study(rules, strategies, seed), start, start + 5)
    check_tally(tally, tally_of(stories, rules))


@settings(max_examples=EXAMPLES * 2)
@given(ended_rounds())
def test_any_end_of_a_round(ended):
    ids = {tile: number for number, tile in enumerate(full_set(ended.rules.max_pip))}
    settled = settle_round(
        ended.rules,
        [[ids[tile] for tile in hand] for hand in ended.hands],
        opener=ended.opener,
        last=ended.last,
        is_blocked=ended.is_blocked,
        pass_rounds=ended.pass_rounds,
    )
    scores = scores_of(ended)
    assert (settled.winner, settled.pips) == (winner_of(ended), ended.pips)
    assert settled.scores == {kind.name.lower(): points for kind, points in scores.items()}
    assert settled.points == scores[BlockScore(ended.rules.block_score)]
    assert settled.gained == gained_by(ended)
    # Nothing is lost but what cannot be shared evenly, and nobody shares more than a tie.
    assert 0 <= settled.points - sum(settled.gained) < ended.rules.players


@settings(max_examples=EXAMPLES // 5)
@given(rules_and_strategies(), SEEDS, ROUND_INDICES, st.integers(0, 7))
def test_rounds_that_a_seat_is_told_to_lead(setup, seed, index, leader):
    rules, strategies = setup
    leader %= rules.players
    row = list_rounds(Study(rules, strategies, seed), index, index + 1, leader)[0].tolist()
    story = play_round(rules, strategies, seed, index, leader)
    outcome = Outcome._make(row[: len(Outcome._fields)])
    assert (outcome.opener, outcome.redeals) == (leader, story.redeals)
    assert (outcome.plays, outcome.draws, outcome.passes) == (
        story.plays, story.draws, story.passes,
    )  # fmt: skip
    assert outcome.winner == (NOBODY if story.winner is None else story.winner)
    assert row[len(Outcome._fields) :] == [*story.pips, *story.gained]


def check_frame(
    rules: Rules, strategies: Sequence[Strategy], seed: int, start: int, stories: list[Story]
) -> None:
    frame = simulate_rounds(
        "pagat-block",
        len(stories),
        start=start,
        overrides=rules_to_dict(rules),
        strategy=strategies,
        seed=seed,
    )
    rows = [row_of(story, start + k) for k, story in enumerate(stories)]
    assert list(frame.columns) == list(rows[0])
    for name in frame.columns:
        assert frame[name].tolist() == [row[name] for row in rows], name


# --- rules that people play, many rounds each -----------------------------------------------

TABLES = [
    (variant, players) for variant in variant_names() for players in load_variant(variant).players
]


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_presets_add_up(variant, players):
    """Every cell of the tally of some thousand rounds, and each strategy in some seat."""
    rules = load_variant(variant).rules(players)
    names = [*BY_WEIGHTS, *BY_WEIGHTS]
    turn = TABLES.index((variant, players))
    for shift, count in ((None, rounds(1000, 60)), (0, rounds(70, 8)), (3, rounds(70, 8))):
        if shift is None:
            strategies = parse_strategies("random", players)
        else:
            first = (turn + shift) % len(BY_WEIGHTS)
            strategies = parse_strategies(names[first : first + players], players)
        stories = [play_round(rules, strategies, 11, index) for index in range(count)]
        tally = kernels.tally_rounds(Study(rules, strategies, 11), 0, count)
        check_tally(tally, tally_of(stories, rules))


@pytest.mark.parametrize("name", BY_WEIGHTS)
def test_strategies_move_by_move(name):
    """Each named strategy at all seats, with a forced and with a free lead, cold and warm."""
    cold = load_strategy(name)
    warm = Strategy("warm", "Warm", "", cold.weights, 2.0, cold.ties)
    for opening in (Opening.HIGHEST_DOUBLE, Opening.LOT):
        rules = check_rules(Rules(players=3, boneyard=Boneyard.DRAW, reserve=1, opening=opening))
        for strategy in (cold, warm):
            for index in range(rounds(100, 10)):
                strategies = [strategy] * 3
                story = play_round(rules, strategies, 12, index)
                check_round(traced(rules, strategies, 12, index), story)


@pytest.mark.parametrize(
    "rules",
    [
        Rules(max_pip=18, players=14, deal=9, boneyard=Boneyard.DRAW),
        Rules(max_pip=18, players=14, deal=13, boneyard=Boneyard.DRAW_ONE_PASS),
        Rules(max_pip=18, players=2, deal=95, opening=Opening.HOLDER_LEADS_ANY),
        Rules(max_pip=7, players=4, deal=9, block_tie=BlockTie.SPLIT),
        Rules(max_pip=8, players=4, deal=11, block_tie=BlockTie.LIGHTEST_TILE),
        Rules(max_pip=1, players=3, deal=1, boneyard=Boneyard.DRAW),
        Rules(max_pip=1, players=2, deal=1, boneyard=Boneyard.DRAW, opening=Opening.LOT),
        Rules(players=4, deal=5, misdeal=2, no_double=NoDouble.REDEAL),
    ],
    ids=lambda r: f"D{r.max_pip}-{r.players}x{r.deal}",
)
@pytest.mark.parametrize("strategy", ["random", "normal"])
def test_extreme_tables(rules, strategy):
    """The largest and smallest sets and tables, and both layouts of a hand."""
    strategies = parse_strategies(strategy, rules.players)
    for index in range(rounds(20, 3) if rules.deal < 20 else 2):
        story = play_round(rules, strategies, 2**64 - 1, index)
        check_round(traced(check_rules(rules), strategies, 2**64 - 1, index), story)


def test_no_double_is_told_of_the_deal_that_was_played():
    rules = check_rules(Rules(deal=3, no_double=NoDouble.REDEAL))
    strategies = parse_strategies("random", 2)
    stories = [play_round(rules, strategies, 13, index) for index in range(rounds(500, 100))]
    assert not any(story.no_double for story in stories)
    assert all(any(is_double(t) for hand in s.deal for t in hand) for s in stories)
    assert any(story.redeals for story in stories)
    check_frame(rules, strategies, 13, 0, stories)
