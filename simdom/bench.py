"""How fast simdom plays, next to itself and to another program. It measures and judges nothing.

Speeds are rounds a second of the compiled engine, without start-up, compilation or intervals.
Whatever is compared is timed in turn, again and again, and the median is taken: another program
that wakes up, or a processor that gets warm, then slows all of it alike.
"""

import math
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from simdom.errors import RunError, UsageError
from simdom.simulate import simulate

__all__ = [
    "Cell",
    "Ratio",
    "check_yardstick",
    "measure_cell",
    "measure_fixed_costs",
    "measure_memory",
    "measure_ratios",
    "pinned_to_one_core",
]

_FIRST_ROUNDS = 100  # which take a seat that samples some hundredths of a second
_YARDSTICK_SPEED = re.compile(r"(?<![\d.-])(\d+(?:\.\d+)?) M rounds/s", re.ASCII)

Measure = Callable[[], float]
"""Does something and returns how fast it was, or how long it took."""


class Cell(NamedTuple):
    """The speed of one variant, number of players and strategy of all seats."""

    variant: str
    players: int
    strategy: str
    rounds: int
    rounds_per_second: float


class Ratio(NamedTuple):
    """How two things compare that were measured in turn.

    Attributes:
        first, second: what they are.
        unit: of ``first_value`` and ``second_value``, which are medians.
        ratio: the median of first over second, turn by turn.
        goal: what the ratio should be, such as "at least 1".
    """

    first: str
    second: str
    unit: str
    first_value: float
    second_value: float
    ratio: float
    goal: str


def check_yardstick(source: Path) -> str:
    """Return the C++ compiler that there is for ``source``.

    Raises:
        UsageError: there is no such file.
        RunError: there is no C++ compiler.
    """
    if not source.is_file():
        raise UsageError(f"there is no file {source}: name the C++ source of a program")
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise RunError(f"{source} cannot be compiled: there is no g++ or clang++ on this machine")
    return compiler


def measure_cell(
    variant: str, players: int, strategy: str, seconds: float, threads: int = 1
) -> Cell:
    """Play for about ``seconds`` and take the speed; compiling is done before.

    Raises:
        UsageError: no such variant or strategy, or not for so many players.
    """

    def play(rounds: int) -> float:
        result = simulate(variant, rounds, players=players, strategy=strategy, threads=threads)
        if result.partial:
            raise KeyboardInterrupt
        return result.seconds

    rounds = _FIRST_ROUNDS
    play(rounds)
    spent = play(rounds)
    while spent < seconds / 2:
        # A guess from a short run is not trusted to be more than tenfold too small.
        rounds = int(rounds * min(10.0, seconds / spent)) + 1
        spent = play(rounds)
    return Cell(variant, players, strategy, rounds, rounds / spent)


def measure_ratios(yardstick: Path, seconds: float, repeats: int) -> list[Ratio]:
    """Compare Block and Draw for two players with a C++ program, and strategies with `random`.

    Args:
        yardstick: C++ source of a program that plays as many rounds as its argument says and
            prints ``<number> M rounds/s``. Compiled by ``g++ -O3 -march=native``.
        seconds: about how long each one plays, each time.
        repeats: how often.

    Raises:
        UsageError: there is no such file.
        RunError: there is no C++ compiler; it refuses the program; the program fails, or does
            not print its speed, or prints one of 0.
    """
    with TemporaryDirectory() as folder, pinned_to_one_core():
        program = _compile(yardstick, Path(folder))
        speeds: dict[str, Measure] = {
            f"{variant} {strategy}": _speed_of(variant, strategy, seconds)
            for variant in ("pagat-block", "pagat-draw")
            for strategy in ("random", "heaviest", "normal")
        }
        speeds[yardstick.name] = _speed_of_program(program, seconds)
        turns = _in_turn(speeds, repeats)
    ratios = [
        _ratio(turns, "pagat-block random", yardstick.name, "at least 1"),
        _ratio(turns, "pagat-draw random", yardstick.name, "at least 0.6"),
    ]
    ratios += [
        _ratio(turns, f"{variant} {strategy}", f"{variant} random", "at least 0.5")
        for variant in ("pagat-block", "pagat-draw")
        for strategy in ("heaviest", "normal")
    ]
    names = {"one thread": 1, "two threads": 2}
    threads = {
        name: _speed_of("pagat-draw", "random", seconds, threads=count)
        for name, count in names.items()
    }
    turns = _in_turn(threads, repeats)
    return [*ratios, _ratio(turns, "two threads", "one thread", "at least 1.8")]


def measure_fixed_costs(repeats: int) -> list[Ratio]:
    """How long a short run and a page of help take, next to importing what they rest on."""
    simdom = "from simdom.cli import main; main()"
    times: dict[str, Measure] = {
        "simdom run -n 1000": _seconds_of(simdom, "run", "-n", "1000"),
        "import numba": _seconds_of("import numba"),
        "simdom --help": _seconds_of(simdom, "--help"),
        "import typer": _seconds_of("import typer"),
    }
    turns = _in_turn(times, repeats)
    return [
        _ratio(turns, "simdom run -n 1000", "import numba", "at most 5", unit="s"),
        _ratio(turns, "simdom --help", "import typer", "at most 2", unit="s"),
    ]


def measure_memory(rounds: Sequence[int]) -> dict[int, float]:
    """The most memory that a run held, in MiB, for each number of rounds."""
    code = (
        "import resource, sys, simdom\n"
        "simdom.simulate('pagat-draw', rounds=int(sys.argv[1]))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, KiB elsewhere
    peaks = {count: _output_of([sys.executable, "-c", code, str(count)]) for count in rounds}
    return {count: int(peak) * unit / 2**20 for count, peak in peaks.items()}


@contextmanager
def pinned_to_one_core() -> Iterator[None]:
    """Keep this thread, and what it starts, on one core where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def _speed_of(variant: str, strategy: str, seconds: float, threads: int = 1) -> Measure:
    return lambda: measure_cell(variant, 2, strategy, seconds, threads).rounds_per_second


def _speed_of_program(program: Path, seconds: float) -> Measure:
    def play(rounds: int) -> float:
        printed = _output_of([str(program), str(rounds)])
        speed = _YARDSTICK_SPEED.search(printed)
        if speed is None:
            raise RunError(f"{program.name} printed no '<number> M rounds/s': {printed[:60]!r}")
        millions = float(speed[1])
        if not 0 < millions < math.inf:
            raise RunError(f"{program.name} is no yardstick: it says that it plays {speed[0][:60]}")
        return millions * 1e6

    return lambda: play(int(play(100_000) * seconds) + 1)


def _seconds_of(code: str, *arguments: str) -> Measure:
    def run() -> float:
        began = time.perf_counter()
        _output_of([sys.executable, "-c", code, *arguments])
        return time.perf_counter() - began

    run()  # whatever is to be read from disk has been read once
    return run


def _in_turn(measures: Mapping[str, Measure], repeats: int) -> list[dict[str, float]]:
    return [{name: measure() for name, measure in measures.items()} for _ in range(repeats)]


def _ratio(
    turns: Sequence[Mapping[str, float]],
    first: str,
    second: str,
    goal: str,
    *,
    unit: str = "rounds/s",
) -> Ratio:
    return Ratio(
        first,
        second,
        unit,
        median(turn[first] for turn in turns),
        median(turn[second] for turn in turns),
        median(turn[first] / turn[second] for turn in turns),
        goal,
    )


def _compile(source: Path, folder: Path) -> Path:
    compiler = check_yardstick(source)
    program = folder / source.stem
    _output_of([compiler, "-O3", "-march=native", str(source), "-o", str(program)])
    return program


def _output_of(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 -- ours
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["it said nothing"])[0]
        name = Path(command[0]).name
        raise RunError(f"{name} failed with exit code {done.returncode}: {reason}")
    return done.stdout
