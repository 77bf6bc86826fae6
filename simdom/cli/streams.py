"""Standard output and standard error where they are closed, full, or of another encoding."""

import errno
import io
import os
import sys
import textwrap
from contextlib import suppress
from typing import TextIO

__all__ = ["abandon", "output_failure", "prepare_streams", "say", "say_wrapped"]

_CANNOT_WRITE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


def prepare_streams() -> None:
    """Let a stream that the caller closed, or whose encoding is poor, stop nothing."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # better a "?" than no figures


def say(line: str) -> None:
    """Write a line to standard error; if that takes none, it is lost, and nothing else is."""
    line = "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in line)
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        abandon(sys.stderr)


def say_wrapped(text: str, command: str = "") -> None:
    """As `say`, but broken at words where standard error is a terminal too narrow for it.

    A command that the text ends with is never broken, so that it can be pasted: where it does not
    fit it has a line of its own.
    """
    line = f"{text} {command}" if command else text
    columns = _columns_of_stderr()
    if not columns or len(line) <= columns:
        say(line)
        return
    for part in textwrap.wrap(text, columns, break_long_words=False, break_on_hyphens=False):
        say(part)
    if command:
        say(command)


def _columns_of_stderr() -> int:
    """The width of the terminal that standard error is; 0 if it is none, or does not tell."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns if sys.stderr.isatty() else 0
    except (OSError, ValueError):  # no file behind it
        return 0


def abandon(stream: TextIO) -> None:
    """Let what a stream still holds go nowhere: Python would complain of it at its own end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError):  # no file behind it
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def output_failure(error: Exception) -> str | None:
    """Why standard output takes no more; None if that is not what the error is about."""
    if isinstance(error, OSError) and error.filename is None and error.errno in _CANNOT_WRITE:
        return f"the output cannot be written: {error.strerror}"
    return None
