"""Options that several commands share, each declared once, and how their text becomes a value."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from simdom.counts import parse_count
from simdom.errors import UsageError, check_choice

__all__ = [
    "FORMATS",
    "Confidence",
    "MatchMode",
    "Matches",
    "MetricNames",
    "OutputFormat",
    "Overrides",
    "Players",
    "PlotFile",
    "Quiet",
    "ResultFolder",
    "Rounds",
    "Seed",
    "StrategyNames",
    "Target",
    "Threads",
    "TurnNumber",
    "VariantName",
    "check_apart",
    "confidence_option",
    "count_option",
    "is_written",
    "parse_seconds",
    "plot_option",
    "seat_option",
    "whole_number",
    "with_metrics",
]

FORMATS = ("table", "json", "csv", "markdown")
"""What commands that give figures can print."""

LONGEST_SECONDS = 3600


def _count(value: str | int) -> int:
    """What was written, or the command's default, which is a number already."""
    return value if isinstance(value, int) else parse_count(value)


def whole_number(option: str) -> Callable[[str], int]:
    """A parser of whole numbers; what they may be is for the library to say."""

    def parse(text: str) -> int:
        try:
            return int(text)
        except ValueError:
            raise UsageError(f"{option} must be a whole number, not {text!r}") from None

    return parse


def _points(text: str) -> int:
    """The points of a target, as they or a count are written: 100, 1e3, 1,000."""
    try:
        return int(text)
    except ValueError:
        with suppress(UsageError):
            return parse_count(text)
    raise UsageError(f"--target must be a whole number, not {text!r}")


def _number(option: str) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise UsageError(f"{option} must be a number, not {text!r}") from None

    return parse


def parse_seconds(text: str) -> float:
    """A length of time.

    Raises:
        UsageError: it is not a number above 0 and up to 3600.
    """
    seconds = _number("--seconds")(text)
    if not 0 < seconds <= LONGEST_SECONDS:
        raise UsageError(f"--seconds must be above 0 and at most {LONGEST_SECONDS}, not {text}")
    return seconds


def _format(text: str) -> str:
    return check_choice("format", text, FORMATS)


def _plot_file(text: str) -> Path:
    from simdom.plots.style import check_plot_path

    check_plot_path(text)
    return Path(text)


def plot_option(help_text: str) -> Any:  # noqa: ANN401 -- typer names no type for it
    """An option for the file of a picture; one that cannot be drawn in is refused at once."""
    return typer.Option(metavar="FILE", parser=_plot_file, help=help_text)


def check_apart(plot: Path | None, out: Path | None) -> None:
    """Return if ``--plot`` does not lie in ``--out``, which appears whole or not at all.

    Raises:
        UsageError: it does.
    """
    if plot is None or out is None:
        return
    if out.resolve() in (plot.resolve(), *plot.resolve().parents):
        raise UsageError(
            f"--plot {plot} lies in --out {out}, which gets a plot of its own: name one"
        )


def with_metrics(command: str, metrics: Sequence[str]) -> str:
    """The command line that prints these metrics only, again."""
    return command + "".join(f" --metric {name}" for name in metrics)


def is_written(context: typer.Context, parameter: str) -> bool:
    """Whether an option was written, and has not just its default."""
    source = context.get_parameter_source(parameter)
    return source is not None and source.name != "DEFAULT"


def count_option(name: str, help_text: str) -> Any:  # noqa: ANN401 -- typer names no type for it
    """An option for a number of rounds or the like, written as people write it."""
    return typer.Option(name, metavar="N", parser=_count, help=help_text)


VariantName = Annotated[
    str,
    typer.Option(
        "--variant", "-v", metavar="NAME", help="A preset (see `simdom variants`) or a TOML file."
    ),
]
Rounds = Annotated[
    int,
    typer.Option(
        "--rounds",
        "-n",
        metavar="N",
        parser=_count,
        help="Rounds to play, such as 1e7, 10,000,000, 10M or 5k.",
    ),
]
Matches = Annotated[
    int,
    typer.Option(
        "--matches",
        "-n",
        metavar="N",
        parser=_count,
        help="Matches to play, such as 1e5, 100,000, 100k.",
    ),
]
Target = Annotated[
    int | None,
    typer.Option(
        metavar="POINTS",
        parser=_points,
        help="Points that win a match, 1 to 1,000,000; the variant's own unless given.",
    ),
]
MatchMode = Annotated[
    bool,
    typer.Option("--match", help="Play whole matches, and compare these; -n says how many."),
]
Overrides = Annotated[
    list[str],
    typer.Option(
        "--set",
        "-s",
        metavar="TOGGLE=VALUE",
        help="Change one toggle of the variant; may be repeated. "
        "`simdom variants NAME` lists them all.",
    ),
]
Players = Annotated[
    int | None,
    typer.Option(
        metavar="P",
        parser=whole_number("--players"),
        help="Seats at the table, with the deal that the variant has for them.",
    ),
]
StrategyNames = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME[,NAME...]",
        help="How all seats play, or one for each seat: a name (see `simdom strategies`) or a "
        "TOML file.",
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        metavar="S",
        parser=whole_number("--seed"),
        help="The same seed plays the same rounds, anywhere.",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        metavar="T",
        parser=whole_number("--threads"),
        help="Threads to play on, at most one for each core; all cores unless given. They never "
        "change a figure.",
    ),
]


def confidence_option(help_text: str) -> Any:  # noqa: ANN401 -- typer names no type for it
    """The option ``--confidence``, for a command in which it is that of something else."""
    return typer.Option(metavar="C", parser=_number("--confidence"), help=help_text)


def seat_option(name: str, help_text: str) -> Any:  # noqa: ANN401 -- as above
    """An option that takes a seat; which there are is for the library to say."""
    return typer.Option(metavar="SEAT", parser=whole_number(name), help=help_text)


Confidence = Annotated[float, confidence_option("Confidence of the intervals, such as 0.95.")]
TurnNumber = Annotated[
    int | None,
    typer.Option(
        "--turn",
        metavar="T",
        parser=whole_number("--turn"),
        help="Ask about this turn of the last round, from 1, not about the next one.",
    ),
]
OutputFormat = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="FORMAT",
        parser=_format,
        help="What to print: table, json, csv or markdown.",
    ),
]
ResultFolder = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Keep the run in this new folder: a checkpoint every few seconds, for `simdom "
        "resume`, and at the end result.json, metrics.csv, tally.json and the plot.",
    ),
]
PlotFile = Annotated[
    Path | None,
    plot_option("Also draw the blocked share and how points and plays are spread."),
]
MetricNames = Annotated[
    list[str],
    typer.Option(
        "--metric",
        "-m",
        metavar="NAME",
        help="Only this metric (see `simdom metrics`); may be repeated.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar and no notes.")]
