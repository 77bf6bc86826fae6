"""Hypothesis: legal rules and strategies, of all kinds."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from simdom.errors import RulesError
from simdom.rules import (
    BlockScore,
    BlockTie,
    Boneyard,
    NoDouble,
    Opening,
    Rules,
    check_rules,
)
from simdom.strategies import AIMS, FEATURES, Strategy, load_strategy, strategy_names

SEEDS = st.integers(0, 2**64 - 1)
ROUND_INDICES = st.one_of(st.integers(0, 1000), st.integers(0, 10**13))


def _often(usual: int, others: st.SearchStrategy[int]) -> st.SearchStrategy[int]:
    return st.one_of(st.just(usual), others)


@st.composite
def legal_rules(draw: Any, max_pip: int = 12, players: int = 8) -> Rules:
    """Any rules under which a round can be played, sets and tables up to these sizes."""
    top = draw(st.integers(1, max_pip))
    tiles = (top + 1) * (top + 2) // 2
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
    )
    try:
        return check_rules(rules)
    except RulesError:  # these throw in (almost) every deal
        return check_rules(rules._replace(misdeal=0, no_double=NoDouble.HEAVIEST_TILE))


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
