"""The command line: every command is a few lines that call one function of the library.

Only the result goes to standard output. Progress, notes and errors go to standard error. An error
is one line; its exit code is 2 for what was asked wrongly, 1 for what failed, 130 for Ctrl-C.
"""

import os
import re
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from simdom._version import __version__
from simdom.cli.advise import advise
from simdom.cli.bench import bench
from simdom.cli.calibrate import calibrate
from simdom.cli.compare import compare
from simdom.cli.daily import daily
from simdom.cli.duel import duel
from simdom.cli.effects import effects
from simdom.cli.ladder import ladder
from simdom.cli.match import match
from simdom.cli.metrics import metrics
from simdom.cli.odds import odds
from simdom.cli.play import play
from simdom.cli.progress import heed_interrupts, interrupts
from simdom.cli.referee import referee
from simdom.cli.reproduce import reproduce
from simdom.cli.results import results
from simdom.cli.resume import resume
from simdom.cli.run import run
from simdom.cli.show import show
from simdom.cli.streams import abandon, output_failure, prepare_streams, say
from simdom.cli.sweep import sweep
from simdom.cli.variants import strategies, variants
from simdom.errors import SimdomError, check_choice

__all__ = ["app", "main"]

INTERRUPTED = 130
_EXTRA = re.compile(r"got unexpected extra argument\S* \((.+)\)", re.IGNORECASE)


class _Commands(TyperGroup):
    """The commands by name; a misspelt one is answered like every other misspelt name."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 -- typer's own
        if not args[0].startswith("-"):
            check_choice("command", args[0], self.commands)
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Commands,
    context_settings={"max_content_width": 100},
    add_completion=False,
    invoke_without_command=True,
    # Plain text: loading rich would double the time that --help takes.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
_COMMANDS = (
    run,
    match,
    show,
    referee,
    compare,
    effects,
    sweep,
    reproduce,
    resume,
    duel,
    ladder,
    calibrate,
    odds,
    play,
    daily,
    advise,
    variants,
    strategies,
    metrics,
    bench,
)
for command in _COMMANDS:
    app.command()(command)
app.add_typer(results, name="results")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"simdom {__version__}")
        raise typer.Exit


@app.callback(epilog="Errors are one line; SIMDOM_DEBUG=1 adds where they come from.")
def _simdom(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 -- its callback has printed it
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Dominoes by the million: what each rule changes, and how sure that is.

    \b
    Begin with one of these:
      simdom run --variant pagat-draw -n 1e7
      simdom run --variant pagat-block --set block_score=others --strategy normal
      simdom run --until blocked_rate=0.0005 --out out/draw
      simdom resume out/draw
      simdom match --variant pagat-block --target 100
      simdom compare pagat-draw pagat-draw:reserve=0
      simdom effects --variant pagat-draw
      simdom sweep --variant pagat-block --grid deal=5,6,7 --grid players=2,3,4
      simdom reproduce
      simdom variants pagat-draw
    """  # noqa: D301 -- \b keeps lines as they are in --help
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave Python with its exit code."""
    prepare_streams()
    heed_interrupts()
    sys.exit(_exit_code(arguments))


def _exit_code(arguments: Sequence[str] | None) -> int:
    try:
        code = app(args=arguments, prog_name="simdom", standalone_mode=False)
        sys.stdout.flush()
    except KeyboardInterrupt:  # else typer has made an exit code of it
        code = INTERRUPTED
    except BrokenPipeError:  # whoever read the output has left, as `head` does
        abandon(sys.stdout)
        return 1
    except Exception as error:  # noqa: BLE001 -- the last resort: a line instead of a traceback
        failure = _explain(error)
        if failure is not None:
            return _report(*failure)
        code = INTERRUPTED
    if code == INTERRUPTED and not interrupts.told:
        return _report("interrupted", INTERRUPTED)
    return code if isinstance(code, int) else 0


def _explain(error: Exception) -> tuple[str, int] | None:
    """What went wrong, in a line, and the exit code; None if Ctrl-C did."""
    if isinstance(error, SimdomError):
        return str(error), error.exit_code
    if isinstance(error, typer.TyperException):
        return _usage_line(error), error.exit_code
    failure = output_failure(error)
    if failure is not None:
        abandon(sys.stdout)
        return failure, 1
    if interrupts.seen:  # an import was interrupted, and failed for what it then lacked
        return None
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"unexpected {what} (SIMDOM_DEBUG=1 shows where)", 1


def _report(line: str, exit_code: int) -> int:
    if os.environ.get("SIMDOM_DEBUG", "0") not in ("", "0") and sys.exc_info()[0] is not None:
        say(traceback.format_exc().rstrip())
    # What a user wrote may be in it, and must neither break the line nor command the terminal.
    plain = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
    say(f"simdom: {plain}")
    return exit_code


def _usage_line(error: typer.TyperException) -> str:
    """What typer found wrong, in one line, with the nearest spelling of an unknown option."""
    command = getattr(getattr(error, "ctx", None), "command", None)
    option = getattr(error, "option_name", None)
    if command is not None and option is not None:
        names = [
            name
            for parameter in command.params
            for name in parameter.opts
            if name.startswith("-")  # else it is an argument's
        ]
        try:
            check_choice("option", option, [*names, "--help"])
        except SimdomError as unknown:
            return str(unknown)
    message = " ".join(error.format_message().split()).rstrip(".")
    extra = _EXTRA.fullmatch(message)
    if extra is not None:
        word = extra[1].split()[0]
        meant = _option_for(word)
        return f"unexpected argument {word!r}" + (f": did you mean {meant}?" if meant else "")
    return message[:1].lower() + message[1:]


def _option_for(word: str) -> str | None:
    """The option that takes such a word, where there is one."""
    from simdom.counts import parse_count
    from simdom.strategies import strategy_names
    from simdom.variants import variant_names

    if word in variant_names() or word.endswith(".toml"):
        return f"--variant {word}"
    if set(word.split(",")) <= set(strategy_names()):
        return f"--strategy {word}"
    if "=" in word:
        return f"--set {word}"
    try:
        parse_count(word)
    except SimdomError:
        return None
    return f"-n {word}"
