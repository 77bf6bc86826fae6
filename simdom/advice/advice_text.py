"""Advice as a person reads it: tables and notes, in plain text or HTML."""

from collections.abc import Iterator, Sequence

from simdom.advice.advice import Advice
from simdom.advice.knowing import LAW
from simdom.advice.telling import (
    Told,
    ends_in_words,
    percent,
    position_in_words,
    rules_in_words,
)
from simdom.advice.worth import Worth
from simdom.estimate import Estimate, Kind, format_parts
from simdom.exact.text import chance_in_words
from simdom.formats import format_confidence, html_command, html_row, html_table
from simdom.rules import Teams

__all__ = ["advice_to_html", "advice_to_text", "tell_advice"]

MOST_COLUMNS = 4  # of seats that can answer; the document has them all
TWO = 2
WORLD = "world"


def tell_advice(advice: Advice) -> list[Told]:
    """The placements; where there are several other seats, who can answer; the notes at the end."""
    tables = [_placements(advice)]
    has_room = 1 < len(advice.standing.others) <= MOST_COLUMNS
    if advice.known is not None and advice.options and has_room:
        tables.append(_answers(advice))
    tables[-1] = tables[-1]._replace(notes=_notes(advice))
    return tables


def advice_to_text(advice: Advice) -> str:
    """All of it as plain text."""
    lines: list[str] = []
    for told in tell_advice(advice):
        lines += [*([""] if lines else []), told.heading, *([told.lead] if told.lead else [])]
        lines += ["", *_aligned([told.columns, *told.rows])] if told.rows else []
        for heading, entries in told.notes:
            lines += ["", heading, *(f"  {entry}" for entry in entries)]
    return "\n".join(lines)


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def advice_to_html(advice: Advice) -> str:
    """All of it for a notebook."""
    parts = []
    for told in tell_advice(advice):
        rows = [html_row(row) for row in told.rows]
        for heading, entries in told.notes:
            rows += [
                html_row([f"{heading}: {entry}"], columns=max(len(told.columns), 1))
                for entry in entries
            ]
        caption = f"{told.heading}. {told.lead}" if told.lead else told.heading
        parts.append(html_table(caption, told.columns, rows))
    return "".join(parts) + html_command(advice.command)


def _placements(advice: Advice) -> Told:
    standing = advice.standing
    heading = f"Advice to {standing.name(advice.seat)}: {rules_in_words(standing)}"
    lead = f"{position_in_words(standing)} {_what_to_do(advice)}"
    if not advice.options:
        return Told(heading, lead, (), [], [])
    aim_is_points = advice.strategy.aim == "points"
    columns = ["placement", "wins", "points", "behind the best"]
    if advice.known is not None:
        columns.append(f"seat {advice.of} can answer")
    rows = []
    for number, option in enumerate(advice.options):
        behind = (
            "-"
            if number == 0
            else _figure(advice, option.behind, "mean" if aim_is_points else "rate")
        )
        cells = [
            option.acts,
            _figure(advice, option.wins, "rate"),
            _figure(advice, option.points, "mean"),
            behind,
        ]
        if advice.known is not None:
            cells.append(percent(advice.known.after[number][advice.of]))
        rows.append(tuple(cells))
    return Told(heading, lead, tuple(columns), rows, [])


def _figure(advice: Advice, estimate: Estimate, kind: Kind) -> str:
    if advice.worth is not None and advice.worth.is_every and not estimate.se:
        plain = 100 * estimate.estimate if kind == "rate" else estimate.estimate
        return f"{plain:.4g}{'%' if kind == 'rate' else ''}"
    return " ".join(filter(None, format_parts(estimate, kind, WORLD)))


def _what_to_do(advice: Advice) -> str:
    """What the strategy plays, or what the seat must do and why."""
    standing, table = advice.standing, advice.standing.table
    if advice.options:
        one = "the only placement" if len(advice.options) == 1 else "its choice"
        return f"{advice.strategy.name} plays {advice.options[0].acts}, {one}."
    if table.ends is None:
        return f"It must lead {advice.must}, which opens the round."
    stuck = f"It holds nothing that shows {ends_in_words(table.ends, 'or')}"
    if advice.must == "draw":
        how = "one tile" if standing.draws_once else "until a tile fits"
        return f"{stuck}, so it draws {how}."
    return f"{stuck}, and nothing may be drawn, so it passes."


def _answers(advice: Advice) -> Told:
    """The chance of each other seat to answer each placement."""
    known, standing = advice.known, advice.standing
    seats = standing.others
    rows = []
    if known is not None:
        for option, after in zip(advice.options, known.after, strict=True):
            ends = ends_in_words(option.ends_after(standing.table.ends))
            rows.append((option.acts, ends, *(percent(after[seat]) for seat in seats)))
    columns = ("placement", "then open", *(f"seat {seat}" for seat in seats))
    return Told("The chance that a seat can answer, before it draws", "", columns, rows, [])


def _notes(advice: Advice) -> list[tuple[str, list[str]]]:
    notes = [("What the others lack", _voids(advice))]
    known, ends = advice.known, advice.standing.table.ends
    if known is not None and known.now is not None and ends is not None:
        told = [
            f"{advice.standing.name(seat)}: {chance_in_words(chance)}"
            for seat, chance in known.now.items()
        ]
        notes.append(
            (f"The chance to hold a tile for {ends_in_words(ends, 'or')}, as it lies", told)
        )
    if advice.worth is not None:
        notes.append(("How to read it", list(_reading(advice, advice.worth))))
    notes.append(("How it was made", [_made(advice)]))
    return notes


def _voids(advice: Advice) -> list[str]:
    if advice.known is None:
        return [f"not counted: {advice.uncounted}"]
    standing = advice.standing
    seen = sorted({void.number for void in advice.known.voids if void.is_seen})
    entries = []
    for seat in standing.others:
        lacks = [v for v in advice.known.voids if v.seat == seat and not v.is_seen]
        if lacks:
            told = ", ".join(f"no {void.number} ({_why(advice, void.turn)})" for void in lacks)
            entries.append(f"{standing.name(seat)}: {told}")
    if seen:
        entries.append(f"nobody else holds a {_or(seen)}: all of these tiles are seen")
    if not advice.known.all_voids:
        entries.append("more may follow from all of this together: that is too much to count")
    return entries or ["nothing is certain yet"]


def _or(numbers: Sequence[int]) -> str:
    """Such as "2, 3 or 4"."""
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}" if most else last


def _why(advice: Advice, turn: int | None) -> str:
    if turn is None:
        return "no deal is left in which it has one"
    written = advice.standing.turns[turn]
    did = "draws" if written.draws else "passes"
    return f"{did} in {advice.standing.where(turn)}"


def _reading(advice: Advice, worth: Worth) -> list[str]:
    rules = advice.standing.rules
    if rules.teams == Teams.PAIRS:
        whom = "its team gains more than the other"
    elif rules.players == TWO:
        whom = "it gains more than the other seat"
    else:
        whom = "it gains more than another seat, the mean over the others"
    is_points = advice.strategy.aim == "points"
    what = "points" if is_points else "chance to win, minus that of others"
    who = "its team" if rules.teams == Teams.PAIRS else "it"
    behind = f"behind the best: how much less ({what}) than the best gets, in the same worlds."
    entries = [
        f"wins: the chance that {who} wins the round. points: what {whom}.",
        f"{behind} The best is chosen by these figures, which flatters it where it is close.",
    ]
    if worth.is_searched:
        entries.append(
            "No interval: every world is there, played on by the best play of seats that see all."
        )
    elif worth.is_every:
        entries.append(
            "Every world is there. ± is the luck of the play within them, a "
            f"{format_confidence(advice.confidence)} interval, each figure alone; where there is "
            "none, a second play of all worlds went the same way."
        )
    else:
        entries.append(
            f"± is a {format_confidence(advice.confidence)} interval over the worlds, each figure "
            "alone. That people may not play by these weights is in no interval."
        )
    return entries


def _made(advice: Advice) -> str:
    told = []
    if advice.known is not None:
        who = advice.standing.name(advice.seat)
        told.append(f"{advice.known.worlds:,} worlds agree with what {who} has seen. {LAW}")
    if advice.worth is not None:
        told += _how_weighed(advice, advice.worth)
    return " ".join([*told, f"simdom {advice.version}."])


def _how_weighed(advice: Advice, worth: Worth) -> Iterator[str]:
    worlds = f"all {worth.looks:,} worlds" if worth.is_every else f"{worth.looks:,} worlds by lot"
    how = "searched to its end" if worth.is_searched else "played on by the weights of all seats"
    lots = f"lots of round {advice.round_index:,} of seed {advice.seed}"
    yield f"{advice.strategy.name}: each placement in {worlds}, {how}; {lots}."
    if not worth.is_numbered:
        yield "There are too many to number: those drawn are near evenly likely, no more."
    elif not worth.is_every and worth.is_by_hand:
        yield (
            "It takes each hand as one lot: some of its worlds disagree with what single draws "
            "have shown."
        )
