"""A transcript as text: the form that ``docs/transcripts.md`` describes."""

from collections.abc import Iterator

from simdom.rules import Rules, rules_to_dict
from simdom.transcripts.transcript import (
    NO_VARIANT,
    Ending,
    Transcript,
    WrittenRound,
    name_tiles,
)
from simdom.variants import load_variant

__all__ = ["FIRST_LINE", "changed_toggles", "write_transcript"]

FIRST_LINE = "simdom-transcript 1"
"""What a transcript begins with: the format, and its version."""


def write_transcript(transcript: Transcript) -> str:
    """The text of a transcript; `simdom.transcripts.reading.parse_transcript` reads it back."""
    return "\n".join(_lines(transcript)) + "\n"


def changed_toggles(variant: str, rules: Rules) -> dict[str, int | str]:
    """What ``set`` lines must say so that a preset's rules become these; players are apart."""
    if variant == NO_VARIANT:
        before = rules_to_dict(Rules())
        return {
            name: value
            for name, value in rules_to_dict(rules).items()
            if value != before[name] and name != "players"
        }
    preset = load_variant(variant)
    is_own_count = rules.players in preset.players
    needed = {} if is_own_count else {"deal": rules.deal}
    # A preset with other rules for the same toggles may not be playable before all are changed.
    like = rules_to_dict(preset.rules(rules.players if is_own_count else None))
    return needed | {
        name: value
        for name, value in rules_to_dict(rules).items()
        if value != like[name] and name != "players"
    }


def _lines(transcript: Transcript) -> Iterator[str]:
    yield FIRST_LINE
    yield f"variant {transcript.variant}"
    for name, value in changed_toggles(transcript.variant, transcript.rules).items():
        yield f"set {name}={value}"
    yield f"players {transcript.rules.players}"
    if transcript.target is not None:
        yield f"target {transcript.target}"
    for seat, called in enumerate(transcript.names):
        if called is not None:
            yield f"name {seat}: {called}"
    if transcript.score is not None:
        yield _score(transcript.score.points)
    for each in transcript.rounds:
        yield from _round_lines(each)


def _round_lines(each: WrittenRound) -> Iterator[str]:
    if each.number is not None:
        yield f"round {each.number}"
    if each.leader is not None:
        yield f"leader {each.leader}"
    for seat, hand in enumerate(each.hands):
        if hand is not None:
            yield f"hand {seat}: {name_tiles(hand)}"
    if each.boneyard:
        yield f"boneyard: {name_tiles(each.boneyard)}"
    yield from map(str, each.turns)
    if each.ending is not None:
        yield _ending(each.ending)
    if each.score is not None:
        yield _score(each.score.points)


def _ending(ending: Ending) -> str:
    parts = [ending.end]
    if ending.winner is not None:
        parts.append(f"winner {'none' if ending.winner < 0 else ending.winner}")
    if ending.points is not None:
        parts.append(f"points {ending.points}")
    return f"end: {'; '.join(parts)}"


def _score(points: tuple[int, ...]) -> str:
    return f"score: {' '.join(map(str, points))}"
