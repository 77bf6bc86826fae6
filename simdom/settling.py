"""A round that is over, wherever it was played: who wins it, and what it scores."""

from collections.abc import Sequence
from typing import NamedTuple

from simdom.engine.kernels import Last, judge_end
from simdom.engine.scoring import NOBODY
from simdom.rules import BlockScore, Rules

__all__ = ["Last", "Settled", "settle_round"]


class Settled(NamedTuple):
    """How a round ended.

    Attributes:
        winner: a seat, or None if nobody won.
        pips: what is left in each hand counts.
        scores: what the round awards by each way to score a block, by its name.
        points: what it awards by the rules; one of these.
        gained: points by seat; seats that share a block gain equal shares, rounded down.
    """

    winner: int | None
    pips: list[int]
    scores: dict[str, int]
    points: int
    gained: list[int]


def settle_round(
    rules: Rules,
    hands_left: Sequence[Sequence[int]],
    *,
    opener: int,
    last: Last,
    is_blocked: bool,
    pass_rounds: Sequence[int] | None = None,
) -> Settled:
    """Judge the end of a round by the engine's own functions.

    Args:
        rules: checked rules.
        hands_left: ids of the tiles left to each seat.
        opener: the seat that led.
        last: the last tile placed.
        is_blocked: whether nobody could play; else the seat of ``last`` is out.
        pass_rounds: how often each seat played, saw all others pass and played again; None for
            never.

    >>> rules = Rules(players=3, deal=5)
    >>> from simdom.tiles import parse_tile
    >>> left = [[parse_tile(name, 6)] for name in ("6-0", "6-5", "6-4")]
    >>> settle_round(rules, left, opener=0, last=Last(1, 3, 2, 2), is_blocked=True).points
    15
    """
    scores: dict[str, int] = {}
    for kind in BlockScore:
        winner, points, pips, gained = judge_end(
            rules._replace(block_score=kind),
            hands_left,
            opener=opener,
            last=last,
            is_blocked=is_blocked,
            pass_rounds=pass_rounds,
        )
        scores[kind.name.lower()] = points
        if kind == rules.block_score:
            settled = Settled(None if winner == NOBODY else winner, pips, scores, points, gained)
    return settled
