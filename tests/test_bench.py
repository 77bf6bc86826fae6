"""What ``simdom bench`` reports and refuses. How fast anything is, no test can say."""

import json
import os
import shutil
import sys

import pytest

from simdom import bench
from simdom.cli import main
from simdom.errors import RunError, UsageError

command = sys.modules["simdom.cli.bench"]  # the name in the package is the function's

TINY = 1e-4  # seconds

PROGRAM = """
#include <cstdio>
#include <cstdlib>
int main(int argc, char** argv) { printf("%ld played, 2.5 M rounds/s\\n", atol(argv[1])); }
"""

needs_compiler = pytest.mark.skipif(
    not (shutil.which("g++") or shutil.which("clang++")), reason="there is no C++ compiler"
)


@pytest.fixture
def cli(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as end:
            main(["bench", *arguments])
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err

    return run


@pytest.fixture
def yardstick(tmp_path):
    def write(text=PROGRAM):
        path = tmp_path / "program.cpp"
        path.write_text(text)
        return path

    return write


def test_a_cell_plays_for_about_as_long_as_it_may():
    cell = bench.measure_cell("pagat-block", 2, "random", TINY)
    assert cell[:3] == ("pagat-block", 2, "random")
    assert cell.rounds >= 100
    assert cell.rounds_per_second > 0
    assert bench.measure_cell("pagat-block", 2, "random", 0.02).rounds_per_second > 0


def test_every_count_of_players_of_a_variant_is_measured(cli):
    arguments = ("pagat-draw", "draw-one", "--strategy", "random", "--seconds", str(TINY))
    code, out, err = cli(*arguments, "--format", "json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["schema"] == "simdom.bench/1"
    assert [(cell["variant"], cell["players"]) for cell in document["cells"]] == [
        ("pagat-draw", 2),
        ("pagat-draw", 3),
        ("pagat-draw", 4),
        ("draw-one", 2),
    ]
    assert document["ratios"] == document["peak_memory"] == []


def test_the_table(cli):
    arguments = ("pagat-draw", "--strategy", "random", "--strategy", "normal", "--players", "3")
    code, out, err = cli(*arguments, "--seconds", str(TINY))
    assert (code, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert ["variant", "strategy", "3", "players"] in lines
    assert [line[:2] for line in lines if line[:1] == ["pagat-draw"]] == [
        ["pagat-draw", "random"],
        ["pagat-draw", "normal"],
    ]


def test_speeds_have_three_digits_however_slow_the_play(cli, monkeypatch):
    speeds = {"random": 3_032_619.4, "sharp": 3384.2, "sharp:samples=9999": 6.283}
    monkeypatch.setattr(
        bench,
        "measure_cell",
        lambda variant, players, strategy, _: bench.Cell(
            variant, players, strategy, 1, speeds[strategy]
        ),
    )
    named = [word for strategy in speeds for word in ("--strategy", strategy)]
    code, out, _ = cli("pagat-block", *named, "--players", "2", "--format", "markdown")
    assert code == 0
    shown = [line.split("|")[-2].strip() for line in out.splitlines() if "pagat-block" in line]
    assert shown == ["3,030,000", "3,380", "6.28"]


def test_many_numbers_of_players_fit_a_terminal(cli):
    code, out, _ = cli("block-multi", "--strategy", "doubles-first", "--seconds", str(TINY))
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    heads = [line.split() for line in out.splitlines() if line.startswith("variant")]
    assert [[*map(int, head[2::2])] for head in heads] == [[2, 3, 4, 5], [6, 7, 8, 9], [10]]


@needs_compiler
def test_the_yardstick_is_compared(cli, yardstick, monkeypatch):
    monkeypatch.setattr(command, "REPEATS", 1)
    path = yardstick()
    arguments = ("pagat-block", "--strategy", "random", "--players", "2", "--seconds", str(TINY))
    code, out, _ = cli(*arguments, "--yardstick", str(path), "--format", "json")
    assert code == 0
    ratios = json.loads(out)["ratios"]
    pairs = [(ratio["first"], ratio["second"]) for ratio in ratios]
    assert pairs[:2] == [
        ("pagat-block random", "program.cpp"),
        ("pagat-draw random", "program.cpp"),
    ]
    assert ("pagat-draw normal", "pagat-draw random") in pairs
    assert pairs[-1] == ("two threads", "one thread")
    assert ratios[0]["second_value"] == 2.5e6
    assert ratios[0]["ratio"] == ratios[0]["first_value"] / 2.5e6
    assert all(ratio["goal"] for ratio in ratios)


@needs_compiler
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no program", r"failed with exit code 1: .*error"),
        ("int main() { return 3; }", "program failed with exit code 3: it said nothing"),
        ("int main() { return 0; }", "printed no '<number> M rounds/s'"),
        (PROGRAM.replace("2.5", "0"), "program is no yardstick: it says that it plays 0 M rounds"),
        (PROGRAM.replace("2.5", "0.000"), "it says that it plays 0.000 M rounds/s"),
        (PROGRAM.replace("2.5", "9" * 400), "it says that it plays 999"),
        (PROGRAM.replace("2.5", "1.2.3"), "printed no '<number> M rounds/s'"),
        (PROGRAM.replace("2.5", "-1"), "printed no '<number> M rounds/s'"),
    ],
)
def test_yardsticks_that_cannot_be_used(yardstick, text, message):
    with pytest.raises(RunError, match=message):
        bench.measure_ratios(yardstick(text), TINY, repeats=1)


def test_no_compiler_is_said_before_anything_is_measured(cli, yardstick, monkeypatch):
    monkeypatch.setenv("PATH", "")
    path = yardstick()
    code, out, err = cli("--yardstick", str(path))
    assert (code, out) == (1, "")
    message = f"{path} cannot be compiled: there is no g++ or clang++ on this machine"
    assert err == f"simdom: {message}\n"


def test_a_missing_yardstick(tmp_path):
    with pytest.raises(UsageError, match="there is no file"):
        bench.check_yardstick(tmp_path / "missing.cpp")


def test_fixed_costs_and_memory(cli, monkeypatch):
    monkeypatch.setattr(command, "REPEATS", 1)
    monkeypatch.setattr(command, "MEMORY_ROUNDS", (10, 20))
    arguments = ("pagat-block", "--strategy", "random", "--players", "2", "--seconds", str(TINY))
    code, out, _ = cli(*arguments, "--full", "--format", "json")
    assert code == 0
    document = json.loads(out)
    assert [(ratio["first"], ratio["second"]) for ratio in document["ratios"]] == [
        ("simdom run -n 1000", "import numba"),
        ("simdom --help", "import typer"),
    ]
    assert [peak["rounds"] for peak in document["peak_memory"]] == [10, 20]
    assert all(peak["mebibytes"] > 10 for peak in document["peak_memory"])


def test_the_tables_of_a_full_comparison(cli, monkeypatch):
    ratio = bench.Ratio("a run", "an import", "s", 0.75, 0.5, 1.5, "at most 5")
    monkeypatch.setattr(bench, "measure_fixed_costs", lambda _: [ratio])
    monkeypatch.setattr(bench, "measure_memory", lambda _: {10**6: 250.4})
    arguments = ("pagat-block", "--strategy", "random", "--players", "2", "--seconds", str(TINY))
    code, out, _ = cli(*arguments, "--full")
    assert code == 0
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "a run an import 1.50 at most 5 0.75 s, 0.50 s" in lines
    assert "1,000,000 250" in lines


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system cannot pin")
def test_one_core_and_then_all_of_them_again():
    before = os.sched_getaffinity(0)
    with bench.pinned_to_one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before
