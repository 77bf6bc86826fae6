"""``simdom referee``: is a transcript legal, who won, and what was scored?"""

import sys
from typing import Annotated

import typer

from simdom.cli.options import Overrides, Target
from simdom.errors import check_choice

__all__ = ["referee"]

FORMATS = ("text", "json")
NOT_LEGAL = 1


def _format(text: str) -> str:
    return check_choice("format", text, FORMATS)


def referee(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="A transcript, or a round as JSON; - reads standard input."
        ),
    ],
    variant: Annotated[
        str | None,
        typer.Option(
            "--variant",
            "-v",
            metavar="NAME",
            help="Judge by these rules, a preset or a TOML file, whatever the transcript names.",
        ),
    ] = None,
    overrides: Overrides = [],
    target: Target = None,
    output_format: Annotated[
        str,
        typer.Option(
            "--format", metavar="FORMAT", parser=_format, help="What to print: text or json."
        ),
    ] = "text",
) -> None:
    """Check a transcript move by move: what was illegal, who won, and what each scoring gives.

    \b
    The exit code is 0 if it is legal, 1 if it is not, and 2 if it cannot be read.

    \b
    Examples:
      simdom referee round.txt
      simdom referee table.txt --variant pagat-draw --set reserve=0
      simdom show --format json | simdom referee - --format json
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.transcripts.choice import Choice
    from simdom.transcripts.loading import load_transcript
    from simdom.transcripts.referee import judge
    from simdom.transcripts.verdict import tell_report
    from simdom.variants import parse_set

    report = judge(load_transcript(file, Choice(variant, parse_set(overrides), target)))
    if output_format == "json":
        sys.stdout.write(report.to_json())
    else:
        sys.stdout.write(tell_report(report))
    if not report.is_legal:
        sys.stdout.flush()
        raise typer.Exit(NOT_LEGAL)
