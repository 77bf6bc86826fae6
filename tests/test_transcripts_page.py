"""``docs/transcripts.md`` says what is so: its examples, its grammar, its tables."""

import json
import re
from pathlib import Path

import pytest

from simdom.simulate import study_of
from simdom.transcripts.loading import LARGEST
from simdom.transcripts.reading import HEADER, LONGEST_LINE, MOST_ROUNDS, ROUND, parse_transcript
from simdom.transcripts.recording import transcribe
from simdom.transcripts.referee import RULES, judge
from simdom.transcripts.round_document import parse_round, round_to_dict
from simdom.transcripts.verdict import tell_report
from simdom.variants import load_variant

TEXT = (Path(__file__).parent.parent / "docs" / "transcripts.md").read_text("utf-8")
EXAMPLES = re.findall(r"```simdom\n(.*?)```\n\n```text\n(.*?)```", TEXT, re.DOTALL)


def rows_under(heading):
    """The cells of the first table after a heading."""
    table = TEXT.split(f"\n## {heading}\n")[1].split("\n|---|---|\n")[1].split("\n\n")[0]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()]


@pytest.mark.parametrize(("text", "verdict"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_the_examples_are_judged_as_is_shown(text, verdict):
    assert tell_report(judge(parse_transcript(text))) == verdict


def test_the_example_with_a_wrong_pass():
    text, _ = EXAMPLES[0]
    wrong = text.replace("\n0: 3-0 on 0\n", "\n0: pass\n")
    assert f"```text\n{tell_report(judge(parse_transcript(wrong)))}```" in TEXT


def test_the_lines_and_the_grammar_name_every_word():
    grammar = re.search(r"```ebnf\n(.*?)```", TEXT, re.DOTALL)[1]
    told = " ".join(row[0] for row in rows_under("The lines"))
    for word in {*HEADER, *ROUND}:
        assert re.search(rf'"{word}:?"', grammar), word
        assert f"`{word}" in told, word


def test_every_rule_is_told():
    rows = rows_under("What the referee says")
    assert {row[0].strip("`"): row[1] for row in rows} == RULES


def test_the_limits_are_those_of_the_code():
    for limit in (LARGEST, LONGEST_LINE, MOST_ROUNDS):
        assert f"{limit:,}" in TEXT


def test_the_keys_of_the_document_are_told():
    study = study_of(load_variant("pagat-draw").rules(), "random", 1)
    document = round_to_dict(transcribe("pagat-draw", study, 0)[0])
    told = {row[0].strip("`") for row in rows_under("The document of a round")}
    assert set(document) - {"variant"} <= told
    needed = {key: document[key] for key in ("schema", "rules", "hands", "turns")}
    assert judge(parse_round(json.dumps(needed))).is_legal
    for key in told - set(document):
        extra = {"leader": 0, "names": ["Anna", None]}[key]
        assert parse_round(json.dumps(needed | {key: extra}))


def test_the_keys_of_the_report_are_told():
    report = judge(parse_transcript(EXAMPLES[2][0])).to_dict()
    section = TEXT.split("\n## What the referee says\n")[1]
    for key in set(report) - {"schema", "names"}:
        assert f"`{key}`" in section, key
