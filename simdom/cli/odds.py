"""``simdom odds``: exact answers about hands and deals, and a simulation beside them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simdom.cli.options import OutputFormat, Quiet, Seed, plot_option
from simdom.cli.progress import ProgressBar, note
from simdom.cli.sheets import Sheet, print_answer
from simdom.counts import parse_count
from simdom.errors import RunError, UsageError
from simdom.exact.asked import QUESTIONS

if TYPE_CHECKING:
    from simdom.exact.answer import Odds

__all__ = ["odds"]

DEFAULT_DEALS = 1_000_000


def odds(
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help=f"One of {', '.join(QUESTIONS)}.")
    ],
    max_pip: Annotated[
        int, typer.Option(metavar="N", help="Highest number of the set: 6 for double-6, up to 18.")
    ] = 6,
    hand: Annotated[
        int, typer.Option("--hand", "--deal", metavar="H", help="Tiles of each hand.")
    ] = 7,
    players: Annotated[
        int | None,
        typer.Option(
            metavar="P",
            help="Hands that are dealt, for no-double, opening-tile, misdeal and deals; 2 unless "
            "given.",
        ),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option(metavar="V", help="For number and missing: about this number of the set."),
    ] = None,
    doubles: Annotated[
        int | None,
        typer.Option(metavar="K", help="For misdeal: some hand has at least K doubles."),
    ] = None,
    of_one_number: Annotated[
        int | None,
        typer.Option(
            metavar="K", help="For misdeal: some hand has at least K tiles of one number."
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Also deal, and show how far off the z-scores are.")
    ] = False,
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            "-n",
            metavar="N",
            parser=parse_count,
            help="With --check: deals to look at, a million unless given.",
        ),
    ] = None,
    seed: Seed = 1,
    output_format: OutputFormat = "table",
    plot: Annotated[
        Path | None,
        plot_option("Also draw the chance of each outcome."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Answer a question about hands or deals exactly: fraction, decimal, and "1 in ...".

    \b
    Examples:
      simdom odds no-double --players 2 --deal 7
      simdom odds doubles --hand 7
      simdom odds misdeal --players 4 --deal 7 --doubles 5
      simdom odds misdeal --players 4 --deal 7 --of-one-number 6
      simdom odds missing --hand 7 --check -n 1e6
      simdom odds pips --hand 12 --max-pip 12 --plot pips.svg
    """  # noqa: D301 -- \b keeps lines as they are in --help
    if rounds is not None and not check:
        raise UsageError("-n goes with --check: without it, nothing is dealt")
    from simdom.exact.odds import odds as ask

    answer = ask(
        question,
        max_pip=max_pip,
        hand=hand,
        players=players,
        number=number,
        doubles=doubles,
        of_one_number=of_one_number,
    )
    if plot is not None:
        answer.check_drawable()
    if check:
        with ProgressBar(quiet=quiet, unit="deals/s") as progress:
            answer = answer.check(DEFAULT_DEALS if rounds is None else rounds, seed, progress)
    try:
        # Before the figures are printed, for whoever reads them may stop reading, as `head` does.
        if plot is not None:
            answer.plot(plot)
            note(f"Drawn in {plot}.", quiet=quiet)
    finally:
        print_answer(
            output_format,
            to_json=answer.to_json,
            to_csv=answer.to_csv,
            sheets=lambda: [_sheet(answer)],
            command=answer.command,
        )
    if answer.checked is not None and not answer.checked.agrees:
        raise RunError("the simulation does not agree with the exact figures: a bug")


def _sheet(answer: "Odds") -> Sheet:
    columns, rows = answer.table()
    notes = [("How it was made", [answer.made])]
    if answer.distribution and "fraction" not in columns:
        notes.append(("Fractions", ["They are long: --format json and csv have them."]))
    return Sheet(
        heading=answer.asked.text,
        lead=answer.headline,
        columns=columns,
        rows=rows,
        notes=notes,
    )
