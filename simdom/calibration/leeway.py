"""Leeway: how far a weight may move, the others standing, with every claim still met.

What a changed weight does to a figure is taken from the same rounds, so that it is far more precise
than either figure; it is added to the figure from all rounds.
"""

from collections.abc import Sequence
from typing import NamedTuple

from simdom.calibration.meter import Meter
from simdom.calibration.plain import Row, strategy_of
from simdom.published.claim import Claims
from simdom.strategies import FEATURES

__all__ = ["Leeway", "find_leeway"]

ROUNDS = 500_000
"""At most, for each weight that is tried."""
GRID = 32
"""Weights are moved by this part of their size, or multiples of it."""
FARTHEST = 4
"""How many times its size a weight is tried at."""

_ANY = 0.95  # confidence of intervals that nobody looks at


class Leeway(NamedTuple):
    """Where a weight may be, so far as was looked: from 0 to `FARTHEST` times its size.

    Attributes:
        low, high: the ends, low below high.
        is_low_end, is_high_end: whether the claims are no longer met a little beyond; if not,
            nothing beyond was looked at.
    """

    low: float
    high: float
    is_low_end: bool
    is_high_end: bool


def find_leeway(
    claims: Claims, meter: Meter, row: Row, figures: dict[str, float], rounds: int
) -> dict[str, Leeway]:
    """The leeway of every weight of a row, to 1/32 of its size.

    Args:
        claims: that the figures meet.
        meter: the rounds to play.
        row: the weights.
        figures: of the row, from as many rounds as there are.
        rounds: to play with each changed weight, if not more than 500,000.
    """
    walk = _Walk(claims, meter, row, figures, min(rounds, ROUNDS))
    found = {}
    for place, weight in enumerate(row):
        if weight:
            near, is_near_end = walk.farthest(place, -1)
            far, is_far_end = walk.farthest(place, 1)
            ends = Leeway(near, far, is_near_end, is_far_end)
            found[FEATURES[place]] = (
                ends if weight > 0 else Leeway(far, near, is_far_end, is_near_end)
            )
    return found


class _Walk:
    """Moves one weight at a time, in steps of 1/`GRID` of its size."""

    def __init__(
        self, claims: Claims, meter: Meter, row: Row, figures: dict[str, float], rounds: int
    ) -> None:
        self._claims, self._meter, self._row, self._rounds = claims, meter, row, rounds
        here = self._play(row)
        self._beyond = {name: figures[name] - value for name, value in here.items()}

    def farthest(self, place: int, direction: int) -> tuple[float, bool]:
        """The last weight in that direction at which the claims are met, and whether it ends there.

        Strides double until one leads outside; then the end is narrowed down.
        """
        limit = GRID if direction < 0 else GRID * (FARTHEST - 1)
        inside, outside = 0, limit + 1
        stride = 1
        while inside + stride < outside and outside > limit:
            if self._meets(place, direction * (inside + stride)):
                inside += stride
                stride = max(1, min(2 * stride, limit - inside))
            else:
                outside = inside + stride
        while outside - inside > 1:
            middle = (inside + outside) // 2
            if self._meets(place, direction * middle):
                inside = middle
            else:
                outside = middle
        return self._moved(place, direction * inside)[place], outside <= limit

    def _meets(self, place: int, steps: int) -> bool:
        there = self._play(self._moved(place, steps))
        return all(
            claim.low <= there[claim.id] + self._beyond[claim.id] <= claim.high
            for claim in self._claims.claims
        )

    def _moved(self, place: int, steps: int) -> tuple[float, ...]:
        weights = [*map(float, self._row)]
        weights[place] *= 1 + steps / GRID
        return tuple(weights)

    def _play(self, weights: Sequence[float]) -> dict[str, float]:
        found = self._meter.play_one(strategy_of(weights), self._rounds, _ANY)
        return {name: estimate.estimate for name, estimate in found.items()}
