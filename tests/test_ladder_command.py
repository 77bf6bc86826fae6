"""What ``simdom ladder`` prints."""

import csv
import io
import json

import pytest
import typer
from typer.testing import CliRunner

from simdom.cli.ladder import _blocks, ladder
from simdom.errors import UsageError

THREE = ("normal", "random", "heaviest", "--variant", "pagat-block", "-n", "200")


@pytest.fixture
def run():
    """Run ``simdom ladder`` with these arguments; its standard output."""
    app = typer.Typer(rich_markup_mode=None)
    app.command()(ladder)

    def call(*arguments, columns=80):
        result = CliRunner(env={"COLUMNS": str(columns)}).invoke(app, arguments)
        if result.exception:
            raise result.exception
        return result.stdout

    return call


def test_the_tables_fit_a_terminal(run):
    text = run(*THREE)
    *lines, command = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "The ladder of pagat-block"
    assert lines[1].startswith("normal leads with ")
    assert command == "simdom ladder normal random heaviest -n 200 --variant pagat-block --seed 1"
    told = " ".join(text.split())
    for fact in (
        "3 random 1000 (fixed) ",
        "Points a round of row less those of column Each figure ± ",
        "Score of row against column (%) Each figure ± ",
        "200 deals, each played 2 times by each of 3 pairs (1,200 rounds), seed 1;",
        "All pairs play the same deals",
        "Bradley–Terry",
        "Seats of a pair: ab, ba.",
    ):
        assert fact in told


def test_a_wide_crosstable_is_cut_into_even_pieces(run, tmp_path):
    assert _blocks(["1 x"] * 5, [["+1.0"] * 5] * 5, 80) == [range(5)]
    assert _blocks(["1 x"] * 5, [["+1.0"] * 5] * 5, None) == [range(5)]
    assert _blocks(["1 a-name-of-20-letters"] * 12, [["+10.0"] * 12] * 12, 80) == [
        range(6), range(6, 12)
    ]  # fmt: skip
    assert _blocks(["x" * 90] * 2, [["+1"] * 2] * 2, 80) == [range(1), range(1, 2)]
    names = []
    for k in range(3):
        file = (
            tmp_path
            / f"a-strategy-of-a-name-that-takes-nearly-the-whole-line-of-a-terminal-{k}.toml"
        )
        file.write_text(f'title = "x"\n[weights]\npips = {k - 1}\n')
        names.append(str(file))
    options = ("-n", "30", "--variant", "pagat-block")
    text = run(*names, *options)
    tables = text.partition("Points a round of row")[2].partition("How it was made")[0]
    assert "Points a round of row less those of column, continued" in tables
    assert max(map(len, tables.splitlines())) <= 80
    assert "continued" not in run(*names, *options, "--format", "markdown")


def test_json(run):
    document = json.loads(run(*THREE, "--format", "json"))
    assert document["schema"] == "simdom.ladder/1"
    assert document["strategies"][0] == "normal"
    assert document["crosstable"]["normal"]["random"]["points_per_round"]["estimate"] > 0
    assert document["rounds"] == 1200


def test_csv(run):
    rows = list(csv.DictReader(io.StringIO(run(*THREE, "--format", "csv"))))
    assert {row["metric"] for row in rows if not row["opponent"]} == {
        "rating", "lead", "score", "points_per_round"
    }  # fmt: skip
    (row,) = [
        row
        for row in rows
        if (row["strategy"], row["opponent"], row["metric"]) == ("normal", "random", "win_rate")
    ]
    assert float(row["estimate"]) == int(row["count"]) / 400


def test_markdown(run):
    text = run(*THREE, "--format", "markdown")
    assert text.startswith("## The ladder of pagat-block\n")
    assert "| 3 random | 1000 (fixed) |" in text
    assert text.endswith(" --seed 1\n```\n")


def test_the_command_gives_the_same_again(run):
    made = json.loads(run(*THREE, "--players", "3", "--set", "deal=6", "--format", "json"))
    _, _, *arguments = made["command"].split()
    again = json.loads(run(*arguments, "--threads", "1", "--format", "json"))
    for name in ("ratings", "crosstable", "command"):
        assert made[name] == again[name]


def test_a_picture_besides(run, tmp_path):
    run(*THREE, "--plot", str(tmp_path / "ladder.svg"))
    assert (tmp_path / "ladder.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("sharp",), "a ladder is of 2 to 20 strategies, not 1 strategy"),
        (("sharp", "norml"), "unknown strategy 'norml'"),
        (("normal", "random", "normal"), "normal is given twice"),
        ((*THREE, "--format", "jsn"), "unknown format 'jsn'"),
        ((*THREE, "--plot", "ladder.gif"), "unknown plot format 'gif'"),
        ((*THREE, "--threads", "0"), "threads must be from 1"),
    ],
)
def test_what_was_asked_wrongly(run, arguments, complaint):
    with pytest.raises(UsageError, match=complaint) as error:
        run(*arguments)
    assert error.value.exit_code == 2
    assert "\n" not in str(error.value)
