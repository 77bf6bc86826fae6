"""Sweeps that take long: on any executor, until enough is known, broken off and gone on with."""

import csv
import io
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

import simdom
from simdom.errors import ExecutorError, RunError, UsageError
from simdom.executors.serial import SerialExecutor
from simdom.grids import playing
from simdom.grids.cells import CellStore, Precision, check_played, key_of
from simdom.grids.plan import load_study
from simdom.grids.sweep import sweep
from simdom.grids.unfinished import CellFolder
from simdom.matches import simulate_matches
from simdom.running import driver
from simdom.running.folder import RunFolder
from simdom.running.stopping import half_width
from simdom.simulate import simulate, study_of

ROUNDS = 1500  # more than the first chunks, which are of 10, of at most 100 and 1,000 rounds
GRID = {"deal": "6,7"}
SURE = {"blocked_rate": 0.06}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder of cells; checkpoints after every chunk; early looks, for few rounds to do."""
    monkeypatch.setenv("SIMDOM_CELLS", str(tmp_path / "cells"))
    monkeypatch.setenv("SIMDOM_CHECKPOINT_SECONDS", "0")
    monkeypatch.setattr(driver, "FIRST_LOOK", 100)
    return tmp_path / "cells"


def block(**options):
    return sweep(**{"variant": "pagat-block", "grid": GRID, "rounds": ROUNDS, **options})


def press_at(rounds):
    """Ctrl-C once so many rounds are played, of all cells together."""

    def progress(done, _total):
        if done >= rounds:
            raise KeyboardInterrupt

    return progress


def unfinished(folder):
    there = folder / "unfinished"
    return sorted(there.iterdir()) if there.exists() else []


def figures(found):
    return [(cell.result.rounds, cell.result.metrics) for cell in found.cells]


# --- executors ----------------------------------------------------------------------------------


def test_cells_are_the_same_on_any_executor():
    here = block(executor=SerialExecutor())
    there = block(threads=2, fresh=True)
    assert here.to_dict()["cells"] == there.to_dict()["cells"]
    assert (here.threads, there.threads) == (1, 2)
    assert block(executor=SerialExecutor()).kept == 2


class Failing(SerialExecutor):
    """A cluster that is gone when the first chunk of some cell is played."""

    def __init__(self, cells):
        self.left = cells

    def play(self, work, chunks):
        for chunk in chunks:
            if chunk.start and not self.left:
                raise ExecutorError("the cluster is gone")
            self.left -= chunk.start == 0
            yield work(chunk)


def test_a_cluster_that_is_gone_leaves_finished_cells_and_a_checkpoint(folder):
    notes = []
    with pytest.raises(ExecutorError, match="the cluster is gone") as raised:
        block(rounds=100, executor=Failing(2), on_note=notes.append)
    swept = raised.value.result
    assert [cell.status for cell in swept.cells] == ["done", "not played"]
    assert notes[-1].startswith("Kept unfinished: deal=7, ")
    assert len(unfinished(folder)) == 1
    assert block(rounds=100).kept == 1
    with pytest.raises(ExecutorError) as raised:
        block(seed=2, executor=Failing(1))
    assert raised.value.result is None
    with pytest.raises(UsageError, match="executor must be a dask Client or"):
        block(executor=5)


# --- until --------------------------------------------------------------------------------------


def test_each_cell_is_played_until_its_own_figures_are_known():
    grid = {"deal": "3,7"}
    found = block(grid=grid, rounds=None, until=SURE)
    for cell, deal in zip(found.cells, (3, 7), strict=True):
        alone = simulate("pagat-block", overrides={"deal": deal}, until=SURE)
        assert (cell.result.rounds, cell.result.metrics) == (alone.rounds, alone.metrics)
        assert cell.result.reached
    least, most = sorted(result.rounds for result in found.results)
    assert least < most
    assert f"{least:,} to {most:,} rounds a cell (asked for blocked_rate to ±0.06: " in found.made
    assert "reached in all)" in found.made
    assert found.command == (
        "simdom sweep --variant pagat-block --grid deal=3,7 --until blocked_rate=0.06 "
        "--strategy random --seed 1"
    )
    assert not any("Less sure" in heading and lines for heading, lines in found.notes)


def test_every_form_says_how_many_rounds_a_cell_has_and_whether_that_is_enough():
    found = block(grid={"deal": "1,7"}, rounds=120, until=SURE, metrics=["points"])
    sure, unsure = found.results  # nobody blocks a round of one tile each for long
    assert (sure.reached, unsure.reached, unsure.rounds) == (True, False, 120)
    assert [row[:2] for row in found.rows(found.columns())] == [("1", "100"), ("7", "120 (bound)")]
    (line,) = dict(found.notes)["Less sure than asked: there were too few rounds"]
    assert line.startswith("deal=7: blocked_rate ± 0.08")
    assert "with at most 120 rounds: reached in 1 of 2 cells" in found.made
    document = found.to_dict()
    assert (document["until"], document["max_rounds"]) == (SURE, 120)
    assert "rounds" not in document
    told = [(cell["rounds"], cell["reached"]) for cell in document["cells"]]
    assert told == [(100, True), (120, False)]
    rows = [*csv.DictReader(io.StringIO(found.to_csv()))]
    assert [(row["rounds"], row["reached"]) for row in rows] == [("100", "True"), ("120", "False")]
    assert list(rows[0]) == list(found.to_frame().columns)
    wide = found.to_frame(wide=True)
    assert (list(wide["rounds"]), list(wide["reached"])) == ([100, 120], [True, False])
    for text in (found.to_markdown(), str(found), found._repr_html_()):
        assert "120 (bound)" in text
    assert "reached in 1 of 2" in found.to_plot().small_print[0]


def test_of_matches():
    until = {"shutout_rate": 0.2}
    found = sweep(variant="pagat-block", grid={"players": [2]}, target=20, matches=150, until=until)
    (result,) = found.results
    alone = simulate_matches("pagat-block", 150, target=20, until=until)
    assert (result.matches, result.metrics) == (alone.matches, alone.metrics)
    assert found.heads == ("players", "Matches")
    assert found.to_dict()["cells"][0]["matches"] == result.matches
    assert list(found.to_frame(["points_per_match"])["matches"]) == [result.matches]
    assert sweep(
        variant="pagat-block", grid={"players": [2]}, target=20, matches=150, until=until
    ).kept


def test_cells_of_rounds_and_of_precision_are_never_taken_for_each_other():
    sure = block(until=SURE)
    rounds = sure.results[0].rounds
    assert block(rounds=rounds).kept == 0
    assert block(until=SURE).kept == 2
    assert block(until=SURE).results == sure.results
    assert block(until=SURE, rounds=ROUNDS + 1).kept == 0
    assert block(until=SURE | {"points": 1}).kept == 0
    at_90 = block(until=SURE, confidence=0.9)
    assert at_90.kept == 0
    assert at_90.results[0].rounds < rounds


def test_a_result_that_is_less_sure_than_it_says_is_refused():
    study = study_of(simdom.load_variant("pagat-block").rules(), "random", 1)
    result = simulate("pagat-block", until=SURE)
    precision = Precision(SURE, 0.95)
    check_played(result, study, ROUNDS, None, precision)
    for other, what in (
        (None, "precision"),
        (Precision({"points": 1}, 0.95), "precision"),
        (Precision(SURE, 0.9), "confidence"),
    ):
        with pytest.raises(UsageError, match=f"other {what}"):
            check_played(result, study, ROUNDS, None, other)
    with pytest.raises(UsageError, match="other rounds"):
        check_played(result, study, result.rounds - 1, None, precision)
    few = simulate("pagat-block", 100, until=SURE)
    forged = type(few)(**{**vars(few), "reached": True})
    check_played(few, study, 100, None, precision)
    with pytest.raises(UsageError, match="not as sure as it says"):
        check_played(forged, study, 100, None, precision)
    plain = simulate("pagat-block", 100)
    with pytest.raises(UsageError, match="other precision"):
        check_played(plain, study, 100, None, precision)


def test_the_progress_says_about_how_many_rounds_there_are():
    told = []
    cells = []
    watching = playing.Watching(
        progress=lambda *now: told.append(now), on_cell=lambda *now: cells.append(now)
    )
    module = sys.modules["simdom.grids.sweep"]
    plan = module.plan_sweep(variant="pagat-block", grid=GRID, until=SURE)
    found = module.play_plan(plan, watching=watching)
    assert cells == [(1, 2), (2, 2)]
    assert all(done <= total for done, total in told)
    assert told[-1][0] == sum(result.rounds for result in found.results)
    assert told[-1][1] < 2 * told[-1][0]


def test_a_study_may_say_how_sure(tmp_path):
    file = tmp_path / "mine.toml"
    text = 'title = "Mine"\nvariant = "pagat-block"\nuntil = {blocked_rate = 0.06}\n'
    file.write_text(f"{text}[grid]\ndeal = [6]\n", encoding="utf-8")
    found = sweep(str(file))
    assert found.until == SURE
    assert found.results[0].metrics == block(grid={"deal": 6}, until=SURE).results[0].metrics
    assert sweep(str(file), rounds=70).results[0].rounds == 70  # what is said beside it counts
    assert sweep(str(file), until={"points": 1}).until == {"points": 1}
    assert sweep(str(file), matches=3, target=20).until == {}
    for wrong, complaint in (
        ("{}", "until"),
        ("{pionts = 1}", "unknown metric for until 'pionts'.*mean 'points'"),
        ("{points = 0}", "half-width of points must be a number above 0, not 0"),
        ('{points = "a"}', "half-width of points must be a number above 0, not 'a'"),
        ("3", "until"),
    ):
        file.write_text(f'title = "Mine"\nuntil = {wrong}\n', encoding="utf-8")
        with pytest.raises(UsageError, match=complaint):
            load_study(str(file))


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"until": {"pionts": 1}}, "unknown metric for until .* did you mean 'points'"),
        ({"until": {"points": -1}}, "half-width of points must be a number above 0, not -1"),
        ({"until": "points"}, "until must be a dictionary"),
        ({"until": {"shutout_rate": 1}}, "unknown metric"),
        ({"until": {"seat_win_rate[2]": 1}}, r"seat_win_rate\[2\], which there is not where deal"),
        ({"until": SURE, "rounds": 0}, "rounds must be a whole number from 1"),
        ({"max_time": 0}, "max_time must be seconds above 0"),
        ({"max_time": "1s"}, "max_time must be seconds above 0"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(options, complaint):
    with pytest.raises(UsageError, match=complaint) as error:
        block(**options)
    assert "\n" not in str(error.value)


# --- broken off ---------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [{}, {"until": {"blocked_rate": 0.03}}], ids=["rounds", "until"])
def test_a_cell_is_gone_on_with_to_the_same_bits(asked, folder, tmp_path):
    whole = block(cells=tmp_path / "whole", **asked)
    first = whole.results[0].rounds
    notes = []
    stopped = block(progress=press_at(first + 100), on_note=notes.append, **asked)
    assert [cell.status for cell in stopped.cells] == ["done", "not played"]
    assert not stopped.time_over
    assert notes[-1].startswith("Kept unfinished: deal=7, ")
    assert [path.name for path in unfinished(folder)[0].iterdir()] == ["checkpoint.json"]
    again = block(on_note=notes.append, **asked)
    assert notes[-1].startswith("Gone on with: deal=7, from ")
    assert figures(again) == figures(whole)
    assert not unfinished(folder)
    assert block(**asked).kept == 2


def test_a_cell_that_happens_to_know_enough_between_two_looks_is_not_over(
    folder, tmp_path, monkeypatch
):
    """An unbroken run goes on to the next look, and so does one that was broken off."""
    monkeypatch.setenv("SIMDOM_CHECKPOINT_SECONDS", "60")
    asked = {"grid": {"deal": [7]}, "until": {"blocked_rate": 0.045}, "rounds": None}
    whole = block(cells=tmp_path / "whole", **asked)
    before = simulate("pagat-block", whole.results[0].rounds - 1)
    assert half_width(before.metrics["blocked_rate"]) <= 0.045

    class Slow(SerialExecutor):
        seconds_a_chunk = 1e-9  # chunks of one round

    def press(done, _total):
        if done == whole.results[0].rounds - 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        block(executor=Slow(), progress=press, **asked)
    (left,) = unfinished(folder)
    assert (left / "checkpoint.json").exists()
    assert figures(block(**asked)) == figures(whole)


KILLED = """
import os, signal, sys
from pathlib import Path
import simdom.running.folder as folder
from simdom.__main__ import main

write, seen = folder.write_file, []

def write_and_die(path, content):
    write(path, content)
    seen.append(Path(path).parent)
    if len(set(seen)) == 2 and seen.count(seen[-1]) == 2:
        os.kill(os.getpid(), signal.SIGKILL)  # in the midst of the second cell

folder.write_file = write_and_die
main()
"""


def test_kill_9_in_the_midst_of_a_cell(folder, tmp_path):
    command = ["sweep", "-v", "pagat-block", "-g", "deal=6,7", "-n", str(ROUNDS), "--format", "csv"]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, *command, "--threads", "1"], capture_output=True, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert killed.stdout == b""
    (left,) = unfinished(folder)
    assert (left / "checkpoint.json").exists()
    run = [sys.executable, "-m", "simdom", *command]
    again = subprocess.run(run, capture_output=True, check=True, text=True)
    assert "1 kept from before, 1 to play" in again.stderr
    assert "Gone on with: deal=7, from " in again.stderr
    unbroken = subprocess.run(
        [*run, "--cells", str(tmp_path / "whole")], capture_output=True, check=True, text=True
    )
    assert again.stdout == unbroken.stdout
    assert not unfinished(folder)


def leave_unfinished(**options):
    stopped = pytest.raises(KeyboardInterrupt)
    with stopped:
        block(progress=press_at(100), **options)


def cut_short(file):
    file.write_bytes(file.read_bytes()[:-50])


def replace_by_another(file):
    leave_unfinished(seed=2)
    other = next(path for path in file.parents[1].iterdir() if path != file.parent)
    file.write_bytes((other / "checkpoint.json").read_bytes())


def replace_by_a_longer_one(file):
    leave_unfinished(rounds=ROUNDS * 2)
    other = next(path for path in file.parents[1].iterdir() if path != file.parent)
    file.write_bytes((other / "checkpoint.json").read_bytes())


@pytest.mark.parametrize("damage", [cut_short, replace_by_another, replace_by_a_longer_one])
def test_a_checkpoint_that_is_damaged_or_foreign_is_not_used(damage, folder, tmp_path):
    whole = block(cells=tmp_path / "whole")
    leave_unfinished()
    (left,) = unfinished(folder)
    damage(left / "checkpoint.json")
    notes = []
    found = block(on_note=notes.append)
    said = [
        note for note in notes if note.startswith(("deal=6: Not gone on", "Begun anew: deal=6"))
    ]
    assert len(said) == 1
    assert "\n" not in said[0]
    assert figures(found) == figures(whole)
    assert left not in unfinished(folder)


def test_a_fresh_sweep_uses_no_checkpoint(folder):
    leave_unfinished()
    notes = []
    block(fresh=True, on_note=notes.append)
    assert len(notes) == 1
    assert not unfinished(folder)


def test_two_sweeps_at_once_both_succeed(folder):
    """While another process has the cell's folder, nothing of the cell is kept before its end."""
    leave_unfinished()
    (left,) = unfinished(folder)
    notes = []
    with RunFolder(left, resume=True):
        found = block(on_note=notes.append)
    assert notes[1].startswith("deal=6: Not kept before it is finished: another run is being kept")
    assert len(found.results) == 2
    assert unfinished(folder) == [left]
    assert block().kept == 2  # which looks at what is there, and takes away what is of no use
    assert not unfinished(folder)


def test_short_cells_make_no_folder(monkeypatch):
    monkeypatch.delenv("SIMDOM_CHECKPOINT_SECONDS")

    def refuse(_self):
        raise AssertionError

    monkeypatch.setattr(CellFolder, "_open", refuse)
    assert len(block(rounds=50).results) == 2


def test_nothing_is_left_of_functions_or_where_cells_are_not_kept(folder, monkeypatch):
    mine = simdom.strategy(name="mine")(lambda _: 0)
    leave_unfinished(strategy=mine)
    assert not folder.exists()

    def refuse(_self):
        raise UsageError("Permission denied")

    monkeypatch.setattr(CellStore, "check_writable", refuse)
    leave_unfinished()
    assert not folder.exists()


def test_checkpoints_that_cannot_be_written_stop_nothing(folder):
    folder.mkdir()
    (folder / "unfinished").write_text("x", encoding="utf-8")
    notes = []
    assert len(block(on_note=notes.append).results) == 2
    said = [note for note in notes if "Not kept before it is finished" in note]
    assert len(said) == 2


# --- the time -----------------------------------------------------------------------------------


def test_no_cell_is_begun_when_the_time_is_over(monkeypatch):
    now = SimpleNamespace(value=0.0)
    monkeypatch.setattr(playing, "time", SimpleNamespace(perf_counter=lambda: now.value))

    def late(done, _total):
        now.value = 1e6 if done == ROUNDS else 0.0

    found = block(max_time=1e5, progress=late)
    assert [cell.status for cell in found.cells] == ["done", "not played"]
    assert (found.time_over, found.partial, found.missing) == (True, True, 1)
    again = block()
    assert (again.kept, again.partial, again.time_over) == (1, False, False)


def test_the_time_is_over_before_a_cell_is_finished(folder, tmp_path):
    rounds = 60
    whole = block(rounds=rounds, cells=tmp_path / "whole")
    found = block(rounds=rounds, max_time=1e-9)
    assert found.time_over
    assert [cell.status for cell in found.cells] == ["not played"] * 2
    assert "No cell is finished yet" in found.summary()
    assert [row[1] for row in found.rows(found.columns())] == ["not played"] * 2
    assert found.to_dict()["partial"] is True
    assert "not played" in found.to_markdown()
    assert list(found.to_frame(["points", "seat_win_rate"])["status"]) == ["not played"] * 4
    with pytest.raises(RunError, match="no cell is finished yet"):
        found.plot()
    assert len(unfinished(folder)) == 1
    for _ in range(2 * rounds):  # each time at least one chunk is played
        found = block(rounds=rounds, max_time=1e-9)
        if not found.partial:
            break
    assert figures(found) == figures(whole)


def test_the_key_of_a_precision():
    study = study_of(simdom.load_variant("pagat-block").rules(), "random", 1)
    keys = {
        key_of(study, 10),
        key_of(study, 10, None, Precision({"points": 1.0}, 0.95)),
        key_of(study, 11, None, Precision({"points": 1.0}, 0.95)),
        key_of(study, 10, None, Precision({"points": 1.0}, 0.9)),
        key_of(study, 10, None, Precision({"points": 2.0}, 0.95)),
        key_of(study, 10, None, Precision({"points": 1.0, "plays": 1.0}, 0.95)),
    }
    assert len(keys) == 6
    two = {"points": 1.0, "plays": 1.0}
    turned = dict(reversed(two.items()))
    assert key_of(study, 9, None, Precision(two, 0.9)) == key_of(
        study, 9, None, Precision(turned, 0.9)
    )
