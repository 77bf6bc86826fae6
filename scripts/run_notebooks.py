"""Execute the notebooks and keep their outputs: ``python scripts/run_notebooks.py``."""

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
from nbclient import NotebookClient

if TYPE_CHECKING:
    from nbformat import NotebookNode

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
PATIENCE = 600  # seconds for a cell; the first ones may have to compile the engine


def execute(path: Path) -> "NotebookNode":
    """The notebook with fresh outputs, executed in a new folder; the file stays as it is.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell failed.
    """
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SIMDOM_CELLS"] = str(Path(folder) / "cells")
        client = NotebookClient(
            notebook,
            timeout=PATIENCE,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": folder}},
        )
        client.execute()
    return notebook


if __name__ == "__main__":
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        nbformat.write(execute(path), path)
