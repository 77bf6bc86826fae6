"""The same of duels, ladders, claims and chances, and of documents without figures."""

from collections.abc import Iterator
from typing import Any

from pydantic import Field, model_validator

from simdom.catalogue.figures import Found, Given, Plain, in_words
from simdom.catalogue.shapes import (
    MAIN_DIFFERENCES,
    OfGame,
    Shape,
    each_figure,
    label_difference,
    plural,
)
from simdom.errors import brief

__all__ = [
    "CalibrationShape",
    "CheckpointShape",
    "DifferenceShape",
    "DuelShape",
    "LadderShape",
    "ListShape",
    "OddsShape",
    "RefereeShape",
    "ReproductionShape",
    "RoundShape",
    "TableShape",
]


class DuelShape(OfGame):
    """``simdom.duel``."""

    win_rate: Given
    loss_rate: Given
    tie_rate: Given
    win_edge: Given
    points_per_round: Given
    luck_share: Given
    skill_share: Given
    rest_share: Given

    def figures(self) -> Iterator[Found]:
        """Of the first strategy against the second."""
        a, b = (*self.strategies, "", "")[:2]
        for name, given in self:
            if isinstance(given, Given):
                yield Found(name, given, a, b)

    def gist(self) -> list[str]:
        """See `Shape`."""
        labels = {"win_rate": "wins", "points_per_round": "points a round", "skill_share": "skill"}
        return [
            f"{labels[found.metric]} {in_words(found)}"
            for found in self.figures()
            if found.metric in labels
        ]

    def play(self) -> str:
        """See `Shape`."""
        return " against ".join(self.strategies)


class LadderShape(OfGame):
    """``simdom.ladder``."""

    ratings: list[dict[str, Any]]
    crosstable: dict[str, dict[str, dict[str, Any]]]

    def figures(self) -> Iterator[Found]:
        """Of each strategy against all others together, and against each."""
        for standing in self.ratings:
            yield from _pick(standing, str(standing.get("strategy")))
        for row, others in self.crosstable.items():
            for column, meeting in others.items():
                yield from _pick(meeting, row, column)

    def gist(self) -> list[str]:
        """The ratings of the best three."""
        rated = [found for found in self.figures() if found.metric == "rating"]
        return [f"{found.part} {in_words(found)}" for found in rated[:3]]

    def play(self) -> str:
        """See `Shape`."""
        return ", ".join(self.strategies)


def _pick(content: dict[str, Any], part: str, against: str = "") -> Iterator[Found]:
    """What in an entry is an estimate."""
    for name, given in content.items():
        if isinstance(given, dict) and "estimate" in given:
            yield Found(name, Given.model_validate(given), part, against)


class _Judged(Given):
    rounds: int | None = Field(default=None, ge=0, le=10**17)
    verdict: str = ""


class _Claim(Plain):
    id: str
    printed: str = ""
    metric: str | None = None
    value: float | None = None
    verdict: str | None = None
    strategies: dict[str, _Judged] = Field(default={})


class ReproductionShape(Shape):
    """``simdom.reproduction``."""

    title: str = ""
    claims: list[_Claim]

    def subject(self) -> str:
        """See `Shape`."""
        return self.title

    def play(self) -> str:
        """See `Shape`."""
        return plural(len({name for claim in self.claims for name in claim.strategies}), "way")

    def figures(self) -> Iterator[Found]:
        """Of each claim under each strategy; counted claims have their chance."""
        for claim in self.claims:
            for name, judged in claim.strategies.items():
                yield Found(claim.id, judged, name, trials=judged.rounds)
            if claim.value is not None:
                yield Found(claim.id, _exact(claim.value))

    def gist(self) -> list[str]:
        """How many claims hold under some strategy, or exactly."""
        held = sum(
            claim.verdict == _INSIDE
            or any(judged.verdict == _INSIDE for judged in claim.strategies.values())
            for claim in self.claims
        )
        return [f"{held} of {plural(len(self.claims), 'claim')} met, exactly or by a strategy"]


_INSIDE = "inside"


def _exact(value: float) -> Given:
    return Given(estimate=value, se=0.0, low=value, high=value)


class _Fit(Plain):
    weights: dict[str, int | float]
    figures: dict[str, _Judged]

    @property
    def words(self) -> str:
        return ", ".join(f"{name} {weight:g}" for name, weight in self.weights.items()) or "none"


class CalibrationShape(Shape):
    """``simdom.calibration``."""

    claims: list[_Claim]
    strategy: _Fit | None = None
    fits: list[_Fit] = Field(default=[])
    rejected: list[_Fit] = Field(default=[])
    nearest: list[_Fit] = Field(default=[])

    def subject(self) -> str:
        """See `Shape`."""
        return " and ".join(claim.printed for claim in self.claims)

    def play(self) -> str:
        """See `Shape`."""
        return "" if self.strategy is None else self.strategy.words

    def figures(self) -> Iterator[Found]:
        """Of each row of weights, by claim; the row found comes first."""
        found = [] if self.strategy is None else [self.strategy]
        rows: dict[str, _Fit] = {}
        for fit in (*found, *self.fits, *self.rejected, *self.nearest):
            rows.setdefault(fit.words, fit)
        for words, fit in rows.items():
            for claim, judged in fit.figures.items():
                yield Found(claim, judged, words, trials=judged.rounds)

    def gist(self) -> list[str]:
        """The row that was found, with its figures."""
        if self.strategy is None:
            return ["no weights found"]
        return [
            f"{claim} {in_words(Found(claim, judged))}"
            for claim, judged in self.strategy.figures.items()
        ]


class OddsShape(Shape):
    """``simdom.odds``: exact, so its intervals have no width."""

    question: str = ""
    value: float | None = None
    fraction: str | None = None
    distribution: list[dict[str, Any]] = Field(default=[])

    def subject(self) -> str:
        """See `Shape`."""
        return self.asked if isinstance(self.asked, str) else self.question

    def figures(self) -> Iterator[Found]:
        """The chance; of each outcome, if there are several."""
        if self.value is not None:
            yield Found(self.question, _exact(self.value))
        for outcome in self.distribution:
            value = outcome.get("value")
            if isinstance(value, float):
                yield Found(self.question, _exact(value), str(outcome.get("outcome")))

    def gist(self) -> list[str]:
        """The chance, or how many outcomes there are."""
        if self.value is not None:
            fraction = self.fraction or ""
            short = f" ({fraction})" if 0 < len(fraction) <= _SHORT else ""
            return [f"exactly {self.value:.6g}{short}"]
        return [plural(len(self.distribution), "outcome")]


_SHORT = 20  # characters of a fraction that a person reads at a glance


class RoundShape(OfGame):
    """``simdom.round``."""

    end: str | None = None
    winner: int | None = None
    points: int | None = None
    round: int | None = None

    def gist(self) -> list[str]:
        """How it ended."""
        who = "nobody wins" if self.winner is None else f"seat {brief(self.winner)} wins"
        told = [] if self.end is None else [self.end, who]
        return told if self.points is None else [*told, f"{brief(self.points)} points"]


class RefereeShape(OfGame):
    """``simdom.referee``."""

    legal: bool
    problems: list[dict[str, Any]]

    def gist(self) -> list[str]:
        """Whether rules were broken."""
        return ["legal" if self.legal else plural(len(self.problems), "problem")]


class _OfTwo(OfGame):
    name: str
    metrics: dict[str, Given | list[Given]]


class DifferenceShape(Shape):
    """``simdom.difference``: of two saved results."""

    results: list[_OfTwo]
    paired: bool
    differences: dict[str, Given | list[Given]]

    @property
    def trials(self) -> tuple[int | None, str]:
        """Those of the first."""
        return self.results[0].trials if self.results else (None, "")

    def subject(self) -> str:
        """See `Shape`."""
        return " and ".join(result.name for result in self.results)

    def play(self) -> str:
        """See `Shape`."""
        return ", ".join(dict.fromkeys(result.play() for result in self.results))

    def figures(self) -> Iterator[Found]:
        """Of each result, and the other less the first."""
        for result in self.results:
            for metric, given in result.metrics.items():
                yield from each_figure(metric, given, result.name)
        first, other = (*(result.name for result in self.results), "", "")[:2]
        for metric, given in self.differences.items():
            yield from each_figure(metric, given, other, first)

    def gist(self) -> list[str]:
        """How it was made, and a difference."""
        way = "paired" if self.paired else "independent"
        found = [f for f in self.figures() if f.against and f.metric in MAIN_DIFFERENCES]
        return [way, *(label_difference(each) for each in found)]


class ListShape(Shape):
    """Documents without figures that are estimates: what simdom knows, and how fast it is."""


class TableShape(ListShape):
    """What is played by hand: its seed is not told, since a match may still go on."""

    variant: str = ""

    @model_validator(mode="before")
    @classmethod
    def _leave_out(cls, content: dict[str, Any]) -> dict[str, Any]:
        """All but the seed, and the rounds, which are a list here and no count."""
        return {key: value for key, value in content.items() if key not in ("seed", "rounds")}

    def subject(self) -> str:
        """See `Shape`."""
        return self.variant


_MANY = 10**17  # more rounds than any run has


class _Job(Plain):
    kind: str
    unit: str
    said: str = ""
    identity: dict[str, Any] = Field(default={})


class CheckpointShape(Shape):
    """``simdom.checkpoint``: exact sums of a run, to go on from."""

    job: _Job
    done: int = Field(ge=0, le=10**17)
    asked: int | None = Field(default=None, ge=0, le=10**17)

    @property
    def trials(self) -> tuple[int | None, str]:
        """Those that were played so far."""
        return self.done, self.job.unit

    @property
    def begin(self) -> int:
        """See `Shape`."""
        first = self.job.identity.get("first")
        return first if isinstance(first, int) and 0 <= first < _MANY else 0

    def subject(self) -> str:
        """See `Shape`."""
        return self.job.said
