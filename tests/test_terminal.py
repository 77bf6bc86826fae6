"""The command line on a terminal: progress, colour and Ctrl-C."""

import json
import os
import pty
import re
import signal
import subprocess
import threading

import pytest

import simdom
from commands import SIMDOM
from scale import rounds
from simdom.cli.progress import COMPILING, _short


class Terminal:
    """A command on a terminal of its own: its standard error, or all of its output."""

    def __init__(self, *arguments, environment=None, all_output=False):
        self._shown, other_end = pty.openpty()
        self.process = subprocess.Popen(
            [*SIMDOM, *arguments],
            stdout=other_end if all_output else subprocess.PIPE,
            stderr=other_end,
            env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **(environment or {})},
        )
        os.close(other_end)
        self.seen = b""

    def read(self):
        """Whether there was more to see."""
        try:
            more = os.read(self._shown, 4096)
        except OSError:  # how Linux says that the other end is closed
            more = b""
        self.seen += more
        return bool(more)

    def _read_all(self):
        while self.read():
            pass

    def finish(self):
        """Wait for its end, and return its standard output.

        What it shows is read meanwhile: a terminal that nobody reads is full after some seconds
        of progress, and blocks.
        """
        reader = threading.Thread(target=self._read_all)
        reader.start()
        out, _ = self.process.communicate()
        reader.join()
        os.close(self._shown)
        return out


def test_a_terminal_shows_progress_and_a_pipe_does_not():
    count = str(rounds(1_000_000, 3000))
    terminal = Terminal("run", "-n", count, "--format", "csv")
    out = terminal.finish()
    assert terminal.process.returncode == 0
    assert b"rounds/s" in terminal.seen
    assert out.startswith(b"metric,")
    assert b"\x1b" not in out
    quiet = Terminal("run", "-n", count, "--quiet", "--format", "csv")
    assert quiet.finish() == out
    assert quiet.seen == b""
    piped = subprocess.run(
        [*SIMDOM, "run", "-n", count, "--format", "csv"], capture_output=True, check=True
    )
    assert piped.stdout == out
    assert piped.stderr.decode() in ("", f"{COMPILING}\n")  # said where loading takes long, too


@pytest.mark.parametrize(
    ("rate", "text"),
    [(3_076_045, "3.08M"), (435_123.4, "435k"), (1_000, "1k"), (999, "999"), (2.345, "2.35")],
)
def test_a_rate_is_short(rate, text):
    assert _short(rate) == text


def test_no_color_is_honoured():
    colour = re.compile(rb"\x1b\[[0-9;]*(3[0-7]|9[0-7]|38;)[0-9;]*m")
    for environment, coloured in (({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False)):
        terminal = Terminal("run", "-n", "10", environment=environment, all_output=True)
        terminal.finish()
        assert terminal.process.returncode == 0
        assert bool(colour.search(terminal.seen)) is coloured


def test_ctrl_c_prints_and_saves_what_was_played(tmp_path):
    folder = tmp_path / "partial"
    terminal = Terminal("run", "-n", "1e12", "--format", "json", "--out", str(folder))
    while b"rounds/s" not in terminal.seen and terminal.read():
        pass
    terminal.process.send_signal(signal.SIGINT)
    out = terminal.finish()
    assert terminal.process.returncode == 130
    document = json.loads(out)
    assert (document["partial"], document["asked"]) == (True, 10**12)
    assert 0 < document["rounds"] < 10**12
    said = f"interrupted after {document['rounds']:,} of 1,000,000,000,000 rounds"
    assert said.encode() in terminal.seen
    assert b"Traceback" not in terminal.seen
    saved = simdom.load_result(folder)
    assert saved.partial
    assert saved.to_json().encode() == out
    # The same figures as of a run that asked for no more than these rounds.
    whole = simdom.simulate("pagat-draw", saved.rounds)
    assert whole.metrics == saved.metrics
