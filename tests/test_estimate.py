"""Estimates: worked by hand, against scipy, and by how often their intervals cover the truth."""

import math
import re
import statistics
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from samples import DRAW, ROUNDS_OF_DRAW, Round, tally_of
from simdom.engine.tally import merge, new_tally
from simdom.errors import UsageError
from simdom.estimate import (
    GROUPS,
    METRICS,
    check_confidence,
    check_metrics,
    distributions,
    estimate_mean,
    estimate_metrics,
    estimate_rate,
)
from simdom.match_metrics import ALL_METRICS
from simdom.rules import BlockScore, Boneyard, Rules

STATISTICS = Path(__file__).parents[1] / "docs" / "statistics.md"


@pytest.fixture(scope="module")
def metrics():
    return estimate_metrics(tally_of(ROUNDS_OF_DRAW), DRAW)


# --- the metrics ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "count", "rate"),
    [
        ("blocked_rate", 2000, 0.2),  # 1200 + 300 + 400 + 100
        ("tie_rate", 100, 0.01),
        ("no_double_rate", 30, 0.003),
        ("opener_win_rate", 7500, 0.75),  # 5970 + 30 + 1200 + 300
        ("first_reply_stuck_rate", 1200, 0.12),
        ("dead_after_opening_rate", 0, 0.0),
        ("redeal_rate", 0, 0.0),
    ],
)
def test_rate_by_hand(metrics, name, count, rate):
    assert (metrics[name].count, metrics[name].estimate) == (count, rate)
    assert metrics[name].sd is None


@pytest.mark.parametrize("name", ["seat_win_rate", "table_seat_win_rate"])
def test_rate_by_seat_by_hand(metrics, name):
    assert [(seat.count, float(seat)) for seat in metrics[name]] == [(7500, 0.75), (2400, 0.24)]


@pytest.mark.parametrize(
    ("name", "mean"),
    [
        # 6000 dominoes worth 10, 2000 worth 12, 1500 blocks of 3 against 20, 400 of 9 against 4
        ("points", 11.15),  # (60,000 + 24,000 + 1500 * 17 + 400 * 5) / 10,000
        ("points_minus_own", 11.15),
        ("points_others", 11.76),  # 1500 * 20 + 400 * 9 instead
        ("points_all_hands", 12.37),  # 1500 * 23 + 400 * 13
        ("plays", 13.36),  # (6000 * 13 + 2000 * 15 + 1500 * 12 + 400 * 14 + 100 * 20) / 10,000
        ("draws", 4.4),  # (6000 * 2 + 2000 * 4 + 2000 * 12) / 10,000
        ("passes", 0.68),  # (2000 + 1500 * 2 + 400 * 4 + 100 * 2) / 10,000
        ("boneyard_left", 9.6),  # 14 - 4.4
        ("winner_pips", 6100 / 9900),  # (1500 * 3 + 400 * 4) over the rounds that are won
    ],
)
def test_mean_by_hand(metrics, name, mean):
    assert metrics[name].estimate == mean
    assert metrics[name].count is None


def test_points_follow_the_block_score_of_the_rules():
    for block_score, mean in zip(
        BlockScore, (11.15, 11.76, 12.37, 11.15, 11.76, 11.15, 8.59), strict=True
    ):
        rules = DRAW._replace(block_score=block_score)
        assert estimate_metrics(tally_of(ROUNDS_OF_DRAW, rules), rules)["points"].estimate == mean


def test_boneyard_left_is_spread_as_the_draws_are(metrics):
    assert metrics["boneyard_left"].sd == metrics["draws"].sd
    assert metrics["boneyard_left"].se == metrics["draws"].se


def test_redeals_are_counted_among_deals():
    tally = tally_of([Round(60, 0, (0, 4)), Round(20, 0, (0, 4), redeals=2)])
    redeals = estimate_metrics(tally, DRAW)["redeal_rate"]
    assert (redeals.count, redeals.estimate) == (40, 40 / 120)
    assert redeals == estimate_rate(40, 120)


def test_nobody_wins_leaves_winner_pips_undefined():
    metrics = estimate_metrics(tally_of([Round(50, None, (7, 7), blocked=True)]), DRAW)
    assert all(math.isnan(x) for x in (metrics["winner_pips"].estimate, metrics["winner_pips"].sd))
    assert metrics["points"].estimate == 0


def test_one_round():
    metrics = estimate_metrics(tally_of([Round(1, 0, (0, 9))]), DRAW)
    points = metrics["points"]
    assert points.estimate == 9
    assert all(math.isnan(x) for x in (points.se, points.low, points.high, points.sd))
    assert (metrics["blocked_rate"].low, metrics["opener_win_rate"].high) == (0.0, 1.0)


def test_no_round_at_all_leaves_all_undefined():
    for rules in (DRAW, Rules(players=4), Rules(max_pip=18, players=14, deal=9)):
        for found in estimate_metrics(new_tally(rules), rules).values():
            for estimate in found if isinstance(found, list) else [found]:
                assert math.isnan(estimate.estimate)
        assert distributions(new_tally(rules))["pips_left"] == [{}] * rules.players


def test_a_tally_of_the_engine_has_all_that_is_read():
    tally = merge(new_tally(DRAW), new_tally(DRAW))
    tally.seat_wins[:] = 6, 4
    tally.plays[13] = 10
    tally.counts[0] = 10
    metrics = estimate_metrics(tally, DRAW)
    assert list(metrics) == list(METRICS)
    assert metrics["tie_rate"].count == 0
    assert [seat.count for seat in metrics["seat_win_rate"]] == [6, 4]


def test_metrics_are_plain_numbers(metrics):
    for name, found in metrics.items():
        for estimate in found if isinstance(found, list) else [found]:
            for column in ("estimate", "se", "low", "high"):
                assert type(getattr(estimate, column)) is float, (name, column)
            assert type(estimate.count) is (int if METRICS[name].kind == "rate" else type(None))
            assert type(estimate.sd) is (float if METRICS[name].kind == "mean" else type(None))


def test_every_metric_is_under_a_heading():
    assert {metric.group for metric in ALL_METRICS.values()} == set(GROUPS)


def test_the_glossary_is_the_registry():
    rows = re.findall(
        r"^\| `(\w+)` \| ([^|]+) \| (rate|mean|share)( by \w+)? \| ([^|]+) \| ([^|]+) \|$",
        STATISTICS.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    documented = {name: tuple(cells) for name, *cells in rows}
    assert list(documented) == list(ALL_METRICS)
    for name, metric in ALL_METRICS.items():
        label = metric.label.format(nth="2nd", seat=0, strategy="random", team="The other team")
        by = " by seat" if metric.per_seat else " by team" if metric.per_team else ""
        assert documented[name] == (label, metric.kind, by, metric.unit, metric.doc)


def test_labels_are_words():
    """What a person reads has no names of toggle values and fits a narrow column."""
    for metric in ALL_METRICS.values():
        assert "_" not in metric.label
        assert len(metric.label) <= 34


def test_an_unknown_metric_is_answered_with_the_nearest(metrics):
    for ask in (lambda name: metrics[name], lambda name: check_metrics(["points", name])):
        with pytest.raises(UsageError, match="did you mean 'blocked_rate'") as error:
            ask("block_rate")
        assert "\n" not in str(error.value)
    assert metrics.get("block_rate") is None
    assert "block_rate" not in metrics
    assert check_metrics(["points", "plays"]) == ["points", "plays"]


# --- distributions --------------------------------------------------------------------------


def test_distributions_by_hand():
    found = distributions(tally_of(ROUNDS_OF_DRAW))
    assert found == {
        "points": {"0": 100, "5": 400, "10": 6000, "12": 2000, "17": 1500},
        "plays": {"12": 1500, "13": 6000, "14": 400, "15": 2000, "20": 100},
        "draws": {"2": 6000, "4": 2000, "12": 2000},
        "passes": {"0": 6000, "1": 2000, "2": 1600, "4": 400},
        "opening_tile": {"5-5": 2000, "6-5": 30, "6-6": 7970},
        "pips_left": [
            {"0": 6000, "3": 1500, "7": 100, "9": 400, "12": 2000},
            {"0": 2000, "4": 400, "7": 100, "10": 6000, "20": 1500},
        ],
    }
    assert list(found["points"]) == ["0", "5", "10", "12", "17"]  # by value, not as text
    assert list(found["opening_tile"]) == ["5-5", "6-5", "6-6"]
    assert all(type(count) is int for count in found["points"].values())


# --- rates ----------------------------------------------------------------------------------

confidences = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
counts_of_trials = st.integers(1, 10**12).flatmap(
    lambda total: st.tuples(st.integers(0, total), st.just(total))
)


@given(counts_of_trials, confidences)
def test_wilson_is_scipys(trial, confidence):
    count, total = trial
    ours = estimate_rate(count, total, confidence)
    theirs = stats.binomtest(count, total).proportion_ci(confidence, "wilson")
    assert ours.low == pytest.approx(theirs.low, rel=1e-6, abs=1e-15)
    assert ours.high == pytest.approx(theirs.high, rel=1e-10)


@given(counts_of_trials, confidences)
def test_wilson_solves_its_equation(trial, confidence):
    """Both ends p are where (rate - p) ** 2 = z ** 2 p (1 - p) / n, in exact arithmetic."""
    count, total = trial
    estimate = estimate_rate(count, total, confidence)
    z = Fraction(stats.norm.isf((1 - confidence) / 2))
    for end in (estimate.low, estimate.high):
        p = Fraction(end)
        if p not in (0, 1):
            left = (Fraction(count, total) - p) ** 2
            assert float(left / (z**2 * p * (1 - p) / total)) == pytest.approx(1, rel=1e-4)


@given(counts_of_trials, confidences)
def test_wilson_holds_the_rate_and_mirrors(trial, confidence):
    count, total = trial
    estimate = estimate_rate(count, total, confidence)
    mirrored = estimate_rate(total - count, total, confidence)
    assert 0 <= estimate.low <= estimate.estimate <= estimate.high <= 1
    assert mirrored.low == pytest.approx(1 - estimate.high, abs=1e-15)
    assert mirrored.se == pytest.approx(estimate.se)


def test_rates_of_0_and_1():
    none, all_ = estimate_rate(0, 1000), estimate_rate(1000, 1000)
    z = 1.95996398454
    assert (none.estimate, none.se, none.low) == (0.0, 0.0, 0.0)
    assert none.high == pytest.approx(z * z / (1000 + z * z), rel=1e-11)
    assert (all_.estimate, all_.se, all_.high) == (1.0, 0.0, 1.0)
    assert all_.low == pytest.approx(1000 / (1000 + z * z), rel=1e-11)
    assert estimate_rate(0, 5, 1e-300).high == 0.0


def test_a_rate_without_trials():
    estimate = estimate_rate(0, 0)
    assert all(math.isnan(x) for x in (estimate.estimate, estimate.se, estimate.low, estimate.high))
    assert estimate.count == 0


def test_a_small_count_keeps_its_digits():
    """One in 10**12: the textbook form of the lower end loses half of its digits here."""
    low = Fraction(estimate_rate(1, 10**12).low)
    z = Fraction(1.95996398454)
    left = (Fraction(1, 10**12) - low) ** 2
    assert float(left / (z**2 * low * (1 - low) / 10**12)) == pytest.approx(1, rel=1e-9)


def exact_coverage(p, rounds):
    """The odds that a 95% interval holds p: those of every count whose interval does."""
    law = stats.binom(rounds, p)
    likely = range(int(law.ppf(1e-9)), int(law.isf(1e-9)) + 1)
    return sum(
        law.pmf(count)
        for count in likely
        if (estimate := estimate_rate(count, rounds)).low <= p <= estimate.high
    )


def test_wilson_covers_as_often_as_the_documentation_says():
    head, *rows = re.findall(
        r"^\| (true rate|[\d./]+) \| ([\d,.]+)(?: rounds|%) \| ([\d,.]+)(?: rounds|%) \|$",
        STATISTICS.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert len(rows) == 3
    for rate, *percents in rows:
        for rounds, percent in zip(head[1:], percents, strict=True):
            covered = exact_coverage(float(Fraction(rate)), int(rounds.replace(",", "")))
            assert f"{100 * covered:.1f}" == percent


# --- means ----------------------------------------------------------------------------------

histograms = st.lists(st.integers(0, 40), min_size=1, max_size=30).filter(lambda h: sum(h) > 1)


@given(histograms, confidences)
def test_mean_is_that_of_the_values(histogram, confidence):
    values = [value for value, count in enumerate(histogram) for _ in range(count)]
    estimate = estimate_mean(histogram, confidence)
    assert estimate.estimate == float(statistics.mean(map(Fraction, values)))
    assert estimate.sd == pytest.approx(statistics.stdev(values), rel=1e-14)
    assert estimate.se == pytest.approx(statistics.stdev(values) / math.sqrt(len(values)))
    if estimate.sd:
        low, high = stats.t.interval(confidence, len(values) - 1, estimate.estimate, estimate.se)
        assert estimate.low == pytest.approx(low, rel=1e-9, abs=1e-9)
        assert estimate.high == pytest.approx(high, rel=1e-9, abs=1e-9)


def test_a_mean_of_very_many_rounds_is_exact():
    """Sums of squares beyond 2 ** 63, and a spread that floats would lose in the subtraction."""
    n = 10**15
    estimate = estimate_mean([0] * 3000 + [n, n, 1], 0.95)
    total = 2 * n + 1
    mean = Fraction(3000 * n + 3001 * n + 3002, total)
    squares = n * (3000 - mean) ** 2 + n * (3001 - mean) ** 2 + (3002 - mean) ** 2
    assert estimate.estimate == float(mean)
    assert estimate.sd == pytest.approx(math.sqrt(squares / (total - 1)), rel=1e-15)
    assert estimate.se == pytest.approx(math.sqrt(squares / (total - 1) / total), rel=1e-15)


def test_means_without_spread():
    same = estimate_mean([0, 0, 5])
    assert (same.estimate, same.sd, same.se, same.low, same.high) == (2.0, 0.0, 0.0, 2.0, 2.0)
    one = estimate_mean([0, 0, 1])
    assert one.estimate == 2.0
    assert all(math.isnan(x) for x in (one.se, one.low, one.high, one.sd))
    assert math.isnan(estimate_mean([0, 0]).estimate)


def test_student_covers_as_often_as_it_says():
    """4000 means of 200 skewed values each. False-alarm odds: below 1e-6.

    The coverage seen has a standard error of 0.0034, of which 4.9 are allowed; and 0.005 more,
    because Student's interval is exact only for normal values.
    """
    rng = np.random.default_rng(20240607)
    law = np.array([0.35, 0.2, 0.15, 0.1, 0.08, 0.05, 0.03, 0.02, 0.01, 0.01])
    true = float(law @ np.arange(10))
    covered = 0
    for histogram in rng.multinomial(200, law, size=4000).tolist():
        estimate = estimate_mean(histogram)
        covered += estimate.low <= true <= estimate.high
    assert covered / 4000 == pytest.approx(0.95, abs=4.9 * 0.0034 + 0.005)


def test_confidence_widens():
    widths = [
        estimate.high - estimate.low
        for confidence in (0.5, 0.9, 0.95, 0.999)
        for estimate in [estimate_mean([5, 9, 4], confidence)]
    ]
    assert widths == sorted(widths)


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.5, math.nan, True, "0.95", None])
def test_confidence_must_be_between_0_and_1(confidence):
    with pytest.raises(UsageError, match="must be between 0 and 1"):
        check_confidence(confidence)
    for estimate in (
        lambda: estimate_rate(1, 2, confidence),
        lambda: estimate_mean([1], confidence),
    ):
        with pytest.raises(UsageError, match="confidence"):
            estimate()


def test_the_last_bit_of_a_maths_library_does_not_show():
    """A quantile that is an ulp off is rounded to the same 12 digits."""
    from simdom import estimate

    z = 1.959963984540054
    seen = {estimate._steady(x) for x in (math.nextafter(z, 0), z, math.nextafter(z, 9))}
    assert seen == {1.95996398454}


def test_figures_cost_no_slow_import():
    code = (
        "import sys\n"
        "from simdom.estimate import estimate_mean, estimate_rate\n"
        "early = {'scipy.special', 'pandas', 'matplotlib'} & set(sys.modules)\n"
        "estimate_rate(1, 3), estimate_mean([1, 2])\n"
        "late = {'scipy.stats', 'pandas', 'matplotlib'} & set(sys.modules)\n"
        "assert not early and not late, (early, late)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_boneyard_left_is_in_step_with_a_block_game():
    rules = Rules(boneyard=Boneyard.BLOCK)
    metrics = estimate_metrics(tally_of([Round(9, 0, (0, 3))], rules), rules)
    assert metrics["boneyard_left"].estimate == rules.boneyard_size == 14
