"""What a folder of results holds, folders in it included."""

import math
import os
import shlex
import stat
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from simdom.catalogue.documents import Saved, read_saved
from simdom.catalogue.more_shapes import CheckpointShape
from simdom.catalogue.records import SUFFIX, read_records
from simdom.catalogue.shapes import plural
from simdom.errors import SimdomError, UsageError
from simdom.running.checkpoint import read_checkpoint
from simdom.running.folder import CHECKPOINT_FILE, RESULT_FILE, RUN_FILES, TALLY_FILE

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


SUMS = "sums"
"""The kind of a file of exact sums, from which results are merged and runs extended."""


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
                "first": None if trials is None else shape.begin,
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
    """The entry of one file, by its own path.

    Raises:
        UsageError: it holds figures that simdom exported, and is no document.
    """
    try:
        beside = {each.name for each in os.scandir(file.parent)}
    except OSError:  # it may be read all the same
        beside = {file.name}
    entry = _entry(None, file, beside)
    if entry is None:
        raise UsageError(f"{file} is a table of figures: read it with pandas.read_parquet")
    return entry


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
            entries += filter(None, [_entry(root, path, names)])
    return entries, folders


def _belongs(name: str, names: set[str]) -> bool:
    """Whether a file is part of a saved result beside it."""
    if name == TALLY_FILE:
        return RESULT_FILE in names or CHECKPOINT_FILE in names
    return name == CHECKPOINT_FILE and RESULT_FILE in names


def _entry(root: Path | None, file: Path, names: set[str]) -> Entry | None:
    """The entry of a file; None of a table of figures.

    Args:
        root: the folder that is listed; None for a file by itself.
        file: to read.
        names: those of all files beside it.
    """
    is_own = file.name in (RESULT_FILE, CHECKPOINT_FILE)
    path = file if root is None or not is_own else file.parent
    try:
        saved = _read(file)
    except SimdomError as error:
        return _unreadable(root, file, str(error))
    if saved is None:
        return None
    parts = [file.parent / name for name in RUN_FILES if name in names] if is_own else [file]
    modified, _ = _facts(file)
    return Entry(
        path=_shown(root, path),
        file=file,
        saved=saved,
        problem="",
        note=_note(saved, file, names),
        modified=modified,
        size=sum(_facts(part)[1] or 0 for part in parts),
    )


def _read(file: Path) -> Saved | None:
    """What a file says; None of a table of figures.

    Raises:
        SimdomError: as `read_records` and `read_saved`; a checkpoint is not as it was written. The
            line does not name the file.
    """
    if file.name.endswith(SUFFIX):
        return read_records(file)
    if file.name == CHECKPOINT_FILE:
        problem = _damage(file)
        if problem:
            raise UsageError(problem)
    saved = read_saved(file)
    if isinstance(saved.shape, CheckpointShape) and file.name != CHECKPOINT_FILE:
        return replace(saved, kind=SUMS)
    return saved


def _damage(checkpoint: Path) -> str:
    """Why no run goes on from a checkpoint, as `simdom resume` says it; empty if one does."""
    try:
        read_checkpoint(checkpoint)
    except UsageError as error:
        return str(error).removeprefix(f"{checkpoint} ")
    return ""


def _note(saved: Saved, file: Path, names: set[str]) -> str:
    shape = saved.shape
    played, unit = shape.trials
    done = f"{played or 0:,}"
    asked = "" if shape.asked_for is None else f" of {plural(shape.asked_for, unit)}"
    if saved.kind == SUMS:
        whole = f"{done}{asked}" if asked else plural(played or 0, unit)
        beside = next((name for name in (RESULT_FILE, CHECKPOINT_FILE) if name in names), None)
        return f"exact sums of {whole}, {f'beside {beside}' if beside else 'without the result'}"
    if file.name in (RESULT_FILE, CHECKPOINT_FILE) and CHECKPOINT_FILE in names:
        told = f": {done}{asked}" if asked else ""
        problem = _damage(file.parent / CHECKPOINT_FILE)
        if problem:
            return f"unfinished{told}, and cannot go on: {CHECKPOINT_FILE} {problem}"
        return f"unfinished{told}; `simdom resume {shlex.quote(str(file.parent))}` goes on"
    if asked:
        return f"interrupted: {done}{asked}"
    return "interrupted" if shape.partial else ""


def _unreadable(root: Path | None, path: Path, problem: str) -> Entry:
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


def _shown(root: Path | None, path: Path) -> str:
    """A path from the root, if there is one, as text that can be written anywhere."""
    relative = (path if root is None else path.relative_to(root)).as_posix()
    return os.fsencode(relative).decode("utf-8", "backslashreplace")
