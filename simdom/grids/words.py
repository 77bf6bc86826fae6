"""A grid in words: what was varied of what, what was played, and how to read it."""

import math
from collections.abc import Mapping, Sequence

from simdom.counts import MOST_ROUNDS
from simdom.formats import format_rounds
from simdom.grids.axes import STRATEGY, VARIANT, Axis, Choice
from simdom.grids.cell import Cell, Column
from simdom.relevance import values_that_matter
from simdom.results import Result
from simdom.rules import TOGGLES
from simdom.running.stopping import look, widths_of

__all__ = [
    "READING",
    "UNCORRECTED",
    "amount_in_words",
    "extremes_of",
    "rules_in_words",
    "skipped_in_words",
    "subject_of",
    "tell_wanted",
    "unsure_in_words",
]

UNCORRECTED = "Each interval is its cell's own, and not corrected for the number of cells."
READING = (
    (
        "All cells have one seed, and those that play with the same set have the same shuffles. "
        "As a rule two of them differ more surely than their intervals suggest: `simdom compare` "
        "says by how much, and how surely."
    ),
    (
        f"{UNCORRECTED} The lowest and the highest of many are extreme partly by luck: play them "
        "again with another seed before you quote them."
    ),
)
_MOST_LINES = 20  # that are said about skipped cells, or about those less sure than asked


def subject_of(axes: Sequence[Axis], fixed: Mapping[str, Choice]) -> str:
    """What was varied of what, such as ``pagat-block (random) by deal and players``."""
    labels = {name: choice.label for name, choice in fixed.items()}
    variant = str(labels.pop(VARIANT, "dominoes"))
    strategy = labels.pop(STRATEGY, None)
    play = "" if strategy is None else f" ({strategy})"
    changes = ", ".join(f"{name} {label}" for name, label in labels.items())
    *first, last = [axis.name for axis in axes]
    by = f"{', '.join(first)} and {last}" if first else last
    return f"{variant}{f' with {changes}' if changes else ''}{play} by {by}"


def tell_wanted(until: Mapping[str, float]) -> str:
    """How sure to be of what, such as ``blocked_rate to ±0.001 and points to ±0.1``."""
    *first, last = [f"{name} to ±{width:g}" for name, width in until.items()]
    return f"{', '.join(first)} and {last}" if first else last


def amount_in_words(
    results: Sequence[Result], most: int, until: Mapping[str, float], unit: str
) -> str:
    """How much was played in a cell, and if it was until enough was known, of what.

    Args:
        results: of the cells that have one.
        most: rounds, or matches, of each; with ``until``, at most.
        until: half-widths of intervals by metric; empty if all cells are of ``most``.
        unit: "round" or "match".
    """
    if not until:
        return f"{format_rounds(most, None, unit)} a cell"
    played = sorted(result.trials for result in results)
    bound = f", with at most {format_rounds(most, None, unit)}" if most < MOST_ROUNDS else ""
    asked = f"asked for {tell_wanted(until)}{bound}"
    if not played:
        return asked
    least = f"{played[0]:,} to " if played[0] < played[-1] else ""
    reached = sum(bool(result.reached) for result in results)
    where = "all" if reached == len(results) else f"{reached:,} of {len(results):,} cells"
    much = f"{least}{format_rounds(played[-1], None, unit)} a cell"
    return f"{much} ({asked}: reached in {where})"


def rules_in_words(axes: Sequence[Axis], results: Sequence[Result]) -> list[str]:
    """What all cells have in common, what varies besides the axes, and what has only a name."""
    by_cell = []
    for result in results:
        mattering = values_that_matter(result.rules, matches=result.matches is not None)
        told = {name: str(mattering.get(name, "–")) for name in TOGGLES}
        by_cell.append(told | ({} if result.target is None else {"target": f"{result.target:,}"}))
    if not by_cell:
        return []
    common, others = [], []
    varied = {axis.name for axis in axes}
    for name in [name for name in by_cell[0] if name not in varied]:
        values = list(dict.fromkeys(rules[name] for rules in by_cell))
        if values == ["–"]:
            continue
        if len(values) == 1:
            common.append(f"{name} {values[0]}")
        else:
            others.append(f"{name} {' or '.join(values)}")
    facts = {"In all cells": common, "What comes with the axes": others}
    lines = [f"{what}: {', '.join(said)}." for what, said in facts.items() if said]
    own = {name: text for result in results for name, text in result.own_strategies.items()}
    lines += [f"{name}: {content}." for name, content in own.items()]
    return lines + list(dict.fromkeys(result.caution for result in results if result.caution))


def skipped_in_words(cells: Sequence[Cell]) -> list[str]:
    """The cells in which no round can be played, each with the reason; the first of many."""
    lines = [f"{cell.name}: {cell.reason}" for cell in cells if cell.reason]
    return _first_of(lines, "CSV and JSON have the reason of each")


def unsure_in_words(cells: Sequence[Cell]) -> list[str]:
    """The cells of which less is known than was asked for; the first of many."""
    lines = []
    for cell in cells:
        result = cell.result
        if result is not None and result.reached is False:
            seen = look(result.trials, widths_of(result.metrics), result.until)
            lines.append(f"{cell.name}: {seen}")
    return _first_of(lines, "CSV and JSON say of each whether it was reached")


def _first_of(lines: list[str], where: str) -> list[str]:
    if len(lines) <= _MOST_LINES:
        return lines
    return [*lines[:_MOST_LINES], f"And {len(lines) - _MOST_LINES:,} more: {where}."]


def extremes_of(cells: Sequence[Cell], column: Column) -> str:
    """Between what the figures of a column lie, and where."""
    found: list[tuple[float, Cell, Result]] = []
    for cell in cells:
        estimate = None if cell.result is None else column.find(cell.result)
        if cell.result is not None and estimate is not None and not math.isnan(estimate.estimate):
            found.append((estimate.estimate, cell, cell.result))
    if not found:
        played = any(cell.result for cell in cells)
        return f"{column.label}: undefined in all cells" if played else "No cell is finished yet"
    texts = {column.text(result) for _, _, result in found}
    if len(found) > 1 and len(texts) == 1:
        return f"{column.label}: {texts.pop()} in every cell"
    ends = [pick(found, key=lambda each: each[0]) for pick in (min, max)]
    least, most = (f"{column.text(result)} at {cell.name}" for _, cell, result in ends)
    return f"{column.label}: {least}" + (f", up to {most}" if len(found) > 1 else "")
