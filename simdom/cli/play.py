"""``simdom play``: a match against strategies, at the terminal."""

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simdom.cli.options import Overrides, Players, Quiet, Target, VariantName, is_written
from simdom.cli.progress import COMPILING
from simdom.cli.streams import say_wrapped
from simdom.errors import UsageError, check_choice

if TYPE_CHECKING:
    from simdom.cli.dialogue import Dialogue
    from simdom.cli.table_words import Words
    from simdom.playing.match_file import KeptMatch
    from simdom.playing.table import Setup

__all__ = ["parse_play_format", "play", "stop_kept", "tell_note"]

FORMATS = ("text", "json")
KEPT = "The match is kept. To go on:"


def parse_play_format(text: str) -> str:
    """One of `FORMATS`."""
    return check_choice("format", text, FORMATS)


def _seed(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"--seed must be a whole number, not {text!r}") from None


def play(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="With --resume or --check: the file that the match is kept in."
        ),
    ] = None,
    variant: VariantName = "pagat-draw",
    against: Annotated[
        str,
        typer.Option(
            metavar="NAME[,NAME...]",
            help="How all other seats play, or one for each of them in turn order: a name (see "
            "`simdom strategies`) or a TOML file.",
        ),
    ] = "normal",
    players: Players = None,
    overrides: Overrides = [],
    seat: Annotated[int, typer.Option(metavar="SEAT", help="Your seat.")] = 0,
    target: Target = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="S",
            parser=_seed,
            help="The same seed deals the same match. Without it, one is drawn, and told at the "
            "end.",
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the match that was kept last, or in FILE.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the match there, not in play.json in your data folder.",
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Give up a kept match that is not over.")
    ] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Replay a match that is over, and check the computer's word."),
    ] = False,
    transcript: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the rounds down (see `simdom referee`)."),
    ] = None,
    output_format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            parser=parse_play_format,
            help="text; or json, a document at the end, and all talk on standard error.",
        ),
    ] = "text",
    plain: Annotated[
        bool, typer.Option("--plain", help="No pictures of tiles in the text, but 6-4 alone.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Play a match against strategies.

    \b
    You are shown the turns, your hand, and your placements by number. Draws,
    passes and placements without a choice are made for you. The match is kept
    after every choice: q, Ctrl-D and Ctrl-C leave it, and --resume goes on.

    \b
    Examples:
      simdom play --variant pagat-draw --against normal
      simdom play --variant pagat-block --players 3 --against sharp,easy
      simdom play --resume
      simdom play --seed 7 --save seven.json --transcript seven.txt
      yes 1 | simdom play --seed 7 --overwrite --format json 2> /dev/null
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.cli.dialogue import Dialogue
    from simdom.files import check_file
    from simdom.playing.folder import data_folder
    from simdom.playing.match_file import begin_match, load_match
    from simdom.running.driver import patience

    _check_asked(context, file)
    path = file or save or data_folder() / "play.json"
    if transcript is not None:
        check_file(transcript)
        if transcript.resolve() == path.resolve():
            raise UsageError(f"--transcript {transcript} is where the match is kept: name another")
    with patience(lambda: tell_note(COMPILING, quiet=quiet)):
        if resume or check:
            match = load_match(path)
        else:
            make = _setup_maker(
                variant,
                players=players,
                overrides=overrides,
                against=against,
                seat=seat,
                target=target,
            )
            match = begin_match(path, make, seed=seed, overwrite=overwrite)
    if check:
        _tell_check(match, output_format)
        return
    table = match.table
    seen = len(table.rounds) if resume and table.is_over else table.rounds_seen
    dialogue = Dialogue(table, seen=seen, plain=plain, to_stderr=output_format == "json")
    dialogue.tell(_opening(match, dialogue.words, is_new=not resume))
    try:
        is_over = dialogue.sit(match.choose)
    except KeyboardInterrupt:
        stop_kept(KEPT, _how_to_go_on(match, has_file=file is not None or save is not None))
        raise
    finally:
        if transcript is not None and table.rounds:
            _write_transcript(match, transcript, quiet=quiet)
    if output_format == "json":
        sys.stdout.write(_json(match))
    if not is_over:
        say_wrapped(KEPT, _how_to_go_on(match, has_file=file is not None or save is not None))
    elif output_format == "text":
        _tell_result(match, dialogue)


def _check_asked(context: typer.Context, file: Path | None) -> None:
    """Return if the options go together.

    Raises:
        UsageError: they do not.
    """
    asked = {name for name in context.params if is_written(context, name)}
    if {"resume", "check"} <= asked:
        raise UsageError("--resume goes on, and --check looks at what is over: choose one")
    if not asked & {"resume", "check"}:
        if file is not None:
            raise UsageError(f"FILE goes with --resume or --check: --save {file} keeps a new match")
        return
    fixed = ("variant", "against", "players", "overrides", "seat", "target", "seed", "overwrite")
    for name in (*fixed, *(["save"] if file is not None else [])):
        if name in asked:
            option = "--set" if name == "overrides" else f"--{name}"
            raise UsageError(f"a kept match has all that it needs: leave out {option}")


def _setup_maker(
    variant: str,
    *,
    players: int | None,
    overrides: list[str],
    against: str,
    seat: int,
    target: int | None,
) -> Callable[[int], "Setup"]:
    """What is played, as a function of its seed.

    Raises:
        UsageError: a value that cannot be used.
    """
    from simdom.counts import check_whole
    from simdom.matches import find_target
    from simdom.playing.table import Setup
    from simdom.simulate import MOST_SEED
    from simdom.strategies import parse_strategies
    from simdom.variants import as_variant, parse_set

    loaded = as_variant(variant)
    rules = loaded.rules(players, parse_set(overrides))
    seat = check_whole("--seat", seat, 0, rules.players - 1)
    names = against.split(",")
    others = rules.players - 1
    if len(names) not in (1, others):
        raise UsageError(
            f"--against has {len(names)} strategies for {others} other "
            f"{'seat' if others == 1 else 'seats'}: give one for all, or one for each"
        )
    strategies = parse_strategies(names if len(names) == others else names * others, others)
    seats = (*strategies[:seat], None, *strategies[seat:])
    points = find_target(loaded, rules, target)

    def make(seed: int) -> Setup:
        seed = check_whole("--seed", seed, 0, MOST_SEED)
        return Setup(loaded.name, rules, seats, seed, target=points)

    return make


def _opening(match: "KeptMatch", words: "Words", *, is_new: bool) -> Iterator[str]:
    """What is said before anything is played."""
    yield from words.game()
    setup = match.table.setup
    if match.commitment is None:
        yield f"The seed is {setup.seed}, as you wished."
    elif not match.table.is_over:
        yield (
            "The tiles are fixed already: the seed that gives them, with a salt, has the SHA-256 "
            f"{match.commitment}. Both are told at the end."
        )
    if is_new:
        yield "? is help, q leaves the match and keeps it."
    elif match.table.rounds:
        yield f"Rounds over: {len(match.table.rounds)}. Score: {words.score(match.table.score)}"


def _how_to_go_on(match: "KeptMatch", *, has_file: bool) -> str:
    where = f" {shlex.quote(str(match.path))}" if has_file else ""
    return f"simdom play --resume{where}"


def tell_note(text: str, *, quiet: bool) -> None:
    """As `simdom.cli.progress.note`, at the width of the terminal."""
    if not quiet:
        say_wrapped(text)


def stop_kept(text: str, command: str = "") -> None:
    """Say after Ctrl-C what is kept, and the command that goes on."""
    from simdom.cli.progress import interrupts

    say_wrapped(f"simdom: interrupted. {text}", command)
    interrupts.told = True


def _write_transcript(match: "KeptMatch", path: Path, *, quiet: bool) -> None:
    from simdom.files import write_file
    from simdom.transcripts.writing import write_transcript

    write_file(path, write_transcript(match.table.transcript()).encode())
    tell_note(f"Written down in {path}.", quiet=quiet)


def _tell_result(match: "KeptMatch", dialogue: "Dialogue") -> None:
    from simdom.cli.sheets import Sheet, print_sheets

    dialogue.tell([""])
    result = dialogue.words.result(match.table)
    columns, rows = dialogue.words.rounds(match.table)
    if dialogue.has_room(columns, rows):
        print_sheets([Sheet(result, "", columns, rows, [])], "table")
    else:
        dialogue.tell([result], heading=True)
        dialogue.tell(["", *(_in_a_line(columns, row) for row in rows)])
    told, command = _reveal(match)
    dialogue.tell(["", told])
    sys.stdout.write(command)


def _in_a_line(columns: Sequence[str], row: Sequence[str]) -> str:
    """A row where there is no room for a table."""
    cells = (f"{column} {cell}" for column, cell in zip(columns, row, strict=True))
    return "; ".join(cells)


def _reveal(match: "KeptMatch") -> tuple[str, str]:
    """The seed, and the line for a shell that shows that it is the one that was meant."""
    seed = match.table.setup.seed
    if match.salt is None:
        return f"The seed was {seed}.", ""
    told = f"The seed was {seed}, the salt {match.salt}. To check the computer's word:"
    # On one line, however long, so that it can be pasted.
    return told, f"printf 'simdom play {seed} {match.salt}' | sha256sum\n"


def _json(match: "KeptMatch") -> str:
    from simdom.formats import json_text
    from simdom.playing.match_file import match_to_dict

    return json_text(match_to_dict(match))


def _tell_check(match: "KeptMatch", output_format: str) -> None:
    """Say of a match that was just replayed what it came to.

    Raises:
        UsageError: it is not over.
    """
    from simdom.cli.table_words import Words, counted

    if not match.table.is_over:
        raise UsageError(f"{match.path}: the match is not over, and its seed is not told before")
    if output_format == "json":
        sys.stdout.write(_json(match))
        return
    table = match.table
    result = Words(table.setup, glyphs=False).result(table)
    told, command = _reveal(match)
    sys.stdout.write(
        f"{counted(len(table.answers), 'choice')} and {counted(len(table.rounds), 'round')}, "
        f"replayed: {result}\n"
        f"{told}\n{command}"
    )
    if match.commitment is not None:
        sys.stdout.write(f"It must print {match.commitment}, as before the first round.\n")
