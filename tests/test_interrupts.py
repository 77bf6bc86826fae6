"""Ctrl-C at any moment: one line and exit code 130, whatever is being imported or done."""

import os
import signal
import subprocess
import sys

import pytest

from commands import SIMDOM

ENTRY = [sys.executable, "-c", "from simdom.__main__ import main; main()"]  # as pip makes it

# Python runs this before anything else: a Ctrl-C when the module TRAP is about to be imported.
TRAP = """
import atexit, os, signal, sys

class Trap:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ.get("TRAP"):
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Trap())
if os.environ.get("TRAP") == "the end":
    atexit.register(signal.raise_signal, signal.SIGINT)
"""


@pytest.fixture
def interrupted(tmp_path):
    """Runs a command line that is interrupted when it imports a module."""
    (tmp_path / "sitecustomize.py").write_text(TRAP)

    def run(module, *arguments, command=SIMDOM):
        environment = {**os.environ, "TRAP": module, "PYTHONPATH": str(tmp_path)}
        return subprocess.run(
            [*command, *arguments], env=environment, capture_output=True, text=True, check=False
        )

    return run


@pytest.mark.parametrize("command", [SIMDOM, ENTRY], ids=["python -m simdom", "simdom"])
@pytest.mark.parametrize("module", ["simdom.cli", "typer", "simdom.errors", "simdom.cli.run"])
def test_while_the_command_line_is_imported(interrupted, module, command):
    done = interrupted(module, "run", "-n", "10", command=command)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "simdom: interrupted\n")


@pytest.mark.parametrize(
    "module", ["simdom.estimate", "numpy", "pydantic", "numba", "simdom.simulate", "scipy.special"]
)
def test_while_a_command_imports_what_it_needs(interrupted, module):
    done = interrupted(module, "run", "-n", "10", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "simdom: interrupted\n")


@pytest.mark.parametrize("module", ["simdom.plots.run", "matplotlib"])
def test_while_a_picture_is_drawn(interrupted, module, tmp_path):
    """The figures are there already: they are printed, and what is left can be gone on with."""
    folder = tmp_path / "run"
    arguments = ("--format", "csv", "--quiet", "--out", str(folder))
    done = interrupted(module, "run", "-n", "10", *arguments)
    assert done.returncode == 130
    assert done.stderr == f"simdom: interrupted; `simdom resume {folder}` goes on\n"
    assert done.stdout.startswith("metric,")
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["checkpoint.json"]
    again = subprocess.run(
        [*SIMDOM, "resume", str(tmp_path / "run"), "--format", "csv"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert again.stdout == done.stdout
    assert (tmp_path / "run" / "plot.png").exists()


def test_while_a_table_is_printed(interrupted):
    done = interrupted("rich.console", "variants")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "simdom: interrupted\n")


def test_while_python_ends(interrupted):
    """Everything is said: the process ends as a shell expects, which calls that 130 too."""
    done = interrupted("the end", "--version")
    assert done.returncode == -signal.SIGINT
    assert (done.stdout.split()[0], done.stderr) == ("simdom", "")


def test_a_caller_who_ignores_ctrl_c_is_heeded(interrupted):
    """As a shell does for what it starts in the background."""
    command = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *SIMDOM]
    for module in ("typer", "numpy", "the end"):
        done = interrupted(module, "strategies", "--format", "json", command=command)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("{")


def test_what_an_interrupted_import_then_lacks_is_not_told():
    """Some modules answer an exception inside of them with one of their own."""
    code = (
        "import signal, sys\n"
        "import simdom.simulate\n"
        "def fail(*_, **__):\n"
        "    try:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    except KeyboardInterrupt:\n"
        "        raise ImportError('half of it is missing') from None\n"
        "sys.modules['simdom.simulate'].simulate = fail\n"
        "from simdom.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "run"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "simdom: interrupted\n")


def test_a_call_back_that_swallows_it_is_not_told():
    code = (
        "import signal, sys\n"
        "from simdom.__main__ import _overlook_interrupts\n"
        "sys.unraisablehook = _overlook_interrupts\n"
        "class Dropped:\n"
        "    def __init__(self, error): self.error = error\n"
        "    def __del__(self): raise self.error\n"
        "Dropped(KeyboardInterrupt())\n"
        "Dropped(ValueError('told'))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "KeyboardInterrupt" not in done.stderr
    assert "ValueError: told" in done.stderr
