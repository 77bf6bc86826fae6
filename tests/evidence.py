"""Whether figures agree with exact ones, by the odds of seeing them.

Each check fails when what was seen, or something further off, would be seen less often than once
in a million if the engine is right: these are its false-alarm odds. Seeds are fixed, so a check
that passes once passes always.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

from scipy import stats

FALSE_ALARM = 1e-6
Z_BOUND = float(stats.norm.isf(FALSE_ALARM / 2))  # 4.89


def check_rate(count: int, rounds: int, exact: Fraction | float | str) -> None:
    """``count`` of ``rounds`` is not too far from the exact probability (binomial tails)."""
    p = float(Fraction(exact))
    if p in (0.0, 1.0):
        assert count == rounds * p
        return
    law = stats.binom(rounds, p)
    tail = 2 * min(law.cdf(count), law.sf(count - 1))
    z = (count - rounds * p) / sqrt(rounds * p * (1 - p))
    assert tail > FALSE_ALARM, f"{count} of {rounds}, expected {rounds * p:.1f}: z = {z:.2f}"


def check_mean(mean: float, sd: float, rounds: int, exact: Fraction | float | str) -> None:
    """A mean of ``rounds`` values with this standard deviation is not too far from the exact."""
    exact = float(Fraction(exact))
    if sd == 0.0:
        assert mean == exact
        return
    z = (mean - exact) / (sd / sqrt(rounds))
    assert abs(z) < Z_BOUND, f"{mean} is not {exact}: z = {z:.2f}"


def check_counts(counts: Sequence[int], law: Sequence[Fraction | float]) -> None:
    """Counts of all outcomes fit their exact law: chi-square, rare outcomes pooled."""
    total = sum(counts)
    assert abs(float(sum(law)) - 1) < 1e-12
    assert all(count == 0 for count, p in zip(counts, law, strict=True) if p == 0)
    cells = [(float(p), count) for count, p in zip(counts, law, strict=True) if p > 0]
    cells.sort(key=lambda cell: cell[0])  # by the law alone: what was seen must not pool itself
    seen, expected = [0.0], [0.0]
    for p, count in cells:
        if expected[-1] >= 10:
            seen.append(0.0)
            expected.append(0.0)
        seen[-1] += count
        expected[-1] += total * p
    assert len(seen) > 1, "too few rounds for this law"
    chi_square = sum((s - e) ** 2 / e for s, e in zip(seen, expected, strict=True))
    tail = stats.chi2.sf(chi_square, len(seen) - 1)
    assert tail > FALSE_ALARM, f"chi-square {chi_square:.1f} of {len(seen) - 1} degrees"
