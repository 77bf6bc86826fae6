"""docs/rules.md says what the program does."""

import re
from pathlib import Path

from preset_values import PRESETS, WORLD, of_world
from simdom.rules import TOGGLES, Rules, rules_to_dict
from simdom.variants import load_variant, variant_names

DOC = (Path(__file__).parent.parent / "docs" / "rules.md").read_text(encoding="utf-8")


def rows_of_table(heading):
    """The cells of the first table of docs/rules.md after ``heading``, without back quotes."""
    section = DOC.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_docs_have_every_toggle_value_meaning_and_default():
    rows = rows_of_table("Toggles")
    expected = []
    for name, toggle in TOGGLES.items():
        default = Rules._field_defaults[name]
        if toggle.enum is None:
            expected.append(
                (name, f"{toggle.lowest} to {toggle.highest}", toggle.doc, str(default))
            )
        for member in toggle.enum or ():
            is_first = member == min(toggle.enum)
            expected.append(
                (
                    name if is_first else "",
                    member.name.lower(),
                    member.doc,
                    "yes" if member == default else "",
                )
            )
    assert [(row[0], row[1], row[2], row[4]) for row in rows] == expected
    assert all(row[3] for row in rows)


def test_docs_have_every_preset():
    rows = {row[0]: row[1:] for row in rows_of_table("Presets")}
    assert list(rows) == list(PRESETS)
    for name, (players, deals, yard, reserve, opening, score, targets, source) in PRESETS.items():
        assert rows[name] == [
            ", ".join(map(str, players)),
            ", ".join(map(str, deals)),
            yard,
            "-" if yard == "block" else str(reserve),
            opening,
            score,
            ", ".join(map(str, targets if len(set(targets)) > 1 else targets[:1])),
            source,
        ]


def test_docs_have_every_preset_of_the_world():
    rows = {row[0]: row[1:] for row in rows_of_table("Presets of the world")}
    assert list(rows) == list(WORLD)
    for name, (country, players, target, source, toggles) in WORLD.items():
        rules = [rules_to_dict(Rules()) | of_world(name, count) for count in players]
        shown = ("opening", "block_winner", "domino_score", "block_score", "block_tie")
        assert rows[name] == [
            country or "-",
            "2 to 10" if len(players) == 9 else ", ".join(map(str, players)),
            ", ".join(dict.fromkeys(str(each["max_pip"]) for each in rules)),
            ", ".join(dict.fromkeys(str(each["deal"]) for each in rules)),
            *(
                "-" if toggle == "block_winner" and "teams" not in toggles else rules[0][toggle]
                for toggle in (*shown, "later_lead")
            ),
            str(target),
            source,
        ]
        assert {each["named_double"] for each in rules} == {6}
        assert f"`{name}`" in DOC.split("\n## Presets of the world\n")[1]


def test_docs_say_who_leads_after_a_tie():
    """In the presets of the world, where that is not the opening again."""
    section = DOC.split("\n## Presets of the world\n")[1].split("\n## ")[0]
    (text,) = re.findall(r"- After a tie (.*?)\n\n", section, re.DOTALL)
    by_lead = {
        "the next seat leads in": "next_seat",
        "and the same seat in": "same_opener",
    }
    for words, lead in by_lead.items():
        named = re.findall(r"`([\w-]+)`", text.split(words)[1].split(", and the")[0])
        told = [name for name, (*_, toggles) in WORLD.items() if toggles.get("tie_lead") == lead]
        assert sorted(named) == sorted(told)


def test_docs_know_every_source_of_the_presets():
    for name in variant_names():
        for source in load_variant(name).sources:
            assert f"| {source.id} |" in DOC


def test_docs_links_lead_somewhere():
    headings = re.findall(r"^## (.+)$", DOC, re.MULTILINE)
    anchors = [heading.lower().replace(" ", "-") for heading in headings]
    assert re.findall(r"^- \[.+\]\(#([^)]+)\)$", DOC, re.MULTILINE) == anchors
    assert set(re.findall(r"\]\(#([^)]+)\)", DOC)) == set(anchors)
