"""A round is a function of rules, strategies, seed and index: nothing else may change one bit.

Not the chunks, not the threads, not the executor, not the kernel, not whether it is compiled.
"""

import json
import os
import subprocess
import sys
from functools import reduce
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fingerprints
import simdom
from fingerprints import studies
from scale import IS_COMPILED, rounds
from simdom import simulate
from simdom.engine import kernels
from simdom.engine.kernels import Study, list_rounds, tally_rounds
from simdom.engine.tally import Tally, merge, new_tally
from simdom.executors.serial import SerialExecutor
from simdom.executors.threads import ThreadsExecutor
from simdom.rounds import simulate_rounds

STUDIES = studies()


def with_threads(count):
    """So many threads, on however few cores: they must not matter even so."""
    executor = ThreadsExecutor()
    executor.workers = count
    return executor


EXECUTORS = {
    "serial": SerialExecutor(),
    "1 thread": with_threads(1),
    "2 threads": with_threads(2),
    "7 threads": with_threads(7),
}


def playing(study):
    return lambda chunk: tally_rounds(study, chunk.start, chunk.stop)


def check_same(a: Tally, b: Tally) -> None:
    for name, one, other in zip(Tally._fields, a, b, strict=True):
        assert np.array_equal(one, other), name


@pytest.mark.parametrize("name", STUDIES)
@settings(max_examples=20 if IS_COMPILED else 3)
@given(cuts=st.lists(st.integers(0, 300), max_size=6))
def test_tallies_of_any_cuts_add_up(name, cuts):
    study = STUDIES[name]
    bounds = [0, *sorted(cuts), 300] if IS_COMPILED else [0, *sorted(cut // 6 for cut in cuts), 50]
    pieces = [tally_rounds(study, start, stop) for start, stop in pairwise(bounds)]
    check_same(reduce(merge, pieces), tally_rounds(study, 0, bounds[-1]))


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_executors_and_chunk_sizes_agree(executor, size):
    n = rounds(500, 60)
    for study in STUDIES.values():
        chunks = [range(start, min(start + size, n)) for start in range(0, n, size)]
        tallies = list(EXECUTORS[executor].play(playing(study), chunks))
        assert [tally.rounds for tally in tallies] == [len(chunk) for chunk in chunks]
        check_same(reduce(merge, tallies), tally_rounds(study, 0, n))


@pytest.mark.parametrize("executor", EXECUTORS)
def test_executors_yield_in_the_order_of_the_chunks(executor):
    """Chunks of many lengths, so that threads finish out of turn."""
    lengths = [rounds(3000, 30), 1, 2, rounds(500, 5), 1, rounds(1000, 10), 3]
    ends = np.cumsum([0, *lengths]).tolist()
    chunks = [range(start, stop) for start, stop in pairwise(ends)]
    study = STUDIES["block, random"]
    for chunk, tally in zip(chunks, EXECUTORS[executor].play(playing(study), chunks), strict=True):
        check_same(tally, tally_rounds(study, chunk.start, chunk.stop))


def test_no_chunks_give_no_tallies():
    for executor in EXECUTORS.values():
        assert list(executor.play(playing(STUDIES["block, random"]), [])) == []


def test_merging_adds_and_has_a_zero():
    study = STUDIES["draw, mixed"]
    a, b = tally_rounds(study, 0, 40), tally_rounds(study, 40, 70)
    check_same(merge(a, b), merge(b, a))
    check_same(merge(a, new_tally(study.rules)), a)


@pytest.mark.parametrize("strategy", ["random", "normal"])
@pytest.mark.parametrize("variant", ["pagat-block", "pagat-draw", "draw-one"])
def test_results_do_not_depend_on_threads(variant, strategy):
    """All that a result says, but for how long it took and on how many threads."""
    n = rounds(200_000, 2000)
    documents = []
    for threads in (1, 2, 3):
        result = simulate(variant, n, strategy=strategy, seed=5, threads=threads)
        document = result.to_dict()
        for name in ("seconds", "rounds_per_second", "threads", "command"):
            document.pop(name)
        documents.append(json.dumps(document))
    assert len(set(documents)) == 1


@pytest.mark.parametrize("name", STUDIES)
def test_kernels_for_some_rules_agree_with_the_one_for_all(name):
    n = rounds(20_000, 100)
    with patch.object(kernels, "specialisation", return_value=(-1, -1)):
        general = tally_rounds(STUDIES[name], 0, n)
    check_same(tally_rounds(STUDIES[name], 0, n), general)


@pytest.mark.parametrize("name", STUDIES)
def test_rows_do_not_depend_on_where_they_start(name):
    whole = list_rounds(STUDIES[name], 0, 60)
    pieces = [list_rounds(STUDIES[name], start, start + 20) for start in (0, 20, 40)]
    assert np.array_equal(whole, np.concatenate(pieces))


def test_rows_are_the_rounds_that_a_result_counts():
    n = rounds(50_000, 1000)
    frame = simulate_rounds("pagat-draw", n, strategy="normal", seed=6)
    result = simulate("pagat-draw", n, strategy="normal", seed=6)
    metrics = result.metrics
    assert metrics["blocked_rate"].count == (frame["end"] == "blocked").sum()
    assert metrics["tie_rate"].count == (frame["winner"] == -1).sum()
    assert metrics["opener_win_rate"].count == (frame["winner"] == frame["opener"]).sum()
    assert metrics["no_double_rate"].count == frame["no_double"].sum()
    assert metrics["first_reply_stuck_rate"].count == frame["first_reply_stuck"].sum()
    for name in (
        "points",
        "points_minus_own",
        "points_others",
        "points_all_hands",
        "plays",
        "draws",
        "passes",
        "boneyard_left",
    ):
        assert metrics[name].estimate == pytest.approx(frame[name].mean(), rel=1e-12)
        assert metrics[name].sd == pytest.approx(frame[name].std(ddof=1), rel=1e-9)


def test_the_deck_is_the_same_whatever_the_rules():
    """One shuffle for all variants of a set: two rule sets can be compared on the same deals."""
    base = STUDIES["block, random"]
    decks = []
    for variant in ("pagat-block", "pagat-draw-lot", "portal-draw", "draw-one"):
        rules = simdom.load_variant(variant).rules()
        study = Study(rules, base.strategies, base.seed)
        decks.append([kernels.record_round(study, index).deck.tolist() for index in range(20)])
    assert all(deck == decks[0] for deck in decks)


def test_plain_python_gives_the_same_rounds():
    """The same code, compiled and not: whichever this is, another process is the other."""
    other = {**os.environ, "NUMBA_DISABLE_JIT": "1" if IS_COMPILED else "0"}
    other["PYTHONPATH"] = str(Path(simdom.__file__).parents[1])
    ran = subprocess.run(
        [sys.executable, fingerprints.__file__],
        env=other,
        capture_output=True,
        text=True,
        check=True,
    )
    mine = {name: fingerprints.fingerprint(study) for name, study in STUDIES.items()}
    assert json.loads(ran.stdout) == mine


def test_rounds_are_those_of_this_rules_version():
    """What version 1 gave on the machine that it was written on; any other must give it too.

    If rules or streams change what a round is, RULES_VERSION moves and these numbers with it.
    """
    known = Path(__file__).parent / "data" / f"rounds-{simdom.RULES_VERSION}.json"
    for name, numbers in json.loads(known.read_text()).items():
        mine = fingerprints.fingerprint(STUDIES[name])
        assert {key: mine[key] for key in numbers} == numbers, name
