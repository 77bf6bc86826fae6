"""A few studies of all kinds and what they give, as text: to compare across processes.

Run as a program it prints them, so that a test can ask a Python that has the JIT turned off.
"""

import hashlib
import json
from dataclasses import replace

from simdom.engine.kernels import Study, list_rounds, tally_rounds
from simdom.rounds import trace_round
from simdom.rules import BlockTie, Boneyard, NoDouble, Opening, Rules, check_rules
from simdom.strategies import FEATURES, Strategy, parse_strategies
from simdom.variants import load_variant

ROUNDS = 120


def studies() -> dict[str, Study]:
    """Small and large sets, every boneyard rule, every kind of strategy."""
    usual = _strategy("usual", pips=1, double=2, own_fit=4, unseen_fit=-2)
    warm = replace(usual, name="warm", temperature=3.0, ties="tiles")
    noisy = _strategy("noisy", pips=1, random=5.5)
    block, draw = load_variant("pagat-block").rules(), load_variant("pagat-draw").rules(3)
    one_play = block._replace(boneyard=Boneyard.DRAW_ONE_PLAY, opening=Opening.LOT)
    one_pass = block._replace(boneyard=Boneyard.DRAW_ONE_PASS, block_tie=BlockTie.OPENER)
    double_9 = Rules(9, 4, 10, misdeal=5, block_tie=BlockTie.LIGHTEST_TILE)
    double_18 = Rules(18, 14, 9, Boneyard.DRAW, no_double=NoDouble.REDEAL)
    return {
        "block, random": _study(block, "random"),
        "draw, mixed": _study(draw, "heaviest,random-tile,blocker"),
        "draw one and play, warm": _study(one_play, [warm, "random"]),
        "draw one and pass, noisy": _study(one_pass, [noisy, noisy]),
        "double-9, normal": _study(double_9, usual),
        "double-18, random": _study(double_18, "random"),
        "double-18, warm": _study(double_18, [warm] * 14),
    }


def _strategy(name: str, **weights: float) -> Strategy:
    """With weights of its own, for those of the presets may become better ones."""
    return Strategy(name, name, "", tuple(float(weights.get(of, 0)) for of in FEATURES))


def _study(rules: Rules, strategy: str | Strategy | list[str | Strategy]) -> Study:
    return Study(check_rules(rules), parse_strategies(strategy, rules.players), 2**63 + 1)


def fingerprint(study: Study) -> dict[str, object]:
    """What the study's first rounds give: digests of every number, and two numbers to look at."""
    tally = tally_rounds(study, 0, ROUNDS)
    how = {"strategy": study.strategies, "seed": study.seed}
    stories = [trace_round(study.rules, index, **how) for index in range(20)]
    moves = [(list(turn.draws), turn.tile, turn.end) for s in stories for turn in s.turns]
    return {
        "tally": _digest([array.tolist() for array in tally]),
        "rows": _digest(list_rounds(study, 0, ROUNDS).tolist()),
        "deals": _digest([(story.hands, story.boneyard) for story in stories]),
        "moves": _digest(moves),
        "blocked": tally.blocked,
        "plays": sum(i * int(count) for i, count in enumerate(tally.plays)),
    }


def _digest(numbers: object) -> str:
    return hashlib.sha256(json.dumps(numbers).encode()).hexdigest()[:16]


if __name__ == "__main__":
    prints = {name: fingerprint(study) for name, study in studies().items()}
    print(json.dumps(prints, indent=1))  # noqa: T201 - its only purpose
