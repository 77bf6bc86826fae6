"""Which executor plays."""

from typing import TYPE_CHECKING, Any, Union

from simdom.errors import UsageError, brief
from simdom.executors.protocol import Executor
from simdom.executors.threads import ThreadsExecutor

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Where", "as_executor"]

Where = Union[Executor, "Client", None]
"""Where rounds are played: an executor, a client of dask.distributed, or on threads."""


def as_executor(executor: Any, threads: int | None = None) -> Executor:  # noqa: ANN401 -- checked
    """The executor that is meant."""
    if executor is None:
        return ThreadsExecutor(threads)
    if hasattr(executor, "play"):
        return executor  # type: ignore[no-any-return]
    raise UsageError(f"executor cannot be {brief(executor)}")
