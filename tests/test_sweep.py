"""Sweeps: every cell is the run that it stands for, and only missing cells are played."""

import csv
import io
import json

import pandas as pd
import pytest

from simdom.errors import RunError, UsageError
from simdom.estimate import METRICS
from simdom.grids import playing as playing_module
from simdom.grids.cells import CellStore
from simdom.grids.sweep import sweep
from simdom.grids.table import DEFAULT_METRICS
from simdom.results import load_result
from simdom.rules import Boneyard, Rules
from simdom.simulate import simulate
from simdom.strategies import Strategy

ROUNDS = 80
GRID = {"deal": "6,13", "players": "2,3"}  # 3 × 13 tiles are more than there are


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder in which cells are kept unless a test says otherwise."""
    cells = tmp_path / "cells"
    monkeypatch.setenv("SIMDOM_CELLS", str(cells))
    return cells


@pytest.fixture
def played(monkeypatch):
    """The rules of the cells that are really played, in order."""
    rules = []

    def counting(*arguments, **options):
        result = simulate(*arguments, **options)
        rules.append(result.rules)
        return result

    monkeypatch.setattr(playing_module, "simulate", counting)
    return rules


def block(**options):
    return sweep(**{"variant": "pagat-block", "grid": GRID, "rounds": ROUNDS, **options})


def timeless(document):
    """A document without what differs from one time to another."""
    return {
        key: value
        for key, value in document.items()
        if key not in ("seconds", "cells_played", "cells_kept")
    }


# --- what is played -----------------------------------------------------------------------------


def test_every_cell_is_the_run_that_it_stands_for():
    found = block(seed=5, overrides={"block_score": "others"}, strategy="normal")
    assert [cell.labels for cell in found.cells] == [
        {"deal": 6, "players": 2},
        {"deal": 6, "players": 3},
        {"deal": 13, "players": 2},
        {"deal": 13, "players": 3},
    ]
    for cell in found.cells[:3]:
        run = simulate(
            "pagat-block",
            ROUNDS,
            overrides={"block_score": "others", **cell.labels},
            strategy="normal",
            seed=5,
        )
        assert cell.result.metrics == run.metrics
        assert cell.result.rules == run.rules
        assert cell.result.command.startswith("simdom run --variant pagat-block -n 80")
        assert load_result(cell.file).distributions == run.distributions
    assert found.cells[3].result is None
    assert found.cells[3].reason == "3 players × 13 tiles = 39, but double-6 has 28"


def test_variants_and_strategies_are_axes_too():
    found = sweep(
        grid={"variant": "pagat-block,pagat-draw", "strategy": ["random", "normal+random"]},
        rounds=ROUNDS,
        overrides={"opening": "lot"},
    )
    assert [(r.variant, r.strategies) for r in found.results] == [
        ("pagat-block", ("random", "random")),
        ("pagat-block", ("normal", "random")),
        ("pagat-draw", ("random", "random")),
        ("pagat-draw", ("normal", "random")),
    ]
    assert found.subject == "dominoes with opening lot by variant and strategy"
    follow = [line for _, lines in found.notes for line in lines if "comes with" in line]
    assert follow == ["What comes with the axes: boneyard block or draw, reserve – or 2."]


def test_figures_do_not_depend_on_threads():
    one, two = (block(threads=threads, fresh=True).to_dict() for threads in (1, 2))
    assert one["cells"] == two["cells"]


def test_no_cell_can_be_played():
    with pytest.raises(UsageError, match=r"in any of the 2 cells; deal=40: 2 players × 40 tiles"):
        block(grid={"deal": "40,50"})
    with pytest.raises(UsageError, match=r"can be played in the cell; deal=40"):
        block(grid={"deal": 40})


def test_a_file_that_changes_during_a_sweep_is_noticed(tmp_path):
    file = tmp_path / "mine.toml"
    text = 'title = "Mine"\nplayers = [2]\n[rules]\nreserve = 1\nboneyard = "draw"\n'
    file.write_text(text, encoding="utf-8")

    def change(_line):  # which says what will be played, before it is
        file.write_text(text.replace("draw", "block"), encoding="utf-8")

    with pytest.raises(RunError, match="a file was changed during the sweep: it has other rules"):
        sweep(variant=str(file), grid={"deal": "5,6"}, rounds=ROUNDS, on_note=change)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda file: file.unlink(), "no such file"),
        (lambda file: file.write_text("title ="), "is not TOML"),
    ],
)
def test_a_file_that_goes_during_a_sweep_leaves_the_finished_cells(tmp_path, damage, reason):
    file = tmp_path / "mine.toml"
    file.write_text('title = "Mine"\nplayers = [2]\n[rules]\nreserve = 1\n', encoding="utf-8")

    def change(done, _total):
        if done == ROUNDS:
            damage(file)

    found = sweep(variant=str(file), grid={"deal": "5,6"}, rounds=ROUNDS, progress=change)
    assert [cell.status for cell in found.cells] == ["done", "not played"]
    assert found.problem.startswith("a file was changed during the sweep: ")
    assert reason in found.problem


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"study": 5}, "a study is a name or a path, not 5"),
        ({"grid": "deal=5"}, "grid must be a dictionary, such as {'deal': 5}, not 'deal=5'"),
        ({"overrides": [1]}, "overrides must be a dictionary"),
        ({"cells": 5}, "cells must be the path of a folder, not 5"),
        ({"cells": ""}, "cells must be the path of a folder, not ''"),
        ({"players": 3, "overrides": {"players": "4"}}, "players is set twice, to 3 and to 4"),
    ],
)
def test_what_is_no_argument_is_refused(arguments, complaint):
    with pytest.raises(UsageError, match=complaint):
        sweep(**{"grid": {"deal": 5}, "rounds": 10} | arguments)


def test_arguments_in_other_shapes():
    found = sweep(
        grid={"deal": (n for n in (5, 6))},
        rounds=10,
        seed=1.0,
        metrics="points",
        players=3,
        overrides={"players": "3"},
    )
    assert found.axes[0].labels == (5, 6)
    assert found.metrics == ("points",)
    assert "--players 3 --grid deal=5,6 -n 10 --strategy random --seed 1 " in found.command


def test_a_plus_in_a_path_parts_nothing(tmp_path):
    file = tmp_path / "c++" / "mine.toml"
    file.parent.mkdir()
    file.write_text('title = "Mine"\n[weights]\npips = 1\n', encoding="utf-8")
    found = sweep(strategy=str(file), grid={"deal": 5}, rounds=10)
    assert found.results[0].strategies == ("mine.toml", "mine.toml")
    assert f"--strategy {file} --seed" in found.command
    found = sweep(grid={"strategy": f"{file},random"}, rounds=10)
    assert [*found.axes[0].labels] == [str(file), "random"]


def test_what_is_the_same_in_every_cell_is_said_once():
    found = sweep(variant="pagat-block", grid={"deal": [1], "block_score": "others,minus_own"},
                  rounds=10, metrics=["plays"])  # fmt: skip
    assert found.extremes.endswith(" in every cell")
    notes = []
    block(rounds=1, on_note=notes.append)
    assert " of 1 round: " in notes[0]


# --- what is kept -------------------------------------------------------------------------------


def test_the_second_time_nothing_is_played(played, folder):
    first = block()
    assert len(played) == 3
    assert first.folder == folder
    notes = []
    again = block(on_note=notes.append)
    assert len(played) == 3
    assert notes == ["4 cells of 80 rounds: 1 skipped, 3 kept from before."]
    assert timeless(again.to_dict()) == timeless(first.to_dict())
    assert (again.kept, again.seconds) == (3, 0)
    for text in ("to_csv", "to_markdown", "summary", "__str__"):
        assert getattr(again, text)() == getattr(first, text)()


def test_only_missing_cells_are_played(played):
    block(grid={"deal": "5,6"})
    progress = []
    found = block(grid={"deal": "5,6,7"}, progress=lambda *now: progress.append(now))
    assert [rules.deal for rules in played] == [5, 6, 7]
    assert {total for _, total in progress} == {ROUNDS}
    assert progress[-1] == (ROUNDS, ROUNDS)
    assert [cell.kept for cell in found.cells] == [True, True, False]
    block(grid={"deal": "5,6"}, seed=2)
    block(grid={"deal": "5,6"}, rounds=ROUNDS + 1)
    assert len(played) == 7


def test_cells_can_be_read_at_another_confidence(played):
    block()
    at_80 = block(confidence=0.8)
    assert len(played) == 3
    assert at_80.kept == 3
    assert at_80.results[0].confidence == 0.8
    assert timeless(at_80.to_dict()) == timeless(block(confidence=0.8, fresh=True).to_dict())
    assert at_80.command.endswith("--confidence 0.8")
    assert "intervals at 80%" in at_80.made


def test_all_cells_are_played_again_on_request(played):
    before = block()
    after = block(fresh=True)
    assert (len(played), after.kept) == (6, 0)
    assert after.results[0].metrics == before.results[0].metrics
    assert block().cells[0].file == after.cells[0].file
    assert not before.cells[0].file.exists() or before.cells[0].file == after.cells[0].file


def test_another_way_to_the_same_rules_shares_cells_and_keeps_its_name(played):
    block(grid={"deal": "5"})
    rules = Rules(deal=5)
    found = sweep(variant=rules, grid={"deal": "5"}, rounds=ROUNDS)
    assert (len(played), found.kept) == (1, 1)
    (result,) = found.results
    assert (result.variant, result.title) == ("rules", "Rules made in Python")
    assert "--variant rules" in result.command
    assert found.command.endswith("# made in Python, not in a file: rules")


def test_a_broken_cell_is_played_again_and_said(played):
    file = block(grid={"deal": "5,6"}).cells[1].file
    file.write_bytes(file.read_bytes()[:99])
    notes = []
    found = block(grid={"deal": "5,6"}, on_note=notes.append)
    assert [rules.deal for rules in played] == [5, 6, 6]
    assert notes[0].startswith(f"Played again: deal=6; {file} is not used: ")
    assert found.results[1].metrics == block(grid={"deal": "6"}).results[0].metrics
    assert len(played) == 3


def test_where_cells_cannot_be_kept(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="is a file: cells are kept in a folder"):
        block(cells=file)
    monkeypatch.setenv("SIMDOM_CELLS", str(file))
    notes = []
    found = block(on_note=notes.append)
    assert notes[0].startswith("Cells are not kept: ")
    assert (found.folder, found.cells[0].file) == (None, None)
    assert len(found.results) == 3


def test_a_store_that_may_only_be_read_is_read(monkeypatch):
    block(grid={"deal": "5"})

    def refuse(_self):
        raise UsageError("Permission denied")

    monkeypatch.setattr(CellStore, "check_writable", refuse)
    notes = []
    found = block(grid={"deal": "5"}, on_note=notes.append)
    assert found.kept == len(found.results)
    assert len(notes) == 1
    found = block(grid={"deal": "5,6"}, on_note=notes.append)
    assert found.kept
    assert found.cells[-1].file is None
    assert notes[2] == "Cells are not kept: Permission denied"


def test_a_disk_that_fills_up_does_not_stop_a_sweep(monkeypatch):
    def fail(_self, _study, _result, _most):
        raise RunError("no space left")

    monkeypatch.setattr(CellStore, "keep", fail)
    notes = []
    found = block(on_note=notes.append)
    assert notes[1:] == ["From here on, cells are not kept: no space left"]
    assert len(found.results) == 3


# --- Ctrl-C -------------------------------------------------------------------------------------


def press_at(rounds):
    """Ctrl-C once so many rounds are played, of all cells together."""

    def progress(done, _total):
        if done >= rounds:
            raise KeyboardInterrupt

    return progress


def test_ctrl_c_leaves_the_finished_cells_and_the_next_run_goes_on(played):
    rounds = 1100  # more than the first chunk: in the midst of the second cell
    stopped = block(rounds=rounds, progress=press_at(rounds + 1))
    assert stopped.partial
    assert [cell.status for cell in stopped.cells] == [
        "done", "not played", "not played", "skipped"
    ]  # fmt: skip
    assert [row[-4:] for row in stopped.rows(stopped.columns())][1] == ("not played", "", "", "")
    assert "1 of them skipped, 2 of them not played" in stopped.made
    document = stopped.to_dict()
    assert document["partial"] is True
    assert [cell["status"] for cell in document["cells"]][:2] == ["done", "not played"]
    played.clear()
    whole = block(rounds=rounds)
    assert len(played) == 2
    assert not whole.partial
    assert "partial" not in whole.to_dict()
    assert timeless(whole.to_dict()) == timeless(block(rounds=rounds, fresh=True).to_dict())


def test_ctrl_c_at_the_last_round_of_a_cell_is_not_lost(played):
    stopped = block(progress=press_at(ROUNDS))
    assert len(played) == 1
    assert [cell.status for cell in stopped.cells][:2] == ["done", "not played"]
    assert block().kept == 1


def test_ctrl_c_before_any_cell_is_finished():
    with pytest.raises(KeyboardInterrupt):
        block(rounds=1100, progress=press_at(1))


# --- what comes of it ---------------------------------------------------------------------------


@pytest.fixture
def found():
    return block(metrics=["points", "seat_win_rate"])


def test_a_tidy_frame(found):
    frame = found.to_frame()
    assert list(frame.columns) == [
        "deal", "players", "metric", "seat", "estimate", "se", "low", "high", "count", "sd",
        "rounds", "status", "reason",
    ]  # fmt: skip
    assert len(frame) == (1 + 2) + (1 + 3) + (1 + 2) + 2
    assert frame.dtypes.astype(str).to_dict() == {
        "deal": "int64", "players": "int64", "metric": "str", "seat": "Int64",
        "estimate": "float64", "se": "float64", "low": "float64", "high": "float64",
        "count": "Int64", "sd": "float64", "rounds": "Int64", "status": "str", "reason": "str",
    }  # fmt: skip
    skipped = frame[frame["status"] == "skipped"]
    assert list(skipped["metric"]) == ["points", "seat_win_rate"]
    assert skipped["estimate"].isna().all()
    assert skipped["reason"].str.startswith("3 players × 13").all()
    points = frame[frame["metric"] == "points"].pivot_table(
        index="deal", columns="players", values="estimate", dropna=False
    )
    assert points.loc[6, 3] == found.cells[1].result.estimate("points").estimate
    assert pd.isna(points.loc[13, 3])
    seats = frame[(frame["metric"] == "seat_win_rate") & (frame["players"] == 3)]
    assert list(seats["seat"].dropna()) == [0, 1, 2]


def test_a_wide_frame_has_a_row_for_each_cell(found):
    frame = found.to_frame(wide=True)
    assert len(frame) == 4
    assert list(frame.columns[:4]) == ["deal", "players", "status", "reason"]
    assert frame.loc[1, "seat_win_rate_2"] == found.results[1].estimate("seat_win_rate", 2).estimate
    assert pd.isna(frame.loc[0, "seat_win_rate_2"])
    low = found.results[2].estimate("points").low
    assert frame.loc[2, "points_low"] == low
    assert frame.loc[3].drop(["deal", "players", "status", "reason"]).isna().all()


def test_csv_and_frame_say_the_same(found):
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    frame = found.to_frame()
    assert list(rows[0]) == list(frame.columns)
    assert [row["estimate"] for row in rows] == [
        "" if pd.isna(value) else repr(float(value)) for value in frame["estimate"]
    ]
    assert rows[-1]["status"] == "skipped"
    everything = {row["metric"] for row in csv.DictReader(io.StringIO(block().to_csv()))}
    assert everything == set(METRICS)


@pytest.mark.parametrize("suffix", ["csv", "parquet", "md", "json"])
def test_files_by_their_suffix(found, tmp_path, suffix):
    path = tmp_path / "new" / f"grid.{suffix}"
    found.save(path)
    if suffix == "parquet":
        pd.testing.assert_frame_equal(pd.read_parquet(path), found.to_frame())
        return
    text = {"csv": found.to_csv, "md": found.to_markdown, "json": found.to_json}[suffix]()
    assert path.read_text(encoding="utf-8") == text


def test_files_that_cannot_be_written(found, tmp_path, monkeypatch):
    with pytest.raises(UsageError, match="has no suffix: choose one of"):
        found.save(tmp_path / "grid")
    with pytest.raises(UsageError, match="unknown file format 'xls'"):
        found.save(tmp_path / "grid.xls")
    monkeypatch.setattr("simdom.grids.table.find_spec", lambda _name: None)
    with pytest.raises(UsageError, match="Parquet needs pyarrow"):
        found.save(tmp_path / "grid.parquet")


def figures_in(value):
    if isinstance(value, dict) and "estimate" in value:
        yield value
    elif isinstance(value, dict | list):
        for inside in value.values() if isinstance(value, dict) else value:
            yield from figures_in(inside)


def test_every_figure_of_the_document_has_its_interval(found):
    document = json.loads(found.to_json())
    assert document["schema"] == "simdom.sweep/1"
    assert document["grid"] == {"deal": [6, 13], "players": [2, 3]}
    assert (document["variant"], document["strategy"], document["set"]) == (
        "pagat-block", "random", {}
    )  # fmt: skip
    figures = [*figures_in(document)]
    assert len(figures) == 3 + 2 + 3 + 2
    for figure in figures:
        assert figure["low"] <= figure["estimate"] <= figure["high"]
        assert figure["se"] >= 0
    assert document["cells"][0]["rules"]["deal"] == 6
    assert document["cells"][3] == {
        "values": {"deal": 13, "players": 3},
        "status": "skipped",
        "reason": "3 players × 13 tiles = 39, but double-6 has 28",
    }


def test_a_table_for_people_has_a_few_metrics_with_intervals():
    found = block()
    assert [column.metric for column in found.columns()] == list(DEFAULT_METRICS)
    rows = found.rows(found.columns())
    assert [row[:2] for row in rows] == [("6", "2"), ("6", "3"), ("13", "2"), ("13", "3")]
    assert all("%" in row[2] and "±" in row[4] for row in rows[:3])
    assert rows[3][2:] == ("skipped", "", "", "")


def test_seats_are_columns_and_a_smaller_table_lacks_some(found):
    assert [column.label for column in found.columns()] == [
        "Points", "1st to play", "2nd to play", "3rd to play"
    ]  # fmt: skip
    assert found.rows(found.columns())[0][-1] == ""


def test_the_summary_says_what_was_played_and_between_what_it_lies(found):
    summary = found.summary()
    assert "\n" not in summary
    for fact in (
        "pagat-block (random) by deal and players",
        "4 cells, 1 of them skipped",
        "80 rounds a cell, seed 1",
        "rules version",
    ):
        assert fact in summary
    points = [result.estimate("points").estimate for result in found.results]
    least, most = points.index(min(points)), points.index(max(points))
    names = [cell.name for cell in found.cells]
    assert f"at {names[least]}, up to" in summary
    assert summary.endswith(f"at {names[most]}.")


def test_texts_name_skipped_cells_and_how_to_read_it(found):
    for text in (str(found), found.to_markdown(), found._repr_html_()):
        assert "deal=13, players=3: 3 players × 13 tiles = 39" in text
        assert "not corrected for the number of cells" in text
        assert found.command in text
    assert repr(found) == "<Sweep of 4 cells: pagat-block (random) by deal and players, seed 1>"


def test_of_very_many_skipped_cells_the_first_are_named():
    found = block(grid={"deal": "5,20..60"})
    (skipped,) = [lines for heading, lines in found.notes if heading.startswith("Skipped")]
    assert len(skipped) == 21
    assert skipped[-1] == "And 21 more: CSV and JSON have the reason of each."


def test_a_strategy_that_has_only_a_name_is_told():
    mine = Strategy("mine", "Mine", "", (1.0,) + (0.0,) * 11)
    found = block(grid={"strategy": ["random", mine, (mine, "random")]})
    assert [cell.labels["strategy"] for cell in found.cells] == ["random", "mine", "mine+random"]
    assert "mine: pips 1." in dict(found.notes)["What was played"]
    assert found.command.endswith("# made in Python, not in a file: mine")


def test_a_seat_that_always_leads_is_cautioned_about():
    found = sweep(
        variant=Rules(boneyard=Boneyard.DRAW, opening=3),
        grid={"strategy": ["normal+random"]},
        rounds=ROUNDS,
    )
    assert any("Seat 0 always leads" in line for line in dict(found.notes)["What was played"])


def test_one_round_a_cell_and_a_metric_that_is_undefined():
    found = block(rounds=1, metrics=["winner_pips", "points"])
    assert found.summary()
    assert found.to_frame()["se"].isna().all()
    json.loads(found.to_json())
    assert timeless(block(rounds=1).to_dict()) == timeless(block(rounds=1, fresh=True).to_dict())
