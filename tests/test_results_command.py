"""``simdom results`` as its user runs it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from commands import SIMDOM
from result_folders import DOCUMENTS, DRAW, checkpoint, content, write
from simdom.cli import app
from simdom.errors import UsageError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A current folder with results in it."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "results" / "draw" / "result.json", content(DRAW))
    write(tmp_path / "results" / "block" / "result.json", content("result-1-weights.json"))
    write(tmp_path / "results" / "ladder.json", content("ladder-1-first.json"))
    return tmp_path / "results"


def run(*arguments, columns=80):
    result = CliRunner(env={"COLUMNS": str(columns)}).invoke(app, ["results", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def ended(*arguments):
    """Exit code, standard output and standard error of a process of its own."""
    done = subprocess.run(
        [*SIMDOM, "results", *map(str, arguments)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_the_list_says_what_there_is(folder):
    write(folder / "half" / "checkpoint.json", checkpoint())
    write(folder / "bad\x1b[31m.json", "{")
    page = run()
    assert page == run("results") == run("list") == run("list", "results")
    assert page.startswith("4 documents in results\n")
    assert max(map(len, page.splitlines())) <= 80
    for words in ("Blocked 17%", "60 deals", "UTC", " kB", "file time", "Not read"):
        assert words in page
    assert "half: unfinished: 3,000,000 of 10,000,000 rounds" in " ".join(page.split())
    assert "bad\\x1b[31m.json is no JSON" in page
    assert "\x1b" not in page


@pytest.mark.parametrize("columns", [30, 60, 80, 200])
def test_the_list_fits_any_terminal(folder, columns):
    page = run(columns=columns)
    assert max(map(len, page.splitlines())) <= max(columns, 40)
    assert "17% (11 to 23)" in page, "no figure is broken over two lines"
    assert folder.exists()


def test_the_list_is_json_csv_and_markdown(folder):
    write(folder / "bad.json", "{")
    document = json.loads(run("--format", "json"))
    assert document["schema"] == "simdom.results/1"
    assert [entry["path"] for entry in document["entries"]] == [
        *("bad.json", "block", "draw", "ladder.json")
    ]
    assert document["entries"][0]["problem"].startswith("is no JSON")
    draw = document["entries"][2]
    assert (draw["kind"], draw["trials"], draw["seed"]) == ("run", 200, 1)
    assert draw["file_time"].endswith("+00:00")
    rows = run("results", "--format", "csv").splitlines()
    assert rows[0].startswith("path,kind,schema,variant,")
    assert len(rows) == 5
    page = run("--format", "markdown")
    assert "| draw<br>run | pagat-draw<br>2 players<br>random<br>200 rounds |" in page
    assert page.endswith("```sh\nsimdom results results\n```\n")


def test_an_empty_folder_says_so(tmp_path):
    assert run(str(tmp_path)).startswith("No document of simdom in ")
    assert json.loads(run(str(tmp_path), "--format", "json"))["entries"] == []


def test_a_result_is_shown_as_its_run_printed_it(folder):
    shown = run("show", "results/draw")
    assert "Blocked" in shown
    assert "16.5%" in shown or "17%" in shown
    assert json.loads(run("show", "results/draw", "--format", "json"))["rounds"] == 200
    points = run("show", str(folder / "draw"), "--format", "csv", "--metric", "points")
    assert points.splitlines()[1].startswith("points,,16.225,")


@pytest.mark.usefixtures("folder")
def test_other_documents_are_shown_with_every_figure():
    page = run("show", "results/ladder.json")
    assert "normal against easy" in page
    assert "1088 ± 61" in page
    assert "60 deals" in page
    assert max(map(len, page.splitlines())) <= 90  # the command stands on a line of its own
    again = json.loads(run("show", "results/ladder.json", "--format", "json"))
    assert again == content("ladder-1-first.json")
    rows = run("show", "results/ladder.json", "--format", "csv").splitlines()
    assert len(rows) == 42
    assert "| normal against easy |" in run("show", "results/ladder.json", "--format", "markdown")
    with pytest.raises(UsageError, match="not of ladder"):
        run("show", "results/ladder.json", "--metric", "points")


@pytest.mark.parametrize("path", sorted(DOCUMENTS.glob("*.json")), ids=lambda path: path.stem)
@pytest.mark.parametrize("output_format", ["table", "json", "csv", "markdown"])
def test_every_document_is_shown_in_every_format(path, output_format):
    assert run("show", str(path), "--format", output_format).strip()


def test_two_results_are_compared(folder):
    page = run("compare", "results/draw", "results/block")
    assert "Paired: they share shuffles" in page
    assert "The winner changes" in page
    alone = run("compare", "results/draw", "results/block", "--independent", "-m", "points")
    assert "Independent: so it was asked for." in alone
    assert "pairing" not in alone
    assert "Blocked" not in alone
    assert alone.endswith(
        "simdom results compare results/draw results/block --independent --metric points\n"
    )
    document = json.loads(run("compare", "results/draw", "results/block", "--format", "json"))
    assert document["paired"]
    assert run("compare", str(folder / "draw"), "results/block", "--format", "csv").startswith(
        "metric,seat,first,"
    )


def test_figures_are_exported(folder):
    code, out, err = ended("export", folder, "--to", folder.parent / "a.csv")
    assert (code, out) == (0, "")
    assert err == f"81 figures of 3 documents saved in {folder.parent / 'a.csv'}.\n"
    write(folder / "bad.json", "{")
    code, out, err = ended("export", folder, "--to", folder.parent / "a.md")
    assert code == 0
    assert "1 of 4 could not be read; `simdom results " in err
    code, out, err = ended("export", folder, "--to", folder.parent / "a.md")
    assert code == 2
    assert "is there already" in err
    assert ended("export", folder, "--to", folder.parent / "b.md", "-q")[2] == ""


def test_questions_in_sql(folder):
    pytest.importorskip("duckdb")
    sql = "select path, trials from results where kind = 'run' order by path"
    page = run("query", sql)
    assert page.splitlines()[0] == "2 rows"
    assert "draw   200" in page
    assert run("query", sql, "--format", "csv") == "path,trials\nblock,200\ndraw,200\n"
    assert "| block | 200 |" in run("query", sql, "results", "--format", "markdown")
    document = json.loads(run("query", sql, "--limit", "1", "--format", "json"))
    assert document["rows"] == [{"path": "block", "trials": 200}]
    assert document["more"]
    assert folder.exists()


@pytest.mark.parametrize("columns", [45, 80])
def test_an_answer_breaks_no_value(folder, columns):
    pytest.importorskip("duckdb")
    page = run("query", "select * from figures", str(folder), "--limit", "2", columns=columns)
    assert "\nmetric: blocked_rate\n" in page
    assert page.count("\npath: ") == 2
    short = run("query", "select path, unit from figures", str(folder), columns=columns)
    assert "\npath " in short


def test_rows_that_are_left_out_are_told_on_standard_error(folder):
    pytest.importorskip("duckdb")
    code, out, err = ended("query", "select * from figures", folder, "--limit", "2")
    assert code == 0
    assert out.startswith("The first 2 rows\n")
    assert err == "There are more rows than 2: --limit N prints more.\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere"], "nowhere is not there"),
        (["compar", "a", "b"], "did you mean 'compare'?"),
        (["--format", "xml"], "unknown format 'xml'"),
        (["show", "nowhere"], "nowhere cannot be read: No such file or directory"),
        (["show", "results"], "holds several documents"),
        (["compare", "results/draw"], "missing argument 'B'"),
        (["compare", "results/draw", "results/ladder.json"], "only results of run and match"),
        (["export", "results"], "missing option '--to'"),
        (["export", "results", "--to", "a.doc"], "unknown file format 'doc'"),
        (["query", "selec 1"], "syntax error"),
        (["query", "drop table results"], "only select is answered"),
        (["query", "select 1", "--limit", "-3"], "'-3' is not a number of rounds"),
        (["results/ladder.json"], "is a file: name its folder"),
        (["results", "more"], "unexpected argument 'more'"),
    ],
)
def test_what_was_asked_wrongly_is_one_line(folder, arguments, complaint):
    for name in ("a", "b"):
        write(folder.parent / "results" / f"{name}.json", content("odds-1-first.json"))
    code, out, err = ended(*arguments)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.startswith("simdom: ")
    assert err.count("\n") == 1


def test_a_line_of_one_word_where_duckdb_lacks(folder):
    code = (
        "import sys; sys.modules['duckdb'] = None\n"
        "from simdom.cli import main\n"
        "main(['results', 'query', 'select 1'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "simdom: queries need duckdb, which is not installed: pip install 'simdom[query]'\n"
    )
    assert folder.exists()


def test_every_view_has_examples():
    for name in ("list", "show", "compare", "export", "query"):
        assert "Examples:" in run(name, "--help")
    assert "Examples:" in run("--help")


def test_nothing_is_written_but_what_was_asked_for(folder):
    before = sorted(Path(folder).rglob("*"))
    run()
    run("show", "results/draw")
    run("compare", "results/draw", "results/block")
    assert sorted(Path(folder).rglob("*")) == before
