"""A transcript from a file or from standard input, in either of its two forms."""

import stat
import sys
from pathlib import Path

from simdom.errors import UsageError
from simdom.presets import naming
from simdom.transcripts.choice import Choice
from simdom.transcripts.reading import parse_transcript
from simdom.transcripts.round_document import parse_round
from simdom.transcripts.transcript import Transcript

__all__ = ["LARGEST", "STANDARD_INPUT", "load_transcript", "parse_content"]

LARGEST = 10_000_000
"""Bytes of a transcript; a match of a hundred rounds takes some 80,000."""

STANDARD_INPUT = "-"
"""What names standard input instead of a file."""


def load_transcript(path: str | Path, choice: Choice | None = None) -> Transcript:
    """The transcript in a file.

    Args:
        path: of the file; "-" for standard input. Either of the two forms.
        choice: rules to judge by instead of its own.

    Raises:
        UsageError: the file cannot be read, or is larger than `LARGEST`; as `parse_content`. The
            message names the file, and in a text the line.
    """
    with naming("standard input" if str(path) == STANDARD_INPUT else str(path)):
        return parse_content(_read(path), choice)


def parse_content(content: bytes, choice: Choice | None = None) -> Transcript:
    """The transcript that some bytes are: a JSON document if they begin with a brace, else lines.

    Raises:
        UsageError: there are more than `LARGEST`; they are not UTF-8; as `parse_transcript` and
            `parse_round`.
    """
    if len(content) > LARGEST:
        line = content.count(b"\n", 0, LARGEST) + 1
        raise UsageError(f"line {line}: a transcript has at most {LARGEST:,} bytes, this one more")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = content[error.start]
        raise UsageError(f"line {line}: is not UTF-8 text: byte 0x{byte:02X}") from None
    if text.removeprefix("\ufeff").lstrip().startswith("{"):
        return parse_round(text.removeprefix("\ufeff"), choice)
    return parse_transcript(text, choice)


def _read(path: str | Path) -> bytes:
    """At most one byte more than `LARGEST`.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        if str(path) == STANDARD_INPUT:
            return sys.stdin.buffer.read(LARGEST + 1)
        with Path(path).open("rb") as file:
            mode = Path(path).stat().st_mode
            if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
                raise UsageError("is a device, not a file")
            return file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the path
        raise UsageError(f"cannot be read: {error}") from None
