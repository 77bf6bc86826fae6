"""One document: the file itself, or the only one in a folder."""

from pathlib import Path
from typing import Any

from simdom.catalogue.listing import Entry, entries_in, entry_of
from simdom.catalogue.reading import read_raw
from simdom.catalogue.records import RECORDS
from simdom.errors import UsageError

__all__ = ["content_of", "find_document"]


def find_document(path: str | Path) -> Entry:
    """The document that ``path`` is, or that a folder holds.

    Args:
        path: a file; or a folder with a saved result, or with a single document.

    Raises:
        UsageError: there is none, or it cannot be read; the folder has several.
    """
    place = Path(path)
    if not place.is_dir():
        entry = entry_of(place)
    else:
        here = entries_in(place)
        whole = [entry for entry in here if entry.path == "."] or here
        if not whole:
            raise UsageError(f"{path} holds no document of simdom: `simdom results {path}` looks")
        if len(whole) > 1:
            names = ", ".join(entry.file.name for entry in whole)
            raise UsageError(f"{path} holds several documents: name one of {names}")
        entry = whole[0]._replace(path=str(path))
    if entry.saved is None:
        raise UsageError(f"{entry.file} {entry.problem}")
    return entry


def content_of(entry: Entry) -> dict[str, Any]:
    """The document of an entry as it is in its file; of a file of rounds, what it says of itself.

    Raises:
        UsageError: as `simdom.catalogue.reading.read_raw`.
    """
    if entry.kind == RECORDS:
        return entry.to_dict()
    return read_raw(entry.file).content
