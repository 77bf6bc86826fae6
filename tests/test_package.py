"""The package: the names that it has, and that they are what they should be."""

import subprocess
import sys

import pytest

import simdom
import simdom.rounds


def test_names_of_the_package():
    assert simdom.simulate is sys.modules["simdom.simulate"].simulate
    assert simdom.trace_round is simdom.rounds.trace_round
    assert set(simdom.__all__) <= set(dir(simdom))
    for name in simdom.__all__:
        assert getattr(simdom, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        _ = simdom.simulat


def test_the_function_is_not_hidden_by_its_module():
    for first in ("import simdom.simulate", "from simdom.simulate import simulate", ""):
        code = f"{first}\nimport simdom\nassert callable(simdom.simulate)"
        subprocess.run([sys.executable, "-c", code], check=True)
