"""How what a run found gets into its folder."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TypeVar

from simdom.running.folder import METRICS_FILE, PLOT_FILE, RESULT_FILE, RunFolder

__all__ = ["Answer", "Keep", "keep", "opened_folder"]

Keep = str | Path | RunFolder | None
"""Where a run is kept: a new folder, one that the caller has opened and fills, or nowhere."""


class Answer(Protocol):
    """What a run found, as documents."""

    def to_json(self) -> str:
        """All of it."""
        ...

    def to_csv(self) -> str:
        """The figures."""
        ...


A = TypeVar("A", bound=Answer)


@contextmanager
def opened_folder(where: Keep) -> Iterator[RunFolder | None]:
    """The folder that a run is kept in, open.

    Raises:
        UsageError: as `RunFolder`.
    """
    if where is None or isinstance(where, RunFolder):
        yield where
        return
    with RunFolder(where) as folder:
        yield folder


def keep(where: Keep, folder: RunFolder | None, answer: A, *, whole: bool) -> A:
    """Return ``answer``, which is saved if the folder is nobody else's business.

    Args:
        where: that was asked for.
        folder: which is open; None keeps nothing.
        answer: what was found.
        whole: whether the run is over.

    Raises:
        RunError: it cannot be written.
    """
    if folder is not None and not isinstance(where, RunFolder):
        fill(folder, answer, whole=whole)
    return answer


def fill(folder: RunFolder, answer: Answer, *, whole: bool, plot: bytes | None = None) -> bool:
    """Save what was found; return False if there is a whole result that a part must not replace.

    Raises:
        RunError: it cannot be written.
    """
    if not whole and folder.holds_whole_result:
        return False
    contents = {RESULT_FILE: answer.to_json().encode(), METRICS_FILE: answer.to_csv().encode()}
    if plot is not None:
        contents[PLOT_FILE] = plot
    folder.finish(contents, whole=whole)
    return True
