"""Any JSON file, read as far as it says which document of simdom it is."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from simdom.errors import UsageError, brief
from simdom.files import read_regular

__all__ = ["LARGEST", "OWN", "Raw", "read_raw"]

LARGEST = 64 * 2**20
"""Bytes; a larger file is not read: a result has some thousands of them."""

OWN = "simdom."
_SCHEMA = re.compile(rf"{re.escape(OWN)}([a-z]+(?:-[a-z]+)*)/([1-9][0-9]{{0,3}})", re.ASCII)


class Raw(NamedTuple):
    """A document, unchecked but for its schema.

    Attributes:
        name: what its schema is called, such as ``result``.
        version: the number behind the slash.
        content: of the document.
    """

    name: str
    version: int
    content: dict[str, Any]

    @property
    def schema(self) -> str:
        """Such as ``simdom.result/1``."""
        return f"{OWN}{self.name}/{self.version}"


def read_raw(file: Path) -> Raw:
    """The document in a file.

    Raises:
        UsageError: it cannot be read, or is no regular file; it is larger than `LARGEST`; it is
            no JSON in UTF-8; it has a key twice, so that readers would not agree on what it says;
            it names no schema of simdom. The line does not name the file.
    """
    content = _parse(_read(file))
    schema = content.get("schema") if isinstance(content, dict) else None
    if schema is None:
        raise UsageError("is no document of simdom: it names no schema")
    found = _SCHEMA.fullmatch(schema) if isinstance(schema, str) else None
    if found is None:
        raise UsageError(f"is no document of simdom: its schema is {brief(schema)}")
    return Raw(found[1], int(found[2]), content)


def _read(file: Path) -> bytes:
    try:
        size = file.stat().st_size
        if size > LARGEST:
            raise UsageError(
                f"is too large to be read: {size / 2**20:,.0f} MiB, of at most {LARGEST >> 20}"
            )
        return read_regular(file)
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}") from None


def _parse(content: bytes) -> Any:  # noqa: ANN401 -- whatever JSON there is
    try:
        return json.loads(content, object_pairs_hook=_once, parse_constant=_refuse)
    except RecursionError:
        raise UsageError("is nested too deeply to be a document of simdom") from None
    except UnicodeDecodeError:
        raise UsageError("is no JSON: it is not in UTF-8") from None
    except ValueError as error:  # no JSON, or a number of more digits than Python reads
        raise UsageError(f"is no JSON: {str(error).partition(';')[0]}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in content if names.count(name) > 1)
        raise UsageError(f"says {brief(twice)} twice, and only one can be meant")
    return content


def _refuse(constant: str) -> NoReturn:
    raise UsageError(f"is no JSON: {constant} is no number of it")
