"""The result of a run for a person: on a terminal, or as Markdown."""

import itertools
import math
import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from simdom.formats import format_rounds
from simdom.match_metrics import ALL_METRICS, tell_estimate
from simdom.results import Figure, Result
from simdom.rules import Rules
from simdom.variants import describe_value, why_no_effect

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text

__all__ = ["RunTable", "result_to_markdown"]

_WIDE = 110  # columns from which the names of the metrics are shown too

Cell = tuple[str, str]
"""Text and its style."""

_IN_WORDS = {
    "teams": "Teams",
    "opening": "Lead",
    "named_missing": "Not dealt",
    "no_double": "No double",
    "boneyard": "Stuck seat",
    "domino_score": "Domino scores",
    "block_winner": "Block won by",
    "block_score": "Block scores",
    "block_tie": "Block tied",
    "pip_steps": "Points",
    "capicua": "Capicúa",
    "later_lead": "Next lead",
    "tie_lead": "Lead after tie",
    "overshoot": "Past target",
    "others_points": "Others' points",
}
_IF_NOT_DEFAULT = frozenset(
    {
        *("teams", "named_missing", "domino_score", "pip_steps", "capicua"),
        *("tie_lead", "overshoot", "others_points"),
    }
)
"""Toggles that are told only where they say something out of the ordinary."""

_BONUSES = {
    "capicua_points": "for going out on both ends",
    "crossed_points": "for going out with a double on both ends",
    "double_out_points": "for going out with a double",
    "blank_out_points": "for going out with 0-0",
    "block_bonus": "for winning a block",
    "pass_round_points": "for playing again after all others passed",
}


@dataclass(frozen=True)
class RunTable:
    """What was played, the figures with their intervals, the speed and how to repeat it.

    To be printed by a rich console, with or without colour. It is made for 80 columns; with fewer,
    lines are broken and nothing is left out. A single metric is told in a few lines.

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
        result = self.result
        if self.metrics is not None and len(set(self.metrics)) == 1:
            yield from _short_lines(result, self.metrics[:1], width)
            return
        run = _describe_run(result)
        yield from _wrapped(run.title, "bold", width)
        yield from _setting_lines(run.settings, width)
        yield from _wrapped(run.warning, "bold yellow", width)
        yield []
        yield from _figure_lines(result, self.metrics, width)
        yield []
        caution = _caution(result, self.metrics)
        if caution:
            yield from _wrapped(caution, "bold", width)
            yield []
        yield from _wrapped(run.speed, "dim", width)
        yield from _wrapped(run.version, "dim", width)
        if result.command:
            yield [("To repeat it:", "dim")]
            yield from ([(line, "cyan")] for line in _command_lines(result.command, width))


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
    caution = _caution(result, metrics)
    if caution:
        lines += ["", caution]
    lines += ["", f"{run.speed}; {run.version}"]
    if result.command:
        lines += ["", "```sh", result.command, "```"]
    return "\n".join(lines) + "\n"


class _Run(NamedTuple):
    title: str
    settings: list[tuple[str, str]]
    warning: str
    speed: str
    version: str


def _describe_run(result: Result) -> _Run:
    rules = result.rules
    settings = [("Set", _set_in_words(rules))]
    settings += [
        (heading, _toggle_in_words(rules, toggle))
        for toggle, heading in _IN_WORDS.items()
        if why_no_effect(rules, toggle, matches=result.matches is not None) is None
        and not (toggle in _IF_NOT_DEFAULT and getattr(rules, toggle) == getattr(Rules(), toggle))
    ]
    bonuses = [
        f"{getattr(rules, toggle)} {what}"
        for toggle, what in _BONUSES.items()
        if getattr(rules, toggle) and why_no_effect(rules, toggle) is None
    ]
    if bonuses:
        settings.append(("Bonuses", f"{'; '.join(bonuses)}."))
    if rules.misdeal:
        settings.append(("Misdeal", f"A hand with {rules.misdeal} or more doubles is thrown in."))
    if rules.double_blank_pips or rules.blank_pips:
        counted = f"0-0 counts {rules.double_blank_pips}, any other blank {rules.blank_pips}."
        settings.append(("Blanks", counted))
    if result.matches is not None and rules.early_bonus:
        bonus = f"{rules.early_bonus} for the first round of a match"
        settings.append(("Early bonus", f"{bonus}, evenly less in the first {rules.early_rounds}."))
    changes = [f"{name} {value} (was {before})" for name, value, before in result.changes]
    if changes:
        settings.append(("Changed", ", ".join(changes)))
    settings.append(("Strategy", _strategies_in_words(result)))
    settings.append(_amount(result))
    if result.until:
        settings.append(("Precision", f"{result.precision_text}."))
    warning = ""
    if result.asked is not None:
        played, unit = _played(result)
        asked = format_rounds(result.asked, None, unit)
        about = "about " if result.until else ""
        warning = f"Ended early: {played:,} of {about}{asked} were played."
    version = f"simdom {result.version}, rules version {result.rules_version}"
    return _Run(result.heading, settings, warning, _speed(result), version)


def _toggle_in_words(rules: Rules, toggle: str) -> str:
    """What its value means, with the double or the points that another toggle names."""
    words = describe_value(toggle, getattr(rules, toggle))
    named = f"{rules.named_double}-{rules.named_double}"
    points = f"{rules.flat_points} point{'' if rules.flat_points == 1 else 's'}"
    return words.replace("the double that named_double names", named).replace(
        "The points that flat_points says", points
    )


def _amount(result: Result) -> tuple[str, str]:
    """What was played, how often, and from which seed."""
    begun = f", from number {result.first:,} on" if result.first else ""
    if result.matches is None:
        return "Rounds", f"{result.rounds:,} from seed {result.seed}{begun}"
    matches = f"{result.matches:,} to {result.target:,} from seed {result.seed}{begun}"
    return "Matches", f"{matches}; {format_rounds(result.rounds, None)} in all"


def _played(result: Result) -> tuple[int, str]:
    """How many rounds or matches were played, and which of the two."""
    return (result.rounds, "round") if result.matches is None else (result.matches, "match")


def _set_in_words(rules: Rules) -> str:
    left = f"boneyard of {rules.boneyard_size}" if rules.boneyard_size else "no boneyard"
    if rules.reserve and why_no_effect(rules, "reserve") is None:
        part = "" if rules.reserve == rules.boneyard_size else f" {rules.reserve} of them"
        left += f",{part} never drawn"
    each = f"{rules.deal} tile{'' if rules.deal == 1 else 's'} each"
    return f"double-{rules.max_pip}; {rules.players} players, {each}; {left}"


def _strategies_in_words(result: Result) -> str:
    """The strategies, with the content of those that cannot be looked up by their names."""
    own = [f"{name}: {content}" for name, content in result.own_strategies.items()]
    if result.mixed:
        return "; ".join([f"{result.play}, seat by seat", *own])
    return own[0] if own else result.play


def _caution(result: Result, metrics: Sequence[str] | None) -> str:
    """What to beware of, where seats are shown that may be compared."""
    return result.caution if _BY_SEAT in result.figures_by_group(metrics) else ""


_BY_SEAT = ALL_METRICS["table_seat_win_rate"].group


def _speed(result: Result) -> str:
    seconds = result.seconds
    spent = f"{seconds:.2g} s" if seconds < _ONLY_WHOLE_SECONDS else f"{seconds:,.0f} s"
    threads = f"{result.threads} thread{'s' if result.threads > 1 else ''}"
    rate = result.rounds_per_second
    each = "" if rate is None else f", {rate:,.0f} rounds a second"
    return f"{spent} on {threads}{each}"


_ONLY_WHOLE_SECONDS = 10


def _cells(figure: Figure) -> tuple[str, str, str]:
    """Estimate, interval and spread, as text; the spread of a share means nothing by itself."""
    value, interval = tell_estimate(figure.metric, figure.estimate)
    sd = figure.estimate.sd if ALL_METRICS[figure.metric].kind == "mean" else None
    return value, interval, "" if sd is None or math.isnan(sd) else _three_digits(sd)


def _three_digits(number: float) -> str:
    exponent = int(f"{number:.2e}".partition("e")[2])
    return f"{number:.{max(0, 2 - exponent)}f}"


def _setting_lines(settings: Sequence[tuple[str, str]], width: int) -> Iterator[list[Cell]]:
    room = max(len(name) for name, _ in settings) + 4
    for name, text in settings:
        first, *more = textwrap.wrap(text, max(width - room, 20))
        yield [(f"  {name}".ljust(room), "dim"), (first, "")]
        yield from ([(" " * room, ""), (line, "")] for line in more)


def _wrapped(text: str, style: str, width: int) -> Iterator[list[Cell]]:
    yield from ([(line, style)] for line in textwrap.wrap(text, width))


def _short_lines(result: Result, metrics: Sequence[str], width: int) -> Iterator[list[Cell]]:
    """What was run, one metric, and how to repeat it."""
    yield from _wrapped(result.identity, "", width)
    for figure in result.figures(metrics):
        value, interval = tell_estimate(figure.metric, figure.estimate)
        sure = f" {interval}, {result.confidence_text} interval" if interval else ""
        yield from _wrapped(f"{figure.label}: {value}{sure}", "bold", width)
    yield from _wrapped(_caution(result, metrics), "", width)
    if result.command:
        yield from ([(line, "cyan")] for line in _command_lines(result.command, width))


def _figure_lines(
    result: Result, metrics: Sequence[str] | None, width: int
) -> Iterator[list[Cell]]:
    groups = result.figures_by_group(metrics)
    rows = {
        group: [(f"  {figure.label}", *_cells(figure), _metric_name(figure)) for figure in figures]
        for group, figures in groups.items()
    }
    spread = any(row[_SD] for lines in rows.values() for row in lines)
    head = ("", "estimate", f"{result.confidence_text} interval", "sd" if spread else "", "metric")
    all_rows = [head, *itertools.chain(*rows.values())]
    widths = [max(map(len, column)) for column in zip(*all_rows, strict=True)]
    names = width >= _WIDE
    shown = [column for column, wide in enumerate(widths) if wide and (names or column != _NAME)]
    narrow = sum(widths[column] + 2 for column in shown) - 2 > width
    if narrow:
        widths[0] = 2  # the labels get lines of their own

    def line(row: Sequence[str], styles: Sequence[str]) -> list[Cell]:
        return [
            (f"{row[column].rjust(wide) if right else row[column].ljust(wide)}  ", styles[column])
            for column in shown
            for wide, right in [(widths[column], column in _TO_THE_RIGHT)]
        ]

    yield line(head, ["dim"] * len(head))
    for number, (group, lines) in enumerate(rows.items()):
        if number:
            yield []
        yield [(group, "bold")]
        for row in lines:
            if narrow:
                yield [(row[0], "")]
            yield line(("", *row[1:]) if narrow else row, _STYLES)


_SD, _NAME = 3, 4
_TO_THE_RIGHT = (1, _SD)
_STYLES = ("", "bold", "", "dim", "dim")


def _metric_name(figure: Figure) -> str:
    return figure.metric if figure.seat is None else f"{figure.metric}[{figure.seat}]"


def _command_lines(command: str, width: int) -> list[str]:
    """A command on as many lines as it needs, for a shell to read as one."""
    words, comment = _split_comment(command)
    first, *more = _options(words)
    lines = [first]
    for part in more:
        if len(lines[-1]) + len(part) + len(" " + _CONTINUED) > width:
            lines[-1] += _CONTINUED
            lines.append(f"    {part}")
        else:
            lines[-1] += f" {part}"
    return lines + textwrap.wrap(comment, width, subsequent_indent="# ")


_CONTINUED = " \\"


def _split_comment(command: str) -> tuple[str, str]:
    """A command and the comment behind it, such as that a strategy was made in Python."""
    words, mark, comment = command.rpartition(_COMMENT)
    try:
        shlex.split(words)
    except ValueError:  # a file's name looks like that
        return command, ""
    return (words, f"# {comment}") if mark else (command, "")


_COMMENT = "  # "


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
