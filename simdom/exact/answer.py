"""Exact answers: a chance, the chance of each outcome, or a number; and how they are shown.

Every figure is a `Fraction`; floats appear only where one is shown or written.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from simdom._version import __version__
from simdom.errors import UsageError
from simdom.exact.asked import QUESTIONS, Asked
from simdom.exact.text import (
    chance_in_words,
    format_decimal,
    format_one_in,
    format_short,
    is_short,
)
from simdom.formats import csv_text, html_command, html_row, html_table, json_text
from simdom.tiles import tile_id, tile_name

if TYPE_CHECKING:
    import pandas as pd

    from simdom.exact.check import Check, Checked
    from simdom.plots.style import Picture

__all__ = ["SCHEMA", "Chance", "Moments", "Odds"]

SCHEMA = "simdom.odds/1"

COLUMNS = ("question", "outcome", "fraction", "value", "at_least", "at_least_value")
CHECK_COLUMNS = ("estimate", "se", "low", "high", "count", "z")

NO_DOUBLE = "none"
"""The outcome of the opening tile where no double is dealt."""


class Chance(NamedTuple):
    """One chance of a law.

    Attributes:
        outcome: a number, the name of a tile, or `NO_DOUBLE`.
        exact: from 0 to 1.
        at_least: if outcomes are numbers, the chance of this one or a higher one; else None.
    """

    outcome: int | str
    exact: Fraction
    at_least: Fraction | None


class Moments(NamedTuple):
    """What sums up a law over numbers.

    Attributes:
        mean: of the outcomes.
        variance: about the mean.
        least: the smallest outcome that is possible.
        most: the largest.
    """

    mean: Fraction
    variance: Fraction
    least: int
    most: int


@dataclass(frozen=True, repr=False)
class Odds:
    """The exact answer to a question about hands or deals.

    Attributes:
        asked: the question with all that it needs.
        law: the chance of each outcome, see `simdom.exact.odds.law_of`; empty if the
            answer is a number.
        number: the number of deals, if that was asked; else None.
        checked: a simulation of the same, if one was made.
        version: of simdom.
    """

    asked: Asked
    law: Mapping[int | None, Fraction]
    number: int | None = None
    checked: "Check | None" = None
    version: str = __version__

    @property
    def chance(self) -> Fraction | None:
        """The one chance that answers the question; of ``missing``, that any number is missing.

        None if the answer is another law, or a number.
        """
        if self.asked.kind == "chance":
            return self.law[1]
        if self.asked.question == "missing":
            return 1 - self.law.get(0, Fraction(0))
        return None

    @cached_property
    def distribution(self) -> list[Chance]:
        """The chance of each outcome, in order; empty if the question has no outcomes."""
        if self.asked.kind != "law":
            return []
        chances, left = [], Fraction(1)
        for outcome, exact in self.law.items():
            at_least = None if self.moments is None else left
            chances.append(Chance(self._name(outcome), exact, at_least))
            left -= exact
        return chances

    def _name(self, outcome: int | None) -> int | str:
        if self.asked.question != "opening-tile":
            return 0 if outcome is None else outcome
        return NO_DOUBLE if outcome is None else tile_name(tile_id(outcome, outcome))

    @cached_property
    def moments(self) -> Moments | None:
        """Mean, variance and range of a law over numbers; else None."""
        if self.asked.kind != "law" or self.asked.question == "opening-tile":
            return None
        law = {outcome: exact for outcome, exact in self.law.items() if outcome is not None}
        mean = sum((n * exact for n, exact in law.items()), Fraction(0))
        squares = sum((n * n * exact for n, exact in law.items()), Fraction(0))
        return Moments(mean, squares - mean * mean, min(law), max(law))

    def check(
        self,
        rounds: float = 1_000_000,
        seed: int = 1,
        progress: Callable[[int, int], None] | None = None,
    ) -> "Odds":
        """The same answer with a simulation of it, to be shown side by side.

        Args:
            rounds: deals to look at, from 1 to 1e8; at most 1e7 for the number of deals.
            seed: 0 to 2**64 - 1; the deals are those of `simdom.simulate.simulate` with it.
            progress: called now and then with the deals looked at and all of them.

        Raises:
            UsageError: ``rounds`` or ``seed`` is out of its range.
        """
        from simdom.exact.check import check_law, check_number

        checked = (
            check_law(self.asked, self.law, rounds, seed, progress)
            if self.number is None
            else check_number(self.asked, self.number, rounds, seed, progress)
        )
        return replace(self, checked=checked)

    @property
    def command(self) -> str:
        """The command line that asks the same."""
        check = "" if self.checked is None else f" {self.checked.options}"
        return self.asked.command + check

    @property
    def answer(self) -> str:
        """The answer in a few words."""
        if self.number is not None:
            return f"{self.number:,}"
        if self.moments is not None:
            mean, variance, least, most = self.moments
            spread = f"mean {format_short(mean)}, variance {format_short(variance)}"
            told = f"from {least} to {most}, {spread}"
            one = "" if self.chance is None else f"; one or more: {chance_in_words(self.chance)}"
            return told + one
        if self.chance is not None:
            return chance_in_words(self.chance)
        likely = max(self.distribution, key=lambda chance: chance.exact)
        return f"most often {likely.outcome}, {chance_in_words(likely.exact)}"

    @property
    def made(self) -> str:
        """How the figures were made, in a sentence or two."""
        exact = f"Counted exactly, not sampled; simdom {self.version}."
        return exact if self.checked is None else f"{exact} {self.checked.summary()}"

    @property
    def headline(self) -> str:
        """The answer in a line of its own: a fraction or a number in full, a law in a few words."""
        if self.asked.kind == "law":
            return f"{self.answer[:1].upper()}{self.answer[1:]}."
        return str(self.law[1]) if self.number is None else f"{self.number:,}"

    def summary(self) -> str:
        """The question and its answer in a sentence or two."""
        text = f"{self.asked.text}: {self.answer}."
        return text if self.checked is None else f"{text} {self.checked.summary()}"

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """The answer for people: the heads of the columns, and rows of as many cells.

        The `headline` is not in it, and fractions are left out if one is too long for a table.
        """
        heads = [QUESTIONS[self.asked.question].outcome, "fraction", "chance", "that is"]
        heads += ["or more", "simulated", "z"]
        if self.number is not None:
            heads[2] = "chance that two are equal"
        is_law = self.asked.kind == "law"
        has_room = all(is_short(chance.exact) for chance in self.distribution)
        kept = [is_law, is_law and has_room, True, True, self.moments is not None]
        kept += [self.checked is not None] * 2
        rows = [
            (
                str(chance.outcome),
                str(chance.exact),
                format_decimal(chance.exact),
                format_one_in(chance.exact),
                "" if chance.at_least is None else format_decimal(chance.at_least, 4),
                *_checked_cells(checked),
            )
            for chance, checked in self._lines()
        ]
        return _kept(heads, kept), [_kept(row, kept) for row in rows]

    def _lines(self) -> "Iterator[tuple[Chance, Checked | None]]":
        """What a table or a file has a line for; of a number, the chance that two are equal."""
        if self.asked.kind == "law":
            yield from zip(self.distribution, self._checked_outcomes(), strict=True)
        else:
            exact = self.law[1] if self.number is None else Fraction(1, self.number)
            yield Chance("", exact, None), None if self.checked is None else self.checked.chance

    def _checked_outcomes(self) -> "list[Checked | None]":
        if self.checked is None:
            return [None] * len(self.law)
        return [self.checked.outcomes[outcome] for outcome in self.law]

    def __repr__(self) -> str:
        return f"<Odds of {self.asked.text}: {self.answer}>"

    @property
    def _is_told(self) -> bool:
        """Whether the summary has all of the table."""
        return self.asked.kind == "chance" and self.checked is None

    def __str__(self) -> str:
        """The summary, and a plain table of what it does not say."""
        if self._is_told:
            return self.summary()
        heads, rows = self.table()
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        lines = [self.summary(), ""]
        for row in (heads, *rows):
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The summary and a table of what it does not say, for a notebook."""
        heads, rows = ((), []) if self._is_told else self.table()
        return html_table(self.summary(), heads, map(html_row, rows)) + html_command(self.command)

    def to_dict(self) -> dict[str, Any]:
        """The document of schema `SCHEMA`: plain Python values only, fractions as text."""
        plain: dict[str, Any] = {
            "schema": SCHEMA,
            "simdom": self.version,
            "asked": self.asked.text,
            **self.asked.to_dict(),
        }
        if self.number is not None:
            plain |= _plain(Fraction(self.number))
        if self.chance is not None:
            plain |= _plain(self.chance)
        if self.moments is not None:
            mean, variance, least, most = self.moments
            plain |= {"mean": _plain(mean), "variance": _plain(variance)}
            plain |= {"min": least, "max": most}
        if self.distribution:
            plain["distribution"] = [
                self._plain_outcome(chance, checked)
                for chance, checked in zip(self.distribution, self._checked_outcomes(), strict=True)
            ]
        if self.checked is not None:
            plain["check"] = self.checked.to_dict()
        return {**plain, "command": self.command}

    def _plain_outcome(self, chance: Chance, checked: "Checked | None") -> dict[str, Any]:
        plain = {
            "question": self.asked.question,
            "outcome": chance.outcome,
            **_plain(chance.exact),
        }
        if chance.at_least is not None:
            plain["at_least"] = _plain(chance.at_least)
        if checked is not None:
            plain["check"] = checked.to_dict()
        return plain

    def to_json(self) -> str:
        """`to_dict` as text."""
        return json_text(self.to_dict())

    def _records(self) -> list[dict[str, Any]]:
        """One record a line of `to_csv` and `to_frame`; numbers as Python has them."""
        records = []
        for chance, checked in self._lines():
            record: dict[str, Any] = {"question": self.asked.question}
            record |= _plain(chance.exact if self.number is None else Fraction(self.number))
            if self.asked.kind == "law":
                record["outcome"] = chance.outcome
            if chance.at_least is not None:
                record["at_least"] = str(chance.at_least)
                record["at_least_value"] = float(chance.at_least)
            records.append(record if checked is None else record | checked.to_dict())
        return records

    @property
    def _columns(self) -> tuple[str, ...]:
        return COLUMNS if self.checked is None else COLUMNS + CHECK_COLUMNS

    def to_csv(self) -> str:
        """The columns of `to_frame` as text; what there is not is empty."""
        return csv_text(self._columns, self._records())

    def to_frame(self) -> "pd.DataFrame":
        """One row an outcome: question, outcome, fraction, value, at_least, at_least_value.

        Fractions are text, and ``value`` the nearest float. With a simulation also its estimate,
        se, low, high, count and z.
        """
        import pandas as pd

        return pd.DataFrame(self._records(), columns=list(self._columns))

    def check_drawable(self) -> None:
        """Return if there is a picture of the answer; ask before a long check.

        Raises:
            UsageError: the answer is one figure.
        """
        if not self.distribution:
            raise UsageError(f"one figure has no picture: ask {self.asked.question} without a plot")

    def plot(self, path: str | Path | None = None) -> "Picture":
        """Draw the law as a picture or into a file, with the simulation if there is one.

        Raises:
            UsageError: the answer is one figure; no such format; the file cannot be made.
            RunError: the file cannot be written.
        """
        from simdom.plots.law import LawPlot, plot_law

        self.check_drawable()
        figures = [each and each.estimate for each in self._checked_outcomes()]
        return plot_law(
            LawPlot(
                title=self.asked.text,
                outcomes=[chance.outcome for chance in self.distribution],
                chances=[chance.exact for chance in self.distribution],
                estimates=[each for each in figures if each is not None],
                xlabel=QUESTIONS[self.asked.question].axis,
                mean=None if self.moments is None else float(self.moments.mean),
                small_print=[self.made, self.command],
            ),
            path,
        )


def _plain(exact: Fraction) -> dict[str, Any]:
    """The fraction as text, and as the nearest float; a whole number above 1 as it is."""
    is_count = exact.denominator == 1 and exact > 1
    return {"fraction": str(exact), "value": exact.numerator if is_count else float(exact)}


def _checked_cells(checked: "Checked | None") -> tuple[str, str]:
    if checked is None:
        return "", ""
    score = "-" if checked.z is None else f"{checked.z:+.2f}"
    return f"{checked.estimate.estimate:.6g}", score


def _kept(cells: Sequence[str], kept: Sequence[bool]) -> tuple[str, ...]:
    return tuple(cell for cell, is_kept in zip(cells, kept, strict=True) if is_kept)
