"""All figures of a folder as one table, one row a figure; and a table of its documents."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simdom.catalogue.figures import Found
from simdom.catalogue.listing import DEFAULT_FOLDER, Entry, list_results
from simdom.catalogue.records import RECORDS

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FIGURES", "RESULTS", "figures_frame", "results_frame", "tidy"]

_TEXT, _WHOLE, _REAL, _SEED = "string", "Int64", "Float64", "UInt64"

FIGURES = {
    **dict.fromkeys(("path", "kind", "variant", "changes", "play"), _TEXT),
    "seed": _SEED,
    **dict.fromkeys(("part", "against", "metric"), _TEXT),
    "seat": _WHOLE,
    **dict.fromkeys(("estimate", "se", "low", "high"), _REAL),
    "count": _WHOLE,
    **dict.fromkeys(("sd", "confidence"), _REAL),
    "unit": _TEXT,
    "trials": _WHOLE,
    "simdom": _TEXT,
    "rules_version": _WHOLE,
}
"""Columns of the table of figures, and their types."""

RESULTS = {
    **dict.fromkeys(("path", "kind", "schema", "variant", "changes", "play"), _TEXT),
    "players": _WHOLE,
    "seed": _SEED,
    "unit": _TEXT,
    **dict.fromkeys(("trials", "rounds", "matches", "deals", "target", "first", "asked"), _WHOLE),
    "confidence": _REAL,
    **dict.fromkeys(("rules", "strategies", "simdom"), _TEXT),
    "rules_version": _WHOLE,
    **dict.fromkeys(("command", "note"), _TEXT),
    "file_time": "datetime64[us, UTC]",
    "bytes": _WHOLE,
}
"""Columns of the table of documents, and their types; ``rules`` and ``strategies`` are JSON."""


def tidy(folder: str | Path = DEFAULT_FOLDER) -> "pd.DataFrame":
    """Every figure of every document in a folder, one row a figure.

    Args:
        folder: to look in, see `simdom.catalogue.listing.list_results`.

    Returns:
        A DataFrame with the columns of `FIGURES`. ``part`` says of what in its document a figure
        is: a contender, a cell of a grid, a strategy; it is missing if it is of the whole.
        ``against`` is what it is compared with: then the figure is a difference, or of a strategy
        against that one. ``confidence`` is that of its own interval, ``trials`` what it is over.
        Exact chances have a standard error of 0. Documents that cannot be read are left out:
        `list_results` names them.

    Raises:
        UsageError: as `simdom.catalogue.listing.list_results`.
    """
    return figures_frame(list_results(folder))


def figures_frame(entries: Iterable[Entry]) -> "pd.DataFrame":
    """The figures of these entries, see `tidy`."""
    return _frame((row for entry in entries for row in _figures_of(entry)), FIGURES)


def results_frame(entries: Iterable[Entry]) -> "pd.DataFrame":
    """These entries, one row each, with the columns of `RESULTS`; files of rounds are left out."""
    kept = (entry for entry in entries if entry.saved is not None and entry.kind != RECORDS)
    return _frame(map(_result_of, kept), RESULTS)


def _frame(rows: Iterable[dict[str, Any]], columns: dict[str, str]) -> "pd.DataFrame":
    import pandas as pd

    listed = list(rows)
    return pd.DataFrame(
        {
            name: pd.Series([row.get(name) for row in listed], dtype=kind)
            for name, kind in columns.items()
        }
    )


def _head(entry: Entry) -> dict[str, Any]:
    """What the rows of both tables say alike; what is empty is missing."""
    if entry.saved is None:
        return {}
    shape = entry.saved.shape
    trials, unit = shape.trials
    texts = {
        "path": entry.path,
        "kind": entry.kind,
        "variant": shape.subject(),
        "changes": shape.changed(),
        "play": shape.play(),
        "unit": unit,
        "simdom": shape.simdom,
    }
    return {name: text or None for name, text in texts.items()} | {
        "seed": shape.seed,
        "trials": trials,
        "confidence": shape.confidence,
        "rules_version": shape.rules_version,
    }


def _figures_of(entry: Entry) -> Iterator[dict[str, Any]]:
    head = _head(entry)
    for found in () if entry.saved is None else entry.saved.figures:
        yield head | _figure(found)


def _figure(found: Found) -> dict[str, Any]:
    own = {"confidence": found.confidence, "trials": found.trials}
    return {
        "part": found.part or None,
        "against": found.against or None,
        "metric": found.metric,
        "seat": found.seat,
        **found.given.model_dump(include=_PARTS),
        **{name: value for name, value in own.items() if value is not None},
    }


_PARTS = {"estimate", "se", "low", "high", "count", "sd"}


def _result_of(entry: Entry) -> dict[str, Any]:
    if entry.saved is None:
        return {}
    shape = entry.saved.shape
    game = shape.game()
    row = _head(entry) | {
        "schema": entry.saved.schema,
        "rounds": shape.rounds,
        "matches": shape.matches,
        "deals": shape.deals,
        "first": shape.begin,
        "asked": shape.asked_for,
        "command": shape.command or None,
        "note": entry.note or None,
        "file_time": entry.modified,
        "bytes": entry.size,
    }
    if game is not None:
        players = game.rules.get("players")
        row |= {
            "players": players if isinstance(players, int) and 0 < players < _MANY else None,
            "target": game.target,
            "rules": json.dumps(game.rules),
            "strategies": json.dumps(game.strategies),
        }
    return row


_MANY = 100  # more players than any table seats
