"""Whole matches: their figures by hand, from one another and from exact laws; saved and loaded."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import simdom
from scale import rounds
from simdom import Rules, load_result, simulate_matches
from simdom.engine.kernels import list_rounds
from simdom.engine.match_kernels import list_matches
from simdom.engine.matches import MatchOutcome
from simdom.engine.tally import Outcome
from simdom.errors import RulesError, UsageError
from simdom.estimate import Ratio, estimate_share, format_parts
from simdom.executors.serial import SerialExecutor
from simdom.executors.threads import ThreadsExecutor
from simdom.figures import goes_without_saying
from simdom.match_metrics import (
    MATCH_METRICS,
    columns_of_matches,
    estimate_matches,
    new_match_tally,
)
from simdom.rules import BlockTie, OthersPoints, Overshoot, Teams
from simdom.running import driver
from simdom.simulate import study_of

FEW = rounds(2000, 40)


@pytest.fixture(scope="module")
def result():
    return simulate_matches("pagat-block", FEW, target=40, seed=3)


def tell(result):
    """All that a result says, but for how long it took and on how many threads."""
    document = result.to_dict()
    for name in ("seconds", "rounds_per_second", "threads", "command"):
        document.pop(name)
    return json.dumps(document)


# --- figures -----------------------------------------------------------------------------------


def fields(**known):
    """A match made by hand; what is not said is 0."""
    return [known.get(name, 0) for name in MatchOutcome._fields]


def columns_by_hand(rules, *matches):
    return columns_of_matches(rules, np.array(matches).T)


def test_figures_by_hand():
    columns = columns_by_hand(
        Rules(players=3),
        fields(first_opener=2, winner=0, rounds=5, points=100, blocked_points=30, comeback=1),
        fields(first_opener=1, winner=1, rounds=7, points=50, tied_rounds=2, shutout=1),
        fields(first_opener=0, winner=-1, rounds=10_000),
    )
    of = dict(zip(columns.keys, columns.values.tolist(), strict=True))
    assert of["rounds_per_match", None] == [5, 7, 10_000]
    assert of["match_win_rate_first_opener", None] == [0, 1, 0]
    assert [of["seat_match_win_rate", k] for k in range(3)] == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert [of["table_seat_match_win_rate", s][:2] for s in range(2)] == [[1, 0], [0, 1]]
    assert of["unfinished_rate", None] == [0, 0, 1]
    assert of["comeback_rate", None] == [1, 0, 0]
    assert of["blocked_points_share", None] == [30, 0, 0]
    assert columns.sizes["blocked_points_share"].tolist() == [100, 50, 0]
    assert columns.changing.tolist() == [[0, 1, -1], [5, 7, 10_000]]
    assert not any(name == "team_match_win_rate" for name, _ in columns.keys)


def test_figures_of_teams_by_hand():
    rules = Rules(players=4, teams=Teams.PAIRS)
    columns = columns_by_hand(
        rules,
        fields(first_opener=3, winner=1, rounds=1),
        fields(first_opener=2, winner=1, rounds=1),
    )
    of = dict(zip(columns.keys, columns.values.tolist(), strict=True))
    assert [of["team_match_win_rate", k] for k in range(2)] == [[1, 0], [0, 1]]
    assert of["match_win_rate_first_opener", None] == [1, 0]
    assert [of["table_seat_match_win_rate", s] for s in range(4)] == [[0, 0], [1, 1]] * 2
    assert not any(name == "seat_match_win_rate" for name, _ in columns.keys)


def test_a_share_by_hand():
    """30 of 100 and 0 of 50 points: 1/5, and the linear parts are (30 - 20, 0 - 10) / 75."""
    share = estimate_share(2, Ratio(30, 150, 900, 3000, 12500))
    assert share.estimate == pytest.approx(0.2)
    assert share.sd == pytest.approx(math.sqrt(2 * (10 / 75) ** 2))
    assert share.se == pytest.approx(10 / 75)
    assert share.high - share.estimate == pytest.approx(12.7062047 * 10 / 75)
    assert share.count is None
    assert format_parts(share, "share", "match")[0] == "20%"
    assert math.isnan(estimate_share(5, Ratio(0, 0, 0, 0, 0)).estimate)
    assert estimate_share(1, Ratio(1, 4, 1, 4, 16)).estimate == 0.25
    assert format_parts(estimate_share(1, Ratio(1, 4, 1, 4, 16)), "share", "match") == (
        "25.00%",
        "(one match)",
    )


def test_of_nothing_all_is_undefined():
    rules = Rules(players=4, teams=Teams.PAIRS)
    metrics = estimate_matches(new_match_tally(rules), rules)
    assert list(metrics) == list(MATCH_METRICS)
    assert metrics["seat_match_win_rate"] == []
    assert math.isnan(metrics["rounds_per_match"].estimate)


def test_wins_of_all_sides_are_all_matches(result):
    wins = result.metrics["seat_match_win_rate"]
    assert sum(one.count for one in wins) + result.metrics["unfinished_rate"].count == FEW
    assert wins[0] == result.metrics["match_win_rate_first_opener"]
    assert sum(one.count for one in result.metrics["table_seat_match_win_rate"]) == FEW
    pairs = simulate_matches("partner-pagat", rounds(200, 10), target=50, seed=3)
    teams = pairs.metrics["team_match_win_rate"]
    assert sum(one.count for one in teams) == pairs.matches
    seats = [one.count for one in pairs.metrics["table_seat_match_win_rate"]]
    assert seats[:2] == seats[2:]
    assert sum(seats[:2]) == pairs.matches


def test_figures_are_those_of_the_listed_matches(result):
    study = study_of(result.rules, "random", 3)
    of = dict(zip(MatchOutcome._fields, list_matches(study, 40, 0, FEW).T, strict=False))
    metrics = result.metrics
    assert result.rounds == of["rounds"].sum()
    assert metrics["rounds_per_match"].estimate == pytest.approx(of["rounds"].mean(), rel=1e-12)
    assert metrics["rounds_per_match"].sd == pytest.approx(of["rounds"].std(ddof=1), rel=1e-9)
    assert metrics["comeback_rate"].count == of["comeback"].sum()
    share = of["blocked_points"].sum() / of["points"].sum()
    assert metrics["blocked_points_share"].estimate == pytest.approx(share, rel=1e-12)
    length = result.distribution("rounds_per_match")
    assert sum(length.values()) == FEW
    assert sum(int(value) * count for value, count in length.items()) == result.rounds


def test_a_target_of_one_is_won_by_the_winner_of_the_first_round_that_is_not_tied():
    flat = {"block_score": "flat", "domino_score": "flat"}
    study = study_of(simdom.load_variant("pagat-block").rules(None, flat), "random", 8)
    n, most = rounds(300, 20), 10
    for number, row in enumerate(list_matches(study, 1, 0, n)):
        of = MatchOutcome._make(row[: len(MatchOutcome._fields)].tolist())
        first = number * 65_536
        winners = list_rounds(study, first, first + most)[:, Outcome._fields.index("winner")]
        ties = int(np.argmax(winners >= 0))
        assert (of.winner, of.rounds, of.tied_rounds) == (winners[ties], ties + 1, ties)
        assert (of.points, of.shutout, of.lead_changes, of.comeback) == (1, 1, 0, 0)


def test_subtraction_makes_matches_longer():
    """What the block scores is less, and so more rounds are needed; nobody plays otherwise."""
    lengths = [
        simulate_matches("pagat-block", FEW, overrides={"block_score": kind}, seed=2)
        .metrics["rounds_per_match"]
        .estimate
        for kind in ("minus_own", "others", "all_hands")
    ]
    assert lengths == sorted(lengths, reverse=True)


@pytest.mark.parametrize("name", simdom.variant_names())
def test_every_preset_plays_matches(name):
    variant = simdom.load_variant(name)
    for players in variant.players:
        target = None if variant.target(players) else 50
        found = simulate_matches(name, rounds(1000, 2), players=players, target=target)
        assert found.rounds >= found.matches == rounds(1000, 2)
        assert found.metrics["unfinished_rate"].count == 0
        sides = "team" if found.rules.teams == Teams.PAIRS else "seat"
        wins = found.metrics[f"{sides}_match_win_rate"]
        assert sum(one.count for one in wins) == found.matches
        assert found.metrics["points_per_match"].estimate > 0


# --- a match is a function of its number -------------------------------------------------------


@pytest.mark.parametrize("variant", ["pagat-draw", "partner-pagat"])
def test_neither_threads_nor_chunks_nor_executors_matter(variant, monkeypatch):
    n = rounds(3000, 30)
    told = set()
    three = ThreadsExecutor()
    three.workers = 3
    for executor in (SerialExecutor(), ThreadsExecutor(1), three):
        told.add(tell(simulate_matches(variant, n, target=30, executor=executor)))
    for first in (1, 7, 10**6):
        monkeypatch.setattr(driver, "FIRST_CHUNK", first)
        told.add(tell(simulate_matches(variant, n, target=30, threads=1)))
    assert len(told) == 1


def test_the_command_repeats_it():
    found = simulate_matches(
        "pagat-block", 20, target=33, players=3, overrides={"later_lead": "winner"}, seed=9
    )
    assert found.command == (
        "simdom match --variant pagat-block -n 20 --players 3 --set later_lead=winner "
        "--target 33 --strategy random --seed 9"
    )


def test_sides_that_think_play_matches():
    found = simulate_matches("pagat-draw", 2, target=10, strategy="sharp:samples=1")
    assert found.strategies == ("sharp:samples=1",) * 2
    assert found.rounds >= 2


def test_ctrl_c_keeps_what_was_played():
    done = []

    def stop(played, asked):
        done.append((played, asked))
        if len(done) == 2:
            raise KeyboardInterrupt

    found = simulate_matches("pagat-block", 10**7, target=20, progress=stop, threads=1)
    assert (found.matches, found.asked) == done[-1]
    assert found.partial
    wins = found.metrics["seat_match_win_rate"]
    assert sum(one.count for one in wins) == found.matches
    assert "ended early: 10,000,000 asked for" in found.rounds_text


# --- what may be asked -------------------------------------------------------------------------


def test_the_target_is_the_variants_own_for_so_many_players():
    assert simulate_matches("pagat-block", 5).target == 100
    assert simulate_matches("pagat-block", 5, players=3).target == 61
    assert simulate_matches("pagat-block", 5, players=3, target=7).target == 7


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        ({"target": 0}, UsageError, "target must be a whole number from 1 to 1,000,000, not 0"),
        ({"target": 1_000_001}, UsageError, "from 1 to 1,000,000, not 1000001"),
        ({"target": "many"}, UsageError, "target must be a whole number, not 'many'"),
        ({"matches": 0}, UsageError, "matches must be a whole number from 1 to"),
        ({"matches": 1.5}, UsageError, "matches must be a whole number from 1 to"),
        ({"confidence": 1}, UsageError, "confidence must be between 0 and 1"),
        ({"variant": Rules()}, UsageError, "rules names no target for 2 players: give one"),
        ({"overrides": {"teams": "pairs"}, "players": 3}, RulesError, "teams=pairs needs 4"),
        ({"overrides": {"later_lead": "winners"}}, UsageError, "did you mean 'winner'"),
    ],
)
def test_bad_input_is_one_line(arguments, error, told):
    asked = {"variant": "pagat-block", "matches": 5} | arguments
    with pytest.raises(error) as raised:
        simulate_matches(**asked)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


# --- documents ---------------------------------------------------------------------------------


def test_the_document_is_that_of_a_run_with_matches_and_target(result):
    document = result.to_dict()
    run = simdom.simulate("pagat-block", 10).to_dict()
    assert set(document) == {*run, "matches", "target"}
    assert document["schema"] == "simdom.result/1"
    assert (document["matches"], document["target"]) == (FEW, 40)
    assert document["rounds"] == result.rounds
    named = [name for name in MATCH_METRICS if name != "team_match_win_rate"]
    assert list(document["metrics"]) == named
    assert set(document["metrics"]["comeback_rate"]) == {"estimate", "se", "low", "high", "count"}
    assert set(document["metrics"]["blocked_points_share"]) == {
        "estimate", "se", "low", "high", "sd"
    }  # fmt: skip
    assert len(document["metrics"]["seat_match_win_rate"]) == 2
    assert list(document["distributions"]) == ["rounds_per_match"]


@pytest.mark.parametrize("variant", ["pagat-block", "partner-pagat"])
def test_what_is_saved_is_loaded(tmp_path, variant):
    saved = simulate_matches(variant, 30, target=25, seed=4)
    saved.save(tmp_path / "out")
    loaded = load_result(tmp_path / "out")
    assert loaded == saved
    assert (tmp_path / "out" / "metrics.csv").read_text().startswith("metric,seat,estimate,")
    frame = loaded.to_frame()
    assert set(frame["metric"]) == {name for name in saved.metrics if saved.metrics[name] != []}


def test_a_single_match_is_saved_too(tmp_path):
    saved = simulate_matches("pagat-block", 1, target=25)
    saved.save(tmp_path / "out")
    again = load_result(tmp_path / "out")
    assert again.to_json() == saved.to_json()


def test_matches_without_a_point_are_saved_too(tmp_path):
    """Every round scores 2, so that none is put down where 1 must be landed on."""
    rules = Rules(
        max_pip=1, deal=1, block_score=6, domino_score=2, flat_points=2,
        overshoot=Overshoot.IS_LOST,
    )  # fmt: skip
    saved = simulate_matches(rules, 2, target=1)
    assert saved.metrics["unfinished_rate"].count == 2
    assert math.isnan(saved.metrics["blocked_points_share"].estimate)
    saved.save(tmp_path / "out")
    assert load_result(tmp_path / "out").to_json() == saved.to_json()


def changed(document, *keys, to):
    *way, last = keys
    inside = document
    for key in way:
        inside = inside[key]
    inside[last] = to


@pytest.mark.parametrize(
    ("keys", "to", "told"),
    [
        (("target",), None, "matches and target belong together"),
        (("target",), 0, "target: "),
        (("matches",), 7, "not"),
        (("rounds",), 12, "rounds_per_"),
        (("metrics", "comeback_rate", "count"), 1, "comeback_rate"),
        (("metrics", "blocked_points_share", "se"), 0.5, "blocked_points_share"),
        (("metrics", "rounds_per_match", "estimate"), 2.0, "rounds_per_match"),
        (("metrics", "unfinished_rate", "count"), 4, "unfinished_rate"),
        (("distributions", "rounds_per_match", "1"), 3, "rounds_per_match"),
        (("metrics", "points"), {}, "unknown metric 'points'"),
    ],
)
def test_a_document_that_was_changed_is_refused(tmp_path, result, keys, to, told):
    document = json.loads(result.to_json())
    changed(document, *keys, to=to)
    file = tmp_path / "result.json"
    file.write_text(json.dumps(document))
    with pytest.raises(UsageError, match="is no result of simdom") as raised:
        load_result(file)
    assert told in str(raised.value)


def test_the_wins_must_add_up(tmp_path, result):
    document = json.loads(result.to_json())
    wins = document["metrics"]["seat_match_win_rate"]
    document["metrics"]["seat_match_win_rate"] = wins[::-1]
    (tmp_path / "result.json").write_text(json.dumps(document))
    with pytest.raises(UsageError, match=r"is not the first of metrics\.seat_match_win_rate"):
        load_result(tmp_path / "result.json")


# --- for people --------------------------------------------------------------------------------


def test_it_says_what_was_played(result):
    assert result.identity == (
        f"{FEW:,} matches to 40 points of pagat-block, 2 players (random), seed 3"
    )
    assert "a match takes " in result.summary()
    assert "of the points come from blocked rounds" in str(result)
    assert repr(result).startswith(f"<Result of {FEW:,} matches to 40 points: pagat-block")
    assert "matches to 1 point of" in replace(result, target=1).identity
    assert "Won from far behind" in result._repr_html_()


def test_unknown_metrics_of_matches_are_answered_with_the_nearest(result):
    with pytest.raises(UsageError, match="did you mean 'comeback_rate'"):
        result.figures(["comeback"])
    with pytest.raises(UsageError, match="unknown metric of matches 'points'"):
        result.figures(["points"])


@pytest.mark.parametrize(
    ("toggles", "name", "is_said"),
    [
        ({}, "both_over_rate", False),
        ({"block_tie": BlockTie.SPLIT}, "both_over_rate", True),
        ({"pass_round_points": 5}, "both_over_rate", True),
        ({}, "shutout_rate", True),
        ({"others_points": OthersPoints.RESET}, "shutout_rate", False),
        ({}, "unfinished_rate", False),
        ({"overshoot": Overshoot.IS_LOST}, "unfinished_rate", True),
        ({}, "tied_rounds", True),
        ({"block_tie": BlockTie.NEAREST}, "tied_rounds", False),
        ({}, "table_seat_match_win_rate", False),
    ],
)
def test_what_the_rules_decide_goes_without_saying(result, toggles, name, is_said):
    rules = Rules()._replace(**toggles)
    (figure, *_) = result.figures([name])
    assert goes_without_saying(figure, rules, mixed=False) is not is_said


def test_seats_of_the_table_are_shown_if_they_play_otherwise():
    mixed = simulate_matches("pagat-block", 20, target=20, strategy="normal,random")
    labels = [figure.label for figures in mixed.figures_by_group().values() for figure in figures]
    assert {"Seat 0, normal", "Seat 1, random"} <= set(labels)
    lead = simulate_matches(
        "pagat-block", 5, target=20, strategy="normal,random", overrides={"opening": "first_seat"}
    )
    assert lead.caution == "Seat 0 leads the first round: swap the strategies to be fair."
