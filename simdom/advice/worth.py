"""What placements are worth in the worlds that were looked at, and how sure that is.

All placements of a position meet the same worlds, and how far one is behind another is taken world
by world, so that what is common to both drops out; where they lead to different play, that is
little. Three cases:

- Worlds were drawn: they are a sample, and intervals are those of a sample.
- Each world was taken once and searched to its end: there is nothing to be unsure of.
- Each world was taken once and played to its end: no world is missing, but what came of it may be
  luck, of the lots among equal placements and of the order of the boneyard. How much, a second play
  of all worlds with other lots tells: half the squared difference of the two is one world's
  variance. The figures stay those of the first play, which are those that the strategy goes by.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from simdom.engine.asides import NOT_PLAYED, Setting, Weighed, weigh
from simdom.estimate import Estimate, estimate_rate, mean_of_sums, student_quantile
from simdom.rules import PAIRED_PLAYERS, Rules, Teams, side_of_seat

__all__ = ["Worth", "weigh_worth"]

_Values = np.ndarray[Any, np.dtype[np.int64]]
_MOST_LOTS = 2**64


class Worth(NamedTuple):
    """What placements are worth, in the engine's order.

    Attributes:
        placements: (tile, end 0 or 1).
        best: the number of the one that the strategy plays.
        wins: the chance that the seat's side wins.
        points: what the side gains more than another seat's side, the mean over the others.
        behind: how much less of the strategy's aim it gets than the best does: points, or the
            chance to win less that of another side.
        values: sums of the aim, as the engine has them.
        looks: worlds looked at.
        is_every: whether these are all, once each.
        is_searched: whether they were searched to their end.
        is_by_hand: whether all lots of a hand were taken as one, for there are too many.
        is_numbered: whether all worlds are equally likely, not only nearly.
    """

    placements: list[tuple[int, int]]
    best: int
    wins: list[Estimate]
    points: list[Estimate]
    behind: list[Estimate]
    values: list[int]
    looks: int
    is_every: bool
    is_searched: bool
    is_by_hand: bool
    is_numbered: bool


def weigh_worth(setting: Setting, seed: int, index: int, confidence: float) -> Worth:
    """Weigh all placements of a scene; the arguments are those of `weigh`."""
    rules, seat, aim = setting.scene.rules, setting.scene.seat, setting.strategy.aim
    first = weigh(setting, seed, index)
    first = _played(first)
    again = _played(weigh(setting, (seed + 1) % _MOST_LOTS, index)) if first.is_every else first
    opponents = rules.players - (2 if rules.teams == Teams.PAIRS else 1)

    def estimates(
        read: Callable[[Weighed], _Values], scale: int, *, is_rate: bool = False
    ) -> list[Estimate]:
        columns = zip(read(first).T, read(again).T, strict=True)
        return [
            _estimate(one, other, scale, confidence, is_sample=not first.is_every, is_rate=is_rate)
            for one, other in columns
        ]

    def won(weighed: Weighed) -> _Values:
        return _sides_won(weighed, rules, seat)

    def gained(weighed: Weighed) -> _Values:
        return weighed.points if aim == "points" else _win_gains(weighed, rules, seat, opponents)

    def lost(weighed: Weighed) -> _Values:
        values = gained(weighed)
        return values[:, [first.best]] - values

    return Worth(
        placements=first.placements,
        best=first.best,
        wins=estimates(won, 1, is_rate=True),
        points=estimates(lambda weighed: weighed.points, opponents),
        behind=estimates(lost, opponents),
        values=first.values,
        looks=len(first.winners),
        is_every=first.is_every,
        is_searched=first.is_searched,
        is_by_hand=first.is_by_hand,
        is_numbered=first.is_numbered,
    )


def _played(weighed: Weighed) -> Weighed:
    """Without the worlds that would not have been played."""
    kept = weighed.winners[:, 0] != NOT_PLAYED
    return weighed._replace(winners=weighed.winners[kept], points=weighed.points[kept])


def _sides_won(weighed: Weighed, rules: Rules, seat: int) -> _Values:
    """1 where the seat's side wins, else 0; ndarray(int64, shape=(worlds, placements))."""
    winners = weighed.winners.astype(np.int64)
    is_own = (winners >= 0) & (side_of_seat(rules, winners) == side_of_seat(rules, seat))
    wins: _Values = is_own.astype(np.int64)
    return wins


def _win_gains(weighed: Weighed, rules: Rules, seat: int, opponents: int) -> _Values:
    """What a strategy that plays for the win gains, as `_sides_won`."""
    own = _sides_won(weighed, rules, seat)
    others = (weighed.winners >= 0) & (own == 0)
    of_side = PAIRED_PLAYERS // 2 if rules.teams == Teams.PAIRS else 1
    gains: _Values = own * opponents - others.astype(np.int64) * of_side
    return gains


def _estimate(
    one: _Values, again: _Values, scale: int, confidence: float, *, is_sample: bool, is_rate: bool
) -> Estimate:
    """The mean of ``one``, divided by ``scale``; ``again`` are the same worlds, played again."""
    n, total = len(one), int(one.sum())
    if is_sample and is_rate:
        return estimate_rate(total, n, confidence)
    if is_sample:
        found = mean_of_sums(n, total, int((one * one).sum()), confidence)
        return Estimate(
            found.estimate / scale,
            found.se / scale,
            found.low / scale,
            found.high / scale,
            sd=(found.sd or 0.0) / scale,
        )
    mean = total / (n * scale)
    luck = int(((one - again) ** 2).sum()) / 2
    se = math.sqrt(luck) / (n * scale)
    radius = student_quantile(confidence, n) * se if se else 0.0
    low, high = mean - radius, mean + radius
    if is_rate:
        low, high = max(low, 0.0), min(high, 1.0)
    return Estimate(mean, se, low, high, count=total if is_rate else None)
