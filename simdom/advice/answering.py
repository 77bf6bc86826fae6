"""The exact chance that a seat can answer the open ends, from another seat's knowledge."""

import shlex
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from simdom._version import __version__
from simdom.advice.advise import check_other, load_standing
from simdom.advice.knowing import LAW, Knowledge
from simdom.advice.standing import Standing
from simdom.advice.telling import (
    describe_standing,
    ends_in_words,
    plain_chance,
    position_in_words,
    rules_in_words,
    rules_of,
    sentence,
)
from simdom.engine.asides import set_scene
from simdom.errors import UsageError
from simdom.exact.text import chance_in_words, format_decimal, format_one_in
from simdom.formats import csv_text, html_command, html_row, html_table, json_text
from simdom.presets import naming
from simdom.strategies import load_strategy
from simdom.transcripts.transcript import Transcript

__all__ = ["SCHEMA", "AnswerOdds", "answer_odds"]

SCHEMA = "simdom.answer-odds/1"


@dataclass(frozen=True, repr=False)
class AnswerOdds:
    """The chance that a seat holds a tile that fits an open end.

    Attributes:
        standing: how the round stands for the seat that asks.
        of: the seat that is to answer.
        chance: exact.
        worlds: that agree with what was seen.
        source: the file's name; empty if it is none.
        turn: that was asked about, from 1; None for the next one.
        version: of simdom.
    """

    standing: Standing
    of: int
    chance: Fraction
    worlds: int
    source: str = ""
    turn: int | None = None
    version: str = __version__

    @property
    def text(self) -> str:
        """What is asked, in words."""
        standing, ends = self.standing, self.standing.table.ends or ()
        return (
            f"{sentence(standing.name(self.of))} holds a tile for {ends_in_words(ends, 'or')}, as "
            f"{standing.name(standing.seat)} can know: {rules_in_words(standing)}"
        )

    @property
    def answer(self) -> str:
        """The chance in a few words."""
        return chance_in_words(self.chance)

    @property
    def lead(self) -> str:
        """The position in words."""
        return position_in_words(self.standing)

    @property
    def made(self) -> str:
        """How the figure was made, and under which law."""
        return (
            f"Counted exactly over {self.worlds:,} worlds, not sampled. {LAW} "
            f"simdom {self.version}."
        )

    @property
    def command(self) -> str:
        """The command line that asks the same; empty if the transcript was no file."""
        if not self.source:
            return ""
        words = ["simdom", "odds", "--position", self.source, "--seat", str(self.standing.seat)]
        words += ["--of", str(self.of)]
        return shlex.join(words + ([] if self.turn is None else ["--turn", str(self.turn)]))

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Heads of columns, and rows of as many cells."""
        row = str(self.chance), format_decimal(self.chance), format_one_in(self.chance)
        return ("fraction", "chance", "that is"), [row]

    def __repr__(self) -> str:
        return f"<AnswerOdds of {self.text}: {self.answer}>"

    def __str__(self) -> str:
        """The question, the answer, and how it was made."""
        return f"{self.text}: {self.answer}.\n{self.lead}\n{self.made}"

    def _repr_html_(self) -> str:
        """The answer as a table, for a notebook."""
        heads, rows = self.table()
        return html_table(
            f"{self.text}. {self.lead} {self.made}", heads, map(html_row, rows)
        ) + html_command(self.command)

    def to_dict(self) -> dict[str, Any]:
        """The document of schema `SCHEMA`: plain Python values only, the fraction as text."""
        return {
            "schema": SCHEMA,
            "simdom": self.version,
            "asked": self.text,
            **rules_of(self.standing),
            "position": describe_standing(self.standing),
            "seat": self.standing.seat,
            "of": self.of,
            **plain_chance(self.chance),
            "worlds": self.worlds,
            "law": LAW,
            "command": self.command,
        }

    def to_json(self) -> str:
        """`to_dict` as text."""
        return json_text(self.to_dict())

    def to_csv(self) -> str:
        """One line: seat, of, fraction, value, worlds."""
        plain = {**plain_chance(self.chance), "worlds": self.worlds}
        record = {"seat": self.standing.seat, "of": self.of, **plain}
        return csv_text(list(record), [record])


def answer_odds(
    transcript: Transcript | str | Path,
    seat: int,
    *,
    of: int | None = None,
    turn: int | None = None,
) -> AnswerOdds:
    """The exact chance that a seat can answer, by all deals that agree with what another has seen.

    It answers if it holds a tile that fits an open end as the line lies, before any draw.

    Args:
        transcript: in progress: `simdom.load_transcript` reads it; or the path of its file.
        seat: whose knowledge it is; whose turn it is does not matter.
        of: the seat that is to answer; if not given, whose turn it is, or the next after ``seat``.
        turn: the turn of the last round, from 1, before which it is asked; after all unless given.

    Raises:
        UsageError: as `take_standing`; nobody has led; ``of`` is ``seat``; the file cannot be read.
        RunError: the transcript is not legal; the deals take too long to count.
    """
    standing, source = load_standing(transcript, seat, turn)
    if of is None:
        to_move = standing.to_move
        of = standing.others[0] if to_move in (None, standing.seat) else to_move
    of = check_other(standing, of)
    ends = standing.table.ends
    with naming(source or "the transcript"):
        if ends is None:
            raise UsageError("nobody has led: there is no open end to answer")
    knowledge = Knowledge(standing, set_scene(standing.scene, load_strategy("sharp")))
    return AnswerOdds(
        standing=standing,
        of=of,
        chance=knowledge.chance_to_answer(of, ends),
        worlds=knowledge.worlds,
        source=source,
        turn=turn,
    )
