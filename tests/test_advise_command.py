"""What ``simdom advise`` and ``simdom odds --position`` print."""

import csv
import io
import json
import shlex
import subprocess

import pytest

from commands import SIMDOM, in_process, one_line
from simdom.cli.advise import advise as advise_command
from simdom.cli.odds import odds as odds_command
from simdom.errors import RunError, UsageError

ROUND = """simdom-transcript 1
variant pagat-draw
players 3
name 1: [Bea]
hand 0: 6-6 5-4 3-2 2-2 1-0 6-1 4-4
0: 6-6
1: draw ? draw ? 6-5 on 6
2: 6-3 on 6
"""


@pytest.fixture
def file(tmp_path):
    """A round in which seat 0 is to play on 5 and 3."""
    path = tmp_path / "round.txt"
    path.write_text(ROUND)
    return str(path)


@pytest.fixture
def advise():
    """Run ``simdom advise`` with these arguments; its standard output."""
    return in_process(advise_command)


@pytest.fixture
def odds():
    """Run ``simdom odds`` with these arguments; its standard output."""
    return in_process(odds_command)


def test_what_a_user_reads(advise, file):
    text = advise(file, "--seat", "0", "--samples", "50")
    lines = text.splitlines()
    assert lines[0] == "Advice to seat 0: pagat-draw, 3 players"
    assert "Turn 4. Open: 5 and 3. Seat 0 holds 1-0 2-2 3-2 4-4 5-4 6-1." in " ".join(lines)
    assert "placement  wins" in text
    assert "seat 1 ([Bea]): no 6 (draws in line 7)" in text
    assert "All deals that agree" in text
    assert "50 worlds by lot" in " ".join(text.split())
    assert max(map(len, lines[:-1])) <= 80  # the command is on one line, to be pasted
    assert advise(*_arguments(lines[-1])) == text


def test_numbers_that_nobody_else_holds(advise, tmp_path):
    path = tmp_path / "seen.txt"
    path.write_text(
        "simdom-transcript 1\nvariant pagat-block\nset deal=7\nplayers 2\n"
        "hand 0: 6-6 6-5 6-4 6-3 6-2 6-1 5-4\n0: 6-6\n1: 6-0 on 6\n"
    )
    text = " ".join(advise(str(path), "--seat", "0", "--samples", "20").split())
    assert "nobody else holds a 6: all of these tiles are seen" in text


def _arguments(command):
    return shlex.split(command)[2:]


def test_the_seat_that_answers_can_be_chosen(advise, file):
    assert "seat 2 can" in advise(file, "--seat", "0", "--samples", "5", "--of", "2")


def test_json_csv_and_markdown(advise, file):
    arguments = [file, "--seat", "0", "--samples", "50", "--format"]
    document = json.loads(advise(*arguments, "json"))
    assert document["schema"] == "simdom.advice/1"
    assert document["strategy"]["samples"] == 50
    rows = list(csv.DictReader(io.StringIO(advise(*arguments, "csv"))))
    assert [float(row["wins"]) for row in rows] == [
        option["wins"]["estimate"] for option in document["options"]
    ]
    assert rows[0]["seat_1_answers"] == document["options"][0]["answers"][0]["fraction"]
    markdown = advise(*arguments, "markdown")
    assert markdown.startswith("## Advice to seat 0")
    assert "| placement | wins |" in markdown


def test_odds_of_a_position(odds, file):
    text = odds("--position", file, "--seat", "0", "--of", "1")
    document = json.loads(odds("--position", file, "--seat", "0", "--of", "1", "--format", "json"))
    assert document["schema"] == "simdom.answer-odds/1"
    assert document["fraction"] in text
    assert text.startswith("Seat 1 ([Bea]) holds a tile for 5 or 3, as seat 0 can know")
    assert odds(*_arguments(text.splitlines()[-1])) == text
    (row,) = csv.DictReader(
        io.StringIO(odds("--position", file, "--seat", "0", "--of", "1", "--format", "csv"))
    )
    assert row["fraction"] == document["fraction"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "ask a QUESTION, one of no-double"),
        (["--seat", "1"], "--seat goes with --position FILE"),
        (["doubles", "--turn", "1"], "--turn goes with --position FILE"),
        (["doubles", "--position", "FILE"], "ask either 'doubles' or --position FILE, not both"),
        (["--position", "FILE"], "--position needs --seat SEAT"),
        (["--position", "FILE", "--seat", "0", "--hand", "7"], "--hand goes with a question"),
        (["--position", "FILE", "--seat", "0", "--check"], "--check goes with a question"),
        (["--position", "FILE", "--seat", "0", "--of", "0"], "of must be another seat than 0"),
        (["--position", "FILE", "--seat", "7"], "seat must be a whole number from 0 to 2, not 7"),
        (["--position", "FILE", "--seat", "2"], "the hand of seat 2 is not known"),
        (["--position", "none.txt", "--seat", "0"], "none.txt: cannot be read"),
    ],
)
def test_odds_that_cannot_be_asked(odds, file, arguments, message):
    with pytest.raises(UsageError) as error:
        odds(*[file if word == "FILE" else word for word in arguments])
    assert message in one_line(error)


def test_a_transcript_that_is_not_legal_leads_to_the_referee(advise, tmp_path):
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(ROUND.replace("6-3 on 6", "6-3 on 3"))
    with pytest.raises(RunError) as error:
        advise(str(wrong), "--seat", "0")
    text = one_line(error)
    assert f"{wrong} is not legal: line 8: no open end shows 3" in text
    assert f"(see `simdom referee {wrong}`)" in text


@pytest.mark.parametrize(
    ("content", "code"),
    [(ROUND, 0), (ROUND + "0: pass\n", 1), (ROUND + "0: 3-2 on 3\n", 2), ("no transcript", 2)],
    ids=["advice", "not legal", "another's turn", "unreadable"],
)
def test_exit_codes_from_standard_input(content, code):
    done = subprocess.run(
        [*SIMDOM, "advise", "-", "--seat", "0", "--samples", "2", "--quiet"],
        input=content,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == code
    assert len(done.stderr.splitlines()) == (code > 0)
    assert bool(done.stdout) == (code == 0)
