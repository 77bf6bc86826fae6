"""Runs that were kept in a folder: gone on with, added to, or put together from pieces."""

from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple

from simdom.counts import MOST_ROUNDS, check_whole
from simdom.duels.duel import duel
from simdom.duels.duel_result import Duel
from simdom.errors import UsageError, check_choice
from simdom.executors.choosing import Where
from simdom.matches import simulate_matches
from simdom.pairing.compare import compare
from simdom.pairing.comparison import Comparison
from simdom.pairing.effect_table import Effects
from simdom.pairing.effects import effects
from simdom.records.recorder import Record
from simdom.results import Result, load_result
from simdom.running.checkpoint import Checkpoint
from simdom.running.folder import RunFolder
from simdom.running.keeping import fill
from simdom.running.stopping import Look, check_seconds
from simdom.simulate import simulate

__all__ = ["Answer", "resume"]

Answer = Result | Comparison | Effects | Duel


def resume(
    directory: str | Path | RunFolder,
    *,
    extend: float | None = None,
    max_rounds: float | None = None,
    until: Mapping[str, float] | None = None,
    max_time: float | None = None,
    threads: int | None = None,
    executor: Where = None,
    records: Record = None,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
    on_look: Callable[[Look], None] | None = None,
) -> Answer:
    """Go on with a run that was kept in a folder, to the same bits as if it had not been broken.

    A run that is finished already is returned as it is, unless more of it is asked for.

    Args:
        directory: what was given as ``checkpoint``, or to ``--out``; or that folder, open, which
            the caller fills.
        extend: rounds (or matches, or deals) to play more than were asked for, or than are played
            of a run that is finished.
        max_rounds: rounds (or matches, or deals) to play in all, instead of those asked for.
        until: half-widths by metric to reach instead of those asked for, see
            `simdom.simulate.simulate`.
        max_time: seconds after which no more are begun, from now on; None for no limit.
        threads: to play on; None for every usable core.
        executor: where to play instead of on threads.
        records: a new Parquet file in which the rounds are recorded that are played now; of runs
            of rounds or matches.
        progress: called now and then with what is played and what is to be played.
        on_compile: called once if the engine must be compiled first.
        on_look: called with a `Look` whenever a precision is looked at.

    Returns:
        What the function gives that began it: a `Result`, `Comparison`, `Effects` or `Duel`. It is
        saved in the folder.

    Raises:
        UsageError: no run was kept there; its checkpoint was cut short or changed; it was begun by
            another version, or in Python with what no file holds; a file that it needs is not what
            it was; more is played already than ``max_rounds``; another process works there.
        RunError: as the function that began it.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     first = simulate("pagat-block", 1000, checkpoint=folder)
    ...     more = resume(folder, extend=500)
    >>> more.rounds, more.metrics == simulate("pagat-block", 1500).metrics
    (1500, True)
    """
    if not isinstance(directory, RunFolder):
        with RunFolder(directory, resume=True) as folder:
            before = folder.holds_result
            answer = resume(
                folder,
                extend=extend,
                max_rounds=max_rounds,
                until=until,
                max_time=max_time,
                threads=threads,
                executor=executor,
                records=records,
                progress=progress,
                on_compile=on_compile,
                on_look=on_look,
            )
            if not (before and folder.is_unchanged):
                fill(folder, answer, whole=answer.asked is None)
            return answer
    kept = directory.start
    if kept is None:
        raise UsageError(f"{directory.path} was not opened to be resumed")
    kind = _KINDS[check_choice("kind of run", kept.job.kind, _KINDS)]
    if kept.job.arguments is None:
        raise UsageError(
            f"{directory.path} was begun in Python, with what no file holds: call the same "
            "function again, with checkpoint=RunFolder(directory, resume=True)"
        )
    if records is not None and not kind.has_records:
        raise UsageError(f"records are of runs and of matches, and {directory.path} holds neither")
    recorded = {} if records is None else {"records": records}
    check_seconds(max_time)
    asked = (extend, max_rounds, until)
    if directory.is_unchanged and kind.has_records and asked == (None, None, None):
        try:
            return load_result(directory.path)  # whatever has become of the files it came from
        except UsageError:
            directory.is_damaged = True  # it is made again from its sums
    plan = _plan(kept, extend=extend, max_rounds=max_rounds, until=until)
    given, arguments = kind.call(dict(kept.job.arguments), plan.trials)
    options = {"until": plan.until, **recorded}
    try:
        signature(kind.function).bind(*given, **arguments, **options)
    except TypeError:
        raise UsageError(
            f"{directory.path} cannot be gone on with: what it was begun with is not what "
            f"`simdom {kept.job.kind}` takes"
        ) from None
    try:
        found: Answer = kind.function(
            *given,
            **arguments,
            **options,
            max_time=max_time,
            threads=threads,
            executor=executor,
            checkpoint=directory,
            progress=progress,
            on_compile=on_compile,
            on_look=on_look,
        )
    except UsageError as error:
        elsewhere = Path.cwd() != Path(kept.job.folder)
        where = f" (it was begun in {kept.job.folder})" if elsewhere else ""
        raise UsageError(f"{error}{where}") from None
    return found


class _Plan(NamedTuple):
    trials: int
    until: dict[str, float]


def _plan(
    kept: Checkpoint,
    *,
    extend: float | None,
    max_rounds: float | None,
    until: Mapping[str, float] | None,
) -> _Plan:
    """How many trials there shall be in all, and how sure the figures."""
    if extend is not None and max_rounds is not None:
        raise UsageError("extend adds rounds and max_rounds is how many in all: give one of them")
    sure = dict(kept.until if until is None else until)
    if extend is not None:
        more = check_whole("extend", extend, 1, MOST_ROUNDS)
        has_end = kept.asked < MOST_ROUNDS and not kept.until
        trials = check_whole(
            "rounds", (kept.asked if has_end else kept.done) + more, 1, MOST_ROUNDS
        )
        return _Plan(trials, dict(until or {}))
    if max_rounds is not None:
        return _Plan(check_whole("max_rounds", max_rounds, 1, MOST_ROUNDS), sure)
    return _Plan(kept.asked if until is None else MOST_ROUNDS, sure)


Call = tuple[list[Any], dict[str, Any]]


class _Kind(NamedTuple):
    """A function that begins runs, and how its arguments are those that were kept."""

    function: Callable[..., Any]
    call: Callable[[dict[str, Any], int], Call]
    has_records: bool = False


def _named(trials_name: str) -> Callable[[dict[str, Any], int], Call]:
    return lambda arguments, trials: ([], arguments | {trials_name: trials})


def _paired(arguments: dict[str, Any], trials: int) -> Call:
    """Those of `compare` and `effects`, which play rounds or matches."""
    given = arguments.pop("contenders", [])
    name = "rounds" if arguments.get("matches") is None else "matches"
    return given, arguments | {name: trials}


def _dueling(arguments: dict[str, Any], trials: int) -> Call:
    return arguments.pop("strategies"), arguments | {"deals": trials}


_KINDS = {
    "run": _Kind(simulate, _named("rounds"), has_records=True),
    "match": _Kind(simulate_matches, _named("matches"), has_records=True),
    "compare": _Kind(compare, _paired),
    "effects": _Kind(effects, _paired),
    "duel": _Kind(duel, _dueling),
}
