"""Whether a round that was played again is what a records file says of it."""

from typing import TYPE_CHECKING, Any

import numpy as np

from simdom.engine.kernels import Study, record_round
from simdom.engine.matches import ROUND_INDICES
from simdom.engine.playout import BY_RULE
from simdom.engine.recorded import new_recorded, pack_rows
from simdom.errors import brief
from simdom.records.columns import schema_of, table_of
from simdom.records.playing import Rows
from simdom.records.reading import read_match, read_round
from simdom.transcripts.recording import MOST_TOLD

if TYPE_CHECKING:
    from pathlib import Path

    from simdom.showing.taking import Taken

__all__ = ["find_difference"]

Row = dict[str, Any]


def find_difference(taken: "Taken") -> str:
    """In a line, what a records file says otherwise of the rounds that were taken out of it.

    Empty if there is nothing, or no such file; also of a round with a leader of the caller's own,
    which is not in the file.

    Raises:
        UsageError: the file cannot be read; the rounds are not in it.
        StrategyError: a strategy that is a function gave no placement.
    """
    file, match = taken.run.records, taken.facts.get("match")
    if file is None:
        return ""
    study, written = taken.run.study, taken.transcript.rounds
    if match is None:
        if written[0].leader is not None:
            return ""
        index = taken.facts["round"]
        return _compare(file, read_round(file, index), _row_of(study, index))
    rows = read_match(file, match)
    if "round" in taken.facts:
        rows = [row for row in rows if row.get("match_round") == taken.facts["round"]]
    rows = rows[:MOST_TOLD]
    if len(rows) != len(written):
        return f"{file} has {len(rows)} such rounds of match {match}: {len(written)} were played"
    for row, one in zip(rows, written, strict=True):
        number = (one.number or 1) - 1
        played = _row_of(study, number, match=match, leader=one.leader)
        if difference := _compare(file, row, played):
            return difference
    return ""


def _row_of(study: Study, number: int, match: int | None = None, leader: int | None = None) -> Row:
    """What the file should say of round ``number`` of a run, or of a match."""
    index = number if match is None else match * ROUND_INDICES + number
    led_by = BY_RULE if leader is None else leader
    trace = record_round(study, index, led_by)
    recorded = new_recorded(study.rules, 1)
    pack_rows(recorded, 0, np.array([[*trace.outcome, *trace.pips, *trace.gained]]), led_by)
    rows = Rows(index, recorded.fields, recorded.redeals)
    row: Row = table_of(rows, study.rules, schema_of(study.rules, matches=False)).to_pylist()[0]
    return row if match is None else {"match": match, "match_round": number, **row}


def _compare(file: "Path", told: Row, played: Row) -> str:
    which = f"round {played['round']}"
    if "match" in played:
        which = f"round {played['match_round']} of match {played['match']}"
    for column, value in played.items():
        if column not in told:
            return f"{file} says no {column} of {which}"
        if told[column] != value:
            return (
                f"{file} says otherwise of {which}: {column} is {brief(told[column])} there, "
                f"and {brief(value)} when it is played"
            )
    return ""
