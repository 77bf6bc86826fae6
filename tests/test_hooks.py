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
    assert 10 <= finished.rounds < 20_000
    assert isinstance(raised.value.__cause__, ValueError)


def frail(after):
    """A function that fails after so many decisions."""
    count = 0

    @simdom.strategy
    def fails(view):  # noqa: ARG001
        nonlocal count
        count += 1
        if count > after:
            raise ValueError("enough")
        return 0

    return fails


@pytest.mark.parametrize("play", [simdom.duel, simdom.ladder])
def test_duels_and_ladders_keep_the_deals_before_a_failure(play):
    asked = {"variant": "pagat-block", "seed": 2, "threads": 1}
    with pytest.raises(StrategyError, match="failed with ValueError: enough") as raised:
        play(frail(2000), "random", deals=5000, **asked)
    finished = raised.value.result
    assert 10 <= finished.deals < 5000
    assert finished.asked == 5000
    whole = play(first, "random", deals=finished.deals, **asked)
    assert (
        finished.to_frame()
        .drop(columns=NAMES, errors="ignore")
        .equals(whole.to_frame().drop(columns=NAMES, errors="ignore"))
    )


NAMES = ["strategy_a", "strategy", "opponent"]


def test_a_failure_before_anything_was_finished_has_no_result():
    for play in (simdom.duel, simdom.ladder):
        with pytest.raises(StrategyError) as raised:
            play(frail(0), "random", variant="pagat-block", deals=100)
        assert raised.value.result is None


def test_claims_keep_the_rounds_before_a_failure():
    with pytest.raises(StrategyError, match="enough") as raised:
        simdom.claims(
            only=["block-blocked"], strategies=["random", frail(800)], rounds=500, threads=1
        )
    finished = raised.value.result
    assert finished.partial
    assert finished.figures["block-blocked"]["random"].rounds == 500
    assert finished.figures["block-blocked"]["fails"].rounds < 500


def test_sweeps_keep_the_cells_before_a_failure(tmp_path):
    grid = {"strategy": ["random", frail(20), "normal"]}
    with pytest.raises(StrategyError, match="enough") as raised:
        simdom.sweep(grid=grid, rounds=100, cells=tmp_path, threads=1)
    played, *others = raised.value.result.cells
    assert played.result.rounds == 100
    assert [each.result for each in others] == [None, None]


def test_cells_of_functions_are_not_kept(tmp_path):
    """Another function of that name would be given the figures of this one."""
    for number, answer in enumerate((lambda _: 0, lambda view: len(view.placements) - 1)):
        mine = simdom.strategy(name="mine")(answer)
        asked = {"rounds": 100, "seed": 3}
        swept = simdom.sweep(grid={"strategy": [mine, "random"]}, cells=tmp_path, **asked)
        mines, random = swept.cells
        assert not mines.kept
        assert random.kept == bool(number)
        assert mines.result.metrics == simdom.simulate(strategy=mine, **asked).metrics


def test_two_functions_of_one_name_are_refused():
    """Their results could not be told apart."""
    one, other = (simdom.strategy(name="mine")(lambda _, n=n: n) for n in (0, 1))
    for play in (simdom.duel, simdom.ladder):
        with pytest.raises(UsageError, match="two different strategies are called mine"):
            play(one, other, deals=10)
    with pytest.raises(UsageError, match="two different strategies are called mine"):
        simdom.simulate("pagat-block", 50, strategy=[one, other])
    assert simdom.simulate("pagat-block", 50, strategy=[one, one]).rounds == 50


@pytest.mark.parametrize("name", ["", " ", 3, "two\nlines"])
def test_names_that_would_spoil_a_table_are_refused(name):
    with pytest.raises(UsageError, match="name of a strategy must be some text on a line"):
        simdom.strategy(name=name)(lambda _: 0)


def test_what_a_function_says_when_it_fails_is_told_in_a_line():
    @simdom.strategy
    def talks(view):  # noqa: ARG001
        raise ValueError("much " * 500 + "\nand more")

    with pytest.raises(StrategyError) as raised:
        simdom.simulate("pagat-block", 50, strategy=talks)
    told = str(raised.value)
    assert "failed with ValueError: much much" in told
    assert "\n" not in told
    assert len(told) < 500


@pytest.mark.jit
def test_an_index_that_is_too_large_is_no_answer():
    """Compiled code would read whatever lies there."""

    @simdom.strategy(compiled=True)
    def far(view):
        return view.placements[1000, 0]

    with pytest.raises(StrategyError, match="far answered -1"):
        simdom.simulate("pagat-block", 50, strategy=far)


@pytest.mark.jit
def test_a_compiled_answer_that_is_no_whole_number_is_refused():
    """As without compiling, where 0.5 is no number of a placement."""
    with pytest.raises(UsageError, match="halves must answer with a whole number, not with float"):

        @simdom.strategy(compiled=True)
        def halves(view):
            return 0.5 * view.players


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
