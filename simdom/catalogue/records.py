"""Files of rounds, one row a round, as ``--records`` writes them."""

import json
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from simdom.catalogue.documents import Saved
from simdom.catalogue.shapes import OfGame, plural
from simdom.errors import UsageError

__all__ = ["PARQUET", "QUERY", "RECORDS", "SUFFIX", "import_parquet", "read_records"]

RECORDS = "records"
"""The kind of a file of rounds."""

SUFFIX = ".parquet"
_KEY = b"simdom"  # of the metadata, in which the file says what was played

PARQUET, QUERY = "pip install 'simdom[parquet]'", "pip install 'simdom[query]'"
"""What brings the reader of Parquet files, and what brings the database as well."""


class RecordsShape(OfGame):
    """What a file of rounds says of itself."""

    schema_name: str = Field(default="", alias="schema")


def import_parquet(asker: str = "", install: str = PARQUET) -> Any:  # noqa: ANN401 -- a module that has no types
    """The reader of Parquet files.

    Args:
        asker: what needs it; nothing for a file, whose name is put before the error.
        install: the command that brings it, for the error.

    Raises:
        UsageError: it is not installed.
    """
    try:
        import pyarrow.parquet
    except ImportError:
        needs = f"{asker} need pyarrow" if asker else "needs pyarrow to be read"
        raise UsageError(f"{needs}: {install}") from None
    return pyarrow.parquet


_OF_FIGURES = {"metric", "estimate", "low", "high"}  # columns of every table of figures


def read_records(file: Path) -> Saved | None:
    """What a file of rounds says of itself; its rows are not read.

    Returns:
        None if it is no such file but a table of figures, as `simdom results export` writes it.

    Raises:
        UsageError: it cannot be read; it is no Parquet file, or none with rounds of simdom; no
            reader of Parquet files is installed. The line does not name the file.
    """
    parquet = import_parquet()
    try:
        with parquet.ParquetFile(file) as opened:
            rows, told = opened.metadata.num_rows, opened.schema_arrow.metadata or {}
            names = opened.schema_arrow.names
    except OSError as error:
        why = f"it is no Parquet file, or not whole ({_line(error)})"
        raise UsageError(f"cannot be read: {error.strerror or why}") from None
    except ValueError as error:  # of pyarrow
        raise UsageError(f"is no Parquet file, or not whole: {_line(error)}") from None
    if set(names) >= _OF_FIGURES:
        return None
    if _KEY not in told or "round" not in names:
        raise UsageError("is a Parquet file, but holds no rounds of simdom, one a row")
    shape = _shape_of(told[_KEY], rows)
    gist = (plural(rows, "row"), plural(len(names), "column"))
    return Saved(RECORDS, shape.schema_name, shape, (), gist)


def _line(error: Exception) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__


def _shape_of(told: bytes, rows: int) -> RecordsShape:
    try:
        content: Any = json.loads(told)
        known = content if isinstance(content, dict) else {}
        return RecordsShape.model_validate({**known, "rounds": rows})
    except (ValueError, RecursionError, ValidationError):
        return RecordsShape(rounds=rows)  # its rows can be asked all the same
