"""A records file is there whole or not at all, whatever comes between."""

import dataclasses
import errno
import os
import signal
import subprocess
import sys
import threading

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from commands import names_in, one_line
from record_files import record, study
from simdom.errors import RunError, UsageError
from simdom.records.header import header_of
from simdom.records.playing import play_recorded
from simdom.records.reading import load_records_header
from simdom.records.writing import RecordsFile, check_records
from simdom.simulate import simulate


@pytest.fixture
def small_groups(monkeypatch):
    monkeypatch.setattr("simdom.records.writing.GROUP", 50)


def rows_of(start, stop):
    return play_recorded(study(), start, stop)[1]


def header_for(rounds):
    return header_of(dataclasses.replace(simulate("pagat-draw", 10), rounds=rounds))


def test_folders_above_are_made(tmp_path):
    record(tmp_path / "a" / "b" / "r.parquet")
    assert names_in(tmp_path / "a" / "b") == ["r.parquet"]


def test_what_is_left_early_leaves_nothing(tmp_path):
    path = tmp_path / "a" / "r.parquet"
    with RecordsFile(path, study().rules) as file:
        file.write(rows_of(0, 100))
        assert len(names_in(tmp_path / "a")) == 1
    assert names_in(tmp_path) == []


@pytest.mark.usefixtures("small_groups")
def test_an_interrupted_run_leaves_out_what_it_did_not_count(tmp_path):
    path = tmp_path / "r.parquet"
    with RecordsFile(path, study().rules) as file:
        for at in range(0, 400, 80):
            file.write(rows_of(at, at + 80))
        file.finish(header_for(320))
    assert pq.read_table(path)["round"].to_pylist() == [*range(320)]
    assert load_records_header(path).rounds == 320


@pytest.mark.parametrize("rounds", [79, 161])
def test_a_header_of_other_rounds_is_refused(tmp_path, rounds):
    with RecordsFile(tmp_path / "r.parquet", study().rules) as file:
        file.write(rows_of(0, 80))
        file.write(rows_of(80, 160))
        with pytest.raises(RunError, match=f"160 rounds came for {rounds}: a bug"):
            file.finish(header_for(rounds))
    assert names_in(tmp_path) == []


def test_a_file_that_is_there_is_kept_unless_it_may_be_replaced(tmp_path):
    path = tmp_path / "r.parquet"
    record(path, 30)
    before = path.read_bytes()
    with pytest.raises(UsageError, match=r"r\.parquet exists: name a new file, or overwrite it"):
        record(path, 40)
    assert path.read_bytes() == before
    with pytest.raises(KeyboardInterrupt), RecordsFile(path, study().rules, overwrite=True):
        raise KeyboardInterrupt
    assert path.read_bytes() == before
    record(path, 40, overwrite=True)
    assert load_records_header(path).rounds == 40
    assert names_in(tmp_path) == ["r.parquet"]


@pytest.mark.parametrize("is_parquet", [False, True])
def test_files_of_others_are_never_replaced(tmp_path, is_parquet):
    path = tmp_path / "mine.parquet"
    path.write_bytes(b"my thesis")
    if is_parquet:
        pq.write_table(pa.table({"mine": [1]}), path)
    with pytest.raises(UsageError, match="is no records file of simdom, so it is not overwritten"):
        check_records(path, overwrite=True)


def test_another_run_that_was_faster(tmp_path):
    path = tmp_path / "r.parquet"
    with RecordsFile(path, study().rules) as file:
        file.write(rows_of(0, 10))
        record(path, 20)
        with pytest.raises(RunError, match="another run has saved there meanwhile; nothing was"):
            file.finish(header_for(10))
    assert names_in(tmp_path) == ["r.parquet"]
    assert load_records_header(path).rounds == 20


def test_places_that_cannot_be(tmp_path, monkeypatch):
    (tmp_path / "folder.parquet").mkdir()
    (tmp_path / "file").touch()
    for name, message in [
        ("rounds.csv", r"rounds\.csv: rounds are recorded in Parquet: name a file \.parquet"),
        ("folder.parquet", "is a folder: name a file"),
        ("file/r.parquet", "cannot be made: .*file is a file"),
        ("a\0.parquet", "cannot be written"),
    ]:
        with pytest.raises(UsageError, match=message) as error:
            RecordsFile(tmp_path / name, study().rules)
        one_line(error)
    monkeypatch.setattr("simdom.records.writing.find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"Parquet needs pyarrow: pip install 'simdom\[parquet\]'"):
        check_records(tmp_path / "r.parquet")
    assert names_in(tmp_path) == ["file", "folder.parquet"]


@pytest.mark.usefixtures("small_groups")
def test_a_disk_that_fails_is_told_once_and_leaves_nothing(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise OSError(errno.ENOSPC, "Error writing bytes to file. Detail: no space\non device")

    monkeypatch.setattr(pq.ParquetWriter, "write_table", fail)
    path = tmp_path / "r.parquet"
    with pytest.raises(RunError) as error:
        record(path, 5000, 100)
    assert one_line(error) == (
        f"{path} cannot be written: No space left on device; nothing was saved"
    )
    assert names_in(tmp_path) == []
    assert all(thread.name != "simdom-records" for thread in threading.enumerate())


FULL_DISK = """
import resource, sys
from record_files import record, study
from simdom.errors import RunError
study()
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    record(sys.argv[1], 20_000, 2_000)
except RunError as error:
    print(error)
"""


@pytest.mark.jit
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_file_that_may_not_grow(tmp_path):
    path = tmp_path / "out" / "r.parquet"
    done = _python(FULL_DISK, path)
    assert done.stdout == f"{path} cannot be written: File too large; nothing was saved\n"
    assert done.stderr == ""
    assert names_in(tmp_path) == []


KILLED = """
import sys
import simdom.records.writing as writing
from record_files import study
from simdom.records.playing import play_recorded
writing.GROUP = 50
file = writing.RecordsFile(sys.argv[1], study().rules)
for at in range(0, 1000, 50):
    file.write(play_recorded(study(), at, at + 50)[1])
print("written", flush=True)
sys.stdin.read()
"""


def test_a_killed_run_leaves_only_an_unfinished_file(tmp_path):
    command = [sys.executable, "-c", KILLED, str(tmp_path / "r.parquet")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_environment()
    ) as process:
        assert process.stdout.readline() == "written\n"
        process.send_signal(signal.SIGKILL)
    (name,) = names_in(tmp_path)
    assert name.startswith(".r.parquet.")
    assert name.endswith(".part")
    with pytest.raises(UsageError):
        load_records_header(tmp_path / name)


def _environment():
    here = os.path.dirname(__file__)  # noqa: PTH120 -- for an environment, which has texts
    return {**os.environ, "PYTHONPATH": os.pathsep.join([here, *sys.path])}


def _python(code, *arguments):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=_environment())
