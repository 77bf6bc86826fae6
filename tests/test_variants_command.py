"""What ``simdom variants`` prints."""

import json

import pytest

from commands import in_process
from preset_values import PRESETS
from simdom.cli.variants import variants
from simdom.errors import UsageError
from simdom.rules import TOGGLES
from simdom.variants import configs_dir, load_variant


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
        (line,) = [line for line in lines if line.split()[:1] == [name]]
        cells = line.split()
        assert cells[1] == "/".join(map(str, players))
        assert cells[2] == "/".join(map(str, deals))
        assert cells[-3:] == [opening, score, source]
    wide = run(columns=120)
    assert max(map(len, wide.splitlines())) <= 120
    assert "Simple Draw" in wide
    assert "  simple-draw: Simple Draw (S1)" in lines
    assert "simple-draw: " not in wide
    assert any("docs/own-rules.md" in line for line in lines)


def test_the_list_for_a_number_of_players(run):
    assert "draw-one" in run("--players", "2")
    assert "draw-one" not in run("--players", "4")
    with pytest.raises(UsageError, match="no preset is for 5 players: 2, 3, 4 are provided for"):
        run("--players", "5")
    with pytest.raises(UsageError, match="from 2 to 14, not 15"):
        run("--players", "15")


def test_a_number_of_players_that_a_variant_is_not_for(run):
    line = "draw-one is for 2 players, not 3: leave --players out"
    for names in (["draw-one"], ["pagat-draw", "draw-one"]):
        with pytest.raises(UsageError, match=line):
            run(*names, "--players", "3")


def test_one_is_explained_toggle_by_toggle(run):
    text = run("pagat-draw", columns=200)
    for toggle, declared in TOGGLES.items():
        line = next(line for line in text.splitlines() if line.startswith(f"{toggle} "))
        value = load_variant("pagat-draw").rules()._asdict()[toggle]
        meaning = declared.doc if declared.enum is None else declared.enum(value).doc
        assert meaning in line
    assert "4 players: 6" in text
    assert "4 players: 6" not in run("pagat-draw", "--players", "4")
    assert "contradicts itself" in text
    assert "simdom's default" in text
    assert max(map(len, run("pagat-draw").splitlines())) <= 80


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
    assert [variant["name"] for variant in document["variants"]] == sorted(PRESETS)
    compared = json.loads(run("pagat-draw", "pagat-block", "--players", "3", "--format", "json"))
    assert compared["compared_players"] == [3]
    assert compared["differences"][0] == {"toggle": "deal", "players": None, "values": [7, 5]}
    assert list(compared["variants"][0]["rules"]) == ["3"]


def test_markdown_for_pages(run):
    text = run("pagat-draw", "--format", "markdown")
    assert "| deal | 2 players: 7<br>3 players: 7<br>4 players: 6 | Tiles that" in text
    assert "| name | players |" in run("--format", "markdown")


def test_an_unknown_format(run):
    with pytest.raises(UsageError, match=r"unknown format 'jsn'.*mean 'json'"):
        run("--format", "jsn")
