"""Clusters for the command line: one of processes on this machine, or one that is there."""

import asyncio
import logging
import signal
import warnings
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from simdom.errors import RunError, UsageError, brief
from simdom.executors.remote import in_a_line

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

__all__ = ["check_address", "connected", "local_cluster"]

ANSWER_SECONDS = 10.0
CLOSE_SECONDS = 10.0
_SILENT = logging.CRITICAL + 1
LONGEST = 300  # characters of an address: a host has 255


@contextmanager
def local_cluster(workers: int) -> Iterator["Client"]:
    """A client of a cluster of so many processes with a thread each, on this machine only.

    It is closed at the end, also after Ctrl-C, and leaves no file.

    Raises:
        UsageError: dask is not installed.
        RunError: the processes could not be started.
    """
    _check_installed()
    import dask
    from distributed import Client

    with (
        _quiet(),
        TemporaryDirectory(prefix="simdom-", ignore_cleanup_errors=True) as folder,
        dask.config.set({"temporary-directory": folder}),
    ):
        cluster = _start(workers)
        try:
            with Client(cluster, set_as_default=False) as client:
                yield client
        finally:
            cluster.close(timeout=CLOSE_SECONDS)


@contextmanager
def connected(scheduler: str, seconds: float = ANSWER_SECONDS) -> Iterator["Client"]:
    """A client of the cluster whose scheduler is there; with dask's own settings of TLS.

    Args:
        scheduler: its address, such as "tcp://10.0.0.1:8786".
        seconds: time that it has to answer.

    Raises:
        UsageError: dask is not installed; ``scheduler`` is no address.
        RunError: no scheduler answers there, or not in time.
    """
    check_address(scheduler)
    _check_installed()
    with _quiet():
        client = _connect(scheduler, seconds)
        try:
            yield client
        finally:
            client.close(timeout=CLOSE_SECONDS)


def check_address(scheduler: str) -> str:
    """Return the address of a scheduler if it is one.

    Raises:
        UsageError: no host, or no port from 1 to 65535.

    >>> check_address("tcp://10.0.0.1:8786")
    'tcp://10.0.0.1:8786'
    """
    allowed = "write it as tcp://HOST:PORT"
    with_scheme = scheduler if "://" in scheduler else f"tcp://{scheduler}"
    try:
        parts = urlsplit(with_scheme)
        host, port = parts.hostname, parts.port
    except ValueError:  # a port that is no number, or too large
        host = port = None
    if (
        not host
        or not port
        or parts.path.strip("/")
        or parts.query
        or " " in scheduler
        or scheduler[LONGEST:]
    ):
        raise UsageError(f"{brief(scheduler)} is no address of a scheduler: {allowed}")
    return scheduler


def _check_installed() -> None:
    try:
        import distributed  # noqa: F401 -- whether it can be
    except ModuleNotFoundError as error:
        raise UsageError(
            f"a cluster needs dask, and {error.name} is not installed: "
            "pip install 'simdom[cluster]'"
        ) from error


def _start(workers: int) -> "LocalCluster":
    """Start the processes from a thread that Ctrl-C does not reach.

    They inherit that, as do those that replace one that dies. Ctrl-C on a terminal is for all
    processes that it runs, and a worker would answer it with a traceback.
    """
    from distributed import LocalCluster

    resource_tracker.ensure_running()  # to start this process, Python unblocks what is blocked
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with ThreadPoolExecutor(1) as pool:
        starting: Future[LocalCluster] | None = None
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            starting = pool.submit(
                LocalCluster,
                n_workers=workers,
                threads_per_worker=1,
                memory_limit=None,
                dashboard_address="127.0.0.1:0",  # None stands for port 8787
                scheduler_kwargs={"dashboard": False},
                worker_dashboard_address=None,
                silence_logs=_SILENT,
            )
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)  # Ctrl-C of meanwhile comes here
            return starting.result()
        except KeyboardInterrupt:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            if starting is not None:
                starting.result().close(timeout=CLOSE_SECONDS)
            raise
        except (OSError, RuntimeError, TimeoutError) as error:
            reason = in_a_line(error)
            raise RunError(f"{workers} worker processes could not be started: {reason}") from error


def _connect(scheduler: str, seconds: float) -> "Client":
    from distributed import Client

    try:
        # dask itself waits for ever for one that takes the call and says nothing.
        kind = asyncio.run(asyncio.wait_for(_ask_kind(scheduler), seconds))
        if kind == "Scheduler":
            return Client(scheduler, timeout=seconds, set_as_default=False)
    except TimeoutError as error:
        raise RunError(f"{scheduler}: no scheduler answered in {seconds:g} s") from error
    except Exception as error:  # whatever dask makes of an answer, or of its own settings
        raise RunError(f"{scheduler}: no scheduler could be reached: {in_a_line(error)}") from error
    raise UsageError(
        f"{scheduler} is no scheduler, but a {brief(kind)}: write that of its scheduler"
    )


async def _ask_kind(scheduler: str) -> str:
    """What answers there, such as "Scheduler"."""
    from distributed.core import rpc
    from distributed.security import Security

    async with rpc(scheduler, connection_args=Security().get_connection_args("client")) as there:
        return str((await there.identity())["type"])


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what dask logs and warns of off the terminal: what matters of it is raised."""
    from distributed.versions import VersionMismatchWarning

    loggers = [logging.getLogger(name) for name in ("distributed", "tornado")]
    levels = {handler: handler.level for logger in loggers for handler in logger.handlers}
    for handler in levels:
        handler.setLevel(_SILENT)
    with warnings.catch_warnings():
        # The executor looks at versions itself, and refuses where dask warns.
        warnings.simplefilter("ignore", VersionMismatchWarning)
        try:
            yield
        except KeyboardInterrupt:  # the process ends, and what ends in it has nothing to say
            raise
        except BaseException:
            _restore(levels)
            raise
    _restore(levels)


def _restore(levels: dict[logging.Handler, int]) -> None:
    for handler, level in levels.items():
        handler.setLevel(level)
