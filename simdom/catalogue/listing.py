"""What a folder of results holds, folders in it included."""

import math
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from simdom.catalogue.documents import Saved, read_saved
from simdom.catalogue.more_shapes import CheckpointShape
from simdom.catalogue.records import SUFFIX, read_records
from simdom.catalogue.shapes import plural
from simdom.errors import SimdomError, UsageError
from simdom.results import FILES, RESULT_FILE

__all__ = [
    "CHECKPOINT_FILE",
    "DEFAULT_FOLDER",
    "TALLY_FILE",
    "Entry",
    "entries_in",
    "entry_of",
    "list_results",
]

DEFAULT_FOLDER = "results"
"""Where results are looked for, unless a folder is named."""

TALLY_FILE, CHECKPOINT_FILE = "tally.json", "checkpoint.json"
"""Exact sums beside a result, and those of a run that is not finished."""

_OF_A_RESULT = (*FILES, TALLY_FILE, CHECKPOINT_FILE)


class Entry(NamedTuple):
    """A document in a folder, a file of rounds, or what could not be read.

    Attributes:
        path: from the folder that was listed; that of its own folder for a saved result. What is
            not UTF-8 in it is written in hexadecimal.
        file: the file itself.
        saved: what it says; None if it cannot be read.
        problem: why it cannot be read, in a line; else empty.
        note: what else to know, such as that a run is not finished.
        modified: the time of the file: when it was written, or copied here.
        size: bytes; of a saved result, of all that belongs to it.
    """

    path: str
    file: Path
    saved: Saved | None
    problem: str
    note: str
    modified: datetime | None
    size: int | None

    @property
    def kind(self) -> str:
        """The command that wrote it; "unreadable" for what cannot be read."""
        return "unreadable" if self.saved is None else self.saved.kind

    def to_dict(self) -> dict[str, Any]:
        """The entry as plain values; figures are in words."""
        plain: dict[str, Any] = {"path": self.path, "kind": self.kind}
        if self.saved is not None:
            shape = self.saved.shape
            trials, unit = shape.trials
            plain |= {
                "schema": self.saved.schema or None,
                "variant": shape.subject(),
                "changes": shape.changed(),
                "play": shape.play(),
                "seed": shape.seed,
                "trials": trials,
                "unit": unit,
                "asked": shape.asked_for,
                "confidence": shape.confidence,
                "figures": list(self.saved.gist),
                "simdom": shape.simdom,
                "rules_version": shape.rules_version,
            }
        when = None if self.modified is None else self.modified.isoformat(timespec="seconds")
        return plain | {
            "file_time": when,
            "bytes": self.size,
            "note": self.note,
            "problem": self.problem,
        }


def list_results(folder: str | Path = DEFAULT_FOLDER) -> list[Entry]:
    """Every document of simdom in a folder and the folders in it, in the order of their paths.

    JSON and Parquet files are looked at. What is damaged, or not of simdom, is an entry too, with
    the reason. Links to folders are not followed, so there is no way round in a circle; hidden
    files and folders are passed over.

    Args:
        folder: to look in.

    Raises:
        UsageError: there is no such folder; it is a file; it cannot be looked into.

    >>> [entry.kind for entry in list_results("results")]  # doctest: +SKIP
    ['run', 'compare']
    """
    root = Path(folder)
    try:
        is_folder = stat.S_ISDIR(root.stat().st_mode)
        if is_folder:
            os.scandir(root).close()
    except FileNotFoundError:
        raise UsageError(f"{folder} is not there: name a folder of results") from None
    except OSError as error:
        raise UsageError(f"{folder} cannot be looked into: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the path
        raise UsageError(f"{str(folder)!r} cannot be looked into: {error}") from None
    if not is_folder:
        raise UsageError(
            f"{folder} is a file: name its folder, or read it by `simdom results show`"
        )
    return sorted(_walk(root), key=lambda entry: entry.path.split("/"))


def entry_of(file: Path) -> Entry:
    """The entry of one file, by its own path."""
    return _entry(Path(), file, {file.name})


def entries_in(folder: Path) -> list[Entry]:
    """The entries of a folder itself, without those of folders in it."""
    entries, _ = _look(folder, folder)
    return sorted(entries, key=lambda entry: entry.path)


def _walk(root: Path) -> Iterator[Entry]:
    folders = [root]
    while folders:
        entries, more = _look(root, folders.pop())
        yield from entries
        folders += more


def _look(root: Path, folder: Path) -> tuple[list[Entry], list[Path]]:
    """The entries of a folder, and the folders in it."""
    try:
        with os.scandir(folder) as opened:
            found = [entry for entry in opened if not entry.name.startswith(".")]
    except OSError as error:
        why = f"cannot be looked into: {error.strerror or error}"
        return [_unreadable(root, folder, why)], []
    names = {entry.name for entry in found}
    entries, folders = [], []
    for entry in found:
        path = folder / entry.name
        if entry.is_dir(follow_symlinks=False):
            folders.append(path)
        elif path.is_dir():
            why = "is a link to a folder: list that one by itself"
            entries.append(_unreadable(root, path, why))
        elif entry.name.endswith((".json", SUFFIX)) and not _belongs(entry.name, names):
            entries.append(_entry(root, path, names))
    return entries, folders


def _belongs(name: str, names: set[str]) -> bool:
    """Whether a file is part of a saved result beside it."""
    if name == TALLY_FILE:
        return RESULT_FILE in names or CHECKPOINT_FILE in names
    return name == CHECKPOINT_FILE and RESULT_FILE in names


def _entry(root: Path, file: Path, names: set[str]) -> Entry:
    """The entry of a file; ``names`` are those of all files beside it."""
    is_own = file.name in (RESULT_FILE, CHECKPOINT_FILE)
    path = file.parent if is_own and root.parts else file
    try:
        saved = read_records(file) if file.name.endswith(SUFFIX) else read_saved(file)
    except SimdomError as error:
        return _unreadable(root, file, str(error))
    parts = [file.parent / name for name in _OF_A_RESULT if name in names] if is_own else [file]
    modified, _ = _facts(file)
    return Entry(
        path=_shown(root, path),
        file=file,
        saved=saved,
        problem="",
        note=_note(saved, file, is_unfinished=is_own and CHECKPOINT_FILE in names),
        modified=modified,
        size=sum(_facts(part)[1] or 0 for part in parts),
    )


def _note(saved: Saved, file: Path, *, is_unfinished: bool) -> str:
    shape = saved.shape
    played, unit = shape.trials
    done = f"{played or 0:,}"
    if isinstance(shape, CheckpointShape) and file.name != CHECKPOINT_FILE:
        return f"exact sums of {plural(shape.done, unit)}, without the result"
    asked = "" if shape.asked_for is None else f" of {plural(shape.asked_for, unit)}"
    if is_unfinished:
        told = f": {done}{asked}" if asked else ""
        return f"unfinished{told}; `simdom resume {file.parent}` goes on"
    if asked:
        return f"interrupted: {done}{asked}"
    return "interrupted" if shape.partial else ""


def _unreadable(root: Path, path: Path, problem: str) -> Entry:
    modified, size = _facts(path)
    return Entry(_shown(root, path), path, None, problem, "", modified, size)


def _facts(path: Path) -> tuple[datetime | None, int | None]:
    """When a file was written, and its bytes; None of a folder, or of what is not there."""
    try:
        found = path.stat()
    except OSError:
        return None, None
    time = found.st_mtime
    is_file = stat.S_ISREG(found.st_mode)
    return _date_of(time), found.st_size if is_file else None


def _date_of(time: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(math.floor(time), UTC)
    except (OverflowError, ValueError, OSError):  # a clock that was set wrongly
        return None


def _shown(root: Path, path: Path) -> str:
    """A path from the root, as text that can be written anywhere."""
    relative = (path.relative_to(root) if root.parts else path).as_posix()
    return os.fsencode(relative).decode("utf-8", "backslashreplace")
