"""Sheets: a table with its heading and notes, printed for a terminal or as Markdown."""

import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["FORMATS", "Sheet", "new_console", "print_answer", "print_json", "print_sheets"]

FORMATS = ("table", "json", "markdown")

_NARROWEST = 40  # columns; below, a terminal wraps better than any table
_NARROW = 60  # columns below which names are broken, too
_WIDE = 110  # columns of a terminal from which the wide column is shown as a column

_FIGURE = re.compile(r"[-+\d][\d.,]*%?(?: pp)?(?: ± [\d.,]+| \([-+\d.,%]+ to [-+\d.,%]+\))")
_GLUE = "\ue000"  # stands for a blank within a figure; no text that is printed has it


class Sheet(NamedTuple):
    """What a person reads.

    Attributes:
        heading: one line.
        lead: a paragraph under it; may be empty.
        columns: the headings of the table's columns; of one or several lines, as are
        rows: as many cells as there are columns; or a single one, which heads the rows below it.
        notes: lists with their headings; those without entries are left out.
        wide: the heading of a last column, whose cells a narrow terminal shows as a list under
            the table; rows then have one more cell.
        gap: characters between two columns on a terminal; one where it is narrow.
        blocks: whether each row is a list of names and values where a terminal is too narrow for
            the table.
    """

    heading: str
    lead: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    notes: Sequence[tuple[str, list[str]]]
    wide: str = ""
    gap: int = 2
    blocks: bool = False


def new_console() -> "Console":
    """Standard output, for text in which nothing that a user's file says is taken for markup."""
    from rich.console import Console

    console = Console(markup=False, highlight=False, emoji=False)
    console.width = max(console.width, _NARROWEST)
    return console


def print_sheets(sheets: Iterable[Sheet], output_format: str) -> None:
    """Print to standard output, as "table" or "markdown", with a blank line between two."""
    if output_format == "markdown":
        sys.stdout.write("\n".join(map(_markdown, sheets)))
        return
    console = new_console()
    for number, sheet in enumerate(sheets):
        if number:
            console.print()
        _print_table(sheet, console)


def print_answer(
    output_format: str,
    *,
    to_json: Callable[[], str],
    to_csv: Callable[[], str],
    sheets: Callable[[], Iterable[Sheet]],
    command: str,
) -> None:
    """Print an answer with figures to standard output, and how to repeat it.

    Args:
        output_format: one of `simdom.cli.options.FORMATS`.
        to_json: gives the whole of it, of which the command is a part.
        to_csv: gives its figures.
        sheets: gives it as people read it.
        command: the command line that repeats it.
    """
    if output_format == "json":
        sys.stdout.write(to_json())
    elif output_format == "csv":
        sys.stdout.write(to_csv())
    else:
        print_sheets(sheets(), output_format)
        if output_format == "markdown":
            sys.stdout.write(f"\n```sh\n{command}\n```\n")
        else:
            # On one line, however long, so that it can be pasted.
            sys.stdout.write(f"\nTo repeat it:\n{command}\n")


def print_json(document: Mapping[str, Any]) -> None:
    """Print a document to standard output, and nothing else."""
    sys.stdout.write(json.dumps(document, indent=2) + "\n")


def _print_table(sheet: Sheet, console: "Console") -> None:
    from rich.table import Table

    is_wide = bool(sheet.wide) and console.width >= _WIDE
    columns = (*sheet.columns, sheet.wide) if is_wide else sheet.columns
    console.print(sheet.heading, style="bold")
    if sheet.lead:
        console.print(sheet.lead)
    if sheet.blocks and not _fits(sheet, console.width):
        _print_blocks(sheet, console)
    elif sheet.rows:
        gap = sheet.gap if console.width >= _NARROW else 1
        table = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, header_style="dim")
        for number, column in enumerate(columns):
            first = number == 0
            table.add_column(
                column,
                style="cyan" if first else "",
                no_wrap=first and console.width >= _NARROW,
                overflow="fold",  # a figure must not lose digits
                vertical="top",
            )
        for row in sheet.rows:
            style = "italic" if _is_heading(row, columns) else ""
            table.add_row(*map(_glue, row[: len(columns)]), style=style)
        with console.capture() as printed:
            console.print()
            console.print(table)
        console.file.write(printed.get().replace(_GLUE, " "))
    listed = (
        [f"{row[0].strip()}: {row[-1]}" for row in sheet.rows if not _is_heading(row, columns)]
        if sheet.wide and not is_wide
        else []
    )
    for heading, entries in [(sheet.wide.capitalize(), listed), *sheet.notes]:
        if entries:
            console.print()
            console.print(heading, style="bold")
        for entry in entries:
            indented = textwrap.fill(
                entry, console.width, initial_indent="  ", subsequent_indent="    "
            )
            console.print(indented, no_wrap=True, overflow="ignore", crop=False)


def _glue(cell: str) -> str:
    """A cell whose figures are words to a table, so that none is broken over two lines."""
    return _FIGURE.sub(lambda found: found[0].replace(" ", _GLUE), cell)


def _fits(sheet: Sheet, width: int) -> bool:
    """Whether a table needs to break neither a word, a figure, nor a line of its first column."""
    from rich.cells import cell_len

    first, *others = zip(sheet.columns, *sheet.rows, strict=True)
    words = [
        [line for cell in first for line in cell.split("\n")],
        *([word for cell in column for word in _glue(cell).split()] for column in others),
    ]
    widest = (max(map(cell_len, column), default=0) for column in words)
    return sum(widest) + sheet.gap * len(others) <= width


def _print_blocks(sheet: Sheet, console: "Console") -> None:
    """Each row as a list of the names of its columns and its values."""
    for row in sheet.rows:
        console.print()
        for name, value in zip(sheet.columns, row, strict=True):
            told = "{}: {}".format(name.replace("\n", " "), value.replace("\n", "; "))
            lines = textwrap.wrap(
                _glue(told),
                console.width,
                subsequent_indent="    ",
                break_long_words=False,
                break_on_hyphens=False,
            )
            text = "\n".join(lines).replace(_GLUE, " ")
            console.print(text, no_wrap=True, overflow="ignore", crop=False)


def _is_heading(row: tuple[str, ...], columns: tuple[str, ...]) -> bool:
    return len(row) == 1 < len(columns)


def _markdown(sheet: Sheet) -> str:
    columns = (*sheet.columns, sheet.wide) if sheet.wide else sheet.columns
    lines = [f"## {sheet.heading}", ""]
    if sheet.lead:
        lines += [sheet.lead, ""]
    if sheet.rows:
        lines += [_markdown_row(columns), _markdown_row(("---",) * len(columns))]
        blanks = ("",) * (len(columns) - 1)
        lines += [
            _markdown_row((f"*{row[0]}*", *blanks) if _is_heading(row, columns) else row)
            for row in sheet.rows
        ]
        lines.append("")
    for heading, entries in sheet.notes:
        if entries:
            lines += [f"{heading}:", "", *(f"- {entry}" for entry in entries), ""]
    return "\n".join(lines)


def _markdown_row(cells: tuple[str, ...]) -> str:
    escaped = (cell.replace("|", "\\|").replace("\n", "<br>") for cell in cells)
    return f"| {' | '.join(escaped)} |"
