"""Which single changes of a game there are, and what is left out and why."""

import pytest

from simdom import Rules, load_variant
from simdom.errors import UsageError
from simdom.pairing.changes import CHANGEABLE, find_changes
from simdom.pairing.contenders import parse_contender
from simdom.rules import TOGGLES, Boneyard
from simdom.strategies import strategy_names
from simdom.variants import variant_names


def changes_of(variant="pagat-draw", toggles=None, **options):
    """The changes, and what is left out."""
    base = parse_contender(variant, **options)
    return find_changes(base, overrides=options.get("overrides"), toggles=toggles)


def values_of(*arguments, **options):
    """The values tried, by toggle."""
    values = {}
    for change in changes_of(*arguments, **options)[0]:
        values.setdefault(change.toggle, []).append(change.value)
    return values


def reasons_of(*arguments, **options):
    """Why something is left out, by toggle and value."""
    left_out = changes_of(*arguments, **options)[1]
    return {(each.toggle, each.value): each.reason for each in left_out}


def test_every_change_of_draw():
    values = values_of()
    assert values == {
        "players": [3, 4],
        "deal": [5, 6, 8, 9],
        "boneyard": ["block", "draw_one_play", "draw_one_pass"],
        "reserve": [0, 1, 3, 4],
        "opening": ["holder_leads_any", "lot", "first_seat", "named_double"],
        "no_double": ["redeal"],
        "misdeal": [4, 5],
        "block_score": ["others", "all_hands", "difference", "per_heavier", "flat"],
        "block_tie": [
            *("opener", "lightest_tile", "split", "nearest", "blocker", "blocker_loses"),
            "replay_double",
        ],
        "double_blank_pips": [50],
        "blank_pips": [25],
        "domino_score": ["flat"],
        "pip_steps": ["from_15", "from_21"],
        "strategy": [name for name in strategy_names() if name not in ("random", "sharp")],
    }
    assert list(values) == [name for name in CHANGEABLE if name in values]


def test_a_toggle_without_another_value_says_so():
    _, left_out = find_changes(parse_contender("pagat-draw"))
    said = {each.toggle: each.reason for each in left_out if each.value is None}
    assert said["crossed_points"] == (
        "crossed_points belongs to games of another scale; --toggle crossed_points=POINTS tries one"
    )
    assert said["later_lead"] == "it matters only in a match"


def test_what_matters_only_in_a_match_is_tried_in_matches():
    changes, left_out = find_changes(parse_contender("pagat-draw", matches=True))
    tried = {change.toggle for change in changes}
    assert {"later_lead", "tie_lead", "overshoot", "others_points"} <= tried
    assert "early_rounds" in {each.toggle for each in left_out}
    targets = {change.name: change.contender.target for change in changes}
    assert (targets["players=3"], targets["reserve=0"]) == (61, 100)


def test_bonuses_are_tried_where_there_is_one_or_they_are_asked_for():
    assert values_of("dominican-patio")["blank_out_points"] == [0, 100]
    asked = find_changes(parse_contender("pagat-draw"), toggles=["block_bonus=7"])[0]
    assert [change.name for change in asked] == ["block_bonus=7"]


def test_values_that_are_the_same_without_teams_are_tried_with_teams():
    assert "all_hands" in values_of("partner-pagat")["domino_score"]
    left_out = find_changes(parse_contender("pagat-draw"))[1]
    said = {each.value: each.reason for each in left_out if each.toggle == "block_score"}
    assert said == {"opponents": "without teams it is the same as others"}


@pytest.mark.parametrize("name", variant_names())
def test_each_change_is_of_one_toggle_and_can_be_written(name):
    base = parse_contender(name, seed=3)
    changes, left_out = find_changes(base)
    assert {each.toggle for each in (*changes, *left_out)} == {*CHANGEABLE, "direction"}
    for change in changes:
        again = parse_contender(change.contender.text, seed=3)
        assert again == change.contender
        assert change.contender.text == f"{name}:{change.name}"
        differ = [
            toggle
            for toggle, one, other in zip(TOGGLES, base.rules, again.rules, strict=True)
            if one != other
        ]
        differ += ["strategy"] if base.play != again.play else []
        if change.toggle == "players":  # the deal and whatever depends on their number follow
            assert "players" in differ
        else:
            assert differ == [change.toggle]


def test_the_value_that_is_there_is_no_change():
    overrides = {"misdeal": 5, "blank_pips": 25, "reserve": 1, "boneyard": "draw_one_play"}
    values = values_of(overrides=overrides, strategy="normal")
    assert values["misdeal"] == [0, 4]
    assert values["blank_pips"] == [0]
    assert values["reserve"] == [0, 2, 3, 4]
    assert "draw" in values["boneyard"]
    assert "draw_one_play" not in values["boneyard"]
    assert "random" in values["strategy"]
    assert "normal" not in values["strategy"]
    other = values_of(overrides={"misdeal": 7})
    assert other["misdeal"] == [0, 4, 5]


def test_a_new_toggle_needs_no_line_here(monkeypatch):
    """Its declaration says which values sources name."""
    source = "12: a page; 3: another; S3 asks for none"
    toggle = TOGGLES["misdeal"]._replace(source=source)
    monkeypatch.setitem(TOGGLES, "misdeal", toggle)
    assert values_of("pagat-block", toggles=["misdeal"]) == {"misdeal": [3, 12]}


def test_another_number_of_players_has_the_variants_own_deal():
    (three, four) = changes_of(toggles=["players"])[0]
    assert (three.contender.rules.deal, four.contender.rules.deal) == (7, 6)
    (three, four) = changes_of("draw-one", toggles=["players"])[0]
    assert three.contender.text == "draw-one:players=3:deal=7"
    assert three.name == "players=3:deal=7"
    assert four.contender.rules.boneyard_size == 0
    (two, three) = changes_of(players=4, overrides={"deal": 5}, toggles=["players"])[0]
    assert (two.contender.rules.deal, three.contender.rules.deal) == (5, 5)
    assert two.contender.text == "pagat-draw:players=2"


def test_what_cannot_be_played_keeps_its_arithmetic():
    reasons = reasons_of(players=4, overrides={"deal": 7, "reserve": 0})
    assert reasons["deal", 8] == "4 players × 8 tiles = 32, but double-6 has 28"
    assert reasons["reserve", 1].startswith("reserve 1 is more than the boneyard: 28 tiles")
    seats = reasons_of(strategy="normal,random")
    assert seats["players", 3].startswith("2 strategies for 3 players")
    assert "deal" not in {toggle for toggle, _ in reasons_of("pagat-block")}


def test_a_deal_of_one_has_no_smaller_one():
    assert values_of("pagat-block", overrides={"deal": 1}, toggles=["deal"]) == {"deal": [2, 3]}


def test_what_cannot_matter_is_listed_with_the_reason():
    reasons = reasons_of("pagat-block")
    assert "turn order" in reasons["direction", None]
    assert reasons["max_pip", None] == "another set has no shuffle in common with double-6"
    assert reasons["reserve", None] == "nothing is drawn, so nothing is kept back"
    assert reasons_of("app-draw")["no_double", None] == "the opening asks for no double"
    listed = [str(each) for each in changes_of("pagat-block")[1]]
    assert "reserve: nothing is drawn, so nothing is kept back" in listed


def test_only_what_is_asked_for():
    changes, left_out = changes_of(toggles=["strategy", "reserve", "strategy"])
    assert {change.toggle for change in changes} == {"strategy", "reserve"}
    assert len({change.name for change in changes}) == len(changes)
    assert [(each.toggle, each.value) for each in left_out] == [("strategy", "sharp")]
    named = changes_of(toggles=["strategy=sharp"])
    assert [change.value for change in named[0]] == ["sharp"]
    assert named[1] == []


def test_values_of_ones_own():
    toggles = ["deal = 3, 4", "deal=4,10", "block_score=Others", "reserve"]
    assert values_of(toggles=toggles) == {
        "deal": [3, 4, 10],
        "block_score": ["others"],
        "reserve": [0, 1, 3, 4],
    }
    (five,) = changes_of("pagat-block", overrides={"deal": 5}, toggles=["players=5"])[0]
    assert five.name == "players=5"
    (seats,) = changes_of(toggles=["strategy=normal+random"])[0]
    assert seats.name == "strategy=normal,random"
    assert parse_contender(seats.contender.text) == seats.contender


def test_values_of_ones_own_that_cannot_be_tried_are_left_out_with_the_reason():
    reasons = reasons_of(toggles=["deal=7,15,6", "strategy=normal+random+random"])
    assert reasons == {
        ("deal", 7): "pagat-draw is played so already",
        ("deal", 15): "2 players × 15 tiles = 30, but double-6 has 28",
        ("strategy", "normal,random,random"): reasons["strategy", "normal,random,random"],
    }
    assert "3 strategies for 2 players" in reasons["strategy", "normal,random,random"]


@pytest.mark.parametrize(
    ("variant", "toggles", "complaint"),
    [
        ("pagat-draw", ["reserv=1"], "unknown toggle 'reserv'.*did you mean 'reserve'"),
        ("pagat-draw", ["deal="], "^deal= lacks a value: write deal=VALUE,VALUE$"),
        ("pagat-draw", ["deal=3,,4"], "^deal= lacks a value"),
        ("pagat-draw", ["deal=x"], "^deal must be a whole number from 1 to 95, not 'x'$"),
        ("pagat-draw", ["block_score=other"], "unknown value of block_score.*mean 'others'"),
        ("pagat-draw", ["strategy=nromal"], "unknown strategy 'nromal'.*mean 'normal'"),
        ("pagat-draw", ["deal=7"], "nothing to change: deal=7: pagat-draw is played so already"),
        ("pagat-draw", ["deal=15"], "nothing to change: deal=15: 2 players × 15"),
        ("pagat-block", ["reserve=3"], "nothing to change: reserve: nothing is drawn"),
        ("pagat-draw", ["max_pip=9"], "nothing to change: max_pip: another set"),
        ("pagat-draw", ["deal", "deal=3"], "deal is asked for both with values of your own and"),
        ("pagat-draw", ["reserv"], "unknown toggle 'reserv'.*did you mean 'reserve'"),
        ("pagat-draw", ["direction"], "unknown toggle 'direction'"),
        ("pagat-draw", ["max_pip"], "nothing to change: max_pip: another set has no shuffle"),
        ("pagat-block", ["reserve"], "nothing to change: reserve: nothing is drawn"),
    ],
)
def test_nothing_to_change(variant, toggles, complaint):
    with pytest.raises(UsageError, match=complaint) as error:
        changes_of(variant, toggles)
    assert "\n" not in str(error.value)


def test_games_made_in_python():
    assert len(changes_of(load_variant("pagat-draw"))[0]) == len(changes_of()[0])
    mine = Rules(boneyard=Boneyard.DRAW, reserve=2)
    (change,), (left_out,) = changes_of(mine, toggles=["players"])
    assert change.contender.name == "rules:players=3:deal=7"
    assert left_out.value == 4  # nothing is left to keep back
