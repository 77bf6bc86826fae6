"""Files in which play is kept: a document with a checksum, written anew after every choice.

The checksum is no secret. It keeps accidents and idle edits out, not whoever is set on cheating
themselves. Two programs that keep the same file at once do not overwrite each other: the one that
finds it changed stops.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from pydantic import Field

from simdom.errors import RunError, UsageError, brief
from simdom.files import create_file, read_regular, write_file
from simdom.formats import json_text
from simdom.playing.asking import Placement, Seats
from simdom.presets import Document, shown
from simdom.rules import RULES_VERSION, Rules
from simdom.strategies import Strategy, strategy_from_dict
from simdom.transcripts.phrases import parse_acts

__all__ = [
    "Described",
    "Kept",
    "check_rules_version",
    "describe",
    "describe_seats",
    "parse_choices",
    "read_sealed",
    "seal",
    "seats_from",
    "unseal",
]

LARGEST = 10_000_000
"""Bytes of a file; a match of a hundred rounds takes some 20,000."""


class Described(Document):
    """A strategy as it was when play began."""

    name: str = Field(description="text")
    weights: dict[str, float] = Field(description="a number")
    temperature: float = Field(description="a number")
    ties: str = Field(description="text")
    samples: int = Field(default=0, description="a whole number")
    aim: str = Field(default="points", description="text")

    def strategy(self) -> Strategy:
        """The strategy.

        Raises:
            UsageError: there can be none like that.
        """
        described = "As it was when play began."
        return strategy_from_dict(self.name, self.model_dump(exclude={"name"}), described)


def describe(strategy: Strategy) -> dict[str, Any]:
    """A strategy as `Described` reads it.

    Raises:
        UsageError: it is a Python function, which cannot be kept.
    """
    if strategy.hook is not None:
        raise UsageError(f"{strategy.name} is a Python function, which cannot be kept in a file")
    return {"name": strategy.name, **strategy.content}


def describe_seats(seats: Seats) -> list[dict[str, Any] | None]:
    """All seats, as `seats_from` reads them."""
    return [None if seat is None else describe(seat) for seat in seats]


def seats_from(described: Sequence[Described | None], rules: Rules) -> Seats:
    """The seats of a table.

    Raises:
        UsageError: there are too many or too few, or not one person; a strategy that cannot be.
    """
    seats = tuple(None if seat is None else seat.strategy() for seat in described)
    if len(seats) != rules.players or seats.count(None) != 1:
        raise UsageError(f"seats must be {rules.players}, one of them the person's")
    return seats


def parse_choices(rules: Rules, choices: Sequence[str]) -> list[Placement]:
    """Choices as they are kept, such as ``6-4 on 4``.

    Raises:
        UsageError: one is no placement.
    """
    placements = []
    for number, text in enumerate(choices, 1):
        try:
            turn = parse_acts(rules, text)
        except UsageError as error:
            raise UsageError(f"choice {number}: {error}") from None
        if turn.tile is None or turn.draws:
            raise UsageError(f"choice {number} is {shown(text)}, which is no placement")
        placements.append(Placement(turn.tile, turn.on))
    return placements


def check_rules_version(version: int) -> None:
    """Return if this simdom plays the same rounds.

    Raises:
        UsageError: it does not.
    """
    if version != RULES_VERSION:
        raise UsageError(
            f"was played by rules version {version}, and this simdom plays version {RULES_VERSION}"
        )


def seal(schema: str, document: Mapping[str, Any]) -> bytes:
    """A document as it is kept, with its schema and its checksum."""
    whole = {"schema": schema, **document}
    return json_text({**whole, "checksum": _checksum(whole)}).encode()


def unseal(schema: str, content: bytes) -> dict[str, Any]:
    """What `seal` was given.

    Raises:
        UsageError: it is another document, or has been changed since.
    """
    try:
        document = json.loads(content, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise UsageError("is no JSON document") from None
    if not isinstance(document, dict) or document.get("schema") != schema:
        found = document.get("schema") if isinstance(document, dict) else None
        raise UsageError(f"is no document of {schema}, but of {brief(found)}")
    checksum = document.pop("checksum", None)
    if checksum != _checksum(document):
        raise UsageError("has been changed: its checksum does not fit")
    del document["schema"]
    return document


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _checksum(document: Mapping[str, Any]) -> str:
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def read_sealed(path: Path) -> bytes:
    """What a file holds.

    Raises:
        FileNotFoundError: there is none.
        UsageError: it cannot be read, or is larger than `LARGEST`.
    """
    try:
        content = read_regular(path)
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:  # a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot be read: {reason}") from None
    if len(content) > LARGEST:
        raise UsageError(f"has more than {LARGEST:,} bytes")
    return content


class Kept:
    """A file that play is kept in, by this program alone."""

    def __init__(self, path: Path, content: bytes | None) -> None:
        """The file as it was read; None if there is none yet."""
        self.path = path
        self._content = content

    def write(self, content: bytes) -> None:
        """Write the whole of it.

        Raises:
            RunError: it cannot be written; it is not as this program left it.
        """
        if self._content is None:
            is_own = create_file(self.path, content)
        else:
            with _locking(self.path.absolute().parent):
                is_own = self._is_unchanged()
                if is_own:
                    write_file(self.path, content)
        if not is_own:
            raise RunError(
                f"{self.path} is kept by another simdom at the same time: nothing was written over"
            )
        self._content = content

    def _is_unchanged(self) -> bool:
        try:
            return self.path.read_bytes() == self._content
        except OSError as error:
            raise RunError(f"{self.path} cannot be read: {error.strerror or error}") from error


@contextmanager
def _locking(folder: Path) -> Iterator[None]:
    """Let no other program look at a file in the folder and then write it at the same time.

    Where the file system has no locks, or the folder is gone, the block runs without.
    """
    with ExitStack() as stack:
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)  # which ends the lock
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
