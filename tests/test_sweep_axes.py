"""The axes of a grid, and what a study and the options beside it come to."""

import itertools
from pathlib import Path

import pytest

from simdom.errors import UsageError
from simdom.grids.axes import MOST_CELLS, check_size, parse_axis, parse_grid
from simdom.grids.picture import check_drawable
from simdom.grids.plan import load_study
from simdom.grids.sweep import plan_sweep
from simdom.presets import preset_names
from simdom.rules import Rules
from simdom.strategies import load_strategy


@pytest.mark.parametrize(
    ("name", "values", "labels"),
    [
        ("deal", "5,6,7", (5, 6, 7)),
        ("deal", " 5 , 7 ", (5, 7)),
        ("deal", [5, "6"], (5, 6)),
        ("deal", 5, (5,)),
        ("deal", range(5, 8), (5, 6, 7)),
        ("reserve", "0..3", (0, 1, 2, 3)),
        ("reserve", "0..12:3", (0, 3, 6, 9, 12)),
        ("reserve", "0..7:3,20", (0, 3, 6, 20)),
        ("reserve", ["4..5", 9], (4, 5, 9)),
        ("reserve", "3..3", (3,)),
        ("opening", "lot,first-seat", ("lot", "first_seat")),
        ("strategy", "random,normal+random", ("random", "normal+random")),
        ("strategy", ["random", ["normal", "random"]], ("random", "normal+random")),
        ("strategy", load_strategy("heaviest"), ("heaviest",)),
        ("variant", "pagat-draw,pagat-block", ("pagat-draw", "pagat-block")),
        ("variant", ["pagat-draw", Rules()], ("pagat-draw", "rules")),
        ("variant", Rules(), ("rules",)),
    ],
)
def test_values_of_an_axis(name, values, labels):
    assert parse_axis(name, values).labels == labels


@pytest.mark.parametrize(
    ("name", "values", "text"),
    [
        ("deal", "5,6,7", "deal=5,6,7"),
        ("reserve", "0,1,2,3", "reserve=0..3"),
        ("reserve", "0,2,4,6", "reserve=0..6:2"),
        ("reserve", "6,4,2,0", "reserve=6,4,2,0"),
        ("reserve", "0,1,2,4", "reserve=0,1,2,4"),
        ("strategy", "random, normal + random", "strategy=random,normal+random"),
        ("opening", "LOT", "opening=lot"),
    ],
)
def test_an_axis_in_one_word_is_read_back(name, values, text):
    axis = parse_axis(name, values)
    assert axis.text == text
    ((again, word),) = parse_grid([text]).items()
    assert parse_axis(again, word).labels == axis.labels


def test_seats_by_strategy_are_what_a_run_takes():
    (choice,) = parse_axis("strategy", "normal+random").choices
    assert choice.given == "normal,random"
    assert [seat.name for seat in choice.loaded] == ["normal", "random"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["deal"], "'deal' is no axis: write NAME=VALUES"),
        (["=5"], "is no axis"),
        (["deal="], "axis deal has no values"),
        (["dael=5"], "unknown axis 'dael'.*did you mean 'deal'"),
        (["deal=5", "deal=6"], "axis deal is given twice, as '5' and as '6'"),
    ],
)
def test_words_that_are_no_axis(words, complaint):
    with pytest.raises(UsageError, match=complaint):
        parse_grid(words)


@pytest.mark.parametrize(
    ("name", "values", "complaint"),
    [
        ("deal", "five", "deal must be a whole number from 1 to 95, not 'five'"),
        ("deal", "5.0", "deal must be a whole number"),
        ("deal", [5.0], "deal must be a whole number"),
        ("deal", [True], "deal must be a whole number"),
        ("deal", "0", "deal must be a whole number from 1 to 95"),
        ("deal", "5,,6", "axis deal has an empty value in '5,,6'"),
        ("deal", "5,5", "axis deal has 5 twice"),
        ("deal", "5..7,6", "axis deal has 6 twice"),
        ("deal", "", "axis deal has no values"),
        ("deal", [], "axis deal has no values"),
        ("deal", {"2": 5}, "axis deal must be a list of values, not a table"),
        ("deal", "9..5", "runs backwards: write 5..9"),
        ("deal", "5..9:0", "step of 0"),
        ("deal", "5..", "'5..' is no range of deal"),
        ("deal", "1..1000000000:1", "deal must be a whole number from 1 to 95, not '1000000000'"),
        ("deal", "1..999999999", "deal must be a whole number from 1 to 95"),
        ("opening", "lot,LOT", "axis opening has lot twice"),
        ("opening", "0..2", "unknown value of opening '0..2'"),
        ("strategy", "nromal", "unknown strategy 'nromal'.*mean 'normal'"),
        ("strategy", "normal+", "unknown strategy ''"),
        ("strategy", [7], "a strategy is a name, a path or a Strategy, not 7"),
        ("variant", "pagat-drw", "unknown variant 'pagat-drw'.*mean 'pagat-draw'"),
        ("variant", [7], "a variant is a name"),
        ("colour", "red", "unknown axis 'colour'"),
    ],
)
def test_values_that_cannot_be_used(name, values, complaint):
    with pytest.raises(UsageError, match=complaint) as raised:
        parse_axis(name, values)
    assert "\n" not in str(raised.value)


def test_values_without_end_are_refused_at_once():
    for endless in (itertools.count(1), itertools.repeat(5), range(1, 10**12)):
        with pytest.raises(UsageError):
            parse_axis("deal", endless)


def test_a_grid_of_a_million_cells_is_refused_with_its_size():
    axes = [parse_axis("deal", "1..50"), parse_axis("reserve", "0..99")]
    assert check_size(axes) == 5000
    assert check_size([*axes, parse_axis("players", "2,3")]) == MOST_CELLS
    with pytest.raises(UsageError, match=r"a grid of 1,000,000 cells \(100 reserve × 50 deal × "):
        plan_sweep(
            grid={
                "reserve": "0..99",
                "deal": "1..50",
                "players": "2..11",
                "misdeal": "0..9",
                "blank_pips": "0..1",
            }
        )
    with pytest.raises(UsageError, match="the grid is empty"):
        check_size([])


# --- what a study says, and what is said beside it --------------------------------------------


@pytest.fixture
def study(tmp_path):
    """Write a study; its path as text."""

    def write(text):
        path = tmp_path / "my.toml"
        path.write_text(f'title = "Mine"\n{text}', encoding="utf-8")
        return str(path)

    return write


FULL = """
variant = "pagat-block"
rounds = "2k"
seed = 3
strategy = "normal"
metrics = ["points"]
[set]
block_score = "others"
[grid]
deal = "5..7"
players = [2, 3]
"""


def fixed(plan):
    return {name: choice.label for name, choice in plan.fixed.items()}


def test_a_study_says_it_all(study):
    plan = plan_sweep(study(FULL))
    assert [axis.text for axis in plan.axes] == ["deal=5,6,7", "players=2,3"]
    assert fixed(plan) == {"variant": "pagat-block", "strategy": "normal", "block_score": "others"}
    assert (plan.title, plan.rounds, plan.seed, plan.metrics) == ("Mine", 2000, 3, ("points",))


def test_a_study_may_say_for_how_many_players(study):
    plan = plan_sweep(study("players = 4\n[grid]\nreserve = [0, 2]\n"))
    assert fixed(plan)["players"] == 4
    assert [cell.study.rules.deal for cell in plan.cells()] == [6, 6]
    assert "players" not in fixed(plan_sweep(study(FULL)))


def test_what_is_said_beside_a_study_overrides_it(study):
    plan = plan_sweep(
        study(FULL),
        grid={"deal": "4,5", "strategy": "random,normal"},
        variant="pagat-draw",
        rounds=100,
        players=3,
        overrides={"block_score": "all_hands", "reserve": 0},
        seed=9,
        metrics=["plays"],
    )
    assert [axis.text for axis in plan.axes] == ["deal=4,5", "strategy=random,normal"]
    assert fixed(plan) == {
        "variant": "pagat-draw",
        "block_score": "all_hands",
        "reserve": 0,
        "players": 3,
    }
    assert (plan.rounds, plan.seed, plan.metrics) == (100, 9, ("plays",))


def test_defaults_where_nothing_is_said():
    plan = plan_sweep(grid={"reserve": "0,1"})
    assert fixed(plan) == {"variant": "pagat-draw", "strategy": "random"}
    assert (plan.title, plan.rounds, plan.seed, plan.metrics) == ("", 100_000, 1, None)


def test_the_last_axis_varies_first_and_illegal_cells_have_reasons():
    plan = plan_sweep(variant="pagat-block", grid={"deal": "5,14", "players": "2,3,5"})
    cells = [*plan.cells()]
    assert [tuple(cell.labels.values()) for cell in cells] == [
        (5, 2), (5, 3), (5, 5), (14, 2), (14, 3), (14, 5)
    ]  # fmt: skip
    assert [bool(cell.reason) for cell in cells] == [False, False, False, False, True, True]
    assert cells[4].reason == "3 players × 14 tiles = 42, but double-6 has 28"
    assert cells[0].study.rules.deal == 5
    assert [cell.study is None for cell in cells] == [bool(cell.reason) for cell in cells]


def test_players_bring_the_deal_of_the_variant_or_none():
    cells = [*plan_sweep(grid={"players": "2,4,5"}).cells()]
    assert [cell.study.rules.deal for cell in cells[:2]] == [7, 6]
    assert cells[2].reason.startswith("pagat-draw is for 2, 3 or 4 players, not 5")


def test_strategies_for_another_number_of_seats_are_a_reason():
    cells = [*plan_sweep(grid={"strategy": "normal+random", "players": "2,3"}).cells()]
    assert not cells[0].reason
    assert cells[1].reason.startswith("2 strategies for 3 players")


def test_two_strategies_of_one_name_cannot_share_a_table(tmp_path):
    files = []
    for number, folder in enumerate(("a", "b")):
        file = tmp_path / folder / "my.toml"
        file.parent.mkdir()
        file.write_text(f'title = "x"\n[weights]\npips = {number + 1}\n', encoding="utf-8")
        files.append(str(file))
    plan = plan_sweep(grid={"strategy": [files[0], files[1], "+".join(files)]})
    cells = [*plan.cells()]
    assert [bool(cell.reason) for cell in cells] == [False, False, True]
    assert cells[2].reason == "two different strategies are called my.toml: rename one"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "the grid is empty"),
        ({"overrides": {"deal": 7}, "grid": {"deal": "5,6"}}, "deal is both an axis"),
        ({"players": 3, "grid": {"players": "2,3"}}, "players is both an axis"),
        ({"variant": "pagat-draw", "grid": {"variant": "app-draw"}}, "variant is both an axis"),
        ({"strategy": "normal", "grid": {"strategy": "random"}}, "strategy is both an axis"),
        ({"players": 3, "overrides": {"players": 2}, "grid": {"deal": "5"}}, "set twice"),
        ({"overrides": {"strategy": "normal"}, "grid": {"deal": "5"}}, "unknown toggle 'strategy'"),
        ({"overrides": {"deal": "5..7"}, "grid": {"reserve": "0"}}, "deal must be a whole number"),
        ({"rounds": 0, "grid": {"deal": "5"}}, "rounds must be a whole number from 1"),
        ({"seed": -1, "grid": {"deal": "5"}}, "seed must be a whole number from 0"),
        ({"metrics": ["pionts"], "grid": {"deal": "5"}}, "unknown metric 'pionts'"),
        ({"variant": "pagat-drw", "grid": {"deal": "5"}}, "unknown variant"),
        ({"study": "pagat-block"}, "pagat-block is a variant, not a study: write --variant"),
        ({"study": "deal=5,6"}, "deal=5,6 is an axis, not a study: write --grid deal=5,6"),
        ({"study": "blok-hands"}, "unknown study 'blok-hands'.*mean 'block-hands'"),
        ({"study": "no/such.toml"}, "no/such.toml: no such file"),
    ],
)
def test_what_was_asked_wrongly(arguments, complaint):
    with pytest.raises(UsageError, match=complaint) as raised:
        plan_sweep(**arguments)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[grid]\n", "^the grid is empty"),
        ("gird = 1\n", "my.toml: unknown key 'gird'.*did you mean 'grid'"),
        ("[grid]\ndeal = ['five']\n", "my.toml: deal must be a whole number"),
        ("[grid]\ndeal = []\n", "my.toml: axis deal has no values"),
        ("[grid]\ndael = [5]\n", "my.toml: unknown axis 'dael'"),
        ("[grid]\ndeal = { 2 = 5 }\n", "my.toml: axis deal must be a list of values"),
        ("[set]\ndeal = 7\n[grid]\ndeal = [5]\n", "my.toml: deal is both an axis"),
        ("[set]\nvariant = 'x'\n[grid]\ndeal = [5]\n", r"unknown toggle in \[set\] 'variant'"),
        ("[set]\nreserve = 999\n[grid]\ndeal = [5]\n", "my.toml: reserve must be"),
        ("players = '3'\n[grid]\ndeal = [5]\n", "my.toml: players must be a whole number"),
        ("players = 2\n[set]\nplayers = 3\n[grid]\ndeal = [5]\n", "players is set twice"),
        ("players = 2\n[grid]\nplayers = [3]\n", "my.toml: players is both an axis"),
        ("rounds = 'many'\n[grid]\ndeal = [5]\n", "my.toml: 'many' is not a number of rounds"),
        ("rounds = 0.5\n[grid]\ndeal = [5]\n", "my.toml: rounds must be a whole number"),
        ("rounds = true\n[grid]\ndeal = [5]\n", "my.toml: rounds must be a number of rounds"),
        ("seed = -1\n[grid]\ndeal = [5]\n", "my.toml: seed must be"),
        ("seed = '1'\n[grid]\ndeal = [5]\n", "my.toml: seed must be a whole number, not '1'"),
        ("metrics = []\n[grid]\ndeal = [5]\n", "my.toml: metrics must be a list"),
        ("metrics = ['pionts']\n[grid]\ndeal = [5]\n", "my.toml: unknown metric 'pionts'"),
        ("variant = 'pagat-drw'\n[grid]\ndeal = [5]\n", "my.toml: unknown variant"),
        ("strategy = 'nromal'\n[grid]\ndeal = [5]\n", "my.toml: unknown strategy"),
        ("[grid\n", "my.toml: is not TOML"),
    ],
)
def test_what_a_study_says_wrongly(study, text, complaint):
    with pytest.raises(UsageError, match=complaint) as raised:
        plan_sweep(study(text))
    assert "\n" not in str(raised.value)
    assert raised.value.exit_code == 2


@pytest.mark.parametrize("name", preset_names("studies"))
def test_every_study_that_comes_with_simdom_can_be_played_and_drawn(name):
    content = load_study(name)
    plan = plan_sweep(name)
    assert plan.title == content.title
    assert content.description.endswith(".")
    assert any(cell.study is not None for cell in plan.cells())
    assert check_drawable(plan.axes, plan.metrics)


def test_a_study_is_found_by_its_path_too(tmp_path, study):
    path = Path(study(FULL))
    assert plan_sweep(str(path)).title == "Mine"
    assert path.parent == tmp_path


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("rounds = {}", "rounds"),
        ("seed = {}", "seed"),
        ("[grid]\nreserve = [1, {}]", "grid.reserve"),
        ("[set]\ndeal = {}", "set.deal"),
    ],
)
def test_a_number_of_thousands_of_digits_is_refused_by_its_key(tmp_path, line, key):
    file = tmp_path / "study.toml"
    file.write_text('title = "Mine"\n' + line.format(f"0x{'f' * 5000}"), encoding="utf-8")
    with pytest.raises(UsageError) as error:
        load_study(str(file))
    assert str(error.value) == (
        f"{file}: {key} must be a whole number of at most 64 bits, "
        "not a number that is far too large"
    )
