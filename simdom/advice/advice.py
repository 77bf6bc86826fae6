"""Advice to a seat, as data."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from simdom._version import __version__
from simdom.advice.knowing import Void
from simdom.advice.standing import Standing
from simdom.advice.telling import describe_standing, plain_chance, rules_of
from simdom.advice.worth import Worth
from simdom.document import plain_estimate
from simdom.estimate import Estimate
from simdom.formats import csv_text, json_text
from simdom.simulate import DEFAULT_CONFIDENCE
from simdom.strategies import AIMS, MOST_SAMPLES, Strategy
from simdom.tiles import tile_name, tile_of
from simdom.transcripts.transcript import WrittenTurn

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SCHEMA", "Advice", "Known", "Option"]

SCHEMA = "simdom.advice/1"

FIGURES = ("wins", "points", "behind")
PARTS = ("_se", "_low", "_high")


class Option(NamedTuple):
    """A placement that the seat has.

    Attributes:
        tile: by its id.
        on: the number that it is placed on; None for a lead.
        wins: the chance that the seat's side wins the round.
        points: what that side gains more than another seat's side, the mean over the others.
        behind: how much less it gets of what is aimed at than the best placement, in the same
            worlds: points, or the chance to win less that of another side.
    """

    tile: int
    on: int | None
    wins: Estimate
    points: Estimate
    behind: Estimate

    def ends_after(self, ends: tuple[int, int] | None) -> tuple[int, int]:
        """The open ends after it, given those before; None before the lead."""
        low, high = tile_of(self.tile)
        if ends is None or self.on is None:
            return low, high
        other = high if self.on == low else low
        return (other, ends[1]) if self.on == ends[0] else (ends[0], other)

    def text(self, seat: int) -> str:
        """The turn, as a transcript has it."""
        return str(WrittenTurn(seat, tile=self.tile, on=self.on))

    @property
    def acts(self) -> str:
        """The turn, without the seat."""
        return tile_name(self.tile) + ("" if self.on is None else f" on {self.on}")


class Known(NamedTuple):
    """What is known of the others exactly, under `simdom.advice.knowing.LAW`.

    Attributes:
        worlds: ways in which the hidden tiles can lie and have come there.
        voids: what the others certainly lack.
        all_voids: whether that is all they certainly lack.
        now: the chance of each other seat to hold a tile that fits an open end, the next seat
            first; None before the lead.
        after: the same after each option.
    """

    worlds: int
    voids: Sequence[Void]
    all_voids: bool
    now: dict[int, Fraction] | None
    after: Sequence[dict[int, Fraction]]


@dataclass(frozen=True, repr=False)
class Advice:
    """What a seat may do, and what is known to it.

    Attributes:
        standing: how the round stands for it.
        strategy: that weighed the placements.
        options: the placements, the best first; none if there is no choice.
        must: what it must do then, as a transcript has it: "draw", "pass", or a tile to lead.
        worth: how they were weighed; None if there are none.
        known: what was counted exactly; None if it could not be.
        uncounted: why; empty if it was.
        of: the seat whose chance to answer stands in tables.
        seed, round_index: of the lots.
        confidence: of the intervals, each alone.
        source: the file's name; empty if it is none.
        turn: that was asked about, from 1; None for the next one.
        version: of simdom.
    """

    standing: Standing
    strategy: Strategy
    options: tuple[Option, ...]
    must: str
    worth: Worth | None
    known: Known | None
    uncounted: str
    of: int
    seed: int
    round_index: int
    confidence: float
    source: str = ""
    turn: int | None = None
    version: str = __version__

    @property
    def seat(self) -> int:
        """Who asks."""
        return self.standing.seat

    @property
    def best(self) -> str:
        """What the strategy does in this turn, as a transcript has it."""
        return f"{self.seat}: {self.options[0].acts if self.options else self.must}"

    @property
    def command(self) -> str:
        """The command line that asks the same; empty if the transcript was no file."""
        if not self.source:
            return ""
        given = {
            "seat": self.seat,
            "of": self.of if self.of != self.standing.others[0] else None,
            "turn": self.turn,
            "samples": self.strategy.samples if self.strategy.samples != MOST_SAMPLES else None,
            "aim": self.strategy.aim if self.strategy.aim != AIMS[0] else None,
            "seed": self.seed,
            "round": self.round_index or None,
            "confidence": None if self.confidence == DEFAULT_CONFIDENCE else self.confidence,
        }
        words = ["simdom", "advise", self.source]
        for name, value in given.items():
            words += [] if value is None else [f"--{name}", str(value)]
        return shlex.join(words)

    def __repr__(self) -> str:
        return f"<Advice to seat {self.seat}: {self.best}>"

    def __str__(self) -> str:
        """All of it as plain text."""
        from simdom.advice.advice_text import advice_to_text

        return advice_to_text(self)

    def _repr_html_(self) -> str:
        """The tables and the notes, for a notebook."""
        from simdom.advice.advice_text import advice_to_html

        return advice_to_html(self)

    def to_dict(self) -> dict[str, Any]:
        """The document of schema `SCHEMA`: plain Python values only, fractions as text."""
        return {
            "schema": SCHEMA,
            "simdom": self.version,
            **rules_of(self.standing),
            "position": describe_standing(self.standing),
            "seat": self.seat,
            "best": self.best,
            "must": self.must or None,
            "options": [self._plain_option(number) for number in range(len(self.options))],
            **self._plain_known(),
            **self._plain_worth(),
            "confidence": self.confidence,
            "command": self.command,
        }

    def to_json(self) -> str:
        """`to_dict` as text."""
        return json_text(self.to_dict())

    def to_csv(self) -> str:
        """The columns of `to_frame` as text; what there is not is empty."""
        return csv_text(self._columns, self._records())

    def to_frame(self) -> "pd.DataFrame":
        """One row a placement, the best first: tile, on; estimate, se, low and high of each figure.

        Then the chance of each other seat to answer, if it could be counted: as a fraction in text,
        and as the nearest float.
        """
        import pandas as pd

        return pd.DataFrame(self._records(), columns=self._columns)

    @property
    def _columns(self) -> list[str]:
        answers = [f"seat_{seat}_answers" for seat in sorted(self.standing.others)]
        return [
            *("tile", "on"),
            *(f"{figure}{part}" for figure in FIGURES for part in ("", *PARTS)),
            *(f"{name}{part}" for name in answers for part in ("", "_value")),
        ]

    def _records(self) -> list[dict[str, Any]]:
        records = []
        for number, option in enumerate(self.options):
            record: dict[str, Any] = {"tile": tile_name(option.tile), "on": option.on}
            for figure in FIGURES:
                plain = plain_estimate(getattr(option, figure))
                record |= {figure: plain["estimate"]}
                record |= {f"{figure}{part}": plain[part[1:]] for part in PARTS}
            for seat, chance in (self.known.after[number] if self.known else {}).items():
                name = f"seat_{seat}_answers"
                record |= {name: str(chance), f"{name}_value": float(chance)}
            records.append(record)
        return records

    def _plain_option(self, number: int) -> dict[str, Any]:
        option, ends = self.options[number], self.standing.table.ends
        plain: dict[str, Any] = {
            "turn": option.text(self.seat),
            "tile": tile_name(option.tile),
            "on": option.on,
            "ends": list(option.ends_after(ends)),
            "wins": plain_estimate(option.wins),
            "points": plain_estimate(option.points),
            "behind": plain_estimate(option.behind),
        }
        if self.known is not None:
            plain["answers"] = _plain_answers(self.known.after[number])
        return plain

    def _plain_known(self) -> dict[str, Any]:
        if self.known is None:
            return {"uncounted": self.uncounted}
        now = self.known.now
        return {
            "worlds": self.known.worlds,
            "answers": None if now is None else _plain_answers(now),
            "lacks_are_all": self.known.all_voids,
            "lacks": [
                {
                    "seat": void.seat,
                    "number": void.number,
                    "turn": None if void.turn is None else void.turn + 1,
                    "line": None
                    if void.turn is None
                    else self.standing.turns[void.turn].line or None,
                    "all_seen": void.is_seen,
                }
                for void in self.known.voids
            ],
        }

    def _plain_worth(self) -> dict[str, Any]:
        if self.worth is None:
            return {}
        return {
            "strategy": {"name": self.strategy.name, **self.strategy.content},
            "seed": self.seed,
            "round": self.round_index,
            "looks": self.worth.looks,
            "every_world": self.worth.is_every,
            "searched": self.worth.is_searched,
        }


def _plain_answers(answers: dict[int, Fraction]) -> list[dict[str, Any]]:
    return [{"seat": seat, **plain_chance(chance)} for seat, chance in answers.items()]
