"""``simdom bench``: how fast simdom plays on this machine."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simdom.cli.options import Players, Quiet, parse_seconds
from simdom.cli.progress import ProgressBar
from simdom.cli.sheets import FORMATS, Sheet, print_json, print_sheets
from simdom.cli.variants import Format, check_provided, provide_for
from simdom.errors import check_choice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from simdom.bench import Cell, Ratio

__all__ = ["bench"]

REPEATS = 5
MEMORY_ROUNDS = (10**6, 10**8)

_WIDEST = len("9,990,000")  # so that digits stand under digits
_HUNDRED = 100
_MOST_COUNTS = 4  # numbers of players that a terminal has room for, side by side


def bench(
    variants: Annotated[
        list[str] | None,
        typer.Argument(metavar="VARIANT", help="Only these; nothing measures all presets."),
    ] = None,
    strategies: Annotated[
        list[str],
        typer.Option("--strategy", metavar="NAME", help="Only this strategy; may be repeated."),
    ] = [],
    players: Players = None,
    seconds: Annotated[
        float,
        typer.Option(metavar="S", parser=parse_seconds, help="Time to play, for each figure."),
    ] = 0.1,
    yardstick: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Also compare with this C++ program, which prints '<number> M rounds/s'.",
        ),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Also compare start-up times and memory.")
    ] = False,
    output_format: Format = "table",
    quiet: Quiet = False,
) -> None:
    """Measure rounds a second on one thread, for each variant, strategy and number of players.

    \b
    Examples:
      simdom bench
      simdom bench pagat-draw --players 2 --seconds 1
      simdom bench --yardstick benchmarks/scalar_block.cpp --full
    """  # noqa: D301 -- \b keeps lines as they are in --help
    check_choice("format", output_format, FORMATS)
    from simdom.bench import (
        check_yardstick,
        measure_fixed_costs,
        measure_memory,
        measure_ratios,
    )
    from simdom.strategies import strategy_names

    if yardstick is not None:
        check_yardstick(yardstick)
    cells = _measure_cells(
        variants or [], strategies or strategy_names(), players, seconds, quiet=quiet
    )
    ratios: list[Ratio] = []
    if yardstick is not None:
        # Longer than a cell: what is compared should not hang on one turn of the scheduler.
        ratios += measure_ratios(yardstick, 3 * seconds, REPEATS)
    memory: dict[int, float] = {}
    if full:
        ratios += measure_fixed_costs(REPEATS)
        memory = measure_memory(MEMORY_ROUNDS)
    if output_format == "json":
        print_json(_document(cells, ratios, memory))
    else:
        widest = _MOST_COUNTS if output_format == "table" else len(cells)
        sheets = [*_speeds(cells, widest)]
        sheets += [_comparison(ratios)] if ratios else []
        sheets += [_memory(memory)] if memory else []
        print_sheets(sheets, output_format)


def _measure_cells(
    variants: "Sequence[str]",
    strategies: "Sequence[str]",
    players: int | None,
    seconds: float,
    *,
    quiet: bool,
) -> "list[Cell]":
    from simdom.bench import measure_cell, pinned_to_one_core
    from simdom.strategies import parse_strategies
    from simdom.variants import load_variant, variant_names

    loaded = {name: load_variant(name) for name in variants or variant_names()}
    if variants:
        check_provided([*loaded.values()], players)
    else:
        provided = provide_for([*loaded.values()], players)
        loaded = {name: variant for name, variant in loaded.items() if variant in provided}
    wanted = []
    for name, variant in loaded.items():
        for count in variant.players if players is None else (players,):
            for strategy in strategies:
                parse_strategies(strategy, count)
                wanted.append((name, count, strategy))
    cells = []
    with ProgressBar(quiet=quiet, unit="figures/s") as progress, pinned_to_one_core():
        for cell in wanted:
            cells.append(measure_cell(*cell, seconds))
            progress(len(cells), len(wanted))
    return cells


def _document(
    cells: "Sequence[Cell]", ratios: "Sequence[Ratio]", memory: dict[int, float]
) -> dict[str, Any]:
    return {
        "schema": "simdom.bench/1",
        "cells": [cell._asdict() for cell in cells],
        "ratios": [ratio._asdict() for ratio in ratios],
        "peak_memory": [{"rounds": rounds, "mebibytes": peak} for rounds, peak in memory.items()],
    }


def _speeds(cells: "Sequence[Cell]", widest: int) -> "Iterator[Sheet]":
    """Tables of at most ``widest`` numbers of players, each with the variants that have one."""
    every = sorted({cell.players for cell in cells})
    for start in range(0, len(every), widest):
        counts = every[start : start + widest]
        yield _speeds_of([cell for cell in cells if cell.players in counts], counts)


def _speeds_of(cells: "Sequence[Cell]", counts: "Sequence[int]") -> Sheet:
    rows: dict[tuple[str, str], dict[int, str]] = {}
    for cell in cells:
        speeds = rows.setdefault((cell.variant, cell.strategy), {})
        speeds[cell.players] = f"{_speed(cell.rounds_per_second):>{_WIDEST}}"
    return Sheet(
        heading="Rounds a second, on one thread",
        lead="",
        columns=("variant", "strategy", *(f"{count} players" for count in counts)),
        rows=[
            (variant, strategy, *(speeds.get(count, "") for count in counts))
            for (variant, strategy), speeds in rows.items()
        ],
        notes=[],
    )


def _speed(rounds_per_second: float) -> str:
    """To three digits: strategies differ a thousandfold.

    >>> _speed(3_032_619.4), _speed(3_384.2), _speed(6.283)
    ('3,030,000', '3,380', '6.28')
    """
    rounded = float(f"{rounds_per_second:.3g}")
    return f"{rounded:,.0f}" if rounded >= _HUNDRED else f"{rounded:g}"


def _comparison(ratios: "Sequence[Ratio]") -> Sheet:
    def shown(value: float, unit: str) -> str:
        return _speed(value) if unit == "rounds/s" else f"{value:.2f} {unit}"

    return Sheet(
        heading="Compared in turn, medians",
        lead="",
        columns=("what", "with what", "ratio", "goal", "measured"),
        rows=[
            (
                ratio.first,
                ratio.second,
                f"{ratio.ratio:.2f}",
                ratio.goal,
                f"{shown(ratio.first_value, ratio.unit)}, {shown(ratio.second_value, ratio.unit)}",
            )
            for ratio in ratios
        ],
        notes=[
            (
                "What was measured",
                ["Rounds a second; s: seconds to start"],
            )
        ],
    )


def _memory(memory: dict[int, float]) -> Sheet:
    return Sheet(
        heading="Most memory held, of pagat-draw",
        lead="",
        columns=("rounds", "MiB"),
        rows=[(f"{rounds:,}", f"{peak:.0f}") for rounds, peak in memory.items()],
        notes=[],
    )
