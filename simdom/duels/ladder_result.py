"""What comes of a ladder: ratings, the crosstable, and ways to show and keep them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simdom._version import __version__
from simdom.document import COLUMNS, plain_estimate
from simdom.duels.asked import Asked
from simdom.duels.ladder_sums import Meeting, Standing
from simdom.duels.ladder_words import (
    CROSSTABLES,
    Crosstable,
    crosstable_of,
    describe_play,
    how_to_read,
    lines_of,
    plain_text,
    plot_of,
    tell,
    to_html,
)
from simdom.duels.ratings import ANCHOR
from simdom.duels.words import made_of
from simdom.estimate import Estimate
from simdom.formats import csv_text, format_confidence, json_text
from simdom.plots.ladder import LadderPlot, plot_ladder
from simdom.plots.style import Picture
from simdom.rules import RULES_VERSION, rules_to_dict

if TYPE_CHECKING:
    import pandas as pd

    from simdom.duels.seating import Seating

__all__ = ["SCHEMA", "Ladder"]

SCHEMA = "simdom.ladder/1"

_HEADER = ("strategy", "opponent", "metric", *COLUMNS)


@dataclass(frozen=True, repr=False)
class Ladder:
    """What strategies make of each other, each playing every hand of the same deals.

    Attributes:
        asked_for: the rules, the strategies and all else that was asked for.
        seatings: in which each pair plays each deal.
        deals: that were played.
        anchor: the strategy whose rating is fixed; None if it is the mean of all.
        standings: one for each strategy, the best first.
        meetings: every pair, both ways, by the two names.
        seconds: time that the rounds took.
        command: the command line that repeats it.
        asked: deals that were asked for, if it ended before; else None.
        version: of simdom.
        rules_version: see `simdom.rules.RULES_VERSION`.
    """

    asked_for: Asked
    seatings: "tuple[Seating, ...]"
    deals: int
    anchor: str | None
    standings: tuple[Standing, ...]
    meetings: dict[tuple[str, str], Meeting]
    seconds: float
    command: str
    asked: int | None = None
    version: str = __version__
    rules_version: int = RULES_VERSION

    @property
    def strategies(self) -> list[str]:
        """The strategies' names, the best first."""
        return [standing.strategy for standing in self.standings]

    @property
    def rounds(self) -> int:
        """That were played: every deal by every pair in every seating."""
        return self.deals * len(self.seatings) * len(self.meetings) // 2

    @property
    def is_rated(self) -> bool:
        """Whether finite ratings fit the scores."""
        return not math.isnan(self.standings[0].rating.estimate)

    @property
    def confidence_text(self) -> str:
        """The confidence as people say it, such as ``95%``."""
        return format_confidence(self.asked_for.confidence)

    @property
    def made(self) -> str:
        """Deals, rounds, seed, confidence and version, in one line."""
        return made_of(
            self.deals,
            self.asked,
            f"each played {len(self.seatings)} times by {_pairs(len(self.meetings) // 2)} "
            f"({self.rounds:,} rounds)",
            seed=self.asked_for.seed,
            confidence=self.asked_for.confidence,
            version=self.version,
            rules_version=self.rules_version,
        )

    @property
    def worst(self) -> tuple[str, str]:
        """The pair whose score is furthest from what the ratings foresee, the winner first."""
        return max(
            self.meetings,
            key=lambda pair: (
                abs(self.meetings[pair].score.estimate - self.meetings[pair].expected),
                self.meetings[pair].score.estimate,
            ),
        )

    @property
    def played(self) -> list[str]:
        """The rules, who sat where, and what strategies weigh that are no presets."""
        return describe_play(self)

    @property
    def reading(self) -> list[str]:
        """How to read the tables."""
        return how_to_read(self)

    def summary(self) -> str:
        """Who leads, and who is not settled to be ahead of the next; and what was played."""
        return f"{tell(self)}.\n{self.made}."

    def lines(self) -> list[tuple[str, str, str, str, str]]:
        """The ratings for people: strategy, rating, lead over the next, score, points a round."""
        return lines_of(self)

    def crosstable(self, metric: str = "points_per_round") -> Crosstable:
        """One figure of every pair, row against column, for people.

        Args:
            metric: one of `simdom.duels.ladder_words.CROSSTABLES`.

        Raises:
            UsageError: another; the nearest spelling is offered.
        """
        return crosstable_of(self, metric)

    def __repr__(self) -> str:
        return f"<Ladder of {len(self.standings)} strategies, {self.deals:,} deals>"

    def __str__(self) -> str:
        """The summary, the ratings and two crosstables."""
        return plain_text(self)

    def _repr_html_(self) -> str:
        """The summary, the ratings and two crosstables, for a notebook."""
        return to_html(self)

    def to_dict(self) -> dict[str, Any]:
        """The document of schema `SCHEMA`: plain Python values only, nan as None."""
        asked = self.asked_for
        interrupted = {} if self.asked is None else {"asked": self.asked, "partial": True}
        return {
            "schema": SCHEMA,
            "simdom": self.version,
            "rules_version": self.rules_version,
            "variant": asked.variant.name,
            "rules": rules_to_dict(asked.rules),
            "strategies": self.strategies,
            "strategy_details": {name: asked.details[name] for name in self.strategies},
            "seatings": list(self.seatings),
            "seed": asked.seed,
            "deals": self.deals,
            "rounds": self.rounds,
            **interrupted,
            "confidence": asked.confidence,
            "anchor": {"strategy": self.anchor, "rating": ANCHOR},
            "ratings": [
                {
                    "strategy": standing.strategy,
                    **{
                        name: None if found is None else plain_estimate(found)
                        for name, found in standing._asdict().items()
                        if name != "strategy"
                    },
                }
                for standing in self.standings
            ],
            "crosstable": {
                row: {
                    column: _plain_meeting(self.meetings[row, column])
                    for column in self.strategies
                    if column != row
                }
                for row in self.strategies
            },
            "seconds": self.seconds,
            "threads": asked.where.workers,
            "command": self.command,
        }

    def to_json(self) -> str:
        """`to_dict` as text; numbers in full precision."""
        return json_text(self.to_dict())

    def to_csv(self) -> str:
        """The columns of `to_frame` as text, in full precision; what is not defined is empty."""
        return csv_text(_HEADER, self._records())

    def to_frame(self) -> "pd.DataFrame":
        """One row for each figure of each strategy against all, and against each.

        Returns:
            A DataFrame with the columns ``strategy``, ``opponent`` (missing for all the others
            together), ``metric``, ``estimate``, ``se``, ``low``, ``high``, ``count`` (rounds, of a
            share of rounds) and ``sd`` (from deal to deal, of a mean). Strategies are in the order
            of the ladder. ``frame[frame.metric == "score"].pivot(index="strategy",
            columns="opponent", values="estimate")`` is a crosstable.
        """
        import pandas as pd

        frame = pd.DataFrame(self._records(), columns=list(_HEADER))
        real = dict.fromkeys(("estimate", "se", "low", "high", "sd"), "float64")
        return frame.astype({"count": "Int64"} | real)

    def _records(self) -> Iterator[dict[str, Any]]:
        for standing in self.standings:
            for name, found in standing._asdict().items():
                if isinstance(found, Estimate):
                    head = {"strategy": standing.strategy, "opponent": None, "metric": name}
                    yield head | plain_estimate(found)
            for other in self.strategies:
                if other == standing.strategy:
                    continue
                meeting = self.meetings[standing.strategy, other]
                for name in CROSSTABLES:
                    head = {"strategy": standing.strategy, "opponent": other, "metric": name}
                    yield head | plain_estimate(getattr(meeting, name))

    def plot(self, path: str | Path | None = None) -> Picture:
        """Draw ratings and the crosstable, as a picture or into a PNG, SVG or PDF file.

        Args:
            path: a file to save it in, too; one that is there already is replaced.

        Raises:
            UsageError: as `simdom.plots.style.check_plot_path`.
            RunError: the file cannot be written; what was there before is still there.
        """
        return plot_ladder(self.to_plot(), path)

    def to_plot(self) -> LadderPlot:
        """What `plot` draws."""
        return plot_of(self)


def _pairs(count: int) -> str:
    return "the pair" if count == 1 else f"each of {count} pairs"


def _plain_meeting(meeting: Meeting) -> dict[str, Any]:
    return {
        name: plain_estimate(found)
        if isinstance(found, Estimate)
        else None
        if math.isnan(found)
        else found
        for name, found in meeting._asdict().items()
    }
