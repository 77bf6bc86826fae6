"""Runs that are killed, cut off, crowded or tampered with: what is reported is never wrong."""

import json
import os
import resource
import signal
import subprocess
from functools import partial
from pathlib import Path

import pytest

import simdom
from commands import SIMDOM, names_in
from scale import IS_COMPILED, rounds
from simdom import RunFolder, resume, simulate, simulate_matches
from simdom.errors import BrokenOffError, ExecutorError, RunError, UsageError
from simdom.executors.threads import ThreadsExecutor
from simdom.running import driver

WHOLE = ["metrics.csv", "result.json", "tally.json"]
OFTEN = {"SIMDOM_CHECKPOINT_SECONDS": "0"}


@pytest.fixture(autouse=True)
def often(monkeypatch):
    """A checkpoint after every chunk, and chunks of a few rounds."""
    monkeypatch.setenv("SIMDOM_CHECKPOINT_SECONDS", "0")
    if not IS_COMPILED:
        monkeypatch.setattr(driver, "FIRST_LOOK", 50)


def stop_after(done):
    """A progress callback that presses Ctrl-C."""

    def progress(played, _total):
        if played >= done:
            raise KeyboardInterrupt

    return progress


def figures(answer):
    """All that must not depend on how it was played."""
    document = answer.to_dict()
    for name in ("seconds", "rounds_per_second", "threads"):
        document.pop(name, None)
    return document


COMPARED = ("pagat-draw", "pagat-draw:reserve=0")
JOBS = {
    "run": (partial(simulate, "pagat-draw", seed=5), 400),
    "players": (partial(simulate, "pagat-block", players=3, strategy="normal,random,easy"), 300),
    "sharp": (partial(simulate, "pagat-block", strategy="sharp:samples=2,random"), 60),
    "until": (partial(simulate, "pagat-draw", until={"blocked_rate": 0.03}), None),
    "piece": (partial(simulate, "pagat-draw", first=77), 200),
    "match": (partial(simulate_matches, "pagat-block", target=20), 40),
    "compare": (lambda rounds, **more: simdom.compare(*COMPARED, rounds=rounds, **more), 200),
    "compare matches": (
        lambda n, **more: simdom.compare("pagat-block", "pagat-draw", matches=n, **more),
        60,
    ),
    "effects": (partial(simdom.effects, "pagat-draw", toggles=["reserve=1,3"]), 150),
    "duel": (lambda n, **more: simdom.duel("normal", "random", deals=n, **more), 120),
}


@pytest.mark.parametrize("name", JOBS)
def test_resumed_it_is_what_it_would_have_been(name, tmp_path):
    play, trials = JOBS[name]
    whole = play(trials)
    folder = tmp_path / "kept"
    part = play(trials, checkpoint=folder, progress=stop_after(20))
    assert part.asked is not None
    assert "checkpoint.json" in names_in(folder)
    found = json.loads((folder / "result.json").read_text())
    assert found["partial"] is True
    again = resume(folder, progress=stop_after(30))  # and broken off once more
    assert again.asked is not None
    assert figures(resume(folder)) == figures(whole)
    assert names_in(folder) == WHOLE
    assert figures(resume(folder)) == figures(whole)  # nothing is left to be played


@pytest.mark.parametrize("name", ["run", "match", "compare", "effects", "duel"])
def test_extended_it_is_what_it_would_have_been(name, tmp_path):
    play, trials = JOBS[name]
    play(trials, checkpoint=tmp_path / "kept")
    assert figures(resume(tmp_path / "kept", extend=30)) == figures(play(trials + 30))
    assert names_in(tmp_path / "kept") == WHOLE


def test_between_two_looks_nothing_is_over(tmp_path):
    """However much is known: where a run ends must not depend on when it was broken off."""
    until = {"blocked_rate": 0.9}  # any round shows that
    part = simulate("pagat-draw", until=until, checkpoint=tmp_path / "kept", progress=stop_after(5))
    assert (part.partial, part.reached, part.asked) == (True, False, driver.FIRST_LOOK)
    assert figures(resume(tmp_path / "kept")) == figures(simulate("pagat-draw", until=until))


def test_a_precision_can_be_asked_for_later(tmp_path):
    simulate("pagat-draw", 100, checkpoint=tmp_path / "kept")
    found = resume(tmp_path / "kept", until={"blocked_rate": 0.04})
    assert found.reached
    bounded = resume(tmp_path / "kept", until={"blocked_rate": 1e-6}, max_rounds=found.rounds + 10)
    assert (bounded.rounds, bounded.reached) == (found.rounds + 10, False)
    more = resume(tmp_path / "kept", extend=10)  # of a run that played as long as it took
    assert (more.rounds, more.until) == (found.rounds + 20, {})
    assert more.metrics == simulate("pagat-draw", more.rounds).metrics


def test_there_is_no_way_back(tmp_path):
    simulate("pagat-draw", 100, checkpoint=tmp_path / "kept")
    before = (tmp_path / "kept" / "result.json").read_bytes()
    with pytest.raises(UsageError, match="100 rounds are played already, more than the 50 asked"):
        resume(tmp_path / "kept", max_rounds=50)
    assert (tmp_path / "kept" / "result.json").read_bytes() == before
    with pytest.raises(UsageError, match="give one of them"):
        resume(tmp_path / "kept", max_rounds=200, extend=3)
    for wrong in ({"extend": 0}, {"max_rounds": 1.5}, {"max_time": -1}, {"until": {"x": 1}}):
        with pytest.raises(UsageError, match=r"whole number|max_time|metric"):
            resume(tmp_path / "kept", **wrong)


# --- killed --------------------------------------------------------------------------------------


@pytest.fixture
def start():
    """Starts a command line; what still runs at the end is killed."""
    started = []

    def run(*arguments):
        process = subprocess.Popen(
            [*SIMDOM, *arguments, "-q"],
            env={**os.environ, **OFTEN},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def wait_for(path, process):
    """Until a file is there, which the process writes."""
    while not path.exists():
        assert process.poll() is None, process.stderr.read()
    return path


@pytest.mark.parametrize(
    ("command", "again"),
    [
        (["run", "-n", "1e12", "--seed", "4"], 0),
        (["run", "-n", "1e12", "--seed", "4"], 2),
        (["match", "-n", "1e12", "--target", "30"], 1),
        (["compare", *COMPARED, "-n", "1e12"], 2),
        (["duel", "normal", "random", "-n", "1e12"], 0),
    ],
)
def test_killed_at_any_moment_it_goes_on_to_the_same_bits(start, command, again, tmp_path):
    folder = tmp_path / "kept"
    process = start(*command, "--out", str(folder))
    wait_for(folder / "checkpoint.json", process)
    for _ in range(again):  # later each time: after some more checkpoints
        before = (folder / "checkpoint.json").stat().st_ino
        while (folder / "checkpoint.json").stat().st_ino == before:
            assert process.poll() is None
    process.kill()
    process.communicate()
    done = json.loads((folder / "checkpoint.json").read_text())["done"]
    found = resume(folder, max_rounds=done + 25)
    twin = [*command, "--format", "json"]
    twin[twin.index("1e12")] = str(done + 25)
    alone = subprocess.run([*SIMDOM, *twin], capture_output=True, text=True, check=True)
    expected = json.loads(alone.stdout)
    got = json.loads(found.to_json())
    for name in {"seconds", "rounds_per_second", "threads"} & got.keys():
        del expected[name], got[name]
    assert got == expected
    assert names_in(folder) == WHOLE


def test_killed_while_its_result_is_put_in_place(tmp_path, monkeypatch):
    """Whatever was in place already, nothing stands there that does not belong together."""
    whole = figures(simulate("pagat-draw", 100))
    replace = Path.replace
    moment = 0
    while True:
        folder = tmp_path / f"kept-{moment}"
        left = moment

        def replace_until(path, target):
            nonlocal left
            if left == 0:
                raise KeyboardInterrupt
            left -= 1
            return replace(path, target)

        with monkeypatch.context() as patched:
            patched.setattr(Path, "replace", replace_until)
            try:
                finished = not simulate("pagat-draw", 100, checkpoint=folder).partial
            except KeyboardInterrupt:
                finished = False
        if finished:
            break
        if (folder / "result.json").exists() and not simdom.load_result(folder).partial:
            assert figures(simdom.load_result(folder)) == whole
        if (folder / "checkpoint.json").exists():
            assert figures(resume(folder)) == whole
            assert names_in(folder) == WHOLE
        moment += 1
    assert moment > 3


# --- cut short, changed, of something else --------------------------------------------------------


@pytest.fixture
def kept(tmp_path):
    """A folder with a run that was broken off."""
    simulate("pagat-draw", 300, checkpoint=tmp_path / "kept", progress=stop_after(100))
    return tmp_path / "kept"


def test_a_checkpoint_that_was_cut_short_is_refused(kept):
    file = kept / "checkpoint.json"
    content = file.read_bytes()
    for length in [0, 1, 10, len(content) // 2, len(content) - 2]:
        file.write_bytes(content[:length])
        with pytest.raises(UsageError, match=r"checkpoint.json is no checkpoint: ") as raised:
            resume(kept)
        assert "\n" not in str(raised.value)
    file.write_bytes(content)
    assert resume(kept).rounds == 300


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("tally", "plays", 5), 10**9),
        (("done",), 10),
        (("seconds",), 1e9),
        (("asked",), 10**6),
        (("job", "identity", "seed"), 2),
        (("job", "arguments", "seed"), 2),
        (("job", "kind"), "match"),
        (("until",), {"points": 1.0}),
    ],
)
def test_a_checkpoint_that_was_changed_is_refused(kept, path, value):
    file = kept / "checkpoint.json"
    document = json.loads(file.read_text())
    place = document
    for key in path[:-1]:
        place = place[key]
    assert place[path[-1]] != value
    place[path[-1]] = value
    file.write_text(json.dumps(document))
    with pytest.raises(UsageError, match="its checksum does not fit: it was cut short or changed"):
        resume(kept)


def seal(document):
    """A document with a checksum that fits, as somebody may make it who means it."""
    from simdom.running import checkpoint

    document["sha256"] = checkpoint._checksum(document)
    return json.dumps(document)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda d: d["tally"].update(plays=[1, 2]), "its sums do not fit what it says"),
        (lambda d: d["tally"].pop("draws"), "its sums do not fit what it says"),
        (lambda d: d["tally"]["plays"].__setitem__(3, 0.5), "its sums do not fit what it says"),
        (lambda d: d["tally"]["plays"].__setitem__(3, 2**63), "its sums do not fit what it"),
        (lambda d: d["tally"]["plays"].__setitem__(3, None), "its sums do not fit what it"),
        (lambda d: d.update(done=d["done"] + 1), "but its sums are of others"),
        (lambda d: d["tally"]["counts"].__setitem__(1, 10**7), "do not agree with each other"),
        (lambda d: d["job"]["arguments"].update(more=1), "is not what `simdom run` takes"),
        (lambda d: d["job"].update(kind="walk"), "unknown kind of run 'walk'"),
        (lambda d: d["job"]["identity"].update(simdom="0.0.1"), 'simdom is "0.0.1" there and'),
        (lambda d: d["job"]["identity"].update(engine="0"), 'engine is "0" there and'),
        (lambda d: d["job"]["identity"]["rules"].update(deal=6), "rules.deal is 6 there and 7"),
        (lambda d: d.update(schema="simdom.checkpoint/9"), "its schema is not simdom.checkpoint/1"),
        (lambda d: d.update(done=-1), "done: Input should be greater than or equal to 0"),
        (lambda d: d.update(extra=1), "extra: Extra inputs are not permitted"),
        (lambda d: d["job"].update(arguments=None), "was begun in Python, with what no file"),
    ],
)
def test_what_does_not_belong_together_is_refused_even_with_a_checksum(kept, change, told):
    file = kept / "checkpoint.json"
    document = json.loads(file.read_text())
    change(document)
    file.write_text(seal(document))
    with pytest.raises(UsageError) as raised:
        resume(kept)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [b"", b"[]", b"null", b"\xff\xfe", b"[" * 10**5, b"1" * 10**4])
def test_what_is_no_checkpoint_at_all_is_refused(kept, content):
    (kept / "checkpoint.json").write_bytes(content)
    with pytest.raises(UsageError, match="is no checkpoint: "):
        resume(kept)


def test_a_file_that_is_no_longer_what_it_was(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "mine.toml"
    file.write_text('title = "T"\nplayers = [2]\n[rules]\nboneyard = "draw"\n')
    simulate("mine.toml", 300, checkpoint="kept", progress=stop_after(100))
    whole = figures(simulate("mine.toml", 300))
    file.write_text('title = "T"\nplayers = [2]\n[rules]\nboneyard = "block"\n')
    with pytest.raises(UsageError, match=r'rules\.boneyard is "draw" there and "block" here'):
        resume("kept")
    file.unlink()
    with pytest.raises(UsageError, match="no such file"):
        resume("kept")
    monkeypatch.chdir("/")
    with pytest.raises(UsageError, match=f"it was begun in {tmp_path}"):
        resume(tmp_path / "kept")
    monkeypatch.chdir(tmp_path)
    file.write_text('title = "T"\nplayers = [2]\n[rules]\nboneyard = "draw"\n')
    assert figures(resume("kept")) == whole


def test_what_was_made_in_python_is_gone_on_with_in_python(tmp_path):
    rules = simdom.load_variant("pagat-draw").rules()
    simulate(rules, 300, checkpoint=tmp_path / "kept", progress=stop_after(100))
    with pytest.raises(UsageError, match="was begun in Python, with what no file holds"):
        resume(tmp_path / "kept")
    with RunFolder(tmp_path / "kept", resume=True) as folder:
        assert simulate(rules, 300, checkpoint=folder).metrics == simulate(rules, 300).metrics
    other = pytest.raises(UsageError, match="it is of another run: seed is 1 there and 2 here")
    with RunFolder(tmp_path / "kept", resume=True) as folder, other:
        simulate(rules, 300, seed=2, checkpoint=folder)


def test_functions_are_not_kept(tmp_path):
    @simdom.strategy
    def first(_view):
        return 0

    result = simulate("pagat-block", 30, strategy=[first, "random"], checkpoint=tmp_path / "kept")
    assert result.rounds == 30
    assert names_in(tmp_path / "kept") == ["metrics.csv", "result.json"]
    with pytest.raises(UsageError, match=r"holds a result without tally\.json"):
        resume(tmp_path / "kept")


@pytest.mark.parametrize("there", [None, "file", "empty", "other"])
def test_a_folder_in_which_no_run_was_kept(there, tmp_path):
    place = tmp_path / "place"
    if there == "file":
        place.touch()
    elif there is not None:
        place.mkdir()
    if there == "other":
        (place / "mine.txt").touch()
    with pytest.raises(UsageError, match="is no folder that a run was kept in"):
        resume(place)
    assert place.exists() == (there is not None)


# --- crowded --------------------------------------------------------------------------------------


def test_two_processes_do_not_share_a_folder(start, tmp_path):
    folder = tmp_path / "kept"
    process = start("run", "-n", "1e12", "--out", str(folder))
    wait_for(folder / "checkpoint.json", process)
    for command in (["resume", str(folder)], ["run", "--out", str(folder), "--overwrite"]):
        other = subprocess.run([*SIMDOM, *command], capture_output=True, text=True, check=False)
        assert (other.returncode, other.stdout) == (2, "")
        assert other.stderr == (
            f"simdom: another run is being kept in {folder}: wait for it, or name another folder\n"
        )
    unfinished = subprocess.run(
        [*SIMDOM, "run", "-n", "10", "--out", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert unfinished.returncode == 2
    assert f"holds an unfinished run: `simdom resume {folder}` goes on with it" in unfinished.stderr
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert f"`simdom resume {folder}` goes on" in err
    assert "Ended early" in out
    assert names_in(folder) == ["checkpoint.json", *WHOLE[:1], "plot.png", *WHOLE[1:]]


def test_a_folder_is_free_again_when_its_run_is_over(tmp_path):
    with RunFolder(tmp_path / "kept") as first:
        with pytest.raises(UsageError, match="another run is being kept in"):
            simulate("pagat-draw", 10, checkpoint=tmp_path / "kept")
        assert first.path.is_dir()
    assert not (tmp_path / "kept").exists()  # nothing was put in it
    assert simulate("pagat-draw", 10, checkpoint=tmp_path / "a" / "b").rounds == 10
    with pytest.raises(UsageError, match="already holds a result"):
        simulate("pagat-draw", 10, checkpoint=tmp_path / "a" / "b")


def test_another_study_does_not_touch_an_unfinished_one(kept):
    before = {path.name: path.read_bytes() for path in kept.iterdir()}
    for play in (simulate, simulate_matches):
        with pytest.raises(UsageError, match="holds an unfinished run: `simdom resume"):
            play("pagat-block", checkpoint=kept)
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == before


def test_overwriting_leaves_the_old_result_until_the_new_one_is_whole(kept):
    resume(kept)
    before = (kept / "result.json").read_bytes()
    with RunFolder(kept, overwrite=True) as folder:
        part = simulate("pagat-block", 200, checkpoint=folder, progress=stop_after(50))
        assert part.partial
    assert (kept / "result.json").read_bytes() == before
    assert "checkpoint.json" in names_in(kept)
    other = piece(kept.parent / "other", 300, 10)
    with pytest.raises(UsageError, match="holds a result and an unfinished run of another study"):
        simdom.merge_results(kept, other)
    resume(kept, progress=stop_after(100))
    assert (kept / "result.json").read_bytes() == before  # it is not whole yet
    assert figures(resume(kept)) == figures(simulate("pagat-block", 200))


def test_a_damaged_checkpoint_beside_a_result_is_no_dead_end(kept):
    resume(kept)
    (kept / "checkpoint.json").touch()
    with pytest.raises(UsageError, match=r"delete it to go on from tally\.json"):
        resume(kept)
    (kept / "checkpoint.json").unlink()
    (kept / "result.json").write_text("{}")
    whole = figures(simulate("pagat-draw", 300))
    assert figures(resume(kept)) == whole
    assert figures(simdom.load_result(kept)) == whole  # it was made again


# --- no room ------------------------------------------------------------------------------------


def limited(size):
    """What a process does first that may write no file of more than ``size`` bytes."""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


def test_a_disk_without_room_costs_no_figure(tmp_path):
    folder = tmp_path / "kept"
    command = [*SIMDOM, "run", "-n", "3000", "--out", str(folder), "--format", "csv"]
    done = subprocess.run(
        command, env={**os.environ, **OFTEN}, capture_output=True, text=True, check=False,
        preexec_fn=limited(1000),
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stdout == simulate("pagat-draw", 3000).to_csv()
    lines = done.stderr.splitlines()
    assert sum(line.startswith("No checkpoint: ") for line in lines) == 1
    assert "The run goes on without." in done.stderr
    assert lines[-1].startswith(f"simdom: {folder} cannot be written: File too large")
    assert not folder.exists()


def test_a_picture_without_room_takes_no_figure_with_it(tmp_path):
    folder = tmp_path / "kept"
    command = [*SIMDOM, "run", "-n", "300", "--out", str(folder), "--format", "csv"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True,
        preexec_fn=limited(40_000),
    )  # fmt: skip
    assert done.stdout == (folder / "metrics.csv").read_text()
    assert f"Saved without its picture: {folder} cannot be written" in done.stderr
    assert names_in(folder) == WHOLE


def test_a_disk_that_fills_up_keeps_the_checkpoint_before(kept):
    before = (kept / "checkpoint.json").read_bytes()
    found = simdom.load_result(kept)
    done = subprocess.run(
        [*SIMDOM, "resume", str(kept), "-q", "--format", "csv"],
        capture_output=True, text=True, check=False,
        preexec_fn=limited(1000),
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stdout == simulate("pagat-draw", 300).to_csv()
    assert (kept / "checkpoint.json").read_bytes() == before
    assert figures(simdom.load_result(kept)) == figures(found)
    assert resume(kept).metrics == simulate("pagat-draw", 300).metrics


# --- broken off by something else ---------------------------------------------------------------


class Failing(ThreadsExecutor):
    """Threads that are gone after some chunks."""

    def play(self, work, chunks):
        for number, part in enumerate(super().play(work, chunks)):
            if number == 3:
                raise ExecutorError("the cluster is gone")
            yield part


def test_what_was_played_before_the_cluster_was_gone_is_kept(tmp_path):
    with pytest.raises(ExecutorError, match="the cluster is gone") as raised:
        simulate("pagat-draw", 10**6, executor=Failing(1), checkpoint=tmp_path / "kept")
    part = raised.value.result
    assert part.partial
    assert part.metrics == simulate("pagat-draw", part.rounds).metrics
    assert simdom.load_result(tmp_path / "kept").rounds == part.rounds
    found = resume(tmp_path / "kept", max_rounds=part.rounds + 10)
    assert found.metrics == simulate("pagat-draw", part.rounds + 10).metrics
    with pytest.raises(BrokenOffError):
        simdom.compare(*COMPARED, rounds=10**6, executor=Failing(1))


def test_a_failing_function_leaves_what_was_compared():
    calls = []

    @simdom.strategy
    def breaks(_view):
        calls.append(1)
        if len(calls) > 300:
            raise ValueError("enough")
        return 0

    with pytest.raises(RunError, match="enough") as raised:
        simdom.compare(
            "pagat-block",
            "pagat-block:reserve=1",
            strategy=[breaks, "random"],
            rounds=10**5,
            threads=1,
        )
    assert 0 < raised.value.result.rounds < 10**5


def test_the_time_between_checkpoints_is_a_number(monkeypatch, tmp_path):
    monkeypatch.setenv("SIMDOM_CHECKPOINT_SECONDS", "often")
    with pytest.raises(UsageError, match="SIMDOM_CHECKPOINT_SECONDS must be a number of seconds"):
        simulate("pagat-draw", 10, checkpoint=tmp_path / "kept")


# --- pieces --------------------------------------------------------------------------------------


def piece(folder, first, n, play=simulate, **options):
    play("pagat-draw", n, first=first, checkpoint=folder, **options)
    return folder


def test_pieces_make_the_run_that_they_are_pieces_of(tmp_path):
    pieces = [
        piece(tmp_path / "c", 250, 50),
        piece(tmp_path / "a", 0, 100),
        piece(tmp_path / "b", 100, 150),
    ]
    merged = simdom.merge_results(pieces, checkpoint=tmp_path / "all")
    whole = simulate("pagat-draw", 300)
    assert figures(merged) == figures(whole)
    assert figures(simdom.load_result(tmp_path / "all")) == figures(whole)
    more = resume(tmp_path / "all", extend=20)
    assert more.metrics == simulate("pagat-draw", 320).metrics
    assert figures(simdom.merge_results(pieces[1:])) == figures(simulate("pagat-draw", 250))


def test_pieces_of_matches(tmp_path):
    options = {"play": simulate_matches, "target": 20}
    pieces = [piece(tmp_path / "a", 0, 20, **options), piece(tmp_path / "b", 20, 10, **options)]
    whole = simulate_matches("pagat-draw", 30, target=20)
    assert figures(simdom.merge_results(pieces)) == figures(whole)


def test_pieces_that_do_not_fit_are_refused(tmp_path):
    a = piece(tmp_path / "a", 0, 100)
    b = piece(tmp_path / "b", 50, 100)
    c = piece(tmp_path / "c", 120, 10)
    seeded = piece(tmp_path / "s", 100, 10, seed=2)
    ruled = piece(tmp_path / "r", 100, 10, overrides={"reserve": 0})
    matched = piece(tmp_path / "m", 100, 10, play=simulate_matches)
    simdom.compare(*COMPARED, rounds=10, checkpoint=tmp_path / "p")
    simulate("pagat-draw", 10).save(tmp_path / "x")
    for pieces, told in [
        ([a], "1 piece to put together: give at least 2 folders"),
        ([a, a], "overlap: rounds 0 to 99, and 0 to 99"),
        ([a, b], f"{a} and {b} overlap: rounds 0 to 99, and 50 to 149"),
        ([a, c], f"rounds 100 to 119 are in none of the pieces: they lie between {a} and {c}"),
        ([a, seeded], "are of different studies: seed is 1 there and 2 here"),
        ([a, ruled], "are of different studies: rules.reserve is 2 there and 0 here"),
        ([a, matched], 'are of different studies: kind is "run" there and "match" here'),
        ([a, tmp_path / "p"], "holds a compare: only runs and matches are put together"),
        ([a, tmp_path / "x"], "has no tally.json, the sums that a result is made of"),
        ([a, tmp_path / "none"], "is no folder that a run was kept in"),
    ]:
        with pytest.raises(UsageError) as raised:
            simdom.merge_results(pieces, checkpoint=tmp_path / "all")
        assert told in str(raised.value)
    assert not (tmp_path / "all").exists()


# --- records ------------------------------------------------------------------------------------


def test_records_of_a_run_that_was_resumed(tmp_path):
    import pandas as pd

    options = {"records": tmp_path / "one.parquet", "progress": stop_after(100)}
    part = simulate("pagat-draw", rounds(3000, 300), checkpoint=tmp_path / "kept", **options)
    whole = resume(tmp_path / "kept", records=tmp_path / "two.parquet")
    frames = [pd.read_parquet(tmp_path / f"{name}.parquet") for name in ("one", "two")]
    assert [len(frame) for frame in frames] == [part.rounds, whole.rounds - part.rounds]
    frame = pd.concat(frames)
    assert list(frame["round"]) == list(range(whole.rounds))
    assert (frame["end"] == "blocked").mean() == whole.metrics["blocked_rate"].estimate
    simdom.compare(*COMPARED, rounds=10, checkpoint=tmp_path / "p")
    with pytest.raises(UsageError, match="records are of runs and of matches"):
        resume(tmp_path / "p", records=tmp_path / "three.parquet")


def test_records_that_cannot_be_written_cost_no_figure(tmp_path):
    file = tmp_path / "rounds.parquet"
    command = [*SIMDOM, "run", "-n", "2000", "--records", str(file), "--format", "csv", "-q"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False,
        preexec_fn=limited(500),
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stdout == simulate("pagat-draw", 2000).to_csv()
    assert f"{file} cannot be written: File too large" in done.stderr
    assert names_in(tmp_path) == []
