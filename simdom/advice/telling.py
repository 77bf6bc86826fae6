"""How a position is told: to people in a line or two, to programs as plain values."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from simdom.advice.standing import Standing
from simdom.exact.text import format_decimal
from simdom.rules import rules_to_dict
from simdom.tiles import tile_name
from simdom.transcripts.transcript import NO_VARIANT, name_tiles
from simdom.transcripts.writing import changed_toggles

__all__ = [
    "Told",
    "describe_standing",
    "ends_in_words",
    "percent",
    "plain_chance",
    "position_in_words",
    "rules_in_words",
    "rules_of",
    "sentence",
]


class Told(NamedTuple):
    """What a person reads: a table with its heading and notes.

    Attributes:
        heading: one line.
        lead: a paragraph under it; may be empty.
        columns: the headings of the table's columns.
        rows: as many cells as there are columns.
        notes: lists with their headings.
    """

    heading: str
    lead: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    notes: list[tuple[str, list[str]]]


def rules_in_words(standing: Standing) -> str:
    """Such as ``pagat-draw (reserve=0), 2 players``."""
    transcript = standing.transcript
    changes = changed_toggles(transcript.variant, transcript.rules)
    named = "default rules" if transcript.variant == NO_VARIANT else transcript.variant
    changed = ", ".join(f"{name}={value}" for name, value in changes.items())
    players = transcript.rules.players
    return f"{named}{f' ({changed})' if changed else ''}, {players} players"


def position_in_words(standing: Standing) -> str:
    """Open ends, own hand, sizes of the other hands, boneyard."""
    table, seat = standing.table, standing.seat
    place = f"Turn {len(standing.turns) + 1}. "
    if standing.transcript.rounds[0].number is not None:
        place = f"Round {standing.transcript.rounds[0].number}, turn {len(standing.turns) + 1}. "
    line = "Nobody has led yet." if table.ends is None else f"Open: {ends_in_words(table.ends)}."
    hand = f"{sentence(standing.name(seat))} holds {name_tiles(standing.hand)}."
    others = ", ".join(f"{standing.name(one)} {table.held[one]}" for one in standing.others)
    parts = [place + line, hand, f"Tiles of the others: {others}."]
    if table.boneyard:
        drawable = f"{table.drawable} may be drawn" if table.drawable > 0 else "none may be drawn"
        parts.append(f"Boneyard: {table.boneyard}, of which {drawable}.")
    if standing.assumes:
        parts.append(f"Assumed: {standing.assumes}.")
    return " ".join(parts)


def sentence(text: str) -> str:
    """The text with a capital letter."""
    return text[:1].upper() + text[1:]


def ends_in_words(ends: Iterable[int], between: str = "and") -> str:
    """Such as ``6 and 4``."""
    return f" {between} ".join(map(str, dict.fromkeys(ends)))


def rules_of(standing: Standing) -> dict[str, Any]:
    """The variant and the rules, as a document has them."""
    transcript = standing.transcript
    names = {"names": list(transcript.names)} if any(transcript.names) else {}
    return {"variant": transcript.variant, "rules": rules_to_dict(transcript.rules), **names}


def describe_standing(standing: Standing) -> dict[str, Any]:
    """The position as plain values; turns are from 1."""
    table = standing.table
    return {
        "round": standing.transcript.rounds[0].number,
        "turn": len(standing.turns) + 1,
        "to_move": standing.to_move,
        "ends": None if table.ends is None else list(table.ends),
        "hand": [tile_name(tile) for tile in standing.hand],
        "held": list(table.held),
        "boneyard": table.boneyard,
        "drawable": max(table.drawable, 0),
        "assumes": standing.assumes or None,
    }


def percent(chance: Fraction) -> str:
    """A chance in percent, to four digits.

    >>> percent(Fraction(1, 3)), percent(Fraction(1)), percent(Fraction(0))
    ('33.33%', '100%', '0%')
    """
    return f"{format_decimal(100 * chance, 4)}%"


def plain_chance(chance: Fraction) -> dict[str, Any]:
    """A chance as a fraction in text, and as the nearest float."""
    return {"fraction": str(chance), "value": float(chance)}
