"""The phrases of a transcript: a turn, an end, a score, a list of tiles.

Each is read by one function, which raises a `UsageError` of one line for anything else.
"""

import re
from collections.abc import Iterable

from simdom.errors import UsageError, check_choice
from simdom.presets import check_printable, shown
from simdom.rules import Rules
from simdom.tiles import parse_tile, tile_name
from simdom.transcripts.transcript import (
    UNKNOWN,
    Ending,
    Tiles,
    WrittenScore,
    WrittenTurn,
)

__all__ = [
    "ENDS",
    "MOST_POINTS",
    "after_colon",
    "around_colon",
    "check_apart",
    "check_choice_of_words",
    "check_name",
    "parse_acts",
    "parse_end",
    "parse_score",
    "parse_seat",
    "parse_tile_or_unknown",
    "parse_tiles",
    "parse_whole",
]

ENDS = ("domino", "blocked")
"""How a round may end."""

MOST_POINTS = 10**9
LONGEST_NAME = 40
LONGEST_WORD = 40
_WHOLE = re.compile(r"0|[1-9]\d{0,9}", re.ASCII)
_TILE = re.compile(r"(0|[1-9]\d?)-(0|[1-9]\d?)", re.ASCII)


def parse_whole(what: str, text: str, least: int, most: int) -> int:
    """A whole number of a few digits.

    Raises:
        UsageError: it is none from ``least`` to ``most``.
    """
    if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
        raise UsageError(f"{what} must be a whole number from {least} to {most}, not {shown(text)}")
    return int(text)


def check_choice_of_words(what: str, word: str, allowed: Iterable[str]) -> str:
    """As `check_choice`, for a word of any length."""
    return check_choice(what, word if len(word) <= LONGEST_WORD else word[:LONGEST_WORD], allowed)


def parse_seat(rules: Rules, text: str) -> int:
    """A seat at the table.

    Raises:
        UsageError: it is none of its seats.
    """
    if not _WHOLE.fullmatch(text) or int(text) >= rules.players:
        raise UsageError(f"there is no seat {shown(text)}: the seats are 0 to {rules.players - 1}")
    return int(text)


def check_name(name: str) -> str:
    """Return ``name`` if a seat may be called so.

    Raises:
        UsageError: it is empty, longer than 40 characters, not printable, or would not be read
            back: it has a # or spaces at an end or two in a row.
    """
    check_printable(name)
    is_plain = name.isprintable() and "#" not in name and name == " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME or not is_plain:
        raise UsageError(
            f"a name has 1 to {LONGEST_NAME} printable characters, none of them #, "
            f"not {shown(name)}"
        )
    return name


def around_colon(text: str, form: str) -> tuple[str, str]:
    """What is before a colon and what is behind it.

    Raises:
        UsageError: there is none; ``form`` is how it should be written.
    """
    before, colon, after = text.partition(":")
    if not colon:
        raise UsageError(f"a colon is missing: write `{form}`")
    return before.strip(), after.strip()


def after_colon(text: str, form: str) -> str:
    """What is behind the colon that a text begins with.

    Raises:
        UsageError: it begins with none; ``form`` is how it should be written.
    """
    if not text.startswith(":"):
        raise UsageError(f"write `{form}`")
    return text[1:].strip()


def parse_tiles(rules: Rules, text: str, what: str, size: int) -> Tiles:
    """A list of ``size`` tiles, of which some or all may be unknown.

    Raises:
        UsageError: there are more or fewer; one is no tile of the set.
    """
    words = text.split()
    if len(words) != size:
        tiles = "tile" if len(words) == 1 else "tiles"
        raise UsageError(f"{what} has {len(words)} {tiles}, and the rules give it {size}")
    return tuple(parse_tile_or_unknown(rules, word) for word in words)


def check_apart(places: Iterable[tuple[str, Iterable[int | None]]]) -> None:
    """Return if no tile is in two places, or in one place twice.

    Args:
        places: such as "hand 0", with their tiles.

    Raises:
        UsageError: one is; the line names the places.
    """
    seen: dict[int, str] = {}
    for place, tiles in places:
        for tile in tiles:
            if tile is not None and tile in seen:
                twice = f"in {seen[tile]} and in {place}"
                raise UsageError(
                    f"{tile_name(tile)} is {f'twice in {place}' if seen[tile] == place else twice}"
                )
            if tile is not None:
                seen[tile] = place


def parse_acts(rules: Rules, text: str) -> WrittenTurn:
    """What a seat did, such as ``draw 3-1 draw ? 5-4 on 4``; as a turn of seat 0.

    Raises:
        UsageError: it is none of what a turn can be.
    """
    words = text.split()
    draws: list[int | None] = []
    while words[:1] == ["draw"]:
        if len(words) == 1:
            raise UsageError("`draw` is followed by the tile drawn, or by ?")
        draws.append(parse_tile_or_unknown(rules, words[1]))
        del words[:2]
    match words:
        case ["pass"]:
            return WrittenTurn(0, tuple(draws))
        case [tile]:
            return WrittenTurn(0, tuple(draws), _parse_known(rules, tile))
        case [tile, "on", number]:
            placed = _parse_known(rules, tile)
            on = parse_whole("the number after `on`", number, 0, rules.max_pip)
            return WrittenTurn(0, tuple(draws), placed, on)
        case _:
            raise UsageError(
                f"a turn ends with `pass`, or with a placement such as `5-4 on 4`, "
                f"not with {shown(' '.join(words))}"
            )


def parse_end(rules: Rules, text: str, line: int) -> Ending:
    """How a round ended, such as ``blocked; winner 0; points 23``.

    Raises:
        UsageError: it is none of what an end can be.
    """
    first, *parts = (part.strip() for part in text.split(";"))
    end = check_choice_of_words("end", first, ENDS)
    said: dict[str, int] = {}
    for part in parts:
        name, _, value = part.partition(" ")
        check_choice_of_words("part of an end", name, ("winner", "points"))
        if name in said:
            raise UsageError(f"{name} is written twice")
        if name == "points":
            said[name] = parse_whole(name, value, 0, MOST_POINTS)
        else:
            said[name] = -1 if value == "none" else parse_seat(rules, value)
    return Ending(end, winner=said.get("winner"), points=said.get("points"), line=line)


def parse_score(rules: Rules, text: str, line: int) -> WrittenScore:
    """The points of a match: a number for each side.

    Raises:
        UsageError: a number too many or too few; one that is none.
    """
    points = tuple(parse_whole("points", word, 0, MOST_POINTS) for word in text.split())
    sides = rules.sides
    if len(points) != sides:
        raise UsageError(f"a score has {sides} numbers, one for each side, not {len(points)}")
    return WrittenScore(points, line)


def parse_tile_or_unknown(rules: Rules, text: str) -> int | None:
    """A tile of the set; None for ``?``.

    Raises:
        UsageError: it is neither.
    """
    return None if text == UNKNOWN else _parse_known(rules, text)


def _parse_known(rules: Rules, text: str) -> int:
    if not _TILE.fullmatch(text):
        raise UsageError(f"{shown(text)} is not a tile: write two numbers and a hyphen, as in 6-4")
    return parse_tile(text, rules.max_pip)
