"""Contenders: how they are written, and what counts for more."""

import pytest

from simdom.errors import RulesError, UsageError
from simdom.pairing.contenders import parse_contender
from simdom.rules import BlockScore
from simdom.variants import configs_dir, load_variant


def test_a_word_says_variant_toggles_players_and_strategy():
    contender = parse_contender("pagat-draw : reserve=0: players = 3:strategy=normal", seed=5)
    assert contender.name == "pagat-draw:reserve=0:players=3:strategy=normal"
    assert contender.rules == load_variant("pagat-draw").rules(3, {"reserve": 0})
    assert contender.strategies == ("normal",) * 3
    assert contender.play == "normal"
    assert contender.study.seed == 5


def test_nothing_said_is_the_variant():
    contender = parse_contender("pagat-block")
    assert (contender.name, contender.text) == ("pagat-block", "pagat-block")
    assert contender.rules == load_variant("pagat-block").rules()
    assert contender.play == "random"


def test_its_own_word_counts_for_more_than_what_all_share():
    shared = {
        "players": 2,
        "overrides": {"reserve": 1, "block_score": "others"},
        "strategy": "heaviest",
    }
    alone = parse_contender("pagat-draw", **shared)
    assert (alone.rules.reserve, alone.rules.players, alone.play) == (1, 2, "heaviest")
    own = parse_contender("pagat-draw:reserve=3:players=4:strategy=normal", **shared)
    assert (own.rules.reserve, own.rules.players, own.play) == (3, 4, "normal")
    assert own.rules.block_score == BlockScore.OTHERS
    assert shared["overrides"] == {"reserve": 1, "block_score": "others"}


def test_strategies_seat_by_seat():
    contender = parse_contender("pagat-draw:strategy=normal,random")
    assert contender.strategies == ("normal", "random")
    assert contender.play == "normal, random"


def test_files_and_variants_made_in_python():
    path = str(configs_dir() / "variants" / "pagat-draw.toml")
    contender = parse_contender(f"{path}:reserve=0")
    assert contender.name == "pagat-draw.toml:reserve=0"
    assert contender.text == f"{path}:reserve=0"
    rules = load_variant("pagat-draw").rules(3)
    assert parse_contender(rules).rules == rules
    assert parse_contender(load_variant("pagat-block")).name == "pagat-block"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "'' names no variant"),
        (":reserve=0", "':reserve=0' names no variant"),
        ("pagat-drow:reserve=0", "unknown variant 'pagat-drow'.*mean 'pagat-draw'"),
        ("pagat-draw:", "^pagat-draw:: '' sets nothing"),
        ("pagat-draw:reserve", "^pagat-draw:reserve: 'reserve' sets nothing: write TOGGLE=VALUE"),
        ("pagat-draw:reserve=x", "^pagat-draw:reserve=x: reserve must be a whole number"),
        ("pagat-draw:reserve=1:reserve=2", "reserve is set twice, to '1' and to '2'"),
        ("pagat-draw:resreve=1", "^pagat-draw:resreve=1: unknown toggle.*mean 'reserve'"),
        ("pagat-draw:strategy=nromal", "unknown strategy 'nromal'.*mean 'normal'"),
        ("pagat-draw:strategy=normal,random,random", "3 strategies for 2 players"),
        ("pagat-draw:players=7", "^pagat-draw:players=7: pagat-draw is for 2, 3 or 4 players"),
    ],
)
def test_what_cannot_be_read_is_one_line_that_begins_with_it(text, complaint):
    with pytest.raises(UsageError, match=complaint) as error:
        parse_contender(text)
    assert "\n" not in str(error.value)


def test_rules_that_cannot_be_played():
    with pytest.raises(RulesError, match=r"^pagat-draw:reserve=20: reserve 20 is more than"):
        parse_contender("pagat-draw:reserve=20")


def test_a_path_with_a_colon_is_told_why_it_is_not_read():
    with pytest.raises(UsageError, match=r"'x:y/v\.toml': a path must not contain ':'"):
        parse_contender("x:y/v.toml")
