"""``simdom advise``: what a seat may play in a round that goes on, and what it is worth."""

from typing import Annotated

import typer

from simdom.cli.options import (
    Confidence,
    OutputFormat,
    Quiet,
    Seed,
    TurnNumber,
    count_option,
    seat_option,
)
from simdom.cli.progress import COMPILING, note
from simdom.cli.sheets import Sheet, print_answer

__all__ = ["advise"]


def advise(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A transcript, or a round as JSON; - reads standard input."
        ),
    ],
    seat: Annotated[int, seat_option("--seat", "Who asks: it is its turn, and its hand is known.")],
    of: Annotated[
        int | None,
        seat_option("--of", "Whose chance to answer is shown; the next seat unless given."),
    ] = None,
    turn: TurnNumber = None,
    samples: Annotated[int, count_option("--samples", "Worlds to look at, 1 to 10,000.")] = 10_000,
    aim: Annotated[
        str, typer.Option(metavar="AIM", help="What placements are ranked by: points or win.")
    ] = "points",
    seed: Seed = 1,
    round_index: Annotated[
        int,
        typer.Option(
            "--round", metavar="I", help="The lots are those of this round of a run with the seed."
        ),
    ] = 0,
    confidence: Confidence = 0.95,
    output_format: OutputFormat = "table",
    quiet: Quiet = False,
) -> None:
    """Advise a seat in a round that goes on, by what it can know and nothing else.

    \b
    What it may play, what `sharp` makes of each placement, what the others
    certainly lack, and the exact chance that they can answer.

    \b
    Examples:
      simdom advise round.txt --seat 0
      simdom advise round.txt --seat 0 --samples 1000 --aim win
      simdom show --format transcript | simdom advise - --seat 1 --turn 4
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.advice.advice_text import tell_advice
    from simdom.advice.advise import advise as ask
    from simdom.running.driver import patience

    with patience(lambda: note(COMPILING, quiet=quiet)):
        advice = ask(
            file,
            seat,
            of=of,
            turn=turn,
            samples=samples,
            aim=aim,
            seed=seed,
            round_index=round_index,
            confidence=confidence,
        )
    print_answer(
        output_format,
        to_json=advice.to_json,
        to_csv=advice.to_csv,
        sheets=lambda: [Sheet(*told) for told in tell_advice(advice)],
        command=advice.command,
    )
