"""``simdom play`` and ``simdom daily`` in a pipe: what they print, keep and refuse."""

import json
import subprocess
from dataclasses import replace

import pytest

from commands import SIMDOM, in_process, names_in, one_line
from simdom.cli.daily import _mean, daily
from simdom.cli.play import play
from simdom.cli.progress import COMPILING
from simdom.errors import UsageError
from simdom.estimate import Estimate
from simdom.transcripts.loading import load_transcript
from simdom.transcripts.referee import judge

pytestmark = pytest.mark.jit


@pytest.fixture
def simdom(tmp_path, monkeypatch):
    """Run a command line with these lines as its input: exit code, output, and what it says."""
    monkeypatch.setenv("SIMDOM_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)

    def run(*arguments, lines=""):
        done = subprocess.run(
            [*SIMDOM, *arguments],
            input=lines if isinstance(lines, bytes) else lines.encode(),
            capture_output=True,
            check=False,
        )
        said = done.stderr.decode().replace(f"{COMPILING}\n", "")  # where loading takes long
        assert "Traceback" not in said
        return done.returncode, done.stdout.decode(), said

    return run


ALL_ONES = "1\n" * 500
PLAY = ("play", "--seed", "7", "--target", "30", "--plain")


def test_a_match_over_a_pipe(simdom):
    code, out, said = simdom(*PLAY, lines=ALL_ONES)
    assert (code, said) == (0, "")
    assert "\x1b" not in out
    assert "Your placement" not in out
    lines = out.splitlines()
    assert lines[:4] == [
        "pagat-draw: a match to 30 points, 2 players, 7 tiles each of double-6",
        "You have seat 0; seat 1 plays normal.",
        "The seed is 7, as you wished.",
        "? is help, q leaves the match and keeps it.",
    ]
    assert "  1  4-0 on 4" in lines
    assert "you play 4-0 on 4" in lines
    assert "you play 5-3 on 3 (nothing else was possible)" in lines
    assert "Score: you 13, seat 1 0" in lines
    assert max(map(len, lines)) <= 80
    assert simdom(*PLAY, lines=ALL_ONES)[1] == out


def test_hidden_tiles_are_not_told_before_the_round_is_over(simdom):
    code, out, _ = simdom(*PLAY, lines="1\n1\nq\n")
    assert code == 0
    assert "Dealt to" not in out
    assert "Boneyard:" not in out
    assert "seat 1 draws 5-" not in out


def test_quitting_keeps_the_match_and_resume_goes_on(simdom, tmp_path):
    whole = simdom(*PLAY, lines=ALL_ONES)[1]
    code, out, said = simdom(*PLAY, "--save", "m.json", lines="1\n1\nq\n1\n")
    assert (code, said) == (0, "The match is kept. To go on: simdom play --resume m.json\n")
    assert out.count("you play") == 3
    code, out, said = simdom("play", "--resume", "m.json", "--plain")  # the input ends at once
    assert (code, said) == (0, "The match is kept. To go on: simdom play --resume m.json\n")
    code, out, said = simdom("play", "--resume", "m.json", "--plain", lines=ALL_ONES)
    assert (code, said) == (0, "")
    assert out.split("Round 2")[1] == whole.split("Round 2")[1]
    code, out, said = simdom("play", "--resume", "m.json", "--plain")
    assert code == 0
    assert "Seat 1 wins the match" in out or "You win the match" in out
    assert names_in(tmp_path) == ["data", "m.json"]


def test_the_match_kept_last_is_the_one_that_goes_on(simdom, tmp_path):
    code, _, said = simdom("play", "--resume")
    assert code == 2
    assert "play.json: no match is kept there" in said
    assert simdom(*PLAY, lines="1\n")[0] == 0
    assert names_in(tmp_path / "data") == ["play.json"]
    code, _, said = simdom(*PLAY, lines=ALL_ONES)
    assert code == 2
    assert "holds a match that is not over" in said
    assert said.count("\n") == 1
    assert simdom(*PLAY, "--overwrite", lines="1\n")[0] == 0
    code, out, _ = simdom("play", "--resume", lines=ALL_ONES)
    assert code == 0
    assert "wins the match" in out or "win the match" in out


def test_illegal_input_is_answered_in_a_line_and_asked_again(simdom):
    wrong = (
        b"0\n99\n\nsix\n6-6\n9-9\n4-\n" + b"\xff\xfe\n" + b"9" * 5000 + b"\n-1\n1.0\n\x1b[A\n4-0\n"
    )
    code, out, said = simdom(*PLAY, lines=wrong)
    assert code == 0
    lines = said.splitlines()
    allowed = "write a number from 1 to 2, ? for help, or q to quit"
    assert lines[0] == f"'0' is none of the placements: {allowed}"
    assert lines[2] == f"'' is no placement: {allowed}"
    assert len(lines) == 12 + 1
    assert max(map(len, lines)) < 160
    assert "\x1b" not in said
    assert out.count("you play 4-0 on 4") == 1


def test_help_shows_the_table_again(simdom):
    _, out, said = simdom(*PLAY, lines="?\nhelp\nQUIT\n")
    assert out.count("Write the number of a placement") == 2
    assert out.count("  1  4-0 on 4") == 3
    assert "kept" in said


def test_a_tile_that_fits_both_ends_must_be_told_with_its_end(simdom):
    lines = "1\n1\n6-0\n0-6 on 6\n"
    _, out, said = simdom(*PLAY, lines=lines)
    assert said.splitlines()[0] == "6-0 fits both ends: write 6-0 on 0 or 6-0 on 6"
    assert "you play 6-0 on 6" in out


def test_the_result_as_json_and_the_computers_word(simdom):
    code, out, said = simdom("play", "--target", "20", "--format", "json", lines=ALL_ONES)
    assert code == 0
    document = json.loads(out)
    assert document["finished"]
    assert document["commitment"] in said.replace("\n", "")
    assert str(document["seed"]) not in said
    code, out, _ = simdom("play", "--check")
    assert code == 0
    assert f"simdom play {document['seed']} {document['salt']}" in out
    assert document["commitment"] in out
    code, out, _ = simdom("play", "--check", "--format", "json")
    assert json.loads(out) == document


def test_nothing_is_checked_before_the_end(simdom):
    simdom("play", lines="1\n")
    code, out, said = simdom("play", "--check")
    assert (code, out) == (2, "")
    assert "the match is not over, and its seed is not told before" in said
    code, out, said = simdom("play", "--resume", "--format", "json", lines="")
    assert json.loads(out)["seed"] is None


def test_the_rounds_are_written_down(simdom, tmp_path):
    code, _, said = simdom(*PLAY, "--transcript", "rounds.txt", lines=ALL_ONES)
    assert (code, said) == (0, "Written down in rounds.txt.\n")
    report = judge(load_transcript(tmp_path / "rounds.txt"))
    assert report.is_legal
    assert report.match_winner is not None
    assert report.transcript.names == ("you", "normal")
    code, _, said = simdom(*("play", "--save", "new.json", "--transcript", "none.txt"), lines="q\n")
    assert code == 0
    assert "none.txt" not in names_in(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["m.json"], "FILE goes with --resume or --check: --save m.json keeps a new match"),
        (["--resume", "--seed", "1"], "a kept match has all that it needs: leave out --seed"),
        (["--check", "--set", "reserve=0"], "leave out --set"),
        (["--resume", "--check"], "choose one"),
        (["--against", "normal,easy,sharp"], "--against has 3 strategies for 1 other seat"),
        (["--against", "shrap"], "did you mean 'sharp'"),
        (["--seat", "2"], "--seat must be a whole number from 0 to 1, not 2"),
        (["--seed", "x"], "--seed must be a whole number, not 'x'"),
        (["--seed", "-1"], "--seed must be a whole number from 0 to"),
        (["--target", "0"], "target must be"),
        (["--players", "9"], "players"),
        (["--save", "a.json", "--transcript", "a.json"], "is where the match is kept"),
        (["--transcript", "."], ". is a folder: name a file"),
        (["--format", "cvs"], "unknown format 'cvs'"),
    ],
)
def test_what_cannot_be_played_is_one_line(tmp_path, monkeypatch, arguments, reason):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIMDOM_DATA", str(tmp_path))
    with pytest.raises(UsageError) as error:
        in_process(play)(*arguments)
    assert reason in one_line(error)
    assert names_in(tmp_path) == []


def test_a_match_without_any_choice_is_told_all_the_same(simdom):
    code, out, said = simdom("play", "--set", "deal=1", "--target", "20", "--seed", "1", "--plain")
    assert (code, said) == (0, "")
    rounds = out.count("Dealt to you")
    assert rounds == int(out.split("winner  points")[1].strip().splitlines()[-3].split()[0]) > 1
    assert out.count("\nRound ") == rounds
    assert "Your hand" not in out
    code, out, said = simdom("play", "--resume", "--plain")
    assert (code, said) == (0, "")
    assert "Dealt to you" not in out


def test_teams_other_seats_and_each_its_own_strategy(simdom):
    code, out, _ = simdom(
        *("play", "--variant", "partner-spain", "--seat", "1", "--against", "easy,normal,random"),
        *("--target", "20", "--seed", "1", "--plain"),
        lines=ALL_ONES,
    )
    assert code == 0
    text = " ".join(out.split())
    assert "You have seat 1; seat 0 plays easy; seat 2 plays normal; seat 3 plays random." in text
    assert "Your partner is seat 3." in text
    assert "Score: your team" in text
    assert "your team  the others" in out
    assert "to seat 1" not in out
    assert "Seat 1 played" not in out
    assert "seat 1  " not in out


@pytest.mark.parametrize("command", [play, daily])
def test_help_is_as_wide_as_a_terminal(command):
    assert max(map(len, in_process(command)("--help").splitlines())) <= 80


def test_a_mean_has_the_sign_that_a_result_has():
    mean = Estimate(12.5, float("nan"), float("nan"), float("nan"))
    assert _mean(mean) == "+12.5"
    assert _mean(replace(mean, estimate=-3.0)) == "-3.0"


def test_daily_over_a_pipe(simdom, tmp_path):
    day = ("daily", "--date", "2026-11-01", "--against", "normal", "--plain")
    code, out, said = simdom(*day, lines="q\n")
    assert (code, said) == (
        0,
        "The round is kept. To go on: simdom daily --date 2026-11-01\n",
    )
    assert "The first try counts, and this is it." in out
    assert names_in(tmp_path / "data" / "daily") == ["2026-11-01.json"]
    code, out, said = simdom(*day, "--format", "json", lines=ALL_ONES)
    document = json.loads(out)
    assert document["counts"]
    assert f"Your result: {document['points']:+d}" in said
    code, out, _ = simdom(*day)
    assert f"Your first try: {document['points']:+d}" in out
    code, out, _ = simdom("daily", "--history")
    row = next(line.split() for line in out.splitlines() if line.startswith("2026-11-01"))
    assert row == [
        *("2026-11-01", "normal"),
        *(f"{document['points']:+d}", f"{document['par']:+d}", document["end"]),
    ]
    code, out, _ = simdom("daily", "--history", "--format", "json")
    assert json.loads(out)["days"][0]["points"] == document["points"]


def test_an_unreadable_try_stops_no_history(simdom, tmp_path):
    folder = tmp_path / "data" / "daily"
    folder.mkdir(parents=True)
    (folder / "2026-11-01.json").write_bytes(b"{")
    (folder / "2026-11-02.json").mkdir()
    code, out, said = simdom("daily", "--history")
    assert code == 0
    assert "You have played none yet." in out
    assert len(said.splitlines()) == 2
    assert all(line.startswith("simdom: left out: ") for line in said.splitlines())
    code, out, said = simdom("daily", "--date", "2026-11-01")
    assert (code, out) == (2, "")
    assert said.count("\n") == 1
    assert (folder / "2026-11-01.json").read_bytes() == b"{"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--date", "2999-01-01"], "is not dealt before 2999-01-01"),
        (["--date", "soon"], "is no date"),
        (["--again", "--date", "2026-03-03"], "has not been played yet"),
        (["--history", "--date", "2026-11-29"], "leave out --date"),
        (["--against", "shrap"], "did you mean 'sharp'"),
    ],
)
def test_what_daily_refuses_is_one_line(tmp_path, monkeypatch, arguments, reason):
    monkeypatch.setenv("SIMDOM_DATA", str(tmp_path))
    with pytest.raises(UsageError) as error:
        in_process(daily)(*arguments)
    assert reason in one_line(error)
    assert names_in(tmp_path) == []


def test_two_first_tries_at_once(simdom):
    """Two programs begin the same day and answer: one try is kept, whole, and nothing is lost."""
    command = [*SIMDOM, "daily", "--date", "2026-10-10", "--against", "easy", "--plain"]
    programs = [
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]
    done = [(program, *program.communicate(ALL_ONES.encode())) for program in programs]
    for program, _, said in done:
        assert program.returncode in (0, 1)
        assert b"Traceback" not in said
        assert program.returncode == 0 or b"by another simdom at the same time" in said
    code, out, said = simdom("daily", "--date", "2026-10-10", lines=ALL_ONES)
    assert code == 0
    assert "Your" in out


def test_a_folder_that_cannot_be_written_is_one_line(simdom, tmp_path):
    (tmp_path / "data").write_text("a file")
    for arguments in (["daily", "--date", "2026-11-01"], ["play"]):
        code, out, said = simdom(*arguments)
        assert code in (1, 2)
        assert out == ""
        assert said.count("\n") == 1
