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
    assert lines[1].startswith("Of 46 single changes of pagat-draw, ")
    assert command.startswith("simdom effects --variant pagat-draw -n ")
    (at,) = [
        number
        for number, line in enumerate(lines)
        if line.startswith("strategy=doubles-first ") and not line.endswith(".")
    ]
    above, below = lines[at].split(), lines[at + 1].split()
    assert len(above[1:7]) == len(below[:6]) == 6
    assert all(cell[0] in "±≤" for cell in below[:6])
    assert not lines[at - 1].strip()
    assert not lines[at + 2].strip()
    told = " ".join(text.split())
    for fact in (
        "of each on the same shuffles, seed 1; simdom 0.",
        "pagat-draw itself: blocked ",
        "beyond the smallest effect of interest, blocked 1 pp, opener wins 1 pp, points 0.5",
        "right together with 95% confidence (Holm)",
        "direction: seats are counted in turn order",
        "max_pip: another set",
        "strategy random.",
        "deals of 1 and 2 tiles less and more; a reserve of 0 to 4",
    ):
        assert fact in told


@pytest.mark.parametrize("columns", [40, 50, 79, 80, 200])
def test_no_figure_is_cut(run, columns):
    text = run(*FEW, columns=columns)
    assert "…" not in text
    table = text.partition("\n\n")[2].partition("\n\n")[0]
    assert max(map(len, table.splitlines())) <= columns
    heads = " ".join(table.split("reserve=")[0].split())
    is_narrow = columns <= 50
    assert ("winner" in heads) is not is_narrow
    assert ("Not shown for want of room" in text) is is_narrow
    if is_narrow:
        shown = " ".join(text.split())
        assert "winner_changed_rate: use a wider terminal, or --format csv." in shown


def test_marks_and_rows_that_wait(run):
    text = run(*FEW)
    lines = text.splitlines()
    assert len([line for line in lines if line.startswith("reserve=")]) == 4
    assert "?" in text
    assert "Not settled, and rounds that settle it" in text
    assert "unsettled" in text
    (waiting,) = [line for line in lines if line.startswith("  reserve=1: ")]
    assert waiting.endswith(" rounds.")
    assert "even chance, and no promise" in " ".join(text.split())
    players = next(line.split() for line in lines if line.startswith("players=4 "))
    assert players[3:7] == ["–"] * 4


@pytest.mark.jit
def test_what_is_settled_is_said_so(run):
    text = run("--toggle", "misdeal", "--toggle", "block_score")
    assert "Of 7 single changes of pagat-draw, 3 matter, 4 do not, and 0 are not settled" in text
    assert "Not settled" not in text
    heading = (
        "No average changes by as much as the smallest effect of interest, but who wins single "
        "rounds does "
    )
    assert " ".join(text.split()).partition(heading)[2].startswith("misdeal=4: other winner 4.")
    assert "even chance" not in text
    lines = text.splitlines()
    (at,) = [at for at, line in enumerate(lines) if line.startswith("block_score=others ")]
    assert lines[at].split()[1:3] == ["same", "same"]
    assert lines[at + 1].split()[0].endswith("*")  # no interval of what cannot differ


def test_a_share_that_was_never_seen_has_an_upper_end(run):
    text = run("--variant", "pagat-block", "--toggle", "no_double", "-n", "100", "--seed", "4")
    lines = text.splitlines()
    (at,) = [at for at, line in enumerate(lines) if line.startswith("no_double=redeal ")]
    assert lines[at].split()[-2:] == ["0", "unsettled"]
    assert "≤" in lines[at + 1]
    assert "±" in lines[at + 1]  # of what is the same, too


def test_an_estimate_that_luck_put_on_the_border_says_nothing(run):
    text = run("--toggle", "reserve=1", "-n", "1")
    assert ", cannot tell yet." in text
    assert "1e13" not in text


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
    assert "\n\n```sh\nsimdom effects " in text
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
        (("--toggle", "deal=x"), "deal must be a whole number from 1 to 95, not 'x'"),
        (("--toggle", "deal="), "deal= lacks a value: write deal=VALUE,VALUE"),
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


@pytest.mark.parametrize("columns", ["20", "40", "56"])
def test_a_narrow_terminal_cuts_nothing_off(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    text = run("--toggle", "block_score", "--toggle", "reserve", "-n", "50", "-q")
    assert "…" not in text
    assert "unsettled" in text


def test_one_round_has_no_interval_to_show(run):
    text = run("--toggle", "reserve", "-n", "1", "-q")
    assert "≤?" not in text


def test_no_spread_on_the_border_is_open(run):
    """Two rounds that both differ by the smallest effect: nothing to divide by."""
    text = run("-n", "2", "--seed", "2", "--smallest", "draws=1", *("--toggle", "deal"), "-q")
    assert "0 matter, 0 do not" in text
