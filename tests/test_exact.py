"""The engine's figures against exact values: fractions counted or enumerated elsewhere.

``data/exact.json`` holds them. Every check has a false-alarm probability of one in a million (see
``evidence.py``); there are about a hundred in this file, and all seeds are fixed.
"""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from decks import shuffled_decks
from evidence import Z_BOUND, check_counts, check_mean, check_rate
from oracle import full_set
from scale import rounds
from simdom import simulate
from simdom.results import Result
from simdom.strategies import FEATURES, Strategy

EXACT = json.loads((Path(__file__).parent / "data" / "exact.json").read_text())

MILLION, TEN_MILLION = rounds(1_000_000), rounds(10_000_000, 3000)


@cache
def two_by_seven(variant: str = "pagat-block", count: int = TEN_MILLION) -> Result:
    return simulate(variant, count, seed=20)


def check_metric_rate(result: Result, name: str, exact: str, seat: int | None = None) -> None:
    metric = result.metrics[name] if seat is None else result.metrics[name][seat]
    check_rate(metric.count, result.rounds, exact)
    assert metric.estimate == metric.count / result.rounds
    assert metric.low <= metric.estimate <= metric.high


def check_metric_mean(result: Result, name: str, exact: str) -> None:
    metric = result.metrics[name]
    check_mean(metric.estimate, metric.sd, result.rounds, exact)


# --- small sets, enumerated -----------------------------------------------------------------


@pytest.mark.parametrize(
    "known", EXACT["small_sets"], ids=lambda s: f"D{s['max_pip']}-{s['boneyard']}-{s['reserve']}"
)
def test_small_sets(known):
    """Blocked, ties, wins by seat, points, plays and draws: seven checks a set."""
    toggles = ("max_pip", "deal", "boneyard", "reserve")
    overrides = {name: known[name] for name in toggles}
    result = simulate(
        "pagat-block", TEN_MILLION, players=known["players"], overrides=overrides, seed=3
    )
    check_metric_rate(result, "blocked_rate", known["blocked"])
    check_metric_rate(result, "tie_rate", known["tie"])
    for seat, exact in enumerate(known["seat_win"]):
        check_metric_rate(result, "seat_win_rate", exact, seat)
    check_metric_rate(result, "opener_win_rate", known["seat_win"][0])
    for name in ("points_minus_own", "plays", "draws"):
        check_metric_mean(result, name, known[name])


def test_small_set_with_a_choice_over_tiles():
    """Uniform over tiles instead of placements: another game, 541/3150 blocked."""
    overrides = {"max_pip": 3, "deal": 3}
    result = simulate(
        "pagat-block", TEN_MILLION, overrides=overrides, strategy="random-tile", seed=4
    )
    check_metric_rate(result, "blocked_rate", "541/3150")


# --- deals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "known", EXACT["no_double"], ids=lambda one: f"{one['players']}x{one['deal']}"
)
def test_deals_without_a_double(known):
    rare = Fraction(known["p"]) < 1e-4
    result = simulate(
        "pagat-block",
        TEN_MILLION if rare else MILLION,
        players=known["players"],
        overrides={"deal": known["deal"], "max_pip": known["max_pip"]},
        seed=5,
    )
    check_metric_rate(result, "no_double_rate", known["p"])


@pytest.mark.parametrize("variant", ["pagat-block", "pagat-draw"])
def test_s3_deals_without_a_double_are_three_in_a_thousand(variant):
    result = two_by_seven(variant)
    check_metric_rate(result, "no_double_rate", "1/345")


def test_opening_tile_of_two_by_seven():
    """Chi-square over the seven doubles and "none"."""
    result = two_by_seven()
    law = EXACT["opening_tile_2x7"]
    seen = dict(result.distributions["opening_tile"])
    counts = [seen.pop(name, 0) for name in law if name != "none"]
    check_counts([*counts, sum(seen.values())], [Fraction(p) for p in law.values()])


@cache
def hands_of_seven() -> np.ndarray:
    """The hand of seat 0 in two-player deals: ndarray(bool, shape=(rounds, 28)) by tile id."""
    decks = shuffled_decks(6, MILLION, seed=6)
    held = np.zeros((MILLION, 28), np.bool_)
    for position in range(0, 14, 2):
        held[np.arange(MILLION), decks[:, position]] = True
    assert (held.sum(axis=1) == 7).all()
    return held


TILES = full_set(6)


def test_doubles_in_a_hand_of_seven():
    doubles = hands_of_seven()[:, [low == high for low, high in TILES]].sum(axis=1)
    counts = np.bincount(doubles, minlength=8).tolist()
    check_counts(counts, [Fraction(p) for p in EXACT["doubles_in_hand_of_7"]])


def test_pips_of_a_hand_of_seven():
    """The mean by its exact standard deviation; the squares' about their own."""
    known = EXACT["hand_of_7_pips"]
    pips = hands_of_seven() @ np.array([low + high for low, high in TILES])
    variance = float(Fraction(known["variance"]))
    check_mean(pips.mean(), variance**0.5, MILLION, known["mean"])
    squares = (pips - float(Fraction(known["mean"]))) ** 2
    check_mean(squares.mean(), squares.std(ddof=1), MILLION, variance)
    assert known["min"] <= pips.min() <= pips.max() <= known["max"]


def test_a_hand_of_seven_misses_a_number():
    held = hands_of_seven()
    missing = np.zeros(MILLION, np.bool_)
    for number in range(7):
        missing |= ~held[:, [number in tile for tile in TILES]].any(axis=1)
    check_rate(int(missing.sum()), MILLION, EXACT["hand_of_7_misses_a_number"])


# --- right after the opening ----------------------------------------------------------------


@pytest.mark.parametrize("variant", ["pagat-block", "pagat-draw"])
def test_first_reply_stuck(variant):
    result = two_by_seven(variant)
    check_metric_rate(result, "first_reply_stuck_rate", EXACT["first_reply_stuck_2x7"])


def test_dead_after_opening():
    result = two_by_seven()
    exact = EXACT["dead_after_opening_2x7_block"]
    check_metric_rate(result, "dead_after_opening_rate", exact)


def test_next_seat_has_no_six_when_all_tiles_are_dealt():
    """Four players: 6-6 is always dealt, and led."""
    result = simulate("pagat-block", MILLION, players=4, overrides={"deal": 7}, seed=7)
    assert result.distributions["opening_tile"] == {"6-6": MILLION}
    check_metric_rate(result, "first_reply_stuck_rate", "1292/9867")


# --- bounds ---------------------------------------------------------------------------------


def longest(result: Result) -> int:
    return max(int(plays) for plays in result.distributions["plays"])


def test_longest_lines():
    """13 in two-player Block, 25 in two-player Draw with a reserve of 2, 25 with 4 x 7."""
    assert longest(two_by_seven("pagat-block")) <= 13
    assert longest(two_by_seven("pagat-draw")) <= 25
    assert longest(simulate("pagat-block", MILLION, players=4, overrides={"deal": 7})) <= 25


# --- another program's figures --------------------------------------------------------------

MEASURED = {
    # strategy: blocked in Block, in Draw with reserve 2, in Draw with reserve 0
    "random": (0.656, 0.202, 0.174),
    "heaviest": (0.678, 0.226, 0.182),
    "lightest": (0.611, 0.174, 0.135),
    "doubles-first": (0.545, 0.100, 0.071),
}


@pytest.mark.parametrize("strategy", MEASURED)
@pytest.mark.parametrize(
    ("variant", "column"), [("pagat-block", 0), ("pagat-draw", 1), ("individual-draw", 2)]
)
def test_blocked_rates_of_habits(strategy, variant, column):
    """An unrelated program measured these over a million rounds each and printed three digits.

    Both errors count, and the rounding: false alarm below 1e-6 each.
    """
    result = simulate(variant, MILLION, strategy=strategy, seed=8)
    published = MEASURED[strategy][column]
    se = (published * (1 - published) * (1 / 1_000_000 + 1 / MILLION)) ** 0.5
    assert abs(result.metrics["blocked_rate"].estimate - published) < 0.0005 + Z_BOUND * se


@pytest.mark.parametrize(
    ("variant", "opening", "published"),
    [
        ("pagat-block", "highest_double", 0.604),
        ("pagat-draw", "highest_double", 0.195),
        ("pagat-block", "holder_leads_any", 0.610),
        ("pagat-draw", "holder_leads_any", 0.193),
    ],
)
def test_blocked_rates_of_a_sensible_player(variant, opening, published):
    """As above, but measured over 20,000 rounds: pips, doubles, a next move, and few replies."""
    weights = {"pips": 1, "double": 2, "own_fit": 4, "unseen_fit": -2}
    play = Strategy("sensible", "", "", tuple(float(weights.get(name, 0)) for name in FEATURES))
    result = simulate(variant, MILLION, strategy=play, overrides={"opening": opening}, seed=9)
    se = (published * (1 - published) * (1 / 20_000 + 1 / MILLION)) ** 0.5
    assert abs(result.metrics["blocked_rate"].estimate - published) < 0.0005 + Z_BOUND * se
