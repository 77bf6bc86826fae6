"""Runs that stop when enough is known: where they stop, what they say, and that intervals hold."""

import math

import pytest
from scipy import stats

import simdom
from coverage_of_stopping import CONFIDENCE, law_of_points, stop_means, stop_rates
from evidence import FALSE_ALARM
from scale import IS_COMPILED, rounds
from simdom.errors import UsageError
from simdom.estimate import Estimate, Metrics
from simdom.executors.serial import SerialExecutor
from simdom.executors.threads import ThreadsExecutor
from simdom.running import driver
from simdom.running.stopping import (
    FIRST_LOOK,
    Look,
    check_precision,
    check_seconds,
    half_width,
    look,
    next_look,
    parse_duration,
    parse_precision,
    widths_of,
)

EASY = {"blocked_rate": 0.05 if not IS_COMPILED else 0.006}


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    """Without the JIT, first looks come early: what is tested does not depend on when."""
    if not IS_COMPILED:
        monkeypatch.setattr(driver, "FIRST_LOOK", 50)


def test_a_run_stops_when_its_interval_is_narrow_enough():
    looks = []
    result = simdom.simulate("pagat-draw", until=EASY, seed=3, on_look=looks.append)
    assert half_width(result.metrics["blocked_rate"]) <= EASY["blocked_rate"]
    assert (result.until, result.reached, result.asked) == (EASY, True, None)
    assert [each.is_enough for each in looks] == [False] * (len(looks) - 1) + [True]
    assert looks[-1].done == result.rounds
    before = simdom.simulate("pagat-draw", looks[-2].done, seed=3)
    assert half_width(before.metrics["blocked_rate"]) > EASY["blocked_rate"]


def test_where_it_stops_depends_on_nothing_but_the_rounds(monkeypatch):
    whole = simdom.simulate("pagat-draw", until=EASY, seed=3)
    again = simdom.simulate("pagat-draw", whole.rounds, seed=3)
    assert again.metrics == whole.metrics
    assert again.distributions == whole.distributions
    assert again.command == whole.command
    for executor in (SerialExecutor(), ThreadsExecutor(2)):
        monkeypatch.setattr(type(executor), "seconds_a_chunk", 0.001)
        other = simdom.simulate("pagat-draw", until=EASY, seed=3, executor=executor)
        assert (other.rounds, other.metrics) == (whole.rounds, whole.metrics)


def test_all_that_is_asked_for_is_reached():
    until = {"blocked_rate": 0.05, "points": 1.0, "seat_win_rate": 0.05, "seat_win_rate[1]": 0.049}
    result = simdom.simulate("pagat-block", until=until, players=3)
    widths = widths_of(result.metrics)
    assert all(widths[name] <= width for name, width in until.items())
    assert "Asked for blocked_rate to ±0.05, points to ±1, seat_win_rate to ±0.05, " in str(result)
    assert result.summary().endswith("seat_win_rate[1] to ±0.049: reached.")


def test_a_bound_on_rounds_ends_it_whole_but_not_reached():
    result = simdom.simulate("pagat-draw", 300, until={"points": 1e-6})
    assert (result.rounds, result.reached, result.partial) == (300, False, False)
    document = result.to_dict()
    assert (document["until"], document["reached"]) == ({"points": 1e-6}, False)
    assert "partial" not in document


def test_a_time_limit_ends_it_early():
    result = simdom.simulate("pagat-draw", 10**12, max_time=1e-9)
    assert 0 < result.rounds < 10**7
    assert (result.partial, result.asked) == (True, 10**12)
    assert simdom.simulate("pagat-draw", result.rounds).metrics == result.metrics
    open_ended = simdom.simulate("pagat-draw", until={"points": 1e-7}, max_time=1e-9)
    assert open_ended.reached is False
    assert open_ended.rounds < open_ended.asked <= 10**13


def test_matches_comparisons_effects_and_duels_stop_too():
    matches = simdom.simulate_matches("pagat-block", target=20, until={"rounds_per_match": 0.5})
    assert half_width(matches.estimate("rounds_per_match")) <= 0.5
    assert matches.reached
    compared = simdom.compare(
        "pagat-draw", "pagat-draw:reserve=0", "pagat-draw:reserve=4", until={"points": 0.5}
    )
    assert all(half_width(each.metrics["points"]) <= 0.5 for each in compared.differences)
    assert compared.to_dict()["reached"] is True
    assert "asked for points to ±0.5: reached" in compared.made
    table = simdom.effects("pagat-draw", toggles=["reserve=0,3"], until={"blocked_rate": 0.05})
    assert all(half_width(each.figures["blocked_rate"]) <= 0.05 for each in table.effects)
    assert table.reached
    found = simdom.duel("normal", "random", variant="pagat-block", until={"win_rate": 0.05})
    assert half_width(found.win_rate) <= 0.05
    assert found.to_dict()["until"] == {"win_rate": 0.05}


def test_of_a_comparison_changes_and_seats_can_be_asked_for():
    until = {"winner_changed_rate": 0.05, "seat_win_rate[1]": 0.05}
    compared = simdom.compare("pagat-draw", "pagat-draw:reserve=0", until=until)
    (versus,) = compared.differences
    assert half_width(versus.changes["winner_changed_rate"]) <= 0.05
    assert half_width(versus.metrics["seat_win_rate"][1]) <= 0.05


# --- when to look ------------------------------------------------------------------------------


def test_the_metric_that_is_furthest_is_named():
    seen = look(1000, {"a": 0.2, "b": 0.3}, {"a": 0.1, "b": 0.1})
    assert seen == Look(1000, "b", 0.3, 0.1, pytest.approx(8000))
    assert str(seen) == "b ± 0.3, 0.1 wanted; about 8,000 more"
    assert seen.short == "b ±0.3 of ±0.1"
    unknown = look(1000, {"a": math.nan, "b": 0.3}, {"a": 0.1, "b": 0.1})
    assert (unknown.metric, unknown.expected) == ("a", math.inf)
    assert str(unknown) == "a not known yet, 0.1 wanted"
    assert not unknown.is_enough


@pytest.mark.parametrize(
    ("expected", "goal"),
    [(1e9, 2040), (math.inf, 2040), (500, 1530), (20, 1100), (0, 1100)],
)
def test_looks_are_few_and_not_too_far_apart(expected, goal):
    assert next_look(Look(1000, "a", 1.0, 0.5, expected)) == goal


def test_the_widest_seat_counts():
    metrics = Metrics(
        {
            "points": Estimate(2, 1, 1, 4),
            "seat_win_rate": [Estimate(0.5, 0.1, 0.4, 0.6), Estimate(0.5, 0.1, 0.2, 0.6)],
            "team_win_rate": [],
        }
    )
    assert widths_of(metrics) == pytest.approx(
        {"points": 1.5, "seat_win_rate": 0.2, "seat_win_rate[0]": 0.1, "seat_win_rate[1]": 0.2}
    )


# --- coverage ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("p", "width"), [(0.5, 0.006), (0.2, 0.004), (0.003, 0.0006)])
def test_stopping_costs_no_coverage_of_rates(p, width):
    """No further than one point below what is claimed; false alarm at most 1e-6 a case."""
    _check_coverage(stop_rates(p, width, rounds(4000, 300)))


def test_stopping_costs_no_coverage_of_means():
    _check_coverage(stop_means(law_of_points(rounds(50_000, 500)), 0.2, rounds(3000, 200)))


def _check_coverage(found):
    least = CONFIDENCE - 0.01
    assert stats.binom(found.runs, least).cdf(found.held) > FALSE_ALARM
    assert stats.binom(found.runs, CONFIDENCE + 0.01).sf(found.held - 1) > FALSE_ALARM
    assert found.looks > 1  # else nothing was tested


# --- what cannot be asked ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("until", "told"),
    [
        ({"blocked": 0.1}, "metric for until 'blocked': choose from"),
        ({"seat_win_rate[2]": 0.1}, "metric for until 'seat_win_rate"),
        ({"rounds_per_match": 0.1}, "metric for until 'rounds_per_match'"),
        ({"points": 0}, "the half-width of points must be a number above 0, not 0"),
        ({"points": -1.0}, "the half-width of points must be a number above 0, not -1.0"),
        ({"points": math.nan}, "the half-width of points must be a number above 0, not nan"),
        ({"points": "1"}, "the half-width of points must be a number above 0, not '1'"),
        ({"points": True}, "the half-width of points must be a number above 0, not True"),
        (0.1, "until must be a dictionary, such as {'blocked_rate': 0.001}, not 0.1"),
    ],
)
def test_a_precision_that_cannot_be_asked_for_is_named(until, told):
    with pytest.raises(UsageError) as raised:
        simdom.simulate("pagat-draw", 10, until=until)
    assert told in str(raised.value)


def test_the_nearest_metric_is_offered():
    with pytest.raises(UsageError, match="did you mean 'blocked_rate'"):
        check_precision({"blocked_rat": 1}, ["points", "blocked_rate", "seat_win_rate[0]"])
    assert check_precision(None, []) == {}


@pytest.mark.parametrize("text", ["points", "points=", "=1", "points=x", "points=0", "points=inf"])
def test_until_is_written_as_metric_and_width(text):
    with pytest.raises(UsageError, match="--until must be METRIC=HALF-WIDTH"):
        parse_precision([text])


def test_until_names_a_metric_once():
    with pytest.raises(UsageError, match="names points twice"):
        parse_precision(["points=1", "points=2"])


@pytest.mark.parametrize("text", ["", "x", "0", "-1", "5w", "nan", "inf", "1e9d", "m", "1:00"])
def test_a_time_that_is_none_is_named(text):
    with pytest.raises(UsageError, match="is not a length of time: write seconds, or 90s"):
        parse_duration(text)


@pytest.mark.parametrize("seconds", [0, -1, math.nan, math.inf, True, "5", 10**400])
def test_a_time_limit_is_a_number(seconds):
    with pytest.raises(UsageError, match="max_time must be seconds above 0, up to 366 days"):
        check_seconds(seconds)


def test_the_first_look_waits_for_a_fair_sample():
    seen = []
    simdom.simulate("pagat-draw", 200, until={"points": 5.0}, on_look=seen.append)
    assert [each.done for each in seen] == [min(200, driver.FIRST_LOOK)]
    assert FIRST_LOOK == 10_000
