"""``simdom play`` and ``simdom daily`` on a real terminal: prompts, keys, windows, colour."""

import os
import re
import shlex

import pexpect
import pytest

from commands import SIMDOM
from simdom.cli.progress import COMPILING

pytestmark = [
    pytest.mark.jit,
    # Later Pythons warn where a process with threads, as pytest-xdist's workers, makes a terminal.
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]

PROMPT = r"Your placement \(1-\d+, \?, q\): "
COLOUR = re.compile(r"\x1b\[[0-9;]*(3[0-7]|9[0-7]|38;)[0-9;]*m")
PATIENCE = 300  # seconds; the engine may have to be compiled first
DAY = ("daily", "--date", "2026-11-01", "--against", "normal")


@pytest.fixture
def sit(tmp_path):
    """Start a command on a terminal of its own, with a window of this size."""
    programs = []

    def start(*arguments, columns=80, lines=24, environment=None):
        inherited = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        program = pexpect.spawn(
            SIMDOM[0],
            [*SIMDOM[1:], *arguments],
            cwd=str(tmp_path),
            dimensions=(lines, columns),
            encoding="utf-8",
            timeout=PATIENCE,
            env={
                **inherited,
                "SIMDOM_DATA": str(tmp_path / "data"),
                "TERM": "xterm-256color",
                **(environment or {}),
            },
        )
        programs.append(program)
        return program

    yield start
    for program in programs:
        program.close(force=True)


STYLE = re.compile(r"\x1b\[[0-9;]*m")


def finish(program):
    """What it still says, and its exit code."""
    program.expect(pexpect.EOF)
    program.close()
    return program.before, program.exitstatus


def play_on(program):
    """Always the first placement, until the end: what was shown, and the exit code."""
    shown = ""
    while program.expect([PROMPT, pexpect.EOF]) == 0:
        shown += program.before
        program.sendline("1")
    program.close()
    return shown + program.before, program.exitstatus


def test_illegal_input_is_answered_and_asked_again(sit):
    program = sit("play", "--seed", "7", "--plain")
    program.expect(PROMPT)
    assert "  1  4-0 on 4" in program.before
    for wrong, answer in [
        ("9", "'9' is none of the placements: write a number from 1 to 2"),
        ("", "'' is no placement"),
        ("six", "'six' is no placement"),
        ("6-6", "'6-6' is none of the placements"),
        ("\x1b[A", r"'\x1b[A' is no placement"),
    ]:
        program.sendline(wrong)
        program.expect_exact(answer)
        program.expect(PROMPT)
    program.sendline("?")
    program.expect_exact("A choice cannot be")
    program.expect(PROMPT)
    program.sendline("4-2")
    program.expect_exact("you play 4-2 on 4")
    program.expect(PROMPT)
    program.sendline("q")
    shown, code = finish(program)
    assert "The match is kept. To go on: simdom play --resume" in shown
    assert code == 0


@pytest.mark.parametrize("command", [("play", "--seed", "7"), DAY])
def test_ctrl_c_keeps_what_was_chosen(sit, command):
    program = sit(*command)
    program.expect(PROMPT)
    program.sendline("1")
    program.expect_exact("you play")
    program.expect(PROMPT)
    at_the_question = program.before
    program.sendintr()
    shown, code = finish(program)
    assert code == 130
    said = [line for line in shown.splitlines() if "simdom" in line]
    assert len(said) == 1
    assert said[0].startswith("simdom: interrupted. The")
    assert "Traceback" not in shown
    words = said[0].rsplit("To go on: simdom ", 1)[1].split()
    program = sit(*words)
    program.expect(PROMPT)
    line = next(line for line in at_the_question.splitlines() if line.startswith("Your hand"))
    assert line in program.before
    program.sendline("q")
    assert finish(program)[1] == 0


@pytest.mark.parametrize("command", [("play", "--seed", "7"), DAY])
def test_ctrl_d_keeps_what_was_chosen(sit, command):
    program = sit(*command)
    program.expect(PROMPT)
    program.sendeof()
    shown, code = finish(program)
    assert code == 0
    assert "is kept. To go on: simdom" in shown
    assert "Traceback" not in shown


def test_a_hung_up_terminal_loses_nothing(sit):
    program = sit("play", "--seed", "7")
    program.expect(PROMPT)
    program.sendline("1")
    program.expect(PROMPT)
    program.close(force=True)  # the signal of a window that is closed
    program = sit("play", "--resume")
    program.expect(PROMPT)
    assert "4-0 on 4" in program.before


def test_a_small_window_is_enough(sit):
    program = sit("play", "--seed", "7", "--target", "20", "--plain", columns=40, lines=12)
    shown, code = play_on(program)
    assert code == 0
    assert "wins the match" in " ".join(shown.split()) or "You win" in shown
    lines = STYLE.sub("", shown).replace(COMPILING, "").splitlines()
    assert max(len(line.rstrip()) for line in lines) <= 40


def test_what_goes_wrong_is_told_in_whole_words(sit):
    program = sit("play", "--seed", "7", "--plain", columns=40)
    program.expect(PROMPT)
    program.sendline("9")
    program.expect(PROMPT)
    told = "'9' is none of the placements: write a number from 1 to 2, ? for help, or q to quit"
    lines = program.before.splitlines()
    assert max(map(len, lines)) <= 40
    assert " ".join(lines[-3:]) == told
    program.sendline("q")
    shown, _ = finish(program)
    assert shown.splitlines()[-2:] == [
        "The match is kept. To go on:",
        "simdom play --resume",
    ]


def test_no_colour(sit):
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        program = sit(*DAY, environment=environment)
        shown, code = play_on(program)
        assert code == 0
        assert not COLOUR.search(shown)
        if "TERM" in environment:
            assert "\x1b" not in shown
            assert "\N{DOMINO TILE HORIZONTAL-06-06}" not in shown


def test_tiles_are_pictures_where_they_can_be(sit):
    program = sit(*DAY)
    program.expect(PROMPT)
    assert re.search("[\U0001f031-\U0001f061]\\d-\\d", program.before)
    program.sendline("q")
    finish(program)
    program = sit(*DAY, environment={"PYTHONIOENCODING": "ascii"})
    program.expect(PROMPT)
    assert program.before.isascii()


def test_a_day_is_played_once(sit):
    program = sit(*DAY, "--plain")
    program.expect_exact("The first try counts, and this is it.")
    shown, code = play_on(program)
    assert code == 0
    result = re.search(r"Your result: ([+-]\d+)", shown)[1]
    program = sit(*DAY)
    shown, code = finish(program)
    assert code == 0
    assert f"Your first try: {result}" in shown
    program = sit(*DAY, "--again")
    program.expect_exact("This does not count.")
    program.expect(PROMPT)
    program.sendintr()
    shown, code = finish(program)
    assert code == 130
    assert "Nothing is kept." in shown
    shown, code = finish(sit("daily", "--history"))
    assert code == 0
    assert f"2026-11-01  normal   {result}" in STYLE.sub("", shown)


def test_answers_from_a_pipe_are_not_prompted_for(tmp_path):
    shell = pexpect.spawn(
        "sh",
        ["-c", f"printf '1\\nq\\n' | {shlex.join(SIMDOM)} play --seed 7 --save a.json"],
        encoding="utf-8",
        timeout=PATIENCE,
        cwd=str(tmp_path),
        env={**os.environ, "TERM": "xterm"},
    )
    shown, code = finish(shell)
    assert code == 0
    assert "Your placement" not in shown
    assert "The match is kept. To go on: simdom play --resume a.json" in shown
