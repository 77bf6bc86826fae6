"""The command line: what it prints, where, with which exit code, and what it leaves behind."""

import json
import os
import re
import shlex
import subprocess
import sys
import threading
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import simdom
import simdom.rounds
from commands import SIMDOM
from scale import rounds
from simdom.cli import main
from simdom.counts import MOST_ROUNDS, format_count, parse_count
from simdom.errors import RunError, UsageError
from simdom.estimate import METRICS, Estimate, format_parts
from simdom.match_metrics import ALL_METRICS

library = sys.modules["simdom.simulate"]  # the name in the package is the function's

COMPILING = f"{sys.modules['simdom.cli.longrun'].COMPILING}\n"  # on the first run ever
FEW = str(rounds(20_000, 200))


@pytest.fixture
def cli(capsys):
    """Runs a command line in this process; returns exit code, standard output and error."""

    def run(*arguments):
        with pytest.raises(SystemExit) as end:
            main(arguments)
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err

    return run


@pytest.fixture
def run_json(cli):
    def run(*arguments):
        code, out, err = cli("run", *arguments, "--format", "json", "--quiet")
        assert (code, err) == (0, "")
        return json.loads(out)

    return run


# Wrong usage.

WRONG = {
    "--variant pagat-drw": "did you mean 'pagat-draw'?",
    "--variant missing.toml": "missing.toml: no such file",
    "--strategy nrmal": "did you mean 'normal'?",
    "--strategy random,nrmal": "did you mean 'normal'?",
    "--strategy random,random,random": "3 strategies for 2 players",
    "--set reserv=0": "did you mean 'reserve'?",
    "--set reserve": "TOGGLE=VALUE",
    "--set reserve=1 --set reserve=2": "set twice",
    "--set boneyard=drow": "did you mean 'draw'?",
    "--set deal=15": "2 players × 15 tiles = 30, but double-6 has 28",
    "--set players=4 --set deal=8": "4 players × 8 tiles = 32, but double-6 has 28",
    "--set reserve=15": "reserve 15 is more than the boneyard",
    "--set misdeal=1 --set no_double=redeal": "accept no deal at all",
    "--players 15": "players must be a whole number from 2 to 14, not 15",
    "--players two": "--players must be a whole number, not 'two'",
    "--players 7": "pagat-draw is for 2, 3 or 4 players, not 7",
    "--metric blocked": "did you mean 'blocked_rate'?",
    "--format jsn": "did you mean 'json'?",
    "--variant 'a\x1b[31mb.toml'": r"are not allowed: 'a\x1b[31mb.toml' has U+001B",
    "--plot 'a\x07\nb'": r"a\x07\nb has no suffix",
    "--threads 0": "threads must be from 1",
    "--threads 1.5": "--threads must be a whole number, not '1.5'",
    "--seed -1": "seed must be a whole number from 0",
    "--seed 18446744073709551616": "seed must be a whole number from 0",
    "--confidence 95": "confidence must be between 0 and 1",
    "--confidence nan": "confidence must be between 0 and 1",
    "--confidence most": "--confidence must be a number, not 'most'",
    "--out file": "file is a file: name a folder",
    "--out file/folder": "file is a file",
    "--out folder": "holds other files (kept.txt)",
    "--plot run.gif": "choose from png, svg, pdf",
    "--plot run": "run has no suffix",
    "--rouns 5": "did you mean '--rounds'?",
    "--seed": "option '--seed' requires an argument",
    "more": "unexpected argument 'more'",
    "pagat-draw": "unexpected argument 'pagat-draw': did you mean --variant pagat-draw?",
    "mine.toml more": "unexpected argument 'mine.toml': did you mean --variant mine.toml?",
    "normal,random": "did you mean --strategy normal,random?",
    "reserve=0": "did you mean --set reserve=0?",
    "1e6": "did you mean -n 1e6?",
}


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_usage_is_one_line_before_anything_is_played(cli, tmp_path, monkeypatch, arguments):
    monkeypatch.setattr(library, "play", None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kept.txt").touch()
    code, out, err = cli("run", "-n", "1e13", *shlex.split(arguments))
    assert (code, out) == (2, "")
    assert re.fullmatch(r"simdom: .+\n", err)
    assert WRONG[arguments] in err
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")}
    assert left == {"file", "folder", "folder/kept.txt"}


@pytest.mark.parametrize(
    "count",
    [
        "0",
        "-5",
        "1.5",
        "abc",
        "1e30",
        "nan",
        "inf",
        "",
        "1e13.5",
        "10T",
        "1e-3",
        "10000000000001",
        "0x10",
        "1e999999999",
        "٣",
        "1 000",
        "1,00",
        "1,0000",
        ",100",
        "1000,000",
        "1,000.5",
        "1,000k",
        "1_",
        "1__0",
        "_1",
        "1_000_",
        "1_.5k",
        "1e",
        "1e3k",
        "1.",
        "1,0,0",
        "0,001",
        "+5",
        "5\u212a",  # the sign for kelvin, which is a k to some
        "\uff11",  # a one as wide as a Chinese character
    ],
)
def test_what_is_no_number_of_rounds(cli, count):
    code, out, err = cli("run", "-n", count)
    assert (code, out) == (2, "")
    assert re.fullmatch(rf"simdom: '{re.escape(count)}' is not a number of rounds: .+\n", err)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1e7", 10**7),
        ("1E+7", 10**7),
        ("10_000_000", 10**7),
        ("10,000,000", 10**7),
        ("1,234", 1234),
        ("10M", 10**7),
        ("5k", 5000),
        ("2.5k", 2500),
        ("0.5M", 500000),
        ("1.5e3", 1500),
        (" 7 ", 7),
        ("1e13", 10**13),
    ],
)
def test_ways_to_write_a_count(text, count):
    assert parse_count(text) == count


@given(st.integers(1, MOST_ROUNDS))
def test_any_count_reads_back(count):
    assert parse_count(str(count)) == parse_count(f"{count:_}") == count
    assert parse_count(f"{count:,}") == count
    assert parse_count(format_count(count)) == count


@given(st.text(max_size=12))
def test_a_count_is_read_or_refused(text):
    with suppress(UsageError):
        assert 1 <= parse_count(text) <= MOST_ROUNDS


def test_a_preset_with_a_wrong_type_and_one_with_an_unknown_key(cli, tmp_path):
    file = tmp_path / "mine.toml"
    for content, expected in {
        'title = "T"\nplayers = [2]\n[rules]\nreserve = "two"': "reserve must be",
        'title = "T"\nplayers = [2]\ntitel = "T"\n[rules]': "did you mean 'title'?",
    }.items():
        file.write_text(content)
        code, out, err = cli("run", "-n", "1e13", "--variant", str(file))
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"simdom: {file}: ")
        assert expected in err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["rum"], "unknown command 'rum': choose from run, match, show, referee, compare, "),
        (["rum"], "; did you mean 'run'?"),
        (["--verson"], "did you mean '--version'?"),
        (["bench", "pagat-drw"], "did you mean 'pagat-draw'?"),
        (["bench", "--seconds", "0"], "--seconds must be above 0"),
        (["bench", "--yardstick", "missing.cpp"], "there is no file missing.cpp"),
        (["variants", "pagat-drw"], "did you mean 'pagat-draw'?"),
        (["strategies", "nrmal"], "did you mean 'normal'?"),
        (["metrics", "blocked"], "did you mean 'blocked_rate'?"),
        (["variants", "--fromat", "json"], "choose from --players, --format, --help; "),
        (["bench", "draw-one", "--players", "3"], "draw-one is for 2 players, not 3"),
        (["bench", "--players", "11"], "no preset is for 11 players"),
    ],
)
def test_wrong_usage_of_other_commands(cli, arguments, expected):
    code, out, err = cli(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert expected in err


def test_metrics_are_listed_as_they_are_declared(cli):
    code, out, err = cli("metrics", "--format", "json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["schema"] == "simdom.metrics/1"
    assert [metric["name"] for metric in document["metrics"]] == list(ALL_METRICS)
    for metric in document["metrics"]:
        declared = ALL_METRICS[metric["name"]]
        assert (metric["unit"], metric["meaning"]) == (declared.unit, declared.doc)
        assert "{" not in metric["label"]
    assert (
        cli("metrics", "points", "--format", "markdown")[1]
        .splitlines()[4]
        .startswith("| points | points a round | Points | Points that the rules award")
    )
    lines = cli("metrics")[1].splitlines()
    assert max(map(len, lines)) <= 80
    assert "  plays: Tiles on the line when the round ends." in lines


# Failures.


def test_a_failed_run_is_one_line(cli, monkeypatch):
    def fail(*_, **__):
        raise RunError("the engine stopped")

    monkeypatch.setattr(library, "simulate", fail)
    assert cli("run") == (1, "", "simdom: the engine stopped\n")


def test_a_bug_is_one_line_and_a_traceback_on_request(cli, monkeypatch):
    def fail(*_, **__):
        raise ValueError("first line\nsecond line")

    monkeypatch.setattr(library, "simulate", fail)
    monkeypatch.delenv("SIMDOM_DEBUG", raising=False)
    line = "simdom: unexpected ValueError: first line (SIMDOM_DEBUG=1 shows where)\n"
    assert cli("run") == (1, "", line)
    monkeypatch.setenv("SIMDOM_DEBUG", "1")
    code, out, err = cli("run")
    assert (code, out) == (1, "")
    assert err.startswith("Traceback")
    assert err.endswith(line)


def test_usage_errors_show_their_traceback_on_request_too(cli, monkeypatch):
    monkeypatch.setenv("SIMDOM_DEBUG", "1")
    code, _, err = cli("run", "-n", "0")
    assert code == 2
    assert err.startswith("Traceback")


def test_ctrl_c_before_the_first_round(cli, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(library, "simulate", interrupt)
    assert cli("run") == (130, "", "simdom: interrupted\n")


def test_ctrl_c_leaves_a_whole_result_and_its_picture(cli, monkeypatch, tmp_path):
    def stop(_bar, done, _total):
        if done >= 10:
            raise KeyboardInterrupt

    monkeypatch.setattr("simdom.cli.progress.ProgressBar.__call__", stop)
    out, plot = tmp_path / "run", tmp_path / "run.svg"
    command = ("run", "-n", "5000", "--out", str(out), "--plot", str(plot), "--overwrite")
    assert cli(*command)[0] == 130
    assert json.loads((out / "result.json").read_bytes())["partial"]  # a new folder is saved
    kept = [plot, *(out / name for name in ("result.json", "metrics.csv", "tally.json"))]
    before = {path: path.stat().st_mtime_ns for path in kept}
    code, _, err = cli(*command)
    assert code == 130
    assert {path: path.stat().st_mtime_ns for path in kept} == before
    assert f"`simdom resume {out}` goes on" in err
    assert f"Not saved in {out}: what is there may be whole, and this is not." in err
    assert f"Not drawn in {plot}: what is there may be whole, and this is not." in err


@pytest.mark.parametrize("arguments", [["variants"], ["--help"], ["run", "-n", "10", "--quiet"]])
def test_a_reader_who_left_is_no_error(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*SIMDOM, *arguments], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


# Results.


def test_version_and_help(cli):
    assert cli("--version") == (0, f"simdom {simdom.__version__}\n", "")
    assert cli() == cli("--help")
    code, out, err = cli("run", "--help")
    assert (code, err) == (0, "")
    for option in ("--variant", "--set", "--players", "--strategy", "--seed", "--threads", "--out"):
        assert option in out


def test_the_document(run_json):
    document = run_json("-n", FEW, "--seed", "3", "--strategy", "normal,random")
    assert document["schema"] == "simdom.result/1"
    assert document["variant"] == "pagat-draw"
    assert document["strategies"] == ["normal", "random"]
    assert (document["seed"], document["rounds"]) == (3, int(FEW))
    assert list(document["metrics"]) == [name for name in METRICS if name != "team_win_rate"]
    assert "partial" not in document


@pytest.mark.parametrize("variant", ["pagat-draw", "pagat-block"])
def test_threads_change_no_byte_of_the_figures(run_json, variant):
    documents = [
        run_json("--variant", variant, "-n", FEW, "--threads", threads)
        for threads in ("1", "2", "1", "2", "7")
    ]
    figures = {json.dumps([d["metrics"], d["distributions"]]) for d in documents}
    assert len(figures) == 1


def test_the_command_repeats_the_run(run_json):
    first = run_json(
        *(
            "--variant",
            "pagat-block",
            "-n",
            FEW,
            "--players",
            "3",
            "--strategy",
            "normal,random,random",
        ),
        *("--set", "block_tie=split", "--set", "reserve=1"),
        *("--seed", "9", "--confidence", "0.9"),
    )
    words = shlex.split(first["command"])
    assert words[:2] == ["simdom", "run"]
    again = run_json(*words[2:])
    for key in ("rules", "strategies", "metrics", "distributions", "confidence", "command"):
        assert again[key] == first[key]


def test_the_command_quotes_what_a_shell_would_read(run_json, tmp_path):
    file = tmp_path / "my own; draw.toml"
    file.write_text('title = "T"\nplayers = [2]\n[rules]')
    document = run_json("-n", "10", "--variant", str(file))
    assert shlex.split(document["command"])[3] == str(file)


@pytest.mark.parametrize(
    ("arguments", "deal"),
    [
        ("--variant pagat-draw", 7),
        ("--variant pagat-draw --players 3", 7),
        ("--variant pagat-draw --players 4", 6),
        ("--variant household-draw --players 3", 5),
        ("--variant household-draw --players 4", 5),
        ("--variant pagat-draw --set max_pip=18 --players 14 --set deal=9", 9),
    ],
)
def test_the_deal_of_a_number_of_players(run_json, arguments, deal):
    assert run_json("-n", "20", *arguments.split())["rules"]["deal"] == deal


def test_formats_have_the_same_figures(cli, run_json):
    blocked = run_json("-n", FEW)["metrics"]["blocked_rate"]
    rows = cli("run", "-n", FEW, "--format", "csv")[1].splitlines()
    assert rows[0] == "metric,seat,estimate,se,low,high,count,sd"
    row = next(row for row in rows if row.startswith("blocked_rate,")).split(",")
    assert (float(row[2]), int(row[6])) == (blocked["estimate"], blocked["count"])
    shown, _ = format_parts(Estimate(**blocked), "rate")
    for output_format in ("table", "markdown"):
        code, out, err = cli("run", "-n", FEW, "--format", output_format)
        assert (code, err) == (0, "")
        assert shown in out


def test_only_the_metrics_that_were_asked_for(cli, run_json):
    arguments = ("-n", FEW, "--metric", "plays", "-m", "blocked_rate")
    document = run_json(*arguments)
    assert list(document["metrics"]) == ["plays", "blocked_rate"]
    assert document["command"].endswith(" --metric plays --metric blocked_rate")
    rows = cli("run", *arguments, "--format", "csv")[1].splitlines()
    assert [row.split(",")[0] for row in rows] == ["metric", "plays", "blocked_rate"]
    out = cli("run", *arguments)[1]
    assert "Tiles played" in out
    assert "First reply" not in out


def test_out_and_plot(cli, tmp_path):
    folder, plot = tmp_path / "new" / "result", tmp_path / "run.svg"
    arguments = ("run", "-n", FEW, "--out", str(folder), "--plot", str(plot), "--format", "json")
    code, out, err = cli(*arguments)
    assert code == 0
    assert err.removeprefix(COMPILING) == f"Saved in {folder}.\nDrawn in {plot}.\n"
    assert {path.name for path in folder.iterdir()} == {
        *("result.json", "metrics.csv", "tally.json", "plot.png")
    }
    assert (folder / "result.json").read_text(encoding="utf-8") == out
    assert simdom.load_result(folder).rounds == int(FEW)
    assert b"<svg" in plot.read_bytes()
    code, out, err = cli(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "already holds a result" in err
    assert cli(*arguments, "--overwrite", "--quiet")[::2] == (0, "")


def test_figures_are_printed_even_if_they_cannot_be_saved(cli, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise RunError("the disk is full")

    monkeypatch.setattr(simdom.RunFolder, "finish", fail)
    code, out, err = cli(
        "run", "-n", "10", "--out", str(tmp_path / "r"), "--format", "csv", "--quiet"
    )
    assert (code, err) == (1, "simdom: the disk is full\n")
    assert out.startswith("metric,")


def test_compiling_is_announced_after_a_while(cli, monkeypatch):
    announced = threading.Event()
    longrun, driver = sys.modules["simdom.cli.longrun"], sys.modules["simdom.running.driver"]
    monkeypatch.setattr(longrun, "note", lambda *_, **__: announced.set())
    monkeypatch.setattr(driver, "PATIENCE_SECONDS", 0.0)
    tally_rounds = library.tally_rounds

    def compile_slowly(study, start, stop):
        assert announced.wait(timeout=60)
        return tally_rounds(study, start, stop)

    monkeypatch.setattr(library, "tally_rounds", compile_slowly)
    assert cli("run", "-n", "10")[0] == 0
