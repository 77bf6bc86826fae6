"""What ``simdom odds`` prints, and the picture that it draws."""

import csv
import io
import json
from dataclasses import replace

import pytest

from commands import in_process
from simdom.cli.odds import odds as command
from simdom.errors import RunError, UsageError
from simdom.exact.answer import Odds
from simdom.exact.odds import odds
from simdom.plots.law import LawPlot, draw_law, figure_of_law
from simdom.plots.style import FORMATS


@pytest.fixture
def run():
    """Run ``simdom odds`` with these arguments; its standard output."""
    return in_process(command)


def test_the_examples_of_the_help(run):
    lines = run("no-double", "--players", "2", "--deal", "7").splitlines()
    assert lines[:2] == ["Nobody has a double: 2 hands of 7 tiles, double-6 set", "1/345"]
    assert lines[3].split() == ["chance", "that", "is"]
    assert lines[4].split() == ["0.00289855", "1", "in", "345"]
    assert lines[-1] == "simdom odds no-double --max-pip 6 --hand 7 --players 2"
    misdeal = run("misdeal", "--players", "4", "--deal", "7", "--doubles", "5")
    assert "\n2279/148005\n" in misdeal
    assert "7        1/1184040     8.44566e-7   1 in 1,184,040" in run("doubles", "--hand", "7")
    assert "\n137,680,171,200\n" in run("deals")


@pytest.mark.parametrize("question", ["doubles", "opening-tile", "missing", "pips"])
def test_tables_fit_a_terminal(run, question):
    lines = run(question, "--check", "-n", "1000").splitlines()
    assert max(map(len, lines[:-1])) <= 80  # the command is on one line, to be pasted
    assert lines[-1].endswith(" --check -n 1e3 --seed 1")


def test_the_command_repeats_the_answer(run):
    for arguments in (["missing", "--number", "5"], ["misdeal", "--of-one-number", "6"]):
        text = run(*arguments)
        assert run(*text.splitlines()[-1].split()[2:]) == text


def test_nothing_is_cut_off(run):
    """Figures longer than a line are broken, not shortened."""
    text = run("deals", "--max-pip", "18", "--players", "14", "--hand", "13")
    number = odds("deals", max_pip=18, players=14, hand=13).number
    assert f"{number:,}" in text.replace("\n", "")


def test_json_csv_and_markdown(run):
    document = json.loads(run("opening-tile", "--format", "json"))
    assert [one["fraction"] for one in document["distribution"]][:2] == ["1/2", "7/27"]
    rows = list(csv.DictReader(io.StringIO(run("missing", "--format", "csv"))))
    assert rows[0]["fraction"] == "33401/78936"
    text = run("doubles", "--format", "markdown")
    assert "| 0 | 323/3289 | 0.0982061 | 1 in 10.18 | 1 |" in text
    assert text.endswith("```sh\nsimdom odds doubles --max-pip 6 --hand 7\n```\n")


def test_bad_input(run):
    with pytest.raises(UsageError, match="-n goes with --check"):
        run("doubles", "-n", "1000")
    with pytest.raises(UsageError, match="unknown format 'jsn'"):
        run("doubles", "--format", "jsn")
    with pytest.raises(UsageError, match="unknown question 'double'"):
        run("double")


def test_a_check_that_fails_is_an_error(run, monkeypatch):
    right = Odds.check

    def check_wrongly(*arguments):
        answer = right(*arguments)
        return replace(answer, checked=answer.checked._replace(agrees=False))

    monkeypatch.setattr(Odds, "check", check_wrongly)
    with pytest.raises(RunError, match="does not agree"):
        run("doubles", "--check", "-n", "100")


# --- the picture ----------------------------------------------------------------------------


def plot_of(**changes):
    answer = odds("doubles")
    plot = LawPlot(
        title="Doubles",
        outcomes=[chance.outcome for chance in answer.distribution],
        chances=[chance.exact for chance in answer.distribution],
        estimates=[],
        xlabel="doubles in the hand",
        mean=1.75,
        small_print=["exact", "simdom odds doubles"],
    )
    return plot._replace(**changes)


def test_bars_have_the_exact_heights():
    (axes,) = figure_of_law(plot_of()).axes
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == pytest.approx([100 * float(p) for p in plot_of().chances][: len(heights)])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("doubles in the hand", "chance (%)")
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["mean 1.75", "exact"]


def test_rare_ends_are_left_out_and_names_never():
    (axes,) = figure_of_law(plot_of()).axes
    assert len(axes.patches) == 7  # seven doubles of seven tiles are too rare to be seen
    named = plot_of(outcomes=[f"{n}-{n}" for n in range(8)], mean=None)
    (axes,) = figure_of_law(named).axes
    assert [label.get_text() for label in axes.get_xticklabels()] == named.outcomes


def test_simulated_markers_and_small_print(tmp_path):
    answer = odds("doubles").check(1000)
    estimates = [checked.estimate for checked in answer.checked.outcomes.values()]
    figure = figure_of_law(plot_of(estimates=estimates))
    labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert "simulated, with its interval at 95%" in labels
    assert figure.get_supxlabel() == "exact\nsimdom odds doubles"
    answer.plot(tmp_path / "law.svg")
    text = (tmp_path / "law.svg").read_text("utf-8")
    assert text.startswith("<?xml")


@pytest.mark.parametrize("file_format", FORMATS)
def test_the_same_law_gives_the_same_bytes(file_format):
    assert draw_law(plot_of(), file_format) == draw_law(plot_of(), file_format)
    assert draw_law(plot_of(), file_format) != draw_law(plot_of(title="x"), file_format)


def test_one_figure_is_not_drawn(run, tmp_path):
    for question in ("no-double", "deals"):
        with pytest.raises(UsageError, match=f"one figure has no picture: ask {question} without"):
            run(question, "--check", "-n", "1e8", "--plot", str(tmp_path / "a.png"))
    with pytest.raises(UsageError, match="nothing to draw: Doubles is one figure"):
        draw_law(plot_of(outcomes=[]))
    out = tmp_path / "pips.pdf"
    run("pips", "--plot", str(out), "--quiet")
    assert out.read_bytes().startswith(b"%PDF")
