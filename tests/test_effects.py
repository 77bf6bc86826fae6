"""The table of effects: its figures are those of a comparison, its verdicts hold together."""

import json
import sys
from dataclasses import replace
from math import inf, isnan, nan

import numpy as np
import pytest

import simdom.pairing.compare
import simdom.pairing.effects  # noqa: F401 -- the modules, whatever the package binds to their names
from scale import rounds
from simdom import Rules, load_variant, simulate
from simdom.errors import RulesError, UsageError
from simdom.pairing import play
from simdom.pairing.effect import (
    OF_ROUNDS,
    Effect,
    EffectFigure,
    check_smallest,
    least_rounds,
)
from simdom.pairing.effect_table import SCHEMA
from simdom.pairing.verdicts import DOES_NOT_MATTER, MATTERS, NOT_SETTLED
from simdom.running import driver
from simdom.strategies import load_strategy
from strategy_files import write_strategy

effects = sys.modules["simdom.pairing.effects"].effects
compare = sys.modules["simdom.pairing.compare"].compare

WATCHED, WINNER, AVERAGES = OF_ROUNDS.watched, OF_ROUNDS.winner, OF_ROUNDS.averages
SOME = ("reserve", "players", "block_score", "no_double")


@pytest.fixture(scope="module")
def table():
    return effects("pagat-draw", rounds(3000, 400), toggles=SOME, seed=2)


def effect_of(table, name):
    (found,) = [effect for effect in table.effects if effect.name == name]
    return found


# --- figures ---------------------------------------------------------------------------------


def test_a_row_is_what_compare_says_of_it(table):
    names = [effect.change.contender.text for effect in table.effects]
    comparison = compare("pagat-draw", *names, rounds=table.rounds, seed=2)
    for effect, versus in zip(table.effects, comparison.differences, strict=True):
        for name, figure in effect.figures.items():
            same = versus.changes[name] if name == WINNER else versus.metrics[name]
            assert (figure.estimate, figure.se) == (same.estimate, same.se)
            assert (figure.count, figure.sd) == (same.count, same.sd)
            if figure.is_fixed:
                assert figure.low == figure.high == 0
            else:
                assert figure.low <= same.low <= same.high < figure.high  # at a higher level
    assert table.metrics == {name: comparison.metrics[0][name] for name in AVERAGES}


def test_with_everything_shared_too():
    options = {
        "players": 3,
        "overrides": {"deal": 6, "block_score": "others"},
        "strategy": "heaviest",
        "rounds": 200,
        "seed": 5,
    }
    table = effects("pagat-draw", toggles=["players", "deal", "strategy"], **options)
    comparison = compare(
        "pagat-draw", *(each.change.contender.text for each in table.effects), **options
    )
    for effect, versus in zip(table.effects, comparison.differences, strict=True):
        for name in effect.averages:
            assert effect.figures[name].estimate == versus.metrics[name].estimate
    assert table.base.rules.deal == 6
    assert {effect.change.toggle for effect in table.effects} == {"players", "deal", "strategy"}


def test_other_numbers_of_players_have_the_rates_of_the_table_only(table):
    for effect in table.effects:
        names = ["blocked_rate", "opener_win_rate"]
        assert list(effect.figures) == (
            names if effect.change.toggle == "players" else list(WATCHED)
        )
    assert table.comparisons == sum(len(effect.figures) for effect in table.effects)


def test_the_largest_effect_comes_first(table):
    sizes = [effect.size for effect in table.effects]
    assert sizes == sorted(sizes, reverse=True)
    effect = effect_of(table, "reserve=0")
    assert effect.size == max(
        abs(figure.estimate) / WATCHED[name].smallest for name, figure in effect.averages.items()
    )


def test_levels_belong_to_all_figures_together(table):
    levels = sorted(figure.level for effect in table.effects for figure in effect.figures.values())
    assert levels[-1] == 1 - 0.05 / table.comparisons
    assert all(1 - 0.05 / k in levels for k in range(table.comparisons, table.comparisons - 5, -1))


@pytest.mark.jit
def test_what_matters_in_draw():
    """As every page has it, the reserve decides how often rounds are blocked."""
    table = effects("pagat-draw", toggles=["reserve", "block_score", "no_double"])
    verdicts = {effect.name: effect.verdict for effect in table.effects}
    assert verdicts == {
        "reserve=0": MATTERS,
        "reserve=1": MATTERS,
        "reserve=3": MATTERS,
        "reserve=4": MATTERS,
        "block_score=all_hands": MATTERS,
        "block_score=others": MATTERS,
        "block_score=difference": DOES_NOT_MATTER,
        "block_score=per_heavier": DOES_NOT_MATTER,
        "block_score=flat": MATTERS,
        "no_double=redeal": DOES_NOT_MATTER,
    }
    scored = effect_of(table, "block_score=others").figures
    assert scored["points"].verdict == MATTERS
    assert {each.estimate for name, each in scored.items() if name != "points"} == {0}
    assert scored[WINNER].count == 0
    assert table.lead.startswith("Of 10 single changes of pagat-draw, 7 matter, 3 do not, and 0")


@pytest.mark.jit
def test_a_rule_may_change_who_wins_and_no_average():
    table = effects("pagat-draw", toggles=["misdeal"])
    four, five = (effect_of(table, f"misdeal={doubles}") for doubles in (4, 5))
    assert four.verdict == five.verdict == DOES_NOT_MATTER
    assert four.luck_only
    assert not five.luck_only  # in less than one round of a hundred
    (said,) = table.luck_only
    assert said.startswith("misdeal=4: other winner 4.")


def test_neither_threads_nor_chunks_change_a_figure(monkeypatch):
    def document(threads, chunk):
        monkeypatch.setattr(play, "CHUNK", chunk)
        found = effects("pagat-draw", 300, toggles=["reserve"], threads=threads).to_dict()
        return {key: value for key, value in found.items() if key not in ("seconds", "threads")}

    assert document(1, 300) == document(2, 77) == document(3, 100)


# --- what did not differ, and what cannot ----------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "toggle", "fixed"),
    [
        ("pagat-block", "block_score", set(WATCHED) - {"points"}),
        ("pagat-block", "block_tie", {"blocked_rate", "plays", "draws"}),
        ("pagat-block", "deal", {"draws"}),
        ("pagat-block", "boneyard=draw", set()),
        ("pagat-draw", "block_tie", {"blocked_rate", "plays", "draws"}),
        ("pagat-draw", "reserve=14", set()),
        ("pagat-draw", "boneyard=block", set()),
    ],
)
def test_what_the_rules_do_not_let_differ_needs_no_interval(variant, toggle, fixed):
    """Whatever the play: each of these seats looks at pips."""
    table = effects(variant, rounds(5000, 300), toggles=[toggle], strategy="heaviest", seed=4)
    for effect in table.effects:
        found = {name for name, each in effect.figures.items() if each.is_fixed}
        assert found == fixed, effect.name
        for name in fixed:
            assert effect.figures[name].estimate == 0
            assert effect.figures[name].verdict == DOES_NOT_MATTER
            assert effect.text(name).endswith(" unchanged")


def test_nothing_is_drawn_from_a_boneyard_that_is_kept_back_whole():
    table = effects("pagat-block", 300, toggles=["boneyard=draw"], overrides={"reserve": 14})
    assert table.effects[0].figures["draws"].is_fixed


def test_what_differed_in_no_round_has_an_interval():
    table = effects("pagat-block", 40, toggles=["no_double=redeal"], seed=4)
    found = table.effects[0].figures["plays"]
    assert found.estimate == 0 == found.sd
    assert not found.is_fixed
    assert found.low == -found.high < 0
    value, interval = found.parts("mean", signed=True)
    assert value == "unchanged"
    assert interval.startswith("± ")


def test_a_share_of_rounds_is_never_negative_nor_above_all():
    def text(count, of, low, high):
        share = EffectFigure(count / of, 0.01, low, high, count=count)
        return share.parts("rate", signed=False)

    assert text(0, 1000, 0.0, 0.0123) == ("0%", "(0 to 1.3)")
    assert text(2, 1000, 0.0004, 0.0095) == ("0.20%", "(0.04 to 0.95)")
    assert text(999, 1000, 127 / 128, 1.0) == ("99.90%", "(99.21 to 100)")
    assert text(400, 1000, 0.36, 0.45) == ("40%", "± 5")


# --- verdicts on a change --------------------------------------------------------------------


def figure(estimate, verdict, needed=None):
    needed = 1e6 if needed is None and verdict == NOT_SETTLED else needed
    return EffectFigure(
        estimate, 0.1, estimate - 0.2, estimate + 0.2, sd=1.0, verdict=verdict, rounds_needed=needed
    )


def effect_with(table, **figures):
    return Effect(table.effects[0].change, figures, dict.fromkeys(WATCHED, 1.0))


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        ((MATTERS, NOT_SETTLED), MATTERS),
        ((MATTERS, DOES_NOT_MATTER), MATTERS),
        ((NOT_SETTLED, DOES_NOT_MATTER), NOT_SETTLED),
        ((DOES_NOT_MATTER, DOES_NOT_MATTER), DOES_NOT_MATTER),
    ],
)
def test_one_average_is_enough_to_matter_and_all_are_needed_not_to(table, verdicts, verdict):
    points, plays = (figure(0.5, each) for each in verdicts)
    effect = effect_with(table, points=points, plays=plays)
    assert effect.verdict == verdict
    assert (effect.open is None) == (verdict != NOT_SETTLED)


def test_the_share_of_other_winners_is_no_part_of_the_verdict(table):
    for winner in (MATTERS, NOT_SETTLED):
        figures = {"points": figure(0.1, DOES_NOT_MATTER), WINNER: figure(7.0, winner)}
        effect = effect_with(table, **figures)
        assert effect.verdict == DOES_NOT_MATTER
        assert effect.size == pytest.approx(0.1)
        assert effect.luck_only is (winner == MATTERS)


def test_what_is_waited_for(table):
    """The last of those within; or the first of those beyond, if there are any."""
    within = {
        "points": figure(0.5, NOT_SETTLED, 3e5),
        "plays": figure(-0.9, NOT_SETTLED, 9e5),
        "draws": figure(0.1, DOES_NOT_MATTER),
    }
    assert effect_with(table, **within).open == ("plays", 9e5)
    beyond = {
        "blocked_rate": figure(1.2, NOT_SETTLED, 7e5),
        "draws": figure(-1.1, NOT_SETTLED, inf),
    }
    assert effect_with(table, **{**within, **beyond}).open == ("blocked_rate", 7e5)


def test_what_cannot_be_told_yet_is_waited_for_last(table):
    """An unknown number of rounds is more than any, and says so."""
    within = {"points": figure(0.5, NOT_SETTLED, nan), "plays": figure(0.9, NOT_SETTLED, 9e5)}
    assert effect_with(table, **within).open.metric == "points"
    beyond = {"draws": figure(1.1, NOT_SETTLED, nan), "plays": figure(1.2, NOT_SETTLED, 9e5)}
    assert effect_with(table, **beyond).open == ("plays", 9e5)
    (waiting,) = replace(
        table, effects=(effect_with(table, draws=figure(1.1, NOT_SETTLED, nan)),)
    ).open
    assert waiting.endswith("tiles drawn +1.10 ± 0.20, cannot tell yet.")


def test_rounds_are_told_to_two_digits_and_upwards():
    assert [least_rounds(each) for each in (1.2, 99.5, 230_001, 1e13)] == [2, 100, 240_000, 10**13]
    assert [least_rounds(each) for each in (1.001e13, inf, nan)] == [None] * 3


def test_smallest_effects_of_interest():
    table = effects("pagat-draw", 400, toggles=["reserve"], smallest={"points": 40, "plays": "30"})
    assert table.smallest["points"] == 40
    assert table.smallest["plays"] == 30
    assert table.smallest["draws"] == 0.1
    assert "--smallest points=40.0 --smallest plays=30.0" in table.command
    assert "points 40, tiles played 30" in table.held_against
    assert {effect.figures["points"].verdict for effect in table.effects} == {DOES_NOT_MATTER}
    assert check_smallest({"points": np.int64(2), "plays": np.float32(0.5)})["points"] == 2
    for wrong in (0, -1, "x", nan, inf, None, [1], 10**400, 10**5000, 1e308, 1e-200):
        with pytest.raises(UsageError, match="the smallest effect of points must be"):
            check_smallest({"points": wrong})
    with pytest.raises(UsageError, match="blocked_rate must be between 0 and 1, not 1"):
        check_smallest({"blocked_rate": 1})
    with pytest.raises(UsageError, match="did you mean 'points'"):
        check_smallest({"pionts": 1})


# --- what comes out --------------------------------------------------------------------------


def test_the_document(table):
    document = json.loads(table.to_json())
    assert document["schema"] == SCHEMA == "simdom.effects/1"
    assert document["baseline"]["variant"] == "pagat-draw"
    assert document["baseline"]["rules"]["reserve"] == 2
    assert document["baseline"]["strategies"] == ["random", "random"]
    alone = simulate("pagat-draw", table.rounds, seed=2)
    assert document["baseline"]["metrics"]["points"]["estimate"] == alone.metrics["points"].estimate
    assert document["confidence"] == 0.95
    assert len(document["effects"]) == len(table.effects)
    (entry,) = [
        each
        for each in document["effects"]
        if (each["toggle"], each["value"]) == ("block_score", "others")
    ]
    assert entry["contender"] == "pagat-draw:block_score=others"
    assert set(entry["metrics"]) == set(WATCHED)
    for figure_ in entry["metrics"].values():
        assert {"estimate", "se", "low", "high", "level", "verdict"} <= set(figure_)
    values = [each["value"] for each in document["effects"] if each["toggle"] == "reserve"]
    assert sorted(values) == [0, 1, 3, 4]
    for each in document["effects"]:
        assert ("rounds_needed" in each) == (each["verdict"] == NOT_SETTLED)
    assert document["comparisons"] == table.comparisons
    assert "direction" not in str(document["left_out"])


def test_one_round_has_no_intervals_and_can_be_written():
    table = effects("pagat-draw", 1, toggles=["reserve"])
    assert {effect.verdict for effect in table.effects} == {NOT_SETTLED}
    entry = json.loads(table.to_json())["effects"][0]
    assert entry["metrics"]["points"]["low"] is None
    assert entry["rounds_needed"] is None
    assert isnan(table.effects[0].figures["points"].low)
    assert "(one round)" in str(table)
    assert "at 1 round." in table.lead
    assert table.open[0].endswith(", cannot tell yet.")
    table.to_csv()


def test_the_frame_and_the_csv(table):
    frame = table.to_frame()
    assert len(frame) == table.comparisons
    row = frame[(frame["change"] == "reserve=0") & (frame["metric"] == "draws")].iloc[0]
    effect = effect_of(table, "reserve=0")
    assert row["estimate"] == effect.figures["draws"].estimate
    assert (row["verdict"], row["metric_verdict"]) == (
        effect.verdict,
        effect.figures["draws"].verdict,
    )
    assert row["contender"] == "pagat-draw:reserve=0"
    assert frame["level"].between(0.95, 1).all()
    lines = table.to_csv().splitlines()
    assert lines[0].split(",") == list(frame.columns)
    assert len(lines) == len(frame) + 1


def test_what_people_read(table):
    text = str(table)
    assert table.summary().startswith(f"Of {len(table.effects)} single changes of pagat-draw, ")
    assert "Largest: " in table.summary()
    for effect in table.effects:
        assert f"\n{effect.name} " in text
    for fact in ("seed 2", "simdom 0.", "strategy random", f"{table.rounds:,} rounds of each"):
        assert fact in text
    assert text.splitlines()[-1] == table.command
    html = table._repr_html_()
    assert html.count("<tr>") == len(table.effects) + 1
    assert "reserve=0" in html
    assert table.command in html
    assert repr(table).startswith("<Effects of ")
    assert f"The {table.comparisons} verdicts" in " ".join(table.reading)


def test_the_lead_counts():
    table = effects("pagat-draw", 100, toggles=["no_double"])
    assert table.lead == (
        "Of 1 single change of pagat-draw, 0 matter, 0 do not, and 1 is not settled at 100 rounds."
    )


def test_the_command_repeats_it():
    made = effects(
        "pagat-draw",
        100,
        players=3,
        overrides={"block_score": 1, "deal": 4},
        strategy=["normal", "random", "random"],
        seed=9,
        confidence=0.9,
        toggles=["no_double"],
    )
    assert made.command == (
        "simdom effects --variant pagat-draw -n 100 --players 3 --set block_score=others "
        "--set deal=4 --strategy normal,random,random --seed 9 --confidence 0.9 "
        "--toggle no_double"
    )


def test_values_of_ones_own():
    table = effects("pagat-draw", 100, toggles=["deal=3,4", "reserve=12"])
    assert {effect.name for effect in table.effects} == {"deal=3", "deal=4", "reserve=12"}
    assert table.command.endswith("--toggle deal=3,4 --toggle reserve=12")
    alone = effects("pagat-draw", 100, toggles="deal=3")
    assert alone.effects[0].figures["draws"].estimate == (
        next(each for each in table.effects if each.name == "deal=3").figures["draws"].estimate
    )
    assert "unless others are named as in --toggle deal=3,4" in " ".join(table.reading)


def test_games_made_in_python():
    mine = load_variant("pagat-draw").rules()
    made = effects(mine, 50, strategy=load_strategy("normal"), toggles=["reserve"])
    named = effects("pagat-draw", 50, strategy="normal", toggles=["reserve"])
    assert made.command.endswith("# made in Python, not in a file: rules")
    assert [each.figures for each in made.effects] == [each.figures for each in named.effects]


def test_interrupted_it_is_of_the_rounds_played(monkeypatch):
    monkeypatch.setattr(play, "CHUNK", 100)
    monkeypatch.setattr(driver, "FIRST_CHUNK", 100)

    def interrupt(done, total):
        assert total == 1000
        if done == 200:
            raise KeyboardInterrupt

    table = effects("pagat-draw", 1000, toggles=["no_double"], progress=interrupt)
    assert (table.rounds, table.asked) == (200, 1000)
    assert "200 rounds (ended early: 1,000 asked for)" in table.made
    assert table.to_dict()["partial"] is True
    whole = effects("pagat-draw", 200, toggles=["no_double"])
    assert [each.figures for each in table.effects] == [each.figures for each in whole.effects]


@pytest.mark.parametrize(
    ("options", "error", "complaint"),
    [
        ({"variant": "pagat-drow"}, UsageError, "unknown variant 'pagat-drow'.*did you mean"),
        ({"variant": "pagat-draw:reserve=1"}, UsageError, "unknown variant"),
        ({"rounds": 0}, UsageError, "rounds must be a whole number"),
        ({"threads": 0}, UsageError, "threads must be from 1"),
        ({"confidence": 1}, UsageError, "confidence must be between"),
        ({"seed": -1}, UsageError, "seed must be"),
        ({"overrides": {"x": 1}}, UsageError, "unknown toggle 'x'"),
        ({"toggles": ["x"]}, UsageError, "unknown toggle 'x'"),
        ({"toggles": "deal=x"}, UsageError, "deal must be a whole number from 1 to 95, not 'x'"),
        ({"strategy": "normal,random,random"}, UsageError, "3 strategies for 2 players"),
        ({"overrides": {"deal": 15}}, RulesError, "2 players × 15 tiles = 30"),
        ({"variant": Rules(), "toggles": ["reserve"]}, UsageError, "nothing is drawn"),
    ],
)
def test_what_was_asked_wrongly(options, error, complaint):
    with pytest.raises(error, match=complaint) as raised:
        effects(**{"rounds": 100} | options)
    assert "\n" not in str(raised.value)


def test_two_strategies_of_one_name_are_refused_before_any_round(tmp_path):
    one, other = (write_strategy(tmp_path / where / "q.toml", pips=1) for where in "ab")
    assert effects(rounds=20, strategy=one, toggles=[f"strategy={other},random"]).rounds == 20
    write_strategy(tmp_path / "b" / "q.toml", pips=-1)
    with pytest.raises(
        UsageError, match=r"two different strategies are called q\.toml: rename one"
    ):
        effects(rounds=10**13, strategy=one, toggles=[f"strategy={other}"])


def test_strategies_that_are_no_presets_are_told(tmp_path):
    mine = write_strategy(tmp_path / "mine.toml", pips=3)
    table = effects(rounds=20, toggles=[f"strategy={mine}"])
    assert table.played.endswith(" mine.toml: pips 3.")
    details = table.to_dict()["strategy_details"]
    assert list(details) == ["random", "mine.toml"]
    assert details["mine.toml"]["weights"] == {"pips": 3}


def test_a_confidence_too_near_to_1_is_refused_before_any_round():
    with pytest.raises(UsageError, match=r"0\.9999999999999999 is too near to 1"):
        effects(rounds=10**13, confidence=0.9999999999999999)
