"""The notebooks run, print what is committed, and show the pictures that are committed."""

import ast
import os

import nbformat
import pytest

from run_notebooks import NOTEBOOKS, execute

BOOKS = sorted(NOTEBOOKS.glob("*.ipynb"))


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts_of(notebook):
    """What each cell prints, and how it shows its value; of pictures only that there is one."""
    shown = []
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if output.output_type == "stream":
                assert output.name == "stdout"
                shown.append(output.text)
                continue
            data = dict(output.data)
            if "image/png" in data:
                shown.append("a picture")
            else:
                shown += [data["text/plain"], data.get("text/html", "")]
    return shown


def test_there_are_six():
    assert [book.name[:2] for book in BOOKS] == ["01", "02", "03", "04", "05", "06"]


@pytest.mark.jit
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_notebook_prints_what_is_committed(book, monkeypatch):
    monkeypatch.setenv("SIMDOM_CELLS", os.environ["SIMDOM_CELLS"])  # executing sets another
    committed = nbformat.read(book, as_version=4)
    texts = texts_of(committed)
    assert "a picture" in texts
    assert texts_of(execute(book)) == texts


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_notebook_uses_the_public_interface_only(book):
    imported = set()
    for cell in code_cells(nbformat.read(book, as_version=4)):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module)
    assert "simdom" in imported
    assert imported <= {"simdom", "pandas", "pathlib"}
