"""Paired comparisons: against frames of the same rounds, and what must and must not change."""

import json
import sys
from dataclasses import replace
from math import isnan, sqrt

import numpy as np
import pytest
from scipy import stats

import simdom.pairing.compare  # noqa: F401 -- the module, whatever the package binds to its name
from evidence import FALSE_ALARM, Z_BOUND
from scale import rounds
from simdom import Rules, load_strategy, load_variant, simulate, simulate_rounds
from simdom.errors import RulesError, UsageError
from simdom.estimate import METRICS
from simdom.pairing import play
from simdom.pairing.comparison import SCHEMA
from simdom.pairing.contests import CHANGES
from simdom.pairing.sums import sum_trials
from simdom.running import driver
from strategy_files import write_strategy

compare = sys.modules["simdom.pairing.compare"].compare

FIGURES = [name for name, metric in METRICS.items() if metric.parts(Rules())]
"""What there is to compare where nobody plays in pairs."""


def figures_of(metrics):
    """Every estimate, by metric and seat."""
    for name, found in metrics.items():
        for seat, estimate in enumerate(found if isinstance(found, list) else [found]):
            yield name, seat, estimate


# --- against frames of the same rounds -------------------------------------------------------


def values_of(frame, players):
    """Value and trials of each round, by metric and seat, from what `simulate_rounds` lists."""
    won = frame["winner"] >= 0
    pips = frame[[f"pips_{seat}" for seat in range(players)]].to_numpy()
    own = np.where(won, pips[np.arange(len(frame)), frame["winner"].clip(lower=0)], 0)
    blocked = frame["end"] == "blocked"
    one = np.ones(len(frame))
    after = (frame["winner"] - frame["opener"]) % players
    columns = {
        ("blocked_rate", 0): blocked,
        ("tie_rate", 0): ~won,
        ("no_double_rate", 0): frame["no_double"],
        ("opener_win_rate", 0): frame["winner"] == frame["opener"],
        ("first_reply_stuck_rate", 0): frame["first_reply_stuck"],
        ("dead_after_opening_rate", 0): blocked & (frame["plays"] == 1),
    }
    for seat in range(players):
        columns["seat_win_rate", seat] = won & (after == seat)
        columns["table_seat_win_rate", seat] = frame["winner"] == seat
    names = ("points", "points_minus_own", "points_others", "points_all_hands")
    for name in (*names, "plays", "draws", "passes", "boneyard_left"):
        columns[name, 0] = frame[name]
    found = {key: (np.asarray(column, float), one) for key, column in columns.items()}
    redeals = frame["redeals"].to_numpy(float)
    found["redeal_rate", 0] = (redeals, redeals + 1)
    found["winner_pips", 0] = (own.astype(float), won.to_numpy(float))
    return found


PAIRS = {
    "reserve": ("pagat-draw", "pagat-draw:reserve=0"),
    "strategy": ("pagat-draw:players=3", "pagat-draw:players=3:strategy=normal,random,random"),
    "deals thrown in": ("pagat-block:misdeal=4", "pagat-block:misdeal=3:no_double=redeal"),
    "ties": ("household-block:block_tie=split", "pagat-draw:block_tie=opener:deal=6"),
    "players": ("pagat-draw", "pagat-block:players=4:misdeal=4"),
}


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_every_difference_is_that_of_the_rounds_one_by_one(pair):
    n = rounds(10_000, 300)
    comparison = compare(*pair, rounds=n, seed=3)
    first, other = (
        values_of(
            simulate_rounds(
                contender.variant,
                n,
                overrides=contender.rules._asdict(),
                strategy=contender.study.strategies,
                seed=3,
            ),
            contender.rules.players,
        )
        for contender in comparison.contenders
    )
    (versus,) = comparison.differences
    found = list(figures_of(versus.metrics))
    if not versus.rates_only:
        assert {(name, seat) for name, seat, _ in found} == set(first)
    t = stats.t.ppf(0.975, n - 1)
    for name, seat, estimate in found:
        (x, u), (y, v) = first[name, seat], other[name, seat]
        a, b = x.sum() / u.sum(), y.sum() / v.sum()
        parts = (y - b * v) / v.mean() - (x - a * u) / u.mean()
        se = parts.std(ddof=1) / sqrt(n)
        assert estimate.estimate == pytest.approx(b - a, abs=1e-12), name
        assert estimate.se == pytest.approx(se, abs=1e-12), name
        assert estimate.sd == pytest.approx(parts.std(ddof=1), abs=1e-9), name
        assert estimate.low == pytest.approx(b - a - t * se, abs=1e-10), name
        assert estimate.high == pytest.approx(b - a + t * se, abs=1e-10), name
        apart = ((x - a * u) / u.mean()).var() + ((y - b * v) / v.mean()).var()
        if se > 1e-12:
            assert estimate.pairing == pytest.approx(apart / parts.var()), name
        else:
            assert isnan(estimate.pairing), name


def test_shares_of_rounds_that_change():
    n = rounds(20_000, 400)
    comparison = compare("pagat-draw", "pagat-draw:reserve=0", rounds=n, seed=5)
    a, b = (simulate_rounds("pagat-draw", n, overrides={"reserve": r}, seed=5) for r in (2, 0))
    blocked = (a["end"] == "blocked") != (b["end"] == "blocked")
    expected = [a["winner"] != b["winner"], a["points"] != b["points"], blocked]
    changes = comparison.differences[0].changes
    assert [changes[name].count for name in CHANGES] == [int(each.sum()) for each in expected]
    assert all(0 < share.low < share.estimate < share.high for share in changes.values())


def test_each_contender_has_the_figures_of_its_own_run():
    n = rounds(50_000)
    comparison = compare("pagat-draw", "pagat-block:players=3:strategy=normal", rounds=n, seed=7)
    assert comparison.metrics[0] == simulate("pagat-draw", n, seed=7).metrics
    alone = simulate("pagat-block", n, players=3, strategy="normal", seed=7)
    assert comparison.metrics[1] == alone.metrics


# --- what must and must not change -----------------------------------------------------------


@pytest.mark.parametrize("name", ["pagat-draw", "household-block:players=3:strategy=normal"])
def test_a_variant_against_itself_differs_in_nothing(name):
    comparison = compare(name, name, rounds=rounds(30_000, 300))
    (versus,) = comparison.differences
    assert set(versus.metrics) == set(FIGURES)
    for _, _, estimate in figures_of(versus.metrics):
        assert (estimate.estimate, estimate.se, estimate.low, estimate.high) == (0, 0, 0, 0)
        assert isnan(estimate.pairing)
    assert [share.count for share in versus.changes.values()] == [0, 0, 0]
    assert "unchanged" in comparison.summary()


def test_what_a_block_scores_changes_points_and_nothing_else():
    comparison = compare(
        "pagat-block", "pagat-block:block_score=others", rounds=rounds(100_000, 500)
    )
    (versus,) = comparison.differences
    changed = {name for name, _, estimate in figures_of(versus.metrics) if estimate.estimate}
    assert changed == {"points"}
    assert versus.metrics["points"].low > 0
    assert versus.changes["points_changed_rate"].estimate > 0.3
    assert versus.changes["winner_changed_rate"].count == 0
    assert versus.changes["blocked_changed_rate"].count == 0
    first, other = comparison.metrics
    assert other["points"] == first["points_others"]


@pytest.mark.jit
def test_the_reserve_of_draw():
    comparison = compare("pagat-draw", "pagat-draw:reserve=0", rounds=400_000)
    difference = comparison.differences[0].metrics["blocked_rate"]
    first, other = (metrics["blocked_rate"] for metrics in comparison.metrics)
    # The shares are 20.2% and 17.4%, each rounded by up to 0.05 points; one false alarm in 10^6.
    assert abs(difference.estimate - (0.174 - 0.202)) < 2 * 0.0005 + Z_BOUND * difference.se
    independent = sqrt((first.high - first.low) ** 2 + (other.high - other.low) ** 2)
    assert difference.high - difference.low < 0.7 * independent
    apart = first.se**2 + other.se**2
    assert difference.pairing == pytest.approx(apart / difference.se**2, rel=1e-4)
    assert 2 < difference.pairing < 5
    assert "independent rounds of each (×3" in comparison.worth(1)


@pytest.mark.jit
def test_standard_errors_are_those_from_seed_to_seed():
    seeds, n = 150, 1000
    found = [
        compare("pagat-draw", "pagat-draw:reserve=0", rounds=n, seed=seed, threads=1)
        .differences[0]
        .metrics
        for seed in range(seeds)
    ]
    # Chi-square of about normal means, by the odds of one false alarm in 10^6 on either side.
    law = stats.chi2(seeds - 1)
    for name in ("blocked_rate", "points", "winner_pips"):
        values = np.array([metrics[name].estimate for metrics in found])
        square = np.mean([metrics[name].se ** 2 for metrics in found])
        scatter = ((values - values.mean()) ** 2).sum() / square
        assert law.ppf(FALSE_ALARM) < scatter < law.isf(FALSE_ALARM), name


def test_neither_threads_nor_chunks_change_a_figure(monkeypatch):
    n = rounds(3000, 200)

    def document(threads, chunk):
        monkeypatch.setattr(play, "CHUNK", chunk)
        found = compare("pagat-draw", "pagat-draw:reserve=0", rounds=n, threads=threads).to_dict()
        return {key: value for key, value in found.items() if key not in ("seconds", "threads")}

    alone = document(1, n)
    assert alone == document(2, 7 * n // 50 + 1) == document(5, n // 3)


def test_two_to_twenty():
    values = [f"pagat-block:deal={deal}" for deal in range(2, 12)]
    many = compare(*values, *(f"{v}:block_tie=opener" for v in values), rounds=50)
    assert len(many.differences) == 19
    assert len(many.to_dict()["metrics"]["points"]) == 20
    assert len(many.summary().splitlines()) == 20
    for wrong in ([], ["pagat-block"], ["pagat-block"] * 21):
        what = "variant" if len(wrong) == 1 else "variants"
        with pytest.raises(UsageError, match=f"^{len(wrong)} {what} to compare: give 2 to 20$"):
            compare(*wrong, rounds=50)


def test_other_numbers_of_players_compare_rates_only_and_say_so():
    comparison = compare(
        "pagat-draw", "pagat-draw:players=3", "pagat-draw:reserve=0", rounds=rounds(2000, 200)
    )
    versus, same = comparison.differences
    assert versus.rates_only
    assert not same.rates_only
    assert {METRICS[name].kind for name in versus.metrics} == {"rate"}
    assert "seat_win_rate" not in versus.metrics
    assert set(same.metrics) == set(FIGURES)
    assert "Only rates are compared, for 3 players and 2" in comparison.told(1)
    assert "Only rates" not in comparison.told(2)
    entry = comparison.to_dict()["differences"][0]
    assert entry["rates_only"] is True
    assert entry["winner_changed_rate"] is entry["points_changed_rate"] is None
    assert entry["blocked_changed_rate"]["count"] > 0
    assert "points" not in entry
    # Rates of two tables have a paired interval too: the deck is the same.
    assert entry["blocked_rate"]["low"] < entry["blocked_rate"]["high"]


# --- what comes out --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def comparison():
    return compare("pagat-draw", "pagat-draw:reserve=0", "pagat-draw:strategy=normal", rounds=300)


def test_the_document(comparison):
    document = json.loads(comparison.to_json())
    assert document["schema"] == SCHEMA == "simdom.comparison/1"
    names = ["pagat-draw", "pagat-draw:reserve=0", "pagat-draw:strategy=normal"]
    assert document["variants"] == comparison.names == names
    assert [each["rules"]["reserve"] for each in document["contenders"]] == [2, 0, 2]
    assert document["contenders"][2]["strategies"] == ["normal", "normal"]
    assert list(document["metrics"]) == FIGURES
    assert [len(found) for found in document["metrics"].values()] == [3] * len(FIGURES)
    assert len(document["metrics"]["seat_win_rate"][1]) == 2
    first, second = document["differences"]
    assert (first["variant"], second["variant"]) == tuple(names[1:])
    blocked = first["blocked_rate"]
    assert set(blocked) == {"estimate", "se", "low", "high", "sd", "pairing", "independent_rounds"}
    assert blocked["independent_rounds"] == round(300 * blocked["pairing"])
    assert first["no_double_rate"]["independent_rounds"] is None
    assert set(first["winner_changed_rate"]) == {"estimate", "se", "low", "high", "count"}
    a, b, _ = document["metrics"]["blocked_rate"]
    assert blocked["estimate"] == pytest.approx(b["estimate"] - a["estimate"])
    only = comparison.to_dict(["points"])
    assert list(only["metrics"]) == ["points"]
    assert set(only["differences"][0]) == {"variant", "rates_only", "points", *CHANGES}


def test_the_frame_and_the_csv(comparison):
    frame = comparison.to_frame()
    assert list(frame["contender"].unique()) == [0, 1, 2]
    assert frame.loc[frame["contender"] == 0, "difference"].isna().all()
    row = frame[(frame["contender"] == 1) & (frame["metric"] == "points")].iloc[0]
    estimate = comparison.differences[0].metrics["points"]
    assert row["difference"] == estimate.estimate
    assert (row["difference_low"], row["difference_high"]) == (estimate.low, estimate.high)
    assert row["independent_rounds"] == round(300 * estimate.pairing)
    changed = frame[frame["metric"] == "winner_changed_rate"]
    assert list(changed["contender"]) == [1, 2]
    lines = comparison.to_csv().splitlines()
    assert lines[0].split(",") == list(frame.columns)
    assert len(lines) == len(frame) + 1
    assert {line.split(",")[2] for line in comparison.to_csv(["plays"]).splitlines()[1:]} == {
        "plays",
        *CHANGES,
    }


def test_what_people_read(comparison):
    text = str(comparison)
    for fact in ("300 rounds of each", "seed 1", "simdom 0.", "strategy normal", "deal 7"):
        assert fact in text
    assert text.endswith(comparison.command)
    assert comparison.played[1] == "pagat-draw: reserve 2, strategy random."
    assert comparison.summary() in text
    html = comparison._repr_html_()
    assert html.count("<table>") == 2
    assert comparison.command in html
    assert repr(comparison).startswith("<Comparison of 300 rounds each: pagat-draw, ")


def test_the_lines_of_the_table(comparison):
    labels = [line.label for line in comparison.lines(1)]
    assert "Deals thrown in" not in labels
    assert labels[0] == "Blocked"
    (line,) = comparison.lines(1, ["redeal_rate"])
    assert (line.first, line.other, line.difference, line.pairing) == ("0%", "0%", "unchanged", "")
    (line,) = comparison.lines(2, ["points"])
    assert line.difference[0] in "+-"
    assert line.pairing.startswith("×")
    seats = compare("pagat-draw", "pagat-draw:strategy=normal,random", rounds=100).lines(1)
    assert [line.label for line in seats if line.label.startswith("Seat")] == ["Seat 0", "Seat 1"]
    alike = compare("pagat-draw", "pagat-block", rounds=10).lines(1, ["table_seat_win_rate"])
    assert [line.label for line in alike] == ["Seat 0, random", "Seat 1, random"]


def test_two_of_one_name_are_told_apart():
    comparison = compare("pagat-draw", "pagat-draw", "pagat-block", "pagat-draw", rounds=10)
    assert comparison.names == ["pagat-draw", "pagat-draw (2)", "pagat-block", "pagat-draw (3)"]
    assert [each.name for each in comparison.differences] == comparison.names[1:]
    assert comparison.to_dict()["variants"] == comparison.names
    assert comparison.command.startswith(
        "simdom compare pagat-draw pagat-draw pagat-block pagat-draw -n 10 "
    )


def test_what_makes_no_difference_is_not_said():
    common, draw, block = compare("pagat-draw", "pagat-draw:boneyard=block", rounds=10).played
    assert "reserve" not in common
    assert draw == "pagat-draw: boneyard draw, reserve 2."
    assert block == "pagat-draw:boneyard=block: boneyard block."
    assert "reserve" not in " ".join(compare("pagat-block", "pagat-block", rounds=10).played)


def test_one_round_has_no_interval_and_can_be_written():
    comparison = compare("pagat-draw", "pagat-draw", rounds=1)
    blocked = comparison.to_dict()["differences"][0]["blocked_rate"]
    assert (blocked["estimate"], blocked["se"], blocked["low"]) == (0, None, None)
    assert "(one round)" in str(comparison)
    comparison.to_json()


def test_nobody_wins_in_either():
    """The pips of winners that there are not."""
    comparison = compare("pagat-block", "pagat-block:deal=6", rounds=1, seed=1)
    for seed in range(1, 400):
        comparison = compare("pagat-block", "pagat-block:deal=6", rounds=1, seed=seed)
        if comparison.metrics[0]["tie_rate"].count:
            break
    assert isnan(comparison.differences[0].metrics["winner_pips"].estimate)
    assert "undefined" in str(comparison)


def test_the_command_repeats_it():
    made = compare(
        "pagat-draw",
        load_variant("pagat-block"),
        rounds=2000,
        players=3,
        overrides={"block_score": 1, "deal": 4},
        strategy=["normal", "random", "random"],
        seed=9,
        confidence=0.9,
    )
    assert made.command == (
        "simdom compare pagat-draw pagat-block -n 2e3 --players 3 --set block_score=others "
        "--set deal=4 --strategy normal,random,random --seed 9 --confidence 0.9"
    )


def test_what_was_made_in_python_is_said_to_have_no_command():
    mine = replace(load_strategy("normal"), name="mine")
    made = compare("pagat-draw", load_variant("pagat-draw").rules(), rounds=10, strategy=mine)
    assert made.command == (
        "simdom compare pagat-draw rules -n 10 --strategy mine --seed 1"
        "  # made in Python, not in a file: rules, mine"
    )
    (versus,) = made.differences
    assert not any(estimate.estimate for _, _, estimate in figures_of(versus.metrics))


def test_an_interrupted_comparison_is_of_the_rounds_played(monkeypatch):
    monkeypatch.setattr(play, "CHUNK", 100)
    monkeypatch.setattr(driver, "FIRST_CHUNK", 100)

    def interrupt(done, total):
        assert total == 1000
        if done == 200:
            raise KeyboardInterrupt

    comparison = compare("pagat-draw", "pagat-block", rounds=1000, threads=2, progress=interrupt)
    assert (comparison.rounds, comparison.asked) == (200, 1000)
    assert "200 rounds (ended early: 1,000 asked for)" in comparison.made
    assert comparison.to_dict()["partial"] is True
    assert "-n 200 " in comparison.command
    assert comparison.metrics[1] == simulate("pagat-block", 200).metrics


def test_interrupted_before_any_round(monkeypatch):
    def stop(_contests, chunk):
        if chunk:
            raise KeyboardInterrupt
        return sum_trials(_contests, 0, 0)

    monkeypatch.setattr(play, "_sum_chunk", stop)
    with pytest.raises(KeyboardInterrupt):
        compare("pagat-draw", "pagat-block", rounds=1000)


# --- what cannot be compared -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("contenders", "options", "complaint"),
    [
        (
            ("pagat-draw", "pagat-draw:max_pip=9"),
            {},
            "double-6 and pagat-draw:max_pip=9 with double-9.* so they cannot be paired",
        ),
        (("pagat-draw", "pagat-drow"), {}, "unknown variant 'pagat-drow'.*did you mean"),
        (("pagat-draw", "pagat-block"), {"confidence": "x"}, "confidence must be between"),
        (("pagat-draw", "pagat-block"), {"rounds": 0}, "rounds must be a whole number"),
        (("pagat-draw", "pagat-block"), {"threads": 0}, "threads must be from 1"),
        (("pagat-draw", "pagat-block"), {"confidence": 1}, "confidence must be between"),
        (("pagat-draw", "pagat-block"), {"seed": -1}, "^pagat-draw: seed must be"),
        (("pagat-draw", "pagat-block"), {"overrides": {"x": 1}}, "unknown toggle 'x'"),
    ],
)
def test_what_cannot_be_compared(contenders, options, complaint):
    with pytest.raises(UsageError, match=complaint) as error:
        compare(*contenders, **{"rounds": 100} | options)
    assert "\n" not in str(error.value)


def test_unplayable_rules_keep_their_arithmetic():
    with pytest.raises(RulesError, match=r"^pagat-draw:deal=15: 2 players × 15 tiles = 30"):
        compare("pagat-draw", "pagat-draw:deal=15", rounds=100)


def test_an_unknown_metric(comparison):
    for ask in (comparison.lines, comparison.to_dict, comparison.to_csv, comparison.to_plot):
        arguments = (1, ["pionts"]) if ask == comparison.lines else (["pionts"],)
        with pytest.raises(UsageError, match="did you mean 'points'"):
            ask(*arguments)


def test_two_strategies_of_one_name_are_refused_and_others_told(tmp_path):
    one, other = (write_strategy(tmp_path / where / "q.toml", pips=1) for where in "ab")
    words = [f"pagat-draw:strategy={path}" for path in (one, other)]
    made = compare("pagat-draw", *words, rounds=20)
    assert made.played[-1] == "q.toml: pips 1."
    assert made.to_dict()["strategy_details"]["q.toml"]["weights"] == {"pips": 1}
    write_strategy(tmp_path / "b" / "q.toml", pips=-1)
    with pytest.raises(
        UsageError, match=r"two different strategies are called q\.toml: rename one"
    ):
        compare(*words, rounds=10**13)
