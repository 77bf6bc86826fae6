"""Exact answers against simulated deals. False-alarm odds: one in a million for each question."""

from fractions import Fraction

import numpy as np
import pytest

from decks import shuffled_decks
from scale import rounds
from simdom import simulate
from simdom.engine.decks import list_decks
from simdom.errors import UsageError
from simdom.exact.asked import check_asked
from simdom.exact.check import check_law
from simdom.exact.odds import law_of, odds
from simdom.exact.sample import count_outcomes

DEALS = rounds(200_000, 2000)

QUESTIONS = [
    ("no-double", {"players": 2}),
    ("no-double", {"players": 3, "hand": 5}),
    ("doubles", {}),
    ("doubles", {"max_pip": 12, "hand": 15}),
    ("opening-tile", {"players": 2}),
    ("opening-tile", {"max_pip": 9, "players": 3, "hand": 5}),
    ("number", {"number": 0}),
    ("number", {"max_pip": 18, "hand": 30}),
    ("missing", {}),
    ("missing", {"number": 6}),
    ("missing", {"max_pip": 12, "hand": 12}),
    ("pips", {}),
    ("pips", {"hand": 20}),
    ("misdeal", {"players": 4, "doubles": 5}),
    ("misdeal", {"players": 4, "doubles": 3, "hand": 6}),
    ("misdeal", {"players": 1, "of_one_number": 5}),
    ("misdeal", {"players": 4, "of_one_number": 5}),
    ("misdeal", {"players": 4, "of_one_number": 4}),
    ("misdeal", {"players": 3, "of_one_number": 5, "hand": 9}),
    ("misdeal", {"max_pip": 9, "players": 4, "of_one_number": 6, "hand": 9}),
    ("misdeal", {"max_pip": 12, "players": 4, "of_one_number": 7, "hand": 12}),
]


@pytest.mark.parametrize(
    ("question", "options"), QUESTIONS, ids=lambda value: str(value).replace(" ", "")
)
def test_simulations_agree(question, options):
    answer = odds(question, **options).check(DEALS, seed=3)
    assert answer.checked.agrees, answer.summary()
    for checked in answer.checked.outcomes.values():
        assert not checked.common or checked.z is None or abs(checked.z) < 6
    mean = answer.checked.mean
    assert (mean is None) == (answer.moments is None)
    assert mean is None or abs(mean.z) < 4.89


def test_number_of_deals_by_equal_pairs():
    """Of 2,000 deals there are 1,999,000 pairs; one in 30 is of equal deals."""
    answer = odds("deals", max_pip=2, players=2, hand=1).check(2000, seed=3)
    checked = answer.checked.chance
    assert answer.number == 30
    assert 60_000 < checked.estimate.count < 73_000
    assert abs(checked.z) < 6
    assert answer.checked.agrees
    wide = odds("deals").check(DEALS, seed=3)
    assert wide.checked.agrees
    with pytest.raises(UsageError, match="at most 10,000,000 deals"):
        odds("deals").check(2e7)


def test_the_deals_are_those_of_a_run():
    """The same rounds of the same seed: counts are equal, not only near."""
    n = rounds(20_000)
    result = simulate("pagat-block", n, seed=5)
    none = odds("no-double").check(n, seed=5).checked.chance.estimate.count
    assert none == result.metrics["no_double_rate"].count
    openings = odds("opening-tile").check(n, seed=5).checked.outcomes
    assert openings[6].estimate.count == result.distributions["opening_tile"]["6-6"]


@pytest.mark.parametrize("max_pip", [1, 6, 9, 18])
def test_decks_do_not_depend_on_where_a_chunk_begins(max_pip):
    decks = shuffled_decks(max_pip, 60, seed=2)
    assert np.array_equal(list_decks(max_pip, 2, 0, 60), decks)
    assert np.array_equal(list_decks(max_pip, 2, 40, 60), decks[40:])


def test_a_wrong_law_does_not_agree():
    asked = check_asked("doubles")
    law = law_of(asked)
    law[0], law[1] = law[1], law[0]
    assert not check_law(asked, law, 2000, 1).agrees
    certain = check_law(check_asked("no-double"), {0: Fraction(0), 1: Fraction(1)}, 100, 1)
    assert not certain.agrees
    assert certain.chance.z is None


def test_what_is_certain_has_no_z():
    answer = odds("no-double", players=4, hand=7).check(100)
    assert answer.chance == 0
    assert answer.checked.chance.z is None
    assert answer.checked.agrees
    assert "nothing is left to chance" in answer.summary()


def test_what_a_check_says():
    answer = odds("doubles").check(1000, seed=9)
    document = answer.to_dict()
    assert document["command"].endswith("--max-pip 6 --hand 7 --check -n 1e3 --seed 9")
    assert {key: document["check"][key] for key in ("rounds", "seed", "agrees")} == {
        "rounds": 1000,
        "seed": 9,
        "agrees": True,
    }
    first = document["distribution"][0]["check"]
    assert set(first) == {"estimate", "se", "low", "high", "count", "z"}
    assert sum(one["check"]["count"] for one in document["distribution"]) == 1000
    assert {"count", "z"} <= set(answer.to_frame().columns)
    assert "expected 10 times or more" in answer.summary()


def test_progress_and_chunks():
    seen = []
    counts = count_outcomes(check_asked("pips"), 25_000, 1, lambda *at: seen.append(at))
    assert seen == [(20_000, 25_000), (25_000, 25_000)]
    assert counts.total() == 25_000


@pytest.mark.parametrize("options", [{"rounds": 0}, {"rounds": 1.5}, {"rounds": 1e9}, {"seed": -1}])
def test_what_cannot_be_simulated(options):
    with pytest.raises(UsageError, match="must be a whole number from"):
        odds("doubles").check(**options)
