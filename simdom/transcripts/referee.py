"""The referee: says of a transcript whether it is legal, and how its rounds and match ended."""

from typing import Any, NamedTuple

from simdom.formats import json_text
from simdom.rounds import RoundTrace
from simdom.rules import BlockScore, LaterLead, TieLead, rules_to_dict
from simdom.settling import Settled
from simdom.transcripts.judging import JudgedRound, Problem, judge_round
from simdom.transcripts.match_score import MatchScore, next_leaders
from simdom.transcripts.transcript import (
    NO_VARIANT,
    Transcript,
    WrittenRound,
)
from simdom.variants import load_variant

__all__ = ["PUBLISHED_SCORES", "RULES", "Report", "judge", "leaders_of", "told_scores"]

SCHEMA = "simdom.referee/1"

RULES = {
    "deal": "A deal with so many doubles in a hand is dealt again.",
    "leader": "Who leads a later round of a match.",
    "lead": "What the opening rule asks for.",
    "turn": "Seats take turns in order.",
    "place": "A tile is held by the seat, and placed on an open end that shows one of its numbers.",
    "draw": "Who draws, and when to stop.",
    "boneyard": "What may be drawn: the next tile, and none of the reserve.",
    "pass": "A seat passes when it can neither play nor draw.",
    "over": "Nothing follows the end of a round or of a match.",
    "ends": "The open ends that are written.",
    "end": "How the round ended.",
    "winner": "Who won the round.",
    "points": "What the round awards.",
    "pips": "What is left in the hands.",
    "scores": "What other ways to score award.",
    "score": "The score of the match.",
}
"""What a problem may be about."""

PUBLISHED_SCORES = ("minus_own", "others", "all_hands")
"""The ways to score a block that every answer names."""


class Report(NamedTuple):
    """What the referee says.

    Attributes:
        transcript: that was judged.
        problems: of all rounds, in order; none if it is legal.
        rounds: what is said of each round.
        score: of the match after the last round, by side; None if it is not known.
        target: points that win the match; None if it is none.
        match_winner: the side that has won the match; None before, and where there is none.
    """

    transcript: Transcript
    problems: list[Problem]
    rounds: list[JudgedRound]
    score: list[int] | None
    target: int | None
    match_winner: int | None

    @property
    def is_legal(self) -> bool:
        """Whether no rule is broken, and all that is said is true."""
        return not self.problems

    @property
    def is_match(self) -> bool:
        """Whether the rounds are numbered: then they are those of a match."""
        return self.transcript.rounds[0].number is not None

    def to_dict(self) -> dict[str, Any]:
        """The document of schema `SCHEMA`, with what the last round came to in front."""
        rounds = [self._round_to_dict(number) for number in range(len(self.rounds))]
        match = {"score": self.score, "target": self.target, "winner": self.match_winner}
        names = [name for name in self.transcript.names if name is not None]
        return {
            "schema": SCHEMA,
            "legal": self.is_legal,
            "problems": [
                {
                    "line": problem.line or None,
                    "round": problem.round,
                    "turn": problem.turn,
                    "rule": problem.rule,
                    "message": problem.message,
                    "allowed": problem.allowed,
                }
                for problem in self.problems
            ],
            **rounds[-1],
            "variant": self.transcript.variant,
            "rules": rules_to_dict(self.transcript.rules),
            **({"names": list(self.transcript.names)} if names else {}),
            **({"rounds": rounds, "match": match} if self.is_match else {}),
        }

    def _round_to_dict(self, number: int) -> dict[str, Any]:
        judged = self.rounds[number]
        settled = judged.settled
        return {
            "finished": judged.end is not None,
            "end": judged.end,
            "winner": None if judged.winner == -1 else judged.winner,
            "tied": judged.winner == -1,
            "points": settled and settled.points,
            "scores": settled and told_scores(self.transcript.rules.block_score, settled),
            "pips": settled and settled.pips,
            "gained": settled and settled.gained,
            "opener": judged.table.opener,
            "to_move": None if judged.end is not None else judged.table.seat,
            "ends": judged.table.ends and list(judged.table.ends),
            "unknown": judged.unknown,
        }

    def to_json(self) -> str:
        """`to_dict` as text."""
        return json_text(self.to_dict())


def told_scores(block_score: int, settled: Settled | RoundTrace) -> dict[str, int]:
    """What the published ways to score award, and the variant's own."""
    own = BlockScore(block_score).name.lower()
    return {name: settled.scores[name] for name in dict.fromkeys((*PUBLISHED_SCORES, own))}


def judge(transcript: Transcript) -> Report:
    r"""Judge a transcript, move by move.

    Args:
        transcript: as it was read; see `simdom.transcripts.reading` and
            `simdom.transcripts.round_document`.

    >>> from simdom.transcripts.reading import parse_transcript
    >>> text = "simdom-transcript 1\nvariant pagat-block\n0: 6-6\n1: 5-4 on 6\n"
    >>> judge(parse_transcript(text)).problems[0].message
    '5-4 has no 6'
    """
    target = _find_target(transcript)
    match = _begin_match(transcript, target)
    problems: list[Problem] = []
    rounds: list[JudgedRound] = []
    for number, written in enumerate(transcript.rounds):
        if match.winner is not None:
            over = f"the match is over: side {match.winner} has won it"
            problems.append(Problem(written.line, number, None, "over", over, []))
        leaders, by_rule = leaders_of(transcript, number, rounds)
        judged = judge_round(transcript, number, leaders, by_rule=by_rule)
        problems += _check_leader(transcript, number, leaders if rounds else None)
        problems += judged.problems
        settled = judged.settled
        won = None if judged.winner == -1 else judged.winner
        match.count(won, settled.gained if settled and judged.end else None)
        problems += _check_score(written, number, match)
        rounds.append(judged)
    return Report(transcript, problems, rounds, match.points, target, match.winner)


def _find_target(transcript: Transcript) -> int | None:
    """The points that win the match; None where the rounds are those of none."""
    if transcript.rounds[0].number is None:
        return None
    if transcript.target is not None or transcript.variant == NO_VARIANT:
        return transcript.target
    return load_variant(transcript.variant).target(transcript.rules.players)


def _begin_match(transcript: Transcript, target: int | None) -> MatchScore:
    played = (transcript.rounds[0].number or 1) - 1
    points = None if played else [0] * transcript.rules.sides
    if transcript.score is not None:
        points = list(transcript.score.points)
    return MatchScore(transcript.rules, target, points, played)


def leaders_of(
    transcript: Transcript, number: int, before: list[JudgedRound]
) -> tuple[list[int] | None, bool]:
    """Which seats may lead a round, None for all; and whether the opening rule holds.

    ``before`` are the rounds before this one, judged.
    """
    rules, written = transcript.rules, transcript.rounds[number]
    if before:
        last = before[-1]
        if last.winner is None or last.table.opener is None:
            return None, _always_afresh(transcript)  # who won is not known
        won = None if last.winner == -1 else last.winner
        pips = last.settled and last.settled.pips
        leaders = next_leaders(rules, won, last.table.opener, pips)
        return leaders, leaders is None
    if written.leader is not None:
        return [written.leader], False
    is_first = written.number in (None, 1)
    return None, is_first or _always_afresh(transcript)


def _always_afresh(transcript: Transcript) -> bool:
    rules = transcript.rules
    return rules.later_lead == LaterLead.AFRESH and rules.tie_lead == TieLead.AFRESH


def _check_leader(transcript: Transcript, number: int, leaders: list[int] | None) -> list[Problem]:
    """What is wrong with who is said to lead a round, if it is known who does."""
    written = transcript.rounds[number]
    if written.leader is None or leaders is None or written.leader in leaders:
        return []
    names = " or ".join(map(transcript.name_of, leaders))
    allowed = [f"leader {seat}" for seat in leaders]
    return [Problem(written.line, number, None, "leader", f"{names} leads this round", allowed)]


def _check_score(written: WrittenRound, number: int, match: MatchScore) -> list[Problem]:
    """What is wrong with the score that is written; where none was known, it is taken."""
    if written.score is None:
        return []
    if match.points is None:
        match.set(written.score.points)
        return []
    if list(written.score.points) == match.points:
        return []
    right = " ".join(map(str, match.points))
    said = " ".join(map(str, written.score.points))
    message = f"the match stands at {right}, by side, not at {said}"
    return [Problem(written.score.line, number, None, "score", message, [f"score: {right}"])]
