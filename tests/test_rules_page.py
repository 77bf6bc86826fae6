"""docs/rules.md says what the program does."""

import re
from pathlib import Path

from preset_values import PRESETS
from simdom.rules import TOGGLES, Rules
from simdom.variants import load_variant

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


def test_docs_know_every_source_of_the_presets():
    for name in PRESETS:
        for source in load_variant(name).sources:
            assert f"| {source.id} |" in DOC


def test_docs_links_lead_somewhere():
    headings = re.findall(r"^## (.+)$", DOC, re.MULTILINE)
    anchors = [heading.lower().replace(" ", "-") for heading in headings]
    assert re.findall(r"^- \[.+\]\(#([^)]+)\)$", DOC, re.MULTILINE) == anchors
    assert set(re.findall(r"\]\(#([^)]+)\)", DOC)) == set(anchors)
