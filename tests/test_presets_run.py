"""Every preset, for every number of players that it is for, in many rounds."""

import functools

import numpy as np
import pytest

from preset_values import WORLD
from scale import rounds
from simdom.engine import kernels
from simdom.engine.kernels import Study
from simdom.engine.tally import DEAD, IMPOSSIBLE, NO_DOUBLE, POINTS, REDEALS, ROUNDS, STUCK
from simdom.rules import BlockScore, BlockTie, Boneyard, DominoScore, NoDouble, Opening, Rules
from simdom.strategies import parse_strategies
from simdom.tiles import parse_tile
from simdom.variants import load_variant, variant_names

COUNT = rounds(100_000, 200)
TABLES = [(name, players) for name in variant_names() for players in load_variant(name).players]


@functools.cache
def tally_of(rules: Rules):
    study = Study(rules, parse_strategies("random", rules.players), 5)
    return kernels.tally_rounds(study, 0, COUNT)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_presets_run_and_their_counts_add_up(name, players):
    rules = load_variant(name).rules(players)
    tally = tally_of(rules)
    assert tally.counts[IMPOSSIBLE] == 0
    assert tally.counts[ROUNDS] == COUNT
    assert tally.seat_wins.sum() == tally.table_wins.sum() <= COUNT
    for histogram in (tally.opening, tally.plays, tally.draws, tally.passes):
        assert histogram.sum() == COUNT
    assert (tally.pips.sum(axis=1) == COUNT).all()
    dominoes, blocks = tally.domino_points.sum(), tally.block_scores.sum(axis=1)
    assert (dominoes + blocks == COUNT).all()
    assert tally.block_winner_pips.sum() == tally.seat_wins.sum() - dominoes
    assert 0 <= tally.counts[DEAD] <= tally.counts[STUCK] <= COUNT
    assert 0 < dominoes < COUNT  # rounds end both ways
    if rules.boneyard == Boneyard.BLOCK:
        assert tally.draws[0] == COUNT


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_presets_are_opened_as_they_say(name, players):
    rules = load_variant(name).rules(players)
    tally = tally_of(rules)
    led = set(np.flatnonzero(tally.opening).tolist())
    if rules.opening in (Opening.NAMED_DOUBLE, Opening.HIGHEST_DOUBLE):
        top = parse_tile(f"{rules.max_pip}-{rules.max_pip}", rules.max_pip)
        assert tally.opening[top] == tally.opening.max()
        assert led == {top} or rules.boneyard_size > 0
        no_double = tally.counts[NO_DOUBLE]
        assert no_double == 0 or rules.boneyard_size > rules.max_pip
    else:
        assert len(led) > rules.tiles / 2  # any tile; a short run may miss one
    has_misdeal = rules.misdeal > 0 or rules.no_double == NoDouble.REDEAL
    assert (tally.counts[REDEALS] > 0) == has_misdeal


@pytest.mark.parametrize("name", WORLD)
def test_points_are_those_of_the_source(name):
    """What a round may award under rules that count rounds and not pips."""
    rules = load_variant(name).rules()
    tally = tally_of(rules)
    dominoes = set(np.flatnonzero(tally.domino_points).tolist())
    blocks = set(np.flatnonzero(tally.block_scores[POINTS]).tolist())
    ties = set() if rules.block_tie in NEVER_TIED else {0}
    match name:
        case "brazilian-6":
            assert dominoes <= {1, 2, 3, 6}
            assert {1, 2, 3} <= dominoes
            assert blocks == {1}
        case "cutthroat-twenty":
            assert (dominoes, blocks) == ({20}, {20})
        case "jamaican-partner" | "jamaican-cutthroat" | "martinique-three":
            assert dominoes == {1}
            assert {1} <= blocks <= {1} | ties
        case "cuban-east":
            assert min(dominoes | blocks) >= 2
        case "puerto-rico-200":
            assert dominoes <= set(range(1, 18))  # 168 pips and less
        case _:
            assert rules.block_score != BlockScore.FLAT
            assert rules.domino_score != DominoScore.FLAT


NEVER_TIED = (BlockTie.OPENER, BlockTie.BLOCKER_LOSES)
"""Of two pairs that tie, one is always meant."""
