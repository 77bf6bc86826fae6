"""What ``simdom duel`` prints."""

import csv
import io
import json

import pytest
import typer
from typer.testing import CliRunner

from simdom.cli.duel import duel
from simdom.errors import UsageError

PLAIN = ("normal", "heaviest", "--variant", "pagat-block", "-n", "300")


@pytest.fixture
def run():
    """Run ``simdom duel`` with these arguments; its standard output."""
    app = typer.Typer(rich_markup_mode=None)
    app.command()(duel)

    def call(*arguments, columns=80):
        result = CliRunner(env={"COLUMNS": str(columns)}).invoke(app, arguments)
        if result.exception:
            raise result.exception
        return result.stdout

    return call


def test_the_table_fits_a_terminal(run):
    text = run(*PLAIN)
    *lines, command = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "normal against heaviest"
    assert command == "simdom duel normal heaviest -n 300 --variant pagat-block --seed 1"
    told = " ".join(text.split())
    for fact in (
        "normal beats heaviest: ",
        "estimate 95% interval",
        "Won by normal ",
        "Won by nobody ",
        "normal less heaviest +",
        "The difference in play ",
        "300 deals, each played 2 times (600 rounds), seed 1; intervals at 95%; simdom 0.",
        "pagat-block: max_pip 6, players 2, deal 7, boneyard block",
        "Seats, from seat 0: normal, heaviest; then heaviest, normal.",
        "Both play every hand, so the luck of the deal cancels.",
    ):
        assert fact in told
    (row,) = [line for line in lines if line.startswith("  The deal  ")]
    assert row.split()[2].endswith("%")
    assert row.split()[3] == "±"


def test_json(run):
    document = json.loads(run(*PLAIN, "--format", "json"))
    assert document["schema"] == "simdom.duel/1"
    assert document["strategies"] == ["normal", "heaviest"]
    assert (document["deals"], document["rounds"]) == (300, 600)
    assert 0 < document["luck_share"]["estimate"] < 1
    three = json.loads(run(*PLAIN, "--players", "3", "--format", "json"))
    assert three["rounds"] == 1800
    assert three["seatings"][0] == ["normal", "heaviest", "normal"]


def test_csv(run):
    rows = {row["metric"]: row for row in csv.DictReader(io.StringIO(run(*PLAIN, "--format=csv")))}
    assert rows["win_rate"]["strategy_a"] == "normal"
    assert float(rows["win_rate"]["estimate"]) == int(rows["win_rate"]["count"]) / 600
    assert rows["points_per_round"]["count"] == rows["luck_share"]["sd"] == ""


def test_markdown(run):
    text = run(*PLAIN, "--format", "markdown")
    assert text.startswith("## normal against heaviest\n")
    assert "|   Won by normal | " in text
    assert text.endswith(" --seed 1\n```\n")


def test_the_command_gives_the_same_again(run):
    options = ("--players", "4", "--seats", "aabb", "--set", "reserve=0", "--confidence", "0.9")
    made = json.loads(run("normal", "random", "-n", "50", *options, "--format", "json"))
    _, _, *arguments = made["command"].split()
    again = json.loads(run(*arguments, "--threads", "1", "--format", "json"))
    for name in ("win_rate", "points_per_round", "luck_share", "seatings", "command"):
        assert made[name] == again[name]
    assert made["rules"]["reserve"] == 0


def test_a_picture_besides(run, tmp_path):
    run(*PLAIN, "--plot", str(tmp_path / "duel.svg"))
    assert (tmp_path / "duel.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("sharp",), "a duel is of 2 strategies, not 1 strategy"),
        (("sharp", "normal", "random"), "a duel is of 2 strategies, not 3"),
        (("sharp", "norml"), "unknown strategy 'norml'"),
        (("sharp,normal", "random"), "is a list of seats, not a strategy"),
        ((*PLAIN, "--seats", "aab"), "seats 'aab' fill 3 seats at a table of 2"),
        ((*PLAIN, "--players", "5"), "for 2, 3 or 4 players, not 5"),
        ((*PLAIN, "--format", "jsn"), "unknown format 'jsn'"),
        ((*PLAIN, "--set", "reserve"), "'reserve' sets nothing"),
        ((*PLAIN, "--plot", "duel.gif"), "unknown plot format 'gif'"),
        ((*PLAIN, "-n", "many"), "'many' is not a number"),
    ],
)
def test_what_was_asked_wrongly(run, arguments, complaint):
    with pytest.raises(UsageError, match=complaint) as error:
        run(*arguments)
    assert error.value.exit_code == 2
    assert "\n" not in str(error.value)
