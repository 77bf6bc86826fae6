"""Ways to run the command line, and to look at what it says and leaves."""

import sys
from collections.abc import Callable

import typer
from typer.testing import CliRunner

SIMDOM = [sys.executable, "-m", "simdom"]
"""The command line in a process of its own."""


def in_process(command: Callable[..., None]) -> Callable[..., str]:
    """One command as a function of its arguments that returns its standard output."""
    app = typer.Typer(rich_markup_mode=None)
    app.command()(command)

    def call(*arguments, columns=80):
        result = CliRunner(env={"COLUMNS": str(columns)}).invoke(app, arguments)
        if result.exception:
            raise result.exception
        return result.stdout

    return call


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def one_line(error):
    """The text of an error that pytest caught."""
    text = str(error.value)
    assert "\n" not in text
    return text
