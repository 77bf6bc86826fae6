"""Results made by hand, small enough to work out with pencil and paper."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from simdom.engine.tally import DEAD, NO_DOUBLE, REDEALS, ROUNDS, SCORES, STUCK, set_pips
from simdom.estimate import METRICS, distributions, estimate_metrics
from simdom.results import Result
from simdom.rules import BlockScore, Boneyard, Rules
from simdom.tiles import parse_tile

WITHOUT_TEAMS = [name for name, metric in METRICS.items() if not metric.per_team]
"""The metrics of rounds in which every seat plays for itself."""

DRAW = Rules(boneyard=Boneyard.DRAW, reserve=2)


@dataclass
class Round:
    """How a round went, and how often it did. Seats by turns after the opener, who is seat 0."""

    times: int
    winner: int | None
    pips: tuple[int, ...]
    blocked: bool = False
    plays: int = 13
    draws: int = 0
    passes: int = 0
    tile: str = "6-6"
    no_double: bool = False
    stuck: bool = False
    redeals: int = 0


# 10,000 rounds: 2,000 of them blocked, 100 of these tied.
ROUNDS_OF_DRAW = (
    Round(5970, 0, (0, 10), draws=2),
    Round(30, 0, (0, 10), draws=2, no_double=True, tile="6-5"),
    Round(2000, 1, (12, 0), plays=15, draws=4, passes=1, tile="5-5"),
    Round(1200, 0, (3, 20), blocked=True, plays=12, draws=12, passes=2, stuck=True),
    Round(300, 0, (3, 20), blocked=True, plays=12, draws=12, passes=2),
    Round(400, 1, (9, 4), blocked=True, plays=14, draws=12, passes=4),
    Round(100, None, (7, 7), blocked=True, plays=20, draws=12, passes=2),
)


def tally_of(rounds, rules=DRAW):
    """What a tally of these rounds says."""
    pips = set_pips(rules) + 1
    tally = SimpleNamespace(
        counts=np.zeros(8, np.int64),
        blocked=0,
        ties=0,
        seat_wins=np.zeros(rules.players, np.int64),
        table_wins=np.zeros(rules.players, np.int64),
        opening=np.zeros(rules.tiles, np.int64),
        plays=np.zeros(rules.tiles + 1, np.int64),
        draws=np.zeros(rules.tiles + 1, np.int64),
        passes=np.zeros(100, np.int64),
        scores=np.zeros((len(SCORES), pips), np.int64),
        winner_pips=np.zeros(pips, np.int64),
        pips=np.zeros((rules.players, pips), np.int64),
    )
    for each in rounds:
        times = each.times
        tally.counts[ROUNDS] += times
        tally.counts[NO_DOUBLE] += times * each.no_double
        tally.counts[STUCK] += times * each.stuck
        tally.counts[DEAD] += times * (each.blocked and each.plays == 1)
        tally.counts[REDEALS] += times * each.redeals
        tally.blocked += times * each.blocked
        tally.ties += times * (each.winner is None)
        tally.opening[parse_tile(each.tile, rules.max_pip)] += times
        tally.plays[each.plays] += times
        tally.draws[each.draws] += times
        tally.passes[each.passes] += times
        for seat, left in enumerate(each.pips):
            tally.pips[seat, left] += times
        if each.winner is None:
            tally.scores[:, 0] += times
            continue
        tally.seat_wins[each.winner] += times
        tally.table_wins[each.winner] += times
        tally.winner_pips[each.pips[each.winner]] += times
        scored = scores_of(each, rules)
        scored["points"] = scored[BlockScore(rules.block_score).name.lower()]
        for row, name in enumerate(SCORES):
            tally.scores[row, scored[name]] += times
    return tally


def scores_of(each, rules):
    """What the round scores by each block score, every seat for itself."""
    assert each.winner is not None
    own, total = each.pips[each.winner], sum(each.pips)
    if not each.blocked:
        return dict.fromkeys((kind.name.lower() for kind in BlockScore), total)
    return {
        "minus_own": total - 2 * own,
        "others": total - own,
        "all_hands": total,
        "difference": total - rules.players * own,
        "opponents": total - own,
        "per_heavier": sum(max(one - two, 0) for one in each.pips for two in each.pips),
        "flat": rules.flat_points,
    }


def result_of(rounds=ROUNDS_OF_DRAW, rules=DRAW, confidence=0.95, **changes):
    """A result of these rounds."""
    tally = tally_of(rounds, rules)
    facts = {
        "variant": "pagat-draw",
        "rules": rules,
        "strategies": ("random",) * rules.players,
        "seed": 1,
        "rounds": int(tally.counts[ROUNDS]),
        "confidence": confidence,
        "metrics": estimate_metrics(tally, rules, confidence),
        "distributions": distributions(tally),
        "seconds": 0.5,
        "threads": 2,
        "command": "simdom run --variant pagat-draw -n 1e4 --seed 1",
    }
    return Result(**facts | changes)
