"""What ``simdom effects`` prints."""

import csv
import io
import json

import pytest

from commands import in_process
from scale import rounds
from simdom.cli.effects import effects
from simdom.errors import UsageError

FEW = ("--toggle", "reserve", "--toggle", "players", "-n", "300")


@pytest.fixture
def run():
    """Run ``simdom effects`` with these arguments; its standard output."""
    return in_process(effects)


def test_the_table_fits_a_terminal(run):
    text = run("-n", str(rounds(20_000, 30)))
    *lines, command = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "Single changes of pagat-draw"
    assert lines[1].startswith("Of 34 single changes of pagat-draw, ")
    assert command.startswith("simdom effects --variant pagat-draw -n ")
    (at,) = [number for number, line in enumerate(lines) if line.startswith("doubles-first ")]
    above, below = lines[at - 1].split(), lines[at].split()
    assert above[0] == "strategy"
    assert len(above[1:-1]) == len(below[1:7]) == 6
    assert all(cell.startswith("±") for cell in below[1:7])
    told = " ".join(text.split())
    for fact in (
        "of each on the same shuffles, seed 1; simdom 0.",
        "pagat-draw itself: blocked ",
        "beyond the smallest effect of interest, blocked 1 pp, opener wins 1 pp, points 0.5",
        "right together with 95% confidence (Holm)",
        "direction: seats are counted in turn order",
        "max_pip: another set",
        "strategy random.",
    ):
        assert fact in told


def test_marks_and_rows_that_wait(run):
    text = run(*FEW)
    lines = text.splitlines()
    reserve = [line.split() for line in lines[lines.index("") :] if line.startswith("reserve  ")]
    assert len(reserve) == 4
    assert "?" in text
    assert "Not settled, and rounds that settle it" in text
    assert "unsettled" in text
    (waiting,) = [line for line in lines if line.startswith("  reserve=1: ")]
    assert waiting.endswith(" rounds.")
    players = next(line.split() for line in lines if line.startswith("players "))
    assert players[3:7] == ["–"] * 4


@pytest.mark.jit
def test_what_is_settled_is_said_so(run):
    text = run("--toggle", "misdeal", "--toggle", "block_score")
    assert "Of 5 single changes of pagat-draw, 2 matter, 3 do not, and 0 are not settled" in text
    assert "Not settled" not in text
    told = text.partition("No average changes, but who wins single rounds does\n")[2]
    assert told.startswith("  misdeal=4: other winner 4.")
    assert "same" in text


def test_json(run):
    document = json.loads(run(*FEW, "--format", "json", "--set", "block_score=others"))
    assert document["schema"] == "simdom.effects/1"
    assert document["baseline"]["rules"]["block_score"] == "others"
    assert {(each["toggle"], each["value"]) for each in document["effects"]} == {
        *(("reserve", reserve) for reserve in (0, 1, 3, 4)),
        *(("players", players) for players in (3, 4)),
    }


def test_csv(run):
    rows = list(csv.DictReader(io.StringIO(run(*FEW, "--format", "csv"))))
    assert len(rows) == 4 * 6 + 2 * 2
    assert {row["contender"] for row in rows if row["change"] == "reserve=0"} == {
        "pagat-draw:reserve=0"
    }


def test_markdown(run):
    text = run(*FEW, "--format", "markdown")
    assert text.startswith("## Single changes of pagat-draw\n")
    row = next(line for line in text.splitlines() if line.startswith("| reserve=0 | "))
    assert row.count("|") == 9
    assert "<br>" not in row
    assert text.endswith("--seed 1 --toggle reserve --toggle players\n```\n")


def test_the_command_gives_the_same_again(run):
    shared = ("--seed", "12", "--confidence", "0.9", "--smallest", "points=2", "--players", "3")
    made = json.loads(run(*FEW, *shared, "--format", "json"))
    assert made["smallest"]["points"] == 2
    _, _, *arguments = made["command"].split()
    again = json.loads(run(*arguments, "--threads", "1", "--format", "json"))
    for key in ("baseline", "effects", "left_out", "command"):
        assert made[key] == again[key]


def test_a_picture_besides(run, tmp_path):
    run(*FEW, "--plot", str(tmp_path / "e.svg"))
    assert (tmp_path / "e.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--variant", "nothing"), "unknown variant 'nothing'"),
        (("--toggle", "reserv"), "unknown toggle 'reserv'.*did you mean 'reserve'"),
        (("--toggle", "max_pip"), "nothing to change: max_pip"),
        (("--set", "reserve"), "'reserve' sets nothing"),
        (("--set", "reserve=99"), "reserve 99 is more than the boneyard"),
        (("--smallest", "points"), "'points' is no effect: write METRIC=SIZE"),
        (("--smallest", "pionts=1"), "unknown metric 'pionts'.*mean 'points'"),
        (("--smallest", "points=x"), "the smallest effect of points must be a number above 0"),
        (("--smallest", "points=1", "--smallest", "points=2"), "points is given twice"),
        (("--format", "jsn"), "unknown format 'jsn'"),
        (("--plot", "e.gif"), "unknown plot format 'gif'"),
    ],
)
def test_what_was_asked_wrongly(run, arguments, complaint):
    with pytest.raises(UsageError, match=complaint) as error:
        run(*arguments, "-n", "100")
    assert error.value.exit_code == 2
    assert "\n" not in str(error.value)
