"""A run that is recorded: its job also keeps the rows, and its file is finished with its result."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from simdom.engine.kernels import Study
from simdom.errors import BrokenOffError, RunError
from simdom.records.header import header_of
from simdom.records.playing import (
    MOST_MATCHES_A_CHUNK,
    MOST_ROUNDS_A_CHUNK,
    play_recorded,
    play_recorded_matches,
)
from simdom.records.writing import RecordsFile
from simdom.results import Result
from simdom.running.job import Job

__all__ = ["Record", "Recorder", "Records", "recording"]


class Records(NamedTuple):
    """A file that rounds are recorded in.

    Attributes:
        path: of the file, which ends in .parquet.
        overwrite: whether a records file that is there may be replaced.
    """

    path: str | Path
    overwrite: bool = False


Record = str | Path | Records | None
"""Where rounds are recorded: a new Parquet file, or nowhere."""


class Recorder(NamedTuple):
    """What is played, and the file that its rounds go into.

    Attributes:
        job: to be played.
        file: of the rounds; None if none are kept.
    """

    job: Job[Any]
    file: RecordsFile | None

    def finish(
        self,
        result: Result,
        before: Any,  # noqa: ANN401 -- a tally
        command: Callable[[int, int], str],
    ) -> BrokenOffError | None:
        """Finish the file; return what went wrong, for the result is there even so.

        Args:
            result: of all that was played.
            before: the sums of what was played earlier, of which the file has no rounds.
            command: the command line that plays so many rounds or matches, from which on.
        """
        rounds = result.rounds - before.rounds
        if self.file is None or not rounds:
            return None
        earlier = before.rounds if result.matches is None else before.matches
        matches = None if result.matches is None else result.matches - before.matches
        first = result.first + earlier
        part = replace(
            result,
            first=first,
            rounds=rounds,
            matches=matches,
            command=command(matches or rounds, first),
        )
        try:
            self.file.finish(header_of(part))
        except RunError as error:
            return BrokenOffError(str(error))
        return None


@contextmanager
def recording(
    where: Record, job: Job[Any], study: Study, target: int | None = None
) -> Iterator[Recorder]:
    """What is to be played, such that its rounds are recorded if that is asked for.

    Args:
        where: they are recorded; None plays ``job`` as it is.
        job: rounds or matches of ``study``.
        study: what is played.
        target: points that win a match; None for single rounds.

    Raises:
        UsageError: as `simdom.records.writing.check_records`.
        RunError: the file cannot be made.
    """
    if where is None:
        yield Recorder(job, None)
        return
    asked = where if isinstance(where, Records) else Records(where)
    of_matches = target is not None
    with RecordsFile(
        asked.path, study.rules, matches=of_matches, overwrite=asked.overwrite
    ) as file:

        def take(part: Any) -> Any:  # noqa: ANN401 -- a tally and rows
            tally, rows = part
            if rows.rounds:
                try:
                    file.write(rows)
                except RunError as error:
                    raise BrokenOffError(str(error)) from error
            return tally

        yield Recorder(
            replace(
                job,
                work=partial(_play, study)
                if target is None
                else partial(_play_matches, study, target),
                unpack=take,
                largest_chunk=MOST_MATCHES_A_CHUNK if of_matches else MOST_ROUNDS_A_CHUNK,
            ),
            file,
        )


def _play(study: Study, chunk: range) -> tuple[Any, Any]:
    return play_recorded(study, chunk.start, chunk.stop)


def _play_matches(study: Study, target: int, chunk: range) -> tuple[Any, Any]:
    return play_recorded_matches(study, target, chunk.start, chunk.stop)
