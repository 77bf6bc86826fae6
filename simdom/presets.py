"""Presets: TOML files that come with simdom or that a user wrote; found, read and checked.

What a file may say is a pydantic model whose fields carry, as their description, what is allowed
in words (for a table: in one of its entries). Whatever is wrong with a file becomes one line that
names the file, the key and what is allowed.
"""

import os
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError

from simdom.errors import RunError, UsageError, brief, check_choice
from simdom.files import read_regular

__all__ = [
    "Document",
    "Preset",
    "check_content",
    "check_printable",
    "configs_dir",
    "dotted",
    "load_preset",
    "naming",
    "preset_names",
    "shown",
]

_LONGEST_WHOLE = 1024  # bits of a whole number in a file: that of the largest float
_PRINTABLE_CONTROLS = "\n\t"
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


class Document(BaseModel):
    """What a TOML file may say: no unknown keys, and no value taken for another type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


D = TypeVar("D", bound=Document)


class Preset(NamedTuple):
    """Where a preset was found: what to call it, and the file to name in errors."""

    name: str
    file: str


def configs_dir() -> Path:
    """The folder of the presets: inside the installed package, else the checkout's ``configs/``.

    Raises:
        RunError: neither exists.
    """
    package = Path(__file__).parent
    for folder in (package / "configs", package.parent / "configs"):
        if folder.is_dir():
            return folder
    raise RunError(f"the presets are missing from {package}: install simdom again")


def preset_names(folder: str) -> list[str]:
    """The presets in ``configs/<folder>``, in alphabetical order."""
    return sorted(path.stem for path in (configs_dir() / folder).glob("*.toml"))


def load_preset(what: str, folder: str, name_or_path: str, model: type[D]) -> tuple[Preset, D]:
    """Find, read and check one preset.

    Args:
        what: the word for it in errors, such as "variant".
        folder: where its kind lives under ``configs/``.
        name_or_path: a preset's name; or a path, which has a separator or ends in ``.toml``.
        model: what the file may say.

    Raises:
        UsageError: no such preset; the file is missing, unreadable, not UTF-8 or not TOML; it
            has an unknown key, lacks one, or has a value that is not allowed; control
            characters in its name or in a text.
    """
    check_printable(name_or_path)
    separators = [separator for separator in (os.sep, os.altsep) if separator]
    if name_or_path.endswith(".toml") or any(s in name_or_path for s in separators):
        path = Path(name_or_path)
        name = path.name  # with its ending: never taken for a preset
    else:
        name = check_choice(what, name_or_path, preset_names(folder))
        path = configs_dir() / folder / f"{name}.toml"
    with naming(str(path)):
        return Preset(name, str(path)), check_content(_read_toml(path), model)


def check_content(content: dict[str, Any], model: type[D]) -> D:
    """What a file or a table of one says, as a ``model``.

    Raises:
        UsageError: it has an unknown key, lacks one, or has a value that is not allowed.
    """
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise _first_problem(error, content, model) from None


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        # Some editors begin a file with a byte order mark, which TOML does not know.
        content = tomllib.loads(read_regular(path).decode("utf-8-sig"))
    except FileNotFoundError:
        raise UsageError("no such file") from None
    except IsADirectoryError:
        raise UsageError("is a directory, not a TOML file") from None
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"is not UTF-8 text: byte {error.start} cannot be read") from None
    except RecursionError:
        raise UsageError("is nested too deeply") from None
    except ValueError as error:  # not TOML, a number of thousands of digits, a NUL in the path
        raise UsageError(f"is not TOML: {' '.join(str(error).split())}") from None
    for text in _texts(content):
        check_printable(text)
    _check_numbers(content)
    return content


def _check_numbers(content: object, keys: tuple[str, ...] = ()) -> None:
    """Return if all whole numbers are of a length that errors can quote.

    Raises:
        UsageError: one is longer than any that simdom knows; the line names its key.
    """
    inside: Iterable[tuple[tuple[str, ...], object]] = ()
    if isinstance(content, dict):
        inside = (((*keys, key), value) for key, value in content.items())
    elif isinstance(content, list):
        inside = ((keys, value) for value in content)
    elif isinstance(content, int) and content.bit_length() > _LONGEST_WHOLE:
        raise UsageError(
            f"{dotted(*keys)} must be a whole number of at most 64 bits, "
            "not a number that is far too large"
        )
    for way, value in inside:
        _check_numbers(value, way)


def _texts(content: object) -> Iterator[str]:
    """Every text in a table, keys included."""
    match content:
        case str():
            yield content
        case dict():
            for key, value in content.items():
                yield key
                yield from _texts(value)
        case list():
            for value in content:
                yield from _texts(value)


def check_printable(text: str) -> str:
    """Return ``text`` if a terminal prints it and does nothing else; lines and tabs may be in it.

    Raises:
        UsageError: it has a control character, with which a text can move, recolour or hide others.
    """
    for character in text:
        if unicodedata.category(character) == "Cc" and character not in _PRINTABLE_CONTROLS:
            raise UsageError(
                f"control characters are not allowed: {shown(text)} has U+{ord(character):04X}"
            )
    return text


def _first_problem(
    error: ValidationError, content: dict[str, Any], model: type[Document]
) -> UsageError:
    """The most telling problem of ``error``, as one line: a misspelt key before a missing one."""
    problems = error.errors(include_url=False)
    problem = min(problems, key=lambda problem: problem["type"] != "extra_forbidden")
    key, *inside = map(str, problem["loc"])
    if problem["type"] == "extra_forbidden":
        try:
            check_choice("key", key, model.model_fields)
        except UsageError as unknown:
            return unknown
    field = model.model_fields[key]
    allowed = "a table" if get_origin(field.annotation) is dict else field.description
    if problem["type"] == "missing":
        return UsageError(f"key {key} is missing: it must be {allowed}")
    value = content[key]
    if inside and isinstance(value, dict):
        key, allowed, value = dotted(key, inside[0]), field.description, value[inside[0]]
    return UsageError(f"{key} must be {allowed}, not {shown(value)}")


def dotted(*keys: str) -> str:
    """The way to a value, as TOML writes it.

    >>> dotted("rules", "deal", "2"), dotted("why", "two words")
    ('rules.deal.2', "why.'two words'")
    """
    return ".".join(key if _BARE_KEY.fullmatch(key) else repr(key) for key in keys)


def shown(value: object) -> str:
    """A wrong value of a file on one short line, for an error."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    return brief(value)


@contextmanager
def naming(where: str) -> Iterator[None]:
    """Begin every `UsageError` raised inside with ``where``: a file, or a key of one."""
    try:
        yield
    except UsageError as error:
        raise type(error)(f"{where}: {error}") from None
