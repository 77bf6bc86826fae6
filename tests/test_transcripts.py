"""Transcripts are read, written and read back; what cannot be read is refused in one line."""

import json

import pytest

from commands import one_line
from simdom.errors import RulesError, UsageError
from simdom.rules import Rules
from simdom.simulate import study_of
from simdom.tiles import parse_tile
from simdom.transcripts.choice import Choice
from simdom.transcripts.loading import LARGEST, load_transcript, parse_content
from simdom.transcripts.reading import parse_transcript
from simdom.transcripts.recording import transcribe, transcribe_match
from simdom.transcripts.referee import judge
from simdom.transcripts.round_document import parse_round, round_to_dict
from simdom.transcripts.transcript import Transcript, WrittenRound, WrittenTurn
from simdom.transcripts.writing import write_transcript
from simdom.variants import load_variant, variant_names
from transcript_files import FIRST, FOLDER, path_of, replay

FILES = sorted(FOLDER.glob("*.txt"))
HEAD = "simdom-transcript 1\nvariant pagat-draw\nplayers 2\n"
HANDS = "hand 0: 6-6 5-4 3-2 2-2 1-0 6-1 4-4\nhand 1: 6-4 5-5 3-3 2-1 4-0 5-0 6-0\n"


def recorded(name, index, players=None, seed=3, **overrides):
    variant = load_variant(name)
    study = study_of(variant.rules(players, overrides), "random", seed)
    return transcribe(name, study, index)[0]


# --- there and back


@pytest.mark.parametrize("name", variant_names())
def test_every_round_of_every_preset_comes_back_as_it_was(name):
    for players in load_variant(name).players:
        for index in range(3):
            there = recorded(name, index, players)
            text = write_transcript(there)
            back = parse_transcript(text)
            assert write_transcript(back) == text
            assert back.rules == there.rules
            document = json.dumps(round_to_dict(there))
            assert parse_round(document) == there
            assert json.dumps(round_to_dict(parse_round(document))) == document


def test_text_and_document_of_a_round_say_the_same():
    there = recorded("pagat-draw", 5)
    from_text = parse_transcript(write_transcript(there)).rounds[0]
    from_json = parse_round(json.dumps(round_to_dict(there))).rounds[0]
    assert from_text.hands == from_json.hands
    assert from_text.boneyard == from_json.boneyard
    assert [str(turn) for turn in from_text.turns] == [str(turn) for turn in from_json.turns]


def test_a_changed_rule_is_written_and_read():
    there = recorded("pagat-draw", 0, reserve=0, block_score="per_heavier")
    text = write_transcript(there)
    assert "set reserve=0\nset block_score=per_heavier\n" in text
    assert parse_transcript(text).rules == there.rules


def test_a_table_larger_than_the_preset_provides_for():
    there = recorded("draw-one", 0, players=3, deal=5)
    assert there.rules.players == 3
    assert parse_transcript(write_transcript(there)).rules == there.rules


def test_rules_of_no_preset():
    rules = Rules(max_pip=9, players=4, deal=10)
    there, _ = transcribe("mine.toml", study_of(rules, "random", 1), 0)
    text = write_transcript(there)
    assert text.startswith("simdom-transcript 1\nvariant none\nset max_pip=9\nset deal=10\n")
    assert parse_transcript(text).rules == rules


def test_a_match_comes_back_as_it_was():
    study = study_of(load_variant("brazilian-6").rules(), "random", 1)
    text = write_transcript(transcribe_match("brazilian-6", study, 6, 0))
    assert write_transcript(parse_transcript(text)) == text


def test_names_comments_blank_lines_and_spaces():
    text = (
        "# ours\n\n  simdom-transcript   1 # the first\r\nvariant pagat-draw\r\nplayers 2\n"
        "name 1: Ben of the hill\n\n0 :  6-6\n1:4-6 on 6   # he thought long\n"
    )
    read = parse_transcript(text)
    assert read.names == (None, "Ben of the hill")
    assert read.name_of(0) == "seat 0"
    assert read.name_of(1) == "seat 1 (Ben of the hill)"
    assert write_transcript(read) == (
        "simdom-transcript 1\nvariant pagat-draw\nplayers 2\nname 1: Ben of the hill\n"
        "0: 6-6\n1: 6-4 on 6\n"
    )
    assert [turn.line for turn in read.rounds[0].turns] == [8, 9]


def test_what_is_unknown_is_written_as_a_question_mark():
    text = HEAD + "hand 0: 6-6 ? ? ? ? ? ?\n0: 6-6\n1: draw ? draw ? 6-5 on 6\n"
    read = parse_transcript(text)
    assert read.rounds[0].hands == ((parse_tile("6-6", 6), *[None] * 6), None)
    assert read.rounds[0].turns[1].draws == (None, None)
    assert write_transcript(read) == text


def test_a_byte_order_mark_is_no_part_of_the_text():
    assert parse_content(b"\xef\xbb\xbf" + (HEAD + "0: 6-6\n").encode()).rules.players == 2


def test_turns_are_told_as_they_are_written():
    turn = WrittenTurn(1, (None, 3), parse_tile("5-4", 6), 4)
    assert str(turn) == "1: draw ? draw 2-0 5-4 on 4"
    assert str(WrittenTurn(0)) == "0: pass"


def test_one_round_of_a_match_has_the_score_before_it():
    study = study_of(load_variant("jamaican-partner").rules(), "random", 1)
    match = transcribe_match("jamaican-partner", study, 6, 0)
    third = match.only(2)
    assert third.score == match.rounds[1].score
    assert judge(third).is_legal
    assert judge(third).score == list(match.rounds[2].score.points)


# --- the readable rounds


def test_every_preset_has_a_readable_round():
    for name in variant_names():
        players = load_variant(name).players
        for count in {players[0], players[-1]}:
            assert path_of(name, count).exists(), "python tests/transcript_files.py makes it"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_readable_rounds_are_played_again_and_are_the_same(path):
    text = path.read_text(encoding="utf-8")
    command = FIRST.match(text)[1]
    assert text == f"# {command}\n{write_transcript(replay(command))}"
    report = judge(parse_transcript(text))
    assert report.is_legal
    assert all(judged.settled is not None for judged in report.rounds)


# --- what cannot be read

BAD = [
    ("", "line 1: a transcript begins with 'simdom-transcript 1', and this one is empty"),
    ("hello\n", "line 1: a transcript begins with 'simdom-transcript 1', not 'hello'"),
    ("simdom-transcript 2\n", "line 1: .* not 'simdom-transcript 2'"),
    ("simdom-transcript 1\n0: 6-6\n", "line 2: no variant is named: write `variant NAME`"),
    ("simdom-transcript 1\nvariant pagat-drow\n", "line 2: .*did you mean 'pagat-draw'"),
    ("simdom-transcript 1\nvariant none\nvariant none\n", "line 3: 'variant' is .* line 2 already"),
    (HEAD, "line 4: the transcript ends before there is a round in it"),
    (HEAD + "players 3\n", "line 4: 'players' is written in line 3 already"),
    (HEAD + "set reserve=99\n0: 6-6\n", "line 4: reserve 99 is more than the boneyard"),
    (HEAD + "set reserv=1\n", "line 4: unknown toggle 'reserv'.*did you mean 'reserve'"),
    (HEAD + "set reserve\n", "line 4: 'reserve' sets nothing"),
    (HEAD + "set players=3\n", "line 4: players has a line of its own"),
    (HEAD + "set reserve=1\nset reserve=0\n", "line 5: reserve is set already, to 1"),
    (HEAD + "target 0\n", "line 4: target must be a whole number from 1 to 1000000, not '0'"),
    (HEAD + "name 0 Anna\n", "line 4: a colon is missing: write `name SEAT: NAME`"),
    (HEAD + "name 0: " + "x" * 41 + "\n", "line 4: a name has 1 to 40 printable characters"),
    (HEAD + "name 0: A\nname 0: B\n", "line 5: seat 0 has a name already"),
    (HEAD + "name 2: Cleo\n0: 6-6\n", "line 4: there is no seat '2': the seats are 0 to 1"),
    (HEAD + "score: 0 0 0\n0: 6-6\n", "line 4: a score has 2 numbers"),
    (HEAD + "hand 0: 6-6 5-4\n", "line 4: hand 0 has 2 tiles, and the rules give it 7"),
    (HEAD + "hand 2: 6-6\n", "line 4: there is no seat '2'"),
    (HEAD + "hand 0: 6-6 5-4 3-2 2-2 1-0 6-1 6-6\n", "line 4: 6-6 is twice in hand 0"),
    (
        HEAD + "hand 0: 6-6 5-4 3-2 2-2 1-0 6-1 4-4\nhand 1: 6-4 5-5 3-3 2-1 4-0 5-0 6-6\n",
        "line 5: 6-6 is in hand 0 and in hand 1",
    ),
    (HEAD + HANDS + "hand 1: 6-6\n", "line 6: hand 1 is written already"),
    (HEAD + "boneyard: 1-1\n", "line 4: the boneyard has 1 tile, and the rules give it 14"),
    (HEAD + "boneyard 1-1\n", "line 4: write `boneyard: TILES`"),
    (HEAD + "hand 0: 7-6 5-4 3-2 2-2 1-0 6-1 4-4\n", "line 4: double-6 has no tile '7-6'"),
    (HEAD + "0: 6-6\n1: 7-6 on 6\n", "line 5: double-6 has no tile '7-6'"),
    (HEAD + "0: 6-6\n1: 06-4 on 6\n", "line 5: '06-4' is not a tile"),
    (HEAD + "0: 66\n", "line 4: '66' is not a tile: write two numbers and a hyphen"),
    (HEAD + "0: ?\n", "line 4: '\\?' is not a tile"),
    (HEAD + "0: 6-6 on 7\n", "line 4: the number after `on` must be .* from 0 to 6, not '7'"),
    (HEAD + "0: 6-6\n1: 6-4 at 6\n", "line 5: a turn ends with `pass`, or .* not with '6-4 at 6'"),
    (HEAD + "0: 6-6\n1: draw\n", "line 5: `draw` is followed by the tile drawn"),
    (HEAD + "0: 6-6\n1: draw 3-1\n", "line 5: a turn ends with `pass`"),
    (HEAD + "0 6-6\n", "line 4: a colon is missing: write `SEAT: WHAT IT DID`"),
    (HEAD + "5: 6-6\n", "line 4: there is no seat '5': the seats are 0 to 1"),
    (HEAD + "end: blocked\n", "line 4: the round ends before its first turn"),
    (HEAD + "0: 6-6\nend: stuck\n", "line 5: unknown end 'stuck': choose from domino, blocked"),
    (HEAD + "0: 6-6\nend: blocked; winner 7\n", "line 5: there is no seat '7'"),
    (HEAD + "0: 6-6\nend: blocked; loser 1\n", "line 5: unknown part of an end 'loser'"),
    (HEAD + "0: 6-6\nend: blocked; points -1\n", "line 5: points must be a whole number"),
    (HEAD + "0: 6-6\nend: blocked\n1: pass\n", "line 6: the round ended in line 5"),
    (HEAD + "0: 6-6\n" + HANDS, "line 5: 'hand' belongs before the first turn"),
    (HEAD + "0: 6-6\nset reserve=0\n", "line 5: 'set' belongs before the first round"),
    (HEAD + "0: 6-6\nplay 1\n", "line 5: unknown line 'play': choose from"),
    (HEAD + "0: 6-6\nround 2\n", "line 5: the round of line 4 has no number"),
    (HEAD + "round 1\n0: 6-6\nround 2\n", "line 6: round 1 has no `end:` line"),
    (HEAD + "round 1\n0: 6-6\nend: domino\nround 3\n", "line 7: round 3 cannot follow round 1"),
    (HEAD + "0: 6-6\nend: domino\nscore: 1 1\n", "line 6: a score belongs to a match"),
    (HEAD + "leader 0\nleader 1\n", "line 5: the leader is written already"),
    (HEAD + "# " + "x" * 10_000 + "\n", "line 4: it is longer than 10,000 characters"),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=range(len(BAD)))
def test_bad_text_is_refused_with_its_line(text, message):
    with pytest.raises(UsageError, match=f"^{message}") as error:
        parse_transcript(text)
    assert error.value.exit_code == 2
    assert len(one_line(error)) < 1000


def test_a_long_line_is_not_repeated():
    for line in ("variant ", "set reserve=", "0: ", "end: ", "name 0: ", "round "):
        with pytest.raises(UsageError) as error:
            parse_transcript(HEAD.replace("variant pagat-draw\n", "") + line + "9" * 9000)
        assert len(one_line(error)) < 1000


def test_bytes_that_are_not_utf_8():
    with pytest.raises(UsageError, match=r"^line 4: is not UTF-8 text: byte 0xFF$"):
        parse_content(HEAD.encode() + b"0: \xff\n")


def test_a_hundred_megabytes_are_not_read(tmp_path):
    path = tmp_path / "large.txt"
    path.write_bytes(HEAD.encode())
    with path.open("r+b") as file:
        file.truncate(100_000_000)
    with pytest.raises(UsageError, match=r"large.txt: line 4: a transcript has at most 10,000,000"):
        load_transcript(path)
    assert LARGEST == 10_000_000


@pytest.mark.parametrize("name", ["missing.txt", ".", "a\0b"])
def test_files_that_cannot_be_read(name, tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        load_transcript(tmp_path / name)


def test_a_device_is_no_transcript():
    with pytest.raises(UsageError, match="is a device"):
        load_transcript("/dev/zero")


DOCUMENT = round_to_dict(recorded("pagat-draw", 0))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "simdom.round/2"}, "schema: input should be 'simdom.round/1'"),
        ({"hands": DOCUMENT["hands"][:1]}, "hands: there are 1, and 2 seats"),
        ({"hands": [DOCUMENT["hands"][0][:6], None]}, "hands.0: it has 6 tiles, .* give it 7"),
        ({"hands": [DOCUMENT["hands"][0], ["9-9"] * 7]}, "hands.1: double-6 has no tile '9-9'"),
        ({"hands": [DOCUMENT["hands"][0]] * 2}, "is in hand 0 and in hand 1"),
        ({"boneyard": ["1-1"]}, "boneyard: it has 1 tiles"),
        ({"boneyard": ["1-1"] * 14}, "1-1 is"),
        ({"turns": [{"seat": 2, "pass": True}]}, "turns.0.seat: there is no seat 2"),
        ({"turns": [{"seat": 0}]}, 'turns.0: a turn has either a "tile" or "pass": true'),
        ({"turns": [{"seat": 0, "tile": "x"}]}, "turns.0.tile: 'x' is not a tile"),
        ({"turns": [{"seat": "0", "tile": "6-6"}]}, "turns.0.seat: input should be a valid int"),
        ({"turns": [{"seat": 0, "tile": "6-6", "how": 1}]}, "turns.0.how: extra inputs"),
        ({"end": "over"}, "unknown end 'over'"),
        ({"winner": 10**30}, "winner: "),
        ({"scores": {"mine": 1}}, "scores: unknown way to score 'mine'"),
        ({"names": ["A", "B", "C"]}, "names: 3 of them for 2 seats"),
        ({"rules": {**DOCUMENT["rules"], "deal": 50}}, "rules: 2 players"),
        ({"surprise": 1}, "surprise: extra inputs are not permitted"),
    ],
)
def test_bad_documents_are_refused_in_a_line(change, message):
    with pytest.raises(UsageError, match=message) as error:
        parse_content(json.dumps(DOCUMENT | change).encode())
    assert len(one_line(error)) < 400


@pytest.mark.parametrize("text", ["{", "{]", "{" * 100_000, '{"a": 1e999}', '{"schema": null}'])
def test_what_is_no_document_is_refused(text):
    with pytest.raises(UsageError) as error:
        parse_content(text.encode())
    assert len(one_line(error)) < 400


# --- rules that somebody else chooses


def test_another_variant_takes_the_place_of_what_is_written():
    text = HEAD + "set reserve=0\n0: 6-6\n"
    chosen = parse_transcript(text, Choice("individual-draw"))
    assert (chosen.variant, chosen.rules) == (
        "individual-draw",
        load_variant("individual-draw").rules(),
    )
    changed = parse_transcript(text, Choice(overrides={"reserve": "1"}))
    assert (changed.variant, changed.rules.reserve) == ("pagat-draw", 1)
    named = parse_transcript("simdom-transcript 1\n0: 6-6\n", Choice("pagat-block"))
    assert named.rules == load_variant("pagat-block").rules()
    assert parse_transcript(text, Choice("individual-draw", target=50)).target == 50
    assert parse_transcript(text, Choice("individual-draw")).target == 100


def test_a_document_is_judged_by_another_variant():
    content = json.dumps(DOCUMENT)
    chosen = parse_round(content, Choice("household-draw"))
    assert chosen.rules == load_variant("household-draw").rules()


def test_rules_that_cannot_be_played_are_refused():
    with pytest.raises(RulesError, match=r"^line 3: .*25 players|^line 3"):
        parse_transcript("simdom-transcript 1\nvariant none\nplayers 14\n0: 6-6\n")


def test_a_transcript_made_in_python():
    rules = load_variant("pagat-block").rules()
    six = parse_tile("6-6", 6)
    made = Transcript(
        "pagat-block", rules, (WrittenRound((None, None), turns=(WrittenTurn(0, tile=six),)),)
    )
    assert write_transcript(made).endswith("players 2\n0: 6-6\n")
