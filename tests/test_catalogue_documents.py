"""Every document that simdom ever wrote is read: one saved one for each schema and each form."""

import itertools
import re
from contextlib import suppress
from pathlib import Path

import pytest

import simdom
from commands import one_line
from result_folders import DOCUMENTS, content, write
from simdom.catalogue.documents import KINDS, read_saved
from simdom.catalogue.figures import Found, Given, in_words
from simdom.catalogue.listing import list_results
from simdom.catalogue.reading import LARGEST
from simdom.catalogue.tidy import figures_frame, results_frame
from simdom.cli.results_sheets import document_sheet, list_sheet
from simdom.errors import UsageError
from simdom.results import load_result

SAVED = sorted(DOCUMENTS.glob("*.json"))
WITHOUT_ONE = {
    *("checkpoint", "strategies", "variants", "bench", "results", "query", "difference"),
    *("advice", "answer-odds", "play", "play-result", "daily", "daily-result", "history"),
}
"""Kinds that keep no figures, or that are written and read in other tests."""


def test_every_schema_in_the_sources_is_a_kind():
    package = Path(simdom.__file__).parent
    text = "".join(file.read_text("utf-8") for file in package.rglob("*.py"))
    written = set(re.findall(r"\"simdom\.([a-z-]+)/[0-9]", text))
    of_parquet = {"records"}
    assert written - of_parquet <= set(KINDS), "a new document needs a line in KINDS"
    assert written >= {"result", "sweep", "ladder"}


def test_there_is_a_saved_document_of_every_released_version():
    saved = {tuple(path.name.split("-")[:2]) for path in SAVED}
    assert saved == {
        (name, str(version))
        for name, kind in KINDS.items()
        for version in range(1, kind.newest + 1)
        if name not in WITHOUT_ONE
    }


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
def test_a_saved_document_is_read(path):
    saved = read_saved(path)
    assert saved.schema == content(path.name)["schema"]
    for found in saved.figures:
        given = found.given
        assert given.estimate is None or given.low <= given.estimate <= given.high


@pytest.mark.parametrize(
    "path", [path for path in SAVED if path.name.startswith("result-")], ids=lambda path: path.stem
)
def test_a_saved_result_of_any_form_is_loaded(path):
    result, document = load_result(path), content(path.name)
    assert result.seed == document["seed"]
    assert len(result.figures()) == len(read_saved(path).figures)


@pytest.mark.parametrize(
    ("name", "kind", "subject", "play", "gist"),
    [
        ("result-1-first", "run", "pagat-draw", "random", "Blocked 17% (11 to 23)"),
        ("result-1-weights", "run", "pagat-block", "normal, random", "Points 7.2 ± 0.8"),
        ("result-1-teams", "run", "pagat-block", "random", "The opener 35% ± 7"),
        ("result-1-matches", "match", "pagat-block", "random", "Rounds 11.5 ± 0.9"),
        (
            "comparison-1-first",
            "compare",
            "pagat-draw and pagat-draw:reserve=0",
            "random",
            "Blocked 0.0 pp ± 3.4",
        ),
        ("effects-1-first", "effects", "pagat-draw", "random", "of 4 changes: 4 not settled"),
        ("sweep-1-first", "sweep", "pagat-draw by reserve", "random", "2 cells"),
        ("duel-1-first", "duel", "pagat-draw", "normal against random", "wins 67% ± 7"),
        ("ladder-1-first", "ladder", "pagat-draw", "normal, easy, random", "normal 1088 ± 61"),
        ("calibration-1-first", "calibrate", "60%", "pips 1", "block 69% ± 4"),
        (
            "odds-1-first",
            "odds",
            "Nobody has a double: 2 hands of 7 tiles, double-6 set",
            "",
            "exactly 0.00289855 (1/345)",
        ),
    ],
)
def test_what_is_said_of_a_document(name, kind, subject, play, gist):
    saved = read_saved(DOCUMENTS / f"{name}.json")
    assert (saved.kind, saved.shape.subject(), saved.shape.play()) == (kind, subject, play)
    assert gist in saved.gist


def test_changes_are_those_of_the_preset():
    assert read_saved(DOCUMENTS / "result-1-teams.json").shape.changed() == "4 players, teams pairs"
    of_matches = read_saved(DOCUMENTS / "result-1-matches.json").shape.changed()
    assert of_matches == "2 players, to 50 points"


def test_differences_stand_against_the_first_contender():
    figures = read_saved(DOCUMENTS / "comparison-1-first.json").figures
    document = content("comparison-1-first.json")
    for found in figures:
        if found.metric == "points" and found.against:
            assert found.given.estimate == document["differences"][0]["points"]["estimate"]
            assert (found.part, found.against) == ("pagat-draw:reserve=0", "pagat-draw")
            return
    pytest.fail("no difference of points")


def test_an_effect_has_the_level_of_its_verdict():
    figures = read_saved(DOCUMENTS / "effects-1-first.json").figures
    document = content("effects-1-first.json")
    levels = {found.confidence for found in figures if found.against}
    assert levels == {
        figure["level"] for effect in document["effects"] for figure in effect["metrics"].values()
    }


def test_keys_that_came_later_are_passed_over(tmp_path):
    later = content("result-1-first.json") | {"first": 500, "weather": ["fine"]}
    saved = read_saved(write(tmp_path / "result.json", later))
    assert (saved.kind, saved.shape.first) == ("run", 500)


def test_a_later_schema_is_named(tmp_path):
    for schema in ("simdom.result/2", "simdom.fancy/1"):
        path = write(tmp_path / "a.json", {"schema": schema})
        with pytest.raises(UsageError) as error:
            read_saved(path)
        assert schema in one_line(error)


def test_a_match_by_hand_is_listed_without_its_seed(tmp_path):
    document = {"variant": "pagat-draw", "seed": 7, "rounds": [{"leader": 0}]}
    for name in ("play", "play-result", "daily", "daily-result"):
        path = write(tmp_path / "a.json", {"schema": f"simdom.{name}/1", **document})
        assert read_saved(path).shape.seed is None
        assert read_saved(path).shape.subject() == "pagat-draw"


HUGE = "9" * 400
ENDLESS = "9" * 5000


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is no JSON"),
        ("{", "is no JSON"),
        ("[1]", "names no schema"),
        ("null", "names no schema"),
        ('{"schema": null}', "names no schema"),
        ('{"schema": 5}', "its schema is 5"),
        ('{"schema": {"a": []}}', "its schema is"),
        ('{"schema": "other/1"}', "its schema is 'other/1'"),
        ('{"schema": "simdom.result/99999999999"}', "its schema is"),
        ('{"schema": "simdom.result/1"}', "is no simdom.result/1: "),
        ('{"schema": "simdom.result/2"}', "a later one does"),
        ('{"schema": "simdom.re-sult/1"}', "which this simdom does not know"),
        ('{"schema": "simdom.answer-odds/1", "command": 1}', "is no simdom.answer-odds/1: "),
        ('{"schema": "simdom.odds/1", "seed": NaN}', "NaN is no number"),
        ('{"schema": "simdom.odds/1", "schema": "simdom.duel/1"}', "says 'schema' twice"),
        (f'{{"schema": "simdom.odds/1", "value": {ENDLESS}}}', "is no JSON"),
        (f'{{"schema": "simdom.odds/1", "value": {HUGE}}}', "value: "),
        (f'{{"schema": "simdom.odds/1", "rounds": {HUGE}}}', "rounds: "),
        (f'{{"schema": "simdom.odds/1", "value": 1e{HUGE}}}', "value: "),
        ('{"schema": "simdom.odds/1", "seed": 18446744073709551616}', "seed: "),
        ('{"schema": "simdom.sweep/1", "grid": [], "cells": {}}', "grid: "),
        ('{"schema": "simdom.checkpoint/1", "job": 1, "done": -1}', "job: "),
        ("[" * 200_000, "nested too deeply"),
        ('{"a":' * 200_000, "nested too deeply"),
    ],
    ids=range(24),
)
def test_what_is_damaged_or_foreign_is_one_line(tmp_path, text, complaint):
    path = write(tmp_path / "a.json", text)
    with pytest.raises(UsageError) as error:
        read_saved(path)
    assert complaint in one_line(error)
    assert len(one_line(error)) < 300


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b'{"schema": "simdom.\xff"}')
    with pytest.raises(UsageError, match="not in UTF-8"):
        read_saved(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "a.json"
    with path.open("wb") as file:
        file.truncate(LARGEST + 1)  # takes no room on the disk
    with pytest.raises(UsageError, match="too large to be read: 64 MiB, of at most 64"):
        read_saved(path)


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
@pytest.mark.parametrize("wrong", [None, [], {}, "\n", -1, 1e300, [[{}]]], ids=str)
def test_any_value_of_any_key_may_be_wrong(tmp_path, path, wrong):
    document = content(path.name)
    for key in document.keys() - {"schema"}:
        file = write(tmp_path / "a.json", document | {key: wrong})
        with suppress(UsageError):  # of anything else, this test fails
            read_saved(file)


ODD = [None, 0.0, 0.5, -3.0, 1e300, 5e-324]


@pytest.mark.parametrize("more", [{}, {"count": 5}, {"sd": 0.0}, {"se": 0.0}, {"sd": 2.0}], ids=str)
def test_figures_that_no_run_gives_are_told_all_the_same(more):
    for estimate, low, high in itertools.product(ODD, repeat=3):
        given = Given(estimate=estimate, low=low, high=high, **more)
        for name in ("points", "blocked_rate", "skill_share", "rating"):
            for is_difference in (False, True):
                assert 0 < len(in_words(Found(name, given), is_difference=is_difference)) <= 60


def wrong_in_depth(document, wrong):
    """Copies of a document, in each of which one number of its first list or table is wrong."""
    for key, value in document.items() if isinstance(document, dict) else enumerate(document):
        if isinstance(value, dict | list):
            for inner in itertools.islice(wrong_in_depth(value, wrong), 40):
                yield {**document, key: inner} if isinstance(document, dict) else [inner]
        elif isinstance(value, int | float):
            yield {**document, key: wrong} if isinstance(document, dict) else [wrong]


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
@pytest.mark.parametrize("wrong", [1e300, -1, None, 10**30, "x"], ids=str)
def test_any_number_may_be_wrong_and_the_list_goes_on(tmp_path, path, wrong):
    for document in itertools.islice(wrong_in_depth(content(path.name), wrong), 20):
        (entry,) = list_results(write(tmp_path / "a.json", document).parent)
        assert entry.to_dict()["kind"] == entry.kind
        results_frame([entry])
        figures_frame([entry])
        document_sheet(entry)
        list_sheet(tmp_path, [entry])
