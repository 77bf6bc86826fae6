"""Two saved results against each other: on the same shuffles if they have any, else as they are.

A saved result has no rounds one by one, so for paired figures both are played again, on the
shuffles that they share, by the rules and strategies of their documents.
"""

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from simdom.catalogue.difference import Difference
from simdom.catalogue.differing import independent_differences
from simdom.catalogue.documents import KINDS
from simdom.catalogue.listing import CHECKPOINT_FILE
from simdom.catalogue.reading import read_raw
from simdom.catalogue.shapes import plural
from simdom.counts import MOST_ROUNDS, check_whole, format_count
from simdom.document import plain_metrics
from simdom.engine.kernels import Study
from simdom.errors import UsageError
from simdom.estimate import Metrics, check_confidence
from simdom.executors.threads import ThreadsExecutor
from simdom.pairing.contests import Contest
from simdom.pairing.differences import at_seat
from simdom.pairing.play import play_together
from simdom.pairing.sums import Sums, estimate_changes, estimate_differences, estimate_own
from simdom.results import Result, load_result
from simdom.running.checkpoint import read_checkpoint
from simdom.running.driver import Watcher
from simdom.running.folder import RESULT_FILE
from simdom.running.job import Request
from simdom.running.stopping import Limits
from simdom.showing.runs import run_saved
from simdom.simulate import DEFAULT_CONFIDENCE

__all__ = ["MOST_AGAIN", "compare_results"]

MOST_AGAIN, MOST_MATCHES_AGAIN, MOST_SAMPLED_AGAIN = 1_000_000, 100_000, 10_000
"""Rounds that are played again unless others are asked for; matches; of either, by strategies that
sample."""

_RESULT = "result"


class _Saved(NamedTuple):
    """A saved result and which rounds, or matches, it is of."""

    path: Path
    result: Result
    trials: range

    @property
    def name(self) -> str:
        return str(self.path)


class _Replay(NamedTuple):
    """What both play again."""

    contests: tuple[Contest, Contest]
    shared: range


def compare_results(
    first: str | Path,
    other: str | Path,
    *,
    independent: bool = False,
    rounds: float | None = None,
    confidence: float | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Difference:
    """What the other of two saved results gives less the first.

    They are paired if they share shuffles: of one seed, one set of tiles, and rounds (or matches)
    of the same indices. Then both are played again on these; where that is all of a result, it must
    give its own figures. Else the results are held against each other as they are, as independent
    ones. `Difference.why` says which of the two it was, and why.

    Args:
        first: folder or file of a result.
        other: of another, of rounds if the first is, else of matches.
        independent: whether they are never paired.
        rounds: at most so many rounds, or matches, are played again; None for a million rounds, or
            1e5 matches, or 1e4 of either if a strategy samples.
        confidence: of the intervals; None for that of the first.
        threads: to play on; None for every usable core. They never change a figure.
        progress: called now and then with the rounds played of each, and those asked for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.

    Raises:
        UsageError: one cannot be read, or is no result; one is of rounds and the other of matches;
            a value that cannot be used.
        RunError: the engine reached a state that no round can reach.
    """
    most = None if rounds is None else check_whole("rounds", rounds, 1, MOST_ROUNDS)
    where = ThreadsExecutor(threads)
    saved = _load(Path(first)), _load(Path(other))
    a, b = saved
    if (a.result.matches is None) != (b.result.matches is None):
        of = ["rounds" if each.result.matches is None else "matches" for each in saved]
        raise UsageError(f"{a.name} is of {of[0]} and {b.name} of {of[1]}: nothing is of both")
    level = a.result.confidence if confidence is None else check_confidence(confidence)
    found = "so it was asked for" if independent else _replay_of(a, b)
    if isinstance(found, _Replay):
        played = play_together(
            found.contests,
            Limits(min(len(found.shared), most or _most_again(found.contests))),
            where,
            request=Request("results compare", None, f"{a.name} against {b.name}"),
            widths=lambda _: {},
            first=found.shared.start,
            watcher=Watcher(progress, on_compile),
        )
        if played.failure is not None:
            raise played.failure
        sums = played.tally
        strange = _strange(saved, found, sums)
        if strange is None:
            told = _paired(saved, found, sums, level)
            told = replace(told, seconds=played.seconds, asked=played.asked)
            most = sums.trials if played.asked is not None else most
            return replace(told, command=_command(told, most, independent=False))
        found = strange
    told = _independent(saved, found, level)
    return replace(told, command=_command(told, most, independent=independent))


def _load(path: Path) -> _Saved:
    """A saved result.

    Raises:
        UsageError: it cannot be read, or is not finished; it is another document, or no result.
    """
    file = path / RESULT_FILE if path.is_dir() else path
    if not file.exists() and (path / CHECKPOINT_FILE).is_file():
        checkpoint = read_checkpoint(path / CHECKPOINT_FILE)
        done, unit = f"{checkpoint.done:,}", plural(checkpoint.asked, checkpoint.job.unit)
        raise UsageError(
            f"{path} is unfinished, {done} of {unit}: `simdom resume {shlex.quote(str(path))}` "
            "goes on, and then it can be compared"
        )
    try:
        raw = read_raw(file)
    except UsageError as error:
        raise UsageError(f"{file} {error}") from None
    if raw.name != _RESULT:
        kind = KINDS[raw.name].name if raw.name in KINDS else raw.schema
        raise UsageError(
            f"{file} is of `simdom {kind}`: only results of run and match are compared"
        )
    result = load_result(path)
    played = result.rounds if result.matches is None else result.matches
    return _Saved(path, result, range(result.first, result.first + played))


def _replay_of(a: _Saved, b: _Saved) -> _Replay | str:
    """What both can play again on the same shuffles; or why they cannot."""
    first, other = a.result, b.result
    if first.seed != other.seed:
        return f"their seeds differ: {first.seed} and {other.seed}"
    sets = first.rules.max_pip, other.rules.max_pip
    if sets[0] != sets[1]:
        return f"sets of double-{sets[0]} and double-{sets[1]} have no shuffle in common"
    shared = range(max(a.trials.start, b.trials.start), min(a.trials.stop, b.trials.stop))
    if not shared:
        return f"they have no index in common: {_told(a.trials)} and {_told(b.trials)}"
    contests = []
    for each in (a, b):
        try:
            run = run_saved(each.path)
        except UsageError as error:
            return f"{each.name} cannot be played again: {error}"
        contests.append(Contest(run.study, run.target))
    return _Replay((contests[0], contests[1]), shared)


def _told(trials: range) -> str:
    return f"{trials.start:,} to {trials.stop - 1:,}"


def _most_again(contests: tuple[Contest, Contest]) -> int:
    if any(seat.samples for contest in contests for seat in contest.study.strategies):
        return MOST_SAMPLED_AGAIN
    return MOST_AGAIN if contests[0].target is None else MOST_MATCHES_AGAIN


def _strange(saved: tuple[_Saved, _Saved], replay: _Replay, sums: Sums) -> str | None:
    """Why what was played again is not what was saved; None if it is, or if only a part was."""
    for number, each in enumerate(saved):
        if sums.trials < len(each.trials):
            continue
        own = estimate_own(replay.contests[number], sums, number, each.result.confidence)
        if plain_metrics(own) != plain_metrics(each.result.metrics):
            return f"played again, {each.name} does not give its own figures"
    return None


def _paired(
    saved: tuple[_Saved, _Saved], replay: _Replay, sums: Sums, confidence: float
) -> Difference:
    contests = replay.contests
    unit = "round" if contests[0].target is None else "match"
    at = range(replay.shared.start, replay.shared.start + sums.trials)
    of_all = "" if len(at) == len(replay.shared) else f" of the {len(replay.shared):,} shared"
    why = (
        f"they share shuffles: both were played again, {plural(len(at), unit)} of each{of_all} "
        f"(indices {_told(at)})"
    )
    first, other = (
        _as_played(each, estimate_own(contest, sums, number, confidence), at, confidence)
        for number, (each, contest) in enumerate(zip(saved, contests, strict=True))
    )
    return Difference(
        names=(saved[0].name, saved[1].name),
        results=(first, other),
        is_paired=True,
        why=why,
        differences=estimate_differences(contests, sums, 1, confidence),
        changes=estimate_changes(contests, sums, 1, confidence),
        confidence=confidence,
    )


def _as_played(saved: _Saved, metrics: Metrics, at: range, confidence: float) -> Result:
    """The result of what was played again."""
    rounds, matches = len(at), None
    if saved.result.matches is not None:
        rounds = round(len(at) * at_seat(metrics["rounds_per_match"], None).estimate)
        matches = len(at)
    return replace(
        saved.result,
        metrics=metrics,
        distributions={},
        confidence=confidence,
        asked=None,
        until={},
        reached=None,
        first=at.start,
        rounds=rounds,
        matches=matches,
    )


def _independent(saved: tuple[_Saved, _Saved], why: str, confidence: float) -> Difference:
    first, other = (each.result for each in saved)
    contests = [Contest(Study(each.rules, (), each.seed), each.target) for each in (first, other)]
    differences = independent_differences(first, other, (contests[0], contests[1]), confidence)
    return Difference(
        names=(saved[0].name, saved[1].name),
        results=(first, other),
        is_paired=False,
        why=why,
        differences=differences,
        changes={},
        confidence=confidence,
        caution=_caution(*saved),
    )


def _caution(a: _Saved, b: _Saved) -> str:
    """What to beware of when results are taken as independent that are not."""
    first, other = a.result, b.result
    if first.seed != other.seed or first.rules.max_pip != other.rules.max_pip:
        return ""
    if a.trials.stop <= b.trials.start or b.trials.stop <= a.trials.start:
        return ""
    return (
        "They share shuffles, so they are not independent: the intervals are mostly wider than "
        "they need to be."
    )


def _command(difference: Difference, most: int | None, *, independent: bool) -> str:
    """The command line that compares them again."""
    words = ["simdom", "results", "compare", *difference.names]
    words += [] if most is None else ["--rounds", format_count(most)]
    words += ["--independent"] if independent else []
    if difference.confidence != DEFAULT_CONFIDENCE:
        words += ["--confidence", str(difference.confidence)]
    return shlex.join(words)
