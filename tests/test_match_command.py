"""``simdom match``: what it prints in each format, what it saves, and what it refuses."""

import csv
import io
import json
import subprocess

import pytest

from commands import SIMDOM, in_process, names_in
from scale import rounds
from simdom import load_result
from simdom.cli.match import match
from simdom.errors import UsageError
from simdom.match_metrics import MATCH_METRICS
from simdom.plots.style import FORMATS

FEW = str(rounds(500, 20))


@pytest.fixture
def run():
    command = in_process(match)
    return lambda *arguments, **how: command("-n", FEW, *arguments, **how)


def test_the_table_says_what_was_played_and_fits_80_columns(run):
    text = run("--variant", "pagat-block", "--target", "50")
    *lines, command = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "pagat-block: Block, by S3 after pagat"
    assert any(
        line.startswith(f"  Matches       {int(FEW):,} to 50 from seed 1;") for line in lines
    )
    assert "  Next lead     Every round is opened like the first." in lines
    for label in ("The first opener", "2nd to play", "Rounds", "Won from far behind"):
        assert any(line.startswith(f"  {label} ") for line in lines), label
    for hidden in ("Seat 0", "Several at the target", "Not finished"):
        assert hidden not in text
    assert command.startswith("    --seed 1") or command.endswith("--seed 1")
    assert "simdom match --variant pagat-block" in text


def test_rules_of_matches_are_shown_where_they_matter(run):
    text = run(
        *("--variant", "pagat-block", "--target", "30", "--set", "early_bonus=10"),
        *("--set", "overshoot=is_lost", "--set", "tie_lead=next_seat"),
    )
    assert "10 for the first round of a match, evenly less in the first 4." in text
    assert "They are not scored: the target must be landed on exactly." in text
    assert "The seat after the one that led the tied round leads any tile." in text
    assert "Not finished" in text


def test_teams_have_figures_of_their_own(run):
    text = run("--variant", "partner-pagat", "--target", "30")
    assert "The other team" in text
    assert "2nd to play" not in text


def test_json_is_the_document_and_nothing_else(run):
    document = json.loads(run("--variant", "pagat-block", "--target", "50", "--format", "json"))
    assert document["schema"] == "simdom.result/1"
    assert (document["matches"], document["target"]) == (int(FEW), 50)
    only = json.loads(run("--format", "json", "-m", "lead_changes", "--target", "9"))
    assert list(only["metrics"]) == ["lead_changes"]
    assert only["command"].endswith(" --metric lead_changes")


def test_csv_and_markdown(run):
    rows = list(csv.DictReader(io.StringIO(run("--target", "9", "--format", "csv"))))
    assert [row["metric"] for row in rows if row["seat"] in ("", "0")] == [
        name for name in MATCH_METRICS if name != "team_match_win_rate"
    ]
    text = run("--target", "9", "--format", "markdown")
    assert "| **How close it is** | | | |" in text
    assert f"- Matches: {int(FEW):,} to 9 from seed 1;" in text


def test_a_single_metric_is_told_in_a_few_lines(run):
    lines = run("--target", "9", "-m", "comeback_rate").splitlines()
    assert lines[0].startswith(f"{int(FEW):,} matches to 9 points of pagat-draw, 2 players")
    assert lines[1].startswith("Won from far behind: ")


def test_it_is_saved_and_drawn(run, tmp_path):
    out, plot = tmp_path / "out", tmp_path / "match.svg"
    run("--target", "30", "--out", str(out), "--plot", str(plot), "--quiet")
    assert names_in(out) == ["metrics.csv", "plot.png", "result.json", "tally.json"]
    assert load_result(out).target == 30
    assert plot.read_text().startswith("<?xml")
    assert plot.suffix.removeprefix(".") in FORMATS


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--target", "0"], "target must be a whole number from 1 to 1,000,000, not 0"),
        (["--target", "ten"], "--target must be a whole number, not 'ten'"),
        (["-m", "comeback"], "did you mean 'comeback_rate'?"),
        (["-m", "points"], "unknown metric of matches 'points'"),
        (["--set", "target=9"], "unknown toggle 'target'"),
        (["--variant", "pagat-block", "--players", "5"], "is for 2, 3 or 4 players, not 5"),
    ],
)
def test_what_cannot_be_used_is_one_line(run, arguments, told):
    with pytest.raises(UsageError) as raised:
        run(*arguments)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_variant_without_a_target_asks_for_one(run, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('title = "Mine"\nplayers = [2]\n[rules]\ndeal = 5\n')
    with pytest.raises(UsageError, match=r"mine\.toml names no target for 2 players: give one"):
        run("--variant", str(file))
    assert "to 12 from seed 1" in run("--variant", str(file), "--target", "12")


def test_wrong_usage_ends_with_2():
    done = subprocess.run(
        [*SIMDOM, "match", "--target", "0"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("text", ["1e1", "10", "1_0"])
def test_a_target_is_written_like_a_count(run, text):
    document = json.loads(run("--variant", "pagat-block", "--target", text, "--format", "json"))
    assert document["target"] == 10
