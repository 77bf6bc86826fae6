"""``simdom show``: one round of a run, to be read, drawn, or handed on."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simdom.cli.options import (
    Overrides,
    Players,
    Quiet,
    Seed,
    StrategyNames,
    VariantName,
    is_written,
)
from simdom.cli.progress import COMPILING, ProgressBar, note
from simdom.cli.sheets import print_sheets
from simdom.counts import parse_count
from simdom.errors import RunError, UsageError, check_choice

if TYPE_CHECKING:
    from simdom.showing.taking import Taken

__all__ = ["show"]

FORMATS = ("text", "json", "transcript")
DEFAULT_ROUNDS = 100_000


def _format(text: str) -> str:
    return check_choice("format", text, FORMATS)


def _svg_file(text: str) -> Path:
    if not text.lower().endswith(".svg"):
        raise UsageError(f"--svg {text} must end in .svg")
    return Path(text)


def show(
    context: typer.Context,
    variant: VariantName = "pagat-draw",
    round_index: Annotated[
        int | None,
        typer.Option("--round", metavar="I", help="Which round of the run; the first is 0."),
    ] = None,
    find: Annotated[
        str | None,
        typer.Option(
            metavar="WANTED",
            help="Show the first round that meets conditions such as blocked,plays<=8,winner=1; or "
            "longest, shortest, earliest-block, most-draws, most-passes, biggest-score.",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            "-n",
            metavar="N",
            parser=parse_count,
            help="With --find: rounds to look through, 100,000 unless given.",
        ),
    ] = None,
    saved: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="PATH",
            help="A saved result, or a file of --records, whose rules, strategies and seed to "
            "take. The round must be as the records say.",
        ),
    ] = None,
    match: Annotated[
        int | None,
        typer.Option(
            metavar="M",
            help="Which match of a run of matches; with --round, which of its rounds, from 0.",
        ),
    ] = None,
    leader: Annotated[
        int | None,
        typer.Option(metavar="SEAT", help="The seat that leads any tile, as after a round won."),
    ] = None,
    players: Players = None,
    overrides: Overrides = [],
    strategy: StrategyNames = "random",
    seed: Seed = 1,
    output_format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            parser=_format,
            help="What to print: text, json or transcript (see `simdom referee`).",
        ),
    ] = "text",
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", parser=_svg_file, help="Also draw the final line."),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="No pictures of tiles in the text, but 6-4 alone.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Show one round of a run: the deal, every turn, the end, and each score with its sum.

    \b
    Examples:
      simdom show --variant pagat-draw --seed 1 --round 12345
      simdom show --variant pagat-block --find 'blocked,plays<=8'
      simdom show --find biggest-score -n 1e6 --svg line.svg
      simdom show --variant pagat-draw --format transcript > round.txt
      simdom show --from out/draw --round 7
      simdom show --from rounds.parquet --round 7
      simdom show --variant dominican-patio --match 3
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.files import check_file, write_file
    from simdom.running.driver import patience
    from simdom.showing.recorded import find_difference
    from simdom.showing.runs import run_asked, run_saved
    from simdom.showing.taking import Which, take
    from simdom.variants import parse_set

    if svg is not None:
        check_file(svg)
    if rounds is not None and find is None:
        raise UsageError("-n goes with --find: without it, one round is played")
    if saved is not None:
        _check_from(context)
        run = run_saved(saved)
    else:
        run = run_asked(
            variant,
            players=players,
            overrides=parse_set(overrides),
            strategy=strategy,
            seed=seed,
        )
    which = Which(number=round_index, wanted=find, rounds=rounds, match=match, leader=leader)
    with (
        patience(lambda: note(COMPILING, quiet=quiet)),
        ProgressBar(quiet=quiet or find is None) as progress,
    ):
        taken = take(run, which, progress)
    difference = find_difference(taken)
    drawing = taken.drawing() if svg is not None else None
    if drawing is not None and svg is not None:
        # Before the round is printed, for whoever reads it may stop reading, as `head` does.
        write_file(svg, drawing.encode())
        note(f"Drawn in {svg}.", quiet=quiet)
    if output_format == "json":
        sys.stdout.write(taken.to_json())
    elif output_format == "transcript":
        sys.stdout.write(taken.to_text())
    else:
        _print_text(taken, _command(taken, context), plain=plain)
    if difference:
        raise RunError(difference)


_OF_A_RUN = {
    "variant": "--variant",
    "players": "--players",
    "overrides": "--set",
    "strategy": "--strategy",
    "seed": "--seed",
}
"""Options that say what is played, by their parameter."""


def _check_from(context: typer.Context) -> None:
    """Return if nothing is asked for that a saved result says itself.

    Raises:
        UsageError: it is.
    """
    for parameter, option in _OF_A_RUN.items():
        if is_written(context, parameter):
            raise UsageError(f"--from takes the whole run from a result: leave out {option}")


def _command(taken: "Taken", context: typer.Context) -> str:
    """The command line that shows the round again, without looking for it."""
    words = ["simdom", "show"]
    for parameter, option in {"saved": "--from", **_OF_A_RUN}.items():
        if not is_written(context, parameter) and not (
            parameter in ("variant", "seed") and not is_written(context, "saved")
        ):
            continue
        value = context.params[parameter]
        for one in value if isinstance(value, list) else [value]:
            words += [option, str(one)]
    return shlex.join([*words, *taken.words])


def _print_text(taken: "Taken", command: str, *, plain: bool) -> None:
    from simdom.cli.round_sheets import can_show_glyphs, match_sheet, round_sheets
    from simdom.transcripts.referee import judge

    report = judge(taken.transcript)
    heading = taken.heading
    if taken.is_match:
        print_sheets([match_sheet(report, heading, [])], "table")
    else:
        glyphs = not plain and can_show_glyphs()
        sheets = round_sheets(report, 0, heading=heading, lead=taken.lead, glyphs=glyphs, notes=[])
        print_sheets(sheets, "table")
    # On one line, however long, so that it can be pasted.
    sys.stdout.write(f"\nTo show it again:\n{command}\n")
