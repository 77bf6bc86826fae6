"""What numba keeps on disk is keyed by everything that the compiled code was made from."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simdom.engine import kernels, streams


@pytest.fixture
def copied_package(tmp_path, monkeypatch):
    """A copy of the package's sources, which the digest looks at instead of the real ones."""
    package = tmp_path / "simdom"
    shutil.copytree(Path(kernels.__file__).parent.parent, package)
    monkeypatch.setattr(kernels, "__file__", str(package / "engine" / "kernels.py"))
    return package


def digest():
    return kernels.digest_of_sources.__wrapped__()


@pytest.mark.usefixtures("copied_package")
def test_the_same_sources_have_the_same_digest():
    assert digest() == kernels.digest_of_sources()


@pytest.mark.parametrize("name", ["engine/choose.py", "engine/scoring.py", "tiles.py"])
def test_a_changed_source_changes_the_digest(copied_package, name):
    before = digest()
    with (copied_package / name).open("a") as source:
        source.write("\n")
    assert digest() != before


def test_a_changed_order_of_features_changes_the_digest(monkeypatch):
    before = digest()
    monkeypatch.setattr(kernels, "FEATURES", kernels.FEATURES[::-1])
    assert digest() != before


def test_the_digest_is_part_of_the_compiled_code():
    one, other = (kernels._list_kernel.__wrapped__(number) for number in (1, 2))
    cells = [
        [cell.cell_contents for cell in getattr(kernel, "__wrapped__", kernel).__closure__]
        for kernel in (one, other)
    ]
    assert cells == [[1], [2]]


def test_torn_files_of_compiled_code_are_made_again(tmp_path):
    """A power cut leaves files of no bytes; others may hold anything."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", "from simdom.cli import main; main()", "run", "-n", "10", "-q"]

    def figures():
        done = subprocess.run(
            [*command, "--format", "csv"], env=environment, capture_output=True, check=True
        )
        return done.stdout

    before = figures()
    for number, file in enumerate(sorted(tmp_path.rglob("*.nb*"))):
        file.write_bytes(b"" if number % 2 else b"torn")
    assert figures() == before


def test_without_a_folder_to_keep_code_in_it_is_compiled_each_time(monkeypatch):
    njit = streams._njit

    def nowhere_to_keep(**options):
        if "cache" in options:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(**options)

    monkeypatch.setattr(streams, "_njit", nowhere_to_keep)
    assert streams.entry_point(lambda x: x + 1)(2) == 3
