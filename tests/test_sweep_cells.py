"""Cells on disk: found again when the same is asked for, and never taken for anything else."""

import errno
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from samples import DRAW, Round, result_of
from simdom.errors import RunError, UsageError
from simdom.grids import cells as cells_module
from simdom.grids.cells import CellStore, check_played, key_of, reestimate
from simdom.grids.folder import default_folder
from simdom.results import load_result
from simdom.rules import BlockScore, Rules
from simdom.simulate import simulate, study_of
from simdom.strategies import Strategy, load_strategy

ROUNDS = 60
STUDY = study_of(DRAW, "random", 1)


def play(confidence=0.95, study=STUDY, rounds=ROUNDS):
    return simulate(
        study.rules,
        rounds,
        strategy=study.strategies,
        seed=study.seed,
        confidence=confidence,
        threads=1,
    )


@pytest.fixture(scope="module")
def result():
    return play()


@pytest.fixture
def store(tmp_path):
    return CellStore(tmp_path / "cells")


def strategy(**changes):
    fields = {"name": "mine", "title": "", "description": "", "weights": (1.0,) + (0.0,) * 11}
    return Strategy(**fields | changes)


# --- the key ------------------------------------------------------------------------------------


def test_the_same_has_the_same_key_whatever_it_is_called_in_words():
    titled = replace(load_strategy("normal"), title="other", description="other", source="other")
    assert key_of(study_of(DRAW, titled, 1), 10) == key_of(study_of(DRAW, "normal", 1), 10)
    assert key_of(STUDY, ROUNDS) == key_of(study_of(DRAW, "random", 1), ROUNDS)


def test_whatever_changes_a_figure_changes_the_key(monkeypatch):
    mixed = ("normal", "random")
    keys = [
        key_of(STUDY, 10),
        key_of(STUDY, 11),
        key_of(study_of(DRAW, "random", 2), 10),
        key_of(study_of(DRAW, mixed, 1), 10),
        key_of(study_of(DRAW, mixed[::-1], 1), 10),
        key_of(study_of(DRAW, strategy(), 1), 10),
        key_of(study_of(DRAW, strategy(weights=(2.0,) + (0.0,) * 11), 1), 10),
        key_of(study_of(DRAW, strategy(weights=(0.0, 1.0) + (0.0,) * 10), 1), 10),
        key_of(study_of(DRAW, strategy(temperature=0.5), 1), 10),
        key_of(study_of(DRAW, strategy(ties="tiles"), 1), 10),
    ]
    for toggle, value in DRAW._asdict().items():
        other = DRAW._replace(**{toggle: value + 1})
        keys.append(key_of(STUDY._replace(rules=other), 10))
    with monkeypatch.context() as changed:
        changed.setattr(cells_module, "RULES_VERSION", 2)
        keys.append(key_of(STUDY, 10))
    with monkeypatch.context() as changed:
        changed.setattr(cells_module, "_digest_of_playing", lambda: "another engine")
        keys.append(key_of(STUDY, 10))
    assert len(set(keys)) == len(keys)
    assert {len(key) for key in keys} == {32}


def test_the_digest_of_what_plays_is_that_of_the_sources(tmp_path, monkeypatch):
    package = tmp_path / "simdom"
    (package / "engine").mkdir(parents=True)
    (package / "grids").mkdir()
    names = ("engine/a.py", "engine/b.py", "estimate.py", "rules.py", "strategies.py", "tiles.py")
    for name in names:
        (package / name).write_text(name, encoding="utf-8")
    monkeypatch.setattr(cells_module, "__file__", str(package / "grids" / "cells.py"))
    digest = cells_module._digest_of_playing.__wrapped__
    seen = {digest()}
    for name in names:
        (package / name).write_text("changed", encoding="utf-8")
        seen.add(digest())
    assert len(seen) == 1 + len(names)


# --- intervals at another confidence ------------------------------------------------------------


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.99])
def test_intervals_at_another_confidence_are_those_of_a_new_run(result, confidence):
    assert reestimate(result, confidence).metrics == play(confidence).metrics


def test_also_where_little_is_defined():
    tied = Round(1, None, (7, 7), blocked=True)  # nobody wins: winner_pips has no trial
    redealt = Round(3, 0, (0, 10), redeals=2)
    for rounds in ([tied], [tied, tied], [redealt], [tied, redealt], [Round(2, 0, (3, 9))]):
        at_95, at_80 = (result_of(rounds, confidence=c) for c in (0.95, 0.8))
        again = reestimate(at_95, 0.8)
        assert repr(again.metrics) == repr(at_80.metrics)
        assert again.confidence == 0.8


# --- keeping and finding ------------------------------------------------------------------------


def test_a_cell_is_kept_and_found(store, result):
    assert store.find(STUDY, ROUNDS, 0.95) == (None, None, {})
    file = store.keep(STUDY, result)
    found = store.find(STUDY, ROUNDS, 0.95)
    assert found.result == result
    assert (found.file, found.broken) == (file, {})
    assert load_result(file) == result  # it is a plain result document
    assert store.find(STUDY, ROUNDS, 0.8).result.metrics == play(0.8).metrics


def test_it_is_not_found_as_anything_else(store, result, monkeypatch):
    store.keep(STUDY, result)
    assert store.find(STUDY, ROUNDS + 1, 0.95).result is None
    assert store.find(STUDY._replace(seed=2), ROUNDS, 0.95).result is None
    other = DRAW._replace(block_score=BlockScore.OTHERS)
    assert store.find(STUDY._replace(rules=other), ROUNDS, 0.95).result is None
    monkeypatch.setattr(cells_module, "RULES_VERSION", 2)
    assert store.find(STUDY, ROUNDS, 0.95).result is None


def truncate(file):
    file.write_bytes(file.read_bytes()[:-100])


def empty(file):
    file.write_bytes(b"")


def scramble(file):
    file.write_bytes(b"\xff\x00" * 500)


def change_a_figure(file):
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"estimate": 0.', '"estimate": 0.1', 1), encoding="utf-8")


def change_a_space(file):
    file.write_text(file.read_text(encoding="utf-8") + " ", encoding="utf-8")


def make_it_a_folder(file):
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize(
    "damage", [truncate, empty, scramble, change_a_figure, change_a_space, make_it_a_folder]
)
def test_a_damaged_cell_is_not_trusted(store, result, damage):
    file = store.keep(STUDY, result)
    damage(file)
    found = store.find(STUDY, ROUNDS, 0.95)
    assert (found.result, found.file) == (None, None)
    ((broken, reason),) = found.broken.items()
    assert broken == file
    assert "\n" not in reason


def test_a_new_cell_takes_the_place_of_a_damaged_one(store, result):
    truncate(store.keep(STUDY, result))
    again = replace(result, seconds=result.seconds + 1)
    file = store.keep(STUDY, again)
    assert store.find(STUDY, ROUNDS, 0.95) == (again, file, {})
    assert [*file.parent.iterdir()] == [file]


def test_a_cell_under_the_name_of_another_is_not_trusted(store, result):
    file = store.keep(STUDY, result)
    other = STUDY._replace(seed=2)
    key = key_of(other, ROUNDS)
    forged = store.folder / key[:2] / file.name.replace(key_of(STUDY, ROUNDS), key)
    forged.parent.mkdir(exist_ok=True)
    file.rename(forged)
    found = store.find(other, ROUNDS, 0.95)
    assert found.result is None
    assert list(found.broken) == [forged]


def test_figures_that_do_not_follow_are_not_trusted_even_when_sealed(store, result):
    lower = replace(result.metrics["points"], low=result.metrics["points"].low - 1)
    metrics = type(result.metrics)(result.metrics | {"points": lower})
    store.keep(STUDY, replace(result, metrics=metrics))
    found = store.find(STUDY, ROUNDS, 0.95)
    (reason,) = found.broken.values()
    assert "metrics.points: low" in reason


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"seed": 2}, "seed"),
        ({"rounds": ROUNDS + 1}, "rounds"),
        ({"asked": ROUNDS + 1}, "rounds"),
        ({"rules": Rules()}, "rules"),
        ({"strategies": ("normal", "random")}, "strategies"),
        ({"strategy_details": {}}, "weights"),
        ({"rules_version": 0}, "rules version"),
        ({"metrics": {}}, "metrics"),
    ],
)
def test_a_result_of_something_else_is_refused(result, changes, what):
    check_played(result, STUDY, ROUNDS)
    with pytest.raises(UsageError, match=f"it has other {what} than were asked for"):
        check_played(replace(result, **changes), STUDY, ROUNDS)


def test_many_may_write_and_read_at_once(store, result):
    def keep_and_find(number):
        store.keep(STUDY, replace(result, seconds=float(number + 1)))
        return store.find(STUDY, ROUNDS, 0.95)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(keep_and_find, range(40)))
    assert not any(each.broken for each in found)
    last = store.find(STUDY, ROUNDS, 0.95).result
    assert last.metrics == result.metrics
    assert not [*store.folder.rglob("*.part")]


# --- the folder ---------------------------------------------------------------------------------


def test_where_cells_are_kept(monkeypatch, tmp_path):
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("SIMDOM_CELLS", str(tmp_path / "mine"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert default_folder() == tmp_path / "mine"
    monkeypatch.setenv("SIMDOM_CELLS", "")
    assert default_folder() == tmp_path / "xdg" / "simdom" / "cells"
    for unusable in ("", "not/absolute"):
        monkeypatch.setenv("XDG_CACHE_HOME", unusable)
        assert default_folder() == home / ".cache" / "simdom" / "cells"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_folder() == home / ".cache" / "simdom" / "cells"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert default_folder() == home / "Library" / "Caches" / "simdom" / "cells"


def test_a_folder_is_checked_before_anything_is_played(tmp_path):
    CellStore(tmp_path / "not" / "yet").check()
    assert not (tmp_path / "not").exists()
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="file is a file: cells are kept in a folder"):
        CellStore(file).check()
    with pytest.raises(UsageError, match="file is a file"):
        CellStore(file / "below").check()


def test_a_cell_that_cannot_be_written_is_an_error(tmp_path, result):
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    with pytest.raises(RunError, match="cannot be written"):
        CellStore(Path(file)).keep(STUDY, result)


@pytest.fixture
def locked(monkeypatch, tmp_path):
    """A folder that nobody but its owner may look into; tests may run as a user who may."""
    folder = tmp_path / "locked"
    folder.mkdir()
    stat = Path.stat

    def refuse(path, **options):
        if folder in path.parents:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return stat(path, **options)

    monkeypatch.setattr(Path, "stat", refuse)
    return folder


@pytest.mark.parametrize("below", ["", "cells"])
def test_a_folder_that_cannot_be_looked_into_is_refused(locked, below):
    with pytest.raises(UsageError, match="cannot be looked into: Permission denied"):
        CellStore(locked / below).check()


def test_a_name_that_no_folder_can_have_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be looked into: File name too long"):
        CellStore(tmp_path / ("a" * 300)).check()
    with pytest.raises(UsageError, match="null byte"):
        CellStore(tmp_path / "a\0b").check()


def test_a_cell_that_may_not_be_read_is_played_again(store, result, monkeypatch):
    file = store.keep(STUDY, result)

    def refuse(_path, **_options):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "stat", refuse)
    found = store.find(STUDY, ROUNDS, 0.95)
    assert found == (None, None, {file: "it cannot be read: Permission denied"})


def test_a_pipe_is_no_cell(store, result):
    file = store.keep(STUDY, result)
    file.unlink()
    os.mkfifo(file)
    assert "pipe or a device" in store.find(STUDY, ROUNDS, 0.95).broken[file]
