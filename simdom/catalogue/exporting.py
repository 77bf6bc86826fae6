"""All figures of a folder in one file: CSV, Parquet, or Markdown for people."""

import io
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from simdom._version import __version__
from simdom.catalogue.documents import Saved
from simdom.catalogue.figures import Found, in_words
from simdom.catalogue.listing import DEFAULT_FOLDER, Entry, list_results
from simdom.catalogue.records import PARQUET
from simdom.catalogue.shapes import plural
from simdom.catalogue.tidy import figures_frame
from simdom.errors import UsageError, check_choice
from simdom.estimate import Metrics
from simdom.figures import list_figures
from simdom.files import check_file, write_file
from simdom.formats import format_confidence
from simdom.match_metrics import ALL_METRICS

__all__ = ["SUFFIXES", "check_export", "export_results", "figure_rows", "on_a_line", "what_of"]

SUFFIXES = ("csv", "parquet", "md")
"""Of the files that figures are exported to."""


def check_export(path: str | Path, *, overwrite: bool = False) -> str:
    """Return the format that ``path`` asks for; ask before a folder is read.

    Raises:
        UsageError: its suffix is no format; Parquet is asked for without pyarrow; it is a folder;
            it is there already, and may not be replaced; what is above it is a file or cannot be
            written to.
    """
    suffix = Path(path).suffix.lower().removeprefix(".")
    if not suffix:
        raise UsageError(f"{path} has no suffix: choose one of .{', .'.join(SUFFIXES)}")
    check_choice("file format", suffix, SUFFIXES)
    if suffix == "parquet" and find_spec("pyarrow") is None:
        raise UsageError(f"{path}: Parquet needs pyarrow: {PARQUET}; or name a .csv")
    check_file(Path(path))
    if not overwrite and Path(path).exists():
        raise UsageError(
            f"{path} is there already: name a new file, or overwrite it (overwrite=True, or "
            "--overwrite)"
        )
    return suffix


def export_results(
    folder: str | Path = DEFAULT_FOLDER, *, to: str | Path, overwrite: bool = False
) -> list[Entry]:
    """Write every figure of every document in a folder into one file.

    CSV and Parquet have the table of `simdom.catalogue.tidy.tidy`; Markdown has a section for each
    document, with its figures in words.

    Args:
        folder: to look in, see `simdom.catalogue.listing.list_results`.
        to: a file that ends in .csv, .parquet or .md.
        overwrite: whether a file that is there already is replaced.

    Returns:
        What was found; of what could not be read, nothing is in the file.

    Raises:
        UsageError: as `check_export`; as `list_results`.
        RunError: the file cannot be written; what was there before is still there.
    """
    suffix = check_export(to, overwrite=overwrite)
    entries = list_results(folder)
    if suffix == "md":
        content = _page(folder, entries).encode()
    elif suffix == "csv":
        content = figures_frame(entries).to_csv(index=False, lineterminator="\n").encode()
    else:
        buffer = io.BytesIO()
        figures_frame(entries).to_parquet(buffer, index=False, engine="pyarrow")
        content = buffer.getvalue()
    write_file(Path(to), content)
    return entries


def what_of(saved: Saved) -> list[str]:
    """What was played, in a few words each: the game, who plays, how much, by which simdom."""
    shape = saved.shape
    trials, unit = shape.trials
    played = [] if trials is None else [plural(trials, unit)]
    begin = [f"from number {shape.begin:,} on"] if played and shape.begin else []
    seed = [] if shape.seed is None else [f"seed {shape.seed}"]
    sure = [] if shape.confidence is None else [f"{format_confidence(shape.confidence)} intervals"]
    version = [f"simdom {shape.simdom}"] if shape.simdom else []
    rules = [] if shape.rules_version is None else [f"rules version {shape.rules_version}"]
    told = [shape.subject(), shape.changed(), shape.play(), *played, *begin, *seed]
    return [part for part in (*told, *sure, *version, *rules) if part]


def figure_rows(saved: Saved) -> list[tuple[str, ...]]:
    """What a figure is of, what it is, and it with its interval; for people."""
    return [
        (_part(found), _label(found), in_words(found, is_difference=_is_difference(saved, found)))
        for found in saved.figures
    ]


def _is_difference(saved: Saved, found: Found) -> bool:
    """Whether a figure says what something changes of another, and not how it plays against it."""
    changes = found.metric.endswith("_changed_rate")
    return bool(found.against) and saved.kind in _PAIRED and not changes


_PAIRED = ("compare", "effects", "difference")


def _part(found: Found) -> str:
    return f"{found.part} against {found.against}" if found.against else found.part


def _label(found: Found) -> str:
    metric = ALL_METRICS.get(found.metric)
    if metric is None:
        return found.metric.replace("_", " ")
    if found.seat is None:
        return metric.label
    seats = found.seat + 1
    same = Metrics({found.metric: [found.given.defined] * seats})
    told = list_figures(same, [found.metric], [""] * seats)[-1].label
    return told.partition(",")[0]  # behind a comma stands the strategy of a seat


def on_a_line(text: str) -> str:
    """Text of a file or of its name that neither breaks a line nor commands a terminal."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _page(folder: str | Path, entries: Sequence[Entry]) -> str:
    lines = [f"# Results in {on_a_line(str(folder))}", ""]
    lines += [f"{plural(len(entries), 'document')}, read by simdom {__version__}.", ""]
    for entry in entries:
        lines += [*_section(entry), ""]
    return "\n".join(lines)


def _section(entry: Entry) -> Iterator[str]:
    yield f"## {on_a_line(entry.path)}"
    yield ""
    if entry.saved is None:
        yield f"It {on_a_line(entry.problem)}."
        return
    told = [f"`simdom {entry.kind}`", *what_of(entry.saved), *filter(None, [entry.note])]
    yield f"{on_a_line('; '.join(told))}."
    rows = figure_rows(entry.saved)
    if rows:
        yield ""
        yield from _table(("of", "figure", "estimate"), rows)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for row in (heads, ["---"] * len(heads), *rows):
        yield f"| {' | '.join(on_a_line(cell).replace('|', chr(92) + '|') for cell in row)} |"
