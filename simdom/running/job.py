"""What is played trial by trial and adds up: all that the driver of a run needs to know of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from simdom._version import __version__
from simdom.engine.kernels import Study, digest_of_sources
from simdom.rules import RULES_VERSION, Rules, rules_to_dict
from simdom.strategies import Strategy

__all__ = ["Job", "Request", "identity_of", "plain_strategy", "plain_study"]

T = TypeVar("T")

FIRST_CHUNK = 10  # trials whose time shows how fast it goes
LARGEST_CHUNK = 10**8


@dataclass(frozen=True)
class Request:
    """What was asked for, such that it can be asked for again.

    Attributes:
        kind: the command: run, match, compare, effects or duel.
        arguments: of the function of the library behind it, as plain values; None if some of them
            were made in Python, and so cannot be written down.
        said: what is played, in words, for people.
    """

    kind: str
    arguments: Mapping[str, Any] | None
    said: str


@dataclass(frozen=True)
class Job(Generic[T]):
    """Trials that add up.

    Attributes:
        request: what was asked for.
        unit: what a trial is: round, match or deal.
        identity: all that the sums of a number of trials depend on, as plain values.
        work: plays the trials of a range and adds them up, an empty one too; can be sent to
            another process.
        add: two sums to that of both.
        count: trials of a sum.
        widths: half-widths of the figures of which some precision can be asked.
        unpack: makes the sum of what ``work`` gives, where that is more than a sum.
        check: returns if a sum is possible, else raises a `RunError`.
        largest_chunk: trials that are played at a time, at most.
        has_function: whether a strategy is a Python function, of which nobody knows whether it
            is still the same tomorrow.
    """

    request: Request
    unit: str
    identity: Mapping[str, Any]
    work: Callable[[range], Any]
    add: Callable[[T, T], T]
    count: Callable[[T], int]
    widths: Callable[[T], Mapping[str, float]]
    unpack: Callable[[Any], T] = field(default=lambda part: part)
    check: Callable[[T], None] = field(default=lambda _: None)
    largest_chunk: int = LARGEST_CHUNK
    has_function: bool = False


def identity_of(kind: str, **parts: Any) -> dict[str, Any]:  # noqa: ANN401 -- plain values
    """All that the sums of a run depend on: what is played, and by which simdom."""
    return {
        "kind": kind,
        "simdom": __version__,
        "rules_version": RULES_VERSION,
        "engine": f"{digest_of_sources():x}",
        **parts,
    }


def plain_study(study: Study) -> dict[str, Any]:
    """A study as plain values."""
    return {
        "rules": rules_to_dict(study.rules),
        "strategies": [plain_strategy(seat) for seat in study.strategies],
        "seed": study.seed,
    }


def plain_strategy(strategy: Strategy) -> dict[str, Any]:
    """What decides, and the name that figures carry."""
    return {"name": strategy.name, **strategy.content}


def parts_of(metrics: Mapping[str, Any], rules: Rules) -> tuple[str, ...]:
    """Names of metrics that can be targets: each, and those by seat also as ``metric[k]``."""
    names: list[str] = []
    for name, metric in metrics.items():
        parts = metric.parts(rules)
        if parts:
            names.append(name)
            names += [f"{name}[{part}]" for part in parts if part is not None]
    return tuple(names)
