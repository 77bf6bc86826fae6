"""Presets, TOML files of one's own, overrides, and where two variants differ."""

import json
import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators import legal_rules
from preset_values import LATER, PRESETS, WORLD, of_world
from simdom.errors import RulesError, UsageError
from simdom.rules import (
    TOGGLES,
    BlockScore,
    BlockTie,
    Boneyard,
    Capicua,
    DominoScore,
    NamedMissing,
    Opening,
    Rules,
    Teams,
    rules_to_dict,
)
from simdom.variants import (
    MATCH_TOGGLES,
    READING_ORDER,
    Difference,
    configs_dir,
    describe_value,
    find_differences,
    load_variant,
    parse_set,
    variant_names,
    why_no_effect,
)

DEFAULTS = rules_to_dict(Rules())
MINIMAL = 'title = "T"\nplayers = [2, 3]\n[rules]\n'


@pytest.fixture
def write(tmp_path):
    def write_file(text, name="mine.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write_file


# The presets


def test_there_are_these_presets():
    assert variant_names() == sorted([*PRESETS, *WORLD])


@pytest.mark.parametrize("name", PRESETS)
def test_presets_have_the_values_of_their_sources(name):
    players, deals, boneyard, reserve, opening, score, targets, source = PRESETS[name]
    variant = load_variant(name)
    assert variant.name == name
    assert variant.players == tuple(players)
    assert variant.rules() == variant.rules(players[0])
    for count, deal, target in zip(players, deals, targets, strict=True):
        assert rules_to_dict(variant.rules(count)) == DEFAULTS | LATER.get(name, {}) | {
            "players": count,
            "deal": deal,
            "boneyard": boneyard,
            "reserve": reserve,
            "opening": opening,
            "block_score": score,
        }
        assert variant.target(count) == target
    assert variant.target() == targets[0]
    assert variant.target(9) == (targets[0] if len(set(targets)) == 1 else None)
    assert variant.sources[0].id == source
    assert variant.family == ("block" if boneyard == "block" else "draw")
    assert variant.country is None


@pytest.mark.parametrize("name", WORLD)
def test_presets_of_the_world_have_the_values_of_their_sources(name):
    country, players, target, source, toggles = WORLD[name]
    variant = load_variant(name)
    assert (variant.name, variant.country) == (name, country)
    assert variant.players == tuple(players)
    for count in players:
        expected = DEFAULTS | {"players": count} | of_world(name, count)
        assert rules_to_dict(variant.rules(count)) == expected
        assert variant.target(count) == target
    assert variant.sources[0].id == source
    assert variant.family == ("partnership" if "teams" in toggles else "block")


@pytest.mark.parametrize("name", variant_names())
def test_presets_name_alternatives_that_can_be_played(name):
    """What [left_open] tells to set is a change, and leaves rules that can be played."""
    variant = load_variant(name)
    for text in variant.left_open.values():
        told = dict(re.findall(r"\b([a-z_]+)=([a-z_0-9]+)", text))
        if told:
            assert any(variant.rules(n, told) != variant.rules(n) for n in variant.players)


@pytest.mark.parametrize("name", variant_names())
def test_presets_say_who_says_so(name):
    variant = load_variant(name)
    assert set(variant.why) == {*variant.settings, "players", "target"}
    assert variant.left_open
    assert variant.title
    assert re.fullmatch(r"[^.]+\.", variant.description)
    ids = {source.id for source in variant.sources}
    for who in variant.why.values():
        assert who.startswith("chosen: ") or any(source in who for source in ids)
    for source in variant.sources:
        assert source.text.endswith(".")
        assert any(source.id in who for who in variant.why.values())


def test_presets_describe_a_source_in_the_same_words():
    texts = {source for name in variant_names() for source in load_variant(name).sources}
    assert len(texts) == len({source.id for source in texts})


# What may be asked of a variant


def test_players_picks_the_deal():
    assert load_variant("pagat-draw").rules(3).deal == 7
    assert load_variant("pagat-draw").rules(4).deal == 6
    assert load_variant("household-draw").rules(4).deal == 5


def test_players_may_be_an_override():
    variant = load_variant("pagat-draw")
    assert variant.rules(overrides={"players": "4"}) == variant.rules(4)
    assert variant.rules(4, {"players": 4}) == variant.rules(4)
    with pytest.raises(UsageError, match="players is set twice, to 3 and to 4"):
        variant.rules(3, {"players": "4"})


def test_overrides_change_toggles():
    rules = load_variant("pagat-draw").rules(3, {"reserve": "0", "block_score": "others"})
    assert rules == load_variant("pagat-draw").rules(3)._replace(reserve=0, block_score=1)


def test_other_numbers_of_players_need_a_deal():
    variant = load_variant("pagat-draw")
    with pytest.raises(UsageError) as caught:
        variant.rules(14, {"max_pip": 18})
    assert str(caught.value) == (
        "pagat-draw is for 2, 3 or 4 players, not 14: to play it so, set deal too"
    )
    rules = variant.rules(14, {"max_pip": 18, "deal": 9})
    assert (rules.players, rules.deal, rules.reserve) == (14, 9, 2)


def test_other_numbers_of_players_take_the_rest_from_the_default(write):
    path = write(MINIMAL + "deal = {2 = 7, 3 = 5}\nboneyard = 'draw'\nreserve = {2 = 2, 3 = 1}")
    assert load_variant(path).rules(3).reserve == 1
    assert load_variant(path).rules(4, {"deal": 4}).reserve == 2


@pytest.mark.parametrize(
    ("players", "overrides", "message"),
    [
        (15, {}, "players must be a whole number from 2 to 14, not 15"),
        (None, {"reserv": 0}, "unknown toggle 'reserv'"),
        (None, {"boneyard": "drow"}, "did you mean 'draw'"),
        (None, {"deal": "x"}, "deal must be a whole number"),
        (4, {"deal": 8}, "4 players × 8 tiles = 32, but double-6 has 28"),
        (4, {"deal": 7}, "reserve 2 is more than the boneyard"),
    ],
)
def test_impossible_overrides(players, overrides, message):
    with pytest.raises(UsageError) as caught:
        load_variant("pagat-draw").rules(players, overrides)
    assert message in str(caught.value)


def test_to_dict_is_plain():
    document = load_variant("pagat-draw").to_dict([3])
    assert json.loads(json.dumps(document)) == document
    assert list(document["rules"]) == ["3"]
    assert document["rules"]["3"]["deal"] == 7
    assert document["target"] == {"3": 61}


# parse_set


def test_parse_set():
    assert parse_set([]) == {}
    assert parse_set(["reserve=0", " block_score = others"]) == {
        "reserve": "0",
        "block_score": "others",
    }


@pytest.mark.parametrize("item", ["", "reserve", "=", "reserve=", "=2", " = "])
def test_parse_set_needs_a_name_and_a_value(item):
    with pytest.raises(UsageError, match="write TOGGLE=VALUE") as caught:
        parse_set([item])
    assert str(caught.value).startswith(repr(item))


def test_parse_set_refuses_a_toggle_twice():
    with pytest.raises(UsageError, match="reserve is set twice, to '0' and to '2'"):
        parse_set(["reserve=0", "reserve=2"])


@given(rules=legal_rules(), data=st.data())
def test_any_rules_survive_parse_set(rules, data):
    items = [f"{name}={value}" for name, value in rules_to_dict(rules).items()]
    shuffled = data.draw(st.permutations(items))
    assert load_variant("pagat-draw").rules(overrides=parse_set(shuffled)) == rules


# TOML files


def test_a_minimal_file(write):
    variant = load_variant(write('title = "T"\nplayers = [2]\n[rules]\n'))
    assert variant.rules() == Rules()
    assert variant.target() is None
    assert (variant.name, variant.sources, variant.why) == ("mine.toml", (), {})
    assert variant.country is None


def test_a_file_may_name_its_country(write):
    variant = load_variant(write(f'country = "Haiti"\n{MINIMAL}'))
    assert variant.country == variant.to_dict()["country"] == "Haiti"


def test_a_byte_order_mark_is_no_error(write):
    assert load_variant(write(b"\xef\xbb\xbf" + MINIMAL.encode())).title == "T"


def test_player_counts_may_be_quoted_or_bare(write):
    bare = load_variant(write(MINIMAL + "deal = {2 = 7, 3 = 5}"))
    quoted = load_variant(write(MINIMAL + 'deal = {"2" = 7, "3" = 5}'))
    assert bare == quoted
    assert bare.settings == {"deal": {2: 7, 3: 5}}


@given(any_rules=st.lists(legal_rules(), min_size=1, max_size=4))
def test_any_rules_survive_toml(tmp_path_factory, any_rules):
    rules = {r.players: r for r in any_rules}
    lines = ['title = "T"', f"players = {list(rules)}", "[rules]"]
    for toggle in TOGGLES:
        values = {n: json.dumps(rules_to_dict(r)[toggle]) for n, r in rules.items()}
        if len(set(values.values())) == 1 and toggle != "players":
            lines.append(f"{toggle} = {next(iter(values.values()))}")
        elif toggle != "players":
            table = ", ".join(f"{n} = {value}" for n, value in values.items())
            lines.append(f"{toggle} = {{ {table} }}")
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    variant = load_variant(str(path))
    assert {n: variant.rules(n) for n in variant.players} == rules


BAD_FILES = {
    "titel = 'T'\nplayers = [2]\n[rules]": "unknown key 'titel': choose from title",
    "players = [2]\n[rules]": "key title is missing: it must be some text",
    "title = 'T'\n[rules]": "key players is missing: it must be a list of whole numbers",
    "title = 'T'\nplayers = [2]": "key rules is missing: it must be a table",
    "title = ''\nplayers = [2]\n[rules]": "title must be some text, not ''",
    "title = 3\nplayers = [2]\n[rules]": "title must be some text, not 3",
    "title = 'T'\ncountry = ''\nplayers = [2]\n[rules]": "country must be some text, not ''",
    "title = 'T'\ncountry = 1\nplayers = [2]\n[rules]": "country must be some text, not 1",
    "title = {a = 1}\nplayers = [2]\n[rules]": "title must be some text, not a table",
    "title = 'T'\nplayers = 2\n[rules]": "players must be a list of whole numbers from 2 to 14",
    "title = 'T'\nplayers = []\n[rules]": "such as [2, 3, 4], not []",
    "title = 'T'\nplayers = [2, '3']\n[rules]": "such as [2, 3, 4], not [2, '3']",
    "title = 'T'\nplayers = [2.0]\n[rules]": "such as [2, 3, 4], not [2.0]",
    "title = 'T'\nplayers = [true]\n[rules]": "such as [2, 3, 4], not [True]",
    "title = 'T'\nplayers = [2, 15]\n[rules]": "players must be a whole number from 2 to 14",
    "title = 'T'\nplayers = [2, 2]\n[rules]": "players: a number is listed twice in [2, 2]",
    "title = 'T'\nplayers = [2]\nrules = 3": "rules must be a table, not 3",
    "title = 'T'\nplayers = [2]\nwhy = {deal = 3}\n[rules]": "why.deal must be text, not 3",
    "title = 'T'\nplayers = [2]\nwhy = {dale = 'x'}\n[rules]": "toggle in [why] 'dale'",
    "title = 'T'\nplayers = [2]\nsources = {S0 = 1}\n[rules]": "sources.S0 must be text, not 1",
    "title = 'T'\nplayers = [2]\nsources = 'S0'\n[rules]": "sources must be a table, not 'S0'",
    "title = 'T'\nplayers = [2]\ntarget = 0\n[rules]": "target must be a whole number from 1 to",
    "title = 'T'\nplayers = [2]\ntarget = 1e2\n[rules]": "not 100.0",
    "title = 'T'\nplayers = [2]\ntarget = {3 = 61}\n[rules]": "unknown number of players '3'",
    MINIMAL + "resrve = 2": "unknown toggle in [rules] 'resrve'",
    MINIMAL + "players = 2": "players belongs above [rules]: players = [2, 3, 4]",
    MINIMAL + "deal = '7'": "deal must be a whole number from 1 to 95, not '7'",
    MINIMAL + "deal = 7.0": "deal must be a whole number from 1 to 95, not 7.0",
    MINIMAL + "deal = true": "deal must be a whole number from 1 to 95, not true",
    MINIMAL + "deal = [7, 5]": "deal must be a whole number from 1 to 95, not [7, 5]",
    MINIMAL + "deal = 96": "deal must be a whole number from 1 to 95, not 96",
    MINIMAL + f"deal = 0x{'f' * 5000}": "not a number that is far too large",
    MINIMAL + f"deal = {'9' * 5000}": "is not TOML: ",
    MINIMAL + f"reserve = {'9' * 200}": "reserve must be a whole number from 0 to 188, not 999",
    MINIMAL + "boneyard = 1": "boneyard must be block, draw, draw_one_play, draw_one_pass, not 1",
    MINIMAL + "boneyard = 'drw'": "did you mean 'draw'?",
    MINIMAL + "deal = {2 = 7}": "rules.deal has no value for 3 players: give one for each of 2, 3",
    MINIMAL + "deal = {2 = 7, 3 = 5, 4 = 5}": "rules.deal: unknown number of players '4'",
    MINIMAL + "deal = {2 = 7, three = 5}": "rules.deal: unknown number of players 'three'",
    MINIMAL + "deal = {2 = 7, 3 = {4 = 5}}": "rules.deal.3: deal must be a whole number",
    MINIMAL + "deal = {2 = 7, 3 = 'x'}": "rules.deal.3: deal must be a whole number",
    MINIMAL + "deal = 10": "3 players: 3 players × 10 tiles = 30, but double-6 has 28",
    "[rules": "is not TOML: ",
    "a = " + "[" * 5000: "is nested too deeply",
    "\x00": "is not TOML: ",
    "title = 'T\xff'".encode("latin-1"): "is not UTF-8 text: byte 10 cannot be read",
}


@pytest.mark.parametrize("text", BAD_FILES, ids=[str(n) for n in range(len(BAD_FILES))])
def test_bad_files_get_one_line(write, text):
    path = write(text)
    with pytest.raises(UsageError) as caught:
        load_variant(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert BAD_FILES[text] in message
    assert "\n" not in message
    assert "pydantic" not in message
    assert message.count(path) == 1


def test_impossible_rules_in_a_file_stay_a_rules_error(write):
    with pytest.raises(RulesError, match="2 players × 15 tiles = 30"):
        load_variant(write(MINIMAL + "deal = 15"))


def test_a_file_that_cannot_be_opened(tmp_path):
    missing = str(tmp_path / "missing.toml")
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    for path, message in (
        (missing, "no such file"),
        (str(folder), "is a directory, not a TOML file"),
        (f"{missing}/x", "no such file"),
        (str(configs_dir() / "variants" / "pagat-draw.toml" / "x"), "cannot be read: Not a dir"),
    ):
        with pytest.raises(UsageError) as caught:
            load_variant(path)
        assert str(caught.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("key", "character"),
    [
        ("title", "\\u001b"),
        ("description", "\\u009b"),  # a terminal may take it for escape and bracket
        ("sources.S1", "\\r"),
        ("why.deal", "\\u0000"),
        ("left_open.'it\\u0007'", ""),
    ],
)
def test_control_characters_are_refused(write, key, character):
    """A text that is printed could move the cursor, hide lines, or worse."""
    text = key.replace("'", '"') + f' = "red {character}[31m"\n'
    path = write(text + "".join(MINIMAL.splitlines(keepends=True)[key == "title" :]))
    with pytest.raises(UsageError) as caught:
        load_variant(path)
    assert str(caught.value).startswith(f"{path}: control characters are not allowed: '")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("name", ["a\0b.toml", "a\x1b[31mb.toml", "a\nb\r.toml"])
def test_control_characters_in_a_name_are_refused(name):
    with pytest.raises(UsageError) as caught:
        load_variant(name)
    assert str(caught.value).startswith(f"control characters are not allowed: {name!r}")
    assert str(caught.value).isprintable()


def test_lines_and_tabs_are_text(write):
    text = MINIMAL.replace("[rules]", 'description = """one\n\ttwo"""\n[rules]')
    assert load_variant(write(text)).description == "one\n\ttwo"


def test_unknown_names_are_answered_with_the_nearest():
    with pytest.raises(UsageError, match=r"unknown variant 'pagat_drow'.*mean 'pagat-draw'"):
        load_variant("pagat_drow")


def test_a_separator_makes_a_path(write, monkeypatch, tmp_path):
    write(MINIMAL, "pagat-draw")
    monkeypatch.chdir(tmp_path)
    assert load_variant("./pagat-draw").title == "T"
    assert load_variant("pagat-draw").title != "T"


# Explaining and comparing


ALL_DEALT = Rules(players=4, deal=7)
NAMED = Rules(opening=Opening.NAMED_DOUBLE)

IDLE = [
    (
        "reserve",
        Rules(boneyard=Boneyard.BLOCK, reserve=2),
        "Nothing is drawn, so nothing is kept back.",
    ),
    ("no_double", Rules(opening=Opening.LOT), "The opening asks for no double."),
    ("no_double", Rules(opening=Opening.FIRST_SEAT), "The opening asks for no double."),
    (
        "no_double",
        NAMED._replace(named_missing=NamedMissing.LOT),
        "A lot replaces the named double.",
    ),
    ("no_double", ALL_DEALT, "All tiles are dealt, the doubles too."),
    ("block_winner", Rules(), "Every seat plays for itself."),
    ("flat_points", Rules(), "No score is flat."),
    ("named_double", Rules(), "The opening names no double."),
    ("named_missing", Rules(), "The opening names no double."),
    (
        "named_missing",
        ALL_DEALT._replace(opening=Opening.NAMED_DOUBLE),
        "All tiles are dealt, the named double too.",
    ),
    ("capicua_points", Rules(), "Nothing counts as going out on both ends."),
    (
        "pip_steps",
        Rules(block_score=BlockScore.FLAT, domino_score=DominoScore.FLAT),
        "All scores are flat.",
    ),
    ("tie_lead", Rules(block_tie=BlockTie.REPLAY_DOUBLE), "The replay of a tie is opened afresh."),
    ("tie_lead", Rules(block_tie=BlockTie.NEAREST), "Every tied block goes to somebody."),
    (
        "tie_lead",
        ALL_DEALT._replace(teams=Teams.PAIRS, block_tie=BlockTie.BLOCKER_LOSES),
        "Every tied block goes to somebody.",
    ),
    ("early_rounds", Rules(), "There is no bonus for early rounds."),
]


@pytest.mark.parametrize(("toggle", "rules", "reason"), IDLE)
def test_values_that_have_no_effect(toggle, rules, reason):
    assert why_no_effect(rules, toggle, matches=True) == reason
    of_rounds = "It matters only in a match." if toggle in MATCH_TOGGLES else reason
    assert why_no_effect(rules, toggle) == of_rounds


@pytest.mark.parametrize(
    ("toggle", "rules"),
    [
        ("reserve", Rules(boneyard=Boneyard.DRAW)),
        ("no_double", Rules()),
        ("no_double", Rules(opening=Opening.HOLDER_LEADS_ANY)),
        ("no_double", NAMED),
        ("block_winner", ALL_DEALT._replace(teams=Teams.PAIRS)),
        ("flat_points", Rules(block_score=BlockScore.FLAT)),
        ("flat_points", Rules(domino_score=DominoScore.FLAT)),
        ("named_double", NAMED),
        ("named_missing", NAMED),
        ("capicua_points", Rules(capicua=Capicua.EQUAL_AFTER, capicua_points=1)),
        ("pip_steps", Rules(block_score=BlockScore.FLAT)),
        ("tie_lead", Rules()),
        ("tie_lead", Rules(players=3, block_tie=BlockTie.BLOCKER)),
        ("early_rounds", Rules(early_bonus=1)),
    ],
)
def test_values_that_have_an_effect(toggle, rules):
    assert why_no_effect(rules, toggle, matches=True) is None


@given(rules=legal_rules())
def test_what_has_no_effect_is_read_by_matches_at_most(rules):
    """In a match nothing has less effect than in a round."""
    for toggle in TOGGLES:
        if why_no_effect(rules, toggle) is None:
            assert why_no_effect(rules, toggle, matches=True) is None
    assert {t for t in TOGGLES if why_no_effect(rules, t) == "It matters only in a match."} == (
        MATCH_TOGGLES
    )


def test_toggles_are_read_in_the_order_of_a_round():
    assert sorted(READING_ORDER) == sorted(TOGGLES)
    order = [READING_ORDER.index(name) for name in ("players", "teams", "opening", "named_double")]
    assert order == sorted(order)
    assert READING_ORDER[-len(MATCH_TOGGLES) :] == tuple(t for t in TOGGLES if t in MATCH_TOGGLES)


def test_describe_value():
    assert describe_value("boneyard", 0) == "It passes; the boneyard is never drawn."
    assert describe_value("deal", 7) == TOGGLES["deal"].doc


def test_differences_of_draw_and_block():
    variants = [load_variant("pagat-draw"), load_variant("pagat-block")]
    assert find_differences(variants, [2, 3, 4]) == [
        Difference("deal", 3, (7, 5)),
        Difference("deal", 4, (6, 5)),
        Difference("boneyard", None, ("draw", "block")),
        Difference("reserve", None, (2, None)),
    ]
    assert find_differences(variants, [2])[0].toggle == "boneyard"
    assert find_differences([variants[0]] * 2, [2, 3, 4]) == []


def test_differences_of_matches_and_of_partnerships():
    variants = [load_variant("jamaican-partner"), load_variant("brazilian-6")]
    found = {each.toggle: each.values for each in find_differences(variants, [4])}
    assert found == {
        "misdeal": (0, 4),
        "block_tie": ("replay_double", "blocker_loses"),
        "capicua": ("none", "no_doubles"),
        "capicua_points": (None, 2),
        "crossed_points": (0, 4),
        "double_out_points": (0, 1),
        "later_lead": ("winning_team", "afresh"),
        "others_points": ("reset", "kept"),
    }


def test_a_pipe_is_not_read(tmp_path):
    path = tmp_path / "mine.toml"
    os.mkfifo(path)
    with pytest.raises(UsageError, match=r"mine\.toml: is no regular file, but a pipe or a device"):
        load_variant(str(path))
