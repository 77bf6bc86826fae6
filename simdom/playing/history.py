"""All first tries of the daily rounds, and how a person does over them."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

from simdom._version import __version__
from simdom.errors import SimdomError
from simdom.estimate import Estimate, mean_of_sums
from simdom.playing.daily import PLAYERS, VARIANT, Try, load_try
from simdom.playing.saving import read_sealed
from simdom.rules import RULES_VERSION, rules_to_dict
from simdom.variants import load_variant

__all__ = ["ENOUGH", "History", "Standing", "load_history"]

SCHEMA = "simdom.history/1"
ENOUGH = 10
"""Days from which a mean has an interval that is worth something."""


class Standing(NamedTuple):
    """How a person does against one strategy.

    Attributes:
        against: its name.
        days: rounds that are over.
        points: the mean of a day; its interval is nan below `ENOUGH` days.
        over_par: the mean of the points above those of the strategy in the person's place.
    """

    against: str
    days: int
    points: Estimate
    over_par: Estimate


class History(NamedTuple):
    """First tries by date, and what could not be read, a line each."""

    tries: list[Try]
    problems: list[str]

    def standings(self, confidence: float = 0.95) -> list[Standing]:
        """One for each strategy that was played against, in the order of the first day."""
        over: dict[str, list[Try]] = {}
        for one in self.tries:
            if one.points is not None:
                over.setdefault(one.against.name, []).append(one)
        return [
            Standing(
                name,
                len(tries),
                _mean([one.points or 0 for one in tries], confidence),
                _mean([(one.points or 0) - (one.par or 0) for one in tries], confidence),
            )
            for name, tries in over.items()
        ]

    def to_dict(self, confidence: float = 0.95) -> dict[str, Any]:
        """The document of schema `SCHEMA`."""
        return {
            "schema": SCHEMA,
            "simdom": __version__,
            "rules_version": RULES_VERSION,
            "variant": VARIANT,
            "rules": rules_to_dict(load_variant(VARIANT).rules(PLAYERS)),
            "confidence": confidence,
            "days": [
                {
                    "date": str(one.date),
                    "begun": str(one.begun),
                    "against": one.against.name,
                    "points": one.points,
                    "par": one.par,
                    "end": one.end,
                }
                for one in self.tries
            ],
            "standings": [
                {
                    "against": standing.against,
                    "days": standing.days,
                    "points": _plain(standing.points),
                    "over_par": _plain(standing.over_par),
                }
                for standing in self.standings(confidence)
            ],
            "problems": self.problems,
        }


def load_history(folder: Path) -> History:
    """All first tries in a folder; a file that cannot be read is named, and stops nothing."""
    tries, problems = [], []
    for path in sorted(folder.glob("*.json")):
        if path.name.startswith("."):
            continue
        try:
            tries.append(load_try(path, read_sealed(path)))
        except FileNotFoundError:
            continue  # it was moved away at this moment
        except SimdomError as error:
            text = str(error)
            problems.append(text if text.startswith(str(path)) else f"{path}: {text}")
    return History(sorted(tries, key=lambda one: one.date), problems)


def _mean(values: Sequence[int], confidence: float) -> Estimate:
    total, squares = sum(values), sum(value * value for value in values)
    mean = mean_of_sums(len(values), total, squares, confidence)
    if len(values) >= ENOUGH:
        return mean
    return replace(mean, se=nan, low=nan, high=nan)


def _plain(mean: Estimate) -> dict[str, float | None]:
    """A mean as JSON has it, which has no nan."""
    values = {"mean": mean.estimate, "se": mean.se, "low": mean.low, "high": mean.high}
    return {name: None if isnan(value) else value for name, value in values.items()}
