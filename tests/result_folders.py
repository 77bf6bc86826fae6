"""Folders of results for tests of the catalogue: real documents, and what may lie beside them."""

import json
from pathlib import Path

from simdom.running.checkpoint import _checksum

DOCUMENTS = Path(__file__).parent / "data" / "documents"
"""One of each kind, as the first version wrote it, and of results one of each later form."""

DRAW, MATCHES = "result-1-first.json", "result-1-matches.json"


def content(name):
    """A saved document of `DOCUMENTS` as Python has it."""
    return json.loads((DOCUMENTS / name).read_text("utf-8"))


def write(path, document):
    """Write a document or text into a file, and make its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = document if isinstance(document, str) else json.dumps(document)
    path.write_text(text, encoding="utf-8")
    return path


def checkpoint(done=3_000_000, asked=10_000_000, kind="run", unit="round", first=0):
    """What a long run leaves behind, as far as the catalogue reads it."""
    job = {"kind": kind, "unit": unit, "said": "pagat-draw", "identity": {"first": first}}
    document = {
        "schema": "simdom.checkpoint/1",
        "simdom": "0.1.0",
        "job": job | {"arguments": None, "folder": "/"},
        "asked": asked,
        "until": {},
        "max_time": None,
        "next_look": 0,
        "done": done,
        "seconds": 1.0,
        "tally": {"rounds": done},
    }
    return {**document, "sha256": _checksum(document)}
