"""From the engine to a transcript: one round of a run, or the rounds of a match."""

import numpy as np

from simdom.engine.kernels import Study, Trace, record_round
from simdom.engine.matches import ROUND_INDICES
from simdom.engine.playout import BY_RULE
from simdom.engine.streams import CHOICE, U64, draw_below, fraction_of, stream_key, word_at
from simdom.rounds import tell_round
from simdom.rules import LaterLead, Rules
from simdom.transcripts.match_score import MatchScore, next_leaders
from simdom.transcripts.referee import told_scores
from simdom.transcripts.transcript import (
    NO_VARIANT,
    Ending,
    Transcript,
    WrittenRound,
    WrittenScore,
    WrittenTurn,
)
from simdom.variants import variant_names

__all__ = [
    "MOST_TOLD",
    "draw_leader",
    "known_variant",
    "transcribe",
    "transcribe_match",
    "write_down",
]

MOST_TOLD = 1_000
"""Rounds of a match that are written down; longer ones are cut off there."""


def known_variant(name: str) -> str:
    """What a transcript calls a variant: a preset's name, or `NO_VARIANT` for one of one's own."""
    return name if name in variant_names() else NO_VARIANT


def transcribe(
    variant: str, study: Study, index: int, leader: int | None = None
) -> tuple[Transcript, int]:
    """Round ``index`` of a run, played again and written down.

    Args:
        variant: name of it.
        study: what is played.
        index: of the round, from 0.
        leader: the seat that leads any tile, whatever the opening rule says; None for that rule.

    Returns:
        (a transcript of one round, deals that were thrown in before it).

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    trace = record_round(study, index, BY_RULE if leader is None else leader)
    written = write_down(study.rules, trace, leader=leader)
    return Transcript(known_variant(variant), study.rules, (written,)), trace.outcome.redeals


def transcribe_match(variant: str, study: Study, target: int, number: int) -> Transcript:
    """Match ``number`` of a run of matches, its rounds with the score after each.

    Args:
        variant: name of it.
        study: what is played.
        target: points that win the match.
        number: of the match, from 0.

    Raises:
        StrategyError: a strategy that is a function gave no placement.
    """
    rules = study.rules
    match = MatchScore(rules, target, [0] * rules.sides)
    leader: int | None = None
    rounds: list[WrittenRound] = []
    while match.winner is None and len(rounds) < MOST_TOLD:
        index = number * ROUND_INDICES + len(rounds)
        trace = record_round(study, index, BY_RULE if leader is None else leader)
        winner = None if trace.outcome.winner < 0 else trace.outcome.winner
        match.count(winner, trace.gained.tolist())
        score = WrittenScore(tuple(match.points or ()))
        rounds.append(write_down(rules, trace, leader=leader, number=len(rounds) + 1, score=score))
        leaders = next_leaders(rules, winner, trace.outcome.opener, trace.pips.tolist())
        leader = None if leaders is None else draw_leader(leaders, rules, study.seed, index + 1)
    return Transcript(known_variant(variant), rules, tuple(rounds), target=target)


def draw_leader(leaders: list[int], rules: Rules, seed: int, index: int) -> int:
    """The one of these seats that leads round ``index``, as `simdom.engine.matches` draws it."""
    if rules.later_lead != LaterLead.WINNING_TEAM or len(leaders) == 1:
        return leaders[0]
    # What compiled code returns to Python is a plain int, too large for its own next argument.
    with np.errstate(over="ignore"):
        key = U64(stream_key(U64(seed), CHOICE, U64(index)))
        fraction = U64(fraction_of(U64(word_at(key, U64(0)))))
        return sorted(leaders)[int(draw_below(fraction, U64(2)))]


def write_down(
    rules: Rules,
    trace: Trace,
    *,
    leader: int | None,
    number: int | None = None,
    score: WrittenScore | None = None,
) -> WrittenRound:
    """A round that the engine has recorded, as a transcript has it.

    Args:
        rules: of it.
        trace: of it.
        leader: the seat that led any tile, whatever the opening rule says; None for that rule.
        number: of the round in its match, from 1; None if there is no match.
        score: of the match after it; None if there is no match.
    """
    told = tell_round(rules, trace)
    turns = (
        WrittenTurn(
            turn.seat,
            tuple(turn.draws),
            tile=turn.tile,
            on=turn.number,
            ends=None if turn.tile is None else turn.ends,
        )
        for turn in told.turns
    )
    ending = Ending(
        told.end,
        winner=trace.outcome.winner,
        points=told.points,
        pips=tuple(told.pips),
        scores=told_scores(rules.block_score, told),
    )
    return WrittenRound(
        hands=tuple(map(tuple, told.hands)),
        boneyard=tuple(told.boneyard) or None,
        turns=tuple(turns),
        ending=ending,
        number=number,
        leader=leader,
        score=score,
    )
