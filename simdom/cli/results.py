"""``simdom results``: what a folder of results holds."""

import shlex
import sys
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from simdom.cli.longrun import long_run
from simdom.cli.options import (
    MetricNames,
    OutputFormat,
    Quiet,
    Threads,
    confidence_option,
    with_metrics,
)
from simdom.cli.progress import COMPILING, ProgressBar, end_interrupted, note
from simdom.cli.sheets import print_answer, print_sheets
from simdom.counts import parse_count
from simdom.errors import UsageError, check_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simdom.catalogue.listing import Entry

__all__ = ["results"]

LIST = "list"
MOST_ROWS = 1000
"""Of an answer that are printed, unless more are asked for."""


class _Views(TyperGroup):
    """The commands of `simdom results`; what is none of them is a folder to list."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 -- typer's own
        word = args[0] if args else ""
        if word in ("--help", *self.commands):
            return super().parse_args(ctx, args)
        is_near = bool(get_close_matches(word, [*self.commands], cutoff=0.6))
        if is_near and not word.startswith("-") and not Path(word).exists():
            check_choice("command of results", word, self.commands)
        return super().parse_args(ctx, [LIST, *args])


results = typer.Typer(
    cls=_Views,
    rich_markup_mode=None,
    help="""List what a folder of results holds; read, compare, merge, export and query it.

    \b
    Examples:
      simdom results
      simdom results results/published
      simdom results show results/draw
      simdom results compare results/draw results/block
      simdom results merge one two --out both
      simdom results export results --to figures.csv
      simdom results query "select path, estimate from figures where metric = 'blocked_rate'"
    """,
)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder to look in; results.")]
FOLDER = Path("results")


@results.command(LIST)
def list_them(folder: Folder = FOLDER, output_format: OutputFormat = "table") -> None:
    """List every document in a folder and the folders in it; what cannot be read, too.

    \b
    Examples:
      simdom results
      simdom results list results/published --format csv
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.catalogue.listing import list_results
    from simdom.cli.results_sheets import list_sheet
    from simdom.formats import json_text

    entries = list_results(folder)
    plain = [entry.to_dict() for entry in entries]
    print_answer(
        output_format,
        to_json=lambda: json_text(
            {"schema": "simdom.results/1", "folder": str(folder), "entries": plain}
        ),
        to_csv=lambda: _list_csv(plain),
        sheets=lambda: [list_sheet(folder, entries)],
        command=shlex.join(["simdom", "results", str(folder)]),
    )


_COLUMNS = (
    *("path", "kind", "schema", "variant", "changes", "play", "seed", "trials", "unit", "first"),
    *("asked", "confidence", "figures", "simdom", "rules_version", "file_time", "bytes"),
    *("note", "problem"),
)


def _list_csv(plain: "list[dict[str, Any]]") -> str:
    from simdom.formats import csv_text

    rows = [{**entry, "figures": "; ".join(entry.get("figures", []))} for entry in plain]
    return csv_text(_COLUMNS, rows)


@results.command()
def show(
    saved: Annotated[
        Path, typer.Argument(metavar="DIR", help="A saved result, or the file of any document.")
    ],
    output_format: OutputFormat = "table",
    metrics: MetricNames = [],
) -> None:
    """Print one document again: a result as its run did, of others every figure.

    \b
    Examples:
      simdom results show results/draw
      simdom results show results/published/claims.json
      simdom results show results/draw --format csv --metric points
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.catalogue.finding import find_document

    entry = find_document(saved)
    if entry.kind in ("run", "match"):
        from simdom.cli.run import print_result
        from simdom.match_metrics import check_metrics_of
        from simdom.results import load_result

        check_metrics_of(metrics, matches=entry.kind == "match")
        print_result(load_result(entry.file), output_format, metrics or None)
        return
    if metrics:
        raise UsageError(f"--metric chooses figures of run and match, not of {entry.kind}")
    _print_document(entry, output_format)


def _print_document(entry: "Entry", output_format: str) -> None:
    if output_format == "json":
        from simdom.catalogue.finding import content_of
        from simdom.formats import json_text

        sys.stdout.write(json_text(content_of(entry)))
    elif output_format == "csv":
        from simdom.catalogue.tidy import figures_frame

        sys.stdout.write(figures_frame([entry]).to_csv(index=False, lineterminator="\n"))
    else:
        from simdom.cli.results_sheets import document_sheet

        print_sheets([document_sheet(entry)], output_format)


@results.command()
def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="A saved result: what is subtracted.")],
    other: Annotated[Path, typer.Argument(metavar="B", help="Another.")],
    independent: Annotated[
        bool, typer.Option("--independent", help="Do not pair them, even if they share shuffles.")
    ] = False,
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            "-n",
            metavar="N",
            parser=parse_count,
            help="At most so many rounds, or matches, are played again; a million rounds or 1e5 "
            "matches unless given, and 1e4 of either where a strategy samples.",
        ),
    ] = None,
    confidence: Annotated[
        float | None, confidence_option("Confidence of the intervals; that of A unless given.")
    ] = None,
    threads: Threads = None,
    output_format: OutputFormat = "table",
    metrics: MetricNames = [],
    quiet: Quiet = False,
) -> None:
    """Compare two saved results: paired if they share shuffles, else as independent ones.

    \b
    Examples:
      simdom results compare results/draw results/block
      simdom results compare results/draw results/block --independent
      simdom results compare results/draw results/block -n 1e7 --format json
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.catalogue.comparing import compare_results
    from simdom.cli.results_sheets import difference_sheets

    with ProgressBar(quiet=quiet) as progress:
        found = compare_results(
            first,
            other,
            independent=independent,
            rounds=rounds,
            confidence=confidence,
            threads=threads,
            progress=progress,
            on_compile=lambda: note(COMPILING, quiet=quiet),
        )
    found = replace(found, command=with_metrics(found.command, metrics))
    shown = metrics or None
    print_answer(
        output_format,
        to_json=lambda: found.to_json(shown),
        to_csv=lambda: found.to_csv(shown),
        sheets=lambda: difference_sheets(found, shown),
        command=found.command,
    )
    if found.asked is not None:
        end_interrupted(found.trials[0], found.asked, found.unit)


@results.command()
def export(
    to: Annotated[
        Path,
        typer.Option("--to", metavar="FILE", help="New file: .csv, .parquet or .md."),
    ],
    folder: Folder = FOLDER,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the file in --to.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Write every figure of every document into one file, one row a figure.

    \b
    Examples:
      simdom results export results --to figures.csv
      simdom results export --to figures.parquet
      simdom results export results/published --to published.md
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.catalogue.exporting import export_results
    from simdom.catalogue.shapes import plural

    entries = export_results(folder, to=to, overwrite=overwrite)
    counts = [len(entry.saved.figures) for entry in entries if entry.saved is not None]
    having = sum(count > 0 for count in counts)
    of = plural(having, "document")
    note(f"{plural(sum(counts), 'figure')} of {of} saved in {to}.", quiet=quiet)
    if having < len(counts):
        without = plural(len(counts) - having, "document")
        note(f"{without} without figures left out.", quiet=quiet)
    _note_lost(entries, folder, quiet=quiet)


def _note_lost(entries: "Sequence[Entry]", folder: Path, *, quiet: bool) -> None:
    lost = sum(entry.saved is None for entry in entries)
    if lost:
        command = shlex.join(["simdom", "results", str(folder)])
        note(f"{lost} of {len(entries)} could not be read; `{command}` says why.", quiet=quiet)


@results.command()
def merge(
    pieces: Annotated[
        list[Path],
        typer.Argument(metavar="DIR...", help="Folders of --out, with pieces of one run."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Keep the merged run in this new folder, with its plot."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a result that is in --out.")
    ] = False,
    output_format: OutputFormat = "table",
    metrics: MetricNames = [],
    quiet: Quiet = False,
) -> None:
    """Put pieces of one run together, to the very bits of the whole run, and print it.

    Pieces are made with `simdom run --first N`, or `match --first N`, on any machine.

    \b
    Examples:
      simdom run -n 5e8 --out one
      simdom run -n 5e8 --first 5e8 --out two
      simdom results merge one two --out both
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.cli.run import hand_over

    with long_run(out=out, overwrite=overwrite, quiet=quiet) as going:
        from simdom.merging import merge_results

        result = going.play(lambda: merge_results(pieces, checkpoint=going.folder))
        hand_over(going, result, metrics, output_format, None)


@results.command()
def query(
    sql: Annotated[
        str,
        typer.Argument(metavar="SQL", help="One select, of results, figures and records."),
    ],
    folder: Folder = FOLDER,
    limit: Annotated[
        int,
        typer.Option(
            metavar="N",
            parser=lambda text: text if isinstance(text, int) else parse_count(text),
            help="Print at most so many rows.",
        ),
    ] = MOST_ROWS,
    output_format: OutputFormat = "table",
    quiet: Quiet = False,
) -> None:
    """Ask all results and all rounds of a folder in SQL (needs the extra simdom[query]).

    \b
    Tables, none of which can be changed:
      results   one row a document: path, kind, variant, rules (JSON), trials, ...
      figures   one row a figure: path, part, metric, seat, estimate, low, high, ...
      records   one row a round of the files that --records wrote, and its file
    `describe figures` lists the columns of one.

    \b
    Examples:
      simdom results query "select path, variant, trials from results"
      simdom results query "select path, estimate, low, high from figures
                            where metric = 'blocked_rate' order by estimate"
      simdom results query "select winner, count(*) from records group by winner" results
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.catalogue.query import ask
    from simdom.cli.results_sheets import answer_sheet

    answer = ask(sql, folder, limit)
    if output_format == "json":
        sys.stdout.write(answer.to_json(sql))
    elif output_format == "csv":
        sys.stdout.write(answer.to_csv())
    else:
        print_sheets([answer_sheet(answer)], output_format)
    if answer.more:
        note(f"There are more rows than {limit:,}: --limit N prints more.", quiet=quiet)
