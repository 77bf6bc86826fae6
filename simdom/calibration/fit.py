"""A row and how its figures fit the claims."""

import math
from typing import Any, NamedTuple

from simdom.calibration.plain import Row, plainness, row_in_words, weights_of
from simdom.calibration.plan import Plan
from simdom.calibration.room import chance_inside, room_in
from simdom.calibration.screening import Figure
from simdom.document import plain_estimate
from simdom.published.judging import Judged, judge

__all__ = ["Fit", "fit_of"]


class Fit(NamedTuple):
    """A row and what it gives.

    Attributes:
        row: its weights.
        seed: of the rounds.
        figures: by the claim's id, with verdicts; each knows its rounds.
        again: by the claim's id, how likely as many rounds as were asked for, others than these,
            are to be inside as well.
        room: standard errors, of as many rounds as were asked for, between the figures and the
            nearest edge; below 0 outside.
    """

    row: Row
    seed: int
    figures: dict[str, Judged]
    again: dict[str, float]
    room: float

    @property
    def words(self) -> str:
        """The weights that are not 0."""
        return row_in_words(self.row)

    @property
    def rounds(self) -> int:
        """Of the rule set that has played most."""
        return max(one.rounds for one in self.figures.values())

    @property
    def is_inside(self) -> bool:
        """Whether every interval lies within what its claim may stand for."""
        return all(one.verdict == "inside" for one in self.figures.values())

    @property
    def is_sure(self) -> bool:
        """Whether that stands for all claims together."""
        return self.is_inside and all(one.firm for one in self.figures.values())

    @property
    def is_outside(self) -> bool:
        """Whether an interval lies outside of what its claim may stand for."""
        return any(one.verdict == "outside" for one in self.figures.values())

    @property
    def verdict(self) -> str:
        """Of all claims together, in the words of one."""
        return "inside" if self.is_inside else "outside" if self.is_outside else "not settled"

    @property
    def chance(self) -> float:
        """How likely other rounds, as many as were asked for, are to meet all claims as well."""
        return math.prod(self.again.values())

    def to_dict(self, plan: Plan) -> dict[str, Any]:
        """The fit as a document of plain values."""
        features, weight = plainness(self.row)
        return {
            "weights": weights_of(self.row),
            "features": features,
            "weight": weight,
            "verdict": self.verdict,
            "again": self.chance,
            "seed": self.seed,
            "figures": {claim.id: self._plain(claim.id, plan) for claim in plan.claims.claims},
        }

    def _plain(self, name: str, plan: Plan) -> dict[str, Any]:
        claim, judged = plan.claims.claim(name), self.figures[name]
        estimate = judged.estimate
        return plain_estimate(estimate) | {
            "rounds": judged.rounds,
            "verdict": judged.verdict,
            "firm": judged.firm,
            "to_edge": min(estimate.estimate - claim.low, claim.high - estimate.estimate),
            "again": self.again[name],
        }


def fit_of(plan: Plan, row: Row, figures: dict[str, Figure], seed: int) -> Fit:
    """Judge the figures of a row.

    Args:
        plan: what is to be met, and how surely.
        row: the weights.
        figures: by the claim's id.
        seed: of the rounds.
    """
    judged, again, rooms = {}, {}, []
    for claim in plan.claims.claims:
        estimate, rounds = figures[claim.id]
        judged[claim.id] = judge(
            claim, estimate, rounds, confidence=plan.confidence, joint=plan.joint
        )
        again[claim.id] = chance_inside(claim, estimate, rounds, plan.rounds, plan.confidence)
        rooms.append(room_in(claim, estimate, rounds, plan.rounds))
    return Fit(row, seed, judged, again, min(rooms))
