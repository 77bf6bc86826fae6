"""Cells on disk: each finished one is a result document, found again by what was played.

The name of a file is a key, over everything that its figures depend on, and a seal, over the key
and the content. What does not fit its name, or is not what was asked for, is not used.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from simdom.agreement import count_trials
from simdom.document import plain_metrics
from simdom.engine.kernels import Study
from simdom.errors import UsageError
from simdom.estimate import Estimate, Metrics, estimate_rate, student_quantile
from simdom.files import check_file, read_regular, write_file
from simdom.match_metrics import metrics_of
from simdom.results import Result, load_result
from simdom.rules import RULES_VERSION, rules_to_dict
from simdom.running.stopping import look, widths_of
from simdom.simulate import describe_strategies

__all__ = ["CellStore", "Found", "Precision", "check_played", "key_of", "reestimate"]

_PLAYING = (
    *("engine/*.py", "columns.py", "estimate.py", "match_metrics.py"),
    *("rules.py", "strategies.py", "tiles.py"),
)
"""Sources that the figures depend on."""
_STOPPING = ("running/driver.py", "running/stopping.py")
"""Sources that the end of a cell depends on, if it is played until enough is known."""
_DIGITS = 32  # hexadecimal, of a key and of a seal: 128 bits


class Precision(NamedTuple):
    """How sure the figures of a cell must be before it is over.

    Attributes:
        until: half-widths of intervals, by metric.
        confidence: of these intervals.
    """

    until: Mapping[str, float]
    confidence: float


def key_of(
    study: Study, trials: int, target: int | None = None, precision: Precision | None = None
) -> str:
    """32 hexadecimal digits that stand for everything that the figures of a cell depend on.

    Args:
        study: what is played.
        trials: how many rounds; matches if there is a target. With a precision, how many at most.
        target: points that win a match; None for single rounds.
        precision: until when it is played; None for all of ``trials``. Only then the confidence
            is a part of the key: of a plain number of rounds, intervals are made anew when a cell
            is read.
    """
    facts = {
        "rules": rules_to_dict(study.rules),
        "strategies": [seat.name for seat in study.strategies],
        "strategy_details": describe_strategies(study.strategies),
        "seed": study.seed,
        "rounds" if target is None else "matches": trials,
        "target": target,
        "rules_version": RULES_VERSION,
        "engine": _digest_of_playing(),
    }
    if precision is not None:
        facts |= {**precision._asdict(), "stopping": _digest_of_stopping()}
    return _digest(json.dumps(facts, sort_keys=True).encode())


@cache
def _digest_of_playing() -> str:
    """Changes with anything that figures are made from, be it but for speed.

    ``RULES_VERSION`` moves only when whoever changes the engine knows that it plays otherwise.
    """
    return _digest_of_sources(_PLAYING)


@cache
def _digest_of_stopping() -> str:
    """Changes with anything that decides after how many rounds enough is known."""
    return _digest_of_sources(_STOPPING)


def _digest_of_sources(patterns: tuple[str, ...]) -> str:
    package = Path(__file__).parents[1]
    sources = [source for pattern in patterns for source in sorted(package.glob(pattern))]
    return _digest(*(source.read_bytes() for source in sources))


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()[:_DIGITS]


class Found(NamedTuple):
    """What a store holds of a cell.

    Attributes:
        result: the cell, with intervals as asked for; None if there is none to be trusted.
        file: where it is; None if it is not.
        broken: files that claim to be the cell and are not, each with the reason.
    """

    result: Result | None
    file: Path | None
    broken: dict[Path, str]


@dataclass(frozen=True)
class CellStore:
    """A folder of cells. Any number of sweeps may read and write in it at the same time.

    Attributes:
        folder: need not exist.
    """

    folder: Path

    def check(self) -> None:
        """Return if cells can be kept; ask before a long run.

        Raises:
            UsageError: the folder is a file, or cannot be looked into; there is none, and it cannot
                be made.
        """
        try:
            is_there = self.folder.exists()
            if is_there and not self.folder.is_dir():
                raise UsageError(f"{self.folder} is a file: cells are kept in a folder")
            with suppress(FileNotFoundError, NotADirectoryError):
                self._shard("00").stat()
        except OSError as error:
            reason = error.strerror or error
            raise UsageError(f"{self.folder} cannot be looked into: {reason}") from None
        except ValueError as error:  # a NUL in the path
            raise UsageError(f"{str(self.folder)!r} cannot be looked into: {error}") from None
        if not is_there:
            self.check_writable()

    def check_writable(self) -> None:
        """Return if new cells can be kept.

        Raises:
            UsageError: the folder cannot be made or written to.
        """
        check_file(self.folder / "cell.json")

    def find(
        self,
        study: Study,
        trials: int,
        confidence: float,
        target: int | None = None,
        until: Mapping[str, float] | None = None,
    ) -> Found:
        """The cell of so many rounds of a study, if it is there and is what it claims to be.

        Args:
            study: what is played.
            trials: how many rounds; matches if there is a target. With ``until``, at most.
            confidence: of the intervals, whatever it was when the cell was played; with ``until``,
                at which it was.
            target: points that win a match; None for single rounds.
            until: half-widths that it was played for, by metric; nothing for all of ``trials``.
        """
        precision = Precision(until, confidence) if until else None
        key = key_of(study, trials, target, precision)
        broken: dict[Path, str] = {}
        for file in self._files(key):
            try:
                result = _read(file, key)
                check_played(result, study, trials, target, precision)
                found = result if precision else reestimate(result, confidence)
                return Found(found, file, broken)
            except UsageError as error:
                if not _is_gone(file):  # else another sweep has just put a new one in its place
                    broken[file] = str(error)
        return Found(None, None, broken)

    def keep(self, study: Study, result: Result, most: int | None = None) -> Path:
        """Write the cell, whole or not at all; what the folder had of it before is taken away.

        Args:
            study: what was played.
            result: what came of it.
            most: trials that were allowed, of a cell that was played until enough was known.

        Returns:
            the file.

        Raises:
            RunError: it cannot be written.
        """
        precision = Precision(result.until, result.confidence) if result.until else None
        key = key_of(study, most or result.trials, result.target, precision)
        before = self._files(key)
        content = result.to_json().encode()
        file = self._shard(key) / f"{key}-{_seal(key, content)}.json"
        write_file(file, content)
        for old in before:
            if old != file:
                with suppress(OSError):  # another sweep was quicker, or may do what this may not
                    old.unlink(missing_ok=True)
        return file

    def _shard(self, key: str) -> Path:
        """One of 256 folders, so that none gets so large that it is slow to look into."""
        return self.folder / key[:2]

    def _files(self, key: str) -> list[Path]:
        shard = self._shard(key)
        try:
            return [file for file in sorted(shard.iterdir()) if _is_cell(file.name, key)]
        except OSError:  # there is none, or it may not be looked into
            return []


def _is_cell(name: str, key: str) -> bool:
    return name.startswith(f"{key}-") and name.endswith(".json")


def _is_gone(file: Path) -> bool:
    try:
        file.stat()
    except FileNotFoundError:
        return True
    except OSError:  # it may be there
        return False
    return False


def _seal(key: str, content: bytes) -> str:
    return _digest(key.encode(), content)


def _read(file: Path, key: str) -> Result:
    """The result in a file, if it is as it was written.

    Raises:
        UsageError: it cannot be read; it does not fit the file's name; it is no result document; a
            figure of it does not follow from the others.
    """
    try:
        content = read_regular(file)
    except OSError as error:
        raise UsageError(f"it cannot be read: {error.strerror or error}") from None
    except UsageError as error:
        raise UsageError(f"it {error}") from None
    if file.stem != f"{key}-{_seal(key, content)}":
        raise UsageError("it was changed after it was written, or is not whole")
    result = load_result(file)
    again = reestimate(result, result.confidence)
    if plain_metrics(again.metrics) != plain_metrics(result.metrics):
        raise UsageError("its figures do not follow from its counts")
    return result


def check_played(
    result: Result,
    study: Study,
    trials: int,
    target: int | None = None,
    precision: Precision | None = None,
) -> None:
    """Return if ``result`` is that of so many rounds of a study, with every metric.

    Args:
        result: of any run.
        study: what was to be played.
        trials: how many rounds; matches if there is a target. With a precision, how many at most.
        target: points that win a match; None for single rounds.
        precision: until when it was to be played; None for all of ``trials``.

    Raises:
        UsageError: it is not; the line says in what.
    """
    until = {} if precision is None else dict(precision.until)
    played = result.trials
    facts = {
        "rules": (result.rules, study.rules),
        "strategies": (result.strategies, tuple(seat.name for seat in study.strategies)),
        "weights": (result.strategy_details, describe_strategies(study.strategies)),
        "seed": (result.seed, study.seed),
        "target": (result.target, target),
        "precision": (result.until, until),
        "confidence": (result.confidence, precision.confidence if precision else result.confidence),
        "matches" if target else "rounds": (
            (played, result.asked, result.first),
            (min(played, trials) if until and result.reached else trials, None, 0),
        ),
        "rules version": (result.rules_version, RULES_VERSION),
        "metrics": (list(result.metrics), list(metrics_of(matches=target is not None))),
    }
    for what, (found, asked) in facts.items():
        if found != asked:
            raise UsageError(f"it has other {what} than were asked for")
    if until and result.reached != look(played, widths_of(result.metrics), until).is_enough:
        raise UsageError("it is not as sure as it says")


def reestimate(result: Result, confidence: float) -> Result:
    """The same rounds, or matches, at another confidence, equal to the last bit to a new run's.

    A rate is a count of rounds (``redeal_rate``: of deals), and a mean has its standard error.

    Raises:
        UsageError: ``confidence`` is not strictly between 0 and 1.
    """
    trials = count_trials(result.metrics, result.rounds, result.matches)

    def at(name: str, found: Estimate) -> Estimate:
        n = trials[name]
        if found.count is not None:
            return estimate_rate(found.count, n, confidence)
        if math.isnan(found.se):
            return found
        radius = student_quantile(confidence, n - 1) * found.se
        return replace(found, low=found.estimate - radius, high=found.estimate + radius)

    metrics = Metrics(
        (name, at(name, found) if isinstance(found, Estimate) else [at(name, f) for f in found])
        for name, found in result.metrics.items()
    )
    return replace(result, metrics=metrics, confidence=confidence)
