"""Rounds that are recorded: the same as those that are tallied and listed, and what others read."""

import json
import pickle

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings

import simdom
from generators import SEEDS, legal_rules
from record_files import record, record_matches, study
from scale import rounds
from simdom._version import __version__
from simdom.engine import record_kernels
from simdom.engine.kernels import Study, list_rounds, tally_rounds
from simdom.engine.match_kernels import list_matches
from simdom.engine.matches import ROUND_INDICES, MatchOutcome
from simdom.engine.tally import most_points
from simdom.match_metrics import tally_matches
from simdom.records.columns import schema_of, table_of
from simdom.records.playing import play_recorded, play_recorded_matches
from simdom.rounds import simulate_rounds, trace_round
from simdom.rules import RULES_VERSION, Boneyard, Rules, rules_to_dict
from simdom.tiles import parse_tile
from simdom.transcripts.recording import transcribe_match

CASES = [
    ("pagat-draw", "random", {}),
    ("pagat-block", "normal", {}),
    ("dominican-patio", "random", {}),
    ("cuban-nine", "random", {}),
    ("pagat-draw", "random", {"no_double": "redeal", "players": 3}),
    ("pagat-draw", "sharp,random", {}),
]


@pytest.fixture(autouse=True, scope="module")
def few_kernels():
    """One compiled kernel for all rules but two-player Draw: each takes ten seconds to make."""
    own = record_kernels.specialisation

    def coarse(rules):
        players, boneyard = own(rules)
        return (players, boneyard) if (players, rules.boneyard) == (2, Boneyard.DRAW) else (-1, -1)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(record_kernels, "specialisation", coarse)
        yield


@simdom.strategy
def first(view):  # noqa: ARG001 -- it looks at nothing
    return 0


def frame_of(played, rows):
    schema = schema_of(played.rules, matches=rows.lengths is not None)
    return table_of(rows, played.rules, schema).to_pandas()


def same_tallies(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def plain(frame):
    """Columns as wide integers and texts, whatever they were."""
    words = ["opening_tile", "end"]
    return frame.astype({name: (str if name in words else np.int64) for name in frame.columns})


@pytest.mark.parametrize(("variant", "strategy", "overrides"), CASES)
def test_recorded_rounds_are_those_that_are_listed_and_tallied(variant, strategy, overrides):
    players = overrides.get("players")
    others = {name: value for name, value in overrides.items() if name != "players"}
    strategy = strategy.split(",") if "," in strategy else strategy
    played = study(variant, strategy, 5, players, **others)
    count = rounds(20, 3) if "sharp" in strategy else rounds(3000, 200)
    tally, rows = play_recorded(played, 7, 7 + count)
    assert same_tallies(tally, tally_rounds(played, 7, 7 + count))
    listed = simulate_rounds(
        variant, count, start=7, players=players, overrides=others, strategy=strategy, seed=5
    )
    frame = frame_of(played, rows)
    assert set(frame.columns) == {*listed.columns, "lead_tile"}
    pd.testing.assert_frame_equal(plain(frame[listed.columns]), plain(listed))


def test_functions_are_recorded():
    played = study("pagat-draw", [first, "random"], 3)
    tally, rows = play_recorded(played, 0, 50)
    assert same_tallies(tally, tally_rounds(played, 0, 50))
    frame = frame_of(played, rows)
    listed = simulate_rounds("pagat-draw", 50, strategy=[first, "random"], seed=3)
    pd.testing.assert_frame_equal(plain(frame[listed.columns]), plain(listed))


@settings(max_examples=25)
@given(rules=legal_rules(), seed=SEEDS)
def test_no_rules_make_values_that_do_not_fit(rules, seed):
    played = Study(rules, study(players=2).strategies[:1] * rules.players, seed)
    rows = play_recorded(played, 0, 20)[1]
    frame = frame_of(played, rows)
    listed = list_rounds(played, 0, 20)
    assert (frame["points"] == listed[:, 12]).all()
    by_seat = [*(f"pips_{seat}" for seat in range(rules.players))]
    by_seat += [*(f"points_{seat}" for seat in range(rules.players))]
    assert (frame[by_seat].to_numpy() == listed[:, 16:]).all()


def test_types_have_room_for_sums_over_the_seats():
    wide = Rules(block_score=6, flat_points=1000, players=4, deal=7)
    for rules in (Rules(), wide):
        kind = schema_of(rules, matches=False).field("points").type.to_pandas_dtype()
        assert np.iinfo(kind).max >= rules.players * most_points(rules)


def test_the_lead_tile_is_the_one_that_the_rules_name():
    """Where they name none, it is empty; what was led is told in any case."""
    for opening in ("highest_double", "holder_leads_any", "lot", "first_seat"):
        frame = frame_of(*_recorded(opening=opening))
        assert frame["opening_tile"].notna().all()
        told = frame["lead_tile"].notna()
        assert told.all() if opening == "highest_double" else not told.any()
    frame = frame_of(*_recorded(opening="named_double", named_double=6, named_missing="lot"))
    dealt = [_is_dealt("6-6", index) for index in frame["round"]]
    assert (frame["lead_tile"].notna() == dealt).all()
    assert set(frame["lead_tile"].dropna()) == {"6-6"}


def _recorded(**overrides):
    played = study("pagat-draw", **overrides)
    return played, play_recorded(played, 0, 60)[1]


def _is_dealt(tile, index):
    rules = {"opening": "named_double", "named_double": 6, "named_missing": "lot"}
    hands = trace_round("pagat-draw", index, overrides=rules).hands
    return any(parse_tile(tile, 6) in hand for hand in hands)


@pytest.mark.parametrize(
    ("variant", "strategy"),
    [("pagat-draw", "random"), ("brazilian-6", "random"), ("pagat-draw", ["sharp", "random"])],
)
def test_recorded_matches_are_those_that_are_listed_and_tallied(variant, strategy):
    played = study(variant, strategy, 5)
    target = 6 if variant == "brazilian-6" else 60
    count = rounds(2, 1) if "sharp" in strategy else rounds(60, 20)
    tally, rows = play_recorded_matches(played, target, 3, 3 + count)
    assert same_tallies(tally, tally_matches(played, target, 3, 3 + count))
    lengths = list_matches(played, target, 3, 3 + count)[:, MatchOutcome._fields.index("rounds")]
    assert (rows.lengths == lengths).all()
    frame = frame_of(played, rows)
    assert (frame["round"] == frame["match"] * ROUND_INDICES + frame["match_round"]).all()
    assert [*frame.groupby("match").size()] == [*lengths]
    for number in (3, 2 + count):
        told = transcribe_match(variant, played, target, number).rounds
        of = frame[frame["match"] == number]
        assert [*of["match_round"]] == [*range(len(told))]
        for row, written in zip(of.to_dict("records"), told, strict=True):
            ending = written.ending
            assert (row["end"], row["winner"]) == (ending.end, ending.winner)
            assert tuple(row[f"pips_{seat}"] for seat in range(played.rules.players)) == ending.pips
            assert row["opener"] == written.turns[0].seat
            assert pd.isna(row["lead_tile"]) or written.leader is None


def test_a_match_longer_than_the_room_left_is_kept_whole(monkeypatch):
    played = study("pagat-block", seed=2)
    whole = play_recorded_matches(played, 100, 0, 40)[1]
    monkeypatch.setattr("simdom.engine.record_kernels.ROOM", 10_050)
    pieces = play_recorded_matches(played, 100, 0, 40)[1]
    assert (whole.fields == pieces.fields).all()
    assert (whole.lengths == pieces.lengths).all()


def test_rows_travel_in_few_bytes():
    rows = play_recorded(study(), 0, 1000)[1]
    packed = pickle.dumps(rows)
    assert len(packed) < 45 * 1000
    assert (pickle.loads(packed).fields == rows.fields).all()  # noqa: S301 -- made here


@pytest.mark.parametrize("make", [record, record_matches])
def test_the_same_run_makes_the_same_file(tmp_path, make, monkeypatch):
    monkeypatch.setattr("simdom.records.writing.GROUP", 64)
    for chunk in (1, 7, 64, 200):
        make(tmp_path / f"{chunk}.parquet", chunk=chunk)
    first_of_all, *others = (path.read_bytes() for path in tmp_path.iterdir())
    assert all(other == first_of_all for other in others)


def test_row_groups(tmp_path, monkeypatch):
    monkeypatch.setattr("simdom.records.writing.GROUP", 64)
    record(tmp_path / "r.parquet", chunk=30)
    metadata = pq.read_metadata(tmp_path / "r.parquet")
    groups = [metadata.row_group(at).num_rows for at in range(metadata.num_row_groups)]
    assert groups == [64, 64, 64, 8]


def test_what_the_file_says_of_its_run(tmp_path):
    result = record(tmp_path / "r.parquet", strategy=["normal", "random"], seed=9)
    told = json.loads(pq.read_metadata(tmp_path / "r.parquet").metadata[b"simdom"])
    assert told == {
        "schema": "simdom.records/1",
        "simdom": __version__,
        "rules_version": RULES_VERSION,
        "variant": "pagat-draw",
        "title": result.title,
        "rules": rules_to_dict(result.rules),
        "strategies": ["normal", "random"],
        "strategy_details": result.strategy_details,
        "seed": 9,
        "first": 0,
        "rounds": 200,
        "command": result.command,
    }
    schema = pq.read_schema(tmp_path / "r.parquet")
    assert json.loads(schema.metadata[b"simdom"]) == told
    assert schema.remove_metadata() == schema_of(result.rules, matches=False)
    result = record_matches(tmp_path / "m.parquet")
    told = json.loads(pq.read_metadata(tmp_path / "m.parquet").metadata[b"simdom"])
    assert (told["matches"], told["target"], told["rounds"]) == (20, 50, result.rounds)


def test_pandas_polars_and_duckdb_read_it_as_it_is(tmp_path):
    path = tmp_path / "r.parquet"
    result = record(path, rounds(3000, 200), variant="pagat-block")
    blocked = result.metrics["blocked_rate"].count
    frame = pd.read_parquet(path)
    assert (frame["end"] == "blocked").sum() == blocked
    led = frame["opening_tile"].astype(str).value_counts().to_dict()
    assert led == {tile: n for tile, n in result.distribution("opening_tile").items() if n}
    lazy = pl.scan_parquet(path)
    assert lazy.filter(pl.col("end") == "blocked").select(pl.len()).collect().item() == blocked
    table = duckdb.read_parquet(str(path))
    assert table.filter("\"end\" = 'blocked'").aggregate("count(*)").fetchall() == [(blocked,)]
    points = table.aggregate("sum(points), sum(points_0 + points_1)").fetchall()
    assert points == [(frame["points"].sum(), frame["points"].sum())]
    assert lazy.select(pl.col("points").cast(int).sum()).collect().item() == points[0][0]
    assert pl.read_parquet(path)["lead_tile"].cast(str).to_list() == [*frame["lead_tile"]]
