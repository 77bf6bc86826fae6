"""The checks of ``evidence.py`` must themselves be able to fail."""

import pytest

from evidence import check_counts, check_mean, check_rate


def test_rates():
    check_rate(50_300, 100_000, "1/2")
    with pytest.raises(AssertionError, match="z = 5"):
        check_rate(50_800, 100_000, "1/2")
    check_rate(5, 1_000_000, 1e-6)
    with pytest.raises(AssertionError):
        check_rate(12, 1_000_000, 1e-6)
    check_rate(0, 1000, 0)
    with pytest.raises(AssertionError):
        check_rate(1, 1000, 0)


def test_means():
    check_mean(0.048, 1.0, 10_000, "0")
    with pytest.raises(AssertionError, match="z = 5"):
        check_mean(0.05, 1.0, 10_000, "0")
    with pytest.raises(AssertionError):
        check_mean(0.05, 0.0, 10_000, "0")


def test_counts():
    check_counts([1010, 990, 1000, 0], [1 / 3, 1 / 3, 1 / 3, 0])
    with pytest.raises(AssertionError, match="chi-square"):
        check_counts([1150, 850, 1000, 0], [1 / 3, 1 / 3, 1 / 3, 0])
    with pytest.raises(AssertionError):
        check_counts([1000, 999, 1000, 1], [1 / 3, 1 / 3, 1 / 3, 0])
    with pytest.raises(AssertionError, match="too few"):
        check_counts([3, 2], [0.5, 0.5])
    many_rare = [0.9] + [0.001] * 100
    check_counts([9000] + [10] * 100, many_rare)
    check_counts([900] + [2, 0] * 50, many_rare)
