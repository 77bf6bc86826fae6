"""Reading a records file: what run it is of, and single rounds of it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simdom.errors import UsageError
from simdom.records.header import KEY, Header, parse_header

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["is_parquet", "load_records_header", "read_match", "read_round"]

_MAGIC = b"PAR1"


def is_parquet(path: Path) -> bool:
    """Whether a file says that it is a Parquet file; one that cannot be read is none."""
    if not path.is_file():  # a pipe may have nothing to say for ever
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def load_records_header(path: str | Path) -> Header:
    """What a records file says of its run.

    Raises:
        UsageError: pyarrow is not there; the file cannot be read; it is no records file of simdom,
            or what it says does not belong together.
    """
    path = Path(path)
    if find_spec("pyarrow") is None:
        raise UsageError(f"{path}: Parquet needs pyarrow: pip install 'simdom[parquet]'")
    import pyarrow.parquet as pq

    with _reading(path):
        if path.exists() and not path.is_file():
            raise UsageError("it is no regular file")
        metadata = pq.read_metadata(path)
        told = (metadata.metadata or {}).get(KEY.encode())
        if told is None:
            raise UsageError("its metadata say nothing of a run")
        header = parse_header(told)
        if header.rounds != metadata.num_rows:
            raise UsageError(f"it has {metadata.num_rows} rows, and tells of {header.rounds}")
        return header


def read_round(path: str | Path, index: int) -> dict[str, Any]:
    """The row of a records file whose ``round`` is ``index``, by column.

    Raises:
        UsageError: there is no such row, or not one alone; as `load_records_header`.
    """
    rows = _read_rows(Path(path), "round", index)
    if len(rows) != 1:
        raise UsageError(f"{path} has {len(rows)} rows of round {index}: it is damaged")
    return rows[0]


def read_match(path: str | Path, number: int) -> list[dict[str, Any]]:
    """The rows of match ``number``, in the order of its rounds.

    Raises:
        UsageError: they cannot be read.
    """
    return sorted(_read_rows(Path(path), "match", number), key=lambda row: row["round"])


def _read_rows(path: Path, column: str, number: int) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    with _reading(path):
        # Statistics of the row groups say which of them can have it; only these are read.
        found: pa.Table = pq.read_table(path, filters=[(column, "==", number)])
        rows: list[dict[str, Any]] = found.to_pylist()
        return rows


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Answer what is wrong with a file with a `UsageError`."""
    import pyarrow as pa

    try:
        yield
    except OSError as error:
        told = str(error) if error.errno is None else os.strerror(error.errno)
        raise UsageError(f"{path} cannot be read: {' '.join(told.split())}") from None
    except (pa.ArrowException, ValueError, KeyError, TypeError) as error:
        told = " ".join(str(error).split())
        raise UsageError(f"{path} is no records file of simdom: {told}") from None
    except UsageError as error:
        raise UsageError(f"{path} is no records file of simdom: {error}") from None
