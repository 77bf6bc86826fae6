"""How often intervals hold the true value where a run stops as soon as they are narrow enough.

A run that looks again and again and stops when it likes what it sees could, by that alone, stop too
often where the figures happen to look sure. This plays the stopping rule of `--until` many times
on numbers whose true mean is known, and counts. docs/statistics.md has what it prints.

    python scripts/coverage_of_stopping.py [RUNS]
"""

import math
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from simdom import simulate
from simdom.estimate import Estimate, estimate_mean, estimate_rate
from simdom.running.stopping import FIRST_LOOK, half_width, look, next_look

CONFIDENCE = 0.95
SEED = 20261130


class Coverage(NamedTuple):
    """What came of many runs.

    Attributes:
        runs: how many.
        held: those whose interval holds the true value.
        looks: a run, on average.
        trials: a run, on average.
        width: half of the intervals, on average.
        bias: the mean of the estimates less the true value, in standard errors of a run.
    """

    runs: int
    held: int
    looks: float
    trials: float
    width: float
    bias: float

    @property
    def share(self) -> float:
        """Of intervals that hold the true value."""
        return self.held / self.runs


def stop_many(
    draw: Callable[[int], np.ndarray],
    estimate: Callable[[np.ndarray, int], Estimate],
    truth: float,
    width: float,
    runs: int,
) -> Coverage:
    """Run until the half-width is ``width``, again and again.

    Args:
        draw: sums of so many new trials, which add up.
        estimate: the figure of such sums over so many trials.
        truth: what it estimates.
        width: half-width to stop at.
        runs: how many.
    """
    held = looks = trials = 0
    widths, deviations = [], []
    for _ in range(runs):
        n, sums, goal = 0, draw(0), FIRST_LOOK
        while True:
            sums = sums + draw(goal - n)
            n = goal
            found = estimate(sums, n)
            looks += 1
            seen = look(n, {"it": half_width(found)}, {"it": width})
            if seen.is_enough:
                break
            goal = next_look(seen)
        held += found.low <= truth <= found.high
        trials += n
        widths.append(half_width(found))
        deviations.append((found.estimate - truth) / found.se if found.se else 0.0)
    return Coverage(
        runs, held, looks / runs, trials / runs, float(np.mean(widths)), float(np.mean(deviations))
    )


def stop_rates(p: float, width: float, runs: int, seed: int = SEED) -> Coverage:
    """A rate whose true value is ``p``."""
    generator = np.random.default_rng([seed, int(p * 1e9), int(width * 1e9)])
    return stop_many(
        lambda n: np.array([generator.binomial(n, p)]),
        lambda sums, n: estimate_rate(int(sums[0]), n, CONFIDENCE),
        p,
        width,
        runs,
    )


def stop_means(law: dict[int, float], width: float, runs: int, seed: int = SEED) -> Coverage:
    """A mean of whole numbers from 0 that have these probabilities."""
    generator = np.random.default_rng([seed, len(law), int(width * 1e9)])
    shares = np.array([law.get(value, 0.0) for value in range(max(law) + 1)])
    truth = float(shares @ np.arange(len(shares)))
    return stop_many(
        lambda n: generator.multinomial(n, shares),
        lambda sums, _: estimate_mean(sums.tolist(), CONFIDENCE),
        truth,
        width,
        runs,
    )


def law_of_points(rounds: int = 1_000_000) -> dict[int, float]:
    """How the points of a round of Draw are spread, which stands for the true law here."""
    counted = simulate("pagat-draw", rounds, seed=1).distribution("points")
    return {int(value): count / rounds for value, count in counted.items()}


CASES = ((0.5, 0.005), (0.5, 0.002), (0.2, 0.004), (0.2, 0.001), (0.003, 0.0005), (0.003, 0.0002))
WIDTHS = (0.2, 0.1)


def main() -> None:
    """Print the table."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    print("| figure | asked for | coverage | looks | trials | bias |")
    print("|---|---:|---:|---:|---:|---:|")
    law = law_of_points()
    found = [(f"a rate of {p:g}", w, stop_rates(p, w, runs)) for p, w in CASES]
    found += [("points of a round of Draw", w, stop_means(law, w, runs)) for w in WIDTHS]
    for name, width, coverage in found:
        error = 1.96 * math.sqrt(coverage.share * (1 - coverage.share) / runs)
        print(
            f"| {name} | ±{width:g} | {coverage.share:.2%} ± {error:.2%} | {coverage.looks:.1f} | "
            f"{coverage.trials:,.0f} | {coverage.bias:+.3f} |"
        )


if __name__ == "__main__":
    main()
