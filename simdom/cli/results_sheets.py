"""What is in a folder of results, for people: a list, one document, a difference, an answer."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from simdom.cli.sheets import Sheet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from simdom.catalogue.difference import Difference
    from simdom.catalogue.listing import Entry
    from simdom.catalogue.query import Answer

__all__ = ["answer_sheet", "difference_sheets", "document_sheet", "list_sheet"]

_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_THOUSAND = 1000
_TEN = 10


def list_sheet(folder: "Path", entries: "Sequence[Entry]") -> Sheet:
    """A row for each document, and a list of what could not be read."""
    from simdom.catalogue.exporting import on_a_line
    from simdom.catalogue.shapes import plural

    read = [entry for entry in entries if entry.saved is not None]
    lost = [entry for entry in entries if entry.saved is None]
    count = plural(len(read), "document") if read else "No document of simdom"
    return Sheet(
        heading=f"{count} in {on_a_line(str(folder))}",
        lead="",
        columns=("where, what", "played", "figures", "file time\n(UTC), size"),
        rows=[_row(entry) for entry in read],
        notes=[
            ("To know", [on_a_line(f"{entry.path}: {entry.note}") for entry in read if entry.note]),
            ("Not read", [on_a_line(f"{entry.path} {entry.problem}") for entry in lost]),
        ],
        blocks=True,
    )


def _row(entry: "Entry") -> tuple[str, ...]:
    from simdom.catalogue.exporting import on_a_line
    from simdom.catalogue.shapes import plural

    saved = entry.saved
    if saved is None:
        return ()
    shape = saved.shape
    trials, unit = shape.trials
    played = [] if trials is None else [plural(trials, unit)]
    begin = [f"from number {shape.begin:,} on"] if played and shape.begin else []
    told = [shape.subject(), shape.changed(), shape.play(), *played, *begin]
    return (
        f"{on_a_line(entry.path)}\n{entry.kind}",
        "\n".join(on_a_line(part) for part in told if part),
        "\n".join(map(on_a_line, saved.gist)),
        f"{_date(entry.modified)}\n{_size(entry.size)}",
    )


def _date(moment: datetime | None) -> str:
    return "unknown" if moment is None else f"{moment:%Y-%m-%d\n%H:%M}"


def _size(size: int | None) -> str:
    """Bytes for a person.

    >>> _size(999), _size(1234), _size(123_456_789)
    ('999 bytes', '1.2 kB', '123 MB')
    """
    if size is None:
        return ""
    number, unit = float(size), 0
    while number >= _THOUSAND and unit < len(_UNITS) - 1:
        number, unit = number / _THOUSAND, unit + 1
    short = f"{number:.1f}" if unit and number < _TEN else f"{number:.0f}"
    return f"{short} {_UNITS[unit]}"


def document_sheet(entry: "Entry") -> Sheet:
    """One document: what was played, and every figure with its interval."""
    from simdom.catalogue.exporting import figure_rows, on_a_line, what_of

    saved = entry.saved
    rows = [] if saved is None else figure_rows(saved)
    is_whole = not any(part for part, *_ in rows)  # nothing to tell apart
    columns = ("of", "figure", "estimate")
    facts = [] if saved is None else [*what_of(saved), *filter(None, [entry.note])]
    gist = () if saved is None or rows else saved.gist
    command = "" if saved is None else saved.shape.command
    return Sheet(
        heading=f"{on_a_line(entry.path)}: {entry.kind}",
        lead="\n".join(map(on_a_line, gist)),
        columns=columns[1:] if is_whole else columns,
        rows=[tuple(map(on_a_line, row[is_whole:])) for row in rows],
        notes=[
            ("What was played", [*map(on_a_line, facts)]),
            ("To play it again", [on_a_line(command)] if command else []),
        ],
    )


def difference_sheets(
    difference: "Difference", metrics: "Sequence[str] | None"
) -> "Iterator[Sheet]":
    """The table of two saved results, and how it was made."""
    from simdom.catalogue.exporting import on_a_line

    rows: list[tuple[str, ...]] = []
    group = ""
    for line in difference.lines(metrics):
        if line.group != group:
            group = line.group
            rows.append((group, "", "", "", ""))
        told = f"{line.difference} {line.interval}".strip()
        rows.append((f"  {line.label}", line.first, line.other, told, line.pairing))
    changed = difference.changed()
    if changed:
        rows.append((f"{difference.unit.capitalize()} that change", "", "", "", ""))
        rows += [(f"  {label}", "", "", share, "") for label, share in changed]
    wide = 5 if difference.is_paired else 4
    first, other = map(on_a_line, difference.names)
    notes = [
        f"The difference is the other, {other}, less the first, {first}.",
        "pp are percentage points.",
        difference.method,
    ]
    if difference.rates_only:
        notes.append("Only rates are compared: seats and points of other tables are others.")
    if difference.is_paired:
        notes.append("×3: independent results would need three times the rounds to be as sure.")
    yield Sheet(
        heading=f"{other} against {first}",
        lead=on_a_line(difference.way),
        columns=("", "first", "other", "difference", "pairing")[:wide],
        rows=[row[:wide] for row in rows],
        notes=[("What was played", [*map(on_a_line, difference.made)]), ("How to read it", notes)],
    )


def answer_sheet(answer: "Answer") -> Sheet:
    """What a question in SQL gave."""
    from simdom.catalogue.exporting import on_a_line
    from simdom.catalogue.shapes import plural

    more = "the first " if answer.more else ""
    return Sheet(
        heading=f"{more}{plural(len(answer.rows), 'row')}".capitalize(),
        lead="",
        columns=tuple(map(on_a_line, answer.columns)),
        rows=[tuple(on_a_line(_text(value)) for value in row) for row in answer.rows],
        notes=[],
        blocks=True,
    )


def _text(value: Any) -> str:  # noqa: ANN401 -- whatever a database has
    if value is None:
        return ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)
