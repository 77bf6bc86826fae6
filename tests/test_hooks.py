"""Strategies that are Python functions: what they see, what they play, and what goes wrong."""

import numpy as np
import pytest

import simdom
from oracle import full_set
from scale import rounds
from simdom import StrategyError, UsageError
from simdom.rules import Rules
from simdom.strategies import load_strategy
from traces import moments, traced


@simdom.strategy
def greedy(view):
    """Sheds the most pips."""
    return int((view.placements[:, 0] + view.placements[:, 1]).argmax())


@simdom.strategy
def first(view):  # noqa: ARG001 -- it looks at nothing
    return 0


def same_figures(a, b):
    return a.metrics == b.metrics and a.distributions == b.distributions


def test_a_function_decides():
    found = simdom.simulate("pagat-draw", 300, strategy=[greedy, "random"], seed=3)
    plain = simdom.simulate("pagat-draw", 300, strategy="random", seed=3)
    assert found.metrics["table_seat_win_rate"] != plain.metrics["table_seat_win_rate"]


def test_weights_and_a_function_that_do_the_same_play_the_same():
    """A rule without ties: the tile with the higher id, and of its placements the first."""

    @simdom.strategy
    def by_tile(view):
        numbers = [high * (high + 1) // 2 + low for low, high, _ in view.placements.tolist()]
        return numbers.index(max(numbers))

    for index in range(rounds(60, 15)):
        played = traced(Rules(), (by_tile,) * 2, 5, index)
        for moment in moments(played):
            if moment.turn.tile is None or moment.ends is None:
                continue
            fitting = [tile for tile in [*moment.hand, *moment.turn.draws] if moment.fits(tile)]
            order = full_set(6)
            assert moment.turn.tile == max(fitting, key=order.index)


def test_what_a_function_sees():
    seen = []

    @simdom.strategy
    def watcher(view):
        seen.append(view)
        assert 0 <= view.chance < 1
        return len(view.placements) - 1

    rules = Rules(players=3, deal=5)
    simdom.simulate(rules, 40, strategy=watcher, seed=2, threads=1)
    assert len(seen) > 100
    for view in seen:
        on_line, own = len(view.line), len(view.hand)
        assert view.hand_sizes[view.seat] == own
        assert view.boneyard + on_line + view.hand_sizes.sum() == 28
        assert view.drawable == 0
        assert not {*map(tuple, view.hand.tolist())} & {*map(tuple, view.line.tolist())}
        for low, high, end in view.placements.tolist():
            assert [low, high] in view.hand.tolist()
            assert (view.end_0, view.end_1)[end] in (low, high)


def test_a_function_sees_what_others_have_shown():
    """Somebody is certain to lack a number, and it is true: it passes on it next."""
    lacking = []

    @simdom.strategy
    def watcher(view):
        lacking.extend(int(bits) for seat, bits in enumerate(view.lacks) if seat != view.seat)
        return 0

    simdom.simulate("pagat-block", 200, strategy=watcher, seed=2, threads=1)
    assert any(lacking)


def test_leads_are_seen_as_leads():
    leads = []

    @simdom.strategy
    def watcher(view):
        if view.end_0 < 0:
            leads.append(view)
        return 0

    simdom.simulate("app-draw", 20, strategy=watcher, seed=1, threads=1)
    assert len(leads) == 20
    assert all((view.placements[:, 2] == -1).all() and len(view.line) == 0 for view in leads)


@pytest.mark.jit
def test_compiled_and_plain_functions_play_the_same():
    def heavy(view):
        best = 0
        for n in range(view.placements.shape[0]):
            if view.placements[n, :2].sum() > view.placements[best, :2].sum():
                best = n
        return best

    plain, fast = simdom.strategy(heavy), simdom.strategy(compiled=True)(heavy)
    asked = {"players": 3, "seed": 4}
    assert same_figures(
        simdom.simulate("pagat-draw", 500, strategy=plain, **asked),
        simdom.simulate("pagat-draw", 500, strategy=fast, **asked),
    )


def test_threads_change_nothing():
    asked = {"rounds": 1500, "strategy": [greedy, "normal"], "seed": 9}
    assert same_figures(
        simdom.simulate("pagat-block", threads=1, **asked),
        simdom.simulate("pagat-block", threads=2, **asked),
    )


def test_an_answer_that_is_no_placement_is_named_with_the_view():
    @simdom.strategy
    def wrong(view):
        return len(view.placements)

    with pytest.raises(
        StrategyError, match=r"strategy wrong answered (\d+), which is no"
    ) as raised:
        simdom.simulate("pagat-block", 50, strategy=[wrong, "random"])
    assert "may play" in str(raised.value)
    assert "seat 0" in str(raised.value)
    assert raised.value.exit_code == 1


@pytest.mark.parametrize("answer", [-1, 2**70, None, "0", 1.5])
def test_answers_that_are_no_number_of_a_placement(answer):
    @simdom.strategy
    def wrong(view):  # noqa: ARG001
        return answer

    with pytest.raises(StrategyError, match="strategy wrong"):
        simdom.simulate("pagat-block", 50, strategy=wrong)


def test_a_function_that_fails_is_named_and_finished_rounds_are_kept():
    count = 0

    @simdom.strategy(name="frail")
    def fails(view):  # noqa: ARG001
        nonlocal count
        count += 1
        if count > 8000:
            raise ValueError("enough")
        return 0

    with pytest.raises(
        StrategyError, match="failed with ValueError: enough; it saw: seat"
    ) as raised:
        simdom.simulate("pagat-block", 20_000, strategy=fails, threads=1)
    finished = raised.value.result
    assert finished.partial
    assert 1000 <= finished.rounds < 20_000
    assert isinstance(raised.value.__cause__, ValueError)


@pytest.mark.jit
def test_what_cannot_be_compiled_is_said():
    with pytest.raises(UsageError, match="cannot be compiled, leave out compiled=True"):

        @simdom.strategy(compiled=True)
        def asks(view):
            return input(str(view))


@pytest.mark.jit
def test_a_compiled_function_that_fails_is_named():
    @simdom.strategy(compiled=True)
    def divides(view):
        return 1 // (view.players - 2)

    with pytest.raises(StrategyError, match="divides answered -1"):
        simdom.simulate("pagat-block", 50, strategy=divides)


def test_a_strategy_is_made_of_a_function():
    with pytest.raises(UsageError, match="made of a function, not of 3"):
        simdom.strategy(3)


def test_results_name_the_function():
    result = simdom.simulate("pagat-block", 50, strategy=[greedy, "random"])
    assert result.strategies == ("greedy", "random")
    assert result.strategy_details["greedy"]["function"] == "greedy"
    assert "made in Python" in result.command
    assert greedy.title == "Sheds the most pips."


def test_saved_results_of_functions_are_read_back(tmp_path):
    result = simdom.simulate("pagat-block", 50, strategy=first)
    result.save(tmp_path / "out")
    assert simdom.load_result(tmp_path / "out").to_dict() == result.to_dict()


def test_functions_and_sampling_sit_at_one_table():
    sampled = load_strategy("sharp:samples=2")
    asked = {"players": 3, "seed": 1, "strategy": [greedy, sampled, "random"]}
    found = simdom.simulate("pagat-draw", rounds(300, 10), **asked)
    assert np.isclose(
        sum(e.estimate for e in found.metrics["table_seat_win_rate"])
        + found.estimate("tie_rate").estimate,
        1,
    )
