"""Matches in ``compare``, ``effects`` and ``sweep``: the same shuffles, match by match."""

import json
import sys
from math import isnan

import numpy as np
import pytest

import simdom.grids.sweep
import simdom.pairing.compare
import simdom.pairing.effects  # noqa: F401 -- the modules, whatever the package binds to their names
from commands import in_process
from scale import rounds
from simdom import Rules, load_variant, simulate_matches
from simdom.cli.compare import compare as compare_command
from simdom.cli.effects import effects as effects_command
from simdom.cli.sweep import sweep as sweep_command
from simdom.engine.match_kernels import list_matches
from simdom.engine.matches import MatchOutcome
from simdom.errors import UsageError
from simdom.estimate import Estimate
from simdom.grids.cells import key_of
from simdom.match_metrics import MATCH_METRICS
from simdom.pairing.contests import MATCH_CHANGES, Contest, common_keys
from simdom.pairing.effect import OF_MATCHES, check_smallest
from simdom.rules import OthersPoints, Overshoot
from simdom.simulate import study_of

compare = sys.modules["simdom.pairing.compare"].compare
effects = sys.modules["simdom.pairing.effects"].effects
span = sys.modules["simdom.pairing.effects"]._span
sweep = sys.modules["simdom.grids.sweep"].sweep

FEW = rounds(1500, 30)


def listed(contender_rules, target, n, seed=1):
    rows = list_matches(study_of(contender_rules, "random", seed), target, 0, n).T
    return dict(zip(MatchOutcome._fields, rows, strict=False))


@pytest.fixture(scope="module")
def comparison():
    return compare("pagat-block", "pagat-block:block_score=others", matches=FEW, target=40)


# --- compare -----------------------------------------------------------------------------------


def test_a_variant_against_itself_changes_nothing():
    same = compare("pagat-draw", "pagat-draw", matches=FEW, target=30)
    (versus,) = same.differences
    for found in versus.metrics.values():
        for one in [found] if isinstance(found, Estimate) else found:
            assert (one.estimate, one.sd) == (0, 0)
    assert [share.count for share in versus.changes.values()] == [0, 0]
    assert set(versus.metrics) == {n for n in MATCH_METRICS if n != "team_match_win_rate"}
    assert "unchanged" in str(same)


def test_each_has_the_figures_of_its_own_run(comparison):
    for metrics, name in zip(comparison.metrics, ("minus_own", "others"), strict=True):
        alone = simulate_matches(
            "pagat-block", FEW, target=40, overrides={"block_score": name}, seed=1
        )
        assert metrics == alone.metrics
    assert [result.rounds for result in comparison.results] == [
        listed(contender.rules, 40, FEW)["rounds"].sum() for contender in comparison.contenders
    ]
    assert comparison.results[1].identity.startswith(f"{FEW:,} matches to 40 points of pagat-block")


def test_differences_are_those_of_the_same_matches(comparison):
    a, b = (listed(contender.rules, 40, FEW) for contender in comparison.contenders)
    (versus,) = comparison.differences
    longer = b["rounds"] - a["rounds"]
    found = versus.metrics["rounds_per_match"]
    assert found.estimate == pytest.approx(longer.mean(), rel=1e-12)
    assert found.sd == pytest.approx(longer.std(ddof=1), rel=1e-9)
    apart = a["rounds"].var(ddof=1) + b["rounds"].var(ddof=1)
    assert found.pairing == pytest.approx(apart / longer.var(ddof=1), rel=1e-9)
    counts = [(a[name] != b[name]).sum() for name in ("winner", "rounds")]
    assert [versus.changes[name].count for name in MATCH_CHANGES] == counts


def test_the_difference_of_a_share_goes_by_its_linear_part(comparison):
    parts = []
    for contender in comparison.contenders:
        of = listed(contender.rules, 40, FEW)
        v, t = of["blocked_points"], of["points"]
        parts.append((v - v.sum() / t.sum() * t) / t.mean())
    found = comparison.differences[0].metrics["blocked_points_share"]
    se = (parts[1] - parts[0]).std(ddof=1) / np.sqrt(FEW)
    assert found.se == pytest.approx(se, rel=1e-9)
    first, other = (m["blocked_points_share"].estimate for m in comparison.metrics)
    assert found.estimate == pytest.approx(other - first, rel=1e-9)


def test_it_is_told_in_matches(comparison):
    text = str(comparison)
    assert f"{FEW:,} matches of each on the same shuffles" in text
    assert "Matches won by the first opener: " in text
    assert "; rounds a match: -" in text
    assert "of matches." in text
    assert "The number of rounds changes" in text
    assert "target 40" in text
    assert f"{FEW:,} paired matches are as good as" in comparison.worth(1)
    assert repr(comparison).startswith(f"<Comparison of {FEW:,} matches each")
    assert comparison._repr_html_().count("matches")


def test_the_document_of_matches(comparison):
    document = comparison.to_dict()
    assert document["matches"] == FEW
    assert "rounds" not in document
    assert [each["target"] for each in document["contenders"]] == [40, 40]
    assert "team_match_win_rate" not in document["metrics"]
    assert set(MATCH_CHANGES) < set(document["differences"][0])
    frame = comparison.to_frame(["comeback_rate"])
    assert set(frame["metric"]) == {"comeback_rate", *MATCH_CHANGES}
    with pytest.raises(UsageError, match="unknown metric of matches 'points'"):
        comparison.to_dict(["points"])


def test_every_contender_has_its_own_target_unless_one_is_given():
    found = compare("pagat-block", "pagat-block:players=3", matches=20)
    assert [contender.target for contender in found.contenders] == [100, 61]
    (versus,) = found.differences
    assert versus.rates_only
    assert versus.changes == dict.fromkeys(MATCH_CHANGES)
    assert {MATCH_METRICS[name].kind for name in versus.metrics} == {"rate", "share"}
    again = compare("pagat-block", "pagat-block:players=3", matches=20, target=30)
    assert [contender.target for contender in again.contenders] == [30, 30]


def test_pairs_against_single_seats():
    found = compare("partner-pagat", "partner-pagat:teams=none", matches=20, target=30)
    (versus,) = found.differences
    assert versus.changes["match_winner_changed_rate"] is None
    assert "seat_match_win_rate" not in versus.metrics
    assert "match_win_rate_first_opener" in versus.metrics
    assert "another winner" not in found.told(1)
    a, b = (Contest(contender.study, 30) for contender in found.contenders)
    assert common_keys(a, b) == common_keys(b, a)


def test_a_target_needs_matches():
    for play in (compare, effects):
        with pytest.raises(UsageError, match="target 50 is for matches"):
            play("pagat-block", *(["pagat-draw"] if play is compare else []), target=50)
    with pytest.raises(UsageError, match="rules names no target for 2 players"):
        compare(Rules(), "pagat-block", matches=5)
    with pytest.raises(UsageError, match="target must be a whole number from 1"):
        compare("pagat-block", "pagat-draw", matches=5, target=0)


def test_of_a_single_match_no_spread_is_known():
    found = compare("pagat-block", "pagat-block:block_score=others", matches=1)
    assert isnan(found.differences[0].metrics["rounds_per_match"].se)
    assert "(one match)" in str(found)


def test_the_command_compares_matches(tmp_path):
    run = in_process(compare_command)
    arguments = ("pagat-block", "pagat-block:later_lead=winner", "--match", "--target", "30")
    text = run(*arguments, "-n", str(FEW), "--plot", str(tmp_path / "a.svg"))
    assert "Matches that change" in text
    assert "three times the matches" in text
    assert f"-n {FEW} " in text
    assert text.splitlines()[-1].endswith("--seed 1 --match --target 30")
    assert (tmp_path / "a.svg").exists()
    document = json.loads(run(*arguments, "-n", "9", "--format", "json", "-m", "tied_rounds"))
    assert (document["matches"], list(document["metrics"])) == (9, ["tied_rounds"])
    with pytest.raises(UsageError, match="did you mean 'comeback_rate'"):
        run(*arguments, "-m", "comeback")


def test_the_command_plays_so_many_matches_unless_told(monkeypatch):
    asked = {}

    def remember(*_, **options):
        asked.update(options)
        raise UsageError("enough")

    monkeypatch.setattr(sys.modules["simdom.pairing.compare"], "compare", remember)
    run = in_process(compare_command)
    for arguments, matches in ((["--match"], 100_000), (["--match", "-n", "7"], 7), ([], None)):
        with pytest.raises(UsageError, match="enough"):
            run("pagat-block", "pagat-draw", *arguments)
        assert asked["matches"] == matches


# --- effects -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table():
    toggles = ["block_score=others,difference", "later_lead=winner", "players=3"]
    return effects("pagat-block", matches=FEW, target=40, toggles=toggles)


def test_effects_on_matches_are_what_compare_says(table):
    names = [effect.change.contender.text for effect in table.effects]
    compared = compare("pagat-block", *names, matches=FEW, target=40)
    for effect, versus in zip(table.effects, compared.differences, strict=True):
        for name, figure in effect.figures.items():
            same = versus.changes[name] if name in MATCH_CHANGES else versus.metrics[name]
            assert figure.estimate == same.estimate
    watched = list(OF_MATCHES.watched)
    assert [list(e.figures) for e in table.effects if e.change.toggle != "players"] == [watched] * 3
    assert list(table.metrics) == watched[:-1]


def test_rules_that_matter_only_in_matches_are_tried_in_matches():
    found = effects("pagat-block", matches=20, target=30, toggles=["later_lead", "overshoot"])
    tried = {effect.change.toggle for effect in found.effects}
    assert tried == {"later_lead", "overshoot"}
    with pytest.raises(UsageError, match="it matters only in a match"):
        effects("pagat-block", rounds=20, toggles=["later_lead"])


def test_effects_are_told_in_matches(table):
    text = str(table)
    assert f"{FEW:,} matches of each on the same shuffles" in text
    assert f"at {FEW:,} matches." in table.lead
    assert "differed in no match" in " ".join(table.reading)
    assert "rounds of" not in " ".join(table.reading)
    document = table.to_dict()
    assert (document["matches"], document["baseline"]["target"]) == (FEW, 40)
    assert [panel.label for panel in table.to_plot().panels][1] == "rounds (per match)"
    assert "rounds" in table.held_against


def test_the_smallest_effects_of_matches():
    least = check_smallest({"rounds_per_match": 2, "blocked_points_share": "0.05"}, OF_MATCHES)
    assert (least["rounds_per_match"], least["blocked_points_share"]) == (2, 0.05)
    with pytest.raises(UsageError, match="must be between 0 and 1"):
        check_smallest({"blocked_points_share": 1}, OF_MATCHES)
    with pytest.raises(UsageError, match="unknown metric 'points'"):
        check_smallest({"points": 1}, OF_MATCHES)


def test_no_match_has_more_rounds_than_points_before_the_last():
    study = study_of(load_variant("pagat-block").rules(3), "random", 1)
    assert span(Contest(study, 61), "rounds_per_match") == 3 * 61
    assert span(Contest(study, 10**6), "rounds_per_match") == 10_000
    assert span(Contest(study, 61), "comeback_rate") == 1
    for toggles in ({"overshoot": Overshoot.IS_LOST}, {"others_points": OthersPoints.RESET}):
        lossy = study._replace(rules=study.rules._replace(**toggles))
        assert span(Contest(lossy, 61), "rounds_per_match") == 10_000


def test_the_command_of_effects():
    run = in_process(effects_command)
    arguments = ("--variant", "pagat-block", "--match", "--target", "30", "-n", "40")
    text = run(*arguments, "--toggle", "later_lead=winner,loser")
    *lines, command = text.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1].startswith("Of 2 single changes of pagat-block, ")
    assert command.endswith("--seed 1 --match --target 30 --toggle later_lead=winner,loser")


# --- sweep -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def grid(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cells")
    asked = {"grid": {"players": [2, 3], "later_lead": ["afresh", "winner"]}, "cells": folder}
    return asked, sweep(variant="pagat-block", matches=FEW, **asked)


def test_a_cell_is_a_run_of_matches(grid):
    _, found = grid
    assert [cell.result.target for cell in found.cells] == [100, 100, 61, 61]
    alone = simulate_matches("pagat-block", FEW, overrides={"later_lead": "winner"}, players=3)
    assert found.cells[-1].result.metrics == alone.metrics
    assert found.cells[0].result.command.startswith("simdom match --variant pagat-block")
    assert f"{FEW:,} matches a cell" in found.made
    assert found.to_dict()["matches"] == FEW
    assert found.to_dict()["cells"][2]["target"] == 61
    assert found.command.endswith(" --match --strategy random --seed 1")
    assert "target 100 or 61" in " ".join(entry for _, lines in found.notes for entry in lines)


def test_cells_of_matches_are_kept_by_mode_and_target(grid):
    asked, first = grid
    again = sweep(variant="pagat-block", matches=FEW, confidence=0.9, **asked)
    assert again.kept == 4
    alone = simulate_matches("pagat-block", FEW, confidence=0.9)
    assert again.cells[0].result.metrics == alone.metrics
    assert sweep(variant="pagat-block", matches=FEW, target=50, **asked).kept == 0
    assert sweep(variant="pagat-block", matches=FEW, target=61, **asked).kept == 2
    assert sweep(variant="pagat-block", rounds=FEW, **asked).kept == 0
    study = study_of(Rules(), "random", 1)
    assert len({key_of(study, 9), key_of(study, 9, 9), key_of(study, 9, 10)}) == 3
    assert first.kept == 0


def test_a_cell_without_a_target_is_skipped():
    grid = {"variant": [Rules(), load_variant("pagat-block")]}
    found = sweep(grid=grid, matches=5)
    assert [cell.status for cell in found.cells] == ["skipped", "done"]
    assert found.cells[0].reason.startswith("rules names no target")


def test_figures_of_a_grid_of_matches(grid):
    _, found = grid
    assert [column.metric for column in found.columns()] == [
        "rounds_per_match", "match_win_rate_first_opener", "blocked_points_share", "comeback_rate"
    ]  # fmt: skip
    seats = found.columns(["seat_match_win_rate"])
    assert [column.seat for column in seats] == [0, 1, 2]
    assert found.rows(seats)[0][-1] == ""
    frame = found.to_frame(["blocked_points_share"], wide=True)
    assert frame["blocked_points_share"].between(0, 1).all()
    panel = found.to_plot(["blocked_points_share"]).panels[0]
    assert (panel.unit, panel.kind) == ("share of points", "rate")
    assert found.to_plot().panels[0].label == "Rounds"
    with pytest.raises(UsageError, match="unknown metric of matches 'points'"):
        found.to_csv(["points"])


def test_a_target_of_a_sweep_needs_matches():
    with pytest.raises(UsageError, match="target 50 is for matches"):
        sweep(grid={"deal": [5, 6]}, target=50)
    with pytest.raises(UsageError, match="matches must be a whole number from 1"):
        sweep(grid={"deal": [5, 6]}, matches=0.5)


def test_a_study_of_rounds_can_be_asked_of_matches():
    """Its metrics say nothing of matches, and are left out."""
    found = sweep("block-hands", matches=3, target=20, grid={"deal": [5], "players": [2]})
    assert found.metrics is None
    assert found.of_matches


def test_the_command_of_a_sweep(tmp_path):
    run = in_process(sweep_command)
    text = run(
        *("--variant", "pagat-block", "--grid", "block_score=minus_own,others", "--match"),
        *("-n", "40", "--target", "30", "--plot", str(tmp_path / "a.png"), "--cells"),
        *(str(tmp_path / "cells"), "--out", str(tmp_path / "a.csv")),
    )
    assert "Rounds" in text
    assert text.splitlines()[-1].endswith("-n 40 --match --target 30 --strategy random --seed 1")
    assert (tmp_path / "a.png").exists()
    assert (tmp_path / "a.csv").read_text().startswith("block_score,metric,seat,")
