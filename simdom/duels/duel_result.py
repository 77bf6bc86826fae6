"""What comes of a duel: the figures, and ways to show and keep them."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simdom._version import __version__
from simdom.document import COLUMNS, plain_estimate
from simdom.duels.asked import Asked
from simdom.duels.duel_sums import Figures
from simdom.duels.duel_words import (
    DuelLine,
    describe_play,
    how_to_read,
    lines_of,
    plain_text,
    plot_of,
    tell,
    to_html,
    verdict_on,
)
from simdom.duels.seating import A, B, names_at
from simdom.duels.words import direction_of, made_of, to_lead
from simdom.estimate import Estimate
from simdom.formats import csv_text, format_confidence, json_text
from simdom.plots.duel import DuelPlot, plot_duel
from simdom.plots.style import Picture
from simdom.rules import RULES_VERSION, rules_to_dict
from simdom.running.stopping import made_until, plain_precision

if TYPE_CHECKING:
    import pandas as pd

    from simdom.duels.seating import Seating

__all__ = ["SCHEMA", "Duel"]

SCHEMA = "simdom.duel/1"

_HEADER = ("strategy_a", "strategy_b", "metric", *COLUMNS)


@dataclass(frozen=True, repr=False)
class Duel:
    """What two strategies, a and b, make of the same deals, each playing every hand.

    Attributes:
        asked_for: the rules, the strategies and all else that was asked for.
        seatings: in which each deal was played, each with its swap behind it.
        deals: that were played.
        figures: what was found; the attributes from ``win_rate`` on are its parts.
        of_rounds: how many rounds had each net, points of a less points of b.
        of_deals: how many deals had each net, as the mean over their rounds.
        seconds: time that the rounds took.
        command: the command line that repeats it.
        asked: deals that were asked for, if it ended before; else None.
        version: of simdom.
        rules_version: see `simdom.rules.RULES_VERSION`.
        reached: whether the precision that was asked for was reached; None if none was.
    """

    asked_for: Asked
    seatings: "tuple[Seating, ...]"
    deals: int
    figures: Figures
    of_rounds: Counter[float]
    of_deals: Counter[float]
    seconds: float
    command: str
    asked: int | None = None
    version: str = __version__
    rules_version: int = RULES_VERSION
    reached: bool | None = None

    @property
    def rounds(self) -> int:
        """That were played: every deal once in every seating."""
        return self.deals * len(self.seatings)

    @property
    def strategies(self) -> tuple[str, str]:
        """The names of a and b."""
        a, b = self.asked_for.names
        return a, b

    @property
    def names(self) -> tuple[str, str]:
        """What tells a and b apart: their names, with the letter if that is the same."""
        a, b = self.strategies
        return (a, b) if a != b else (f"{a} ({A})", f"{b} ({B})")

    @property
    def confidence_text(self) -> str:
        """The confidence as people say it, such as ``95%``."""
        return format_confidence(self.asked_for.confidence)

    @property
    def win_rate(self) -> Estimate:
        """The share of rounds that a seat of a wins."""
        return self.figures.win_rate

    @property
    def loss_rate(self) -> Estimate:
        """The share of rounds that a seat of b wins."""
        return self.figures.loss_rate

    @property
    def tie_rate(self) -> Estimate:
        """The share of rounds that nobody wins."""
        return self.figures.tie_rate

    @property
    def win_edge(self) -> Estimate:
        """Rounds won less rounds lost, as a share of all."""
        return self.figures.win_edge

    @property
    def points_per_round(self) -> Estimate:
        """Points of a's seats less points of b's."""
        return self.figures.points_per_round

    @property
    def luck_share(self) -> Estimate:
        """How much of a round's points the deal explains, from 0 to 1."""
        return self.figures.luck_share

    @property
    def skill_share(self) -> Estimate:
        """How much of a round's points the difference in play explains, from 0 to 1."""
        return self.figures.skill_share

    @property
    def rest_share(self) -> Estimate:
        """What neither explains alone."""
        return self.figures.rest_share

    @property
    def rounds_to_lead(self) -> tuple[float, float, float] | None:
        """Rounds, each of a deal of its own, after which the better one leads with 95% chance.

        Returns:
            The figure, and the ends of its interval; None if it is not settled who is better, or if
            one has more seats at a table than the other.
        """
        points = self.points_per_round
        if not direction_of(points) or 2 * self.seatings[0].count(A) != len(self.seatings[0]):
            return None
        ends = sorted(abs(end) for end in (points.low, points.high))
        of_mean, most, least = (
            to_lead(mean, self.figures.round_sd) for mean in (abs(points.estimate), *ends)
        )
        return of_mean, least, most

    @property
    def made(self) -> str:
        """Deals, rounds, seed, confidence and version, in one line."""
        return made_of(
            self.deals,
            self.asked,
            f"each played {len(self.seatings)} times ({self.rounds:,} rounds)",
            seed=self.asked_for.seed,
            confidence=self.asked_for.confidence,
            version=self.version,
            rules_version=self.rules_version,
        ) + made_until(self.asked_for.limits.until, reached=self.reached)

    @property
    def verdict(self) -> str:
        """Who is better, as far as the intervals settle it."""
        return verdict_on(self)

    @property
    def played(self) -> list[str]:
        """The rules, who sat where, and what strategies weigh that are no presets."""
        return describe_play(self)

    @property
    def reading(self) -> list[str]:
        """How to read the figures."""
        return how_to_read(self)

    def summary(self) -> str:
        """Who is better, by how much, and how much of it is luck; and what was played."""
        return f"{tell(self)}.\n{self.made}."

    def lines(self) -> list[DuelLine]:
        """The table for people."""
        return lines_of(self)

    def __repr__(self) -> str:
        a, b = self.strategies
        return f"<Duel of {a} and {b}, {self.deals:,} deals>"

    def __str__(self) -> str:
        """The summary and a plain table."""
        return plain_text(self)

    def _repr_html_(self) -> str:
        """The verdict and the table, for a notebook."""
        return to_html(self)

    def to_dict(self) -> dict[str, Any]:
        """The document of schema `SCHEMA`: plain Python values only, nan as None."""
        asked = self.asked_for
        interrupted = {} if self.asked is None else {"asked": self.asked, "partial": True}
        lead = self.rounds_to_lead
        return {
            "schema": SCHEMA,
            "simdom": self.version,
            "rules_version": self.rules_version,
            "variant": asked.variant.name,
            "rules": rules_to_dict(asked.rules),
            "strategies": list(self.strategies),
            "strategy_details": asked.details,
            "seatings": [names_at(seating, self.strategies) for seating in self.seatings],
            "seed": asked.seed,
            "deals": self.deals,
            "rounds": self.rounds,
            **interrupted,
            **plain_precision(asked.limits.until, reached=self.reached),
            "confidence": asked.confidence,
            **{name: plain_estimate(figure) for name, figure in self._figures()},
            "rounds_to_lead": None
            if lead is None
            else dict(zip(("estimate", "low", "high"), lead, strict=True)),
            "pairing": None if math.isnan(self.figures.pairing) else self.figures.pairing,
            "seconds": self.seconds,
            "threads": asked.where.workers,
            "command": self.command,
        }

    def _figures(self) -> Iterator[tuple[str, Estimate]]:
        for name, figure in self.figures._asdict().items():
            if isinstance(figure, Estimate):
                yield name, figure

    def to_json(self) -> str:
        """`to_dict` as text; numbers in full precision."""
        return json_text(self.to_dict())

    def to_csv(self) -> str:
        """The columns of `to_frame` as text, in full precision; what is not defined is empty."""
        return csv_text(_HEADER, self._records())

    def to_frame(self) -> "pd.DataFrame":
        """One row for each figure.

        Returns:
            A DataFrame with the columns ``strategy_a``, ``strategy_b``, ``metric``, ``estimate``,
            ``se``, ``low``, ``high``, ``count`` (rounds, of a share of rounds) and ``sd`` (from
            deal to deal, of a mean).
        """
        import pandas as pd

        frame = pd.DataFrame(self._records(), columns=list(_HEADER))
        real = dict.fromkeys(("estimate", "se", "low", "high", "sd"), "float64")
        return frame.astype({"count": "Int64"} | real)

    def _records(self) -> list[dict[str, Any]]:
        a, b = self.strategies
        return [
            {"strategy_a": a, "strategy_b": b, "metric": name, **plain_estimate(figure)}
            for name, figure in self._figures()
        ]

    def plot(self, path: str | Path | None = None) -> Picture:
        """Draw how points are spread, by round and deal, as a picture or into a PNG, SVG or PDF.

        Args:
            path: a file to save it in, too; one that is there already is replaced.

        Raises:
            UsageError: as `simdom.plots.style.check_plot_path`.
            RunError: the file cannot be written; what was there before is still there.
        """
        return plot_duel(self.to_plot(), path)

    def to_plot(self) -> DuelPlot:
        """What `plot` draws."""
        return plot_of(self)
