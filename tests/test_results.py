"""The result document: what it holds, how it is read and refused, and how to look things up."""

import csv
import io
import json
import math

import pandas as pd
import pytest

from samples import DRAW, Round, result_of
from simdom._version import __version__
from simdom.errors import UsageError
from simdom.estimate import GROUPS, METRICS
from simdom.results import load_result
from simdom.rules import RULES_VERSION, BlockScore, Boneyard, NoDouble, Rules

KEYS = [
    "schema",
    "simdom",
    "rules_version",
    "variant",
    "rules",
    "strategies",
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


@pytest.fixture
def result():
    return result_of()


@pytest.fixture
def saved(result, tmp_path):
    result.save(tmp_path / "run")
    return tmp_path / "run"


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def one_line(error):
    text = str(error.value)
    assert "\n" not in text
    return text


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
    assert list(document["metrics"]) == list(METRICS)
    assert list(document["metrics"]["blocked_rate"]) == ["estimate", "se", "low", "high", "count"]
    assert list(document["metrics"]["points"]) == ["estimate", "se", "low", "high", "sd"]
    assert [seat["count"] for seat in document["metrics"]["seat_win_rate"]] == [7500, 2400]


def test_an_interrupted_run_says_so():
    document = result_of(asked=50_000).to_dict()
    assert list(document)[7:11] == ["rounds", "asked", "partial", "confidence"]
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
    ],
    ids=["plain", "interrupted", "numbers", "one round", "text", "three players"],
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
        (lambda d: d.update(confidence=95), "confidence"),
        (lambda d: d["rules"].update(boneyard="drew"), "did you mean 'draw'"),
        (lambda d: d["rules"].update(deal=15), "double-6 has 28"),
        (lambda d: d.update(strategies=["random"]), "1 strategies for 2 players"),
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


def test_a_document_of_an_earlier_version_may_lack_later_metrics(tmp_path):
    result = load_result(broken(tmp_path, lambda d: d["metrics"].pop("redeal_rate")))
    assert "redeal_rate" not in result.metrics
    with pytest.raises(UsageError, match="unknown metric 'redeal_rate'"):
        result.figures(["redeal_rate"])
    assert "Blocked" in str(result)


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
    assert list(dict.fromkeys(names)) == list(METRICS)
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

    draw, hidden = shown(result_of()), set(METRICS)
    assert hidden - draw == {"redeal_rate", "table_seat_win_rate", "points_minus_own"}
    assert shown(result_of(strategies=("normal", "random"))) - draw == {"table_seat_win_rate"}
    for rules in (DRAW._replace(misdeal=5), DRAW._replace(no_double=NoDouble.REDEAL)):
        assert shown(result_of(rules=rules)) - draw == {"redeal_rate"}
    block = shown(result_of([Round(9, 0, (0, 3))], Rules()))
    assert draw - block == {"draws", "boneyard_left"}
    others = shown(result_of(rules=DRAW._replace(block_score=BlockScore.OTHERS)))
    assert others ^ draw == {"points_others", "points_minus_own"}


def test_figures_stand_under_their_headings(result):
    groups = result.figures_by_group()
    assert list(groups) == list(GROUPS)
    assert [figure.label for figure in groups["Who wins"]] == ["The opener", "2nd to play"]
    assert list(result.figures_by_group(["points"])) == ["What is scored"]
    assert [f.metric for f in result.figures_by_group(["redeal_rate"])["The deal"]] == [
        "redeal_rate"
    ]


# --- tables for programs --------------------------------------------------------------------


def test_frame_has_one_row_a_figure(result):
    frame = result.to_frame()
    assert list(frame.columns) == ["metric", "seat", "estimate", "se", "low", "high", "count", "sd"]
    assert len(frame) == len(METRICS) + 2
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
        .startswith("10,000 rounds (interrupted: 50,000 asked for) of pagat-draw")
    )
    assert result_of([Round(1, 0, (0, 3))]).summary().startswith("1 round of pagat-draw")
    mixed = result_of(strategies=("normal", "random"), confidence=0.999).summary()
    assert "(normal, random)" in mixed
    assert "99.9%" in mixed


def test_str_is_a_plain_table(result):
    lines = str(result).splitlines()
    assert lines[0] == result.summary()
    assert "Who wins" in lines
    assert "  The opener                        75.0% ± 0.9" in lines
    assert repr(result) == "<Result of 10,000 rounds: pagat-draw, 2 players, random, seed 1>"


def test_html_is_escaped():
    html = result_of(variant="<b>&", command="simdom run --variant '<b>&'")._repr_html_()
    assert "<b>&" not in html
    assert html.count("&lt;b&gt;&amp;") == 2
    assert html.startswith("<table>")
    assert "75.0% ± 0.9" in html
    assert html.count("<tr>") == html.count("</tr>")
