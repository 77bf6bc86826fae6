"""SQL over a folder of results: the right rows, nothing written, nothing else seen."""

import json
import sys
from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import simdom
from commands import names_in, one_line
from record_files import record, record_matches
from result_folders import DOCUMENTS, DRAW, content, write
from simdom.catalogue.listing import list_results
from simdom.catalogue.query import ask, query
from simdom.errors import SimdomError, UsageError

pytest.importorskip("duckdb")

N = 40


def write_records(path, variant, seed, rounds=N):
    """A file of rounds as ``--records`` writes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    record(path, rounds, variant=variant, seed=seed)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("asked") / "results"
    write(root / "draw" / "result.json", content(DRAW))
    write(root / "ladder.json", content("ladder-1-first.json"))
    write_records(root / "rounds's.parquet", "pagat-draw", 1)
    write_records(root / "more" / "rounds.parquet", "pagat-block", 2)
    return root


def test_results_are_a_table(folder):
    frame = query("select path, kind, trials, seed from results order by path", folder)
    assert frame.to_dict("list") == {
        "path": ["draw", "ladder.json"],
        "kind": ["run", "ladder"],
        "trials": [200, 60],
        "seed": [1, 1],
    }


def test_figures_are_a_table(folder):
    sql = "select estimate, low, count from figures where path = 'draw' and metric = 'blocked_rate'"
    answer = ask(sql, folder, 10)
    told = content(DRAW)["metrics"]["blocked_rate"]
    assert answer.rows == [(told["estimate"], told["low"], told["count"])]
    assert not answer.more


def test_rules_are_json(folder):
    assert ask("select rules->>'reserve' from results where path = 'draw'", folder, 1).rows == [
        ("2",)
    ]


def test_rounds_are_a_table_with_their_file(folder):
    frame = simdom.simulate_rounds("pagat-block", N, seed=2)
    sql = (
        'select "end", count(*), sum(points) from records '
        "where file = 'more/rounds.parquet' group by all"
    )
    found = {end: (count, points) for end, count, points in ask(sql, folder, 9).rows}
    ends = Counter(frame["end"])
    assert found == {
        end: (count, frame.loc[frame["end"] == end, "points"].sum()) for end, count in ends.items()
    }
    files = ask("select distinct file from records order by 1", folder, 9).rows
    assert files == [("more/rounds.parquet",), ("rounds's.parquet",)]


def test_files_of_other_tables_have_columns_of_their_own(tmp_path):
    write_records(tmp_path / "two.parquet", "pagat-draw", 1)
    frame = simdom.simulate_rounds("pagat-draw", 5, players=3)
    table = pa.Table.from_pandas(frame, preserve_index=False)
    pq.write_table(
        table.replace_schema_metadata({b"simdom": b"no json"}), tmp_path / "three.parquet"
    )
    answer = ask("select file, count(pips_2) from records group by file order by 1", tmp_path, 9)
    assert answer.rows == [("three.parquet", 5), ("two.parquet", 0)]


def test_a_file_of_rounds_is_listed_with_what_was_played(folder, tmp_path):
    entries = {entry.path: entry for entry in list_results(folder)}
    saved = entries["more/rounds.parquet"].saved
    assert (saved.kind, saved.schema) == ("records", "simdom.records/1")
    assert saved.shape.subject() == "pagat-block"
    assert (saved.shape.seed, saved.shape.trials) == (2, (N, "round"))
    record_matches(tmp_path / "matches.parquet", 5)
    (entry,) = list_results(tmp_path)
    assert entry.saved.shape.trials == (5, "match")
    assert ask("select count(distinct match) from records", tmp_path, 1).rows == [(5,)]


def test_without_files_of_rounds_there_are_none(tmp_path):
    assert ask("select count(*), max(points) from records", tmp_path, 1).rows == [(0, None)]
    assert ask("select * from figures", tmp_path, 1).rows == []


def test_another_parquet_file_is_no_file_of_rounds(tmp_path):
    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    (entry,) = list_results(tmp_path)
    assert entry.problem == "is a Parquet file, but holds no rounds of simdom, one a row"
    assert ask("select count(*) from records", tmp_path, 1).rows == [(0,)]


def test_a_frame_has_whole_sums(folder):
    frame = query("select sum(points) as points from records", folder)
    assert str(frame["points"].dtype) == "Int64"


def test_more_rows_than_asked_for_are_told(folder):
    assert ask("select * from records", folder, 3).more
    assert len(ask("select * from records", folder, 3).rows) == 3
    assert not ask("select * from records", folder, 2 * N).more


def test_every_column_has_its_own_name(folder):
    answer = ask("select 1 as a, 2 as a, 3 as a_2, 4 as a", folder, 1)
    assert answer.columns == ["a", "a_2", "a_2_2", "a_3"]
    assert json.loads(answer.to_json("sql"))["rows"] == [{"a": 1, "a_2": 2, "a_2_2": 3, "a_3": 4}]


def test_whatever_a_database_answers_is_json(folder):
    sql = "select 'nan'::double, 1e308*10, [1, null], {'a': current_date}, 1::hugeint, true, '\n'"
    answer = ask(sql, folder, 1)
    row = list(json.loads(answer.to_json(sql))["rows"][0].values())
    assert row[:3] == [None, None, [1, None]]
    assert row[4:] == [1, True, "\n"]
    assert answer.to_csv().endswith(',1,True,"\n"\n')
    assert ',,"[1, None]",' in f",{answer.to_csv().splitlines()[2]}"


@pytest.mark.parametrize(
    ("sql", "complaint"),
    [
        ("", "nothing asked"),
        ("  -- nothing", "nothing asked"),
        ("selec 1", "syntax error"),
        ("select (", "syntax error"),
        ("select 1; select 2", "2 statements"),
        ("select estimat from figures", "estimat"),
        ("select * from nosuch", "nosuch"),
        ("select 'a'::int", "Could not convert"),
        ("select ?", "parameter"),
        ("select error('a\nb')", "a b"),
    ],
)
def test_what_is_no_query_is_one_line(folder, sql, complaint):
    with pytest.raises(UsageError) as error:
        ask(sql, folder, 1)
    assert complaint.lower() in one_line(error).lower()
    assert "LINE 1" not in one_line(error)


@pytest.mark.parametrize(
    "sql",
    [
        "drop table results",
        "insert into results select * from results",
        "update figures set estimate = 0",
        "create table x as select 1",
        "copy results to 'stolen.csv'",
        "export database 'stolen'",
        "attach 'stolen.db'",
        "install httpfs",
        "load httpfs",
        "set enable_external_access = true",
        "pragma enable_profiling",
        "call pragma_version()",
        "explain analyze copy results to 'stolen.csv'",
        "select * from read_csv('secret.csv')",
        "select * from 'secret.csv'",
        "from read_text('secret.csv')",
        "from read_blob('secret.csv')",
        "from glob('*')",
        "from 'https://example.org/a.parquet'",
        "select * from query('copy results to ''stolen.csv''')",
        "select * from secret",
        "select getenv('HOME')",
    ],
)
def test_nothing_is_written_and_nothing_else_read(folder, tmp_path, monkeypatch, sql):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "secret.csv", "a\n1\n")
    secret = pa.table({"a": [1]})  # a variable of Python is no table
    assert secret.num_rows == 1
    before = sorted(path.name for path in folder.rglob("*"))
    with pytest.raises(SimdomError) as error:
        ask(sql, folder, 1)
    assert one_line(error)
    assert names_in(tmp_path) == ["secret.csv"]
    assert sorted(path.name for path in folder.rglob("*")) == before


@pytest.mark.parametrize(
    "sql", ["describe figures", "summarize results", "show tables", "from results"]
)
def test_what_only_looks_is_answered(folder, sql):
    assert ask(sql, folder, 5).rows


def test_the_extra_is_named_where_it_lacks(folder, monkeypatch):
    for module in ("duckdb", "pyarrow.parquet"):
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, module, None)
            with pytest.raises(UsageError) as error:
                ask("select 1", folder, 1)
            assert one_line(error).startswith("queries need ")
            assert "pip install 'simdom[query]'" in one_line(error)


def test_without_pyarrow_files_of_rounds_are_listed_with_the_reason(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    lost = [entry for entry in list_results(folder) if entry.saved is None]
    assert len(lost) == 2
    assert lost[0].problem == "needs pyarrow to be read: pip install 'simdom[parquet]'"


def test_a_missing_folder_is_named():
    with pytest.raises(UsageError, match="is not there"):
        ask("select 1", DOCUMENTS / "nowhere", 1)
