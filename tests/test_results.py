"""The result document: what it holds, how it is read and refused, and how to look things up."""

import csv
import io
import json
import math

import pandas as pd
import pytest

from commands import one_line
from samples import DRAW, WITHOUT_TEAMS, Round, result_of
from simdom._version import __version__
from simdom.agreement import DISTRIBUTIONS
from simdom.errors import UsageError
from simdom.estimate import GROUPS
from simdom.formats import format_confidence
from simdom.results import load_result
from simdom.rules import RULES_VERSION, BlockScore, Boneyard, NoDouble, Opening, Rules
from simdom.strategies import load_strategy, strategy_names
from simdom.variants import load_variant

KEYS = [
    "schema",
    "simdom",
    "rules_version",
    "variant",
    "title",
    "rules",
    "strategies",
    "strategy_details",
    "seed",
    "rounds",
    "confidence",
    "metrics",
    "distributions",
    "seconds",
    "rounds_per_second",
    "threads",
    "command",
]

MINE = "mine.toml"
DETAILS = {
    MINE: {
        "weights": {"pips": 1.0, "random": 0.0, "double": 2.5},
        "temperature": 0.5,
        "ties": "tiles",
    }
}

UNSEEN = {"Who wins, by seat", "How close it is"}
"""Headings of what is alike by turn where all play alike, and of matches."""


@pytest.fixture
def result():
    return result_of()


@pytest.fixture
def saved(result, tmp_path):
    result.save(tmp_path / "run")
    return tmp_path / "run"


# --- the document ---------------------------------------------------------------------------


def test_document_has_its_keys_in_order(result):
    document = result.to_dict()
    assert list(document) == KEYS
    assert document["schema"] == "simdom.result/1"
    assert (document["simdom"], document["rules_version"]) == (__version__, RULES_VERSION)
    assert document["rules"]["boneyard"] == "draw"
    assert list(document["rules"]) == list(Rules._fields)
    assert document["strategies"] == ["random", "random"]
    assert document["rounds_per_second"] == 20_000
    assert list(document["metrics"]) == WITHOUT_TEAMS
    assert list(document["metrics"]["blocked_rate"]) == ["estimate", "se", "low", "high", "count"]
    assert list(document["metrics"]["points"]) == ["estimate", "se", "low", "high", "sd"]
    assert [seat["count"] for seat in document["metrics"]["seat_win_rate"]] == [7500, 2400]


def test_an_interrupted_run_says_so():
    document = result_of(asked=50_000).to_dict()
    assert list(document)[9:13] == ["rounds", "asked", "partial", "confidence"]
    assert (document["rounds"], document["asked"], document["partial"]) == (10_000, 50_000, True)
    assert result_of(asked=50_000).partial
    assert not result_of().partial


def plain_types(value):
    if isinstance(value, dict):
        return set.union({type(key) for key in value}, *map(plain_types, value.values()))
    if isinstance(value, list):
        return set.union(set(), *map(plain_types, value))
    return {type(value)}


def test_document_holds_plain_python_only(result):
    assert plain_types(result.to_dict()) <= {str, int, float, bool, type(None)}


def test_json_is_strict_and_what_is_undefined_is_null():
    text = result_of([Round(1, None, (7, 7), blocked=True)]).to_json()
    document = json.loads(text, parse_constant=pytest.fail)
    assert document["metrics"]["winner_pips"] == dict.fromkeys(
        ("estimate", "se", "low", "high", "sd")
    )
    assert document["metrics"]["plays"]["estimate"] == 13
    assert document["metrics"]["plays"]["se"] is None
    assert text.endswith("}\n")


def test_no_time_gives_no_speed():
    assert result_of(seconds=0.0).to_dict()["rounds_per_second"] is None


# --- reading it back ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "result",
    [
        result_of(),
        result_of(asked=50_000),
        result_of(confidence=0.99, seconds=0.1 + 0.2, seed=2**64 - 1),
        result_of([Round(1, None, (7, 7), blocked=True)]),
        result_of(command="simdom run --variant 'été.toml'", strategies=("normal", "random")),
        result_of(
            [Round(7, 2, (1, 2, 0)), Round(1, 0, (0, 40, 50))],
            Rules(players=3, deal=5, block_score=BlockScore.DIFFERENCE),
        ),
        result_of(variant="my.toml", title="Été", strategies=(MINE,) * 2, strategy_details=DETAILS),
    ],
    ids=["plain", "interrupted", "numbers", "one round", "text", "three players", "own files"],
)
def test_round_trip_is_exact(result, tmp_path):
    result.save(tmp_path / "run")
    for path in (tmp_path / "run", str(tmp_path / "run" / "result.json")):
        again = load_result(path)
        assert again == result
        assert again.to_json() == result.to_json()
    assert isinstance(again.rules.boneyard, Boneyard)


def broken(tmp_path, change):
    document = result_of().to_dict()
    change(document)
    path = tmp_path / "result.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda d: d.update(schema="simdom.result/2"), "'simdom.result/1'"),
        (lambda d: d.update(schema="simdom.sweep/1"), "schema"),
        (lambda d: d.pop("schema"), "schema: Field required"),
        (lambda d: d.pop("seed"), "seed: Field required"),
        (lambda d: d.update(seeds=3), "seeds: Extra"),
        (lambda d: d.update(rounds="many"), "rounds: Input should be a valid integer"),
        (lambda d: d.update(rounds=-1), "rounds"),
        (lambda d: d.update(rounds=0), "rounds: Input should be greater than or equal to 1"),
        (lambda d: d.update(rounds=10**400), "rounds: Input should be less than or equal to"),
        (lambda d: d.update(seed=-1), "seed must be from 0 to"),
        (lambda d: d.update(seed=2**64), "seed must be from 0 to"),
        (lambda d: d.update(threads=0), "threads"),
        (lambda d: d.update(seconds=-1.0), "seconds"),
        (lambda d: d["rules"].pop("reserve"), "rules.reserve is missing"),
        (lambda d: d.update(asked=10_000, partial=True), "10000 rounds are all of 10000"),
        (lambda d: d.update(title="\x1b[31mRed"), "'\\x1b[31mRed' has U+001B"),
        (lambda d: d.update(strategies=["\x07", "random"]), "U+0007"),
        (
            lambda d: d.update(strategy_details={"normal": DETAILS[MINE]}),
            "unknown name in strategy_details 'normal'",
        ),
        (lambda d: d.update(confidence=95), "confidence"),
        (lambda d: d["rules"].update(boneyard="drew"), "did you mean 'draw'"),
        (lambda d: d["rules"].update(deal=15), "double-6 has 28"),
        (lambda d: d.update(strategies=["random"]), "1 strategy for 2 players"),
        (lambda d: d.update(title=7), "title: Input should be a valid string"),
        (
            lambda d: d.update(strategy_details={"random": {"weights": {}}}),
            "strategy_details.random.temperature: Field required",
        ),
        (lambda d: d.update(asked=7), "asked and partial belong together"),
        (lambda d: d["metrics"].update(block_rate={}), "did you mean 'blocked_rate'"),
        (lambda d: d["metrics"]["points"].pop("low"), "metrics.points.low: Field required"),
        (lambda d: d["metrics"]["points"].update(low="3"), "metrics.points.low: Input should"),
        (lambda d: d["metrics"]["tie_rate"].pop("count"), "metrics.tie_rate.count"),
        (lambda d: d["metrics"]["seat_win_rate"].pop(), "metrics.seat_win_rate does not fit 2"),
        (lambda d: d["metrics"].update(points=[]), "metrics.points does not fit 2 seats"),
        (lambda d: d["metrics"].update(points=3), "metrics.points"),
        (lambda d: d["distributions"]["plays"].update({"13": 1.5}), "distributions.plays"),
    ],
)
def test_a_document_that_is_wrong_is_refused_in_one_line(tmp_path, change, complaint):
    with pytest.raises(UsageError) as error:
        load_result(broken(tmp_path, change))
    text = one_line(error)
    assert text.startswith(f"{tmp_path / 'result.json'} is no result of simdom: ")
    assert complaint in text


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"null", b'{"schema": ', b"\xff\xfe", b"<html></html>", b"NaN"]
)
def test_a_file_that_is_no_document_is_refused(tmp_path, content):
    path = tmp_path / "result.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="is no result of simdom: ") as error:
        load_result(path)
    one_line(error)


def test_a_truncated_document_is_refused(saved):
    file = saved / "result.json"
    file.write_text(file.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    with pytest.raises(UsageError, match="Invalid JSON"):
        load_result(saved)


def test_a_missing_file_is_named(tmp_path):
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(UsageError, match="cannot be read: No such file") as error:
            load_result(path)
        assert str(path) in one_line(error)


def change(name, seat=None, **values):
    """What breaks a document: other values of one metric."""

    def break_metric(document):
        found = document["metrics"][name]
        (found if seat is None else found[seat]).update(values)

    return break_metric


@pytest.mark.parametrize(
    ("breaks", "complaint"),
    [
        (lambda d: d.update(metrics={}), "metrics.blocked_rate and 17 others are missing"),
        (lambda d: d["metrics"].pop("points"), "metrics.points is missing: a result has all"),
        (change("tie_rate", count=-1), "metrics.tie_rate.count: Input should be greater"),
        (change("tie_rate", count=10_001), "metrics.tie_rate: count 10001 is not from 0 to 10000"),
        (change("tie_rate", count=None), "metrics.tie_rate.count: Input should be a valid integer"),
        (change("tie_rate", estimate=None), "metrics.tie_rate: estimate is null"),
        (change("tie_rate", low=None), "metrics.tie_rate: se, low, high or sd is null"),
        (change("tie_rate", estimate=0.5), "metrics.tie_rate: estimate 0.5 is not count 100 out"),
        (change("tie_rate", low=0.02), "metrics.tie_rate: estimate 0.01 is not from low 0.02"),
        (change("tie_rate", se=-0.1), "metrics.tie_rate: se and sd cannot be below 0"),
        (change("seat_win_rate", 1, low=0.5), "metrics.seat_win_rate: estimate 0.24 is not from"),
        (change("seat_win_rate", 1, count=9, estimate=9e-4, low=0), "do not add up to all rounds"),
        (change("opener_win_rate", count=7499, estimate=0.7499), "not metrics.seat_win_rate of"),
        (change("redeal_rate", count=5), "estimate 0.0 is not count 5 out of 10005"),
        (change("points", high=1.0), "metrics.points: estimate 11.15 is not from low"),
        (change("points", low=99, high=0), "metrics.points: estimate 11.15 is not from low 99.0"),
        (change("points", sd=None), "metrics.points: se, low, high or sd is null"),
        (change("points", sd=-1), "metrics.points: se and sd cannot be below 0"),
        (change("points", estimate=11.16), "distributions.points: it has another mean"),
        (change("winner_pips", estimate=None), "metrics.winner_pips: estimate is null"),
        (
            lambda d: d["distributions"]["plays"].update({"13": 1}),
            "distributions.plays: the counts add up to",
        ),
        (
            lambda d: d["distributions"]["plays"].update({"13": -1}),
            "distributions.plays: 13 was counted -1 times",
        ),
        (
            lambda d: d["distributions"]["plays"].update({"1.5": 1}),
            "distributions.plays: '1.5' is no value of it",
        ),
        (
            lambda d: d["distributions"]["plays"].update({"9" * 5000: 1}),
            "distributions.plays: '999999999' is no value of it",
        ),
        (
            lambda d: d["distributions"]["opening_tile"].update({"7-7": 1}),
            "distributions.opening_tile: double-6 has no tile '7-7'",
        ),
        (
            lambda d: d["distributions"]["pips_left"].pop(),
            "distributions.pips_left: it does not fit 2 seats",
        ),
        (change("points", sd=0), "distributions.points: it has another sd than metrics.points, 0"),
        (change("points", sd=1e9), "distributions.points: it has another sd"),
        (change("points", se=1.0), "metrics.points: se 1.0 does not follow from sd and 10000"),
        (change("points", low=11.1), "metrics.points: low 11.1 is not that of an interval at 0.95"),
        (change("winner_pips", high=50), "metrics.winner_pips: high 50.0 is not that of an"),
        (change("tie_rate", low=0), "metrics.tie_rate: low 0.0 is not that of an interval"),
        (change("tie_rate", se=0.5), "metrics.tie_rate: se 0.5 does not follow from count"),
        (lambda d: d.update(confidence=0.9), "is not that of an interval at 0.9"),
        (lambda d: d.update(rounds_per_second=1e300), "rounds_per_second is not rounds divided"),
        (lambda d: d.update(rounds_per_second=None), "rounds_per_second is not rounds divided"),
        (
            lambda d: d.update(strategy_details={"random": DETAILS[MINE] | {"temperature": -5}}),
            "strategy_details.random.temperature: Input should be greater",
        ),
        (lambda d: d["distributions"].update(plays=[{}]), "distributions.plays: it does not fit"),
        (lambda d: d["distributions"].update(pulls={}), "unknown distribution 'pulls'"),
    ],
)
def test_figures_that_do_not_agree_are_refused(tmp_path, breaks, complaint):
    with pytest.raises(UsageError) as error:
        load_result(broken(tmp_path, breaks))
    text = one_line(error)
    assert text.startswith(f"{tmp_path / 'result.json'} is no result of simdom: ")
    assert complaint in text


def test_what_one_round_leaves_undefined_is_null_and_nothing_else_is(tmp_path):
    tied = result_of([Round(1, None, (7, 7), blocked=True)]).to_dict()
    for name, key in (("plays", "sd"), ("winner_pips", "estimate")):
        document = json.loads(json.dumps(tied))
        document["metrics"][name][key] = 1.0
        path = tmp_path / "result.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        with pytest.raises(UsageError, match=rf"metrics\.{name}: .* must be null"):
            load_result(path)


def test_the_distributions_that_are_checked_are_those_that_there_are():
    assert list(result_of().distributions) == list(DISTRIBUTIONS)


def test_what_only_another_version_knows_is_left_out(tmp_path):
    def add(document, version):
        document["simdom"] = version
        document["metrics"]["spinner_rate"] = {"what": "ever"}
        document["distributions"]["spinners"] = {"0": 10_000}

    later = load_result(broken(tmp_path, lambda d: add(d, "99.0")))
    assert later.version == "99.0"
    assert later.metrics == result_of().metrics
    assert later.distributions == result_of().distributions
    with pytest.raises(UsageError, match="unknown metric 'spinner_rate'"):
        load_result(broken(tmp_path, lambda d: add(d, __version__)))


def test_another_version_has_every_metric_too(tmp_path):
    def forget(document):
        document["simdom"] = "0.0.1"
        del document["metrics"]["redeal_rate"]

    with pytest.raises(UsageError, match=r"metrics\.redeal_rate is missing"):
        load_result(broken(tmp_path, forget))


def test_a_result_without_distributions_is_one(tmp_path):
    result = load_result(broken(tmp_path, lambda d: d.update(distributions={})))
    assert result.distributions == {}
    assert "Blocked" in str(result)


def test_a_document_of_an_earlier_version_may_lack_title_and_strategy_details(tmp_path):
    def forget(document):
        del document["title"], document["strategy_details"]

    result = load_result(broken(tmp_path, forget))
    assert (result.title, result.strategy_details) == ("", {})


# --- looking things up ----------------------------------------------------------------------


def test_estimate_asks_for_a_seat_where_there_are_some(result):
    assert result.estimate("points") is result.metrics["points"]
    assert result.estimate("seat_win_rate", 1).count == 2400
    with pytest.raises(UsageError, match="seat_win_rate is by seat: give a seat from 0 to 1"):
        result.estimate("seat_win_rate")
    with pytest.raises(UsageError, match="from 0 to 1"):
        result.estimate("seat_win_rate", -1)
    with pytest.raises(UsageError, match="points is not by seat: leave out seat 0"):
        result.estimate("points", 0)
    with pytest.raises(UsageError, match="did you mean 'points'"):
        result.estimate("point")


def test_distribution_by_name(result):
    assert result.distribution("points")["17"] == 1500
    assert result.distribution("pips_left", 1)["20"] == 1500
    with pytest.raises(UsageError, match="did you mean 'pips_left'"):
        result.distribution("pips-lef")
    with pytest.raises(UsageError, match="pips_left is by seat"):
        result.distribution("pips_left")


def test_figures_come_in_the_order_of_the_document_or_as_asked(result):
    names = [figure.metric for figure in result.figures()]
    assert list(dict.fromkeys(names)) == WITHOUT_TEAMS
    asked = result.figures(["plays", "seat_win_rate"])
    assert [(figure.metric, figure.seat, figure.label) for figure in asked] == [
        ("plays", None, "Tiles played"),
        ("seat_win_rate", 0, "1st to play"),
        ("seat_win_rate", 1, "2nd to play"),
    ]
    with pytest.raises(UsageError, match="unknown metric 'wins'"):
        result.figures(["plays", "wins"])


def test_a_person_is_spared_what_goes_without_saying():
    def shown(result):
        return {f.metric for lines in result.figures_by_group().values() for f in lines}

    draw, hidden = shown(result_of()), set(WITHOUT_TEAMS)
    assert hidden - draw == {
        "redeal_rate",
        "table_seat_win_rate",
        "points_minus_own",
        "dead_after_opening_rate",
    }
    assert shown(result_of(strategies=("normal", "random"))) - draw == {"table_seat_win_rate"}
    assert shown(result_of(rules=DRAW._replace(misdeal=5))) - draw == {"redeal_rate"}
    redeal = shown(result_of(rules=DRAW._replace(no_double=NoDouble.REDEAL)))
    assert redeal ^ draw == {"redeal_rate", "no_double_rate"}
    block = shown(result_of([Round(9, 0, (0, 3))], Rules()))
    assert draw - block == {"draws", "boneyard_left"}
    assert block - draw == {"dead_after_opening_rate"}
    kept_back = shown(result_of(rules=DRAW._replace(reserve=14)))
    assert draw ^ kept_back == {"draws", "boneyard_left", "dead_after_opening_rate"}
    seats = result_of(rules=DRAW._replace(opening=Opening.FIRST_SEAT), strategies=("a", "b"))
    assert draw ^ shown(seats) == {"opener_win_rate", "seat_win_rate", "table_seat_win_rate"}
    others = shown(result_of(rules=DRAW._replace(block_score=BlockScore.OTHERS)))
    assert others ^ draw == {"points_others", "points_minus_own"}


@pytest.mark.parametrize(
    ("rules", "rate", "possible"),
    [
        (Rules(players=4), "no_double_rate", False),  # 28 tiles dealt, 21 are no doubles
        (Rules(players=3), "no_double_rate", True),  # 21 dealt
        (Rules(no_double=NoDouble.REDEAL, opening=Opening.LOT), "no_double_rate", True),
        (Rules(no_double=NoDouble.REDEAL, opening=Opening.LOT), "redeal_rate", False),
        (Rules(misdeal=8), "redeal_rate", False),  # seven tiles, seven doubles
        (Rules(misdeal=7), "redeal_rate", True),
        (Rules(), "dead_after_opening_rate", True),  # all six that fit may be in the boneyard
        (Rules(players=4), "dead_after_opening_rate", False),
        (Rules(players=2, deal=12), "dead_after_opening_rate", False),  # only four are left
        (Rules(players=2, deal=11), "dead_after_opening_rate", True),
        (Rules(deal=1), "dead_after_opening_rate", False),  # the lead is the last tile
        (DRAW._replace(reserve=5), "dead_after_opening_rate", False),
        (DRAW._replace(reserve=6), "dead_after_opening_rate", True),
    ],
)
def test_a_rate_of_what_cannot_happen_goes_without_saying(rules, rate, possible):
    result = result_of([Round(9, 0, (0,) + (3,) * (rules.players - 1))], rules)
    groups = result.figures_by_group()
    assert (rate in {f.metric for lines in groups.values() for f in lines}) is possible
    assert [figure.metric for figure in result.figures([rate])] == [rate]


def test_figures_stand_under_their_headings(result):
    groups = result.figures_by_group()
    assert list(groups) == [group for group in GROUPS if group not in UNSEEN]
    assert [figure.label for figure in groups["Who wins, by turn"]] == ["The opener", "2nd to play"]
    mixed = result_of(strategies=("normal", "random")).figures_by_group()
    assert list(mixed) == list(GROUPS[:-1])
    assert [f.label for f in mixed["Who wins, by seat"]] == ["Seat 0, normal", "Seat 1, random"]
    assert list(result.figures_by_group(["points"])) == ["What is scored"]
    assert [f.metric for f in result.figures_by_group(["redeal_rate"])["The deal"]] == [
        "redeal_rate"
    ]


# --- tables for programs --------------------------------------------------------------------


def test_frame_has_one_row_a_figure(result):
    frame = result.to_frame()
    assert list(frame.columns) == ["metric", "seat", "estimate", "se", "low", "high", "count", "sd"]
    assert len(frame) == len(WITHOUT_TEAMS) + 2
    by_name = frame.set_index("metric")
    assert by_name["estimate"]["blocked_rate"] == 0.2
    assert by_name["count"]["blocked_rate"] == 2000
    assert by_name["seat"]["blocked_rate"] is pd.NA
    assert math.isnan(by_name["sd"]["blocked_rate"])
    assert list(by_name["seat"]["seat_win_rate"]) == [0, 1]
    assert str(frame["count"].dtype) == str(frame["seat"].dtype) == "Int64"
    assert {str(frame[c].dtype) for c in ("estimate", "se", "low", "high", "sd")} == {"float64"}
    assert list(result.to_frame(["plays"]).metric) == ["plays"]


def test_csv_is_the_frame_in_full_precision(result):
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert list(rows[0]) == list(result.to_frame().columns)
    by_name = {(row["metric"], row["seat"]): row for row in rows}
    for figure in result.figures():
        row = by_name[figure.metric, "" if figure.seat is None else str(figure.seat)]
        assert float(row["estimate"]) == figure.estimate.estimate
        assert float(row["high"]) == figure.estimate.high
        assert row["count"] == ("" if figure.estimate.count is None else str(figure.estimate.count))
    assert "nan" not in result_of([Round(1, None, (7, 7), blocked=True)]).to_csv()
    assert result.to_csv(["plays"]).count("\n") == 2


# --- a few words ----------------------------------------------------------------------------


def test_summary_names_the_run_and_its_main_figures(result):
    assert result.summary() == (
        "10,000 rounds of pagat-draw, 2 players (random), seed 1: 20.0% ± 0.8 end blocked, the "
        "opener wins 75.0% ± 0.9, and a round is worth 11.15 ± 0.06 points. Intervals are at 95% "
        "confidence."
    )
    assert (
        result_of(asked=50_000)
        .summary()
        .startswith("10,000 rounds (ended early: 50,000 asked for) of pagat-draw")
    )
    assert result_of([Round(1, 0, (0, 3))]).summary().startswith("1 round of pagat-draw")
    mixed = result_of(strategies=("normal", "random"), confidence=0.999).summary()
    assert "(normal, random)" in mixed
    assert "99.9%" in mixed


def test_the_identity_says_what_was_changed():
    changed = result_of(rules=DRAW._replace(reserve=0, block_score=BlockScore.OTHERS))
    assert changed.changes == [
        ("reserve", "0", "2"),
        ("block_score", "others", "minus_own"),
    ]
    assert changed.identity == (
        "10,000 rounds of pagat-draw with reserve 0, block_score others, 2 players (random), seed 1"
    )
    three = result_of([Round(9, 0, (0, 3, 4))], Rules(players=3), variant="pagat-block")
    assert "players 3" not in three.identity


def test_only_a_preset_is_compared_with_a_preset():
    for name in ("pagat-draw.toml", "mine", "./pagat-draw"):
        result = result_of(rules=DRAW._replace(reserve=0), variant=name, title="At our table")
        assert result.changes == []
        assert result.heading == f"{name}: At our table"
    assert result_of(variant="mine").heading == "mine"
    assert result_of(title="").heading == f"pagat-draw: {load_variant('pagat-draw').title}"


def test_strategies_that_are_no_presets_are_told_in_words():
    assert result_of(strategy_details=DETAILS).own_strategies == {
        MINE: "pips 1, double 2.5, temperature 0.5, ties by tile"
    }
    plain = {"weights": {}, "temperature": 0.0, "ties": "placements"}
    assert result_of(strategy_details={"random": plain}).own_strategies == {}
    assert result_of(strategy_details={"r.toml": plain}).own_strategies == {"r.toml": "no weights"}
    changed = {"normal": plain | {"weights": {"pips": 3.0}}}
    assert result_of(strategy_details=changed).own_strategies == {"normal": "pips 3"}
    for name in strategy_names():
        details = load_strategy(name).to_dict()
        result = result_of(strategy_details={name: details})
        assert result.own_strategies == {}, name


def test_a_seat_that_always_leads_is_a_reason_for_caution():
    first = DRAW._replace(opening=Opening.FIRST_SEAT)
    caution = "Seat 0 always leads: swap the strategies to be fair."
    unfair = result_of(rules=first, strategies=("normal", "random"))
    assert unfair.caution == caution
    assert str(unfair).endswith(f"\n\n{caution}")
    assert f"<p>{caution}</p>" in unfair._repr_html_()
    assert result_of(rules=first).caution == result_of(strategies=("a", "b")).caution == ""


@pytest.mark.parametrize(
    ("confidence", "text"),
    [
        (0.95, "95%"),
        (0.999, "99.9%"),
        (1 / 3, "33.33333333%"),
        (0.999999999999, "99.9999999999%"),
        (1 - 2**-53, "99.99999999999999%"),
        (1e-12, "1e-10%"),
        (5e-324, "4.940656458e-322%"),
    ],
)
def test_a_confidence_is_never_said_to_be_certain_or_nothing(confidence, text):
    assert format_confidence(confidence) == text
    assert f"Intervals are at {text} confidence." in result_of(confidence=confidence).summary()


def test_str_is_a_plain_table(result):
    lines = str(result).splitlines()
    assert lines[0] == result.summary()
    assert "Who wins, by turn" in lines
    assert "  The opener                          75.0% ± 0.9" in lines
    assert repr(result) == "<Result of 10,000 rounds: pagat-draw, 2 players, random, seed 1>"


def test_html_is_escaped():
    html = result_of(variant="<b>&", command="simdom run --variant '<b>&'")._repr_html_()
    assert "<b>&" not in html
    assert html.count("&lt;b&gt;&amp;") == 2
    assert html.startswith("<table>")
    left = 'style="text-align:left"'
    assert f"<th {left}>estimate</th><th {left}>95% interval</th>" in html
    assert f"<td {left}>The opener</td><td {left}>75.0%</td><td {left}>± 0.9</td>" in html
    assert "<p>Rules: max_pip 6, players 2, deal 7, boneyard draw, reserve 2, " in html
    assert f"<p>{MINE}: pips 1, " in result_of(strategy_details=DETAILS)._repr_html_()
    assert html.count("<tr>") == html.count("</tr>")
