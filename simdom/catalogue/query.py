"""Questions in SQL about all results of a folder, by DuckDB; nothing can be written.

There are three tables. ``results`` has a row for each document, ``figures`` one for each figure
(see `simdom.catalogue.tidy`), and ``records`` one for each round of the files that ``--records``
wrote, with the column ``file``. The database is in memory, and sees no file and no network: the
files of rounds are read by pyarrow.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from simdom.catalogue.listing import DEFAULT_FOLDER, Entry, list_results
from simdom.catalogue.records import QUERY, RECORDS, import_parquet
from simdom.catalogue.tidy import figures_frame, results_frame
from simdom.errors import RunError, UsageError, brief
from simdom.formats import csv_text, json_text

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import pyarrow as pa

__all__ = ["Answer", "ask", "query"]

T = TypeVar("T")

_NO_ROUNDS = {
    "file": "text",
    "round": "bigint",
    "opener": "bigint",
    "opening_tile": "text",
    "end": "text",
    **dict.fromkeys(("winner", "points", "points_minus_own", "points_others"), "bigint"),
    **dict.fromkeys(("points_all_hands", "plays", "draws", "passes", "boneyard_left"), "bigint"),
    "redeals": "bigint",
    **dict.fromkeys(("no_double", "first_reply_stuck"), "boolean"),
}
"""Columns of ``records`` where there is no file of rounds."""

_LOCKS = (
    "set temp_directory = ''",
    "set python_enable_replacements = false",  # the variables of this program are no tables
    "set enable_external_access = false",
    "set lock_configuration = true",
)
_POINTER = re.compile(r"\n\s*LINE \d+:.*", re.DOTALL)  # where in the text, on lines of its own
_SUM = "HUGEINT"  # the type of a sum of counts, which DuckDB hands over as floats
_EXACT = 2**53  # whole numbers below are floats exactly


class Answer(NamedTuple):
    """What a question gave.

    Attributes:
        columns: their names, each once.
        rows: values as Python has them.
        more: whether there are more rows than were asked for.
    """

    columns: list[str]
    rows: list[tuple[Any, ...]]
    more: bool

    def to_json(self, sql: str) -> str:
        """The answer to ``sql`` as a document; what JSON has no word for is text, nan is null."""
        rows = [dict(zip(self.columns, map(_plain, row), strict=True)) for row in self.rows]
        return json_text(
            {
                "schema": "simdom.query/1",
                "sql": sql,
                "columns": self.columns,
                "rows": rows,
                "more": self.more,
            }
        )

    def to_csv(self) -> str:
        """The answer as text, in full precision; what there is not, or is nan, is empty."""
        rows = (dict(zip(self.columns, map(_plain, row), strict=True)) for row in self.rows)
        return csv_text(self.columns, rows)


def _plain(value: Any) -> Any:  # noqa: ANN401 -- whatever a database has
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def query(sql: str, folder: str | Path = DEFAULT_FOLDER) -> "pd.DataFrame":
    """Ask all results of a folder, and all files of rounds in it, in SQL.

    Args:
        sql: one ``select``, of the tables ``results``, ``figures`` and ``records``.
        folder: to look in, see `simdom.catalogue.listing.list_results`.

    Returns:
        A DataFrame with the columns that were selected.

    Raises:
        UsageError: as `list_results`; it is not one ``select``; the database does not understand
            it, or may not do it; duckdb or pyarrow is not installed.
        RunError: it takes too much memory.
    """
    with _opened(folder) as database, _explained():
        frame: pd.DataFrame = _selected(database, sql).df()
        for name, kind in zip(frame.columns, database.description or (), strict=False):
            if str(kind[1]) == _SUM and (frame[name].abs().fillna(0) < _EXACT).all():
                frame[name] = frame[name].astype("Int64")
        return frame


def ask(sql: str, folder: str | Path, limit: int) -> Answer:
    """The first ``limit`` rows of `query`, as plain values.

    Raises:
        UsageError: as `query`.
        RunError: as `query`.
    """
    with _opened(folder) as database, _explained():
        selected = _selected(database, sql)
        rows = _interruptible(database, lambda: selected.fetchmany(limit + 1))
        names = [str(column[0]) for column in selected.description]
        return Answer(_tell_apart(names), rows[:limit], len(rows) > limit)


def _tell_apart(names: Sequence[str]) -> list[str]:
    """The same, with a number behind the second and every further one of a name."""
    apart: list[str] = []
    for name in names:
        number, new = 1, name
        while new in apart:
            number += 1
            new = f"{name}_{number}"
        apart.append(new)
    return apart


def _selected(database: "duckdb.DuckDBPyConnection", sql: str) -> "duckdb.DuckDBPyConnection":
    """The database with the answer to be fetched.

    Raises:
        UsageError: it is not one ``select``.
    """
    import duckdb

    statements = database.extract_statements(sql)
    if not statements:
        raise UsageError('there is nothing asked: write a query such as "select * from results"')
    if len(statements) > 1:
        raise UsageError(f"{len(statements)} statements were asked at once: ask one select")
    kind = statements[0].type
    if kind != duckdb.StatementType.SELECT:
        name = str(kind).rpartition(".")[2].lower()
        raise UsageError(f"{brief(sql)} is a statement of kind {name}: only select is answered")
    return _interruptible(database, lambda: database.execute(statements[0]))


def _interruptible(database: "duckdb.DuckDBPyConnection", call: Callable[[], T]) -> T:
    """What ``call`` gives; on Ctrl-C the database stops, which hears of none by itself."""
    pool = ThreadPoolExecutor(1, thread_name_prefix="simdom-query")
    try:
        return pool.submit(call).result()
    except KeyboardInterrupt:
        database.interrupt()
        raise
    finally:
        pool.shutdown(wait=True)


@contextmanager
def _explained() -> Iterator[None]:
    """Answer what the database says with one line."""
    import duckdb

    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.OutOfMemoryException as error:
        raise RunError(f"the query takes too much memory: {_line(error)}") from None
    except duckdb.Error as error:
        raise UsageError(f"the query cannot be answered: {_line(error)}") from None


def _line(error: Exception) -> str:
    """What the database says in a line, without the pointer into the text."""
    return " ".join(_POINTER.sub("", str(error)).split())


@contextmanager
def _opened(folder: str | Path) -> Iterator["duckdb.DuckDBPyConnection"]:
    """A database in memory with the three tables, closed to everything else."""
    try:
        import duckdb
    except ImportError:
        raise UsageError(f"queries need duckdb, which is not installed: {QUERY}") from None
    import_parquet("queries", QUERY)
    import pyarrow as pa

    entries = list_results(folder)
    with duckdb.connect(":memory:") as database:
        for name, frame in (
            ("results", results_frame(entries)),
            ("figures", figures_frame(entries)),
        ):
            _make_table(database, name, pa.Table.from_pandas(frame, preserve_index=False))
        with _explained():
            _make_records(database, [entry for entry in entries if entry.kind == RECORDS])
        for lock in _LOCKS:
            database.execute(lock)
        yield database


def _make_table(database: "duckdb.DuckDBPyConnection", name: str, content: "pa.Table") -> None:
    database.register("_content", content)
    database.execute(f"create table {name} as select * from _content")  # noqa: S608 -- our own
    database.unregister("_content")


def _make_records(database: "duckdb.DuckDBPyConnection", entries: Sequence[Entry]) -> None:
    """The view of all rounds: what one file lacks of the columns of another is missing there."""
    import pyarrow.dataset as datasets

    if not entries:
        columns = ", ".join(f'"{name}" {kind}' for name, kind in _NO_ROUNDS.items())
        database.execute(f"create table records ({columns})")
        return
    parts = []
    for number, entry in enumerate(entries):
        database.register(f"_records_{number}", datasets.dataset(entry.file))
        named = entry.path.replace("'", "''")
        columns = _columns_of(entry)
        parts.append(f"select '{named}' as file, {columns} from _records_{number}")  # noqa: S608
    database.execute(f"create view records as {' union all by name '.join(parts)}")


def _columns_of(entry: Entry) -> str:
    """All columns; those of named values, whose types differ from file to file, as text."""
    import pyarrow as pa

    named = [
        f'"{field.name}"::varchar as "{field.name}"'
        for field in import_parquet().read_schema(entry.file)
        if pa.types.is_dictionary(field.type) and '"' not in field.name
    ]
    return f"* replace ({', '.join(named)})" if named else "*"
