"""How answers are written: JSON, CSV, HTML for notebooks, and what all of them say alike."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from html import escape
from typing import Any

__all__ = [
    "csv_text",
    "format_confidence",
    "format_rounds",
    "html_command",
    "html_row",
    "html_table",
    "json_text",
]

_LEFT = ' style="text-align:left"'
_CERTAIN = 100.0


def json_text(document: Mapping[str, Any]) -> str:
    """A document of plain values as text, in full precision; nan has no place in it."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def csv_text(columns: Sequence[str], records: Iterable[Mapping[str, Any]]) -> str:
    """A header and a line for each record, in full precision; what there is not is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()


def format_rounds(rounds: int, asked: int | None, unit: str = "round") -> str:
    """How many rounds were played; and how many were asked for, if the run ended before.

    ``unit`` is "match" where matches are meant.

    >>> format_rounds(1000, None), format_rounds(1, 5000)
    ('1,000 rounds', '1 round (ended early: 5,000 asked for)')
    """
    plural = "es" if unit == "match" else "s"
    played = f"{rounds:,} {unit}{'' if rounds == 1 else plural}"
    return played if asked is None else f"{played} (ended early: {asked:,} asked for)"


def html_row(cells: Iterable[str], *, tag: str = "td", columns: int = 1) -> str:
    """A row of a table; ``columns`` are those that each cell covers."""
    span = f' colspan="{columns}"' if columns > 1 else ""
    return f"<tr>{''.join(f'<{tag}{span}{_LEFT}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"


def html_table(caption: str, heads: Iterable[str], rows: Iterable[str]) -> str:
    """A table of rows that `html_row` made."""
    head = html_row(heads, tag="th")
    return (
        f"<table><caption{_LEFT}>{escape(caption)}</caption>"
        f"<thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
    )


def html_command(command: str) -> str:
    """The command that repeats an answer, as a paragraph; nothing if there is none."""
    return f"<p><code>{escape(command)}</code></p>" if command else ""


def format_confidence(confidence: float) -> str:
    """A confidence as people say it; one short of certain is never said to be 100%.

    >>> format_confidence(0.95), format_confidence(0.999999999999)
    ('95%', '99.9999999999%')
    """
    short = f"{confidence * 100:.10g}"
    if float(short) == _CERTAIN:
        short = f"{(Decimal(repr(confidence)) * 100).normalize()}"
    return f"{short}%"
