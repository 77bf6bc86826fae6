"""The search for `normal`: its steps on made-up rows, and what it has found."""

import importlib.util
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from evidence import FALSE_ALARM
from simdom.strategies import FEATURES, load_strategy

SCRIPT = Path(__file__).parent.parent / "scripts" / "search_normal.py"
NORMAL = load_strategy("normal").weighted


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("search_normal", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Hill:
    """Stands in for a judge: rows are worth the less, the farther from a top they point."""

    deals = 100
    seed = 1

    def __init__(self, script, **top):
        self._script, self._top = script, top

    def on(self, _deals, _seed):
        return self

    def _height(self, weights):
        """Minus the squared sine of the angle to the top."""
        size = sum(weight**2 for weight in weights.values()) ** 0.5
        steep = sum(weight**2 for weight in self._top.values()) ** 0.5
        along = sum(weight * self._top.get(name, 0) for name, weight in weights.items())
        return -1 + (along * abs(along) / (size * steep) ** 2 if size else 0)

    def worth(self, weights):
        return self._script.Gain(self._height(weights), 1e-9)

    def gain(self, weights, over):
        return self._script.Gain(self._height(weights) - self._height(over), 1e-9)


def test_rows_are_the_same_whatever_their_common_factor(script):
    assert script.plain_key({"pips": 4, "unseen_fit": -6}) == script.plain_key(
        {"pips": 2, "double": 0, "unseen_fit": -3}
    )
    assert script.reduced({"pips": 4, "double": 0, "unseen_fit": -6}) == {
        "pips": 2,
        "unseen_fit": -3,
    }
    assert script.plain_key({}) == (0,) * len(FEATURES)
    assert script.told({"double": 3}) == "double 1"
    assert script.told({}) == "nothing"


@pytest.mark.parametrize("start", [{}, {"pips": 8, "double": 8, "unseen_fit": -8}])
def test_the_climb_ends_near_the_top(script, start):
    hill = Hill(script, pips=3, double=5, unseen_fit=-9)
    top = script.climb(hill, start, ["pips", "double", "unseen_fit"])
    assert hill.worth(top).mean > -0.01


def test_a_climb_keeps_only_what_surely_gains(script):
    hill = Hill(script, pips=3, double=5)
    unsure = script.Gain(0.01, 0.006)  # less than two standard errors
    hill.gain = lambda _weights, _over: unsure
    assert script.climb(hill, {"pips": 1}, ["pips", "double"]) == {"pips": 1}


def test_simplifying_gives_small_weights_and_drops_what_is_not_missed(script):
    hill = Hill(script, pips=10, double=20, own_fit=1)
    row = script.simplify(hill, {"pips": 10, "double": 20, "own_fit": 1}, tolerance=0.01)
    assert row == {"pips": 1, "double": 2}
    exact = script.simplify(hill, {"pips": 10, "double": 20, "own_fit": 1}, tolerance=0.0)
    assert exact == {"pips": 10, "double": 20, "own_fit": 1}


def test_rows_drawn_at_random_have_the_sense_of_s4(script):
    hill = Hill(script, pips=1, unseen_fit=-4)
    best, second = script.explore(hill, ["pips", "unseen_fit"], rows=50)
    assert best["pips"] >= 0 >= best["unseen_fit"]
    assert hill.worth(best).mean >= hill.worth(second).mean
    assert script.explore(hill, ["pips", "unseen_fit"], rows=50) == [best, second]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_all_seats_win_and_lose_adds_up_to_nothing(script, players):
    """A row against itself in every seat by turns plays the same round each time."""
    one = load_strategy("normal")
    net = script.rotated_net("pagat-draw", one, one, range(30), 3, players)
    assert net == pytest.approx(np.zeros(30))


def test_the_other_side_loses_what_one_side_wins(script):
    one, other = load_strategy("normal"), load_strategy("heaviest")
    won = script.rotated_net("pagat-block", one, other, range(50), 3)
    lost = script.rotated_net("pagat-block", other, one, range(50), 3)
    assert won == pytest.approx(-lost)
    assert won.any()


def test_a_judge_takes_the_mean_over_field_and_games(script):
    field = [load_strategy("random"), load_strategy("heaviest")]
    one = {"pips": 1, "own_fit": 2}
    with ThreadPoolExecutor(2) as pool:
        judge = script.Judge(field, 40, 5, pool)
        values = judge.values(one)
        assert judge.values({"pips": 2, "own_fit": 4}) is values
    nets = [
        script.rotated_net(game, script.strategy_of(one), other, range(40), 5)
        / script.spread_of(game)
        for game in script.GAMES
        for other in field
    ]
    assert values == pytest.approx(np.mean(nets, axis=0))
    assert judge.worth(one).mean == pytest.approx(np.mean(nets))


@pytest.mark.jit
def test_normal_beats_every_habit_in_both_games(script):
    """By more than five standard errors, on deals that the search has not seen."""
    deals = 20_000
    field = [load_strategy(name) for name in script.FIELD]
    with ThreadPoolExecutor(2) as pool:
        found = script.margins(NORMAL, field, deals, 2024, pool)
    assert len(found) == 2 * len(script.FIELD)
    for gain in found.values():
        assert gain.mean > 5 * gain.se
        assert stats.norm.sf(gain.mean / gain.se) < FALSE_ALARM


@pytest.mark.jit
def test_easy_is_almost_random_and_loses_to_normal(script):
    deals = 20_000
    easy, random, normal = map(load_strategy, ("easy", "random", "normal"))
    for game in script.GAMES:
        gain = script.Gain.of(script.rotated_net(game, easy, random, range(deals), 7))
        assert abs(gain.mean) + 5 * gain.se < 0.1 * script.spread_of(game)
        lost = script.Gain.of(script.rotated_net(game, easy, normal, range(deals), 7))
        assert lost.mean < -5 * lost.se


def test_sharp_thinks_with_the_weights_of_normal():
    sharp = load_strategy("sharp")
    assert sharp.weighted == NORMAL
    assert sharp.samples > 0


def test_normal_weighs_what_s4_names_in_small_whole_numbers(script):
    assert set(NORMAL) == set(script.OF_S4)
    assert all(weight == int(weight) and abs(weight) < 10 for weight in NORMAL.values())
    assert script.reduced({name: int(weight) for name, weight in NORMAL.items()}) == NORMAL
