"""A records file leads back to its rounds, and other files are told from it."""

import dataclasses
import json
from contextlib import suppress

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import simdom
from commands import in_process, one_line
from record_files import record, record_matches
from simdom.cli.show import show
from simdom.errors import RunError, UsageError
from simdom.records.reading import load_records_header, read_match, read_round
from simdom.showing.runs import run_saved
from simdom.showing.taking import Which, take
from simdom.strategies import load_strategy


@pytest.fixture
def run():
    """Run ``simdom show`` with these arguments; its standard output."""
    return in_process(show)


@pytest.fixture
def rounds_file(tmp_path):
    record(tmp_path / "r.parquet", 60, variant="pagat-block", seed=5)
    return tmp_path / "r.parquet"


@pytest.fixture
def matches_file(tmp_path):
    record_matches(tmp_path / "m.parquet", 6, target=60)
    return tmp_path / "m.parquet"


def rewrite(path, change=lambda table: table, **metadata):
    """Change the table of a records file, and what it says of itself."""
    table = pq.read_table(path)
    told = json.loads(table.schema.metadata[b"simdom"]) | metadata
    table = change(table).replace_schema_metadata({"simdom": json.dumps(told)})
    pq.write_table(table, path)


def put(column, row, value):
    def change(table):
        values = table[column].to_pylist()
        values[row] = value
        kind = pa.string() if isinstance(value, str) else table.schema.field(column).type
        at = table.schema.get_field_index(column)
        return table.set_column(at, column, pa.array(values, kind))

    return change


def test_a_round_of_the_file_is_shown(run, rounds_file):
    text = run("--from", str(rounds_file), "--round", "7", "--format", "transcript")
    same = run("--variant", "pagat-block", "--seed", "5", "--round", "7", "--format", "transcript")
    assert text == same
    words = run("--from", str(rounds_file), "--round", "7").splitlines()[-1]
    assert words == f"simdom show --from {rounds_file} --round 7"
    told = json.loads(run("--from", str(rounds_file), "--round", "7", "--format", "json"))
    assert told["pips"] == [read_round(rounds_file, 7)[f"pips_{seat}"] for seat in (0, 1)]
    with pytest.raises(UsageError, match="--round must be a whole number from 0 to 59, not 60"):
        run("--from", str(rounds_file), "--round", "60")
    with pytest.raises(UsageError, match="is of single rounds: name one with --round"):
        run("--from", str(rounds_file), "--match", "0")


def test_a_match_of_the_file_is_shown(run, matches_file):
    text = run("--from", str(matches_file), "--match", "3")
    assert "wins it." in text
    told = json.loads(
        run("--from", str(matches_file), "--match", "3", "--round", "1", "--format", "json")
    )
    assert told["points"] == read_match(matches_file, 3)[1]["points"]
    with pytest.raises(UsageError, match="one of matches: name one with --match"):
        run("--from", str(matches_file), "--round", "1")
    with pytest.raises(UsageError, match="--match must be a whole number from 0 to 5"):
        run("--from", str(matches_file), "--match", "6")


def test_own_strategies_are_in_the_file(run, tmp_path):
    mine = dataclasses.replace(load_strategy("normal"), name="mine", temperature=2.0)
    record(tmp_path / "r.parquet", 40, strategy=[mine, "random"])
    assert run_saved(tmp_path / "r.parquet").study.strategies[0].temperature == 2.0
    run("--from", str(tmp_path / "r.parquet"), "--find", "longest")


def test_functions_are_not_in_the_file(tmp_path):
    @simdom.strategy
    def mine(view):  # noqa: ARG001 -- it looks at nothing
        return 0

    record(tmp_path / "r.parquet", 20, strategy=mine)
    with pytest.raises(UsageError, match="strategy mine is a Python function"):
        run_saved(tmp_path / "r.parquet")


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [("points", 999, "points is 999 there, and"), ("end", "neither", "end is 'neither' there")],
)
def test_a_row_that_is_not_as_played_is_told(run, rounds_file, column, value, told):
    rewrite(rounds_file, put(column, 7, value))
    run("--from", str(rounds_file), "--round", "6")
    with pytest.raises(RunError, match=rf"r\.parquet says otherwise of round 7: {told}") as error:
        run("--from", str(rounds_file), "--round", "7")
    one_line(error)
    run("--from", str(rounds_file), "--round", "7", "--leader", "0")
    rewrite(rounds_file, lambda table: table.drop_columns(column))
    with pytest.raises(RunError, match=f"says no {column} of round 7"):
        run("--from", str(rounds_file), "--round", "7")


def test_a_match_that_is_not_as_played_is_told(run, matches_file):
    rows = pq.read_table(matches_file)["match"].to_pylist()
    rewrite(matches_file, put("plays", rows.index(3) + 1, 5))
    run("--from", str(matches_file), "--match", "2")
    run("--from", str(matches_file), "--match", "3", "--round", "0")
    for more in ([], ["--round", "1"]):
        with pytest.raises(RunError, match="otherwise of round 1 of match 3: plays is 5 there"):
            run("--from", str(matches_file), "--match", "3", *more)
    rewrite(matches_file, put("match", rows.index(3), 2))
    with pytest.raises(RunError, match=r"has \d+ such rounds of match 3: \d+ were played"):
        run("--from", str(matches_file), "--match", "3")


def test_rows_that_are_missing_or_twice_there(rounds_file):
    rewrite(rounds_file, put("round", 7, 8))
    for index, rows in ((7, 0), (8, 2)):
        with pytest.raises(UsageError, match=f"has {rows} rows of round {index}: it is damaged"):
            read_round(rounds_file, index)


def test_a_file_that_begins_later(tmp_path, run):
    path = tmp_path / "r.parquet"
    record(path, 60)
    rewrite(path, lambda table: table.slice(20), first=20, rounds=40)
    assert take(run_saved(path), Which()).facts["round"] == 20
    run("--from", str(path), "--round", "59")
    run("--from", str(path), "--find", "shortest")
    with pytest.raises(UsageError, match="--round must be a whole number from 20 to 59, not 3"):
        run("--from", str(path), "--round", "3")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"schema": "simdom.records/9"}, "schema: Input should be 'simdom.records/1'"),
        ({"more": 1}, "more: Extra inputs are not permitted"),
        ({"rounds": 61}, "it has 60 rows, and tells of 61"),
        ({"seed": -1}, "seed: Input should be greater than or equal to 0"),
        ({"strategies": ["random"]}, "1 strategy for 2 players"),
        ({"rules": {"deal": 99}}, "99"),
        ({"rules": {"dael": 7}}, "did you mean 'deal'"),
        ({"target": 100}, "matches and target belong together"),
        ({"title": "\x1b[31m"}, "control characters are not allowed"),
    ],
)
def test_headers_that_cannot_be(rounds_file, changes, told):
    rewrite(rounds_file, **changes)
    with pytest.raises(UsageError) as error:
        load_records_header(rounds_file)
    text = one_line(error)
    assert "r.parquet is no records file of simdom: " in text
    assert told in text


def test_rules_of_another_version(rounds_file):
    rewrite(rounds_file, rules_version=7)
    with pytest.raises(UsageError, match="rules version 7, which this simdom, of version 1, does"):
        run_saved(rounds_file)


@pytest.mark.parametrize("cut", [4, 100, 3000, -1])
def test_files_that_are_cut(run, rounds_file, cut):
    rounds_file.write_bytes(rounds_file.read_bytes()[:cut])
    with pytest.raises(UsageError) as error:
        run("--from", str(rounds_file), "--round", "7")
    assert "r.parquet " in one_line(error)


def test_bytes_that_are_damaged_are_survived(run, rounds_file):
    """Wherever a byte is wrong: shown as it was, or refused in a line."""
    good = rounds_file.read_bytes()
    for at in range(0, len(good), max(len(good) // 150, 1)):
        rounds_file.write_bytes(good[:at] + bytes([good[at] ^ 0x55]) + good[at + 1 :])
        with suppress(UsageError, RunError):
            run("--from", str(rounds_file), "--round", "7", "--format", "transcript")


def test_other_parquet_and_no_file(tmp_path):
    pq.write_table(pa.table({"round": [1]}), tmp_path / "mine.parquet")
    for name, told in [
        ("mine.parquet", "is no records file of simdom: its metadata say nothing of a run"),
        ("none.parquet", "none.parquet cannot be read: No such file or directory"),
        (".", "is no records file of simdom: it is no regular file"),
    ]:
        with pytest.raises(UsageError, match=told):
            load_records_header(tmp_path / name)
