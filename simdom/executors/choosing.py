"""Which executor plays: what a caller of the library passes, or what a command line names."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Union

from simdom.errors import UsageError, brief, check_choice
from simdom.executors.protocol import Executor
from simdom.executors.serial import SerialExecutor
from simdom.executors.threads import ThreadsExecutor, usable_cores

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["EXECUTORS", "Where", "as_executor", "check_options", "opened"]

Where = Union[Executor, "Client", None]
"""Where rounds are played: an executor, a client of a dask cluster, or threads."""

EXECUTORS = ("threads", "serial", "dask")
MOST_WORKERS = 256


def as_executor(executor: Where, threads: int | None = None) -> Executor:
    """The executor that a caller means.

    Args:
        executor: one; a client of a dask cluster; None for threads of this process.
        threads: how many of these; None for all usable cores.

    Raises:
        UsageError: ``executor`` is none of these, or is a client that cannot be used.
    """
    if executor is None:
        return ThreadsExecutor(threads)
    distributed = sys.modules.get("distributed")  # whoever has a client has loaded it
    if distributed is not None and isinstance(executor, distributed.Client):
        from simdom.executors.dask import DaskExecutor

        return DaskExecutor(executor)
    if isinstance(executor, type) or not callable(getattr(executor, "play", None)):
        raise UsageError(
            f"executor must be a dask Client or an executor of simdom, not {brief(executor)}"
        )
    return executor


@contextmanager
def opened(
    name: str,
    *,
    threads: int | None = None,
    scheduler: str | None = None,
    workers: int | None = None,
) -> Iterator[Executor]:
    """The executor that a command line names; what is started for it ends with the block.

    Args:
        name: one of `EXECUTORS`.
        threads: for "threads": how many; None for all usable cores.
        scheduler: for "dask": address of the scheduler of a cluster.
        workers: for "dask": processes to start on this machine instead; None for all usable cores.

    Raises:
        UsageError: no such executor; an option that it does not take; an address that is none;
            a number that is not allowed; dask is not installed.
        RunError: no scheduler answers, or the processes cannot be started.
    """
    check_options(name, threads=threads, scheduler=scheduler, workers=workers)
    if name == "threads":
        yield ThreadsExecutor(threads)
    elif name == "serial":
        yield SerialExecutor()
    else:
        from simdom.executors.cluster import connected, local_cluster
        from simdom.executors.dask import DaskExecutor

        there = (
            local_cluster(workers or usable_cores()) if scheduler is None else connected(scheduler)
        )
        with there as client:
            yield DaskExecutor(client)


def check_options(
    name: str, *, threads: int | None, scheduler: str | None, workers: int | None
) -> None:
    """Return if these options of a command line go together.

    Raises:
        UsageError: no such executor; an option that it does not take; a number that is not allowed.
    """
    check_choice("executor", name, EXECUTORS)
    if threads is not None and name != "threads":
        raise UsageError(f"--threads is for --executor threads, not for {name}")
    for option, value in (("--scheduler", scheduler), ("--workers", workers)):
        if value is not None and name != "dask":
            raise UsageError(f"{option} is for --executor dask, not for {name}")
    if scheduler is not None and workers is not None:
        raise UsageError("--scheduler has workers of its own: leave out --workers")
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise UsageError(f"--workers must be from 1 to {MOST_WORKERS}, not {brief(workers)}")
