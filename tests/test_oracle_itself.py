"""The oracle is judged before it judges: by exact values, and by rounds worked out by hand."""

import json
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest

from exact_rounds import exact_values
from oracle import (
    Story,
    Table,
    choose,
    full_set,
    opening_seat,
    placements,
    play_round,
)
from plain_scoring import Ended, Last, scores_of, winner_of
from simdom.rules import BlockScore, BlockTie, Boneyard, NoDouble, Opening, Rules

EXACT = json.loads((Path(__file__).parent / "data" / "exact.json").read_text())
RANDOM = SimpleNamespace(weights=(0.0,) * 8, temperature=0.0, ties="placements")


def uniform_rounds(rules: Rules, count: int, seed: int = 1) -> list[Story]:
    return [play_round(rules, [RANDOM] * rules.players, seed, i) for i in range(count)]


@pytest.mark.parametrize(
    "known", EXACT["small_sets"], ids=lambda s: f"D{s['max_pip']}-{s['boneyard']}-{s['reserve']}"
)
def test_small_sets_are_exact(known):
    """No odds: every deal, choice and draw is walked."""
    rules = Rules(
        max_pip=known["max_pip"],
        players=known["players"],
        deal=known["deal"],
        boneyard=Boneyard[known["boneyard"].upper()],
        reserve=known["reserve"],
    )
    values = exact_values(rules)
    assert values.pop("opener_wins") == Fraction(known["seat_win"][0])
    assert values.pop("second_wins") == Fraction(known["seat_win"][1])
    assert values == {name: Fraction(known[name]) for name in values}


def test_small_set_with_a_choice_over_tiles():
    assert exact_values(Rules(max_pip=3, deal=3), "tiles")["blocked"] == Fraction(541, 3150)


def test_a_block_round_by_hand():
    """Double-2, 2 x 2: 2-2 is led, 2-1 answers, then nobody has a 1 and both hold what is left."""
    rules = Rules(max_pip=2, deal=2)
    table = Table(rules, [[(2, 2), (0, 0)], [(1, 2), (0, 0)]], [], seat=0)
    table.place(((2, 2), 0))
    assert (table.ends, table.seat) == ((2, 2), 1)
    assert table.options() == [((1, 2), 0)]
    table.place(((1, 2), 0))
    assert table.ends == (1, 2)
    table.pass_turn()
    assert table.ending is None
    table.pass_turn()
    assert table.ending == "blocked"


def test_placements_come_by_end_and_then_by_other_number():
    hand = [(3, 6), (3, 3), (0, 3), (1, 6), (0, 0)]
    assert placements(hand, (3, 6)) == [
        ((0, 3), 0), ((3, 3), 0), ((3, 6), 0), ((1, 6), 1), ((3, 6), 1),
    ]  # fmt: skip
    assert placements(hand, (3, 3)) == [((0, 3), 0), ((3, 3), 0), ((3, 6), 0)]
    assert [tile for tile, _ in placements(hand, None)] == sorted(hand, key=full_set(6).index)


def test_a_draw_turn_goes_on_until_a_tile_fits():
    rules = Rules(boneyard=Boneyard.DRAW, reserve=1)
    table = Table(rules, [[(0, 0)], [(1, 1)]], [(0, 2), (1, 5), (4, 4)], 0, ends=(5, 6))
    drawn = 0
    while table.must_draw(drawn):
        table.draw()
        drawn += 1
    assert drawn == 2
    assert table.options() == [((1, 5), 0)]
    assert table.boneyard == [(4, 4)]


def test_a_seat_that_drew_one_and_passed_closes_nothing_while_more_may_be_drawn():
    rules = Rules(boneyard=Boneyard.DRAW_ONE_PASS)
    table = Table(rules, [[(0, 0)], [(1, 1)]], [(0, 2), (0, 1)], 0, ends=(5, 6))
    table.draw()
    table.pass_turn()
    assert table.closing == 0
    table.draw()
    table.pass_turn()
    assert table.closing == 1
    table.pass_turn()
    assert table.ending == "blocked"


def test_opening_seat_by_double_then_weight_then_higher_end():
    assert opening_seat([[(0, 0), (5, 6)], [(1, 1)]]) == (1, (1, 1))
    assert opening_seat([[(4, 5), (0, 1)], [(3, 6), (0, 2)]]) == (1, (3, 6))
    assert opening_seat([[(4, 6), (0, 1)], [(3, 6), (0, 2)]]) == (0, (4, 6))


def block(rules, hands, opener=0, blocker=0):
    """A blocked round with these tiles left, the last of them played by a seat."""
    return Ended(rules, hands, opener, Last(blocker, 1, 2, 2), is_blocked=True)


def test_a_won_block_scores_each_way():
    """Hands of 6, 11 and 18 pips."""
    hands = [[(0, 6)], [(5, 6)], [(6, 6), (2, 4)]]
    assert scores_of(block(Rules(players=3), hands)) == {
        BlockScore.MINUS_OWN: 23,
        BlockScore.OTHERS: 29,
        BlockScore.ALL_HANDS: 35,
        BlockScore.DIFFERENCE: 17,
        BlockScore.OPPONENTS: 29,
        BlockScore.PER_HEAVIER: 5 + 12 + 7,
        BlockScore.FLAT: 1,
    }


@pytest.mark.parametrize(
    ("tie", "winner"),
    [(BlockTie.VOID, None), (BlockTie.OPENER, 1), (BlockTie.LIGHTEST_TILE, 2)],
)
def test_a_tied_block(tie, winner):
    """Seats 1 and 2 hold 5 pips each; seat 2 has the 1-0."""
    rules = Rules(players=3, block_tie=tie)
    hands = [[(6, 6)], [(2, 3)], [(0, 1), (0, 4)]]
    assert winner_of(block(rules, hands, opener=1)) == winner
    if tie == BlockTie.OPENER:
        assert winner_of(block(rules, hands, opener=0)) is None


def test_a_split_block_is_a_tie_that_scores():
    hands = [[(2, 3)], [(6, 6)], [(1, 4)]]
    split = scores_of(block(Rules(players=3, block_tie=BlockTie.SPLIT), hands))
    assert split[BlockScore.OTHERS] == 17
    assert split[BlockScore.MINUS_OWN] == 12
    assert set(scores_of(block(Rules(players=3), hands)).values()) == {0}


def test_a_seat_that_hears_all_others_pass_and_plays_again():
    """Ends 6-6: nobody but seat 0 has a six; then seat 1 goes on, and all pass but the last."""
    rules = Rules(players=3)
    hands = [[(1, 6), (2, 2), (6, 6)], [(1, 3), (3, 4)], [(2, 5)]]
    table = Table(rules, hands, [], 0)
    table.place(((6, 6), 0))
    table.pass_turn()
    table.pass_turn()
    table.place(((1, 6), 0))
    assert dict(table.pass_rounds) == {0: 1}
    assert table.last == Last(0, 6, 1, 6)
    table.place(((1, 3), 0))
    table.pass_turn()
    table.pass_turn()
    table.place(((3, 4), 0))
    assert dict(table.pass_rounds) == {0: 1, 1: 1}
    assert table.ended(opener=0).pass_rounds == [1, 1, 0]


def test_opening_seat_by_a_named_double():
    """It comes first, then those below it, then from the highest down."""
    assert opening_seat([[(0, 0)], [(3, 3)], [(6, 6)]], named=3) == (1, (3, 3))
    assert opening_seat([[(0, 0)], [(4, 4)], [(6, 6)]], named=3) == (0, (0, 0))
    assert opening_seat([[(0, 1)], [(4, 4)], [(6, 6)]], named=3) == (2, (6, 6))
    assert opening_seat([[(0, 1)], [(4, 5)], [(3, 6)]], named=3) == (2, (3, 6))


def _table(hand, ends, line=()):
    return Table(Rules(), [list(hand), []], [], 0, ends=ends, line=list(line))


def _strategy(ties="placements", **weights):
    names = ["pips", "double", "high_end", "own_fit", "share", "unseen_fit", "equal_ends", "random"]
    return SimpleNamespace(
        weights=tuple(weights.get(name, 0.0) for name in names), temperature=0.0, ties=ties
    )


@pytest.mark.parametrize(
    ("strategy", "hand", "best"),
    [
        (_strategy(pips=1), [(0, 6), (4, 6), (5, 6), (5, 5)], (5, 6)),
        (_strategy(pips=-1), [(0, 6), (4, 6), (5, 6), (0, 0)], (0, 6)),
        (_strategy(double=1), [(5, 6), (6, 6), (5, 5)], (6, 6)),
        (_strategy(high_end=-1), [(1, 6), (1, 3), (0, 0)], (1, 3)),
        (_strategy(own_fit=1), [(1, 6), (2, 6), (2, 2), (2, 4), (1, 1)], (2, 6)),
        (_strategy(share=1), [(1, 6), (2, 3), (2, 2), (2, 4)], (2, 3)),
        (_strategy(equal_ends=1), [(5, 6), (3, 6), (3, 4)], (3, 6)),
    ],
    ids=["pips", "-pips", "double", "-high_end", "own_fit", "share", "equal_ends"],
)
def test_a_strategy_takes_its_best_feature(strategy, hand, best):
    """The open ends are 6 and 3."""
    assert choose(_table(hand, (6, 3)), 0, strategy, turn_word=12345)[0] == best


def test_unseen_tiles_leave_out_hand_and_line():
    """Ends 6-6: playing 6-1 opens 1; of the ones 1-1 and 1-0 are on the line, none of the twos."""
    table = _table([(1, 6), (2, 6)], (6, 6), line=[(1, 1), (0, 1), (6, 6)])
    assert choose(table, 0, _strategy(unseen_fit=-1), turn_word=1) == ((1, 6), 0)
    assert choose(table, 0, _strategy(unseen_fit=1), turn_word=1) == ((2, 6), 0)


def test_ties_over_tiles_are_shared_by_tile_first():
    """6-3 fits both ends, 6-1 one: by placement 2/3, by tile 1/2 of choices fall on 6-3.

    20,000 words from a counter through the mixer; a share is off by 0.02 at odds below 1e-8.
    """
    table = _table([(3, 6), (1, 6)], (6, 3))
    for ties, expected in (("placements", 2 / 3), ("tiles", 1 / 2)):
        strategy = _strategy(ties)
        words = range(0, 2**64, 2**64 // 20_000)
        share = sum(choose(table, 0, strategy, word)[0] == (3, 6) for word in words) / 20_000
        assert abs(share - expected) < 0.02


@pytest.mark.parametrize("boneyard", Boneyard)
@pytest.mark.parametrize("opening", Opening)
def test_stories_keep_all_tiles(boneyard, opening):
    """Whatever happens, the set is on the line, in the hands and in the boneyard, once each."""
    rules = Rules(
        max_pip=5, players=3, deal=4, boneyard=boneyard, reserve=2, opening=opening,
        no_double=NoDouble.REDEAL, misdeal=3,
    )  # fmt: skip
    for story in uniform_rounds(rules, 100):
        line = [turn.tile for turn in story.turns if turn.tile is not None]
        left = [tile for hand in story.hands_left for tile in hand]
        boneyard_left = story.boneyard[story.draws :]
        assert sorted(line + left + boneyard_left) == sorted(full_set(5))
        assert len(boneyard_left) == story.boneyard_left
        assert story.boneyard_left >= min(rules.reserve, len(story.boneyard))
        assert len(story.turns) == story.plays + story.passes
        assert story.pips == [sum(sum(tile) for tile in hand) for hand in story.hands_left]
