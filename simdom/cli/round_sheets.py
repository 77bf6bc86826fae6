"""A round, a match and a referee's report as sheets that a person reads."""

import os
import sys
from collections.abc import Sequence

from simdom.cli.sheets import Sheet
from simdom.rules import BlockScore, Teams
from simdom.showing.reasons import explain_end, explain_points
from simdom.tiles import tile_glyph, tile_name, tile_of
from simdom.transcripts.judging import JudgedRound
from simdom.transcripts.referee import Report, told_scores
from simdom.transcripts.transcript import UNKNOWN, Transcript, WrittenTurn

__all__ = [
    "can_show_glyphs",
    "match_sheet",
    "round_sheets",
    "tell_line",
    "tile_in_words",
    "tiles_in_words",
]

_POOR_TERMINALS = ("dumb", "linux")


def can_show_glyphs() -> bool:
    """Whether standard output takes the domino tiles of Unicode."""
    try:
        tile_glyph(0).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return os.environ.get("TERM") not in _POOR_TERMINALS


def round_sheets(
    report: Report,
    number: int,
    *,
    heading: str,
    lead: str,
    glyphs: bool,
    notes: Sequence[tuple[str, list[str]]],
) -> list[Sheet]:
    """The deal, every turn, and the end of a round.

    Args:
        report: of a transcript with the round in it; the round has no problems.
        number: its place there.
        heading: what round it is.
        lead: a sentence under that.
        glyphs: whether tiles are shown as pictures too.
        notes: lists that follow, with their headings.
    """
    judged = report.rounds[number]
    transcript = report.transcript
    return [
        _deal_sheet(transcript, number, heading, lead, glyphs=glyphs),
        _turns_sheet(transcript, number, judged, glyphs=glyphs),
        _end_sheet(transcript, judged, notes, glyphs=glyphs),
    ]


def tiles_in_words(tiles: Sequence[int | None], *, glyphs: bool) -> str:
    """The tiles one after another, as `tile_in_words` has each."""
    return " ".join(
        UNKNOWN if tile is None else tile_in_words(tile, glyphs=glyphs) for tile in tiles
    )


def tile_in_words(tile: int, *, glyphs: bool) -> str:
    """Such as ``6-4``, with its picture before it where there is one."""
    glyph = tile_glyph(tile)
    return glyph + tile_name(tile) if glyphs and glyph != tile_name(tile) else tile_name(tile)


def _deal_sheet(
    transcript: Transcript, number: int, heading: str, lead: str, *, glyphs: bool
) -> Sheet:
    written, rules = transcript.rounds[number], transcript.rules
    rows: list[tuple[str, ...]] = []
    for seat, hand in enumerate(written.hands):
        team = f", team {seat % 2}" if rules.teams == Teams.PAIRS else ""
        tiles = hand or (None,) * rules.deal
        rows.append((transcript.name_of(seat) + team, tiles_in_words(tiles, glyphs=glyphs)))
    if rules.boneyard_size:
        tiles = written.boneyard or (None,) * rules.boneyard_size
        rows.append(("boneyard", tiles_in_words(tiles, glyphs=glyphs)))
    return Sheet(heading, lead, ("deal", "tiles"), rows, [])


def _turns_sheet(
    transcript: Transcript, number: int, judged: JudgedRound, *, glyphs: bool
) -> Sheet:
    written = transcript.rounds[number]
    has_boneyard = judged.table.drawn > 0
    rows = []
    for at, (turn, step) in enumerate(zip(written.turns, judged.steps, strict=False), 1):
        cells = (
            f"{at:>2}",
            str(turn.seat),
            _acts(turn, is_lead=at == 1, glyphs=glyphs),
            " ".join(map(str, step.ends)),
            " ".join(map(str, step.held)),
        )
        rows.append((*cells, str(step.boneyard)) if has_boneyard else cells)
    columns = ("turn", "seat", "what it does", "ends", "hands")
    return Sheet(
        "Turn by turn: the open ends, and the tiles left in each hand"
        + (" and in the boneyard" if has_boneyard else ""),
        "",
        (*columns, "boneyard") if has_boneyard else columns,
        rows,
        [],
    )


def _acts(turn: WrittenTurn, *, is_lead: bool, glyphs: bool) -> str:
    acts = [f"draws {tiles_in_words(turn.draws, glyphs=glyphs)}"] if turn.draws else []
    if turn.tile is None:
        acts.append("passes")
    elif is_lead:
        acts.append(f"leads {tile_in_words(turn.tile, glyphs=glyphs)}")
    else:
        acts.append(f"{tile_in_words(turn.tile, glyphs=glyphs)} on {turn.on}")
    return ", ".join(acts)


def _end_sheet(
    transcript: Transcript,
    judged: JudgedRound,
    notes: Sequence[tuple[str, list[str]]],
    *,
    glyphs: bool,
) -> Sheet:
    rules, settled, last = transcript.rules, judged.settled, judged.table.last
    left = [
        (f"{transcript.name_of(seat)} is left with", [tiles_in_words(hand, glyphs=glyphs)])
        for seat, hand in enumerate(judged.hands_left)
        if hand
    ]
    line = [("The line", [tell_line(judged.table.line)])]
    if settled is None or last is None or judged.end is None:
        lead = "Not all hands are known, so the points are not." if judged.end else ""
        return Sheet(f"The end: {judged.end or 'not yet'}", lead, (), [], [*line, *left, *notes])
    is_blocked = judged.end == "blocked"
    names = list(told_scores(rules.block_score, settled))
    own = BlockScore(rules.block_score).name.lower()
    reasons = explain_points(
        rules, settled, last, judged.table.pass_rounds, is_blocked=is_blocked, names=names
    )
    rows = [
        (reason.name + (" *" if reason.name == own else ""), str(reason.points), reason.sum)
        for reason in reasons
    ]
    return Sheet(
        f"The end: {judged.end}",
        explain_end(rules, settled, is_blocked=is_blocked)
        + f" The rules (*) award {settled.points} "
        + ("point." if settled.points == 1 else "points."),
        ("scoring", "points", "because"),
        rows,
        [*line, *left, *notes],
    )


def tell_line(line: Sequence[tuple[int, int]]) -> str:
    """The line from end to end, each tile as it lies: ``2-6 6-6 6-1``."""
    words = []
    for tile, first in line:
        low, high = tile_of(tile)
        words.append(f"{first}-{high if first == low else low}")
    return " ".join(words)


def match_sheet(report: Report, heading: str, notes: Sequence[tuple[str, list[str]]]) -> Sheet:
    """The rounds of a match, one a row, with the score after each."""
    rows = []
    for written, judged in zip(report.transcript.rounds, report.rounds, strict=True):
        winner = {None: "?", -1: "nobody"}.get(judged.winner, f"seat {judged.winner}")
        rows.append(
            (
                str(written.number),
                str(judged.table.opener),
                judged.end or "not over",
                winner,
                "?" if judged.settled is None else str(judged.settled.points),
                " ".join(map(str, written.score.points)) if written.score else "",
            )
        )
    who = "Nobody has won it yet." if report.match_winner is None else ""
    if report.match_winner is not None:
        is_team = report.transcript.rules.teams == Teams.PAIRS
        who = f"{'Team' if is_team else 'Seat'} {report.match_winner} wins it."
    columns = ("round", "leader", "end", "winner", "points", "score")
    return Sheet(heading, who, columns, rows, notes)
