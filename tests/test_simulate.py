"""What `simdom.simulate` makes of its arguments, and what its result says of them."""

import shlex
from importlib import import_module

import pytest

import simdom
from simdom.errors import UsageError
from simdom.running import driver

# The name in the package is the function's.
library = import_module("simdom.simulate")

MINE = simdom.Strategy("mine", "", "", (1.0,) + (0.0,) * 11)
OTHER = simdom.Strategy("mine", "", "", (2.0,) + (0.0,) * 11)


def words(command):
    return shlex.split(command, comments=True)


def test_a_name_and_what_it_names_play_the_same():
    by_name = simdom.simulate("pagat-block", 1000, players=3, strategy="normal")
    by_object = simdom.simulate(
        simdom.load_variant("pagat-block"), 1000, players=3, strategy=simdom.load_strategy("normal")
    )
    assert by_name.metrics == by_object.metrics
    assert by_name.command == by_object.command
    assert "#" not in by_name.command


def test_rules_made_in_python_are_a_variant():
    rules = simdom.load_variant("pagat-block").rules(3)
    result = simdom.simulate(rules, 1000)
    assert result.metrics == simdom.simulate("pagat-block", 1000, players=3).metrics
    assert result.command.endswith("# made in Python, not in a file: rules")


def test_the_command_repeats_what_was_changed():
    result = simdom.simulate(
        "pagat-draw", 1e5, players=3, overrides={"reserve": 0}, seed=9, confidence=0.99
    )
    assert words(result.command) == words(
        "simdom run --variant pagat-draw -n 1e5 --players 3 --set reserve=0 --strategy random "
        "--seed 9 --confidence 0.99"
    )


def test_an_interrupted_run_is_repeated_as_far_as_it_came():
    def interrupt(_done, _asked):
        raise KeyboardInterrupt

    result = simdom.simulate("pagat-draw", 10**6, seed=3, progress=interrupt)
    assert (result.rounds, result.asked) == (driver.FIRST_CHUNK, 10**6)
    arguments = words(result.command)
    assert arguments[arguments.index("-n") + 1] == str(driver.FIRST_CHUNK)
    assert simdom.simulate("pagat-draw", result.rounds, seed=3).metrics == result.metrics


def test_the_result_says_what_strategies_weigh():
    result = simdom.simulate("pagat-block", 100, strategy=[MINE, "random"])
    assert result.strategy_details["mine"]["weights"] == {"pips": 1.0}
    assert "mine" in result.command
    assert result.command.endswith("# made in Python, not in a file: mine")


def test_two_strategies_of_one_name_are_refused():
    with pytest.raises(UsageError, match="two different strategies are called mine: rename one"):
        simdom.simulate("pagat-block", 100, strategy=[MINE, OTHER])
    same = simdom.simulate("pagat-block", 100, strategy=[MINE, MINE])
    assert same.strategies == ("mine", "mine")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"variant": 7}, "a variant is a name, a path, a Variant or Rules, not 7"),
        ({"rounds": "1e5"}, "rounds must be a whole number, not '1e5'"),
        ({"rounds": 0}, "rounds must be a whole number from 1 to 10,000,000,000,000, not 0"),
        ({"seed": -1}, f"seed must be a whole number from 0 to {2**64 - 1:,}, not -1"),
        ({"strategy": len}, f"a strategy is a name, a path or a Strategy, not {len!r}"),
        ({"strategy": []}, "0 strategies for 2 players: give one for all seats, or one for each"),
        ({"threads": 0}, "threads must be from 1 to 1024, not 0"),
    ],
)
def test_what_cannot_be_used_is_named(arguments, message):
    with pytest.raises(UsageError) as raised:
        simdom.simulate(**{"rounds": 10, **arguments})
    assert str(raised.value).startswith(message)


def test_numbers_of_any_length_are_refused_in_a_line():
    endless = 10**5000
    for wrong in ({"rounds": endless}, {"rounds": 10, "seed": endless}, {"threads": -endless}):
        with pytest.raises(UsageError, match="not a number that is far too large"):
            simdom.simulate("pagat-draw", **wrong)
    with pytest.raises(UsageError, match=r"not 1000000000000000000000.*…"):
        simdom.simulate("pagat-draw", 10, seed=10**100)


def test_slow_play_is_soon_interrupted():
    """The first look at the speed is short, for some strategies play ten rounds a second."""
    done = []
    simdom.simulate("pagat-draw", 1000, threads=1, progress=lambda played, _: done.append(played))
    assert done[0] <= 10
    assert done[-1] == 1000
