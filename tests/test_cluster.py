"""A cluster plays the same rounds, whoever joins, leaves or dies; and what is wrong is one line."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial, reduce

import dask
import numpy as np
import pytest
from distributed import Client, LocalCluster
from distributed.security import Security

import simdom
import simdom.executors.dask as dask_executor
from commands import SIMDOM, one_line
from scale import rounds
from simdom.engine.kernels import tally_rounds
from simdom.engine.tally import Tally, merge
from simdom.errors import ExecutorError, RunError, StrategyError, UsageError
from simdom.executors.choosing import as_executor, opened
from simdom.executors.cluster import check_address, connected, local_cluster
from simdom.executors.dask import DaskExecutor
from simdom.executors.remote import build_here, check_same
from simdom.executors.serial import SerialExecutor
from simdom.executors.threads import ThreadsExecutor
from simdom.simulate import study_of
from simdom.variants import load_variant

PATIENCE = 240  # seconds that a condition may take on a busy machine
NOT_SAME = "install the same on both"


def play(study, chunk):
    return tally_rounds(study, chunk.start, chunk.stop)


def square(chunk):
    return [index**2 for index in chunk]


def refuse(chunk):
    raise UsageError(f"not {chunk.start}")


def fail_as_a_strategy(chunk):
    error = StrategyError("answered 7")
    error.result = chunk.start
    raise error


def divide(chunk):
    return chunk.start // 0


def die(_):
    os.kill(os.getpid(), signal.SIGKILL)


def study(strategy="random", seed=1, variant="pagat-draw"):
    return study_of(load_variant(variant).rules(), strategy, seed)


def chunks(size, count):
    return (range(size * number, size * (number + 1)) for number in range(count))


def check_same_tallies(tallies, others):
    one, other = reduce(merge, tallies), reduce(merge, others)
    for name in Tally._fields:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


def wait_until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline


@pytest.fixture(scope="module")
def client():
    with local_cluster(2) as client:
        yield client


@pytest.fixture
def executor(client, monkeypatch):
    monkeypatch.setattr(dask_executor, "LOOK_SECONDS", 0.05)
    client.wait_for_workers(2, timeout=PATIENCE)
    return DaskExecutor(client)


@contextmanager
def scheduler_only(**options):
    """A scheduler in this process, with no worker unless ``options`` say so."""
    options = {"n_workers": 0, "dashboard_address": "127.0.0.1:0", "silence_logs": 60} | options
    with LocalCluster(**options) as cluster, Client(cluster, set_as_default=False) as client:
        yield client


def tasks_of(client):
    return client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))


# The same bits


@pytest.mark.parametrize("strategy", ["random", "normal,random"])
@pytest.mark.parametrize("size", [1, 30])
def test_a_cluster_plays_what_one_thread_plays(executor, size, strategy):
    work = partial(play, study(strategy))
    played = list(executor.play(work, chunks(size, 7)))
    assert [tally.rounds for tally in played] == [size] * 7
    check_same_tallies(played, SerialExecutor().play(work, chunks(size, 7)))


def test_a_run_is_the_same_on_a_cluster(executor):
    n = rounds(5000)
    here = simdom.simulate("pagat-draw", n, seed=5, threads=1)
    there = simdom.simulate("pagat-draw", n, seed=5, executor=executor)
    assert there.metrics == here.metrics
    assert there.distributions == here.distributions
    assert there.threads == 2


RUNS = {
    "match": lambda where: simdom.simulate_matches(
        "pagat-block", rounds(300, 20), target=20, executor=where
    ),
    "compare": lambda where: simdom.compare(
        "pagat-draw", "pagat-draw:reserve=0", rounds=rounds(3000, 60), executor=where
    ),
    "effects": lambda where: simdom.effects(
        "pagat-draw", rounds(1000, 40), toggles=["reserve=1,3"], executor=where
    ),
    "duel": lambda where: simdom.duel("normal", "random", deals=rounds(2000, 40), executor=where),
    "until": lambda where: simdom.simulate(
        "pagat-block", rounds(30_000, 100), until={"points": 0.1}, executor=where
    ),
}


def without_speed(answer):
    document = answer.to_dict()
    for name in {"seconds", "rounds_per_second", "threads"} & document.keys():
        del document[name]
    return document


@pytest.mark.parametrize("name", RUNS)
def test_every_kind_of_run_is_the_same_on_a_cluster(executor, name):
    assert without_speed(RUNS[name](executor)) == without_speed(RUNS[name](SerialExecutor()))


def test_records_come_from_a_cluster_too(client, tmp_path):
    import pandas as pd

    n = rounds(3000, 60)
    simdom.simulate("pagat-draw", n, executor=client, records=tmp_path / "there.parquet")
    simdom.simulate("pagat-draw", n, records=tmp_path / "here.parquet")
    there, here = (pd.read_parquet(tmp_path / f"{name}.parquet") for name in ("there", "here"))
    pd.testing.assert_frame_equal(there, here)


def test_results_come_in_the_order_of_the_chunks(executor):
    assert list(executor.play(square, chunks(3, 50))) == [square(chunk) for chunk in chunks(3, 50)]


def test_no_chunks_no_results(executor):
    assert list(executor.play(square, [])) == []


def test_two_runs_at_a_time_do_not_share_results(executor):
    """Chunks of the same bounds: only what is played differs."""
    works = [partial(play, study(seed=seed)) for seed in (1, 2)]
    both = zip(*(executor.play(work, chunks(20, 9)) for work in works), strict=True)
    for work, tallies in zip(works, zip(*both, strict=True), strict=True):
        check_same_tallies(tallies, SerialExecutor().play(work, chunks(20, 9)))


def test_chunks_are_taken_only_as_they_are_needed(executor):
    taken = []

    def endless():
        for chunk in chunks(1, 10**9):
            taken.append(chunk)
            yield chunk

    playing = executor.play(square, endless())
    assert [next(playing) for _ in range(20)] == [[index**2] for index in range(20)]
    assert len(taken) <= 20 + 2 * dask_executor.AHEAD * executor.workers
    playing.close()


def test_chunks_are_longer_where_there_are_more_workers(executor):
    assert executor.seconds_a_chunk == 2
    executor._look = lambda: None
    executor._threads = {"tcp://a": 600, "tcp://b": 400}
    assert executor.workers == 1000
    assert executor.seconds_a_chunk == 20


# Workers come and go


def test_a_worker_that_is_killed_changes_nothing(client, executor):
    size = rounds(300_000, 100)
    work = partial(play, study(seed=3))
    playing = executor.play(work, chunks(size, 12))
    played = [next(playing)]
    victim = min(client.run(os.getpid).values())
    os.kill(victim, signal.SIGKILL)
    played += playing
    assert len(played) == 12
    check_same_tallies(played, SerialExecutor().play(work, chunks(size, 12)))
    wait_until(lambda: len(pids := client.run(os.getpid).values()) == 2 and victim not in pids)


def test_a_run_whose_worker_is_killed_is_the_run(client, tmp_path):
    n = rounds(1_500_000, 300)
    killed = []

    def kill(done, _asked):
        if not killed and done > 10:
            killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)

    found = simdom.simulate(
        "pagat-draw", n, seed=8, executor=client, checkpoint=tmp_path / "kept", progress=kill
    )
    assert killed
    assert without_speed(found) == without_speed(simdom.simulate("pagat-draw", n, seed=8))
    wait_until(lambda: len(pids := client.run(os.getpid).values()) == 2 and killed[0] not in pids)


def test_workers_that_join_and_leave_are_used_and_missed(client, executor):
    size = rounds(20_000, 50)
    work = partial(play, study(seed=4))
    playing = executor.play(work, chunks(size, 30))
    played = [next(playing)]
    client.cluster.scale(3)
    client.wait_for_workers(3, timeout=PATIENCE)
    wait_until(lambda: executor.workers == 3)
    played += [next(playing) for _ in range(9)]
    client.cluster.scale(2)
    wait_until(lambda: executor.workers == 2)
    played += playing
    assert len(played) == 30
    check_same_tallies(played, SerialExecutor().play(work, chunks(size, 30)))


def test_a_chunk_that_kills_its_workers_is_given_up(client, executor):
    scheduler = client.cluster.scheduler
    allowed, scheduler.allowed_failures = scheduler.allowed_failures, 0
    try:
        with pytest.raises(RunError) as error:
            list(executor.play(die, [range(5, 9)]))
    finally:
        scheduler.allowed_failures = allowed
    assert one_line(error).startswith("the workers that played 5 to 8 died, one after the other, ")
    wait_until(lambda: len(client.nthreads()) == 2)
    assert list(executor.play(square, [range(2)])) == [[0, 1]]


def test_a_run_without_any_worker_is_given_up(monkeypatch):
    monkeypatch.setattr(dask_executor, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(dask_executor, "NOBODY_SECONDS", 0.1)
    with scheduler_only() as client, pytest.raises(RunError) as error:
        list(DaskExecutor(client).play(square, [range(2)]))
    assert one_line(error).endswith("has had no worker for 0 s")


def test_a_scheduler_that_ends_in_mid_run_is_told(monkeypatch):
    monkeypatch.setattr(dask_executor, "LOOK_SECONDS", 0.05)
    with scheduler_only(n_workers=1, processes=False) as client:
        executor = DaskExecutor(client)
        playing = executor.play(square, chunks(1, 10**6))
        assert next(playing) == [0]
        there = executor.workers
        client.cluster.close()
        with pytest.raises(ExecutorError) as error:
            list(playing)
        assert " is gone" in one_line(error)
        executor._looked = -float("inf")
        assert executor.workers == there  # a result still says on how many it was played
        with pytest.raises(UsageError, match="the dask Client is closed"):
            DaskExecutor(client)


# Ends


def test_nothing_is_left_of_a_run_that_is_closed_early(client, executor):
    playing = executor.play(square, chunks(1, 10**6))
    next(playing)
    playing.close()
    wait_until(lambda: not tasks_of(client))


@pytest.mark.parametrize(
    ("work", "kind", "says"),
    [
        (refuse, UsageError, "not 3"),
        (fail_as_a_strategy, StrategyError, "answered 7"),
        (divide, ZeroDivisionError, "integer division or modulo by zero"),
    ],
)
def test_errors_of_a_chunk_come_back_as_they_are(client, executor, work, kind, says):
    with pytest.raises(kind) as error:
        list(executor.play(work, [range(3, 4)]))
    assert (type(error.value), str(error.value)) == (kind, says)
    if kind is StrategyError:
        assert error.value.result == 3
    wait_until(lambda: not tasks_of(client))


def test_a_function_is_not_sent(executor):
    @simdom.strategy
    def first(_):
        return 0

    with pytest.raises(UsageError) as error:
        next(executor.play(partial(play, study([first, "random"])), chunks(1, 2)))
    assert "strategy first is a Python function of this process" in one_line(error)


def test_what_cannot_be_pickled_is_named(executor):
    with pytest.raises(UsageError, match="cannot be sent to workers: TypeError: cannot pickle"):
        next(executor.play(partial(print, sys.stdout), chunks(1, 2)))


SCRIPT = """
import sys
from functools import partial
from simdom.executors.choosing import opened
from test_cluster import chunks, play, study

if __name__ == "__main__":
    try:
        print("here", flush=True)
        with opened("dask", workers=1) as executor:
            for _ in executor.play(partial(play, study()), chunks(int(sys.argv[1]), 10**6)):
                print("played", flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.mark.parametrize("moment", ["here", "played"])
def test_ctrl_c_ends_all_processes_and_none_says_anything(tmp_path, moment):
    """As on a terminal, where Ctrl-C is for the workers too."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    path = os.pathsep.join([os.path.dirname(__file__), *sys.path])  # noqa: PTH120
    command = [sys.executable, str(script), str(rounds(1_000_000, 100))]
    with subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": path, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        for line in process.stdout:
            if line.strip() == moment:
                break
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)  # ends when no process has the pipe
    assert process.returncode == 0
    assert out.split()[-1] == "interrupted"
    assert err == ""
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]


def test_the_command_line_plays_on_a_cluster_and_leaves_what_can_be_gone_on_with(tmp_path):
    folder = tmp_path / "kept"
    command = [*SIMDOM, "run", "-n", "1e12", "-q", "--executor", "dask", "--workers", "2"]
    with subprocess.Popen(
        [*command, "--out", str(folder), "--format", "json"],
        env={**os.environ, "SIMDOM_CHECKPOINT_SECONDS": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        wait_until(lambda: (folder / "checkpoint.json").exists() or process.poll() is not None)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err.splitlines()[-1].endswith(f"`simdom resume {folder}` goes on")
    part = json.loads(out)
    assert part["partial"]
    whole = simdom.resume(folder, max_rounds=part["rounds"] + 10)
    assert whole.metrics == simdom.simulate("pagat-draw", whole.rounds).metrics


# Versions


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"simdom": "0.0.1"}, f"runs simdom {simdom.__version__}, this is 0.0.1: {NOT_SAME}"),
        ({"python": "2.7"}, f"runs Python {build_here().python}, this is 2.7: {NOT_SAME}"),
        ({"distributed": "1"}, f"runs distributed {build_here().distributed}, this is 1: "),
        ({"sources": 0}, f"another engine that is called simdom {simdom.__version__}, too: "),
    ],
)
def test_another_version_is_refused(executor, monkeypatch, other, says):
    executor._build = build_here()._replace(**other)
    monkeypatch.setattr(dask_executor, "check_same", lambda *_: None)  # as if workers came later
    with pytest.raises(RunError) as error:
        list(executor.play(square, chunks(1, 2)))
    assert one_line(error).startswith("worker tcp://127.0.0.1:")
    assert says in one_line(error)


def test_all_workers_are_asked_before_anything_is_played(client, executor, monkeypatch):
    asked = []
    monkeypatch.setattr(dask_executor, "check_same", lambda where, *_: asked.append(where))
    next(executor.play(square, chunks(1, 2)))
    assert sorted(asked) == sorted(f"worker {address}" for address in client.nthreads())


def test_the_same_build_is_the_same():
    check_same("worker", build_here(), build_here())


def test_a_worker_without_this_simdom_is_told(tmp_path, monkeypatch):
    """A process of its own, in which another package is called simdom."""
    monkeypatch.setattr(dask_executor, "LOOK_SECONDS", 0.05)
    (tmp_path / "simdom").mkdir()
    (tmp_path / "simdom" / "__init__.py").write_text("")
    with scheduler_only() as client:
        command = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny"]
        command += ["--no-dashboard", "--local-directory", str(tmp_path)]
        with subprocess.Popen(
            [*command, client.scheduler.address],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                with pytest.raises(RunError) as error:
                    list(DaskExecutor(client).play(square, chunks(1, 2)))
            finally:
                process.kill()
    line = one_line(error)
    assert f"has no simdom {simdom.__version__}: install it there (ModuleNotFoundError: " in line


# Schedulers


@pytest.mark.parametrize("listens", [True, False])
def test_a_scheduler_that_does_not_answer(listens):
    """Nobody takes the call, or somebody takes it and says nothing."""
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        if listens:
            there.listen()
        address = f"tcp://127.0.0.1:{there.getsockname()[1]}"
        with pytest.raises(RunError) as error, connected(address, seconds=0.5):
            pass
    assert one_line(error) == f"{address}: no scheduler answered in 0.5 s"


def test_something_that_is_no_scheduler(client):
    worker = min(client.nthreads())
    with pytest.raises(UsageError, match="is no scheduler, but a 'Worker'"), connected(worker):
        pass


@pytest.mark.parametrize(
    "address",
    [
        "",
        "tcp://",
        "host",
        "tcp://host",
        "host:0",
        "host:x",
        "host:99999",
        "a b:1",
        "[::1",
        "☃" * 999,
    ],
)
def test_an_address_that_is_none(address):
    with pytest.raises(UsageError, match=r"is no address of a scheduler: write it as tcp://HOST"):
        check_address(address)


def test_a_way_to_speak_that_dask_does_not_know():
    with pytest.raises(RunError) as error, connected("pigeon://127.0.0.1:1"):
        pass
    assert "unknown address scheme 'pigeon'" in one_line(error)


def test_a_scheduler_is_found_and_left_as_it_was(client):
    with opened("dask", scheduler=client.scheduler.address) as executor:
        assert executor.workers == 2
        assert list(executor.play(square, [range(3)])) == [[0, 1, 4]]
    assert len(client.nthreads()) == 2


def test_dasks_settings_of_tls_are_honoured(tmp_path):
    security = Security.temporary()
    files = {}
    for name in ("tls_ca_file", "tls_client_cert", "tls_client_key"):
        files[name] = tmp_path / f"{name}.pem"
        files[name].write_text(getattr(security, name))
    settings = {
        "distributed.comm.require-encryption": True,
        "distributed.comm.tls.ca-file": str(files["tls_ca_file"]),
        "distributed.comm.tls.client.cert": str(files["tls_client_cert"]),
        "distributed.comm.tls.client.key": str(files["tls_client_key"]),
    }
    with scheduler_only(n_workers=1, processes=True, security=security) as owner:
        address = owner.scheduler.address
        assert address.startswith("tls://")
        with dask.config.set(settings), opened("dask", scheduler=address) as executor:
            assert list(executor.play(square, [range(3)])) == [[0, 1, 4]]
        with pytest.raises(RunError) as error, connected(address):
            pass
        assert "TLS expects" in one_line(error)


# Which executor


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("dusk", {}, "unknown executor 'dusk': choose from threads, serial, dask; did you mean"),
        ("threads", {"workers": 2}, "--workers is for --executor dask, not for threads"),
        ("serial", {"scheduler": "a:1"}, "--scheduler is for --executor dask, not for serial"),
        ("serial", {"threads": 2}, "--threads is for --executor threads, not for serial"),
        ("dask", {"threads": 2}, "--threads is for --executor threads, not for dask"),
        ("dask", {"workers": 2, "scheduler": "a:1"}, "--scheduler has workers of its own: leave"),
        ("dask", {"workers": 0}, "--workers must be from 1 to 256, not 0"),
        ("dask", {"workers": 10**6}, "--workers must be from 1 to 256, not 1000000"),
        ("dask", {"scheduler": ""}, "'' is no address of a scheduler"),
    ],
)
def test_options_that_do_not_fit(name, options, says):
    with pytest.raises(UsageError) as error, opened(name, **options):
        pass
    assert says in one_line(error)


def test_executors_by_name():
    with opened("threads", threads=1) as executor:
        assert isinstance(executor, ThreadsExecutor)
    with opened("serial") as executor:
        assert isinstance(executor, SerialExecutor)


def test_without_dask_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError) as error, opened("dask"):
        pass
    assert one_line(error).endswith("is not installed: pip install 'simdom[cluster]'")
    assert isinstance(as_executor(None, 1), ThreadsExecutor)


def test_what_a_caller_may_pass(client):
    assert isinstance(as_executor(client), DaskExecutor)
    serial = SerialExecutor()
    assert as_executor(serial) is serial
    for wrong in ("dask", SerialExecutor, client.cluster, 7):
        with pytest.raises(UsageError, match="executor must be a dask Client or an executor of"):
            as_executor(wrong)
    with pytest.raises(UsageError, match="a dask Client is needed, not 7"):
        DaskExecutor(7)
