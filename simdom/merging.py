"""Pieces of one run, played anywhere, put together to what the whole run would have been."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from simdom.errors import UsageError, brief
from simdom.results import Result
from simdom.resuming import resume
from simdom.running.checkpoint import Checkpoint, first_difference, read_checkpoint
from simdom.running.folder import CHECKPOINT_FILE, TALLY_FILE, RunFolder
from simdom.running.keeping import fill

__all__ = ["merge_results"]

KINDS = ("run", "match")


class _Piece(NamedTuple):
    """A part of a run.

    Attributes:
        folder: that it is in.
        kept: its sums.
        first: index of its first round or match.
    """

    folder: Path
    kept: Checkpoint
    first: int

    @property
    def stop(self) -> int:
        """Index after its last."""
        return self.first + self.kept.done


def merge_results(
    *directories: str | Path | Sequence[str | Path],
    checkpoint: str | Path | RunFolder | None = None,
) -> Result:
    """The result of all the rounds, or matches, of several pieces, equal to that of one run.

    Args:
        directories: at least two folders, one by one or in a list, in which runs or matches were
            kept, see `simdom.simulate.simulate`: pieces of one study, which together have no gap.
        checkpoint: a new folder in which the result is saved, to be gone on with like any other;
            or one that is open, which the caller fills. None saves nothing.

    Raises:
        UsageError: fewer than two; one in which no such run was kept; pieces that overlap, leave a
            gap, or are of different studies, seeds or versions of simdom; files that their variant
            or strategies came from are not what they were; ``checkpoint`` cannot be used.
        RunError: ``checkpoint`` cannot be written.

    >>> from simdom import simulate
    >>> with TemporaryDirectory() as above:
    ...     a, b = f"{above}/a", f"{above}/b"
    ...     piece = simulate("pagat-block", 300, checkpoint=a)
    ...     piece = simulate("pagat-block", 200, first=300, checkpoint=b)
    ...     both = merge_results(b, a)
    >>> both.rounds, both.metrics == simulate("pagat-block", 500).metrics
    (500, True)
    """
    folders = [_folder(each) for given in directories for each in _as_list(given)]
    if len(folders) < 2:  # noqa: PLR2004 -- as it says
        raise UsageError(f"{len(folders)} piece to put together: give at least 2 folders")
    pieces = sorted((_piece(folder) for folder in folders), key=lambda piece: piece.first)
    _check(pieces)
    whole = _whole(pieces)
    if checkpoint is None:
        with TemporaryDirectory(prefix="simdom-") as folder:
            return merge_into(Path(folder) / "merged", whole)
    return merge_into(checkpoint, whole)


def merge_into(where: str | Path | RunFolder, whole: Checkpoint) -> Result:
    """The result of merged sums, saved if ``where`` is a path."""
    if isinstance(where, RunFolder):
        where.start = whole
        result = resume(where)
    else:
        with RunFolder(where) as folder:
            folder.start = whole
            result = resume(folder)
            fill(folder, result, whole=True)
    if not isinstance(result, Result):
        raise TypeError(f"{result!r} is no result")
    return result


def _as_list(given: object) -> list[object]:
    return list(given) if isinstance(given, list | tuple) else [given]


def _folder(given: object) -> Path:
    if not isinstance(given, str | Path):
        raise UsageError(f"a piece is the folder that a run was kept in, not {brief(given)}")
    return Path(given)


def _piece(folder: Path) -> _Piece:
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder that a run was kept in")
    there = [name for name in (TALLY_FILE, CHECKPOINT_FILE) if (folder / name).exists()]
    if not there:
        raise UsageError(
            f"{folder} has no {TALLY_FILE}, the sums that a result is made of: `simdom run --out` "
            "keeps them"
        )
    kept = read_checkpoint(folder / there[0])
    if len(there) > 1 and read_checkpoint(folder / there[1]).job.identity != kept.job.identity:
        raise UsageError(
            f"{folder} holds a result and an unfinished run of another study: finish it, or delete "
            f"its {there[1]}"
        )
    if kept.job.kind not in KINDS:
        raise UsageError(
            f"{folder} holds a {kept.job.kind}: only runs and matches are put together"
        )
    return _Piece(folder, kept, int(kept.job.identity.get("first", 0)))


def _check(pieces: Sequence[_Piece]) -> None:
    """Return if pieces in their order make one run.

    Raises:
        UsageError: they do not.
    """
    head = pieces[0]
    for before, piece in pairwise(pieces):
        here = piece.kept.job.identity | {"first": head.first}
        differing = first_difference(head.kept.job.identity, here)
        if differing is not None:
            raise UsageError(
                f"{head.folder} and {piece.folder} are of different studies: {differing}"
            )
        units = f"{piece.kept.job.unit}es" if piece.kept.job.kind == "match" else "rounds"
        if piece.first < before.stop:
            raise UsageError(
                f"{before.folder} and {piece.folder} overlap: {units} {before.first:,} to "
                f"{before.stop - 1:,}, and {piece.first:,} to {piece.stop - 1:,}"
            )
        if piece.first > before.stop:
            raise UsageError(
                f"{units} {before.stop:,} to {piece.first - 1:,} are in none of the pieces: they "
                f"lie between {before.folder} and {piece.folder}"
            )


def _whole(pieces: Sequence[_Piece]) -> Checkpoint:
    """A checkpoint with the sums of all."""
    head = pieces[0].kept
    tally = head.tally
    for piece in pieces[1:]:
        tally = _add(tally, piece.kept.tally)
    done = sum(piece.kept.done for piece in pieces)
    return head.model_copy(
        update={
            "tally": tally,
            "done": done,
            "asked": done,
            "until": {},
            "max_time": None,
            "next_look": 0,
            "seconds": sum(piece.kept.seconds for piece in pieces),
        }
    )


def _add(a: Any, b: Any) -> Any:  # noqa: ANN401 -- as JSON has them
    """The sum of two plain tallies, number by number.

    Raises:
        UsageError: they have not the same shape.
    """
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return {name: _add(a[name], b[name]) for name in a}
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [_add(x, y) for x, y in zip(a, b, strict=True)]
    if type(a) is int and type(b) is int:
        return a + b
    raise UsageError("the sums of the pieces have different shapes: one of them was changed")
