"""What ``simdom sweep`` prints, saves and refuses."""

import csv
import io
import json
import shlex
import sys
from pathlib import Path

import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from simdom.cli.sweep import sweep
from simdom.errors import ExecutorError, RunError, UsageError
from simdom.grids.folder import user_folder
from simdom.grids.plan import load_study
from simdom.presets import preset_names

module = sys.modules["simdom.cli.sweep"]  # the name in the package is the command

BLOCK = ("--variant", "pagat-block", "--grid", "deal=6,13", "--grid", "players=2,3", "-n", "80")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run ``simdom sweep`` with these arguments; its standard output, or both of its streams."""
    app = typer.Typer(rich_markup_mode=None)
    app.command()(sweep)
    monkeypatch.setenv("SIMDOM_CELLS", str(tmp_path / "cells"))

    def call(*arguments, columns=80, both=False):
        result = CliRunner(env={"COLUMNS": str(columns)}).invoke(app, arguments)
        if result.exception:
            raise result.exception
        return (result.stdout, result.stderr) if both else result.stdout

    return call


def test_the_table_fits_a_terminal(run):
    text, notes = run(*BLOCK, both=True)
    *lines, command = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "pagat-block (random) by deal and players"
    assert lines[1].startswith("Blocked: ")
    head = lines.index(next(line for line in lines if line.startswith("deal  players  Blocked")))
    rows = [line.split() for line in lines[head + 1 : head + 5]]
    assert [row[:2] for row in rows] == [["6", "2"], ["6", "3"], ["13", "2"], ["13", "3"]]
    assert rows[3][2:] == ["skipped"]
    assert text.count("deal=13, players=3: 3 players × 13 tiles = 39") == 1
    assert "not corrected for the number of cells" in text
    assert command == (
        "simdom sweep --variant pagat-block --grid deal=6,13 --grid players=2,3 -n 80 "
        "--strategy random --seed 1"
    )
    assert notes == "4 cells of 80 rounds: 1 skipped, 3 to play (240 rounds).\n"


def test_only_the_result_is_on_standard_output_and_it_stays_the_same(run):
    first, _ = run(*BLOCK, both=True)
    again, notes = run(*BLOCK, both=True)
    assert again == first
    assert notes == "4 cells of 80 rounds: 1 skipped, 3 kept from before.\n"
    quiet, notes = run(*BLOCK, "--quiet", "--fresh", both=True)
    assert (quiet, notes) == (first, "")


def test_a_narrow_terminal_shows_what_fits_and_says_what_does_not(run):
    text = run(*BLOCK, columns=50)
    assert max(map(len, text.split("To repeat it")[0].splitlines())) <= 50
    assert "Tiles" not in text
    assert "plays: say --metric plays, or use a wider" in text
    everything = run(
        *BLOCK, "-m", "points", "-m", "blocked_rate", "-m", "opener_win_rate", "-m", "plays",
        columns=50,
    )  # fmt: skip
    assert everything.count("The same cells") == 1
    assert "Tiles" in everything.split("The same cells")[1]


def test_json(run):
    document = json.loads(run(*BLOCK, "--format", "json", "-m", "points"))
    assert document["schema"] == "simdom.sweep/1"
    assert [cell["status"] for cell in document["cells"]] == ["done"] * 3 + ["skipped"]
    assert set(document["cells"][0]["metrics"]) == {"points"}
    assert set(document["cells"][0]["metrics"]["points"]) >= {"estimate", "se", "low", "high"}


def test_csv_and_markdown(run):
    rows = list(csv.DictReader(io.StringIO(run(*BLOCK, "--format", "csv", "-m", "points"))))
    assert [row["status"] for row in rows] == ["done"] * 3 + ["skipped"]
    text = run(*BLOCK, "--format", "markdown", "-m", "points")
    assert text.startswith("## pagat-block (random) by deal and players\n\n| deal | players | Poi")
    assert "| 13 | 3 | skipped |" in text
    assert text.endswith("--metric points\n```\n")


def test_the_command_gives_the_same_again(run):
    options = "--seed 7 --set block_score=others --confidence 0.9 --strategy normal -m points"
    made = json.loads(run(*BLOCK, *options.split(), "--format", "json"))
    _, _, *arguments = shlex.split(made["command"])
    again = json.loads(run(*arguments, "--format", "json", "--fresh", "--threads", "1"))
    for key in ("cells", "grid", "variant", "strategy", "set", "seed", "command"):
        assert made[key] == again[key]


def test_files_and_a_picture_besides(run, tmp_path):
    out, plot = tmp_path / "o" / "grid.parquet", tmp_path / "grid.svg"
    _, notes = run(*BLOCK, "--out", str(out), "--plot", str(plot), both=True)
    assert list(pd.read_parquet(out)["deal"].unique()) == [6, 13]
    assert plot.read_bytes().startswith(b"<?xml")
    assert notes.splitlines()[1:] == [f"Saved in {out}.", f"Drawn in {plot}."]


def test_a_file_in_the_way_is_not_replaced_unless_asked(run, tmp_path):
    out = tmp_path / "grid.csv"
    out.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"grid\.csv already holds a result: name a new file, or"):
        run(*BLOCK, "--out", str(out))
    assert out.read_text(encoding="utf-8") == "mine"
    run(*BLOCK, "--out", str(out), "--overwrite")
    assert out.read_text(encoding="utf-8").startswith("deal,players,metric")


def test_help_lists_the_studies_and_where_cells_are(run):
    text = run("--help", columns=120)
    for name in preset_names("studies"):
        assert f"  {name:<17} {load_study(name).title}\n" in text
    folder = str(user_folder()).replace(str(Path.home()), "~")
    assert folder in text.replace("\n", " ")


def test_cells_are_kept_where_it_is_said(run, tmp_path):
    run(*BLOCK, "--cells", str(tmp_path / "mine"))
    assert len([*(tmp_path / "mine").rglob("*.json")]) == 3
    assert not (tmp_path / "cells").exists()


def test_a_study_and_what_is_said_beside_it(run, tmp_path):
    study = tmp_path / "my.toml"
    study.write_text(
        'title = "My study"\ndescription = "What\\n it is for."\n'
        'variant = "pagat-block"\nrounds = 70\nseed = 4\n'
        'strategy = "normal"\nmetrics = ["plays"]\n[grid]\ndeal = "5..7"\n',
        encoding="utf-8",
    )
    text = run(str(study))
    assert text.startswith("My study\nTiles played: ")
    assert text.endswith(
        "sweep --title 'My study' --variant pagat-block --grid deal=5,6,7 -n 70 "
        "--strategy normal --seed 4 --metric plays\n"
    )
    assert "\nWhat the study is about\n  What it is for.\n" in text
    _, _, *arguments = shlex.split(text.splitlines()[-1])
    assert run(*arguments).startswith("My study\nTiles played: ")
    beside = (
        "--title Ours --seed 1 --strategy random -m points --variant pagat-draw --players 3 -n 60"
    )
    text = run(str(study), *beside.split(), "--grid", "deal=5")
    assert text.startswith("Ours\nPoints: ")
    assert text.endswith(
        "--title Ours --variant pagat-draw --players 3 --grid deal=5 -n 60 "
        "--strategy random --seed 1 --metric points\n"
    )


def stop_after_a_cell(_bar, done, _total):
    if done > 80:
        raise KeyboardInterrupt


def test_ctrl_c_leaves_a_whole_sweep_and_its_picture(monkeypatch, tmp_path):
    out, plot = tmp_path / "whole.csv", tmp_path / "whole.svg"
    app = typer.Typer(rich_markup_mode=None)
    app.command()(sweep)
    monkeypatch.setattr(module._CellBar, "__call__", stop_after_a_cell)
    arguments = [*BLOCK, "--fresh", "--out", str(out), "--plot", str(plot), "--overwrite"]
    assert CliRunner().invoke(app, arguments).exit_code == 130
    assert "not played" in out.read_text(encoding="utf-8")  # a new file is saved
    out.write_text("whole", encoding="utf-8")
    plot.write_text("whole", encoding="utf-8")
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 130
    assert out.read_text(encoding="utf-8") == plot.read_text(encoding="utf-8") == "whole"
    assert f"Not saved in {out}: what is there may be whole" in result.stderr
    assert f"Not drawn in {plot}: what is there may be whole" in result.stderr


def test_a_file_that_goes_is_a_failure_with_the_finished_cells(monkeypatch, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('title = "Mine"\nplayers = [2]\n[rules]\nreserve = 1\n', encoding="utf-8")

    def remove(_bar, done, _total):
        if done == 10:
            file.unlink()

    monkeypatch.setattr(module._CellBar, "__call__", remove)
    app = typer.Typer(rich_markup_mode=None)
    app.command()(sweep)
    arguments = ["--variant", str(file), "-g", "deal=5,6", "-n", "10", "--format", "csv"]
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, RunError)
    assert str(result.exception).endswith("no such file; the figures are of 1 of 2 cells")
    assert "done" in result.stdout


def test_an_empty_name_is_not_the_current_folder(run):
    with pytest.raises(UsageError, match="cells must be the path of a folder, not ''"):
        run(*BLOCK, "--cells", "")


def test_ctrl_c_prints_the_finished_cells(run, monkeypatch):
    def stop(_bar, done, total):
        assert total == 3 * 80
        if done >= 2 * 80:
            raise KeyboardInterrupt

    with monkeypatch.context() as pressed:
        pressed.setattr(module._CellBar, "__call__", stop)
        app = typer.Typer(rich_markup_mode=None)
        app.command()(sweep)
        result = CliRunner().invoke(app, [*BLOCK, "--format", "csv", "-m", "points"])
    assert result.exit_code == 130
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [row["status"] for row in rows] == ["done", "done", "not played", "skipped"]
    assert result.stderr.splitlines()[1:2] == [
        "simdom: interrupted after 2 of 4 cells; the same command goes on from there"
    ]
    _, notes = run(*BLOCK, both=True)
    assert notes == "4 cells of 80 rounds: 1 skipped, 2 kept from before, 1 to play (80 rounds).\n"


def test_the_bar_says_which_cell_is_played():
    class Plan:
        matches = False

    bar = module._CellBar(Plan, quiet=True)
    units = []
    for cell in (1, 2, 3):
        bar.begin(cell, 3)
        units.append(bar._unit)
    assert units == ["rounds/s, cell 1 of 3", "rounds/s, cell 2 of 3", "rounds/s, cell 3 of 3"]


def test_how_sure_instead_of_how_many(run, monkeypatch):
    monkeypatch.setattr("simdom.running.driver.FIRST_LOOK", 100)
    sure = ("-v", "pagat-block", "-g", "deal=1,7", "--until", "blocked_rate=0.06", "-m", "points")
    text, notes = run(*sure, "--max-rounds", "120", both=True)
    assert notes == (
        "2 cells, to know blocked_rate to ±0.06, with at most 120 rounds each: 2 to play.\n"
    )
    lines = text.splitlines()
    rows = [line.split()[:2] for line in lines if line.startswith(("1 ", "7 "))]
    assert rows == [["1", "100"], ["7", "120"]]
    assert max(map(len, lines[:-1])) <= 80
    assert "Less sure than asked: there were too few rounds\n  deal=7: blocked_rate ± 0.0" in text
    assert " --until blocked_rate=0.06 --max-rounds 120 --strategy" in lines[-1]
    _, _, *again = shlex.split(lines[-1])
    assert run(*again) == text


def test_where_it_is_played(run):
    assert run(*BLOCK, "--executor", "serial") == run(*BLOCK, "--fresh")


def test_the_time_is_over(run):
    asked = [argument if argument != "80" else "2000" for argument in BLOCK]
    text, notes = run(*asked, "--max-time", "1e-9", both=True)
    assert notes.splitlines()[-2].startswith("Kept unfinished: deal=6, players=2, ")
    assert notes.splitlines()[-1] == (
        "The time is over after 0 of 4 cells: 3 are missing; the same command goes on from there."
    )
    assert text.splitlines()[1] == "No cell is finished yet."
    _, notes = run(*asked, "--fresh", "--max-time", "1e-9", "--plot", "a.png", both=True)
    assert notes.splitlines()[-2:] == [
        "Not drawn in a.png: no cell is finished.",
        "The time is over after 0 of 4 cells: 3 are missing.",
    ]
    _, notes = run(*asked, both=True)
    assert "Gone on with: deal=6, players=2, from " in notes


def test_a_cluster_that_is_gone_is_a_failure_with_the_finished_cells(tmp_path, monkeypatch):
    def fail(bar, _done, _total):
        if bar._unit.endswith("cell 2 of 3"):
            raise ExecutorError("the cluster is gone")

    monkeypatch.setattr(module._CellBar, "__call__", fail)
    app = typer.Typer(rich_markup_mode=None)
    app.command()(sweep)
    arguments = [*BLOCK, "--format", "csv", "--cells", str(tmp_path)]
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, RunError)
    assert str(result.exception) == (
        "the cluster is gone; the figures are of 1 of 4 cells; the same command goes on from there"
    )
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert {row["status"] for row in rows} == {"done", "not played", "skipped"}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "grid deal=5,6,7, or name a study: block-hands, draw-reserve, one-plays-better"),
        ((*BLOCK, "--title", "a\x1b[2J"), "control characters are not allowed"),
        (("--grid", "deal=five"), "deal must be a whole number from 1 to 95, not 'five'"),
        (("--grid", "deal="), "axis deal has no values"),
        (("--grid", "deal=1..50", "--grid", "reserve=0..99", "--grid", "players=2..11",
          "--grid", "misdeal=0..19"), "a grid of 1,000,000 cells"),
        (("--grid", "deal=5", "--grid", "deal=6"), "axis deal is given twice"),
        (("--grid", "deal=5,6", "--set", "deal=7"), "deal is both an axis"),
        (("--grid", "players=2,3", "--players", "3"), "players is both an axis"),
        (("--grid", "deal=40"), "no round can be played in the cell; deal=40"),
        (("pagat-draw", "--grid", "deal=5"), "write --variant pagat-draw"),
        ((*BLOCK, "--format", "jsn"), "unknown format 'jsn'"),
        ((*BLOCK, "--metric", "pionts"), "unknown metric 'pionts'.*mean 'points'"),
        ((*BLOCK, "--plot", "g.gif"), "unknown plot format 'gif'"),
        ((*BLOCK, "--plot", "g.png", "-m", "seat_win_rate"), "seat_win_rate is by seat"),
        ((*BLOCK, "--plot", "g.png", "--grid", "misdeal=0,5", "--grid", "blank_pips=0,25"),
         "a plot of 4 axes"),
        ((*BLOCK, "--out", "g.xls"), "unknown file format 'xls'"),
        ((*BLOCK, "--cells", "/dev/null"), "/dev/null is a file"),
        ((*BLOCK, "--threads", "0"), "threads must be from 1"),
        ((*BLOCK, "--confidence", "1"), "confidence must be between 0 and 1"),
        ((*BLOCK, "--until", "points=1"), "-n says how many to play and --until how sure to be"),
        ((*BLOCK, "--max-rounds", "9"), "--max-rounds goes with --until"),
        ((*BLOCK[:-2], "--until", "pionts=1"), "unknown metric for until .*mean 'points'"),
        ((*BLOCK[:-2], "--until", "points"), "--until must be METRIC=HALF-WIDTH"),
        ((*BLOCK[:-2], "--until", "seat_win_rate[2]=0.1"), "there is not where deal=6, players=2"),
        ((*BLOCK, "--max-time", "soon"), "'soon' is not a length of time"),
        ((*BLOCK, "--executor", "daks"), "unknown executor 'daks'.*mean 'dask'"),
        ((*BLOCK, "--workers", "2"), "--workers is for --executor dask, not for threads"),
        ((*BLOCK, "--scheduler", "tcp://a:1"), "--scheduler is for --executor dask"),
        ((*BLOCK, "--executor", "serial", "--threads", "1"), "--threads is for --executor threads"),
    ],
)  # fmt: skip
def test_what_was_asked_wrongly(run, arguments, complaint):
    with pytest.raises(UsageError, match=complaint) as error:
        run(*arguments)
    assert error.value.exit_code == 2
    assert "\n" not in str(error.value)
