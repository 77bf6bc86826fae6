"""What a process of a cluster does: it shows that it is the same simdom, then plays a chunk."""

import pickle
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.metadata import version
from textwrap import shorten
from typing import Any, NamedTuple

from simdom._version import __version__
from simdom.errors import ExecutorError

__all__ = ["Build", "build_here", "check_same", "in_a_line", "play_chunk", "sealed"]

WORKER = "worker"
LONGEST = 200  # characters of what another library says


class Build(NamedTuple):
    """What must be the same in every process of a run.

    Attributes:
        simdom: its version.
        sources: digest of what the engine is compiled from, so that two checkouts of one version
            are told apart: figures of both must not be added.
        python: major and minor version, for what is sent is pickled.
        distributed: its version, for its processes speak to their like only.
    """

    simdom: str
    sources: int
    python: str
    distributed: str


@cache
def build_here() -> Build:
    """The build of this process."""
    from simdom.engine.kernels import digest_of_sources

    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Build(__version__, digest_of_sources(), python, version("distributed"))


def check_same(where: str, found: Build, wanted: Build) -> None:
    """Return if two builds are the same.

    Args:
        where: the process that has ``found``, such as "worker tcp://127.0.0.1:40001".
        found: what that process has.
        wanted: what the process has that started the run.

    Raises:
        ExecutorError: they are not; the line says which part differs.
    """
    for part in ("simdom", "python", "distributed"):
        theirs, ours = getattr(found, part), getattr(wanted, part)
        if theirs != ours:
            name = part.replace("python", "Python")
            raise ExecutorError(
                f"{where} runs {name} {theirs}, this is {ours}: install the same on both"
            )
    if found.sources != wanted.sources:
        raise ExecutorError(
            f"{where} runs another engine that is called simdom {found.simdom}, too: "
            "install the same on both"
        )


@lru_cache(maxsize=8)
def _unpacked(work: bytes) -> Callable[[range], Any]:
    """What was sent, once for all of its chunks."""
    work_itself: Callable[[range], Any] = pickle.loads(work)  # noqa: S301 -- of the client
    return work_itself


def play_chunk(wanted: Build, work: bytes, chunk: range) -> Any:  # noqa: ANN401 -- whatever work gives
    """Play a chunk on a worker.

    Args:
        wanted: build of the process that sends it.
        work: pickled function of a chunk.
        chunk: of indices.

    Raises:
        ExecutorError: this worker has another build.
    """
    from distributed import get_worker

    if build_here() != wanted:
        check_same(f"{WORKER} {get_worker().address}", build_here(), wanted)
    return _unpacked(work)(chunk)


def in_a_line(error: BaseException) -> str:
    """What an error of another library says, on one short line."""
    says = str(error).strip().splitlines()
    kind = type(error).__name__
    return f"{kind}: {shorten(says[0], LONGEST, placeholder=' …')}" if says else kind


class _Call:
    """What is pickled as a call: to unpickle it is to make it."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._made = function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._made


def sealed(function: Callable[..., Any], *arguments: Any) -> bytes:  # noqa: ANN401 -- those of function
    """A call as bytes, which `pickle.loads` makes.

    A dask worker dies of a task that names a function which it cannot import, and a scheduler
    cannot pass it on. To open bytes is a task that all of them know, and where simdom is missing it
    fails as any task may.
    """
    return pickle.dumps(_Call(function, arguments))
