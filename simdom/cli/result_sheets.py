"""What ``simdom results`` prints: a list of results, a comparison of two, rows of an answer."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from simdom.cli.sheets import Sheet, new_console

if TYPE_CHECKING:
    from simdom.catalogue.differing import SavedComparison
    from simdom.catalogue.documents import Saved
    from simdom.catalogue.listing import Catalogue

__all__ = ["format_size", "print_rows", "sheets_of_catalogue", "sheets_of_comparison"]

_THOUSAND = 1000
_TEN = 10


def sheets_of_catalogue(catalogue: "Catalogue") -> "Iterator[Sheet]":
    """Results of rounds, results of matches, what else there is of simdom, and other files."""
    rounds = [saved for saved in catalogue.results if saved.result.matches is None]
    matches = [saved for saved in catalogue.results if saved.result.matches is not None]
    if rounds or not catalogue.results:
        heads = ("blocked", "the opener\nwins", "points\na round")
        yield _list_of_results(f"{_number(rounds, 'result')} in {catalogue.folder}", heads, rounds)
    if matches:
        heads = ("rounds\na match", "first opener\nwins", "points from\nblocks")
        title = f"{_number(matches, 'result')} of matches in {catalogue.folder}"
        yield _list_of_results(title, heads, matches)
    if catalogue.others:
        yield Sheet(
            heading="What else simdom has saved there",
            lead="",
            columns=("where", "what it is", "saved"),
            rows=[
                (
                    other.path,
                    f"{other.kind}: {other.name}".removesuffix(": "),
                    f"{other.saved.astimezone():%Y-%m-%d %H:%M}\n{format_size(other.size)}",
                )
                for other in catalogue.others
            ],
            notes=[],
        )
    if catalogue.problems:
        yield Sheet(
            heading="What is left out",
            lead="",
            columns=("where", "why"),
            rows=list(catalogue.problems),
            notes=[],
        )


def _list_of_results(heading: str, figures: Sequence[str], some: "Sequence[Saved]") -> Sheet:
    from simdom.catalogue.listing import key_figures
    from simdom.match_metrics import tell_estimate

    levels = sorted({saved.result.confidence_text for saved in some})
    return Sheet(
        heading=heading,
        lead=f"Intervals at {' or '.join(levels)}." if levels else "",
        columns=("where", "what was played", *figures, "saved"),
        rows=[
            (
                saved.path,
                saved.result.identity,
                *(
                    "\n".join(filter(None, tell_estimate(name, estimate)))
                    for name, estimate in key_figures(saved.result).items()
                ),
                f"{saved.saved.astimezone():%Y-%m-%d %H:%M}\n{format_size(saved.size)}",
            )
            for saved in some
        ],
        notes=[],
    )


def sheets_of_comparison(
    comparison: "SavedComparison", metrics: Sequence[str] | None
) -> "Iterator[Sheet]":
    """The figures of both and what they differ by, under what was done."""
    rows: list[tuple[str, ...]] = []
    group = ""
    for line in comparison.lines(metrics):
        if line.group != group:
            group = line.group
            rows.append((group,))
        difference = f"{line.difference} {line.interval}".strip()
        row = (f"  {line.label}", line.first, line.other, difference)
        rows.append((*row, line.pairing) if comparison.is_paired else row)
    units = "matches" if comparison.of_matches else "rounds"
    columns: tuple[str, ...] = ("", "first", "second", "difference")
    if comparison.is_paired:
        columns = (*columns, "pairing")
        rows.append((f"{units.capitalize()} that change",))
        rows += [(f"  {what}", "", "", share, "") for what, share in comparison.told_changes()]
    reading = [
        "The difference is the second minus the first.",
        "pp are percentage points.",
    ]
    if comparison.is_paired:
        reading += [
            f"Unchanged: the same in every one of these {units}.",
            f"×3: independent runs would need three times the {units} to be as sure.",
        ]
    yield Sheet(
        heading=comparison.heading,
        lead="\n".join([comparison.how, *comparison.cautions]),
        columns=columns,
        rows=rows,
        notes=[
            ("What was compared", comparison.compared),
            ("How to read it", [*reading, f"{comparison.made[:1].upper()}{comparison.made[1:]}."]),
        ],
    )


def print_rows(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows of any values as a table, in full precision, numbers to the right."""
    from rich.table import Table

    console = new_console()
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for number, column in enumerate(columns):
        is_number = any(isinstance(row[number], int | float) for row in rows)
        table.add_column(column, justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row))
    console.print(table)


def format_size(size: int) -> str:
    """Bytes for a person.

    >>> format_size(999), format_size(9054), format_size(123_456_789)
    ('999 B', '9.1 kB', '123 MB')
    """
    number, unit = float(size), "B"
    for unit in ("B", "kB", "MB", "GB", "TB"):  # noqa: B007 -- the last one stands
        if number < _THOUSAND:
            break
        number /= _THOUSAND
    return f"{number:.1f} {unit}" if unit != "B" and number < _TEN else f"{number:.0f} {unit}"


def _number(some: Sequence[object], what: str) -> str:
    return f"{len(some):,} {what}{'' if len(some) == 1 else 's'}"
