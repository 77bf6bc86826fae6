"""``simdom daily``: one round a day, with the same tiles for everyone."""

import sys
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simdom.cli.options import Quiet, is_written
from simdom.cli.play import stop_kept, tell_note
from simdom.cli.progress import COMPILING
from simdom.cli.streams import say_wrapped
from simdom.errors import UsageError, check_choice

if TYPE_CHECKING:
    from simdom.cli.sheets import Sheet
    from simdom.estimate import Estimate
    from simdom.playing.daily import Daily
    from simdom.playing.history import History

__all__ = ["daily"]

FORMATS = ("table", "json")
DEFAULT_OPPONENT = "sharp"


def _format(text: str) -> str:
    return check_choice("format", text, FORMATS)


def daily(
    context: typer.Context,
    date: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="Another day's tiles, as in 2026-11-29; today's unless given."
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A strategy (see `simdom strategies`); "
            "sharp, or that of your first try, unless given.",
        ),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Play once more what is over; it does not count.")
    ] = False,
    history: Annotated[
        bool, typer.Option("--history", help="Show all your first tries, and their means.")
    ] = False,
    output_format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            parser=_format,
            help="table; or json, a document, and all talk on standard error.",
        ),
    ] = "table",
    plain: Annotated[
        bool, typer.Option("--plain", help="No pictures of tiles in the text, but 6-4 alone.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Play the round of the day: your result is the points that you catch, or minus theirs.

    \b
    All who play a day get the same tiles, from its date alone. The first try
    of a day counts, and is kept in your data folder from its first moment.
    q, Ctrl-D and Ctrl-C leave it; the same command goes on.

    \b
    Examples:
      simdom daily
      simdom daily --date 2026-11-29 --against normal
      simdom daily --again
      simdom daily --history
      simdom daily --history --format json
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.playing.daily import begin_daily, daily_folder, parse_day, today
    from simdom.playing.folder import data_folder
    from simdom.running.driver import patience
    from simdom.strategies import load_strategy

    folder = daily_folder(data_folder())
    if history:
        _check_alone(context)
        _tell_history(folder, output_format)
        return
    day = today() if date is None else parse_day(date, today())
    opponent = None if against is None else load_strategy(against)
    default = load_strategy(DEFAULT_OPPONENT)
    with patience(lambda: tell_note(COMPILING, quiet=quiet)):
        game = begin_daily(folder, day, opponent, default, again=again)
    _play(game, output_format, plain=plain)


def _check_alone(context: typer.Context) -> None:
    """Return if ``--history`` stands with nothing that is about playing.

    Raises:
        UsageError: it does not.
    """
    for name in ("date", "against", "again"):
        if is_written(context, name):
            raise UsageError(f"--history shows every day that you have played: leave out --{name}")


def _play(game: "Daily", output_format: str, *, plain: bool) -> None:
    from simdom.cli.dialogue import Dialogue

    was_over = game.table.is_over and not game.is_new
    seen = len(game.table.rounds) if was_over else 0
    dialogue = Dialogue(game.table, seen=seen, plain=plain, to_stderr=output_format == "json")
    dialogue.tell([f"The round of {game.day}"], heading=True)
    dialogue.tell(dialogue.words.game())
    if not was_over:
        counts = "The first try counts, and this is it." if game.counts else "This does not count."
        dialogue.tell([counts])
    kept: tuple[str, ...] = ("Nothing is kept.",)
    if game.counts:
        kept = ("The round is kept. To go on:", f"simdom daily --date {game.day}")
    try:
        is_over = dialogue.sit(game.choose)
    except KeyboardInterrupt:
        stop_kept(*kept)
        raise
    if output_format == "json":
        sys.stdout.write(_json(game))
    if not is_over:
        say_wrapped(*kept)
        return
    dialogue.tell([""])
    dialogue.tell(_result(game, was_over=was_over))


def _result(game: "Daily", *, was_over: bool) -> list[str]:
    from simdom.cli.table_words import counted

    points = game.points or 0
    who = "you" if points > 0 else "they"
    what = f"{who} catch {counted(abs(points), 'point')}"
    if points == 0:
        what = "nobody catches anything"
    first = "Your first try: " if was_over else "Your result: "
    lines = [
        f"{first}{points:+d}, for {what}.",
        f"{game.against.name} in your place, with the same tiles: {game.par:+d}.",
    ]
    if was_over:
        lines.append("--again plays it once more, which does not count.")
    return lines


def _json(game: "Daily") -> str:
    from simdom.formats import json_text
    from simdom.playing.daily import RESULT_SCHEMA

    facts: dict[str, Any] = game.to_dict()
    extra = {"counts": game.counts, "variant": game.table.setup.variant}
    return json_text({"schema": RESULT_SCHEMA, **facts, **extra, "seed": game.table.setup.seed})


def _tell_history(folder: Path, output_format: str) -> None:
    from simdom.cli.sheets import print_json, print_sheets
    from simdom.playing.history import load_history

    history = load_history(folder)
    for problem in history.problems:
        say_wrapped(f"simdom: left out: {problem}")
    if output_format == "json":
        print_json(history.to_dict())
    else:
        print_sheets([_history_sheet(history)], "table")


def _history_sheet(history: "History") -> "Sheet":
    from simdom._version import __version__
    from simdom.cli.sheets import Sheet
    from simdom.cli.table_words import counted
    from simdom.playing.daily import PLAYERS, VARIANT
    from simdom.playing.history import ENOUGH

    rows = [
        (
            str(one.date),
            one.against.name,
            "not over" if one.points is None else f"{one.points:+d}",
            "" if one.par is None else f"{one.par:+d}",
            one.end or "",
        )
        for one in history.tries
    ]
    standings = [
        f"against {standing.against}, {counted(standing.days, 'day')}: "
        f"points {_mean(standing.points)}, points less par {_mean(standing.over_par)}"
        for standing in history.standings()
    ]
    unfinished = sum(one.points is None for one in history.tries)
    notes = [f"There are 95% intervals from {ENOUGH} days on; they take your days for a sample."]
    if unfinished:
        notes.append(f"Rounds that are not over are in no mean: {unfinished}.")
    return Sheet(
        f"Daily rounds: first tries, {VARIANT}, {PLAYERS} players, simdom {__version__}",
        "Par is what the other seat's strategy gets in your place, with the same tiles."
        if rows
        else "You have played none yet.",
        ("date", "against", "points", "par", "end"),
        rows,
        [("Means", standings), ("Notes", notes if rows else [])],
    )


def _mean(mean: "Estimate") -> str:
    from simdom.estimate import format_estimate

    told = f"{mean.estimate:.1f}" if isnan(mean.se) else format_estimate(mean, "mean")
    return f"+{told}" if mean.estimate > 0 else told  # as single results have it
