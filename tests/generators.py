"""Hypothesis: legal rules and strategies, of all kinds."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from plain_scoring import Ended, Last
from plain_tiles import full_set
from simdom.errors import RulesError
from simdom.rules import (
    BlockScore,
    BlockTie,
    BlockWinner,
    Boneyard,
    Capicua,
    DominoScore,
    LaterLead,
    NamedMissing,
    NoDouble,
    Opening,
    OthersPoints,
    Overshoot,
    PipSteps,
    Rules,
    Teams,
    TieLead,
    check_rules,
)
from simdom.strategies import AIMS, FEATURES, Strategy, load_strategy, strategy_names
from simdom.tiles import tile_count

SEEDS = st.integers(0, 2**64 - 1)
PAIRED = 4
ROUND_INDICES = st.one_of(st.integers(0, 1000), st.integers(0, 10**13))


def _often(usual: int, others: st.SearchStrategy[int]) -> st.SearchStrategy[int]:
    return st.one_of(st.just(usual), others)


POINTS = _often(0, st.one_of(st.integers(1, 30), st.integers(1, 1000)))
"""What a bonus is worth."""


BONUSES = (
    "flat_points",
    "block_bonus",
    "capicua_points",
    "crossed_points",
    "double_out_points",
    "blank_out_points",
    "pass_round_points",
)


def _bonuses(draw: Any) -> dict[str, int]:
    """Points for more than who wins and what is left, or none at all."""
    if draw(st.booleans()):
        return {}
    capicua = draw(st.sampled_from(Capicua))
    points = draw(POINTS)
    return {
        "capicua": capicua,
        "capicua_points": points or int(capicua != Capicua.NONE),
        "crossed_points": draw(POINTS),
        "double_out_points": draw(POINTS),
        "blank_out_points": draw(POINTS),
        "pass_round_points": draw(POINTS),
    }


@st.composite
def legal_rules(
    draw: Any,
    max_pip: int = 12,
    players: int = 8,
    tables: Sequence[tuple[int, int, int]] = (),
) -> Rules:
    """Any rules under which a round can be played, sets and tables up to these sizes.

    With ``tables``, one of these sizes: (max_pip, players, deal).
    """
    if tables:
        top, seats, deal = draw(st.sampled_from(tables))
        tiles = tile_count(top)
    else:
        top = draw(st.integers(1, max_pip))
        tiles = tile_count(top)
        seats = draw(st.integers(2, min(players, tiles)))
        deal = draw(st.integers(1, tiles // seats))
    rules = Rules(
        max_pip=top,
        players=seats,
        deal=deal,
        boneyard=draw(st.sampled_from(Boneyard)),
        reserve=draw(st.integers(0, tiles - seats * deal)),
        opening=draw(st.sampled_from(Opening)),
        no_double=draw(st.sampled_from(NoDouble)),
        misdeal=draw(_often(0, st.integers(1, top + 1))),
        block_score=draw(st.sampled_from(BlockScore)),
        block_tie=draw(st.sampled_from(BlockTie)),
        double_blank_pips=draw(_often(0, st.integers(1, 100))),
        blank_pips=draw(_often(0, st.integers(1, 100))),
        teams=draw(st.sampled_from(Teams)) if seats == PAIRED else Teams.NONE,
        block_winner=draw(st.sampled_from(BlockWinner)),
        domino_score=draw(_often(DominoScore.OPPONENTS, st.sampled_from(DominoScore))),
        flat_points=draw(_often(1, st.integers(1, 1000))),
        block_bonus=draw(POINTS),
        named_double=draw(st.integers(0, top)),
        named_missing=draw(st.sampled_from(NamedMissing)),
        pip_steps=draw(_often(PipSteps.NONE, st.sampled_from(PipSteps))),
        **_bonuses(draw),
    )
    try:
        return check_rules(rules)
    except RulesError:  # these throw in (almost) every deal
        return check_rules(rules._replace(misdeal=0, no_double=NoDouble.HEAVIEST_TILE))


TABLES_OF_MATCHES = [(2, 2, 2), (2, 3, 2), (3, 2, 4), (3, 4, 2), (4, 4, 3), (5, 4, 5), (6, 4, 7)]
"""(max_pip, players, deal) of small sets that often block, and often tie."""


@st.composite
def match_rules(draw: Any) -> Rules:
    """Legal rules of a small table with any toggles of a match, under which matches are long."""
    rules: Rules = draw(legal_rules(tables=TABLES_OF_MATCHES))
    if draw(st.booleans()):  # no great bonuses, then
        rules = rules._replace(
            **{name: min(getattr(rules, name), 3) for name in BONUSES},
            double_blank_pips=0,
            blank_pips=0,
        )
    return rules._replace(
        later_lead=draw(st.sampled_from(LaterLead)),
        tie_lead=draw(st.sampled_from(TieLead)),
        overshoot=draw(_often(Overshoot.COUNTS, st.sampled_from(Overshoot))),
        others_points=draw(_often(OthersPoints.KEPT, st.sampled_from(OthersPoints))),
        early_bonus=draw(_often(0, st.integers(1, 30))),
        early_rounds=draw(st.integers(1, 6)),
    )


@st.composite
def ended_rounds(draw: Any) -> Ended:
    """The end of a round, however it came about: few tiles are left, so that many are tied."""
    rules: Rules = draw(legal_rules(tables=[(3, 2, 2), (3, 3, 2), (4, 4, 2), (4, 4, 2), (5, 4, 3)]))
    chance = random.Random(draw(st.integers(0, 2**32)))
    tiles = chance.sample(full_set(rules.max_pip), rules.tiles)
    hands = [[tiles.pop() for _ in range(chance.randint(1, 2))] for _ in range(rules.players)]
    is_blocked = draw(st.booleans())
    seat = chance.randrange(rules.players)
    if not is_blocked:
        hands[seat] = []
    fitted, other = chance.choice(full_set(rules.max_pip))
    kept = chance.choice([None, fitted, other, chance.randint(0, rules.max_pip)])
    opener = chance.randrange(rules.players)
    passes = [chance.choice([0, 0, 1, 2]) for _ in hands]
    return Ended(rules, hands, opener, Last(seat, fitted, other, kept), is_blocked, passes)


WEIGHTS = st.one_of(st.just(0.0), st.integers(-4, 4).map(float), st.floats(-1000, 1000))
BY_WEIGHTS = [name for name in strategy_names() if not load_strategy(name).samples]
"""The named strategies that play by their weights alone."""
TEMPERATURES = st.one_of(st.just(0.0), st.floats(0.01, 50))


@st.composite
def any_strategy(draw: Any) -> Strategy:
    """One of the named strategies, or any weights and temperature."""
    if draw(st.booleans()):
        return load_strategy(draw(st.sampled_from(BY_WEIGHTS)))
    return Strategy(
        name="any",
        title="Any",
        description="Drawn by a test.",
        weights=tuple(draw(st.lists(WEIGHTS, min_size=len(FEATURES), max_size=len(FEATURES)))),
        temperature=draw(TEMPERATURES),
        ties=draw(st.sampled_from(["placements", "tiles"])),
    )


@st.composite
def rules_and_strategies(draw: Any) -> tuple[Rules, tuple[Strategy, ...]]:
    """Legal rules and a strategy for each seat: one for all, or each its own."""
    rules = draw(legal_rules())
    if draw(st.booleans()):
        return rules, (draw(any_strategy()),) * rules.players
    seats = st.lists(any_strategy(), min_size=rules.players, max_size=rules.players)
    return rules, tuple(draw(seats))


@st.composite
def rules_and_minds(draw: Any) -> tuple[Rules, tuple[Strategy, ...]]:
    """Legal rules of a small table, and strategies of which at least one samples a little."""
    rules = draw(st.one_of(legal_rules(max_pip=6, players=4), legal_rules(max_pip=9, players=4)))
    seats = [draw(any_strategy()) for _ in range(rules.players)]
    thinkers = draw(st.sets(st.integers(0, rules.players - 1), min_size=1))
    for seat in thinkers:
        samples, aim = draw(st.integers(1, 6)), draw(st.sampled_from(AIMS))
        seats[seat] = replace(seats[seat], samples=samples, aim=aim)
    return rules, tuple(seats)
