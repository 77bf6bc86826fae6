"""What ``simdom compare`` prints."""

import csv
import io
import json

import pytest

from commands import in_process
from simdom.cli.compare import compare
from simdom.errors import UsageError

RESERVE = ("pagat-draw", "pagat-draw:reserve=0", "-n", "1000")


@pytest.fixture
def run():
    """Run ``simdom compare`` with these arguments; its standard output."""
    return in_process(compare)


def test_the_table_fits_a_terminal(run):
    text = run(*RESERVE)
    *lines, command = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "pagat-draw:reserve=0 against pagat-draw"
    assert command == f"simdom compare {' '.join(RESERVE[:3])} 1e3 --strategy random --seed 1"
    for fact in ("1,000 rounds of each", "seed 1", "simdom 0.", "Who wins", "  The winner changes"):
        assert fact in text.replace("\n", " ").replace("  0.", " 0.")
    (row,) = [line for line in lines if line.startswith("  Blocked  ")]
    assert row.split()[3].startswith("-")
    assert "×" in row
    assert "are as good as" in text


def test_a_table_for_each_after_the_first(run):
    text = run("pagat-block", "pagat-draw", "pagat-draw:players=3", "-n", "200", "--seed", "4")
    assert "pagat-draw against pagat-block\n" in text
    assert "pagat-draw:players=3 against pagat-block\n" in text
    assert text.count("Only rates") == 1
    assert "  pagat-draw:players=3: players 3, boneyard draw, reserve 2." in text


def test_json(run):
    document = json.loads(run(*RESERVE, "--format", "json"))
    assert document["schema"] == "simdom.comparison/1"
    assert document["variants"] == ["pagat-draw", "pagat-draw:reserve=0"]
    assert document["rounds"] == 1000
    (difference,) = document["differences"]
    assert difference["blocked_rate"]["estimate"] < 0
    only = json.loads(run(*RESERVE, "--format", "json", "-m", "plays"))
    assert list(only["metrics"]) == ["plays"]


def test_csv(run):
    rows = list(csv.DictReader(io.StringIO(run(*RESERVE, "--format", "csv"))))
    points = [row for row in rows if row["metric"] == "points"]
    assert [row["variant"] for row in points] == ["pagat-draw", "pagat-draw:reserve=0"]
    assert points[0]["difference"] == ""
    gap = float(points[1]["estimate"]) - float(points[0]["estimate"])
    assert float(points[1]["difference"]) == pytest.approx(gap)


def test_markdown(run):
    text = run(*RESERVE, "--format", "markdown", "--metric", "points")
    assert "|   Points | " in text
    assert "Blocked |" not in text.replace("Blocked in one only |", "")
    assert text.startswith("## pagat-draw:reserve=0 against pagat-draw\n")
    assert text.endswith(".\n\n```sh\n" + text.splitlines()[-2] + "\n```\n")
    assert text.splitlines()[-2].endswith(" --seed 1 --metric points")


def test_what_all_share_and_what_one_says(run):
    shared = ("--set", "block_score=others", "--strategy", "normal", "--players", "3")
    document = json.loads(run("pagat-block", *RESERVE[1:], *shared, "--format", "json"))
    for contender in document["contenders"]:
        assert contender["rules"]["block_score"] == "others"
        assert contender["strategies"] == ["normal"] * 3
    assert document["command"].endswith(
        "-n 1e3 --players 3 --set block_score=others --strategy normal --seed 1"
    )
    own = json.loads(run("pagat-draw", "pagat-draw:strategy=normal", *shared[2:4], "-n", "10",
        "--strategy", "random", "--format", "json"))  # fmt: skip
    assert [each["strategies"][0] for each in own["contenders"]] == ["random", "normal"]


def test_the_command_gives_the_same_again(run):
    made = json.loads(run(*RESERVE, "--seed", "12", "--confidence", "0.9", "--format", "json"))
    _, _, *arguments = made["command"].split()
    again = json.loads(run(*arguments, "--threads", "1", "--format", "json"))
    for key in ("metrics", "differences", "command"):
        assert made[key] == again[key]


def test_the_command_asks_for_the_same_metrics(run):
    text = run(*RESERVE, "-m", "points", "-m", "plays")
    *_, command = text.splitlines()
    assert command.endswith(" --seed 1 --metric points --metric plays")
    assert run(*command.split()[2:]) == text
    document = json.loads(run(*RESERVE, "-m", "points", "--format", "json"))
    assert document["command"].endswith(" --metric points")


def test_no_interval_is_said_to_be_certain(run):
    text = " ".join(run(*RESERVE, "--confidence", "0.999999999999").split())
    assert "intervals at 99.9999999999%" in text


def test_a_picture_besides(run, tmp_path):
    run(*RESERVE, "--plot", str(tmp_path / "c.svg"))
    assert (tmp_path / "c.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("pagat-draw",), "1 variant to compare: give 2 to 20"),
        (("pagat-draw", "pagat-draw:max_pip=9"), "cannot be paired"),
        (("pagat-draw", "pagat-draw:reserve=99"), "^pagat-draw:reserve=99: reserve 99 is more"),
        (("pagat-draw", "pagat-draw:reserve"), "'reserve' sets nothing"),
        (("pagat-draw", "nothing"), "unknown variant 'nothing'"),
        ((*RESERVE, "--format", "jsn"), "unknown format 'jsn'"),
        ((*RESERVE, "--metric", "pionts"), "unknown metric 'pionts'.*mean 'points'"),
        ((*RESERVE, "--set", "reserve"), "'reserve' sets nothing"),
        ((*RESERVE, "--plot", "c.gif"), "unknown plot format 'gif'"),
    ],
)
def test_what_was_asked_wrongly(run, arguments, complaint):
    with pytest.raises(UsageError, match=complaint) as error:
        run(*arguments)
    assert error.value.exit_code == 2
    assert "\n" not in str(error.value)
