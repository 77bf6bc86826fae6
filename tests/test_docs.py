"""What the documents say works: commands and examples run, and links lead somewhere."""

import os
import re
import runpy
import shlex
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from itertools import zip_longest
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)")
SPEED = re.compile(r"^[\d.,]+ s on .* rounds a second.*$", re.MULTILINE)
FILE_NAME = re.compile(r"# (\S+\.toml)\n")
MAKE_TARGET = re.compile(r"^([a-z-]+):", re.MULTILINE)


def blocks(language):
    """The fenced blocks of all documents in one language, as pytest parameters.

    Each comes with its document, and with the text block that stands right after it; or None.
    """
    parameters = []
    for document in DOCUMENTS:
        text = document.read_text("utf-8")
        found = [*FENCE.finditer(text)]
        for number, (block, following) in enumerate(zip_longest(found, found[1:]), 1):
            shown = None
            if following and following[1] == "text":
                shown = None if text[block.end() : following.start()].strip() else following[2]
            if block[1] == language:
                name = f"{document.relative_to(ROOT)}-{number}"
                parameters.append(pytest.param(document, block[2], shown, id=name))
    return parameters


def write_files(document, folder):
    """Write the TOML files that a document shows, each named in its first line."""
    for language, text in FENCE.findall(document.read_text("utf-8")):
        if language == "toml":
            (folder / FILE_NAME.match(text)[1]).write_text(text, encoding="utf-8")


def commands(text):
    """The commands of a console block, each with the output that is shown for it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            more, _, output = output.partition("\n")
            command = command.removesuffix("\\") + more.removeprefix("> ")
        yield command, output.strip("\n")


@pytest.fixture
def shell(tmp_path):
    """Runs a command as a reader would, in an empty folder, and returns what it prints."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "COLUMNS": "80"}

    def run(command):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        return done.stdout

    return run


@pytest.mark.jit
@pytest.mark.parametrize(("document", "text", "_"), blocks("console"))
def test_commands_print_what_is_shown(shell, tmp_path, document, text, _):
    write_files(document, tmp_path)
    for command, shown in commands(text):
        printed = shell(command)
        if shown:
            lines = [line.rstrip() for line in SPEED.sub("SPEED", printed).strip("\n").splitlines()]
            assert lines == SPEED.sub("SPEED", shown).splitlines(), command


@pytest.mark.jit
@pytest.mark.parametrize(("document", "text", "shown"), blocks("python"))
def test_python_examples_run_and_print_what_is_shown(
    document, text, shown, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    write_files(document, tmp_path)
    example = tmp_path / "example.py"
    example.write_text(text, encoding="utf-8")
    runpy.run_path(str(example))
    if shown is not None:
        assert capsys.readouterr().out == shown


@pytest.mark.parametrize(("_", "text", "__"), blocks("sh"))
def test_make_targets_and_environment_exist(_, text, __):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(MAKE_TARGET.findall(makefile))
    for line in text.splitlines():
        words = shlex.split(line, comments=True)
        if words[0] == "make":
            assert set(words[1:]) <= targets
        elif words[0] == "source":
            assert words[1:] == [".venv/bin/activate"]
            assert "\nVENV := .venv\n" in makefile
        else:
            installs = words == ["pip", "install", "/path/to/simdom"]
            assert installs, "a command that can be tested belongs into a console block"


def rows_of_table(document, heading):
    """The cells of the first table of a document after ``heading``, without back quotes."""
    text = (ROOT / "docs" / document).read_text("utf-8").split(heading)[1]
    table = re.search(r"^\|.*?(?=\n\n)", text, re.MULTILINE | re.DOTALL)[0]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in table.split("\n")]


def test_the_features_are_those_of_the_code():
    from simdom.strategies import FEATURE_DOCS

    rows = rows_of_table("own-rules.md", "## A way to play of your own")[2:]
    assert rows == [list(item) for item in FEATURE_DOCS.items()]


@pytest.mark.parametrize(
    ("heading", "model"),
    [
        ("## A study of your own", "simdom.grids.plan.StudyFile"),
        ("## Claims of your own", "simdom.published.claims_file.ClaimTable"),
    ],
)
def test_the_keys_of_files_of_ones_own_are_those_of_the_code(heading, model):
    module, _, name = model.rpartition(".")
    keys = [row[0] for row in rows_of_table("own-rules.md", heading)[2:]]
    assert sorted(keys) == sorted(getattr(import_module(module), name).model_fields)


def test_the_columns_and_the_keys_are_those_of_the_code():
    import simdom

    columns = [row[0] for row in rows_of_table("python.md", "## One row a round")[2:]]
    assert columns.pop() == "points_0`, `points_1`, ..."
    assert columns.pop() == "pips_0`, `pips_1`, ..."
    frame = simdom.simulate_rounds("pagat-draw", 1)
    by_seat = ["pips_0", "pips_1", "points_0", "points_1"]
    assert [*columns, *by_seat] == list(frame.columns)
    keys = [row[0] for row in rows_of_table("python.md", "`result.json` has these keys")[2:]]
    partial = replace(simdom.simulate("pagat-draw", 1), asked=2)
    assert sorted(keys) == sorted(partial.to_dict())


def test_the_files_of_ones_own_are_what_the_text_says(tmp_path):
    from simdom.strategies import load_strategy
    from simdom.variants import Source, load_variant

    write_files(ROOT / "docs" / "own-rules.md", tmp_path)
    variant = load_variant(str(tmp_path / "my-table.toml"))
    assert [variant.rules(count).deal for count in variant.players] == [7, 5, 5]
    assert variant.rules().reserve == 1
    assert variant.sources == (Source("house", "Our own table."),)
    strategy = load_strategy(str(tmp_path / "my-play.toml"))
    assert strategy.weighted == {"pips": 1, "double": 3, "own_fit": 2.5}
    assert (strategy.temperature, strategy.ties) == (2, "placements")


def headings_and_anchors(path):
    text = path.read_text("utf-8")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    anchors = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return text, anchors


@pytest.mark.parametrize("name", ["own-rules.md", "python.md", "scale.md"])
def test_contents_lists_lead_to_every_heading(name):
    text, anchors = headings_and_anchors(ROOT / "docs" / name)
    assert re.findall(r"^- .*\]\(#([^)]+)\)", text, re.MULTILINE) == anchors


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_to_headings_of_other_documents_lead_there(document):
    for path, anchor in re.findall(r"\]\(([\w./-]+\.md)#([^)]+)\)", document.read_text("utf-8")):
        text, anchors = headings_and_anchors(document.parent / path)
        deeper = re.findall(r"^### (.+)$", text, re.MULTILINE)
        assert anchor in [*anchors, *(heading.lower().replace(" ", "-") for heading in deeper)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document):
    for target in LINK.findall(document.read_text("utf-8")):
        if not target.startswith("https://"):
            assert (document.parent / target).exists(), target


def test_the_changelog_has_this_version():
    from simdom import __version__

    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"## [{__version__}] - " in text
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
