"""A grid in words: what was varied of what, what was played, and how to read it."""

import math
from collections.abc import Mapping, Sequence

from simdom.grids.axes import STRATEGY, VARIANT, Axis, Choice
from simdom.grids.cell import Cell, Column
from simdom.relevance import values_that_matter
from simdom.results import Result
from simdom.rules import TOGGLES

__all__ = [
    "READING",
    "UNCORRECTED",
    "extremes_of",
    "rules_in_words",
    "skipped_in_words",
    "subject_of",
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
_MOST_REASONS = 20  # lines that are said about skipped cells


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


def rules_in_words(axes: Sequence[Axis], results: Sequence[Result]) -> list[str]:
    """What all cells have in common, what varies besides the axes, and what has only a name."""
    by_cell = []
    for result in results:
        mattering = values_that_matter(result.rules, matches=result.matches is not None)
        told = {name: str(mattering.get(name, "–")) for name in TOGGLES}
        by_cell.append(told | ({} if result.target is None else {"target": f"{result.target:,}"}))
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
    if len(lines) <= _MOST_REASONS:
        return lines
    more = len(lines) - _MOST_REASONS
    return [*lines[:_MOST_REASONS], f"And {more:,} more: CSV and JSON have the reason of each."]


def extremes_of(cells: Sequence[Cell], column: Column) -> str:
    """Between what the figures of a column lie, and where."""
    found: list[tuple[float, Cell, Result]] = []
    for cell in cells:
        estimate = None if cell.result is None else column.find(cell.result)
        if cell.result is not None and estimate is not None and not math.isnan(estimate.estimate):
            found.append((estimate.estimate, cell, cell.result))
    if not found:
        return f"{column.label}: undefined in all cells"
    texts = {column.text(result) for _, _, result in found}
    if len(found) > 1 and len(texts) == 1:
        return f"{column.label}: {texts.pop()} in every cell"
    ends = [pick(found, key=lambda each: each[0]) for pick in (min, max)]
    least, most = (f"{column.text(result)} at {cell.name}" for _, cell, result in ends)
    return f"{column.label}: {least}" + (f", up to {most}" if len(found) > 1 else "")
