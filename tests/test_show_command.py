"""What ``simdom show`` and ``simdom referee`` print, and how they end."""

import json
import xml.etree.ElementTree as ET

import pytest
import typer
from typer.testing import CliRunner

from commands import in_process
from simdom.cli.referee import referee
from simdom.cli.round_sheets import can_show_glyphs
from simdom.cli.show import show
from simdom.errors import UsageError
from simdom.simulate import simulate
from simdom.tiles import tile_glyph


@pytest.fixture
def run():
    """Run ``simdom show`` with these arguments; its standard output."""
    return in_process(show)


@pytest.fixture
def check():
    """Run ``simdom referee``: its exit code and its standard output."""
    app = typer.Typer(rich_markup_mode=None)
    app.command()(referee)

    def call(*arguments, standard_input=None):
        result = CliRunner().invoke(app, arguments, input=standard_input)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.stdout

    return call


def test_a_round_in_words(run):
    text = run("--variant", "pagat-draw", "--seed", "1", "--round", "12345", "--plain")
    lines = [line.rstrip() for line in text.splitlines()]
    assert lines[0] == "pagat-draw: round 12,345 of seed 1"
    assert "seat 0    5-5 4-4 6-6 3-3 2-1 5-0 6-1" in lines
    rows = [line.split() for line in lines]
    assert ["1", "0", "leads", "6-6", "6", "6", "6", "7", "14"] in rows
    assert ["9", "0", "draws", "1-1", "5-2,", "5-2", "on", "2", "0", "5", "4", "3", "12"] in rows
    assert ["minus_own", "*", "12", "12"] in rows
    assert "Seat 1 played its last tile. The rules (*) award 12 points." in lines
    assert lines[-1] == "simdom show --variant pagat-draw --seed 1 --round 12345"
    assert max(map(len, lines)) <= 80


def test_tiles_are_shown_as_pictures_where_they_can_be(run):
    assert tile_glyph(27) + "6-6" in run("--round", "12345")
    assert tile_glyph(27) not in run("--round", "12345", "--plain")
    assert "leads 9-9" not in run("--variant", "cuban-nine", "--round", "0", "--plain")


@pytest.mark.parametrize(
    ("encoding", "term", "can"),
    [("utf-8", "xterm", True), ("ascii", "xterm", False), ("utf-8", "linux", False)],
)
def test_which_terminals_show_pictures(monkeypatch, encoding, term, can):
    class Output:
        pass

    output = Output()
    output.encoding = encoding
    monkeypatch.setattr("sys.stdout", output)
    monkeypatch.setenv("TERM", term)
    assert can_show_glyphs() is can


def test_the_command_shows_the_round_again(run):
    text = run("--find", "blocked,draws>=3", "--players", "3", "--set", "reserve=1", "--plain")
    command = text.splitlines()[-1].split()
    assert command[2:6] == ["--variant", "pagat-draw", "--players", "3"]
    assert "--find" not in command
    assert run(*command[2:], "--plain") == text


def test_json_and_transcript_are_legal(run, check):
    for arguments in (["--format", "json"], ["--format", "transcript"]):
        for variant in ("pagat-draw", "dominican-patio", "cuban-nine"):
            text = run("--variant", variant, "--round", "7", *arguments)
            code, told = check("-", standard_input=text)
            assert (code, told.splitlines()[0]) == (0, "legal")


def test_the_document_has_the_keys_that_are_promised(run):
    document = json.loads(run("--round", "7", "--format", "json"))
    keys = {"schema", "rules", "hands", "boneyard", "turns", "end", "winner", "pips", "scores"}
    assert keys <= set(document)
    assert set(document["scores"]) >= {"minus_own", "others", "all_hands"}
    placed = next(turn for turn in document["turns"] if "tile" in turn)
    assert set(placed) == {"seat", "draws", "tile", "on", "ends"}


def test_a_drawing(run, tmp_path):
    path = tmp_path / "line.svg"
    run("--round", "7", "--svg", str(path))
    assert ET.parse(path).getroot().tag.endswith("svg")  # noqa: S314 -- drawn here
    with pytest.raises(UsageError, match=r"--svg .*line.png must end in .svg"):
        run("--svg", str(tmp_path / "line.png"))


def test_a_match(run, check):
    text = run("--variant", "brazilian-6", "--match", "2")
    assert "wins it." in text
    code, told = check(
        "-",
        standard_input=run("--variant", "brazilian-6", "--match", "2", "--format", "transcript"),
    )
    assert code == 0
    assert "match of 6 points: " in told.splitlines()[-1]
    assert told.splitlines()[-1].endswith("has won")


def test_from_a_saved_result(run, tmp_path):
    simulate("pagat-block", 20, seed=5).save(tmp_path / "out")
    text = run("--from", str(tmp_path / "out"), "--round", "7", "--format", "transcript")
    same = run("--variant", "pagat-block", "--seed", "5", "--round", "7", "--format", "transcript")
    assert text == same
    words = run("--from", str(tmp_path / "out"), "--round", "7").splitlines()[-1]
    assert words == f"simdom show --from {tmp_path / 'out'} --round 7"
    with pytest.raises(
        UsageError, match="--from takes the whole run from a result: leave out --seed"
    ):
        run("--from", str(tmp_path / "out"), "--seed", "5")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-n", "100"], "-n goes with --find"),
        (["--format", "table"], "unknown format 'table'"),
        (["--find", "blocked", "--round", "1"], "--find looks for a round"),
        (["--match", "0", "--format", "json"], "a match has many rounds"),
    ],
)
def test_bad_options(run, arguments, message):
    with pytest.raises(UsageError, match=message):
        run(*arguments)


TURNS = "simdom-transcript 1\nvariant pagat-block\nplayers 2\n0: 6-6\n"


def test_the_referee_in_words(check, tmp_path):
    path = tmp_path / "round.txt"
    path.write_text(TURNS + "1: 5-4 on 6\n")
    assert check(str(path)) == (
        1,
        "not legal: 1 problem\n  line 5: 5-4 has no 6 [place]\nnot judged to its end\n",
    )
    path.write_text(TURNS + "1: 6-4 on 6\n")
    assert check(str(path)) == (0, "legal\nnot over: it is the turn of seat 0, on 4 and 6\n")


def test_the_referee_as_json(check, tmp_path):
    path = tmp_path / "round.txt"
    path.write_text(TURNS + "1: 5-4 on 6\n")
    code, text = check(str(path), "--format", "json")
    document = json.loads(text)
    assert code == 1
    keys = {"legal", "problems", "finished", "end", "winner", "points", "scores"}
    assert keys <= set(document)
    (problem,) = document["problems"]
    assert {"line", "rule", "message", "allowed"} <= set(problem)
    assert problem["line"] == 5


def test_the_referee_judges_by_other_rules(check, run):
    text = run("--variant", "pagat-block", "--players", "3", "--round", "1263",
               "--format", "transcript")  # fmt: skip
    code, told = check("-", standard_input=text)
    assert (code, told.splitlines()[-1]) == (
        0,
        "minus_own: 23 to seat 0; others: 29; all_hands: 35",
    )
    code, told = check("-", "--variant", "household-block", standard_input=text)
    assert code == 1
    assert "the round awards 29 points, not 23" in told
    assert told.splitlines()[-1] == "others: 29 to seat 0; minus_own: 23; all_hands: 35"


def test_what_cannot_be_read_has_exit_code_2(check, tmp_path):
    path = tmp_path / "round.txt"
    path.write_text(TURNS + "1: 7-4 on 6\n")
    with pytest.raises(UsageError, match=r"round.txt: line 5: double-6 has no tile") as error:
        check(str(path))
    assert error.value.exit_code == 2
    with pytest.raises(UsageError, match="standard input: line 1: a transcript begins with"):
        check("-", standard_input="hello\n")
