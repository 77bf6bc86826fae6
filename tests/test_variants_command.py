"""What ``simdom variants`` prints."""

import json
import re

import pytest

from commands import in_process
from preset_values import PRESETS, WORLD
from simdom.cli.variants import variants
from simdom.errors import UsageError
from simdom.rules import TOGGLES
from simdom.variants import FAMILIES, configs_dir, load_variant


@pytest.fixture
def write(tmp_path):
    def write_file(text, name="mine.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write_file


@pytest.fixture
def run():
    """Run ``simdom variants`` with these arguments; its standard output."""
    return in_process(variants)


def test_the_list_fits_a_terminal(run):
    lines = run().splitlines()
    assert max(map(len, lines)) <= 80
    for name, (players, deals, _, _, opening, score, _, source) in PRESETS.items():
        cells = row_of(name, lines)
        assert cells[1] == ("2 to 4" if players == [2, 3, 4] else str(*players))
        assert "/".join(map(str, deals)) in cells
        assert cells[-3:] == [opening, score, source]
    for name, (_, _, _, source, toggles) in WORLD.items():
        cells = row_of(name, lines)
        assert cells[-3:] == [*cells[-3:-2], toggles.get("block_score", "minus_own"), source]
    wide = run(columns=120)
    assert max(map(len, wide.splitlines())) <= 120
    assert "Simple Draw" in wide
    assert "  simple-draw: Simple Draw (S1)" in lines
    assert "  cuban-nine: Cuban dominoes, with double-nine" in lines
    assert "simple-draw: " not in wide
    assert any("docs/own-rules.md" in line for line in lines)


def row_of(name, lines):
    """The cells of its row: columns are two spaces apart, or more."""
    (line,) = [line for line in lines if line.split()[:1] == [name]]
    return re.split(r"  +", line.strip())


def test_the_list_goes_by_family_and_country(run):
    lines = run().splitlines()
    families = [line for line in lines if re.match(r"\w+: \d+ rule sets$", line)]
    assert families == ["Block: 7 rule sets", "Draw: 8 rule sets", "Partnership: 12 rule sets"]
    for name, (country, *_, toggles) in WORLD.items():
        before = lines[: [line.split()[:1] for line in lines].index([name])]
        heading = next(line for line in reversed(before) if line in families)
        assert heading.startswith("Partnership" if "teams" in toggles else "Block")
        if country:
            within = [line.strip() for line in before[before.index(heading) :]]
            assert country in within
            assert not {"Brazil", "Jamaica", "Spain"} & set(within[within.index(country) + 1 :])
    assert [line.strip() for line in lines].count("Jamaica") == 2  # in two families
    text = run("--format", "markdown")
    assert "| *Jamaica* |  |  |" in text


def test_many_players_are_a_range(run):
    assert row_of("block-multi", run().splitlines())[1:4] == ["2 to 10", "6/9/12", "7"]
    assert "Block: 1 rule set\n" in run("--players", "9")


def test_the_list_for_a_number_of_players(run):
    assert "draw-one" in run("--players", "2")
    assert "draw-one" not in run("--players", "4")
    provided = "no preset is for 11 players: 2, 3, 4, 5, 6, 7, 8, 9, 10 are provided for"
    with pytest.raises(UsageError, match=provided):
        run("--players", "11")
    with pytest.raises(UsageError, match="from 2 to 14, not 15"):
        run("--players", "15")


def test_a_number_of_players_that_a_variant_is_not_for(run):
    line = "draw-one is for 2 players, not 3: leave --players out"
    for names in (["draw-one"], ["pagat-draw", "draw-one"]):
        with pytest.raises(UsageError, match=line):
            run(*names, "--players", "3")


def test_one_is_explained_toggle_by_toggle(run):
    text = run("pagat-draw", columns=200)
    told = load_variant("pagat-draw")
    for toggle in [*told.settings, "players"]:
        line = next(line for line in text.splitlines() if line.startswith(f"{toggle} "))
        declared, value = TOGGLES[toggle], getattr(told.rules(), toggle)
        meaning = declared.doc if declared.enum is None else declared.enum(value).doc
        assert meaning in line
    assert "4 players: 6" in text
    assert "4 players: 6" not in run("pagat-draw", "--players", "4")
    assert "contradicts itself" in text
    assert max(map(len, run("pagat-draw").splitlines())) <= 80


def test_what_a_file_does_not_say_is_told_in_short(run):
    text = run("pagat-draw", columns=400)
    (defaults,) = re.findall(r"All else, by default\n  (.*)\n", text)
    assert defaults.startswith("teams=none, misdeal=0, domino_score=opponents, ")
    assert "later_lead=afresh" in defaults
    assert "named_double" not in text  # which has no effect
    assert "pass_round_points " not in text


def test_who_plays_it_where_is_told(run):
    assert "Partnership, Cuba. Two against two" in run("cuban-nine", columns=200)
    assert "Draw. Who cannot play" in run("pagat-draw", columns=200)


def test_a_value_that_matters_with_some_numbers_of_players_only(run):
    text = run("jamaican-cutthroat", columns=200)
    (line,) = [line for line in text.splitlines() if line.startswith("named_missing")]
    assert line.split()[1] == "next_double"
    assert "All tiles are dealt" not in line
    with_two = run("jamaican-cutthroat", "--players", "2", columns=200)
    (line,) = [line for line in with_two.splitlines() if line.startswith("named_missing")]
    assert line.split()[1] == "-"
    assert "All tiles are dealt" in line


@pytest.mark.parametrize("name", WORLD)
@pytest.mark.parametrize("columns", [80, 120])
def test_rule_sets_of_the_world_fit_a_terminal(run, name, columns):
    lines = run(name, columns=columns).splitlines()
    assert max(map(len, lines)) <= columns
    assert "What the sources leave open" in lines
    assert "All else, by default" in lines


def test_a_file_of_ones_own_is_explained(run, write):
    path = write('title = "[red]T"\nplayers = [2]\n[rules]\nboneyard = "draw"\n')
    text = run(path, columns=200)
    assert text.startswith("mine.toml: [red]T\n")  # never taken for markup
    assert "What the sources leave open" not in text
    (boneyard,) = [line for line in text.splitlines() if line.startswith("boneyard")]
    assert boneyard.split()[-1] == "-"  # set, and nobody is said to say so


def test_two_are_compared(run):
    lines = [line.split() for line in run("pagat-draw", "pagat-block").splitlines()]
    assert ["deal,", "3", "players", "7", "5"] in lines
    assert ["boneyard", "draw", "block"] in lines
    assert ["reserve", "2", "-"] in lines
    assert not any(line[:1] == ["opening"] for line in lines)
    only = run("pagat-draw", "pagat-block", "--players", "3")
    assert "deal, " not in only
    assert "Compared for 3 players" in only


def test_equal_rules_are_said_to_be_equal(run):
    assert "the same rules" in run("pagat-draw", str(configs_dir() / "variants/pagat-draw.toml"))


def test_variants_without_a_common_number_of_players(run, write):
    path = write('title = "T"\nplayers = [5]\n[rules]\ndeal = 5\n')
    with pytest.raises(UsageError, match=r"common to all \(mine\.toml: 5; draw-one: 2\)"):
        run(path, "draw-one")


def test_json_for_programs(run):
    document = json.loads(run("--format", "json"))
    assert document["schema"] == "simdom.variants/1"
    assert [variant["name"] for variant in document["variants"]] == sorted([*PRESETS, *WORLD])
    countries = {variant["name"]: variant["country"] for variant in document["variants"]}
    assert countries["puerto-rico-500"] == "Puerto Rico"
    assert countries["pagat-draw"] is None
    assert {variant["family"] for variant in document["variants"]} == set(FAMILIES)
    compared = json.loads(run("pagat-draw", "pagat-block", "--players", "3", "--format", "json"))
    assert compared["compared_players"] == [3]
    assert compared["differences"][0] == {"toggle": "deal", "players": None, "values": [7, 5]}
    assert list(compared["variants"][0]["rules"]) == ["3"]


def test_markdown_for_pages(run):
    text = run("pagat-draw", "--format", "markdown")
    assert "| deal | 2/3 players: 7<br>4 players: 6 | Tiles that" in text
    assert "| name | players |" in run("--format", "markdown")


def test_an_unknown_format(run):
    with pytest.raises(UsageError, match=r"unknown format 'jsn'.*mean 'json'"):
        run("--format", "jsn")
