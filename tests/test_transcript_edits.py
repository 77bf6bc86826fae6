"""A transcript that is edited in one place is refused, or the referee reports it differently."""

import json
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from simdom.errors import UsageError
from simdom.simulate import study_of
from simdom.tiles import tile_name
from simdom.transcripts.loading import parse_content
from simdom.transcripts.recording import transcribe
from simdom.transcripts.referee import judge
from simdom.transcripts.round_document import round_to_dict
from simdom.transcripts.writing import write_transcript
from simdom.variants import load_variant, variant_names

CHARACTERS = "0123456789-?:;=_ abcdefghilnoprstuvwy"


@cache
def record(name, players, index):
    study = study_of(load_variant(name).rules(players), "random", 1)
    return transcribe(name, study, index)[0]


@st.composite
def recorded(draw):
    """A recorded round of any preset."""
    name = draw(st.sampled_from(variant_names()))
    players = draw(st.sampled_from(load_variant(name).players))
    return record(name, players, draw(st.integers(0, 4)))


@cache
def report_of(content):
    """What the referee reports, or None if it cannot read it."""
    try:
        return judge(parse_content(content.encode())).to_dict()
    except UsageError:
        return None


def check_differs(before, after):
    assert report_of(before)["legal"]
    assert report_of(after) != report_of(before), after


@settings(max_examples=300)
@given(recorded(), st.data())
def test_one_character(transcript, data):
    """Another character anywhere but in place of a space."""
    text = write_transcript(transcript)
    places = [at for at, character in enumerate(text) if not character.isspace()]
    at = data.draw(st.sampled_from(places))
    character = data.draw(st.sampled_from(CHARACTERS.replace(text[at], "")))
    check_differs(text, text[:at] + character + text[at + 1 :])


@settings(max_examples=100)
@given(recorded(), st.data())
def test_one_character_more_or_less(transcript, data):
    text = write_transcript(transcript)
    at = data.draw(st.integers(0, len(text) - 2))
    if data.draw(st.booleans()):
        assume(not text[at].isspace() or text[at - 1 : at + 2].strip(" ").isalnum())
        edited = text[:at] + text[at + 1 :]
    else:
        edited = text[:at] + data.draw(st.sampled_from(CHARACTERS.replace(" ", ""))) + text[at:]
    assume("".join(edited.split()) != "".join(text.split()))
    check_differs(text, edited)


@settings(max_examples=200)
@given(recorded(), st.data())
def test_one_line(transcript, data):
    """A turn that is left out, written twice, or changed with the one before it.

    Two passes in a row and the like are the same whatever their order, but not their seats.
    """
    lines = write_transcript(transcript).splitlines()
    first = next(at for at, line in enumerate(lines) if line[0].isdigit())
    at = data.draw(st.integers(first, len(lines) - 2))
    how = data.draw(st.sampled_from(["left out", "twice", "swapped"]))
    edited = list(lines)
    if how == "left out":
        del edited[at]
    elif how == "twice":
        edited.insert(at, lines[at])
    else:
        assume(at > first)
        edited[at - 1 : at + 1] = reversed(lines[at - 1 : at + 1])
    check_differs("\n".join(lines), "\n".join(edited))


@settings(max_examples=200)
@given(recorded(), st.data())
def test_one_tile(transcript, data):
    """Another tile of the set, or none, where one is dealt, drawn or placed."""
    words = write_transcript(transcript).split(" ")
    places = [at for at, word in enumerate(words) if word.split("\n")[0].count("-") == 1]
    places = [at for at in places if words[at].split("\n")[0][0].isdigit()]
    at = data.draw(st.sampled_from(places))
    old, *rest = words[at].split("\n")
    tile = tile_name(data.draw(st.integers(0, transcript.rules.tiles - 1)))
    assume(tile != old)
    words[at] = "\n".join([tile, *rest])
    check_differs(write_transcript(transcript), " ".join(words))


NOT_JUDGED = {"variant", "schema"}


def leaves(value, way=()):
    """The ways to all plain values of a document."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*way, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from leaves(inner, (*way, at))
    else:
        yield way


@settings(max_examples=300)
@given(recorded(), st.data())
def test_one_value_of_a_document(transcript, data):
    document = round_to_dict(transcript)
    before = json.dumps(document)
    ways = [way for way in leaves(document) if way[0] not in NOT_JUDGED]
    *way, key = data.draw(st.sampled_from(ways))
    inside = document
    for step in way:
        inside = inside[step]
    old = inside[key]
    # Not null, which says nothing: what follows from all else may be left out.
    new = data.draw(st.one_of(st.integers(0, 18), st.sampled_from(["6-4", "0-0", "1-0"])))
    assume(new != old)
    # The number of a named value is another spelling of it.
    assume(way[:1] != ["rules"] or type(new) is type(old))
    inside[key] = new
    check_differs(before, json.dumps(document))


@pytest.mark.parametrize("claim", ["; points 23", "; winner 0", "end: blocked"])
def test_what_is_not_said_is_not_wrong(claim):
    """Leaving out what follows from the rest changes nothing; saying it wrongly does."""
    text = write_transcript(record("pagat-block", 3, 1263))
    assert claim in text
    edited = text[: text.index("end:")] if claim.startswith("end") else text.replace(claim, "")
    assert report_of(edited) == report_of(text)
