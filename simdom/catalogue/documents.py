"""The kinds of documents that simdom writes, and what any of them says, in one form."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from simdom.catalogue.figures import Found, given_of, in_words
from simdom.catalogue.more_shapes import (
    CalibrationShape,
    CheckpointShape,
    DifferenceShape,
    DuelShape,
    LadderShape,
    ListShape,
    OddsShape,
    RefereeShape,
    ReproductionShape,
    RoundShape,
    TableShape,
)
from simdom.catalogue.reading import Raw, read_raw
from simdom.catalogue.shapes import CompareShape, EffectsShape, OfGame, Shape, SweepShape
from simdom.document import Document
from simdom.errors import UsageError, brief
from simdom.figures import list_figures
from simdom.match_metrics import ALL_METRICS
from simdom.rules import rules_from_dict

__all__ = ["KINDS", "Kind", "Saved", "read_saved", "saved_of"]


class Kind(NamedTuple):
    """A kind of document.

    Attributes:
        name: of the command that writes it.
        shape: what the catalogue reads of it.
        newest: version of its schema; this one and all older ones are read.
    """

    name: str
    shape: type[Shape]
    newest: int = 1


KINDS: Mapping[str, Kind] = {
    "result": Kind("run", OfGame),
    "comparison": Kind("compare", CompareShape),
    "effects": Kind("effects", EffectsShape),
    "sweep": Kind("sweep", SweepShape),
    "duel": Kind("duel", DuelShape),
    "ladder": Kind("ladder", LadderShape),
    "reproduction": Kind("reproduce", ReproductionShape),
    "calibration": Kind("calibrate", CalibrationShape),
    "odds": Kind("odds", OddsShape),
    "round": Kind("show", RoundShape),
    "referee": Kind("referee", RefereeShape),
    "checkpoint": Kind("unfinished", CheckpointShape),
    "metrics": Kind("metrics", ListShape),
    "strategies": Kind("strategies", ListShape),
    "variants": Kind("variants", ListShape),
    "bench": Kind("bench", ListShape),
    "difference": Kind("difference", DifferenceShape),
    "results": Kind("results", ListShape),
    "query": Kind("query", ListShape),
    "advice": Kind("advise", ListShape),
    "answer-odds": Kind("odds --position", ListShape),
    "play": Kind("play", TableShape),
    "play-result": Kind("play --format json", TableShape),
    "daily": Kind("daily", TableShape),
    "daily-result": Kind("daily --format json", TableShape),
    "history": Kind("daily --history", ListShape),
}
"""By the name in their schema: ``simdom.result/1`` is a "result"."""

MATCHES = "match"
"""The kind of a result of matches, which `simdom match` writes."""


@dataclass(frozen=True)
class Saved:
    """A document, as the catalogue has it.

    Attributes:
        kind: name of the command that wrote it.
        schema: of the document.
        shape: what it says.
        figures: all of them.
        gist: two or three of them with their intervals, in words.
    """

    kind: str
    schema: str
    shape: Shape
    figures: tuple[Found, ...]
    gist: tuple[str, ...]


def read_saved(file: Path) -> Saved:
    """What a file says.

    Raises:
        UsageError: as `simdom.catalogue.reading.read_raw` and `saved_of`. The line does not name
            the file.
    """
    return saved_of(read_raw(file))


def saved_of(raw: Raw) -> Saved:
    """What a document says.

    Raises:
        UsageError: its schema is none of `KINDS`, or of a later version; it is not complete; the
            figures of a result do not agree with each other.
    """
    kind = KINDS.get(raw.name)
    if kind is None:
        raise UsageError(f"is of schema {brief(raw.schema)}, which this simdom does not know")
    if raw.version > kind.newest:
        raise UsageError(
            f"is of schema {raw.schema}, which this simdom does not read: a later one does"
        )
    try:
        shape = kind.shape.model_validate(raw.content)
        if raw.name == "result":
            return _saved_result(raw, shape)
        figures = tuple(shape.figures())
        return Saved(kind.name, raw.schema, shape, figures, tuple(shape.gist()))
    except ValidationError as error:
        raise UsageError(f"is no {raw.schema}: {_first_problem(error)}") from None
    except UsageError as error:
        raise UsageError(f"is no {raw.schema}: {error}") from None


def _saved_result(raw: Raw, shape: Shape) -> Saved:
    """A result, checked as `simdom.document` does, but for keys that it does not know."""
    keys = {field.alias or name for name, field in Document.model_fields.items()}
    known = {key: value for key, value in raw.content.items() if key in keys}
    document = Document.model_validate(known)
    document.check()
    rules = rules_from_dict(document.rules)
    metrics = document.estimates(rules)
    listed = list_figures(metrics, metrics, document.strategies)
    figures = [Found(each.metric, given_of(each.estimate), seat=each.seat) for each in listed]
    main = _MAIN if document.matches is None else _MAIN_OF_MATCHES
    return Saved(
        kind=KINDS[raw.name].name if document.matches is None else MATCHES,
        schema=raw.schema,
        shape=shape,
        figures=tuple(figures),
        gist=tuple(
            f"{ALL_METRICS[name].label} {in_words(found)}"
            for name in main
            for found in figures
            if found.metric == name
        ),
    )


_MAIN = ("blocked_rate", "opener_win_rate", "points")
_MAIN_OF_MATCHES = ("rounds_per_match", "match_win_rate_first_opener", "blocked_points_share")


def _first_problem(error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    where = ".".join(str(key)[:40] for key in problem["loc"])
    return f"{where}: {problem['msg']}" if where else problem["msg"]
