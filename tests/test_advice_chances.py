"""Exact chances in a position, against an enumeration of every deal: fractions must be equal."""

from fractions import Fraction

import pytest

from oracle import full_set
from plain_deals import agreeing_deals, deals_to_try
from scale import rounds
from simdom.advice.knowing import Knowledge
from simdom.advice.standing import take_standing
from simdom.engine.asides import set_scene
from simdom.engine.kernels import Study
from simdom.errors import UsageError
from simdom.rules import Boneyard, NamedMissing, NoDouble, Opening, Rules, check_rules
from simdom.strategies import load_strategy, parse_strategies
from simdom.transcripts.recording import transcribe
from traces import traced

SEED = 51
MOST_TRIED = 4000

SMALL = [
    Rules(max_pip=2, deal=2),
    Rules(max_pip=2, deal=2, boneyard=Boneyard.DRAW),
    Rules(max_pip=3, deal=4, opening=Opening.LOT),
    Rules(max_pip=3, deal=3, boneyard=Boneyard.DRAW),
    Rules(max_pip=3, deal=2, boneyard=Boneyard.DRAW, opening=Opening.FIRST_SEAT),
    Rules(max_pip=3, deal=3, boneyard=Boneyard.DRAW, reserve=2, opening=Opening.LOT),
    Rules(max_pip=3, deal=3, boneyard=Boneyard.DRAW_ONE_PLAY, opening=Opening.HOLDER_LEADS_ANY),
    Rules(max_pip=3, deal=3, boneyard=Boneyard.DRAW_ONE_PASS, opening=Opening.HOLDER_LEADS_ANY),
    Rules(max_pip=3, deal=3, boneyard=Boneyard.DRAW, opening=Opening.LOT, misdeal=2),
    Rules(max_pip=3, deal=3, no_double=NoDouble.REDEAL, boneyard=Boneyard.DRAW),
    Rules(
        max_pip=3,
        deal=3,
        boneyard=Boneyard.DRAW,
        opening=Opening.NAMED_DOUBLE,
        named_double=2,
        named_missing=NamedMissing.LOT,
    ),
    Rules(max_pip=3, deal=3, opening=Opening.NAMED_DOUBLE, named_double=1),
    Rules(max_pip=3, players=3, deal=3),
    Rules(max_pip=3, players=3, deal=2, boneyard=Boneyard.DRAW),
    Rules(max_pip=3, players=3, deal=2, boneyard=Boneyard.DRAW_ONE_PASS, opening=Opening.LOT),
    Rules(max_pip=3, players=3, deal=2, boneyard=Boneyard.DRAW, misdeal=2),
    Rules(max_pip=4, deal=5),
    Rules(max_pip=4, deal=3, boneyard=Boneyard.DRAW, reserve=2),
]


@pytest.mark.parametrize(
    "rules",
    SMALL,
    ids=lambda r: f"D{r.max_pip}-{r.players}x{r.deal}-{r.boneyard.name}-{r.opening.name}".lower(),
)
def test_chances_and_voids_are_those_of_all_deals(rules):
    """No rounding and no odds: each fraction is counted twice."""
    rules = check_rules(rules)
    strategies = parse_strategies("random", rules.players)
    study = Study(rules, strategies, SEED)
    compared = 0
    for index in range(rounds(6, 3)):
        transcript, _ = transcribe("none", study, index)
        played = traced(rules, strategies, SEED, index)
        for cut in range(1, len(played.turns)):
            seat = (cut + index) % rules.players
            if deals_to_try(rules, played, cut, seat) > MOST_TRIED:
                break
            try:
                standing = take_standing(transcript, seat, cut + 1)
            except UsageError:  # the seat cannot know whether the round goes on
                assert rules.boneyard == Boneyard.DRAW_ONE_PASS
                continue
            tables = [found[0] for found in agreeing_deals(rules, played, cut, seat)]
            _compare(standing, tables, played.turns[cut - 1].ends)
            compared += 1
    assert compared >= 5


def _compare(standing, tables, ends):
    """Hold all that is known in a position to the tables that can be."""
    knowledge = Knowledge(standing, set_scene(standing.scene, load_strategy("sharp:samples=1")))
    numbers = range(standing.rules.max_pip + 1)
    for other in standing.others:
        for asked in [ends, *((number,) for number in numbers)]:
            held = sum(_holds(table.hands[other], asked) for table in tables)
            assert knowledge.chance_to_answer(other, asked) == Fraction(held, len(tables))
    lacks = [
        (other, number)
        for other in standing.others
        for number in numbers
        if not any(_holds(table.hands[other], (number,)) for table in tables)
    ]
    found = knowledge.voids()
    assert [(void.seat, void.number) for void in found] == lacks
    tiles = full_set(standing.rules.max_pip)
    seen = {tiles[turn.tile] for turn in standing.turns if turn.tile is not None}
    seen |= {tiles[tile] for tile in standing.hand}
    for void in found:
        assert void.is_seen == ({tile for tile in tiles if void.number in tile} <= seen)


def _holds(hand, numbers):
    return any(number in tile for tile in hand for number in numbers)
