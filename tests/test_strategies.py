"""Strategies as data, and what ``simdom strategies`` prints of them."""

import json
import re

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from simdom.cli.variants import strategies
from simdom.errors import UsageError
from simdom.strategies import (
    FEATURE_DOCS,
    FEATURES,
    Strategy,
    load_strategy,
    parse_strategies,
    strategy_names,
)
from simdom.tiles import tiles_of_set

WEIGHTS = {
    "random": {},
    "random-tile": {},
    "heaviest": {"pips": 1, "high_end": 1 / 32},
    "lightest": {"pips": -1, "high_end": -1 / 32},
    "doubles-first": {"pips": 1, "double": 256, "high_end": 1 / 32},
    "accompanied": {"share": 1},
    "blocker": {"unseen_fit": -1},
    "easy": {"pips": 1},
    "normal": {"pips": 1, "double": 2, "own_fit": 2, "unseen_fit": -3, "next_void": 9},
    "sharp": {"pips": 1, "double": 2, "own_fit": 2, "unseen_fit": -3, "next_void": 9},
    "published": {"pips": 2, "own_fit": 15, "unseen_fit": -2},
}


@pytest.fixture
def write(tmp_path):
    def write_file(text):
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write_file


def score(strategy, tile, blank_pips=0, double_blank_pips=0):
    """What a strategy makes of a tile alone, without its surroundings."""
    blank = double_blank_pips if tile.high == 0 else blank_pips if tile.low == 0 else 0
    features = {
        "pips": tile.pips + blank,
        "double": tile.is_double,
        "high_end": tile.high,
    }
    return sum(strategy.weighted.get(name, 0) * value for name, value in features.items())


def test_features_are_in_the_order_of_the_engine():
    assert FEATURES == (
        "pips", "double", "high_end", "own_fit", "share", "unseen_fit", "equal_ends",
        "own_number", "next_void", "partner_void", "short_hand", "random",
    )  # fmt: skip
    assert all(doc.endswith(".") for doc in FEATURE_DOCS.values())


def test_there_are_the_eleven_strategies():
    assert strategy_names() == sorted(WEIGHTS)


@pytest.mark.parametrize("name", WEIGHTS)
def test_strategies_have_their_weights(name):
    strategy = load_strategy(name)
    assert strategy.name == name
    assert strategy.weighted == WEIGHTS[name]
    assert len(strategy.weights) == len(FEATURES)
    assert strategy.temperature == (12 if name == "easy" else 0)
    assert strategy.samples == (64 if name == "sharp" else 0)
    assert strategy.ties == ("tiles" if name == "random-tile" else "placements")
    assert strategy.is_random == (name == "random")
    assert strategy.title
    assert re.fullmatch(r"[^.]+\.", strategy.description)


def test_heaviest_takes_equal_totals_by_the_higher_end_on_every_set():
    tiles = tiles_of_set(18)
    heaviest = sorted(tiles, key=lambda tile: score(load_strategy("heaviest"), tile))
    assert heaviest == sorted(tiles, key=lambda tile: (tile.pips, tile.high))
    lightest = sorted(tiles, key=lambda tile: score(load_strategy("lightest"), tile))
    assert lightest == heaviest[::-1]


@pytest.mark.parametrize("blank_pips", [0, 100])
def test_doubles_first_plays_every_double_before_any_other_tile(blank_pips):
    strategy = load_strategy("doubles-first")
    tiles = tiles_of_set(18)
    doubles = [score(strategy, tile, blank_pips) for tile in tiles if tile.is_double]
    others = [score(strategy, tile, blank_pips) for tile in tiles if not tile.is_double]
    assert min(doubles) > max(others)


def test_random_is_only_the_plain_uniform_choice():
    none = (0.0,) * len(FEATURES)
    assert Strategy("a", "A", "", none).is_random
    assert not Strategy("a", "A", "", none, temperature=1.0).is_random
    assert not Strategy("a", "A", "", none, ties="tiles").is_random
    assert not Strategy("a", "A", "", (1.0, *none[1:])).is_random


# TOML files


def test_a_file_of_ones_own(write):
    path = write(
        'title = "T"\ndescription = "D."\nsource = "S"\nties = "tiles"\ntemperature = 2\n'
        "[weights]\nshare = -1000\nrandom = 1000.0\n"
    )
    assert load_strategy(path) == Strategy(
        name="mine.toml",
        title="T",
        description="D.",
        weights=(*(0.0,) * 4, -1000.0, *(0.0,) * 6, 1000.0),
        temperature=2.0,
        ties="tiles",
        source="S",
    )


WEIGHT = st.one_of(st.integers(-1000, 1000), st.floats(-1000, 1000))


@given(weights=st.dictionaries(st.sampled_from(FEATURES), WEIGHT))
def test_any_weights_survive_toml(tmp_path_factory, weights):
    weights = {name: w for name, w in weights.items() if abs(w) > 1 / 65536}
    lines = [f"{name} = {weight!r}" for name, weight in weights.items()]
    path = tmp_path_factory.getbasetemp() / "any-strategy.toml"
    path.write_text('title = "T"\n[weights]\n' + "\n".join(lines), encoding="utf-8")
    assert load_strategy(str(path)).weighted == weights


NOT_A_WEIGHT = "weights.pips must be a number from -1000 to 1000"

BAD_FILES = {
    "": "key title is missing: it must be some text",
    "title = 1": "title must be some text, not 1",
    "titel = 'T'": "unknown key 'titel': choose from title",
    "title = 'T'\nweights = 3": "weights must be a table, not 3",
    "title = 'T'\n[weights]\npip = 1": "unknown feature 'pip': choose from pips",
    "title = 'T'\n[weights]\nown-fit = 1": "did you mean 'own_fit'?",
    "title = 'T'\n[weights]\npips = 'x'": f"{NOT_A_WEIGHT}, not 'x'",
    "title = 'T'\n[weights]\npips = true": f"{NOT_A_WEIGHT}, not true",
    "title = 'T'\n[weights]\npips = nan": f"{NOT_A_WEIGHT}, not nan",
    "title = 'T'\n[weights]\npips = -inf": f"{NOT_A_WEIGHT}, not -inf",
    "title = 'T'\n[weights]\npips = 1000.1": NOT_A_WEIGHT,
    "title = 'T'\n[weights]\npips = -1001": NOT_A_WEIGHT,
    "title = 'T'\n[weights]\npips = 1e-9": "weights.pips must be 0 or at least 1/65536, not 1e-09",
    "title = 'T'\n[weights]\npips = {a = 1}": "weights.pips must be a number",
    "title = 'T'\ntemperature = -1": "temperature must be a number from 0 to 1000, not -1",
    "title = 'T'\ntemperature = inf": "temperature must be a number from 0 to 1000, not inf",
    "title = 'T'\ntemperature = nan": "temperature must be a number from 0 to 1000, not nan",
    "title = 'T'\ntemperature = 1001": "temperature must be a number from 0 to 1000, not 1001",
    "title = 'T'\ntemperature = '1'": "temperature must be a number from 0 to 1000, not '1'",
    "title = 'T'\nties = 'tile'": "ties must be 'placements' or 'tiles', not 'tile'",
    "title = 'T'\nties = ['tiles']": "ties must be 'placements' or 'tiles', not ['tiles']",
    "title = 'T": "is not TOML: ",
}


@pytest.mark.parametrize("text", BAD_FILES, ids=[str(n) for n in range(len(BAD_FILES))])
def test_bad_files_get_one_line(write, text):
    path = write(text)
    with pytest.raises(UsageError) as caught:
        load_strategy(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert BAD_FILES[text] in message
    assert "\n" not in message


def test_unknown_names_are_answered_with_the_nearest():
    with pytest.raises(UsageError, match=r"unknown strategy 'Heavyest'.*mean 'heaviest'"):
        load_strategy("Heavyest")


# Seat by seat


def test_one_strategy_for_all_seats():
    heaviest = load_strategy("heaviest")
    assert parse_strategies("heaviest", 3) == (heaviest,) * 3
    assert parse_strategies(heaviest, 3) == (heaviest,) * 3
    assert parse_strategies([heaviest], 3) == (heaviest,) * 3


def test_a_strategy_for_each_seat(write):
    heaviest, normal = load_strategy("heaviest"), load_strategy("normal")
    assert parse_strategies("heaviest, normal", 2) == (heaviest, normal)
    assert parse_strategies(["heaviest", normal], 2) == (heaviest, normal)
    path = write("title = 'T'")
    assert parse_strategies(f"{path},normal", 2) == (load_strategy(path), normal)


@pytest.mark.parametrize(
    ("text", "players", "message"),
    [
        ("random,random", 3, "2 strategies for 3 players: give one for all seats, or one for each"),
        ([], 2, "0 strategies for 2 players"),
        ("random,", 2, "unknown strategy ''"),
        ("", 2, "unknown strategy ''"),
        ("random,normla", 2, "did you mean 'normal'?"),
    ],
)
def test_wrong_lists_of_strategies(text, players, message):
    with pytest.raises(UsageError) as caught:
        parse_strategies(text, players)
    assert message in str(caught.value)


# simdom strategies


@pytest.fixture
def run():
    """Run ``simdom strategies`` with these arguments; its standard output."""
    app = typer.Typer(rich_markup_mode=None)
    app.command()(strategies)

    def call(*arguments):
        result = CliRunner(env={"COLUMNS": "80"}).invoke(app, arguments)
        if result.exception:
            raise result.exception
        return result.output

    return call


def test_the_list(run):
    lines = run().splitlines()
    assert max(map(len, lines)) <= 80
    names = {line.split()[0] for line in lines if line.strip()}
    assert set(WEIGHTS) <= names


def test_one_is_explained_feature_by_feature(run):
    lines = [line.split() for line in run("normal").splitlines()]
    for feature in FEATURES:
        weight = WEIGHTS["normal"].get(feature, 0)
        assert any(line[:2] == [feature, str(weight)] for line in lines)
    assert "S4" in run("normal")
    assert "## heaviest: " in run("normal", "heaviest", "--format", "markdown")


def test_a_temperature_is_explained(run, write):
    assert "exp(-d/2)" in run(write("title = 'T'\ntemperature = 2"))


def test_json_for_programs(run):
    document = json.loads(run("--format", "json"))
    assert document["schema"] == "simdom.strategies/1"
    weights = {strategy["name"]: strategy["weights"] for strategy in document["strategies"]}
    assert weights == WEIGHTS


def test_an_unknown_format(run):
    with pytest.raises(UsageError, match="unknown format 'csv'"):
        run("--format", "csv")
