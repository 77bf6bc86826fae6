"""Writing a records file while its rounds are played.

Rounds come in chunks of any size and go to the disk in row groups of `GROUP`, so that the same
run makes the same file, wherever its chunks were cut. A thread of its own turns rounds into bytes:
the run plays on meanwhile, and Ctrl-C, which stops the main thread anywhere, cannot tear a group.
"""

import base64
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Self

from simdom.errors import RunError, UsageError
from simdom.files import check_file, flush_folder, name_beside
from simdom.records.columns import schema_of, table_of
from simdom.records.header import KEY, Header
from simdom.records.playing import Rows
from simdom.records.reading import load_records_header
from simdom.rules import Rules

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

__all__ = ["GROUP", "RecordsFile", "check_records"]

GROUP = 1_000_000
"""Rounds in a row group; the last has fewer."""

_WAITING = 4  # chunks that wait for the thread that writes them
_PIECES = 64  # small tables that are kept before they become one
_SUFFIX = ".parquet"


def check_records(path: str | Path, *, overwrite: bool = False) -> None:
    """Return if rounds can be recorded in a file; ask before a long run.

    Args:
        path: of the file; the folders above it need not exist.
        overwrite: whether a records file that is there already may be replaced.

    Raises:
        UsageError: pyarrow is not there; the name does not end in .parquet; it is a folder; there
            is such a file, which is not to be replaced or is no records file; nothing can be
            written there.
    """
    path = Path(path)
    if path.suffix.lower() != _SUFFIX:
        raise UsageError(f"{path}: rounds are recorded in Parquet: name a file {_SUFFIX}")
    if find_spec("pyarrow") is None:
        raise UsageError(f"{path}: Parquet needs pyarrow: pip install 'simdom[parquet]'")
    check_file(path)
    if not path.exists():
        return
    if not overwrite:
        raise UsageError(
            f"{path} exists: name a new file, or overwrite it (overwrite=True, or --overwrite)"
        )
    try:
        load_records_header(path)
    except UsageError:
        raise UsageError(
            f"{path} is no records file of simdom, so it is not overwritten: name a new file"
        ) from None


class RecordsFile:
    """A records file that is being written. As a context: left before `finish`, it leaves nothing.

    Args:
        path: of the file; the folders above it are made.
        rules: of the rounds.
        matches: whether the rounds belong to matches.
        overwrite: see `check_records`, which is asked first.

    Raises:
        UsageError: as `check_records`.
        RunError: the file cannot be made.
    """

    def __init__(
        self, path: str | Path, rules: Rules, *, matches: bool = False, overwrite: bool = False
    ) -> None:
        check_records(path, overwrite=overwrite)
        self._path = Path(path)
        self._rules = rules
        self._overwrite = overwrite
        self._schema = schema_of(rules, matches=matches)
        self._part = name_beside(self._path.absolute())
        self._made = [one for one in self._part.parents if not one.exists()]
        self._tables: list[pa.Table] = []  # rounds that are in no group yet
        self._last: pa.Table | None = None  # those that came last
        self._written = 0
        self._failure: BaseException | None = None
        self._is_over = False
        self._room = threading.Semaphore(_WAITING)
        self._queue: SimpleQueue[Rows | None] = SimpleQueue()
        try:
            with self._failing():
                self._part.parent.mkdir(parents=True, exist_ok=True)
                self._part.touch(exist_ok=False)
                self._writer = _new_writer(self._part, self._schema)
        except BaseException:
            self._remove()
            raise
        self._thread = threading.Thread(target=self._work, name="simdom-records", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, rows: Rows) -> None:
        """Take the next rounds. Returns before they are on the disk.

        Raises:
            RunError: earlier ones could not be written: the disk is full, or some such.
        """
        self._room.acquire()
        self._check()
        self._queue.put(rows)

    def finish(self, header: Header) -> None:
        """Write what is left, and give the file its name.

        Args:
            header: of the run. If it has fewer rounds than came, those of the chunk that came last
                are left out: a run that was interrupted may not have counted them.

        Raises:
            RunError: it cannot be written, or another run was faster; nothing of it is left.
        """
        try:
            self._stop()
            self._check()
            with self._failing():
                self._write_rest(header)
                self._put_in_place()
        finally:
            self.close()

    def close(self) -> None:
        """Leave nothing behind but a finished file."""
        if self._is_over:
            return
        self._stop()
        _abandon(self._writer)
        self._remove()
        self._is_over = True  # only now, so that after Ctrl-C in here it can be called again

    def _remove(self) -> None:
        with suppress(OSError):
            self._part.unlink(missing_ok=True)
        for folder in self._made:  # those with a file in them stay
            with suppress(OSError):
                folder.rmdir()

    def _work(self) -> None:
        """What the thread does: write groups until there is no more, or one cannot be written."""
        while (rows := self._queue.get()) is not None:
            if self._failure is None:
                try:
                    self._take(rows)
                except BaseException as error:  # noqa: BLE001 -- the caller's thread raises it
                    self._failure = error
            self._room.release()

    def _take(self, rows: Rows) -> None:
        """Keep rows, and write the groups that are full without the rows that came last."""
        if self._last is not None:
            self._tables.append(self._last)
        self._last = table_of(rows, self._rules, self._schema)
        if len(self._tables) > _PIECES:
            self._tables = [_one_table(self._tables)]
        while sum(table.num_rows for table in self._tables) >= GROUP:
            whole = _one_table(self._tables)
            self._write_group(whole.slice(0, GROUP))
            self._tables = [whole.slice(GROUP)]

    def _write_group(self, table: "pa.Table") -> None:
        self._writer.write_table(table, row_group_size=GROUP)
        self._written += table.num_rows

    def _write_rest(self, header: Header) -> None:
        tables = self._tables if self._last is None else [*self._tables, self._last]
        wanted = header.rounds - self._written
        there = sum(table.num_rows for table in tables)
        before = there - (0 if self._last is None else self._last.num_rows)
        if not before <= wanted <= there:
            raise RunError(
                f"{self._path}: {self._written + there} rounds came for {header.rounds}: a bug"
            )
        whole = _one_table(tables).slice(0, wanted)
        for at in range(0, whole.num_rows, GROUP):
            self._write_group(whole.slice(at, GROUP))
        self._writer.add_key_value_metadata(_metadata(self._schema, header))
        self._writer.close()

    def _put_in_place(self) -> None:
        handle = os.open(self._part, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        if not self._overwrite and self._path.exists():
            raise RunError(
                f"{self._path} cannot be written: another run has saved there meanwhile; "
                "nothing was saved"
            )
        self._part.replace(self._path)
        flush_folder(self._path.absolute().parent)

    def _stop(self) -> None:
        """Let the thread end what waits."""
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def _check(self) -> None:
        if self._failure is not None:
            with self._failing():
                raise self._failure

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Answer what the system says with a `RunError`."""
        import pyarrow as pa

        try:
            yield
        except (OSError, pa.ArrowException) as error:
            number = getattr(error, "errno", None)
            reason = str(error) if number is None else os.strerror(number)
            raise RunError(
                f"{self._path} cannot be written: {' '.join(reason.split())}; nothing was saved"
            ) from error


def _metadata(schema: "pa.Schema", header: Header) -> dict[str, str]:
    """What a finished file says of itself, to all readers and to those that ask Arrow's schema.

    Arrow would write its schema at the end too, but takes what goes into it only at the beginning.
    """
    told = {KEY: header.to_json()}
    arrow = schema.with_metadata(told).serialize()
    return {**told, "ARROW:schema": base64.b64encode(arrow).decode()}


def _one_table(tables: "list[pa.Table]") -> "pa.Table":
    import pyarrow as pa

    return pa.concat_tables(tables).combine_chunks()


def _new_writer(part: Path, schema: "pa.Schema") -> "pq.ParquetWriter":
    """A writer as fast as these columns allow; see ``docs/decisions.md``, 62."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    numbers = [field.name for field in schema if pa.types.is_integer(field.type)]
    words = [field.name for field in schema if pa.types.is_dictionary(field.type)]
    return pq.ParquetWriter(
        part,
        schema,
        compression="snappy",
        write_statistics=[name for name in ("match", "round") if name in numbers],
        use_dictionary=words,
        store_schema=False,  # see `_metadata`
        column_encoding=dict.fromkeys(numbers, "DELTA_BINARY_PACKED"),
    )


def _abandon(writer: "pq.ParquetWriter") -> None:
    """Close the file of a writer whose bytes nobody wants."""
    import pyarrow as pa

    with suppress(OSError, pa.ArrowException):  # a full disk takes no footer either
        writer.close()
    writer.is_open = False  # or it would try again when it is collected
