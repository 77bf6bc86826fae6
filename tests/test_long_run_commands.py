"""Options of long runs on the command line: what is printed, saved, refused."""

import json
import re
import shlex
import subprocess
import sys

import pytest

import simdom
from commands import SIMDOM, names_in, one_line
from scale import IS_COMPILED
from simdom.cli import main
from simdom.cli.progress import ProgressBar
from simdom.errors import UsageError
from simdom.executors.threads import ThreadsExecutor
from simdom.resuming import resume
from simdom.running import driver
from simdom.running.stopping import Look

FEW = ("-n", "300")


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    if not IS_COMPILED:
        monkeypatch.setattr(driver, "FIRST_LOOK", 50)


@pytest.fixture
def cli(capsys):
    def call(*arguments):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        return ended.value.code, *capsys.readouterr()

    return call


def test_until_is_told_in_the_table_and_in_the_document(cli):
    code, out, _ = cli("run", "--until", "points=1.5", "--seed", "3", "--quiet")
    assert code == 0
    assert "  Precision     points to ±1.5: reached.\n" in out
    command = shlex.split(out.split("To repeat it:\n")[1].replace("\\\n", ""))
    again = json.loads(cli(*command[1:], "--format", "json", "-q")[1])
    document = json.loads(
        cli("run", "--until", "points=1.5", "--seed", "3", "-q", "--format", "json")[1]
    )
    assert (document["until"], document["reached"]) == ({"points": 1.5}, True)
    assert document["metrics"] == again["metrics"]


def test_what_was_not_reached_is_said(cli):
    arguments = ("--until", "points=1e-5", "--until", "plays=5", "--max-rounds", "300")
    code, out, err = cli("run", *arguments)
    assert code == 0
    assert "points to ±1e-05, plays to ±5: not reached." in out
    line = err.splitlines()[-1]
    assert re.fullmatch(r"points ± 1\.\d, 1e-05 wanted; about [\d,]+ more rounds", line)


def test_the_time_is_over(cli, tmp_path):
    folder = tmp_path / "kept"
    arguments = ("-n", "1e12", "--max-time", "0.000001s", "--out", str(folder), "--format", "json")
    code, out, err = cli("run", *arguments)
    assert code == 0
    document = json.loads(out)
    assert document["partial"]
    rounds = document["rounds"]
    assert err.splitlines()[-1] == (
        f"The time is over after {rounds:,} rounds; `simdom resume {folder}` goes on."
    )
    code, out, _ = cli("resume", str(folder), "--max-rounds", str(rounds + 5), "--format", "json")
    assert code == 0
    assert (
        json.loads(out)["metrics"]
        == json.loads(cli("run", "-n", str(rounds + 5), "--format", "json")[1])["metrics"]
    )


@pytest.mark.parametrize(
    ("command", "names"),
    [
        (["run", *FEW], 4),
        (["match", "-n", "30", "--target", "20"], 4),
        (["compare", "pagat-draw", "pagat-block", *FEW], 4),
        (["compare", "--match", "pagat-draw", "pagat-block", "-n", "20"], 4),
        (["effects", "--toggle", "reserve=1,3", *FEW], 4),
        (["duel", "normal", "random", *FEW], 4),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else None,
)
def test_every_command_keeps_its_run_and_prints_it_again(cli, tmp_path, command, names):
    folder = tmp_path / "kept"
    code, out, err = cli(*command, "--out", str(folder), "--format", "json")
    assert (code, err.splitlines()[-1]) == (0, f"Saved in {folder}.")
    assert len(names_in(folder)) == names
    assert (folder / "result.json").read_text() == out
    assert (folder / "plot.png").read_bytes().startswith(b"\x89PNG")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    code, again, err = cli("resume", str(folder), "--format", "json")
    assert code == 0
    assert err == f"{folder} is finished, so nothing was played: --extend N adds to it.\n"
    for document in (first := json.loads(out)), (second := json.loads(again)):
        for name in {"seconds", "rounds_per_second", "threads"} & document.keys():
            del document[name]
    assert first == second
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    code, _, err = cli(*command, "--out", str(folder))
    assert (code, err.count("\n")) == (2, 1)
    assert "already holds a result" in err
    code, out, _ = cli("resume", str(folder), "--extend", "7", "--quiet")
    assert code == 0
    assert "To repeat it" in out


def test_records_are_named_and_not_replaced(cli, tmp_path):
    file = tmp_path / "rounds.parquet"
    code, _, err = cli("run", *FEW, "--records", str(file))
    assert (code, err.splitlines()[-1]) == (0, f"Recorded in {file}.")
    code, out, err = cli("run", *FEW, "--records", str(file))
    assert (code, out) == (2, "")
    assert err.startswith(f"simdom: {file} exists: name a new file")
    assert cli("run", *FEW, "--records", str(file), "--overwrite", "-q")[0] == 0
    assert cli("match", "-n", "5", "--target", "20", "--records", str(file), "--overwrite")[0] == 0


def test_pieces_are_merged(cli, tmp_path):
    one, two, both = (str(tmp_path / name) for name in ("one", "two", "both"))
    assert cli("run", "-n", "100", "--out", one, "-q")[0] == 0
    assert cli("run", "-n", "50", "--first", "100", "--out", two, "-q")[0] == 0
    code, out, err = cli("results", "merge", two, one, "--out", both, "--format", "json")
    assert (code, err) == (0, f"Saved in {both}.\n")
    whole = json.loads(cli("run", "-n", "150", "--format", "json")[1])
    merged = json.loads(out)
    assert merged["metrics"] == whole["metrics"]
    assert merged["command"] == whole["command"]
    assert len(names_in(tmp_path / "both")) == 4
    code, out, err = cli("results", "merge", one, one)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "overlap" in err


WRONG = {
    "run --until points": "--until must be METRIC=HALF-WIDTH",
    "run --until point=1": "did you mean 'points'?",
    "run --until comeback_rate=1": "unknown metric for until 'comeback_rate'",
    "run -n 10 --until points=1": "-n says how many to play and --until how sure to be",
    "run --max-rounds 10": "--max-rounds goes with --until; -n says how many to play",
    "run --max-time soon": "'soon' is not a length of time",
    "run --executor clouds": "unknown executor 'clouds': choose from threads, serial, dask",
    "run --executor thread": "did you mean 'threads'?",
    "run --scheduler tcp://x:1": "--scheduler is for --executor dask",
    "run --executor serial --threads 2": "--threads is for --executor threads, not for serial",
    "run --executor dask --workers 0": "--workers must be from 1 to",
    "run --workers two": "--workers must be a whole number, not 'two'",
    "run --first -1": "--first must be a whole number from 0 to 1e13, such as 0 or 5e6, not '-1'",
    "run --first 1e14": "--first must be a whole number from 0 to 1e13",
    "run -n 10 --records rounds.csv": "name a file .parquet",
    "match --until points=1": "unknown metric for until 'points'",
    "compare pagat-draw pagat-block --until x=1": "unknown metric for until 'x'",
    "effects --until plays=1 --until x=2": "unknown metric for until 'x'",
    "duel normal random --until points=1": "metric for until 'points': choose from win_rate, ",
    "resume": "missing argument 'DIR'",
    "resume nowhere": "nowhere is no folder that a run was kept in",
    "resume nowhere --extend 1 --max-rounds 2": "--extend adds rounds and --max-rounds is",
    "results merge": "missing argument 'DIR...'",
    "results merge one": "1 piece to put together: give at least 2 folders",
}


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_usage_is_one_line(cli, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ThreadsExecutor, "play", pytest.fail)  # nothing is played
    code, out, err = cli(*shlex.split(arguments))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert WRONG[arguments] in err
    assert names_in(tmp_path) == []


def test_metrics_that_a_kept_run_has_not(cli, tmp_path):
    assert cli("run", *FEW, "--out", str(tmp_path / "run"), "-q")[0] == 0
    assert cli("duel", "normal", "random", *FEW, "--out", str(tmp_path / "duel"), "-q")[0] == 0
    for arguments, told in [
        (("run", "-m", "pionts"), "did you mean 'points'?"),
        (("duel", "-m", "points"), "--metric is for runs, matches and comparisons, not for duel"),
    ]:
        code, out, err = cli("resume", str(tmp_path / arguments[0]), *arguments[1:])
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert told in err


def test_a_damaged_checkpoint_is_one_line(cli, tmp_path):
    folder = tmp_path / "kept"
    cli("run", *FEW, "--out", str(folder), "-q")
    (folder / "tally.json").write_text("{")
    code, out, err = cli("resume", str(folder), "--extend", "1e3")
    assert (code, out) == (2, "")
    assert err == f"simdom: {folder / 'tally.json'} is no checkpoint: it was cut short or changed\n"


def test_the_bar_names_what_is_furthest(monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with ProgressBar(quiet=False) as bar:
        bar.see(Look(100, "points", 0.5, 0.1, 2400.0))
        bar(100, 2500)
        task = bar._bar.tasks[0]
        assert (task.completed, task.total) == (100, 2500)
        assert task.fields["rate"].startswith("points ±0.5 of ±0.1  ")
        bar(200, 1800)  # it is less than it seemed
        assert bar._bar.tasks[0].total == 1800


def test_hints_can_be_pasted_into_a_shell(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, written in [("a $(b)", "'a $(b)'"), ("-c", "./-c")]:
        _, _, err = cli(
            "run", "-n", "1e12", "--max-time", "0.000001s", f"--out={name}", "-m", "plays"
        )
        assert err.splitlines()[-1].endswith(f"; `simdom resume {written}` goes on.")


def test_a_run_that_was_kept_can_be_put_elsewhere(tmp_path):
    """Nothing in a checkpoint hangs on the folder that it is in."""
    simdom.simulate("pagat-draw", 100, checkpoint=tmp_path / "one")
    (tmp_path / "one").rename(tmp_path / "two")
    assert resume(tmp_path / "two", extend=20).metrics == simdom.simulate("pagat-draw", 120).metrics
    with pytest.raises(UsageError) as raised:
        resume(tmp_path / "one")
    assert one_line(raised).endswith("is no folder that a run was kept in")


def test_resume_tells_ctrl_c_from_the_end(tmp_path):
    done = subprocess.run(
        [*SIMDOM, "run", *FEW, "--out", str(tmp_path / "kept"), "-q", "--format", "csv"],
        capture_output=True,
        text=True,
        check=True,
    )
    again = subprocess.run(
        [*SIMDOM, "resume", str(tmp_path / "kept"), "--format", "csv"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert again.stdout == done.stdout
