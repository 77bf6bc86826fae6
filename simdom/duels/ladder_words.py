"""A ladder as people read it: sentences, tables, HTML and the parts of a picture."""

import itertools
import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from simdom.duels.ladder_sums import Standing
from simdom.duels.ratings import ANCHOR
from simdom.duels.words import describe_strangers, direction_of, parts_of, signed, text_of
from simdom.errors import check_choice
from simdom.formats import html_command, html_row, html_table
from simdom.plots.ladder import LadderPlot

if TYPE_CHECKING:
    from simdom.duels.ladder_result import Ladder
    from simdom.estimate import Kind

__all__ = [
    "CROSSTABLES",
    "RATINGS_HEAD",
    "SHOWN",
    "Crosstable",
    "crosstable_of",
    "describe_play",
    "how_to_read",
    "lines_of",
    "plain_text",
    "plot_of",
    "tell",
    "to_html",
]

_HEADINGS = {
    "points_per_round": "Points a round of row less those of column",
    "score": "Score of row against column (%)",
    "win_rate": "Rounds won by row against column (%)",
    "loss_rate": "Rounds won by column against row (%)",
    "tie_rate": "Rounds won by neither (%)",
}
CROSSTABLES = tuple(_HEADINGS)
"""Figures of a meeting that fill a crosstable."""

SHOWN = CROSSTABLES[:2]
"""Those that are shown unless asked otherwise."""

RATINGS_HEAD = ("", "rating", "ahead of the next", "score", "points a round")
"""What stands above `lines_of`."""

_SELF = "·"
_WIDTHS = (18, 16, 18, 16, 16)  # characters, of `lines_of` in plain text
_NAME, _CELL = 18, 8  # characters, of a crosstable in plain text
_MOST_DECIMALS = 3


class Crosstable(NamedTuple):
    """One figure of every pair, row against column.

    Attributes:
        heading: what the figure is.
        rows: by strategy, the best first, its figures against each in the same order.
        within: what the widest interval has on either side; empty if there is none.
    """

    heading: str
    rows: dict[str, list[str]]
    within: str

    @property
    def caption(self) -> str:
        """The heading, and how sure the figures are."""
        return f"{self.heading}, each {self.within} at most" if self.within else self.heading


def tell(ladder: "Ladder") -> str:
    """Who leads, and who is not settled to be ahead of the next."""
    first, *_, last = ladder.standings
    leads, is_last = f"{first.strategy} leads", f"{last.strategy} is last"
    if ladder.is_rated:
        leads, is_last = (
            f"{told} with {_rating_text(ladder, standing)}"
            for told, standing in ((leads, first), (is_last, last))
        )
    unsettled = [
        f"{one.strategy} and {other.strategy}"
        for one, other in itertools.pairwise(ladder.standings)
        if one.lead is not None and direction_of(one.lead) <= 0
    ]
    settled = (
        f"not settled which wins more: {'; '.join(unsettled)}"
        if unsettled
        else "each is settled to win more than the next"
    )
    return f"{leads}, {is_last}; {settled}"


def describe_play(ladder: "Ladder") -> list[str]:
    """The rules, who sat where, and what strategies weigh that are no presets."""
    return [
        f"{ladder.asked_for.setting}.",
        f"Seats of a pair: {', '.join(ladder.seatings)}.",
        *describe_strangers(ladder.asked_for.details),
    ]


def how_to_read(ladder: "Ladder") -> list[str]:
    """How to read the tables."""
    fixed = "the mean is" if ladder.anchor is None else f"{ladder.anchor} is"
    notes = [
        "All pairs play the same deals, and both of a pair play every hand.",
        "Intervals go by whole deals; those of ratings know that all pairs share them.",
        "A score is the share of rounds won; a round that nobody wins is half won.",
        (
            f"Ratings: Bradley–Terry on Elo's scale; {fixed} {ANCHOR:g}. A lead of 100 foresees a "
            "score of 64%, one of 10 a score of 51.4%. They go by rounds won, not by points."
        ),
    ]
    if ladder.is_rated:
        one, other = ladder.worst
        meeting = ladder.meetings[one, other]
        notes.append(
            "How well one number a strategy fits: furthest from what the ratings foresee is "
            f"{one} against {other}, {text_of(parts_of(meeting.score, 'rate'))} for "
            f"{100 * meeting.expected:.1f}%."
        )
    else:
        notes.append(
            "No finite ratings fit: some have won, or lost, every round against all others. Play "
            "more deals."
        )
    return notes


def lines_of(ladder: "Ladder") -> list[tuple[str, str, str, str, str]]:
    """The ratings: strategy, rating, lead over the next, score, points a round."""
    return [
        (
            f"{place} {standing.strategy}",
            _rating_text(ladder, standing),
            "" if standing.lead is None else text_of(signed(standing.lead, "mean")),
            text_of(parts_of(standing.score, "rate")),
            text_of(signed(standing.points_per_round, "mean")),
        )
        for place, standing in enumerate(ladder.standings, 1)
    ]


def _rating_text(ladder: "Ladder", standing: Standing) -> str:
    if standing.strategy == ladder.anchor and ladder.is_rated:
        return f"{ANCHOR:g} (fixed)"
    return text_of(parts_of(standing.rating, "mean"))


def crosstable_of(ladder: "Ladder", metric: str) -> Crosstable:
    """One figure of every pair, row against column.

    Raises:
        UsageError: ``metric`` is none of `CROSSTABLES`; the nearest spelling is offered.
    """
    check_choice("figure of a pair", metric, CROSSTABLES)
    kind: Kind = "mean" if metric == "points_per_round" else "rate"
    scale, unit = (100, "%") if kind == "rate" else (1, "")
    figures = {pair: getattr(each, metric) for pair, each in ladder.meetings.items()}
    widest = scale * max(max(f.high - f.estimate, f.estimate - f.low) for f in figures.values())
    # A step of the last digit is at most half of that: the whole table is to fit a terminal.
    places = 1 if math.isnan(widest) else math.ceil(-math.log10((widest or 1) / 2))
    places = min(max(places, 0), _MOST_DECIMALS)

    def cell(one: str, other: str) -> str:
        if one == other:
            return _SELF
        value = scale * figures[one, other].estimate
        text = f"{value:{'+' if kind == 'mean' else ''}.{places}f}"
        return text if float(text) else text.lstrip("+-")

    names = ladder.strategies
    return Crosstable(
        heading=_HEADINGS[metric],
        rows={one: [cell(one, other) for other in names] for one in names},
        within="" if math.isnan(widest) else f"± {float(f'{widest:.2g}'):g}{unit}",
    )


def plain_text(ladder: "Ladder") -> str:
    """The summary, the ratings and the crosstables."""
    text = [ladder.summary(), ""]
    for cells in (RATINGS_HEAD, *ladder.lines()):
        padded = (f"{cell:<{width}}" for cell, width in zip(cells, _WIDTHS, strict=True))
        text.append("".join(padded).rstrip())
    for metric in SHOWN:
        table = ladder.crosstable(metric)
        text += ["", table.caption]
        for place, (name, figures) in enumerate(table.rows.items(), 1):
            label = f"{place} {name}"
            text.append(f"{label:<{_NAME}}{''.join(f'{figure:>{_CELL}}' for figure in figures)}")
    return "\n".join([*text, "", *ladder.reading, *ladder.played, ladder.command])


def to_html(ladder: "Ladder") -> str:
    """What was found, the ratings and the crosstables, for a notebook."""
    parts = [html_table(f"{tell(ladder)}.", RATINGS_HEAD, map(html_row, ladder.lines()))]
    for metric in SHOWN:
        table = ladder.crosstable(metric)
        rows = [html_row([name, *cells]) for name, cells in table.rows.items()]
        parts.append(html_table(table.caption, ["", *table.rows], rows))
    notes = [f"{ladder.made}.", *ladder.reading, *ladder.played]
    parts += [f"<p>{escape(note)}</p>" for note in notes]
    return "".join([*parts, html_command(ladder.command)])


def plot_of(ladder: "Ladder") -> LadderPlot:
    """The parts of its picture."""
    table = ladder.crosstable()
    fixed = "mean" if ladder.anchor is None else ladder.anchor
    names = ladder.strategies
    return LadderPlot(
        title=f"The ladder of {ladder.asked_for.variant.name}",
        names=names,
        ratings=[standing.rating for standing in ladder.standings],
        rating_label=f"rating, {fixed} = {ANCHOR:g}",
        anchor=ANCHOR,
        table_title=table.caption,
        values=[
            [
                math.nan if one == other else ladder.meetings[one, other].points_per_round.estimate
                for other in names
            ]
            for one in names
        ],
        texts=list(table.rows.values()),
        small_print=(*ladder.summary().split("\n"), " ".join(ladder.played), ladder.command),
    )
