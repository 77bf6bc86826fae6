"""Verdicts on many differences at once: when each is given, and how often any of them is wrong."""

from math import inf, isnan, nan, sqrt

import numpy as np
import pytest
from scipy import stats

from evidence import FALSE_ALARM
from simdom.errors import UsageError
from simdom.estimate import estimate_rate, student_quantile
from simdom.pairing.verdicts import (
    DOES_NOT_MATTER,
    MATTERS,
    NOT_SETTLED,
    Fixed,
    MeanChange,
    ShareChanged,
    check_shared,
    settle,
)

MANY = 10**6


def mean(estimate, se=0.01, smallest=0.1, rounds=MANY, span=0.001):
    """A mean whose interval is the plain Student's one: the span is next to nothing."""
    return MeanChange(estimate, se, rounds, smallest, span)


def verdicts(asked, alpha=0.05):
    return [each.verdict for each in settle(asked, alpha)]


# --- one difference --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("estimate", "verdict"),
    [
        (0.13, MATTERS),
        (-0.13, MATTERS),
        (0.0, DOES_NOT_MATTER),
        (0.07, DOES_NOT_MATTER),
        (-0.07, DOES_NOT_MATTER),
        (0.09, NOT_SETTLED),
        (0.1, NOT_SETTLED),
        (-0.11, NOT_SETTLED),
    ],
)
def test_a_verdict_is_where_the_interval_lies(estimate, verdict):
    (said,) = settle([mean(estimate)], 0.05)
    assert said.verdict == verdict
    assert said.level == 0.95
    radius = student_quantile(0.95, MANY - 1) * 0.01
    assert (said.low, said.high) == pytest.approx((estimate - radius, estimate + radius))
    assert (said.rounds_needed is None) == (verdict != NOT_SETTLED)


def test_an_interval_wider_than_the_band_settles_nothing_within_it():
    assert verdicts([mean(0.0, se=0.1)]) == [NOT_SETTLED]
    assert verdicts([mean(0.5, se=0.1)]) == [MATTERS]


@pytest.mark.parametrize(
    "one",
    [
        mean(0.13, se=0.02),
        mean(0.0, se=0.03),
        mean(-0.104, se=0.004, rounds=30),
        MeanChange(0.0, 0.0, 5000, 0.1, 28),
        MeanChange(0.3, 0.1, 200, 0.5, 168),
        ShareChanged(1200, 100_000, 0.01),
        ShareChanged(0, 300, 0.01),
    ],
    ids=str,
)
def test_the_tail_is_the_least_alpha_that_settles_it(one):
    tail = one.tail
    assert 0 < tail < 1
    border = -one.smallest if getattr(one, "estimate", 0) < 0 else one.smallest
    assert min(abs(end - border) for end in one.interval(1 - tail)) < 1e-6
    assert verdicts([one], tail * 1.001) != [NOT_SETTLED]
    assert verdicts([one], tail * 0.999) == [NOT_SETTLED]


@pytest.mark.parametrize(
    "one", [mean(0.095, rounds=1000), MeanChange(0.0, 0.0, 300, 0.5, 168)], ids=str
)
def test_so_many_rounds_settle_it_if_it_stays_as_it_is(one):
    needed = settle([one], 0.05)[0].rounds_needed
    assert needed > one.rounds
    for factor, settled in ((0.99, False), (1.01, True)):
        rounds = round(factor * needed)
        more = MeanChange(
            one.estimate, one.se * sqrt(one.rounds / rounds), rounds, one.smallest, one.span
        )
        assert (verdicts([more]) != [NOT_SETTLED]) is settled


def test_so_many_rounds_settle_a_share_if_it_stays_as_it_is():
    needed = settle([ShareChanged(109, 10_000, 0.01)], 0.05)[0].rounds_needed
    assert needed > 10_000
    for factor, settled in ((0.95, False), (1.05, True)):
        rounds = round(factor * needed)
        more = ShareChanged(round(0.0109 * rounds), rounds, 0.01)
        assert (verdicts([more]) != [NOT_SETTLED]) is settled


def test_on_the_border_no_rounds_suffice():
    for one in (mean(0.1), mean(-0.1), ShareChanged(10, 1000, 0.01)):
        (said,) = settle([one], 0.05)
        assert (said.verdict, said.rounds_needed) == (NOT_SETTLED, inf)


@pytest.mark.parametrize("off", [0.0, 1e-4, -1e-4])
def test_near_the_border_of_a_wide_interval_nothing_is_said_of_the_rounds(off):
    """Fifteen times as wide as the band: luck alone has put it there."""
    (said,) = settle([mean(0.1 + off, se=0.75, rounds=100)], 0.05)
    assert said.verdict == NOT_SETTLED
    assert isnan(said.rounds_needed)
    (far,) = settle([mean(1.1, se=0.75, rounds=100)], 0.05)
    assert 100 < far.rounds_needed < 1000
    (narrow,) = settle([mean(0.1 + off, se=0.01, rounds=100)], 0.05)
    assert narrow.rounds_needed > 10_000


def test_what_the_rules_fix_is_settled_and_takes_no_level_from_the_others():
    close = mean(0.1 + 2.0 * 0.01)
    fixed = [Fixed(MANY, 0.1)] * 9
    (*many, last) = settle([*fixed, close], 0.05)
    assert {(each.verdict, each.low, each.high) for each in many} == {(DOES_NOT_MATTER, 0, 0)}
    (alone,) = settle([close], 0.05)
    assert last == alone


def test_one_round_settles_nothing():
    (said,) = settle([MeanChange(3.0, nan, 1, 0.5, 168)], 0.05)
    assert said.verdict == NOT_SETTLED
    assert isnan(said.low)
    assert isnan(said.rounds_needed)


def test_what_never_came_is_not_taken_for_impossible():
    """A change that 300 rounds have not shown may come once in a hundred."""
    few, many = (MeanChange(0.0, 0.0, rounds, 0.5, 168) for rounds in (300, 200_000))
    assert verdicts([few, many]) == [NOT_SETTLED, DOES_NOT_MATTER]
    low, high = MeanChange(0.0, 0.0, 10_000, 0.01, 1).interval(0.95)
    assert low == -high
    assert high == pytest.approx(estimate_rate(0, 10_000, 0.95).high, rel=1e-3)


def test_where_many_rounds_differ_the_interval_is_students():
    n, sd = 200_000, 12.0
    low, high = MeanChange(0.4, sd / sqrt(n), n, 0.5, 168).interval(0.999)
    plain = student_quantile(0.999, n - 1) * sd / sqrt(n)
    assert high - low == pytest.approx(2 * plain, rel=0.01)


def test_a_share_has_its_exact_interval():
    (said,) = settle([ShareChanged(1200, 100_000, 0.01)], 0.05)
    exact = stats.binomtest(1200, 100_000).proportion_ci(0.95, method="exact")
    assert (said.low, said.high) == pytest.approx((exact.low, exact.high), rel=1e-9)
    wilson = estimate_rate(1200, 100_000, 0.95)
    assert (said.low, said.high) == pytest.approx((wilson.low, wilson.high), rel=0.01)
    assert said.verdict == MATTERS
    assert verdicts([ShareChanged(800, 100_000, 0.01)]) == [DOES_NOT_MATTER]


@pytest.mark.parametrize("rounds", [1, 2, 10, 150, 1000])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 200])
def test_a_share_on_its_border_is_settled_no_more_often_than_claimed(rounds, alpha):
    """The exact chance of any verdict where the share is the smallest effect: alpha at most."""
    wrong = sum(
        float(stats.binom.pmf(count, rounds, 0.01))
        for count in range(min(rounds, 60) + 1)
        if verdicts([ShareChanged(count, rounds, 0.01)], alpha) != [NOT_SETTLED]
    )
    assert wrong <= alpha * (1 + 1e-9)


def test_what_lies_on_its_border_without_any_spread_is_not_settled():
    one = MeanChange(1.0, 0.0, 2, 1.0, 28)
    assert one.tail == 1
    (said,) = settle([one], 0.05)
    assert (said.verdict, isnan(said.rounds_needed)) == (NOT_SETTLED, True)
    assert one.rounds_needed(0.95) == inf


def test_few_rounds_need_no_absurd_number_of_more():
    """Student's quantile of one degree of freedom is 6366 at 99.99%, the normal one 3.9."""
    assert MeanChange(0.0, 0.1, 2, 0.5, 1).rounds_needed(0.9999) < 1000


def test_a_level_that_is_no_number_below_1_is_refused():
    check_shared(0.999999999, 200)
    with pytest.raises(UsageError, match=r"0\.9999999999999999 is too near to 1 for 200 verdicts"):
        check_shared(0.9999999999999999, 200)


# --- many ------------------------------------------------------------------------------------


def test_levels_are_holms():
    """Gaps of 4, 3, 2.2, 1 and 9 standard errors: held to alpha / 4, 3, 2, 1, the best to 5."""
    asked = [mean(0.1 + gap * 0.01) for gap in (4, 3, 2.2, 1, 9)]
    said = settle(asked, 0.05)
    assert [each.verdict for each in said] == [MATTERS, MATTERS, NOT_SETTLED, NOT_SETTLED, MATTERS]
    # The third is held to alpha / 3 and fails; the rest stays there.
    levels = [1 - 0.05 / k for k in (4, 3, 2, 2, 5)]
    assert [each.level for each in said] == pytest.approx([*levels[:2], *levels[2:4], levels[4]])


def test_one_that_is_not_settled_stops_all_that_follow():
    alone = mean(0.1 + 2.0 * 0.01)
    assert verdicts([alone]) == [MATTERS]
    assert verdicts([alone, mean(0.1)]) == [NOT_SETTLED, NOT_SETTLED]
    assert verdicts([alone, mean(0.5)]) == [MATTERS, MATTERS]


def test_interval_and_verdict_agree():
    stream = np.random.default_rng(8)
    for _ in range(200):
        asked = [
            mean(float(d), float(se))
            for d, se in zip(
                stream.normal(0, 0.15, 9), stream.exponential(0.03, 9) + 1e-4, strict=True
            )
        ]
        for one, said in zip(asked, settle(asked, 0.2), strict=True):
            beyond = said.low > one.smallest or said.high < -one.smallest
            within = -one.smallest < said.low and said.high < one.smallest
            assert (said.verdict == MATTERS) is beyond
            assert (said.verdict == DOES_NOT_MATTER) is within


def test_nothing_to_settle():
    assert settle([], 0.05) == []


BORDER = [0.0] * 12  # how far the truth is from the border, in standard errors
MIXED = [0.0] * 4 + [0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 20.0]


@pytest.mark.parametrize("alpha", [0.05, 0.2])
@pytest.mark.parametrize("shared", [0.0, 0.7, 1.0], ids="shared={}".format)
@pytest.mark.parametrize("away", [BORDER, MIXED], ids=["border", "mixed"])
def test_any_wrong_verdict_in_a_table_is_no_more_frequent_than_alpha(away, shared, alpha):
    """Normal differences, on both sides of their borders, independent or with luck in common.

    The bound fails by chance once in a million.
    """
    tables, se = 2500, 0.01
    stream = np.random.default_rng(12)
    side = np.resize([1, -1, -1], len(away))  # beyond the border, or within
    truth = (0.1 + side * np.maximum(away, 1e-9) * se).clip(0)
    sign = np.resize([1, 1, -1, -1], len(away))
    wrong = 0
    for _ in range(tables):
        noise = sqrt(1 - shared**2) * stream.normal(size=len(away)) + shared * stream.normal()
        asked = [mean(float(d)) for d in sign * truth + se * noise]
        wrong += any(
            said == (DOES_NOT_MATTER if beyond else MATTERS)
            for said, beyond in zip(verdicts(asked, alpha), side > 0, strict=True)
        )
    assert stats.binom.sf(wrong - 1, tables, alpha) > FALSE_ALARM
    if away == BORDER and not shared:
        # A verdict can be wrong on one side only, so about half of alpha is used, and no less.
        assert stats.binom.cdf(wrong, tables, alpha * 0.48) > FALSE_ALARM


@pytest.mark.parametrize("alpha", [0.05, 0.00025])
@pytest.mark.parametrize(("rounds", "size"), [(50, 1.0), (300, 1.0), (300, 0.3), (3000, 1.0)])
def test_rare_changes_do_not_deceive(rounds, size, alpha):
    """Exactly: a round differs by ``size`` with chance q; the truth is just off its border."""
    counts = np.arange(rounds + 1)
    for q in (0.002, 0.01, 0.05, 0.3):
        chances = stats.binom.pmf(counts, rounds, q)
        for off in (0.999, 1.001):
            smallest, wrong = q * size * off, MATTERS if off > 1 else DOES_NOT_MATTER
            deceived = 0.0
            for count in counts[chances > 1e-12].tolist():
                square = size**2 * count * (rounds - count) / rounds / (rounds - 1)
                found = MeanChange(
                    count * size / rounds, sqrt(square / rounds), rounds, smallest, 1.0
                )
                if verdicts([found], alpha) == [wrong]:
                    deceived += chances[count]
            assert deceived <= alpha, (q, off)
