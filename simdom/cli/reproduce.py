"""``simdom reproduce``: what pages have published, against what simdom counts and measures."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simdom.cli.options import (
    Confidence,
    OutputFormat,
    Quiet,
    Rounds,
    Seed,
    Threads,
    check_apart,
    plot_option,
)
from simdom.cli.progress import COMPILING, ProgressBar, end_interrupted, note
from simdom.cli.sheets import Sheet, print_answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simdom.published.reproduction import Reproduction

__all__ = ["reproduce"]


def reproduce(
    rounds: Rounds = 1_000_000,
    strategies: Annotated[
        list[str],
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="How all seats play, the same for all, where a source does not say: a name (see "
            "`simdom strategies`) or a TOML file; may be repeated. Seven of them unless given.",
        ),
    ] = [],
    seed: Seed = 1,
    threads: Threads = None,
    confidence: Confidence = 0.95,
    source: Annotated[
        str | None,
        typer.Option(
            "--claims",
            metavar="FILE",
            help="A TOML file of claims, instead of those that come with simdom; "
            "docs/own-rules.md shows one.",
        ),
    ] = None,
    only: Annotated[
        list[str],
        typer.Option("--claim", metavar="ID", help="Only this claim; may be repeated."),
    ] = [],
    output_format: OutputFormat = "table",
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Also save claims.json, claims.md and plane.svg in this new folder.",
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a reproduction in --out.")
    ] = False,
    plot: Annotated[
        Path | None,
        plot_option("Also draw the plane of two claims, with every strategy where it falls."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Confront published figures with exact chances and with every strategy's figures.

    A claim is about a metric of `simdom metrics`; about opener_net_points, which is the points of a
    round if the opener wins, minus them if another does, 0 if nobody does; or about a chance of
    `simdom odds`.

    \b
    Examples:
      simdom reproduce
      simdom reproduce -n 1e7 --out out/published
      simdom reproduce --claim block-blocked --strategy random --strategy my-play.toml
      simdom reproduce --claims my-claims.toml --plot plane.svg
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.published.claims import STRATEGIES, claims
    from simdom.published.claims_file import PUBLISHED, load_claims
    from simdom.published.reproduction import check_out, check_plane

    file = PUBLISHED if source is None else source
    wanted = load_claims(file)
    wanted = wanted.only(only) if only else wanted
    check_apart(plot, out)
    if plot is not None:
        check_plane(wanted)
    if out is not None:
        check_out(out, overwrite=overwrite)
    with ProgressBar(quiet=quiet) as progress:
        found = claims(
            file,
            only=only,
            rounds=rounds,
            strategies=strategies or STRATEGIES,
            seed=seed,
            threads=threads,
            confidence=confidence,
            progress=progress,
            on_compile=lambda: note(COMPILING, quiet=quiet),
        )
    try:
        # Before the figures are printed, for whoever reads them may stop reading, as `head` does.
        _save(found, out=out, plot=plot, overwrite=overwrite, quiet=quiet)
    finally:
        _print_reproduction(found, output_format)
    if found.partial:
        end_interrupted()


def _save(
    found: "Reproduction", *, out: Path | None, plot: Path | None, overwrite: bool, quiet: bool
) -> None:
    if out is not None and found.partial and out.exists() and any(out.iterdir()):
        note(f"Not saved in {out}: what is there may be whole, and this is not.", quiet=quiet)
    elif out is not None:
        found.save(out, overwrite=overwrite)
        note(f"Saved in {out}.", quiet=quiet)
    if plot is not None and found.to_plot().places:
        found.plot(plot)
        note(f"Drawn in {plot}.", quiet=quiet)


def _print_reproduction(found: "Reproduction", output_format: str) -> None:
    if output_format == "markdown":
        sys.stdout.write(found.to_markdown())
        return
    print_answer(
        output_format,
        to_json=found.to_json,
        to_csv=found.to_csv,
        sheets=lambda: _sheets(found),
        command=found.command,
    )


def _sheets(found: "Reproduction") -> "Iterator[Sheet]":
    yield Sheet(found.claims.title, "", (), [], [("What was found", found.told())])
    for table in found.tables():
        yield Sheet(table.heading, "\n".join(table.lead), table.columns, table.rows, [])
    yield Sheet(
        "How it was made",
        f"{found.made}.",
        (),
        [],
        [("How to read it", found.notes()), ("Sources", found.sources())],
    )
