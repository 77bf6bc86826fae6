"""Two saved results against each other: paired on the same shuffles, or independent."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import simdom
from commands import one_line
from result_folders import DOCUMENTS, DRAW, MATCHES, checkpoint, write
from scale import rounds
from simdom.catalogue import comparing
from simdom.catalogue.comparing import compare_results
from simdom.catalogue.differing import differ_means, differ_rates
from simdom.catalogue.documents import read_saved
from simdom.counts import format_count
from simdom.document import plain_metrics
from simdom.errors import UsageError
from simdom.estimate import Estimate, estimate_mean, estimate_rate

N = rounds(4000, plain=300)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Folders of results by name; all of seed 1 but the last."""
    root = tmp_path_factory.mktemp("saved")
    played = {
        "draw": simdom.simulate("pagat-draw", N, seed=1),
        "block": simdom.simulate("pagat-block", N, seed=1),
        "short": simdom.simulate("pagat-block", N // 2, seed=1),
        "three": simdom.simulate("pagat-draw", N // 2, seed=1, players=3),
        "nine": simdom.simulate("pagat-draw", N // 2, seed=1, overrides={"max_pip": 9}),
        "seed-2": simdom.simulate("pagat-block", N, seed=2),
        "to-50": simdom.simulate_matches("pagat-block", 20, target=50, seed=1),
        "to-60": simdom.simulate_matches("pagat-block", 20, target=60, seed=1),
    }
    for name, result in played.items():
        result.save(root / name)
    return root


def test_same_shuffles_are_paired_as_compare_pairs_them(saved):
    found = compare_results(saved / "draw", saved / "block")
    expected = simdom.compare("pagat-draw", "pagat-block", rounds=N, seed=1)
    assert found.is_paired
    assert plain_metrics(found.differences) == plain_metrics(expected.differences[0].metrics)
    assert found.changes == expected.differences[0].changes
    assert plain_metrics(found.results[1].metrics) == plain_metrics(expected.metrics[1])
    assert f"both were played again, {N:,} rounds of each (indices 0 to {N - 1:,})" in found.why


def test_only_shared_rounds_are_paired(saved):
    found = compare_results(saved / "draw", saved / "short")
    assert found.is_paired
    assert [result.rounds for result in found.results] == [N // 2, N // 2]
    expected = simdom.compare("pagat-draw", "pagat-block", rounds=N // 2, seed=1)
    assert plain_metrics(found.differences) == plain_metrics(expected.differences[0].metrics)


def test_no_more_rounds_are_played_again_than_asked_for(saved):
    found = compare_results(saved / "draw", saved / "block", rounds=100)
    assert [result.rounds for result in found.results] == [100, 100]
    assert f"100 rounds of each of the {N:,} shared (indices 0 to 99)" in found.why
    assert found.command.endswith("--rounds 100")
    assert found.made[0].startswith(f"Played again of {saved / 'draw'}: 100 rounds of ")


def test_matches_are_paired(saved):
    found = compare_results(saved / "to-50", saved / "to-60")
    assert found.is_paired
    assert found.differences["rounds_per_match"].estimate > 0
    assert found.results[0].rounds == round(
        20 * found.results[0].estimate("rounds_per_match").estimate
    )
    assert "20 matches of each" in found.why


def test_tables_of_other_sizes_have_only_rates_in_common(saved):
    found = compare_results(saved / "draw", saved / "three")
    assert found.is_paired
    assert found.rates_only
    assert "points" not in found.differences
    assert "blocked_rate" in found.differences
    assert found.changes["winner_changed_rate"] is None


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ("seed-2", "their seeds differ: 1 and 2"),
        ("nine", "sets of double-6 and double-9 have no shuffle in common"),
    ],
)
def test_what_shares_no_shuffle_is_independent(saved, other, why):
    found = compare_results(saved / "draw", saved / other)
    assert (found.is_paired, found.why, found.caution) == (False, why, "")
    assert found.changes == {}
    assert all(line.pairing == "" for line in found.lines())


def test_independent_on_demand_warns_of_shared_shuffles(saved):
    found = compare_results(saved / "draw", saved / "block", independent=True)
    assert not found.is_paired
    assert found.caution.startswith("They share shuffles")
    assert found.command.endswith("--independent")


def test_other_indices_share_nothing(saved):
    load = comparing._load
    first, other = load(saved / "draw"), load(saved / "block")
    later = other._replace(trials=range(N, 2 * N))
    assert comparing._replay_of(first, later) == (
        f"they have no index in common: 0 to {N - 1:,} and {N:,} to {2 * N - 1:,}"
    )
    half = other._replace(trials=range(N // 2, N // 2 + N))
    assert comparing._replay_of(first, half).shared == range(N // 2, N)
    assert comparing._caution(first, later) == ""


def test_pieces_that_begin_later_are_paired_where_they_overlap(saved, tmp_path):
    later = simdom.simulate("pagat-draw", N, seed=1, first=N // 2)
    later.save(tmp_path / "later")
    found = compare_results(tmp_path / "later", saved / "block")
    assert found.is_paired
    assert f"(indices {N // 2:,} to {N - 1:,})" in found.why
    again = simdom.simulate("pagat-block", N // 2, seed=1, first=N // 2)
    assert plain_metrics(found.results[1].metrics) == plain_metrics(again.metrics)


def test_what_is_played_again_must_be_what_was_saved(saved, monkeypatch):
    load = comparing._load

    def other_figures(path):
        """As if another engine had played it: the result of another seed."""
        found = load(path)
        if path.name != "block":
            return found
        return found._replace(
            result=replace(load(saved / "seed-2").result, seed=1, rules=found.result.rules)
        )

    monkeypatch.setattr(comparing, "_load", other_figures)
    found = compare_results(saved / "draw", saved / "block")
    assert not found.is_paired
    assert found.why == f"played again, {saved / 'block'} does not give its own figures"


def test_functions_and_other_rules_versions_are_not_played_again(saved, tmp_path):
    document = json.loads((saved / "block" / "result.json").read_text("utf-8"))
    detail = document["strategy_details"]["random"]
    hook = document | {"strategy_details": {"random": detail | {"function": "mine"}}}
    later = document | {"rules_version": 99}
    for changed, why in ((hook, "is a Python function"), (later, "rules version 99")):
        path = write(tmp_path / "a.json", changed)
        found = compare_results(saved / "draw", path)
        assert not found.is_paired
        assert f"{path} cannot be played again: " in found.why
        assert why in found.why


def test_strategies_that_sample_are_played_again_for_fewer_rounds():
    path = DOCUMENTS / "result-1-strategies.json"
    replay = comparing._replay_of(comparing._load(path), comparing._load(path))
    assert comparing._most_again(replay.contests) == comparing.MOST_SAMPLED_AGAIN


def test_documents_of_all_forms_are_compared():
    first = compare_results(DOCUMENTS / DRAW, DOCUMENTS / "result-1-weights.json")
    assert first.is_paired
    same = compare_results(DOCUMENTS / MATCHES, DOCUMENTS / MATCHES)
    assert {line.difference for line in same.lines()} == {"unchanged"}


def test_what_cannot_be_compared_is_one_line(saved, tmp_path):
    bad = write(tmp_path / "bad.json", "{")
    half = write(tmp_path / "half" / "checkpoint.json", checkpoint()).parent
    for first, other, complaint in (
        (saved / "draw", saved / "to-50", "is of rounds and"),
        (DOCUMENTS / "duel-1-first.json", saved / "draw", "is of `simdom duel`"),
        (saved / "draw", bad, f"{bad} is no JSON"),
        (saved / "draw", tmp_path / "nowhere", "nowhere cannot be read"),
        (half, saved / "draw", f"3,000,000 of 10,000,000 rounds: `simdom resume {half}`"),
        (saved / "draw", tmp_path, "result.json cannot be read"),
    ):
        with pytest.raises(UsageError) as error:
            compare_results(first, other)
        assert complaint in one_line(error)
    for wrong in ({"rounds": 0}, {"rounds": 2.5}, {"confidence": 1}, {"threads": 0}):
        with pytest.raises(UsageError):
            compare_results(saved / "draw", saved / "block", **wrong)


def test_the_confidence_is_that_of_the_first_unless_given(saved):
    wide = compare_results(saved / "draw", saved / "seed-2", confidence=0.99)
    usual = compare_results(saved / "draw", saved / "seed-2")
    for name in ("blocked_rate", "points"):
        assert wide.differences[name].high > usual.differences[name].high
        assert wide.differences[name].estimate == usual.differences[name].estimate
    assert wide.command.endswith("--confidence 0.99")


def test_newcombe_is_his_own_examples():
    """R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10."""
    for a, m, b, n, low, high in (
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (6, 7, 2, 7, 0.0582, 0.8062),
        (5, 56, 0, 29, -0.0381, 0.1926),
        (0, 10, 0, 20, -0.1611, 0.2775),
        (10, 10, 0, 10, 0.6075, 1.0000),
    ):
        found = differ_rates(estimate_rate(b, n), estimate_rate(a, m))
        assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_welch_is_that_of_scipy():
    draw = np.random.default_rng(5)
    a, b = draw.poisson(3, 40), draw.poisson(5, 25)
    first, other = (estimate_mean(np.bincount(x).tolist()) for x in (a, b))
    found = differ_means(first, 40, other, 25, 0.95)
    expected = stats.ttest_ind(b, a, equal_var=False)
    interval = expected.confidence_interval(0.95)
    # Degrees of freedom are rounded down, so the interval is a little wider, by less than 1%.
    assert found.low <= interval.low < found.estimate < interval.high <= found.high
    assert found.high - found.low < 1.01 * (interval.high - interval.low)
    assert found.se == pytest.approx(expected.statistic**-1 * found.estimate)


def test_welch_at_its_edges():
    same = Estimate(2.0, 0.0, 2.0, 2.0, sd=0.0)
    assert differ_means(same, 5, same, 5, 0.95) == Estimate(0.0, 0.0, 0.0, 0.0)
    one = Estimate(2.0, math.nan, math.nan, math.nan, sd=math.nan)
    assert math.isnan(differ_means(one, 1, same, 5, 0.95).low)
    spread = Estimate(2.0, 0.5, 0.0, 4.0, sd=0.7)
    assert differ_means(spread, 2, same, 9, 0.95).high == pytest.approx(0.5 * 12.7062047)


def test_intervals_of_independent_results_cover(saved):
    """The difference of two seeds of one game is 0, and 95% intervals hold it.

    Of 19 figures that hang together, 5 or more outside come by chance in less than 1 of 1000 such
    pairs; the seeds are fixed.
    """
    found = compare_results(saved / "block", saved / "seed-2")
    outside = [
        name
        for name, one in found.differences.items()
        if isinstance(one, Estimate) and not one.low <= 0 <= one.high
    ]
    assert len(outside) < 5


def test_every_form_says_which_way_and_why(saved):
    for other, way in (("block", "Paired: "), ("seed-2", "Independent: ")):
        found = compare_results(saved / "draw", saved / other)
        assert way in found.summary()
        assert way in str(found)
        assert way in found._repr_html_()
        document = json.loads(found.to_json())
        assert document["paired"] == found.is_paired
        assert document["why"] == found.why


def test_columns_and_documents_have_every_figure(saved, tmp_path):
    found = compare_results(saved / "draw", saved / "block")
    frame = found.to_frame()
    points = frame[frame.metric == "points"].iloc[0]
    assert points["difference"] == pytest.approx(points["other"] - points["first"])
    assert points["difference_low"] < points["difference"] < points["difference_high"]
    assert len(found.to_csv().splitlines()) == len(frame) + 1
    again = read_saved(write(tmp_path / "difference.json", found.to_json()))
    assert again.kind == "difference"
    assert again.gist[0] == "paired"
    only = json.loads(found.to_json(["points"]))
    assert list(only["differences"]) == ["points"]
    with pytest.raises(UsageError, match="did you mean 'points'"):
        found.to_json(["pionts"])


def test_ctrl_c_leaves_what_was_played(saved, monkeypatch):
    monkeypatch.setattr("simdom.pairing.play.CHUNK", N // 4)

    def progress(done, _asked):
        if done >= N // 2:
            raise KeyboardInterrupt

    found = compare_results(saved / "draw", saved / "block", progress=progress, threads=1)
    assert found.is_paired
    played = found.trials[0]
    assert N // 2 <= played < N
    assert found.asked == N
    assert found.command.endswith(f"--rounds {format_count(played)}")
    assert json.loads(found.to_json())["partial"]
    assert f"of the {N:,} shared" in found.why
