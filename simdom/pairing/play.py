"""Contests played together on the same shuffles, as one job."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter, or_

from simdom.estimate import Estimate
from simdom.executors.protocol import Executor
from simdom.pairing.contests import Contest, common_keys
from simdom.pairing.sums import Sums, sum_trials
from simdom.running.driver import Played, Watcher, play
from simdom.running.folder import RunFolder
from simdom.running.job import Job, Request, identity_of, plain_study
from simdom.running.stopping import Limits, half_width, wider
from simdom.simulate import has_function

__all__ = ["play_together", "targets_of", "widest"]

CHUNK = 20_000  # rounds of each that are played at a time, at most; no figure depends on it
CHUNK_OF_ALL = 200_000  # rounds of all together: Ctrl-C waits for what was begun
ROUNDS_A_MATCH = 20  # about as many as a match has


def play_together(
    contests: Sequence[Contest],
    limits: Limits,
    executor: Executor,
    *,
    request: Request,
    widths: Callable[[Sums], Mapping[str, float]],
    first: int = 0,
    folder: RunFolder | None = None,
    watcher: Watcher | None = None,
) -> Played[Sums]:
    """Play trials of every contest until the limits; after Ctrl-C, what was played so far.

    Args:
        contests: the first is what the others are compared with; one seed and one set of tiles.
        limits: trials are rounds or matches of each.
        executor: where they are played.
        request: what was asked for.
        widths: half-widths of the figures of which some precision can be asked.
        first: index of the first trial.
        folder: in which it is kept; None keeps nothing.
        watcher: whoever wants to see it go on.

    Raises:
        RunError: the engine reached a state that no round can reach.
        KeyboardInterrupt: Ctrl-C, before any trial was played.
    """
    largest = max(1, min(CHUNK, CHUNK_OF_ALL // len(contests)))
    of_matches = contests[0].target is not None
    job = Job(
        request=request,
        unit="match" if of_matches else "round",
        identity=identity_of(
            "contests",
            first=first,
            contests=[plain_study(each.study) | {"target": each.target} for each in contests],
        ),
        work=partial(_sum_chunk, tuple(contests)),
        add=or_,
        count=attrgetter("trials"),
        widths=widths,
        largest_chunk=max(1, largest // ROUNDS_A_MATCH) if of_matches else largest,
        has_function=any(has_function(each.study.strategies) for each in contests),
    )
    return play(job, limits, executor, first=first, folder=folder, watcher=watcher)


def _sum_chunk(contests: Sequence[Contest], chunk: range) -> Sums:
    return sum_trials(contests, chunk.start, chunk.stop)


def targets_of(contests: Sequence[Contest]) -> tuple[str, ...]:
    """Figures of the differences from the first contest that can be asked for with a precision."""
    names: dict[str, None] = {}
    for other in contests[1:]:
        for name, part in common_keys(contests[0], other):
            names[name] = None
            if part is not None:
                names[f"{name}[{part}]"] = None
        names |= dict.fromkeys(n for n in other.changes if other.can_change(n, contests[0]))
    return tuple(names)


def widest(found: Sequence[Mapping[str, Estimate | list[Estimate] | None]]) -> dict[str, float]:
    """The widest half of an interval of each metric, over several sets of figures."""
    widths: dict[str, float] = {}
    for metrics in found:
        for name, estimate in metrics.items():
            if isinstance(estimate, Estimate):
                wider(widths, name, half_width(estimate))
            for part, each in enumerate(estimate if isinstance(estimate, list) else []):
                wider(widths, name, half_width(each))
                wider(widths, f"{name}[{part}]", half_width(each))
    return widths
