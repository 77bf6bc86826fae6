"""A comparison as people read it: sentences, tables, HTML and the rows of a picture."""

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from simdom.estimate import format_estimate
from simdom.formats import html_command, html_row, html_table
from simdom.match_metrics import ALL_METRICS, tell_estimate
from simdom.pairing.contenders import SEPARATOR
from simdom.pairing.differences import (
    Key,
    Line,
    at_seat,
    difference_text,
    pairing_text,
    reading_order,
)
from simdom.pairing.differences import tell_difference as difference_parts
from simdom.pairing.sums import PairedEstimate
from simdom.plots.differences import PERCENTAGE_POINTS, DifferencePlot, DifferenceRow

if TYPE_CHECKING:
    from simdom.pairing.comparison import Comparison

__all__ = [
    "html_of",
    "list_changes",
    "list_lines",
    "plot_of",
    "summary_of",
    "tell_difference",
    "tell_worth",
    "text_of",
]

_TITLE = 74  # characters of a line above a picture

CHANGE_LABELS = {
    "winner_changed_rate": "The winner changes",
    "points_changed_rate": "The points change",
    "blocked_changed_rate": "Blocked in one only",
    "match_winner_changed_rate": "The winner changes",
    "rounds_changed_rate": "The number of rounds changes",
}


class _Main(NamedTuple):
    """What is said of a comparison in a sentence or two.

    Attributes:
        first: a metric, what is said before its difference, and
        second: another.
        mean: of tables of one size, the same.
        winner: the change that is the winner's.
        worth: the metric that says what pairing was worth, and its name in words.
    """

    first: tuple[str, str]
    second: tuple[str, str]
    mean: tuple[str, str]
    winner: str
    worth: tuple[str, str]


_OF_ROUNDS = _Main(
    ("Rounds blocked", "blocked_rate"),
    ("won by the opener", "opener_win_rate"),
    ("points a round", "points"),
    "winner_changed_rate",
    ("the blocked share", "blocked_rate"),
)
_OF_MATCHES = _Main(
    ("Matches won by the first opener", "match_win_rate_first_opener"),
    ("points from blocked rounds", "blocked_points_share"),
    ("rounds a match", "rounds_per_match"),
    "match_winner_changed_rate",
    ("who wins", "match_win_rate_first_opener"),
)


def _main(comparison: "Comparison") -> _Main:
    return _OF_MATCHES if comparison.of_matches else _OF_ROUNDS


def tell_difference(comparison: "Comparison", index: int) -> str:
    """What contender number ``index`` changes of the first, in a sentence or two."""
    versus = comparison.differences[index - 1]
    main = _main(comparison)
    first, second = (
        f"{words}: {difference_text(versus.metrics, name)}"
        for words, name in (main.first, main.second)
    )
    told = f"{first}; {second}"
    if versus.rates_only:
        this, other = (comparison.contenders[number].rules.players for number in (index, 0))
        return (
            f"{told}. Only rates are compared, for {this} players and {other} have neither "
            "the same seats nor the same points to win."
        )
    words, name = main.mean
    told += f"; {words}: {difference_text(versus.metrics, name)}"
    winner = versus.changes[main.winner]
    if winner is None:
        return f"{told}."
    unit = "matches" if comparison.of_matches else "rounds"
    return f"{told}; another winner: {format_estimate(winner, 'rate')} of {unit}."


def tell_worth(comparison: "Comparison", index: int) -> str:
    """How many independent trials pairing was worth to contender ``index``, in a sentence."""
    words, name = _main(comparison).worth
    found = comparison.differences[index - 1].metrics.get(name)
    if not isinstance(found, PairedEstimate) or math.isnan(found.pairing):
        return ""
    unit = "matches" if comparison.of_matches else "rounds"
    return (
        f"Pairing: for {words}, these {comparison.rounds:,} paired {unit} are as good as "
        f"{round(comparison.rounds * found.pairing):,} independent {unit} of each "
        f"(×{found.pairing:.3g})."
    )


def summary_of(comparison: "Comparison") -> str:
    """What was compared, and one sentence for each contender after the first."""
    sentences = [_sentence(comparison, index) for index in _others(comparison)]
    return "\n".join([f"{comparison.made}.", *sentences])


def _others(comparison: "Comparison") -> range:
    return range(1, len(comparison.contenders))


def _heading(comparison: "Comparison", index: int) -> str:
    return f"{comparison.names[index]} against {comparison.names[0]}"


def _sentence(comparison: "Comparison", index: int) -> str:
    return f"{_heading(comparison, index)}: {tell_difference(comparison, index)}"


def list_lines(
    comparison: "Comparison", index: int, metrics: Sequence[str] | None = None
) -> list[Line]:
    """The table of contender number ``index`` against the first, see `Comparison.lines`."""
    results = [comparison.results[number] for number in (0, index)]
    lines = []
    for (name, seat), label in _labels(comparison, index, metrics).items():
        difference = at_seat(comparison.differences[index - 1].metrics[name], seat)
        first, other = (tell_estimate(name, each.estimate(name, seat))[0] for each in results)
        told = difference_parts(name, difference)
        pairing = pairing_text(difference)
        lines.append(Line(ALL_METRICS[name].group, label, first, other, *told, pairing))
    return lines


def _labels(comparison: "Comparison", index: int, metrics: Sequence[str] | None) -> dict[Key, str]:
    """The labels of the metrics that a person wants to see, in the order of their groups."""
    results = [comparison.results[number] for number in (0, index)]
    labels = {(figure.metric, figure.seat): figure.label for figure in results[0].figures(metrics)}
    if not _play_alike(comparison):
        # What stands behind a comma is the strategy of a seat.
        for key in labels:
            if ALL_METRICS[key[0]].per_seat:
                labels[key] = labels[key].partition(",")[0]
    wanted = {
        (figure.metric, figure.seat)
        for result in results
        for figures in result.figures_by_group(metrics).values()
        for figure in figures
        if figure.metric in comparison.differences[index - 1].metrics
    }
    return {key: labels[key] for key in sorted(wanted, key=reading_order)}


def _play_alike(comparison: "Comparison") -> bool:
    """Whether seats that are compared have the same strategies throughout."""
    first, *others = comparison.contenders
    return all(
        other.strategies == first.strategies
        for other in others
        if other.rules.players == first.rules.players
    )


def list_changes(comparison: "Comparison", index: int) -> list[tuple[str, str]]:
    """Shares of trials that go otherwise for contender ``index``: what, and how many."""
    return [
        (CHANGE_LABELS[name], format_estimate(share, "rate"))
        for name, share in comparison.differences[index - 1].changes.items()
        if share is not None
    ]


def text_of(comparison: "Comparison") -> str:
    """The summary and a plain table for each contender after the first."""
    text = [summary_of(comparison)]
    for index in _others(comparison):
        text += ["", _heading(comparison, index)]
        text += [
            f"  {line.label:<34}{line.first:>10}{line.other:>10}  "
            f"{line.difference} {line.interval}".rstrip()
            for line in list_lines(comparison, index)
        ]
        text += [f"  {label:<34}{share}" for label, share in list_changes(comparison, index)]
    return "\n".join([*text, "", *comparison.played, comparison.command])


def html_of(comparison: "Comparison") -> str:
    """The summary and the tables, for a notebook."""
    parts = [f"<p>{escape(comparison.made)}.</p>"]
    for index in _others(comparison):
        heads = ("", comparison.names[0], comparison.names[index], "difference", "", "pairing")
        rows = [html_row(line[1:]) for line in list_lines(comparison, index)]
        rows += [
            html_row((label, "", "", share, "", ""))
            for label, share in list_changes(comparison, index)
        ]
        parts.append(html_table(_sentence(comparison, index), heads, rows))
    parts += [f"<p>{'<br>'.join(map(escape, comparison.played))}</p>"]
    return "".join([*parts, html_command(comparison.command)])


def plot_of(comparison: "Comparison", metrics: Sequence[str] | None = None) -> DifferencePlot:
    """The rows of a picture, see `Comparison.to_plot`."""
    labels: dict[Key, str] = {}
    for index in _others(comparison):
        labels |= _labels(comparison, index, metrics)
    rows: dict[Key, DifferenceRow] = {}
    for key in sorted(labels, key=reading_order):
        name, seat = key
        label = labels[key]
        if ALL_METRICS[name].group.startswith("Who wins"):
            label = f"Won by {label[:1].lower()}{label[1:]}"
        found = [
            at_seat(versus.metrics[name], seat) if name in versus.metrics else None
            for versus in comparison.differences
        ]
        rows[key] = DifferenceRow(label, found)
    unchanged = [key for key, row in rows.items() if row.is_unchanged] if metrics is None else []
    small_print = [comparison.made, " ".join(comparison.played), comparison.command]
    if 0 < len(unchanged) < len(rows):
        told = ", ".join(rows.pop(key).label.lower() for key in unchanged)
        small_print.insert(0, f"Unchanged in every {comparison.unit}, and so not drawn: {told}.")
    panels: dict[str, list[DifferenceRow]] = {}
    for (name, _), row in rows.items():
        metric = ALL_METRICS[name]
        unit = metric.unit if metric.kind == "mean" else PERCENTAGE_POINTS
        panels.setdefault(unit, []).append(row)
    return DifferencePlot(
        title=_title(*comparison.names),
        names=comparison.names[1:],
        panels=panels,
        small_print=small_print,
    )


def _title(first: str, *others: str) -> str:
    """All names if they fit into one line, without the first's before what is changed of it."""
    if not others[1:]:
        return f"{others[0]} against {first}"
    *names, last = (other.removeprefix(first + SEPARATOR) for other in others)
    title = f"{', '.join(names)} and {last} against {first}"
    return title if len(title) <= _TITLE else f"Others against {first}"
