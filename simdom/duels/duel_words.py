"""A duel as people read it: sentences, a table, HTML and the parts of a picture."""

import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from simdom.duels.seating import A, B, names_at
from simdom.duels.words import SURE, describe_strangers, direction_of, parts_of, signed, text_of
from simdom.formats import format_confidence, html_command, html_row, html_table
from simdom.plots.duel import DuelPlot, Spread
from simdom.strategies import Strategy

if TYPE_CHECKING:
    from simdom.duels.duel_result import Duel

__all__ = [
    "DuelLine",
    "describe_play",
    "how_to_read",
    "lines_of",
    "plain_text",
    "plot_of",
    "tell",
    "to_html",
    "verdict_on",
]

_FEW_SEATINGS = 2  # that are written out by the strategies' names


class DuelLine(NamedTuple):
    """One row of a table: its group, what it is, the figure, and how sure it is."""

    group: str
    label: str
    value: str
    interval: str


def verdict_on(duel: "Duel") -> str:
    """Who is better, as far as the intervals settle it."""
    a, b = duel.names
    points, wins = direction_of(duel.points_per_round), direction_of(duel.win_edge)
    if points < 0 or (not points and wins < 0):
        a, b, points, wins = b, a, -points, -wins
    if points and wins >= 0:
        return f"{a} beats {b}"
    if points:
        return f"{a} scores more than {b}, although it wins fewer rounds"
    if wins:
        return f"{a} wins more rounds than {b}, but whether it scores more is not settled"
    if duel.points_per_round.sd == 0 == duel.win_edge.sd:
        return f"{a} and {b} are level in every deal"
    return f"between {a} and {b} nothing is settled"


def tell(duel: "Duel") -> str:
    """Who is better, by how much, and how much of it is luck."""
    won, lost = text_of(parts_of(duel.win_rate, "rate")), parts_of(duel.loss_rate, "rate")[0]
    points = text_of(signed(duel.points_per_round, "mean"))
    luck, skill = (text_of(parts_of(each, "rate")) for each in (duel.luck_share, duel.skill_share))
    deal = "the deal and the lots explain" if _is_by_lot(duel) else "the deal alone explains"
    return (
        f"{duel.verdict}: {won} of rounds to {lost}, {points} points a round; "
        f"{deal} {luck} of how the points of a round vary, the difference in play {skill}"
    )


def describe_play(duel: "Duel") -> list[str]:
    """The rules, who sat where, and what strategies weigh that are no presets."""
    if len(duel.seatings) <= _FEW_SEATINGS:
        seated = "; then ".join(
            ", ".join(names_at(seating, duel.names)) for seating in duel.seatings
        )
    else:
        a, b = duel.names
        seated = f"{', '.join(duel.seatings)}, where {A} is {a} and {B} is {b}"
    return [
        f"{duel.asked_for.setting}.",
        f"Seats, from seat 0: {seated}.",
        *describe_strangers(duel.asked_for.details),
    ]


def how_to_read(duel: "Duel") -> list[str]:
    """How to read the figures."""
    a, b = duel.names
    notes = [
        "Both play every hand, so the luck of the deal cancels. Intervals go by whole deals.",
        "If both played alike, both would win equally often: they have the same seats in all.",
    ]
    if not math.isnan(duel.figures.pairing):
        worth = f"{round(duel.rounds * duel.figures.pairing):,}"
        notes.append(
            f"For the points, these {duel.rounds:,} rounds are as good as {worth} of deals played "
            "once each."
        )
    notes.append(
        "The deal (hands, boneyard, who leads): how far what a hand brings is the same whoever "
        f"plays it. The difference in play: what {a} rather than {b} changes on average. The "
        "rest: hands that suit one of them, and chance in the play."
    )
    if _is_by_lot(duel):
        notes.append(
            "Both draw lots to play, and draw the same where they come to the same choice: what "
            "that does counts to the deal."
        )
    lead = duel.rounds_to_lead
    if lead is not None:
        better = a if duel.points_per_round.estimate > 0 else b
        rounds, least, most = (f"{round(float(f'{each:.1e}')):,}" for each in lead)
        notes.append(
            f"In ordinary play, where each deal is played once, {better} leads in points after "
            f"about {rounds} rounds ({least} to {most}) with a chance of "
            f"{format_confidence(SURE)}."
        )
    return notes


def lines_of(duel: "Duel") -> list[DuelLine]:
    """The table."""
    a, b = duel.names
    wins, points, vary = "Rounds", "Points a round", "Why the points of a round vary"
    deal = "The deal and the lots" if _is_by_lot(duel) else "The deal"
    return [
        DuelLine(wins, f"Won by {a}", *parts_of(duel.win_rate, "rate")),
        DuelLine(wins, f"Won by {b}", *parts_of(duel.loss_rate, "rate")),
        DuelLine(wins, "Won by nobody", *parts_of(duel.tie_rate, "rate")),
        DuelLine(wins, f"{a} less {b}", *signed(duel.win_edge, "rate")),
        DuelLine(points, f"{a} less {b}", *signed(duel.points_per_round, "mean")),
        DuelLine(vary, deal, *parts_of(duel.luck_share, "rate")),
        DuelLine(vary, "The difference in play", *parts_of(duel.skill_share, "rate")),
        DuelLine(vary, "The rest", *parts_of(duel.rest_share, "rate")),
    ]


def plain_text(duel: "Duel") -> str:
    """The summary and the table."""
    text = [duel.summary(), ""]
    group = ""
    for line in duel.lines():
        if line.group != group:
            group = line.group
            text.append(group)
        text.append(f"  {line.label:<40}{line.value:>10}  {line.interval}".rstrip())
    return "\n".join([*text, "", *duel.reading, *duel.played, duel.command])


def to_html(duel: "Duel") -> str:
    """What was found and the table, for a notebook."""
    rows = [html_row(line) for line in duel.lines()]
    notes = [f"{duel.made}.", *duel.reading, *duel.played]
    return (
        html_table(f"{tell(duel)}.", ("", "", "", ""), rows)
        + "".join(f"<p>{escape(note)}</p>" for note in notes)
        + html_command(duel.command)
    )


def plot_of(duel: "Duel") -> DuelPlot:
    """The parts of its picture."""
    a, b = duel.names
    shares = (duel.luck_share, duel.skill_share, duel.rest_share)
    labels = [line.label for line in duel.lines()[-len(shares) :]]
    return DuelPlot(
        title=duel.verdict,
        xlabel=f"points of {a} less points of {b}",
        spreads=[
            Spread("single rounds", duel.of_rounds),
            Spread(f"mean of the {len(duel.seatings)} rounds of a deal", duel.of_deals),
        ],
        mean=duel.points_per_round,
        shares=list(zip(labels, shares, strict=True)),
        small_print=(*duel.summary().split("\n"), " ".join(duel.played), duel.command),
    )


def _is_by_lot(duel: "Duel") -> bool:
    """Whether both draw lots to play, so that what the same lots do counts to the deal."""
    return all(map(_draws_lots, duel.asked_for.strategies))


def _draws_lots(strategy: Strategy) -> bool:
    """Whether it plays by lot as a rule, and not only where placements score the same."""
    if strategy.hook is not None:
        return False  # nobody knows what a function does
    return bool(strategy.temperature or "random" in strategy.weighted or not strategy.weighted)
