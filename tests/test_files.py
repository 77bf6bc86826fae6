"""Folders and files appear whole or not at all; what cannot work is known before a long run."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import names_in, one_line
from samples import ROUNDS_OF_DRAW, result_of
from simdom import files
from simdom.errors import RunError, UsageError
from simdom.results import check_out, load_result


@pytest.fixture
def result():
    return result_of()


@pytest.fixture
def saved(result, tmp_path):
    result.save(tmp_path / "run")
    return tmp_path / "run"


def test_save_writes_the_files_and_nothing_else(result, tmp_path):
    result.save(tmp_path / "a" / "b" / "run", plot=b"picture")
    folder = tmp_path / "a" / "b" / "run"
    assert names_in(folder) == ["metrics.csv", "plot.png", "result.json"]
    assert (folder / "result.json").read_text(encoding="utf-8") == result.to_json()
    assert (folder / "metrics.csv").read_text(encoding="utf-8") == result.to_csv()
    assert (folder / "plot.png").read_bytes() == b"picture"
    assert names_in(tmp_path / "a" / "b") == ["run"]


def test_folder_has_the_usual_permissions(saved, tmp_path):
    usual = tmp_path / "usual"
    usual.mkdir()
    assert saved.stat().st_mode == usual.stat().st_mode


def test_an_empty_folder_may_be_there(result, tmp_path):
    (tmp_path / "run").mkdir()
    check_out(tmp_path / "run")
    result.save(str(tmp_path / "run"))
    assert load_result(tmp_path / "run") == result


def test_a_link_to_an_empty_folder_is_followed(result, tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "disk")
    result.save(tmp_path / "run")
    assert (tmp_path / "run").is_symlink()
    assert load_result(tmp_path / "disk") == result


def test_a_result_is_never_overwritten_silently(saved):
    before = (saved / "result.json").read_bytes()
    for attempt in (lambda: check_out(saved), lambda: result_of(seed=2).save(saved)):
        with pytest.raises(UsageError, match="already holds a result") as error:
            attempt()
        assert str(saved) in one_line(error)
        assert "overwrite=True, or --overwrite" in one_line(error)
    assert (saved / "result.json").read_bytes() == before


def test_overwriting_replaces_all_files(result, tmp_path):
    result.save(tmp_path / "run", plot=b"old")
    check_out(tmp_path / "run", overwrite=True)
    result_of(seed=2).save(tmp_path / "run", overwrite=True)
    assert names_in(tmp_path / "run") == ["metrics.csv", "result.json"]
    assert load_result(tmp_path / "run").seed == 2
    assert names_in(tmp_path) == ["run"]


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_with_other_files_is_left_alone(saved, overwrite):
    (saved / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"holds other files \(notes.txt\): name a new folder"):
        check_out(saved, overwrite=overwrite)
    with pytest.raises(UsageError, match="holds other files"):
        result_of().save(saved, overwrite=overwrite)


def declare(folder, text):
    (folder / "result.json").write_text(text, encoding="utf-8")


def untouched(folder):
    """What tells whether an entry was changed: reading it, which it may be, is no change."""
    entries = {path: path.lstat() for path in folder.iterdir()}
    return {
        path: (found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns)
        for path, found in entries.items()
    }


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda folder: (folder / "plot.png").write_bytes(b"mine"), "plot.png"),
        (lambda folder: (folder / "metrics.csv").write_text("mine"), "metrics.csv"),
        (lambda folder: declare(folder, "{}"), "result.json"),
        (lambda folder: declare(folder, '{"schema": "theirs/1"}'), "result.json"),
        (lambda folder: declare(folder, '{"schema": "simdom.results/1"}'), "result.json"),
        (lambda folder: declare(folder, '{"schema": ["simdom.result/1"]}'), "result.json"),
        (lambda folder: declare(folder, '["simdom.result/1"]'), "result.json"),
        (lambda folder: declare(folder, "[" * 100_000), "result.json"),
        (lambda folder: declare(folder, "simdom.result/1"), "result.json"),
        (lambda folder: (folder / "result.json").write_bytes(b"\xff"), "result.json"),
        (lambda folder: (folder / "plot.png").mkdir(), "plot.png"),
        (lambda folder: (folder / "plot.png").symlink_to(folder.parent), "plot.png"),
        (lambda folder: (folder / "plot.png").symlink_to(folder / "gone"), "plot.png"),
    ],
)
@pytest.mark.parametrize("overwrite", [False, True])
def test_names_alone_make_no_result(tmp_path, make, named, overwrite):
    folder = tmp_path / "run"
    folder.mkdir()
    make(folder)
    before = untouched(folder)
    for attempt in (
        lambda: check_out(folder, overwrite=overwrite),
        lambda: result_of().save(folder, overwrite=overwrite),
    ):
        with pytest.raises(UsageError) as error:
            attempt()
        assert one_line(error) == f"{folder} holds other files ({named}): name a new folder"
    assert untouched(folder) == before
    assert names_in(tmp_path) == ["run"]


def test_a_result_that_no_longer_loads_may_be_replaced(saved):
    declare(saved, '{"schema": "simdom.result/0", "and": "what that was"}')
    with pytest.raises(UsageError, match="already holds a result"):
        check_out(saved)
    result_of(seed=2).save(saved, overwrite=True)
    assert load_result(saved).seed == 2


def test_a_folder_of_another_kind_is_known_by_its_own_document(tmp_path):
    names = ("claims.json", "claims.md")
    old = {"claims.json": b'{"schema": "simdom.reproduction/1"}', "claims.md": b"old"}
    files.write_folder(tmp_path / "a", old, names)
    files.check_folder(tmp_path / "a", names, overwrite=True)
    with pytest.raises(UsageError, match=r"holds other files \(claims.json\)"):
        files.check_folder(tmp_path / "a", names, schema="simdom.result/", overwrite=True)
    files.write_folder(tmp_path / "a", {**old, "claims.md": b"new"}, names, overwrite=True)
    assert (tmp_path / "a" / "claims.md").read_bytes() == b"new"


def test_what_comes_into_the_folder_at_the_last_moment_is_not_lost(saved, tmp_path, monkeypatch):
    rename = Path.rename

    def come_late(path, target):
        monkeypatch.setattr(Path, "rename", rename)
        (saved / "notes.txt").write_text("mine", encoding="utf-8")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", come_late)
    with pytest.raises(UsageError, match=r"holds other files \(notes.txt\)"):
        result_of(seed=2).save(saved, overwrite=True)
    assert (saved / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert load_result(saved).seed == 1
    assert names_in(tmp_path) == ["run"]


def test_the_current_folder_is_not_replaced(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"\. cannot be replaced: name a folder inside it"):
        check_out(".")
    check_out("run")


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="file is a file: name a folder"):
        check_out(tmp_path / "file")
    with pytest.raises(UsageError, match=r"cannot be made: .*file is a file"):
        check_out(tmp_path / "file" / "run")


def test_a_folder_that_cannot_be_written_to_is_known_before_the_run(tmp_path, monkeypatch):
    def refuse(path, *_args, **_options):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(UsageError, match="run cannot be written: Permission denied") as error:
        check_out(tmp_path / "new" / "run")
    one_line(error)


def test_a_name_that_is_too_long_is_known_before_the_run(tmp_path):
    with pytest.raises(UsageError, match="cannot be written: File name too long"):
        check_out(tmp_path / ("x" * 300))


def test_checking_leaves_nothing(tmp_path):
    check_out(tmp_path / "a" / "run")
    assert names_in(tmp_path) == []


def fail_at(monkeypatch, call, error):
    """Let the ``call``-th flush to disk raise ``error``."""
    calls = []

    def flush(_handle):
        calls.append(None)
        if len(calls) == call:
            raise error

    monkeypatch.setattr(files.os, "fsync", flush)


FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("call", [1, 2])  # result.json, metrics.csv
def test_a_full_disk_leaves_nothing_behind(result, tmp_path, monkeypatch, call):
    fail_at(monkeypatch, call, FULL)
    with pytest.raises(RunError, match="No space left on device; nothing was saved") as error:
        result.save(tmp_path / "a" / "run")
    assert str(tmp_path / "a" / "run") in one_line(error)
    assert error.value.exit_code == 1
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("call", [1, 2])
def test_a_full_disk_leaves_the_old_result(saved, tmp_path, monkeypatch, call):
    before = load_result(saved)
    fail_at(monkeypatch, call, FULL)
    with pytest.raises(RunError, match="No space left"):
        result_of(seed=2).save(saved, overwrite=True)
    assert load_result(saved) == before
    assert names_in(tmp_path) == ["run"]


def test_a_file_system_that_cannot_flush_folders_is_no_obstacle(result, tmp_path, monkeypatch):
    fail_at(monkeypatch, 3, OSError(errno.EINVAL, os.strerror(errno.EINVAL)))
    result.save(tmp_path / "run")
    assert load_result(tmp_path / "run") == result


@pytest.mark.parametrize("call", [1, 2, 3])
def test_ctrl_c_leaves_nothing_behind(result, tmp_path, monkeypatch, call):
    fail_at(monkeypatch, call, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        result.save(tmp_path / "run")
    assert names_in(tmp_path) == []


def test_an_exchange_that_fails_brings_the_old_result_back(saved, tmp_path, monkeypatch):
    before = load_result(saved)
    rename = Path.rename

    def fail_the_second(path, target):
        if Path(target) == saved and not path.samefile(old[0]):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        old.append(Path(target))
        return rename(path, target)

    old = []
    monkeypatch.setattr(Path, "rename", fail_the_second)
    with pytest.raises(RunError, match="nothing was saved"):
        result_of(seed=2).save(saved, overwrite=True)
    assert load_result(saved) == before
    assert names_in(tmp_path) == ["run"]


def save_another(monkeypatch, at, path):
    """Let another run save its result in ``path`` right before the ``at``-th folder is renamed."""
    rename, renamed = Path.rename, []

    def come_first(part, target):
        renamed.append(part)
        if len(renamed) == at:
            monkeypatch.setattr(Path, "rename", rename)
            result_of(seed=2).save(path, overwrite=True)
        return rename(part, target)

    monkeypatch.setattr(Path, "rename", come_first)


@pytest.mark.parametrize(("at", "overwrite"), [(1, False), (2, True)])
def test_of_two_runs_at_once_one_is_saved(result, tmp_path, monkeypatch, at, overwrite):
    folder = tmp_path / "run"
    if overwrite:
        result_of(seed=3).save(folder)
    save_another(monkeypatch, at, folder)
    with pytest.raises(RunError) as error:
        result.save(folder, overwrite=overwrite)
    assert one_line(error) == (
        f"{folder} cannot be written: another run has saved there meanwhile; nothing was saved"
    )
    assert load_result(folder).seed == 2
    assert names_in(folder) == ["metrics.csv", "result.json"]
    assert names_in(tmp_path) == ["run"]


def test_of_two_runs_that_overwrite_the_later_stays(saved, tmp_path, monkeypatch):
    save_another(monkeypatch, 1, saved)
    result_of(seed=3).save(saved, overwrite=True)
    assert load_result(saved).seed == 3
    assert names_in(tmp_path) == ["run"]


def test_two_processes_that_save_in_one_folder(tmp_path):
    """Both have checked it and wait at a gate; then one wins, and the other says a line."""
    code = (
        "import sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from samples import result_of\n"
        "from simdom import files\n"
        "check = files.check_folder\n"
        "def wait(*arguments, **options):\n"
        "    check(*arguments, **options)\n"
        "    print('ready', flush=True)\n"
        "    sys.stdin.readline()\n"
        "files.check_folder = wait\n"
        f"result_of(seed=int(sys.argv[1])).save({str(tmp_path / 'run')!r})\n"
    )
    pipe = subprocess.PIPE
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(seed)], stdin=pipe, stdout=pipe, stderr=pipe, text=True
        )
        for seed in (1, 2)
    ]
    for each in runs:
        assert each.stdout.readline() == "ready\n"
    said = [each.communicate("go\n")[1] for each in runs]
    codes = [each.returncode for each in runs]
    assert sorted(codes) == [0, 1]
    assert "another run has saved there meanwhile; nothing was saved" in said[codes.index(1)]
    assert load_result(tmp_path / "run").seed == 1 + codes.index(0)
    assert names_in(tmp_path / "run") == ["metrics.csv", "result.json"]
    assert {path.name for path in tmp_path.iterdir()} == {"run"}


@pytest.mark.parametrize("call", [1, 2, 3])
def test_a_kill_leaves_no_half_result(tmp_path, call):
    """The process ends between two writes, with no chance to tidy up."""
    code = (
        "import os, sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from samples import result_of\n"
        "calls = []\n"
        "def flush(handle):\n"
        "    calls.append(handle)\n"
        f"    if len(calls) == {call}:\n"
        "        os._exit(9)\n"
        "os.fsync = flush\n"
        f"result_of().save({str(tmp_path / 'run')!r})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == 9
    assert not (tmp_path / "run").exists()
    result_of().save(tmp_path / "run")
    assert load_result(tmp_path / "run").rounds == sum(each.times for each in ROUNDS_OF_DRAW)
