"""The round of the day: the same for everyone, and only the first try counts."""

import datetime as dt
import hashlib
import json
from math import isnan

import pytest

from commands import names_in, one_line
from simdom.errors import RunError, UsageError
from simdom.playing import daily as module
from simdom.playing.daily import begin_daily, daily_setup, load_try, parse_day, seed_of_day
from simdom.playing.history import ENOUGH, load_history
from simdom.playing.saving import seal, unseal
from simdom.playing.table import Table
from simdom.rounds import trace_round
from simdom.strategies import load_strategy

DAY = dt.date(2026, 11, 29)
TODAY = dt.date(2026, 11, 30)
NORMAL, EASY = load_strategy("normal"), load_strategy("easy")


@pytest.fixture(autouse=True)
def _today(monkeypatch):
    monkeypatch.setattr(module, "today", lambda: TODAY)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "daily"


def begin(folder, day=DAY, *, against=None, again=False):
    return begin_daily(folder, day, against, NORMAL, again=again)


def play_on(game, choices=10**9):
    for _ in range(choices):
        if game.table.question is None:
            break
        game.choose(game.table.question.placements[0])
    return game


def test_the_seed_is_that_of_the_date_alone():
    digest = hashlib.sha256(b"simdom daily 2026-11-29").digest()
    assert seed_of_day(DAY) == int.from_bytes(digest[:8], "big") == 5796871494742714763
    seeds = {seed_of_day(DAY + dt.timedelta(days=days)) for days in range(400)}
    assert len(seeds) == 400


def test_the_tiles_are_those_of_round_0_of_the_seed():
    told = trace_round("pagat-draw", 0, seed=seed_of_day(DAY))
    for against in (NORMAL, EASY):
        table = play_through(Table(daily_setup(DAY, against)))
        assert table.rounds[0].told.hands == told.hands
        assert table.rounds[0].told.boneyard == told.boneyard


def play_through(table):
    while table.question is not None:
        table.choose(table.question.placements[-1])
    return table


def test_par_is_what_the_strategy_gets_in_your_place(folder):
    game = begin(folder)
    told = trace_round("pagat-draw", 0, strategy="normal", seed=seed_of_day(DAY))
    assert game.par == told.gained[0] - told.gained[1]


def test_the_result_is_what_was_caught_less_what_they_caught(folder):
    seen = set()
    for days in range(12):
        day = DAY - dt.timedelta(days=days)
        game = play_on(begin(folder, day))
        told = game.table.rounds[0].told
        assert game.points == {0: told.points, 1: -told.points, None: 0}[told.winner]
        seen.add(told.winner)
    assert {0, 1} <= seen


def test_a_try_is_kept_from_its_first_moment_and_goes_on(folder):
    game = begin(folder)
    assert names_in(folder) == ["2026-11-29.json"]
    first = game.table.question
    assert begin(folder).table.question == first
    play_on(game, 1)
    again = begin(folder)
    assert again.table.answers == game.table.answers
    assert again.points is None
    whole = play_on(again)
    over = begin(folder)
    assert over.table.is_over
    assert over.points == whole.points
    assert load_history(folder).tries[0].points == whole.points


def test_only_the_first_try_counts(folder):
    with pytest.raises(UsageError, match="2026-11-29 has not been played yet: leave out --again"):
        begin(folder, again=True)
    game = begin(folder)
    with pytest.raises(UsageError, match="the first try of 2026-11-29 is not over"):
        begin(folder, again=True)
    play_on(game)
    kept = (folder / "2026-11-29.json").read_bytes()
    other = begin(folder, again=True)
    assert not other.counts
    play_through(other.table)
    assert play_on(begin(folder, again=True, against=EASY)).against == EASY
    assert (folder / "2026-11-29.json").read_bytes() == kept


def test_one_try_a_day_whoever_it_is_against(folder):
    begin(folder, against=EASY)
    assert begin(folder).against.name == "easy"
    assert begin(folder, against=EASY).against.content == EASY.content
    with pytest.raises(UsageError, match="is against easy, not normal: add --again") as error:
        begin(folder, against=NORMAL)
    assert one_line(error)


def test_two_at_once_keep_one_try(folder):
    one = begin(folder)
    two = begin(folder)
    play_on(one, 1)
    with pytest.raises(RunError, match="is kept by another simdom at the same time"):
        play_on(two, 1)
    play_on(one)
    assert load_history(folder).tries[0].choices == tuple(map(str, one.table.answers))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2026-12-01", "2026-12-01 is not dealt before 2026-12-01: today is 2026-11-30"),
        ("2025-12-31", "2025-12-31 has no tiles: the first day that has is 2026-01-01"),
        ("2026-02-30", "'2026-02-30' is no date: write it as 2026-11-29"),
        ("20261129", "is no date"),
        ("2026-W48-1", "is no date"),
        ("yesterday", "is no date"),
        ("", "is no date"),
        ("9" * 5000, "is no date"),
        ("२०२६-११-२९", "is no date"),
    ],
)
def test_days_that_have_no_tiles(text, reason):
    with pytest.raises(UsageError, match=reason) as error:
        parse_day(text, TODAY)
    assert len(one_line(error)) < 200


def test_days_that_have_tiles():
    for text in ("2026-01-01", "2026-11-30"):
        assert str(parse_day(text, TODAY)) == text


def test_a_try_that_was_changed_is_no_try_and_is_not_written_over(folder):
    play_on(begin(folder))
    path = folder / "2026-11-29.json"
    document = json.loads(path.read_bytes())
    document["points"] = 99
    path.write_text(json.dumps(document), encoding="utf-8")
    kept = path.read_bytes()
    with pytest.raises(UsageError, match="has been changed"):
        begin(folder)
    assert path.read_bytes() == kept
    path.write_bytes(b"\x00")
    with pytest.raises(UsageError, match="is no JSON document"):
        begin(folder)
    assert path.read_bytes() == b"\x00"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda d: d.update(date="2026-11-28"), "is the try of 2026-11-28"),
        (lambda d: d.update(date="soon"), "date must be a date, not 'soon'"),
        (lambda d: d.update(rules_version=7, points=None), "rules version 7"),
        (lambda d: d.update(points=1.5), "points"),
        (lambda d: d.pop("against"), "against"),
    ],
)
def test_a_file_that_is_no_try_is_left_out_of_the_history(folder, change, reason):
    play_on(begin(folder))
    play_on(begin(folder, TODAY))
    path = folder / "2026-11-29.json"
    document = unseal("simdom.daily/1", path.read_bytes())
    change(document)
    path.write_bytes(seal("simdom.daily/1", document))
    with pytest.raises(UsageError, match=reason):
        load_try(path, path.read_bytes())
    history = load_history(folder)
    assert [one.date for one in history.tries] == [TODAY]
    (problem,) = history.problems
    assert reason in problem
    assert problem.count(str(path)) == 1


def test_the_history_has_intervals_where_there_are_enough_days(folder):
    assert load_history(folder).tries == []
    for days in range(ENOUGH):
        for standing in load_history(folder).standings():
            assert isnan(standing.points.se)
            assert load_history(folder).to_dict()["standings"][0]["points"]["low"] is None
        play_on(begin(folder, DAY - dt.timedelta(days=days)))
    begin(folder, TODAY)
    history = load_history(folder)
    (standing,) = history.standings()
    points = [one.points for one in history.tries if one.points is not None]
    pars = [one.par for one in history.tries if one.par is not None]
    assert standing.days == len(points) == ENOUGH
    mean = sum(points) / ENOUGH
    assert standing.points.estimate == pytest.approx(mean)
    sd = (sum((value - mean) ** 2 for value in points) / (ENOUGH - 1)) ** 0.5
    radius = 2.2621572 * sd / ENOUGH**0.5  # Student's t, 9 degrees of freedom, 97.5%
    assert standing.points.high - standing.points.estimate == pytest.approx(radius)
    over = sum(points) - sum(pars)
    assert standing.over_par.estimate == pytest.approx(over / ENOUGH)
    assert [one.date for one in history.tries] == sorted(one.date for one in history.tries)
    document = history.to_dict()
    assert len(document["days"]) == ENOUGH + 1
    assert document["days"][-1]["points"] is None
