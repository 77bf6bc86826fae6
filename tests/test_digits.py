"""Figures as people read them: to the digits that their intervals give them, and true."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simdom.estimate import Estimate, estimate_mean, estimate_rate, format_estimate, format_parts

confidences = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
counts_of_trials = st.integers(1, 10**12).flatmap(
    lambda total: st.tuples(st.integers(0, total), st.just(total))
)


@pytest.mark.parametrize(
    ("count", "total", "text"),
    [
        (2_020_000, 10_000_000, "20.200% ± 0.025"),
        (20_200, 100_000, "20.20% ± 0.25"),
        (202, 1000, "20.2% ± 2.6"),
        (6562, 10_000, "65.6% ± 0.9"),
        (50, 100, "50% ± 10"),
        (500_000, 1_000_000, "50.00% ± 0.10"),
        (10**9 // 3, 10**9, "33.3333% ± 0.0029"),
        # few of them, or nearly all: the interval is lopsided, so both of its ends are written
        (0, 1_000_000, "0% (0 to 0.0004)"),
        (1, 1_000_000, "0.000100% (0.000017 to 0.000567)"),
        (31, 10_000_000, "0.00031% (0.00021 to 0.00045)"),
        (30, 10_000, "0.30% (0.21 to 0.43)"),
        (3, 10, "30% (10 to 61)"),
        (999_999, 1_000_000, "99.999900% (99.999433 to 99.999983)"),
        (1_000_000, 1_000_000, "100% (99.9996 to 100)"),
        (0, 1, "0% (0 to 80)"),
        (1, 1, "100% (20 to 100)"),
        (1, 2, "50% ± 41"),
        (0, 0, "undefined"),
    ],
)
def test_format_of_a_rate(count, total, text):
    assert format_estimate(estimate_rate(count, total), "rate") == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (12.333, 12.357, "12.345 ± 0.012"),
        (12.3415, 12.3485, "12.3450 ± 0.0035"),  # 35 of 100 to 354: two digits
        (12.3409, 12.3491, "12.345 ± 0.004"),  # 41 of 355 to 949: one digit
        (12.3354, 12.3546, "12.345 ± 0.010"),  # 96 of 950 to 999: rounds to 10, two digits
        (2.345, 22.345, "12 ± 10"),
        (-2000.0, 2024.69, "12 ± 2012"),  # never to tens or hundreds
        (12.34499, 12.34501, "12.345000 ± 0.000010"),
    ],
)
def test_format_of_a_mean(low, high, text):
    assert format_estimate(Estimate(12.345, 1.0, low, high, sd=1.0), "mean") == text


def test_format_of_a_mean_without_interval():
    assert format_estimate(estimate_mean([0, 0, 1]), "mean") == "2 (one round)"
    assert format_estimate(estimate_mean([0, 0, 9]), "mean") == "2 (in every round)"
    assert format_estimate(estimate_mean([]), "mean") == "undefined"


@given(counts_of_trials, confidences)
def test_what_is_written_is_true(trial, confidence):
    estimate = estimate_rate(*trial, confidence)
    value, interval = format_parts(estimate, "rate")
    decimals = len(value.rstrip("%").partition(".")[2])
    figure = float(value.rstrip("%"))
    assert figure == pytest.approx(100 * estimate.estimate, abs=0.51 * 10.0**-decimals)
    if interval.startswith("± "):
        digits = interval.removeprefix("± ").replace(".", "").lstrip("0")
        assert 1 <= len(digits) <= 2
        width = 100 * max(estimate.high - estimate.estimate, estimate.estimate - estimate.low)
        assert float(interval.removeprefix("± ")) == pytest.approx(width, rel=0.16)
        return
    low, high = map(float, re.fullmatch(r"\(([\d.]+) to ([\d.]+)\)", interval).groups())
    slack = 1e-13 * 100
    assert low <= 100 * estimate.low + slack
    assert high >= 100 * estimate.high - slack
    assert low > 0 or estimate.count == 0
    assert high < 100 or estimate.count == trial[1]


def test_digits_do_not_depend_on_the_locale_or_on_luck():
    rng = random.Random(1)
    for _ in range(200):
        total = rng.randrange(1, 10**9)
        estimate = estimate_rate(rng.randrange(total + 1), total)
        assert re.fullmatch(
            r"\d+(\.\d+)?% (± \d+(\.\d+)?|\(\d+(\.\d+)? to \d+(\.\d+)?\))",
            format_estimate(estimate, "rate"),
        )
