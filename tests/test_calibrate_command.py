"""What ``simdom calibrate`` takes, prints and keeps."""

import json
import shlex
import sys

import pytest
import typer
from typer.testing import CliRunner

from commands import in_process, one_line
from simdom.calibration.calibrate import calibrate as library
from simdom.cli.calibrate import calibrate
from simdom.errors import RunError, UsageError
from simdom.strategies import load_strategy
from test_calibrate import FEW, claims_file

command_module = sys.modules["simdom.cli.calibrate"]  # the name in the package is the command
N = 150
LIMITS = ("--features", ",".join(FEW["features"]), "--most-features", "2", "--most-weight", "4")


@pytest.fixture
def run():
    """Run ``simdom calibrate`` with these arguments; its standard output."""
    return in_process(calibrate)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own claims")
    block, draw = ("pagat-block", 0.4, 0.8), ("pagat-draw", 0.05, 0.4)
    return claims_file(folder / "ours.toml", block=block, draw=draw)


@pytest.fixture
def few(source):
    return ("--from", source, *LIMITS, "-n", str(N))


def test_every_format_is_that_of_the_library(run, few, source):
    expected = library(source=source, rounds=N, **FEW)
    assert expected.found is not None
    assert run(*few, "--format", "json") == expected.to_json()
    assert run(*few, "--format", "csv") == expected.to_csv()
    page = run(*few, "--format", "markdown")
    assert "| claim | may stand for | measured | verdict | to the edge |" in page
    assert page.endswith(f"```sh\n{expected.command}\n```\n")


def test_the_table_fits_80_columns(run, few):
    printed = run(*few)
    assert max(map(len, printed.split("To repeat it:")[0].splitlines())) <= 80
    flat = " ".join(printed.split())
    for fact in (
        "Which play gives 60%, 22.5%",
        "both hold if every seat plays by",
        "40% to 80%",
        "How far the weights may move",
        f"rows chosen on up to {N} rounds of each rule set, seed 1; figures from {2 * N} others",
        "Inside: the whole interval is within what the claim may stand for",
        "To repeat it: simdom calibrate --from",
    ):
        assert fact in flat


def test_claims_follow_the_option_or_stand_alone(run, few):
    """As people write it: several names after one option."""
    both = run(*few, "--claims", "block", "draw", "--format", "json")
    assert both == run("block", "draw", *few, "--format", "json")
    assert both == run(*few, "--claims", "block", "--claims", "draw", "--format", "json")
    one = json.loads(run("draw", *few, "--format", "json"))
    assert [claim["id"] for claim in one["claims"]] == ["draw"]


def test_the_command_gives_the_same_again(run, few):
    made = json.loads(run(*few, "--seed", "3", "--confidence", "0.9", "draw", "--format", "json"))
    assert made["command"].endswith("--confidence 0.9")
    _, _, *arguments = shlex.split(made["command"])
    assert json.loads(run(*arguments, "--format", "json")) == made


def test_the_strategy_is_written_into_a_new_file(run, few, tmp_path):
    out = tmp_path / "a" / "play.toml"
    made = json.loads(run(*few, "--out", str(out), "--format", "json"))
    assert load_strategy(str(out)).weighted == made["strategy"]["weights"]


def test_where_no_row_is_found_the_nearest_are_printed_and_nothing_is_written(tmp_path):
    source = claims_file(tmp_path / "none.toml", block=("pagat-block", 0.0, 0.2))
    app = typer.Typer(rich_markup_mode=None)
    app.command()(calibrate)
    out = tmp_path / "play.toml"
    arguments = ["block", "--from", source, *LIMITS, "-n", str(N), "--out", str(out)]
    result = CliRunner(env={"COLUMNS": "80"}).invoke(app, arguments)
    assert isinstance(result.exception, RunError)
    assert result.exception.exit_code == 1
    assert "no row of weights surely meets the claims" in str(result.exception)
    assert "The nearest rows" in result.stdout
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--format", "jsn"), "unknown format 'jsn'"),
        (("blok",), "unknown claim 'blok'.*did you mean 'block'"),
        (("--features", "pips,own-fit"), "unknown feature 'own-fit'"),
        (("--most-weight", "0"), "most_weight must be a whole number from 1 to 100, not 0"),
        (("--from", "none.toml"), r"^none\.toml: no such file$"),
        (("--out", "play"), r"^play must end in \.toml"),
        (("--out", "here.toml"), r"^here\.toml is there already: name a new file$"),
        (("--threads", "0"), "threads must be from 1"),
    ],
)
def test_what_was_asked_wrongly(run, few, arguments, complaint, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.toml").write_text('title = "Mine"', encoding="utf-8")
    with pytest.raises(UsageError, match=complaint) as error:
        run(*few, *arguments)
    assert one_line(error)
    assert error.value.exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["here.toml"]


def test_stages_are_told_on_standard_error_unless_quiet(few):
    app = typer.Typer(rich_markup_mode=None)
    app.command()(calibrate)
    loud = CliRunner().invoke(app, [*few, "--format", "json"])
    assert "fresh rounds ..." in loud.stderr
    quiet = CliRunner().invoke(app, [*few, "--format", "json", "-q"])
    assert quiet.stderr == ""
    assert quiet.stdout == loud.stdout


def test_ctrl_c_prints_and_keeps_the_best_so_far(few, monkeypatch, tmp_path):
    class Interrupt(command_module.ProgressBar):
        def __call__(self, done, total):
            if done == total:
                raise KeyboardInterrupt

    monkeypatch.setattr(command_module, "ProgressBar", Interrupt)
    app = typer.Typer(rich_markup_mode=None)
    app.command()(calibrate)
    out = tmp_path / "play.toml"
    result = CliRunner().invoke(app, [*few, "--out", str(out)])
    assert result.exit_code == 130
    assert "Interrupted before a row was found" in " ".join(result.stdout.split())
    assert "interrupted" in result.stderr
    assert load_strategy(str(out)).title == "Not fitted yet to published figures"
