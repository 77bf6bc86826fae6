"""What the documents say works: commands and examples run, and links lead somewhere."""

import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)")
SPEED = re.compile(r"^[\d.,]+ s on .* rounds a second.*$", re.MULTILINE)
MAKE_TARGET = re.compile(r"^([a-z-]+):", re.MULTILINE)


def blocks(language):
    """The fenced blocks of all documents in one language, as pytest parameters."""
    return [
        pytest.param(text, id=f"{document.relative_to(ROOT)}-{number}")
        for document in DOCUMENTS
        for number, (found, text) in enumerate(FENCE.findall(document.read_text("utf-8")), 1)
        if found == language
    ]


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
@pytest.mark.parametrize("text", blocks("console"))
def test_commands_print_what_is_shown(shell, text):
    for command, shown in commands(text):
        printed = shell(command)
        if shown:
            assert SPEED.sub("SPEED", printed).strip("\n") == SPEED.sub("SPEED", shown), command


@pytest.mark.jit
@pytest.mark.parametrize("text", blocks("python"))
def test_python_examples_run(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    example = tmp_path / "example.py"
    example.write_text(text, encoding="utf-8")
    runpy.run_path(str(example))


@pytest.mark.parametrize("text", blocks("sh"))
def test_make_targets_exist(text):
    targets = set(MAKE_TARGET.findall((ROOT / "Makefile").read_text("utf-8")))
    for line in text.splitlines():
        words = shlex.split(line, comments=True)
        assert words[0] == "make", "a command that can be tested belongs into a console block"
        assert set(words[1:]) <= targets


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
