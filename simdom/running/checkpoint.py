"""What is kept of a run while it goes on: its sums so far, and what was asked for.

A checkpoint is JSON: whole numbers and text, with a checksum over all of it. Nothing in it is
evaluated. The same document, with the sums behind a result, is the ``tally.json`` of a finished
run: from it more rounds can be added, and pieces put together.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from simdom.counts import MOST_ROUNDS
from simdom.errors import UsageError
from simdom.files import read_regular
from simdom.running.job import Job
from simdom.running.plain import from_plain, to_plain
from simdom.running.stopping import Limits

__all__ = [
    "SCHEMA",
    "Checkpoint",
    "State",
    "first_difference",
    "read_checkpoint",
    "write_checkpoint",
]

SCHEMA: Literal["simdom.checkpoint/1"] = "simdom.checkpoint/1"

_LARGEST = 1 << 28  # bytes; the largest tally of any rules takes less than a hundredth

T = TypeVar("T")


@dataclass(frozen=True)
class State:
    """How far a run has come.

    Attributes:
        tally: the sums of the trials played.
        seconds: that they took.
        next_look: after how many trials figures are looked at again.
    """

    tally: Any
    seconds: float
    next_look: int


class _Checked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class _JobPart(_Checked):
    kind: str
    unit: str
    said: str
    identity: dict[str, Any]
    arguments: dict[str, Any] | None
    folder: str


class Checkpoint(_Checked):
    """A document of `SCHEMA`.

    Attributes:
        simdom: version that wrote it.
        job: what is played; ``folder`` is the current one when it was begun.
        asked: trials to play at most.
        until: half-widths to reach, by metric.
        max_time: seconds to stop after, as they were asked for; None for no limit.
        next_look: see `State`.
        done: trials that the tally is of.
        seconds: see `State`.
        tally: the sums, see `simdom.running.plain`.
    """

    schema_: Literal["simdom.checkpoint/1"] = Field(alias="schema")
    sha256: str
    simdom: str
    job: _JobPart
    asked: int = Field(ge=1, le=MOST_ROUNDS)
    until: dict[str, float]
    max_time: float | None
    next_look: int = Field(ge=0)
    done: int = Field(ge=0, le=MOST_ROUNDS)
    seconds: float = Field(ge=0)
    tally: dict[str, Any]

    @property
    def is_finished(self) -> bool:
        """Whether all trials that were asked for are played."""
        return self.done >= self.asked

    def state(self, job: Job[T], empty: T) -> State:
        """The state that it holds, if it is of this job.

        Args:
            job: that is to go on.
            empty: its sums of no trials.

        Raises:
            UsageError: it is of another job, or of another version; its sums do not belong to it.
        """
        differing = first_difference(self.job.identity, json.loads(json.dumps(job.identity)))
        if differing is not None:
            raise UsageError(f"it is of another run: {differing}")
        tally = from_plain(empty, self.tally)
        if job.count(tally) != self.done:
            raise UsageError(f"it says {self.done} {job.unit}s, but its sums are of others")
        job.check(tally)
        try:
            job.widths(tally)
        except (ArithmeticError, ValueError):
            raise UsageError("its sums do not agree with each other") from None
        return State(tally, self.seconds, self.next_look)


def first_difference(kept: Any, here: Any, name: str = "") -> str | None:  # noqa: ANN401 -- JSON
    """Where two documents differ, in words; None if nowhere."""
    if isinstance(kept, dict) and isinstance(here, dict):
        for key in [*kept, *(key for key in here if key not in kept)]:
            found = first_difference(kept.get(key), here.get(key), f"{name}.{key}".lstrip("."))
            if found is not None:
                return found
        return None
    if isinstance(kept, list) and isinstance(here, list) and len(kept) == len(here):
        for place, (a, b) in enumerate(zip(kept, here, strict=True)):
            found = first_difference(a, b, f"{name}[{place}]")
            if found is not None:
                return found
        return None
    return None if kept == here else f"{name} is {_short(kept)} there and {_short(here)} here"


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:59]}…"  # noqa: PLR2004 -- of a line


def write_checkpoint(job: Job[T], limits: Limits, state: State) -> bytes:
    """The document, as it stands in a file."""
    document = {
        "schema": SCHEMA,
        "simdom": job.identity["simdom"],
        "job": {
            "kind": job.request.kind,
            "unit": job.unit,
            "said": job.request.said,
            "identity": job.identity,
            "arguments": job.request.arguments,
            "folder": str(Path.cwd()),
        },
        "asked": limits.trials,
        "until": dict(limits.until),
        "max_time": limits.seconds,
        "next_look": state.next_look,
        "done": job.count(state.tally),
        "seconds": state.seconds,
        "tally": to_plain(state.tally),
    }
    return _text({"schema": SCHEMA, "sha256": _checksum(document), **document})


def _text(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":"), sort_keys=True, allow_nan=False).encode()


def _checksum(document: Mapping[str, Any]) -> str:
    """Of all but the checksum itself."""
    rest = {name: value for name, value in document.items() if name != "sha256"}
    return hashlib.sha256(_text(rest)).hexdigest()


def read_checkpoint(file: Path) -> Checkpoint:
    """The checkpoint in a file, whole and unchanged.

    Raises:
        UsageError: it cannot be read; it is none, or no longer what was written.
    """
    try:
        return _checked(file)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"{file} is no checkpoint: {where}: {first['msg']}") from None
    except (ValueError, RecursionError):  # no JSON, not in UTF-8, or numbers beyond all measure
        raise UsageError(f"{file} is no checkpoint: it was cut short or changed") from None
    except UsageError as error:
        raise UsageError(f"{file} is no checkpoint: {error}") from None


def _checked(file: Path) -> Checkpoint:
    if file.stat().st_size > _LARGEST:
        raise UsageError("it is far too large")
    document = json.loads(read_regular(file))
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise UsageError(f"its schema is not {SCHEMA}")
    if document.get("sha256") != _checksum(document):
        raise UsageError("its checksum does not fit: it was cut short or changed")
    return Checkpoint.model_validate(document)
