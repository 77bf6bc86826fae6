"""Play that is kept in files: it goes on as it stood, and what was changed is refused."""

import errno
import hashlib
import json
import os
import subprocess

import pytest

from commands import names_in, one_line
from simdom import files
from simdom.errors import RunError, UsageError
from simdom.playing import match_file, saving
from simdom.playing.folder import data_folder
from simdom.playing.match_file import begin_match, commitment_of, load_match, match_to_dict
from simdom.playing.saving import Kept, seal, unseal
from simdom.playing.table import Setup
from simdom.rules import Rules
from simdom.strategies import load_strategy


def make(seed):
    return Setup("pagat-draw", Rules(), (None, load_strategy("normal")), seed, target=40)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "match.json"


def play_on(match, choices=10**9):
    for _ in range(choices):
        if match.table.question is None:
            break
        match.choose(match.table.question.placements[0])
    return match


def test_a_match_goes_on_as_it_stood(path):
    whole = play_on(begin_match(path, make, seed=3)).table
    other = path.with_name("other.json")
    match = begin_match(other, make, seed=3)
    while not match.table.is_over:
        play_on(match, 1)
        again = load_match(other)
        assert again.table.question == match.table.question
        assert again.table.answers == match.table.answers
        match = again
    assert match.table.transcript() == whole.transcript()
    assert names_in(path.parent) == ["match.json", "other.json"]


def test_every_choice_is_kept_before_anything_follows(path, monkeypatch):
    match = begin_match(path, make, seed=3)
    kept = path.read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(RunError, match="cannot be written: No space left on device"):
        play_on(match, 1)
    assert path.read_bytes() == kept
    assert names_in(path.parent) == ["match.json"]


def edit(path, change):
    document = json.loads(path.read_bytes())
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")


def reseal(path, change):
    """As one would who knows how the checksum is made."""
    document = unseal("simdom.play/1", path.read_bytes())
    change(document)
    path.write_bytes(seal("simdom.play/1", document))


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["choices"].pop(),
        lambda document: document.update(seed=4),
        lambda document: document["rules"].update(reserve=1),
        lambda document: document.update(salt="00"),
        lambda document: document["seats"][1].update(temperature=5.0),
        lambda document: document.pop("checksum"),
    ],
)
def test_an_edited_file_is_refused(path, change):
    play_on(begin_match(path, make, seed=3), 2)
    edit(path, change)
    with pytest.raises(UsageError, match="has been changed: its checksum does not fit") as error:
        load_match(path)
    assert one_line(error).startswith(str(path))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda d: d["choices"].__setitem__(0, "6-6 on 6"), "choice 1, 6-6 on 6, could not be"),
        (lambda d: d["choices"].__setitem__(0, "pass"), "choice 1 is 'pass', which is no"),
        (lambda d: d["choices"].__setitem__(0, "9-9 on 9"), "choice 1: double-6 has no tile"),
        (lambda d: d["choices"].__setitem__(0, "x" * 9999), "choice 1: .x+… is not a tile"),
        (lambda d: d.update(choices=[1]), "choices"),
        (lambda d: d.update(extra=1), "extra"),
        (lambda d: d.pop("seed"), "seed"),
        (lambda d: d.update(seed=2**64), "seed"),
        (lambda d: d.update(target=0), "target"),
        (lambda d: d.update(rules_version=99), "played by rules version 99"),
        (lambda d: d["rules"].update(deal=99), "deal must be"),
        (lambda d: d["rules"].update(players=3), "seats must be 3"),
        (lambda d: d.update(seats=[None, None]), "seats must be 2, one of them the person's"),
        (lambda d: d["seats"][1]["weights"].update(luck=1.0), "weighs luck"),
        (lambda d: d["seats"][1].update(samples=10**9), "samples must be"),
        (lambda d: d.update(variant="a\nb"), "variant must be on a line"),
    ],
)
def test_a_file_that_is_no_match_is_refused_in_a_line(path, change, reason):
    play_on(begin_match(path, make, seed=3), 2)
    reseal(path, change)
    with pytest.raises(UsageError, match=reason) as error:
        load_match(path)
    assert one_line(error).startswith(str(path))
    assert len(one_line(error)) < 400 + len(str(path))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a": NaN}',
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
)
def test_a_file_of_anything_is_refused_and_not_written_over(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(UsageError, match="is no") as error:
        load_match(path)
    assert one_line(error)
    for overwrite in (False, True):
        with pytest.raises(UsageError, match="holds no match of simdom"):
            begin_match(path, make, seed=1, overwrite=overwrite)
    assert path.read_bytes() == content


def test_a_file_that_is_none_is_refused(path, monkeypatch):
    with pytest.raises(UsageError, match="no match is kept there"):
        load_match(path)
    path.mkdir(parents=True)
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        load_match(path)
    pipe = path.with_name("pipe")
    os.mkfifo(pipe)
    with pytest.raises(UsageError, match="is no regular file"):
        load_match(pipe)
    monkeypatch.setattr(saving, "LARGEST", 10)
    large = path.with_name("large")
    large.write_bytes(b" " * 11)
    with pytest.raises(UsageError, match="has more than 10 bytes"):
        load_match(large)


def test_a_match_that_is_not_over_is_not_given_up_by_accident(path):
    begin_match(path, make, seed=3)
    kept = path.read_bytes()
    with pytest.raises(UsageError, match="holds a match that is not over: go on with --resume"):
        begin_match(path, make, seed=4)
    assert path.read_bytes() == kept
    match = play_on(begin_match(path, make, seed=4, overwrite=True))
    assert load_match(path).table.setup.seed == 4
    assert match.table.is_over
    begin_match(path, make, seed=5)
    assert load_match(path).table.setup.seed == 5


def test_two_programs_do_not_overwrite_each_other(path):
    one = begin_match(path, make, seed=3)
    two = load_match(path)
    play_on(one, 1)
    kept = path.read_bytes()
    with pytest.raises(RunError, match="is kept by another simdom at the same time"):
        play_on(two, 1)
    assert path.read_bytes() == kept
    first, second = (Kept(path.with_name("new"), None) for _ in range(2))
    first.write(b"1")
    with pytest.raises(RunError, match="is kept by another simdom at the same time"):
        second.write(b"2")
    assert path.with_name("new").read_bytes() == b"1"
    path.unlink()
    with pytest.raises(RunError, match="cannot be read: No such file"):
        play_on(one, 1)


def test_a_file_system_without_links_serves_too(path, monkeypatch):
    def no_links(*_):
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(files.Path, "hardlink_to", no_links)
    begin_match(path, make, seed=3)
    assert load_match(path).table.setup.seed == 3
    assert not files.create_file(path, b"other")
    assert names_in(path.parent) == ["match.json"]


def test_the_computers_word_is_that_of_its_seed(path):
    match = begin_match(path, make, seed=None)
    word = match.commitment
    hidden = match_to_dict(match)
    assert (hidden["seed"], hidden["salt"]) == (None, None)
    assert hidden["commitment"] == word
    told = match_to_dict(play_on(match))
    line = f"simdom play {told['seed']} {told['salt']}"
    assert hashlib.sha256(line.encode()).hexdigest() == word
    assert commitment_of(told["seed"], told["salt"]) == word
    printed = subprocess.run(
        ["sh", "-c", f"printf '{line}' | sha256sum"], capture_output=True, check=True, text=True
    )
    assert printed.stdout.split()[0] == word
    assert len(told["salt"]) == 32
    other = begin_match(path.with_name("other"), make, seed=None)
    assert other.table.setup.seed != told["seed"]
    assert other.salt != told["salt"]


def test_a_seed_that_the_person_named_is_no_secret(path):
    match = begin_match(path, make, seed=3)
    assert match.commitment is None
    assert match_to_dict(match)["seed"] == 3


def test_the_seed_is_drawn_from_all_seeds(path, monkeypatch):
    asked = []
    monkeypatch.setattr(
        match_file.secrets, "randbits", lambda bits: asked.append(bits) or 2**64 - 1
    )
    assert begin_match(path, make, seed=None).table.setup.seed == 2**64 - 1
    assert asked == [64]


def test_the_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("SIMDOM_DATA", str(tmp_path / "mine"))
    assert data_folder() == tmp_path / "mine"
    monkeypatch.delenv("SIMDOM_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    if os.uname().sysname == "Linux":
        assert data_folder() == tmp_path / "xdg" / "simdom"
