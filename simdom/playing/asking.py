"""A person in a seat of the engine: a round is played again with all that they have chosen so far.

The engine deals, draws, passes, keeps the turns and plays the other seats. The person is a strategy
like any other, a function that answers with what was chosen; at the first question without an
answer the engine is let go on with anything, and what it made up from there is thrown away. So a
round is a function of the rules, the strategies, the seed and the choices, and nothing else.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simdom.engine.kernels import Study, Trace, record_round
from simdom.engine.playout import BY_RULE
from simdom.hooks import View, strategy
from simdom.rules import Rules
from simdom.strategies import Strategy
from simdom.tiles import tile_id, tile_name

__all__ = ["Placement", "Replay", "Seats", "replay_round"]

Seats = tuple[Strategy | None, ...]
"""How each seat plays; None is the person."""


class Placement(NamedTuple):
    """What a person may choose.

    Attributes:
        tile: id of the tile.
        on: the number that it is placed on; None for a lead.
    """

    tile: int
    on: int | None

    def __str__(self) -> str:
        """As a transcript has it."""
        return tile_name(self.tile) + ("" if self.on is None else f" on {self.on}")


class Replay(NamedTuple):
    """A round with all choices that were made.

    Attributes:
        trace: of the round; from the question on, it is made up.
        question: what the person sees when the answers end; None if the round is over before.
        placements: what they may choose then.
        asked_at: tiles on the line whenever a choice was asked for, that question included.
        used: answers that the round took.
        wrong: an answer that is none of the placements; None if there is none.
    """

    trace: Trace
    question: View | None
    placements: list[Placement]
    asked_at: frozenset[int]
    used: int
    wrong: Placement | None


class _Person:
    """The person as a function: answers with what was chosen, as long as that lasts."""

    def __init__(self, answers: Sequence[Placement]) -> None:
        self.answers = answers
        self.used = 0
        self.asked_at: set[int] = set()
        self.question: View | None = None
        self.placements: list[Placement] = []

    def __call__(self, view: View) -> int:
        if self.question is not None:
            return 0  # what is made up
        self.asked_at.add(len(view.line))
        placements = _placements(view)
        if self.used < len(self.answers) and self.answers[self.used] in placements:
            self.used += 1
            return placements.index(self.answers[self.used - 1])
        self.question, self.placements = view, placements
        return 0


def replay_round(
    rules: Rules,
    seats: Seats,
    seed: int,
    index: int,
    leader: int | None,
    answers: Sequence[Placement],
) -> Replay:
    """Play round ``index`` with these answers.

    Args:
        rules: checked rules.
        seats: how each plays.
        seed: 0 to 2**64 - 1.
        index: of the round.
        leader: the seat that leads any tile, whatever the opening rule says; None for that rule.
        answers: what the person chose, in order; those that the round does not take are left.
    """
    person = _Person(answers)
    asked = strategy(name="you")(person)
    study = Study(rules, tuple(seat or asked for seat in seats), seed)
    trace = record_round(study, index, BY_RULE if leader is None else leader)
    is_wrong = person.question is not None and person.used < len(answers)
    return Replay(
        trace,
        person.question,
        person.placements,
        frozenset(person.asked_at),
        person.used,
        wrong=answers[person.used] if is_wrong else None,
    )


def _placements(view: View) -> list[Placement]:
    ends = (int(view.end_0), int(view.end_1))
    rows = np.asarray(view.placements).tolist()
    return [
        Placement(tile_id(low, high), None if end < 0 else ends[end]) for low, high, end in rows
    ]
