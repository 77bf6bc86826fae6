"""A match in plain Python: rounds until a side reaches the target, and what is asked of it.

Written from the rule text, and it shares nothing with the engine. A round is the oracle's own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import oracle
from oracle import Story
from plain_scoring import side_of
from plain_streams import CHOICE, Chance, stream_key, word
from simdom.rules import BlockTie, LaterLead, OthersPoints, Overshoot, Rules, TieLead
from simdom.toggles import Teams

ROUNDS_APART = 65_536
MOST_ROUNDS = 10_000

PlayRound = Callable[..., Story]


@dataclass
class Played:
    """One round of a match: who was told to lead it, how it went, and the score after it."""

    leader: int | None
    story: Story
    factor: int
    scored: list[int]  # by side: what was put down, nothing that was lost
    score: list[int]


@dataclass
class MatchStory:
    """All that happened in a match. Sides are seats, or under ``teams=pairs`` 0 and 1."""

    rules: Rules
    target: int
    rounds: list[Played] = field(default_factory=list)
    winner: int | None = None

    @property
    def score(self) -> list[int]:
        return self.rounds[-1].score

    @property
    def leaders(self) -> list[int]:
        """The seat that led each round."""
        return [played.story.opener for played in self.rounds]

    @property
    def points(self) -> int:
        """Points scored by all sides, in all rounds."""
        return sum(sum(played.scored) for played in self.rounds)

    @property
    def blocked_points(self) -> int:
        return sum(sum(p.scored) for p in self.rounds if p.story.ending == "blocked")

    @property
    def tied_rounds(self) -> int:
        return sum(played.story.winner is None for played in self.rounds)

    @property
    def lead_changes(self) -> int:
        alone = [
            score.index(max(score))
            for score in (played.score for played in self.rounds)
            if score.count(max(score)) == 1
        ]
        return sum(one != two for one, two in pairwise(alone))

    @property
    def is_comeback(self) -> bool:
        if self.winner is None:
            return False
        winner = self.winner
        return any(2 * (max(p.score) - p.score[winner]) >= self.target for p in self.rounds)

    @property
    def is_shutout(self) -> bool:
        if self.winner is None:
            return False
        return not any(points for side, points in enumerate(self.score) if side != self.winner)

    @property
    def is_both_over(self) -> bool:
        """Whether at its end more than one side had reached the target."""
        return self.winner is not None and sum(p >= self.target for p in self.score) > 1


def play_match(
    rules: Rules,
    strategies: Sequence[Any],
    seed: int,
    match: int,
    target: int,
    play_round: PlayRound = oracle.play_round,
    most_rounds: int = MOST_ROUNDS,
) -> MatchStory:
    """Match ``match`` of ``seed``, each seat by its strategy; ``play_round`` as the oracle's."""
    told = MatchStory(rules, target)
    sides = 2 if rules.teams == Teams.PAIRS else rules.players
    score = [0] * sides
    for number in range(most_rounds):
        index = match * ROUNDS_APART + number
        last = told.rounds[-1].story if told.rounds else None
        leader = None if last is None else leader_after(rules, last, seed, index)
        doubled = last is not None and last.winner is None
        factor = 2 if doubled and rules.block_tie == BlockTie.REPLAY_DOUBLE else 1
        story = play_round(rules, strategies, seed, index, leader)
        earned = earned_by_side(rules, story, number, factor, sides)
        score, scored = put_down(rules, score, earned, story, target)
        told.rounds.append(Played(leader, story, factor, scored, score))
        if max(score) >= target and score.count(max(score)) == 1:
            told.winner = score.index(max(score))
            break
    return told


def earned_by_side(rules: Rules, story: Story, number: int, factor: int, sides: int) -> list[int]:
    """What each side earns in round ``number``: what its seats gained, and the early bonus."""
    earned = [0] * sides
    for seat, points in enumerate(story.gained):
        earned[side_of(rules, seat)] += factor * points
    if story.winner is not None and number < rules.early_rounds:
        left = rules.early_rounds - number
        earned[side_of(rules, story.winner)] += rules.early_bonus * left // rules.early_rounds
    return earned


def put_down(
    rules: Rules, score: list[int], earned: list[int], story: Story, target: int
) -> tuple[list[int], list[int]]:
    """The score after a round, and what of the points earned was put down, by side."""
    after, scored = list(score), [0] * len(score)
    for side, points in enumerate(earned):
        if rules.overshoot == Overshoot.COUNTS or score[side] + points <= target:
            scored[side] = points
    if rules.others_points == OthersPoints.RESET and story.winner is not None:
        for side in range(len(score)):
            if side != side_of(rules, story.winner):
                after[side] = scored[side] = 0
    return [old + new for old, new in zip(after, scored, strict=True)], scored


def leader_after(rules: Rules, last: Story, seed: int, index: int) -> int | None:
    """The seat that leads round ``index`` after the round ``last``; None by the opening rule."""
    players = rules.players
    if last.winner is None:
        if rules.block_tie == BlockTie.REPLAY_DOUBLE or rules.tie_lead == TieLead.AFRESH:
            return None
        shift = 1 if rules.tie_lead == TieLead.NEXT_SEAT else 0
        return (last.opener + shift) % players
    winner = last.winner
    opponents = [s for s in range(players) if side_of(rules, s) != side_of(rules, winner)]
    heaviest = max(last.pips[seat] for seat in opponents)
    team = sorted(set(range(players)) - set(opponents))
    lot = Chance(word(stream_key(seed, CHOICE, index), 0)).draw(2)
    return {
        LaterLead.AFRESH: None,
        LaterLead.WINNER: winner,
        LaterLead.WINNING_TEAM: team[lot] if rules.teams == Teams.PAIRS else winner,
        LaterLead.NEXT_SEAT: (last.opener + 1) % players,
        LaterLead.SAME_OPENER: last.opener,
        LaterLead.LOSER: min(
            (seat for seat in opponents if last.pips[seat] == heaviest),
            key=lambda seat: (seat - winner) % players,
        ),
    }[LaterLead(rules.later_lead)]
