"""The command line where things are narrow, closed, odd, or go wrong at the last moment."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import simdom
from commands import SIMDOM
from simdom.cli.progress import ProgressBar, heed_interrupts
from simdom.errors import UsageError
from simdom.executors import threads
from simdom.executors.threads import ThreadsExecutor

WEIGHTS = (1.0,) + (0.0,) * 11


def run(*arguments, **options):
    return subprocess.run(
        [*SIMDOM, "run", "-n", "100", "-q", *arguments], capture_output=True, check=False, **options
    )


def environment(**changes):
    return {**os.environ, **changes}


def test_an_encoding_without_plus_minus_loses_a_sign_and_no_figure():
    done = run(env=environment(PYTHONIOENCODING="ascii"))
    assert done.returncode == 0
    assert b"Blocked" in done.stdout
    assert b"? " in done.stdout


@pytest.mark.parametrize("closed", ["2>&-", ">&-"])
def test_a_closed_stream_stops_nothing(closed):
    command = f'"$@" run -n 100 -q --format csv {closed}'
    done = subprocess.run(["sh", "-c", command, "sh", *SIMDOM], capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stderr == b""
    assert done.stdout.startswith(b"metric") == (closed == "2>&-")


FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
NO_SPACE = b"simdom: the output cannot be written: No space left on device\n"


@needs_full
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments",
    [
        "run -n 10 -q",
        "run -n 10 -q --format json",
        "run -n 10 -q --format csv",
        "run -n 10 -q --format markdown",
        "compare pagat-draw pagat-block -n 10 -q",
        "compare pagat-draw pagat-block -n 10 -q --format json",
        "odds doubles",
        "odds doubles --format json",
        "variants",
        "variants --format json",
        "strategies",
        "metrics --format json",
        "--help",
        "--version",
    ],
)
def test_an_output_that_is_full_is_one_line(arguments, unbuffered):
    with FULL.open("wb") as full:
        done = subprocess.run(
            [*SIMDOM, *arguments.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(PYTHONUNBUFFERED=unbuffered),
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, NO_SPACE)


@needs_full
def test_what_was_saved_before_the_output_was_full_is_saved(tmp_path):
    with FULL.open("wb") as full:
        done = subprocess.run(
            [*SIMDOM, "run", "-n", "10", "--quiet", "--out", str(tmp_path / "out")],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, NO_SPACE)
    assert simdom.load_result(tmp_path / "out").rounds == 10


@needs_full
def test_notes_that_nobody_can_write_down_stop_nothing(tmp_path):
    plot = tmp_path / "run.svg"
    with FULL.open("wb") as full:
        for arguments, code in (
            (("run", "-n", "10", "--format", "csv", "--plot", str(plot)), 0),
            (("run", "-n", "0"), 2),
        ):
            done = subprocess.run(
                [*SIMDOM, *arguments], stdout=subprocess.PIPE, stderr=full, check=False
            )
            assert done.returncode == code
            assert done.stdout.startswith(b"metric,") == (code == 0)
    assert plot.exists()


@pytest.mark.parametrize("columns", ["0", "20", "50"])
def test_no_figure_is_cut_off_in_a_narrow_place(columns):
    done = run(env=environment(COLUMNS=columns), encoding="utf-8")
    assert done.returncode == 0
    estimate = simdom.simulate("pagat-draw", 100).metrics["blocked_rate"].estimate
    assert f"{estimate:.0%}" in done.stdout
    assert "--seed 1" in " ".join(done.stdout.split())


def test_a_long_path_can_be_copied_whole(tmp_path):
    file = tmp_path / ("a" * 100 + ".toml")
    file.write_text('title = "Long"\nplayers = [2]\n[rules]\n')
    done = run("--variant", str(file), encoding="utf-8")
    assert str(file) in done.stdout.replace("\\\n    ", "")


def test_a_name_with_dollar_signs_is_drawn(tmp_path):
    file = tmp_path / "$\\frac$.toml"
    file.write_text('title = "Costly"\nplayers = [2]\n[rules]\n')
    done = run("--variant", str(file), "--out", str(tmp_path / "out"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"result.json", "metrics.csv"}


def test_more_threads_than_cores_are_not_begun(monkeypatch):
    monkeypatch.setattr(threads, "usable_cores", lambda: 2)
    assert [ThreadsExecutor(count).workers for count in (1, 2, 3, 1024)] == [1, 2, 2, 2]
    assert simdom.simulate("pagat-block", 100, threads=1024).threads == 2
    with pytest.raises(UsageError, match="threads must be from 1 to 1024, not 1025"):
        ThreadsExecutor(1025)


def test_a_plot_that_fails_leaves_the_figures_saved(tmp_path):
    code = (
        "import simdom.plots.run\n"
        "def fail(result): raise ValueError('no ink')\n"
        "simdom.plots.run.draw_run = fail\n"
        "from simdom.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "run", "-n", "100", "-q", "--out", str(tmp_path / "out")],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == b"simdom: the plot could not be drawn: no ink\n"
    assert simdom.load_result(tmp_path / "out").rounds == 100


def test_a_plot_inside_the_result_is_refused_before_the_run(tmp_path):
    folder = tmp_path / "out"
    done = run("--out", str(folder), "--plot", str(folder / "plot.svg"))
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert not folder.exists()


def test_an_interrupt_that_was_swallowed_is_heeded_at_the_next_progress():
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        heed_interrupts()
        progress = ProgressBar(quiet=True)
        progress(1, 2)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            progress(1, 2)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        heed_interrupts()
        progress(1, 2)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weights": (-1e13, *WEIGHTS[1:])}, "mine: pips must be from -1000 to 1000"),
        ({"weights": (float("nan"), *WEIGHTS[1:])}, "mine: pips must be from -1000 to 1000"),
        ({"weights": (1.0,)}, "mine: weights must be a tuple of 12"),
        ({"weights": list(WEIGHTS)}, "mine: weights must be a tuple of 12"),
        ({"temperature": -1.0}, "mine: temperature must be from 0 to 1000"),
        ({"ties": "bogus"}, "unknown ties of mine 'bogus': choose from placements, tiles"),
    ],
)
def test_a_strategy_made_in_python_is_checked_as_a_file_is(changes, message):
    fields = {"name": "mine", "title": "", "description": "", "weights": WEIGHTS, **changes}
    with pytest.raises(UsageError) as raised:
        simdom.simulate("pagat-block", 100, strategy=simdom.Strategy(**fields))
    assert str(raised.value).startswith(message)
