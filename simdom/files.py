"""Files that appear whole or not at all: written under another name, then renamed.

Whatever can be known before a long run is checked before it, by trying.
"""

import errno
import json
import os
import re
import secrets
import shutil
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from simdom.errors import RunError, UsageError

__all__ = [
    "check_file",
    "check_folder",
    "create_file",
    "flush_folder",
    "name_beside",
    "read_regular",
    "remove_parts",
    "replace_files",
    "write_file",
    "write_folder",
]

T = TypeVar("T")


def read_regular(path: Path) -> bytes:
    """What a file holds; a pipe or a device, which may have no end, is not read.

    Raises:
        OSError: as `Path.read_bytes`.
        UsageError: it is neither a file nor a folder.
    """
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # the system itself says no to a folder
        raise UsageError("is no regular file, but a pipe or a device")
    return path.read_bytes()


def check_file(path: Path) -> None:
    """Return if `write_file` can write ``path``; the folders above it need not exist.

    Raises:
        UsageError: it is a folder; what is above it is a file or cannot be written to.
    """
    with _refusing(path):
        if path.is_dir():
            raise UsageError(f"{path} is a folder: name a file")
        _check_above(path, path.absolute())


def check_folder(
    folder: Path, names: Collection[str], *, schema: str = "simdom.", overwrite: bool = False
) -> None:
    """Return if `write_folder` can make ``folder``.

    Args:
        folder: may be empty, or may not exist yet, and neither may the folders above it.
        names: all files that belong in it. A folder that holds anything else is left alone.
        schema: how the schema of a JSON document in it begins. A folder without such a document
            is somebody else's, whatever the names in it, and is left alone.
        overwrite: whether such files that are there already may be replaced.

    Raises:
        UsageError: it is a file; it holds files; it is the current folder or a disk of its own,
            which cannot be renamed; the folder above it cannot be written to.
    """
    with _refusing(folder):
        real = Path(os.path.realpath(folder))
        if real.is_dir():
            _check_own(folder, real, names, schema)
            if not overwrite and _entries(real, names):
                raise UsageError(
                    f"{folder} already holds a result: "
                    "name a new folder, or overwrite it (overwrite=True, or --overwrite)"
                )
            if real.is_mount() or real == Path.cwd():
                raise UsageError(f"{folder} cannot be replaced: name a folder inside it")
        elif real.exists():
            raise UsageError(f"{folder} is a file: name a folder")
        _check_above(folder, real)


def _check_own(named: Path, real: Path, names: Collection[str], schema: str) -> None:
    stranger = _find_stranger(real, names, schema)
    if stranger is not None:
        raise UsageError(f"{named} holds other files ({stranger}): name a new folder")


def _find_stranger(folder: Path, names: Collection[str], schema: str) -> str | None:
    """The name of something in a folder that simdom did not put there; None if there is nothing.

    Where no document says whose the files are, it is the first of them.
    """
    entries = _entries(folder, names)
    for entry in entries:
        if entry.name not in names or entry.is_symlink() or not entry.is_file():
            return entry.name
    if not entries or any(_declares(entry, schema) for entry in entries):
        return None
    return entries[0].name


def _entries(folder: Path, names: Collection[str]) -> list[Path]:
    """What is in a folder, but for what is left of such files that were being written."""
    return sorted(entry for entry in folder.iterdir() if not _is_part(entry, names))


def _is_part(entry: Path, names: Collection[str]) -> bool:
    found = _PART.fullmatch(entry.name)
    return found is not None and found[1] in names


def remove_parts(folder: Path, names: Collection[str]) -> None:
    """Remove what a process has left that was killed while it wrote files with these names."""
    for entry in folder.iterdir():
        if _is_part(entry, names):
            with suppress(OSError):
                entry.unlink(missing_ok=True)


def _declares(file: Path, schema: str) -> bool:
    """Whether a file is a JSON document whose schema begins with ``schema``."""
    if file.suffix != ".json":
        return False
    try:
        document = json.loads(file.read_bytes())
    except (ValueError, RecursionError):  # not JSON, or not in UTF-8
        return False
    return isinstance(document, dict) and str(document.get("schema")).startswith(schema)


def write_file(path: Path, content: bytes) -> None:
    """Write a file, and make the folders above it; a file that is there already is replaced.

    Raises:
        RunError: it cannot be written; what was there before is still there.
    """
    _write_whole(path, content, Path.replace)


def create_file(path: Path, content: bytes) -> bool:
    """As `write_file`, but nothing is ever replaced: of several that try at once, one succeeds.

    Returns:
        Whether it was written; False if something is there already.

    Raises:
        RunError: it cannot be written.
    """
    return _write_whole(path, content, _give_name)


def _give_name(part: Path, path: Path) -> bool:
    """Give a file a name that nothing has; whether nothing had it."""
    try:
        path.hardlink_to(part)
    except FileExistsError:
        return False
    except OSError:  # a file system without links, on which two at once are not kept apart
        if path.exists():
            return False
        part.replace(path)
    return True


def _write_whole(path: Path, content: bytes, put: Callable[[Path, Path], T]) -> T:
    """Write a file under another name, and let ``put`` give it its own; what that returns."""
    part = name_beside(path.absolute())
    missing = _missing_above(part)
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        _write_through(part, content)
        return put(part, path)
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # its folder may not be there
            part.unlink(missing_ok=True)
        _remove_empty(missing)


def replace_files(
    folder: Path, contents: Mapping[str, bytes], *, last: str, names: Collection[str]
) -> None:
    """Put files into a folder that exists, such that what belongs together is seen together.

    All are written before any of them is put in its place. While that goes on, ``last`` is not
    there: whoever finds it finds the others that belong to it.

    Args:
        folder: where they go.
        contents: what each file holds, by its name.
        last: the one without which the others mean nothing.
        names: files that may be there from before; those that are not written are removed.

    Raises:
        RunError: they cannot be written; if it is for want of room, all is as it was before.
    """
    parts = {name: name_beside(folder / name) for name in contents}
    try:
        for name, content in contents.items():
            _write_through(parts[name], content)
        for name in (last, *(name for name in names if name not in contents)):
            (folder / name).unlink(missing_ok=True)
        for name in sorted(parts, key=lambda name: name == last):
            parts[name].replace(folder / name)
        flush_folder(folder)
    except OSError as error:
        reason = error.strerror or error
        raise RunError(f"{folder} cannot be written: {reason}; nothing was saved") from error
    finally:
        for part in parts.values():
            with suppress(OSError):
                part.unlink(missing_ok=True)


def write_folder(
    folder: Path,
    contents: Mapping[str, bytes],
    names: Collection[str],
    *,
    schema: str = "simdom.",
    overwrite: bool = False,
) -> None:
    """Make a folder of files.

    Args:
        folder: see `check_folder`, which is asked first.
        contents: what each file holds, by its name.
        names: see `check_folder`.
        schema: see `check_folder`.
        overwrite: see `check_folder`; the old files are gone once the new ones are in place.

    Raises:
        UsageError: as `check_folder`.
        RunError: it cannot be written, or another run was faster; nothing of it is left.
    """
    check_folder(folder, names, schema=schema, overwrite=overwrite)
    real = Path(os.path.realpath(folder))
    part = name_beside(real)
    missing = _missing_above(real)
    try:
        part.parent.mkdir(parents=True, exist_ok=True)
        part.mkdir()
        for name, content in contents.items():
            _write_through(part / name, content)
        flush_folder(part)
        if overwrite:
            _exchange(part, real, names, schema)
        else:
            part.rename(real)
        flush_folder(real.parent)
    except OSError as error:
        taken = error.errno in _TAKEN
        reason = "another run has saved there meanwhile" if taken else error.strerror or error
        raise RunError(f"{folder} cannot be written: {reason}; nothing was saved") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
        _remove_empty(missing)


_TAKEN = {errno.ENOTEMPTY, errno.EEXIST}  # how systems say that a folder is not empty


def _exchange(part: Path, folder: Path, names: Collection[str], schema: str) -> None:
    """Rename ``part`` to ``folder``, whose files are kept until that is done."""
    before = name_beside(folder)
    try:
        with suppress(FileNotFoundError):  # there is none, or another run is replacing it
            folder.rename(before)
            # Only now can nobody put anything else into it.
            _check_own(folder, before, names, schema)
        part.rename(folder)
    except BaseException:
        with suppress(OSError):  # nothing was moved, or another run has put its own in place
            before.rename(folder)
        raise
    finally:
        with suppress(OSError):  # what could not be brought back and is simdom's was to be replaced
            if _find_stranger(before, names, schema) is None:
                shutil.rmtree(before)


_PART = re.compile(r"\.(.+)\.[0-9a-f]{12}\.part")  # as `name_beside` makes them


def name_beside(path: Path) -> Path:
    """A name in the same folder that nothing has."""
    return path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")


def _check_above(named: Path, path: Path) -> None:
    """Try whether something can be made at ``path``, the absolute path of what the user named."""
    above = next(parent for parent in path.parents if parent.exists())
    if not above.is_dir():
        raise UsageError(f"{named} cannot be made: {above} is a file")
    probe = name_beside(above / path.name)
    probe.mkdir()
    probe.rmdir()


def _missing_above(path: Path) -> list[Path]:
    """The folders above ``path`` that do not exist, deepest first."""
    return [parent for parent in path.parents if not parent.exists()]


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:  # those that were needed are not empty
        with suppress(OSError):
            folder.rmdir()


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Answer what the system says with a `UsageError`."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None
    except ValueError as error:  # a NUL in the path
        raise UsageError(f"{str(path)!r} cannot be written: {error}") from None


def _write_through(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def flush_folder(folder: Path) -> None:
    """Make the names in a folder outlive a power cut, where the file system can promise that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
