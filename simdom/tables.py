"""The result of a run for a person: on a terminal, or as Markdown."""

import itertools
import math
import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from simdom.errors import UsageError
from simdom.estimate import METRICS, format_parts
from simdom.results import Figure, Result
from simdom.rules import Rules, rules_to_dict
from simdom.variants import describe_value, load_variant, why_no_effect

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text

__all__ = ["RunTable", "result_to_markdown"]

_WIDE = 110  # columns from which the names of the metrics are shown too

Cell = tuple[str, str]
"""Text and its style."""

_IN_WORDS = {
    "opening": "Lead",
    "no_double": "No double",
    "boneyard": "Stuck seat",
    "block_score": "Block scores",
    "block_tie": "Block tied",
}


@dataclass(frozen=True)
class RunTable:
    """What was played, the figures with their intervals, the speed and how to repeat it.

    To be printed by a rich console, with or without colour, of 80 columns or more.

    Attributes:
        result: of any run.
        metrics: only these figures; None shows all that do not go without saying.

    Raises:
        UsageError: an unknown metric; the nearest spelling is offered. Raised when it is made.
    """

    result: Result
    metrics: Sequence[str] | None = None

    def __post_init__(self) -> None:
        self.result.figures_by_group(self.metrics)

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "Iterator[Text]":
        """Lines for the width that there is."""
        from rich.text import Text

        for cells in self._lines(options.max_width):
            line = Text.assemble(*cells, no_wrap=True, overflow="ignore")
            line.rstrip()  # nothing to trip over where the table is pasted
            yield line

    def _lines(self, width: int) -> Iterator[list[Cell]]:
        run = _describe_run(self.result)
        yield [(run.title, "bold")]
        yield from _setting_lines(run.settings, width)
        if run.warning:
            yield [(run.warning, "bold yellow")]
        yield []
        yield from _figure_lines(self.result, self.metrics, names=width >= _WIDE)
        yield []
        yield [(run.speed, "dim")]
        if self.result.command:
            yield [("To repeat it:", "dim")]
            yield from ([(line, "cyan")] for line in _command_lines(self.result.command, width))


def result_to_markdown(result: Result, metrics: Sequence[str] | None = None) -> str:
    """The same as Markdown.

    Args:
        result: of any run.
        metrics: only these figures; None shows all that do not go without saying.

    Raises:
        UsageError: an unknown metric; the nearest spelling is offered.
    """
    run = _describe_run(result)
    lines = [f"## {run.title}", "", *(f"- {name}: {text}" for name, text in run.settings), ""]
    if run.warning:
        lines += [f"**{run.warning}**", ""]
    lines.append(f"| | Estimate | {result.confidence_text} interval | sd |")
    lines.append("|---|---:|---|---:|")
    for group, figures in result.figures_by_group(metrics).items():
        lines.append(f"| **{group}** | | | |")
        for figure in figures:
            cells = (part.replace("|", "\\|") for part in (figure.label, *_cells(figure)))
            lines.append(f"| {' | '.join(cells)} |")
    lines += ["", run.speed]
    if result.command:
        lines += ["", "```sh", result.command, "```"]
    return "\n".join(lines) + "\n"


class _Run(NamedTuple):
    title: str
    settings: list[tuple[str, str]]
    warning: str
    speed: str


def _describe_run(result: Result) -> _Run:
    rules = result.rules
    settings = [("Set", _set_in_words(rules))]
    settings += [
        (heading, describe_value(toggle, getattr(rules, toggle)))
        for toggle, heading in _IN_WORDS.items()
        if why_no_effect(rules, toggle) is None
    ]
    if rules.misdeal:
        settings.append(("Misdeal", f"A hand with {rules.misdeal} or more doubles is thrown in."))
    if rules.double_blank_pips or rules.blank_pips:
        counted = f"0-0 counts {rules.double_blank_pips}, any other blank {rules.blank_pips}."
        settings.append(("Blanks", counted))
    title, changes = _against_preset(result)
    if changes:
        settings.append(("Changed", changes))
    many = len(set(result.strategies)) > 1
    settings.append(("Strategy", f"{result.play}, seat by seat" if many else result.play))
    settings.append(("Rounds", f"{result.rounds:,} from seed {result.seed}"))
    warning = (
        f"Interrupted: {result.rounds:,} of {result.asked:,} rounds were played."
        if result.asked is not None
        else ""
    )
    return _Run(title, settings, warning, _speed(result))


def _set_in_words(rules: Rules) -> str:
    left = f"boneyard of {rules.boneyard_size}" if rules.boneyard_size else "no boneyard"
    if rules.reserve and why_no_effect(rules, "reserve") is None:
        left += f", {rules.reserve} of them never drawn"
    return f"double-{rules.max_pip}; {rules.players} players, {rules.deal} tiles each; {left}"


def _against_preset(result: Result) -> tuple[str, str]:
    """The variant with its title, and which toggles were changed; only the name if unknown."""
    try:
        variant = load_variant(result.variant)
    except UsageError:  # a file of the user's, which may be gone by now
        return result.variant, ""
    played = result.rules
    provided = played.players in variant.players
    preset = rules_to_dict(variant.rules(played.players if provided else None))
    changes = [
        f"{name} {value} (was {preset[name]})"
        for name, value in rules_to_dict(played).items()
        if value != preset[name]
    ]
    return f"{variant.name}: {variant.title}", ", ".join(changes)


def _speed(result: Result) -> str:
    seconds = result.seconds
    spent = f"{seconds:.2g} s" if seconds < _ONLY_WHOLE_SECONDS else f"{seconds:,.0f} s"
    threads = f"{result.threads} thread{'s' if result.threads > 1 else ''}"
    rate = result.rounds_per_second
    each = "" if rate is None else f", {rate:,.0f} rounds a second"
    version = f"simdom {result.version}, rules version {result.rules_version}"
    return f"{spent} on {threads}{each}; {version}"


_ONLY_WHOLE_SECONDS = 10


def _cells(figure: Figure) -> tuple[str, str, str]:
    """Estimate, interval and spread, as text."""
    value, interval = format_parts(figure.estimate, METRICS[figure.metric].kind)
    sd = figure.estimate.sd
    return value, interval, "" if sd is None or math.isnan(sd) else _three_digits(sd)


def _three_digits(number: float) -> str:
    exponent = int(f"{number:.2e}".partition("e")[2])
    return f"{number:.{max(0, 2 - exponent)}f}"


def _setting_lines(settings: Sequence[tuple[str, str]], width: int) -> Iterator[list[Cell]]:
    room = max(len(name) for name, _ in settings) + 4
    for name, text in settings:
        first, *more = textwrap.wrap(text, max(width - room, 20), break_long_words=False)
        yield [(f"  {name}".ljust(room), "dim"), (first, "")]
        yield from ([(" " * room, ""), (line, "")] for line in more)


def _figure_lines(
    result: Result, metrics: Sequence[str] | None, *, names: bool
) -> Iterator[list[Cell]]:
    groups = result.figures_by_group(metrics)
    head = ("", "estimate", f"{result.confidence_text} interval", "sd", "metric")
    rows = {
        group: [(f"  {figure.label}", *_cells(figure), _name(figure)) for figure in figures]
        for group, figures in groups.items()
    }
    all_rows = [head, *itertools.chain(*rows.values())]
    widths = [max(map(len, column)) for column in zip(*all_rows, strict=True)]

    def line(row: Sequence[str], styles: Sequence[str]) -> list[Cell]:
        label, value, interval, sd, name = (
            text.rjust(width) if column in _TO_THE_RIGHT else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        texts = (label, value, interval, sd, name if names else "")
        return [(f"{text}  ", style) for text, style in zip(texts, styles, strict=True)]

    yield line(head, ["dim"] * len(head))
    for number, (group, lines) in enumerate(rows.items()):
        if number:
            yield []
        yield [(group, "bold")]
        yield from (line(row, _STYLES) for row in lines)


_TO_THE_RIGHT = (1, 3)
_STYLES = ("", "bold", "", "dim", "dim")


def _name(figure: Figure) -> str:
    return figure.metric if figure.seat is None else f"{figure.metric}[{figure.seat}]"


def _command_lines(command: str, width: int) -> list[str]:
    """A command on as many lines as it needs, for a shell to read as one."""
    first, *more = _options(command)
    lines = [first]
    for part in more:
        if len(lines[-1]) + len(part) + len(" " + _CONTINUED) > width:
            lines[-1] += _CONTINUED
            lines.append(f"    {part}")
        else:
            lines[-1] += f" {part}"
    return lines


_CONTINUED = " \\"


def _options(command: str) -> list[str]:
    """A command cut before each of its options; whole if no shell would read it."""
    parts: list[str] = []
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    for word in words:
        quoted = shlex.quote(word)
        if parts and not word.startswith("-"):
            parts[-1] += f" {quoted}"
        else:
            parts.append(quoted)
    return parts or [command]
