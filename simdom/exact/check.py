"""Exact chances held against simulated deals: estimates, z-scores, and whether they agree."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from simdom.counts import check_whole, format_count
from simdom.document import plain_estimate
from simdom.estimate import Estimate, estimate_mean, estimate_rate
from simdom.exact.asked import Asked
from simdom.exact.sample import count_alike_deals, count_outcomes

__all__ = ["Check", "Checked", "check_law", "check_number"]

MOST_DEALS = 10**8
MOST_SEED = 2**64 - 1
FALSE_ALARM = 1e-6
"""How often a right answer would be said not to agree."""

Progress = Callable[[int, int], None] | None


class Checked(NamedTuple):
    """An exact figure as it came up in a simulation.

    Attributes:
        estimate: with its interval at 95%.
        z: how far it is from the exact figure, in standard errors of the exact law; None if the
            exact figure leaves nothing to chance.
        common: whether it was to be expected, and its opposite, often enough for z to follow the
            normal law.
    """

    estimate: Estimate
    z: float | None
    common: bool = True

    def to_dict(self) -> dict[str, float | int | None]:
        """The estimate as result documents have it, and z."""
        return {**plain_estimate(self.estimate), "z": self.z}


class Check(NamedTuple):
    """A simulation of what was answered exactly.

    Attributes:
        rounds: deals that were looked at.
        seed: of the shuffles.
        outcomes: by the outcomes of the law.
        chance: the one chance that answers the question; None if it has none.
        mean: of a law over numbers; else None.
        agrees: whether a right answer would be as far off, or further, at least once in a
            million times.
    """

    rounds: int
    seed: int
    outcomes: dict[int | None, Checked]
    chance: Checked | None
    mean: Checked | None
    agrees: bool

    @property
    def options(self) -> str:
        """How a command line asks for it."""
        return f"--check -n {format_count(self.rounds)} --seed {self.seed}"

    def summary(self) -> str:
        """What came of it, in a sentence."""
        deals = f"{self.rounds:,} simulated deal{'' if self.rounds == 1 else 's'}"
        verdict = "this agrees" if self.agrees else "this does not agree"
        return f"In {deals}, seed {self.seed}, {self._scores()}: {verdict}."

    def _scores(self) -> str:
        """The z-scores that matter, in words; those of rare outcomes follow no usual law."""
        if self.chance is not None:
            return "nothing is left to chance" if self.chance.z is None else _score(self.chance.z)
        scores = [each.z for each in self.outcomes.values() if each.z is not None and each.common]
        if not scores:
            certain = all(each.z is None for each in self.outcomes.values())
            return "nothing is left to chance" if certain else "every outcome is rare"
        furthest = _score(max(scores, key=abs))
        which = f"{len(scores)} that are expected {_COMMON} times or more"
        which = f"{len(scores)} outcomes" if len(scores) == len(self.outcomes) else which
        mean = (
            "" if self.mean is None or self.mean.z is None else f", the mean {_score(self.mean.z)}"
        )
        return f"the furthest off of {which} has {furthest}{mean}"

    def to_dict(self) -> dict[str, Any]:
        """Deals, seed and verdict, with the figures that are not one outcome's."""
        plain: dict[str, Any] = {"rounds": self.rounds, "seed": self.seed, "agrees": self.agrees}
        for name, checked in (("chance", self.chance), ("mean", self.mean)):
            if checked is not None:
                plain[name] = checked.to_dict()
        return plain


def check_law(
    asked: Asked,
    law: Mapping[int | None, Fraction],
    rounds: float,
    seed: int,
    progress: Progress = None,
) -> Check:
    """Deal, and hold what came up against a law.

    The verdict goes by exact binomial tails, the smallest of them times the number of outcomes,
    for z-scores are no guide to rare outcomes.

    Args:
        asked: the question.
        law: the chance of each outcome.
        rounds: deals to look at, from 1 to 1e8.
        seed: 0 to 2**64 - 1.
        progress: called now and then with the deals looked at and all of them.

    Raises:
        UsageError: ``rounds`` or ``seed`` is out of its range.
    """
    rounds = check_whole("rounds", rounds, 1, MOST_DEALS)
    seed = check_whole("seed", seed, 0, MOST_SEED)
    counts = count_outcomes(asked, rounds, seed, progress)
    shown = [1] if asked.kind == "chance" else list(law)
    outcomes = {
        outcome: _check_rate(counts[outcome], rounds, law.get(outcome, Fraction(0)))
        for outcome in shown
    }
    tails = [_tail(counts[outcome], rounds, law.get(outcome, Fraction(0))) for outcome in shown]
    impossible = sum(count for outcome, count in counts.items() if not law.get(outcome))
    chance = None
    if asked.kind == "chance":
        chance = outcomes[1]
    elif asked.question == "missing":
        none = Fraction(0)
        chance = _check_rate(rounds - counts[0], rounds, 1 - law.get(0, none))
    is_over_numbers = asked.kind == "law" and None not in law
    return Check(
        rounds=rounds,
        seed=seed,
        outcomes=outcomes,
        chance=chance,
        mean=_check_mean(counts, law) if is_over_numbers else None,
        agrees=not impossible and min(tails) * len(tails) >= FALSE_ALARM,
    )


def check_number(
    asked: Asked, number: int, rounds: float, seed: int, progress: Progress = None
) -> Check:
    """Deal, and look how often two deals are equal: if there are D, one pair in D is.

    Any two of n deals are equal with chance 1/D, whatever the other pairs are, so the number of
    equal pairs has the mean p * n(n-1)/2 and the variance of as many independent pairs. In few
    deals of many, none is expected, and the check says little.

    Args:
        asked: what is dealt.
        number: D.
        rounds: deals to look at, from 1 to 1e7.
        seed: 0 to 2**64 - 1.
        progress: called now and then with the deals looked at and all of them.

    Raises:
        UsageError: ``rounds`` or ``seed`` is out of its range.
    """
    rounds = check_whole("rounds", rounds, 1, MOST_DEALS)
    seed = check_whole("seed", seed, 0, MOST_SEED)
    pairs = rounds * (rounds - 1) // 2
    alike = count_alike_deals(asked, rounds, seed, progress)
    checked = _check_rate(alike, pairs, Fraction(1, number))
    expected = float(Fraction(pairs, number))
    # Pairs are not quite independent, so the tails are approximate: the odds are wider than usual.
    agrees = abs(alike - expected) <= _FAR * math.sqrt(expected) + _FAR
    return Check(rounds, seed, {1: checked}, checked, None, agrees)


_FAR = 6.0
_COMMON = 10


def _check_rate(count: int, rounds: int, exact: Fraction) -> Checked:
    variance = exact * (1 - exact)
    z = None
    if variance and rounds:
        z = float(count - rounds * exact) / math.sqrt(rounds * variance)
    common = rounds * min(exact, 1 - exact) >= _COMMON
    return Checked(estimate_rate(count, rounds), z, common)


def _check_mean(counts: Mapping[int | None, int], law: Mapping[int | None, Fraction]) -> Checked:
    most = max(outcome for outcome in (*law, *counts) if outcome is not None)
    histogram = [counts.get(outcome, 0) for outcome in range(most + 1)]
    exact = sum((n * p for n, p in law.items() if n is not None), Fraction(0))
    squares = sum((n * n * p for n, p in law.items() if n is not None), Fraction(0))
    variance = squares - exact * exact
    rounds = sum(histogram)
    total = sum(outcome * count for outcome, count in enumerate(histogram))
    z = float(total - rounds * exact) / math.sqrt(rounds * variance) if variance else None
    return Checked(estimate_mean(histogram), z)


def _score(z: float) -> str:
    return f"z = {z:+.2f}"


def _tail(count: int, rounds: int, exact: Fraction) -> float:
    """How often a count would be as far off, or further, on this side; doubled for either."""
    from scipy.stats import binom

    law = binom(rounds, float(exact))
    return float(2 * min(law.cdf(count), law.sf(count - 1)))
