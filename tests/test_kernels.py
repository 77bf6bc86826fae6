"""What numba keeps on disk is keyed by everything that the compiled code was made from."""

import shutil
from pathlib import Path

import pytest

from simdom.engine import kernels


@pytest.fixture
def copied_package(tmp_path, monkeypatch):
    """A copy of the package's sources, which the digest looks at instead of the real ones."""
    package = tmp_path / "simdom"
    shutil.copytree(Path(kernels.__file__).parent.parent, package)
    monkeypatch.setattr(kernels, "__file__", str(package / "engine" / "kernels.py"))
    return package


def digest():
    return kernels._digest_of_sources.__wrapped__()


@pytest.mark.usefixtures("copied_package")
def test_the_same_sources_have_the_same_digest():
    assert digest() == kernels._digest_of_sources()


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
        [cell.cell_contents for cell in getattr(kernel, "py_func", kernel).__closure__]
        for kernel in (one, other)
    ]
    assert cells == [[1], [2]]
