"""``simdom odds``: exact answers about hands and deals, and a simulation beside them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simdom.cli.options import (
    OutputFormat,
    Quiet,
    Seed,
    TurnNumber,
    is_written,
    plot_option,
    seat_option,
)
from simdom.cli.progress import ProgressBar, note
from simdom.cli.sheets import Sheet, print_answer
from simdom.counts import parse_count
from simdom.errors import RunError, UsageError, brief
from simdom.exact.asked import QUESTIONS

if TYPE_CHECKING:
    from simdom.exact.answer import Odds

__all__ = ["odds"]

DEFAULT_DEALS = 1_000_000
POSITION_OPTIONS = ("position", "seat", "of", "turn")
GENERAL_OPTIONS = (
    *("question", "max_pip", "hand", "players", "number", "doubles", "of_one_number"),
    *("check", "rounds", "seed", "plot"),
)
FOR_ALL = ("output_format", "quiet")


def odds(
    context: typer.Context,
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help=f"One of {', '.join(QUESTIONS)}.")
    ] = None,
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
    position: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Instead of a question: can a seat answer now, in this transcript (- for standard "
            "input)?",
        ),
    ] = None,
    seat: Annotated[
        int | None, seat_option("--seat", "With --position: whose knowledge it is.")
    ] = None,
    of: Annotated[
        int | None,
        seat_option(
            "--of",
            "With --position: who is to answer; whose turn it is unless given, or the next.",
        ),
    ] = None,
    turn: TurnNumber = None,
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
    With --position, about a round that goes on: can a seat answer now?

    \b
    Examples:
      simdom odds no-double --players 2 --deal 7
      simdom odds doubles --hand 7
      simdom odds misdeal --players 4 --deal 7 --doubles 5
      simdom odds misdeal --players 4 --deal 7 --of-one-number 6
      simdom odds missing --hand 7 --check -n 1e6
      simdom odds pips --hand 12 --max-pip 12 --plot pips.svg
      simdom odds --position round.txt --seat 0 --of 1
    """  # noqa: D301 -- \b keeps lines as they are in --help
    if position is not None and question is not None:
        raise UsageError(f"ask either {brief(question)} or --position FILE, not both")
    if position is not None:
        _check_written(context, POSITION_OPTIONS, "goes with a question, not with --position")
        _print_position(position, seat, of, turn, output_format)
        return
    _check_written(context, GENERAL_OPTIONS, "goes with --position FILE")
    if question is None:
        raise UsageError("ask a QUESTION, one of " + f"{', '.join(QUESTIONS)}, or --position FILE")
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


def _check_written(context: typer.Context, allowed: tuple[str, ...], why: str) -> None:
    """Return if nothing but the ``allowed`` parameters and those for all was written.

    Raises:
        UsageError: something was.
    """
    for parameter in context.command.params:
        name = parameter.name or ""
        if is_written(context, name) and name not in (*allowed, *FOR_ALL):
            raise UsageError(f"{parameter.opts[0]} {why}")


def _print_position(
    file: str, seat: int | None, of: int | None, turn: int | None, output_format: str
) -> None:
    """Print the chance that a seat can answer in the position of a file."""
    from simdom.advice.answering import answer_odds

    if seat is None:
        raise UsageError("--position needs --seat SEAT: whose knowledge it is")
    answer = answer_odds(file, seat, of=of, turn=turn)
    columns, rows = answer.table()
    print_answer(
        output_format,
        to_json=answer.to_json,
        to_csv=answer.to_csv,
        sheets=lambda: [
            Sheet(answer.text, answer.lead, columns, rows, [("How it was made", [answer.made])])
        ],
        command=answer.command,
    )


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
