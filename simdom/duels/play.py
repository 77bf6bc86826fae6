"""Deals as a job: played in chunks until all are played, or until Ctrl-C."""

from collections.abc import Callable
from dataclasses import replace
from operator import add, attrgetter
from typing import TypeVar

from simdom.duels.asked import Asked
from simdom.rules import rules_to_dict
from simdom.running.driver import Played, Watcher, play
from simdom.running.folder import RunFolder
from simdom.running.job import Job, Request, identity_of, plain_strategy
from simdom.simulate import has_function

__all__ = ["job_of_deals", "play_deals"]

LARGEST_CHUNK = 20_000

S = TypeVar("S")


def job_of_deals(
    asked: Asked,
    work: Callable[[range], S],
    *,
    request: Request,
    seats: str | None,
    widths: Callable[[S], dict[str, float]],
) -> Job[S]:
    """Deals to be played.

    Args:
        asked: the rules, the strategies and all else.
        work: plays the deals of a range and adds them up; what it gives has ``deals`` and ``+``.
        request: what was asked for.
        seats: who sits where in the first seating; None alternates.
        widths: half-widths of the figures of which some precision can be asked.
    """
    return Job(
        request=request,
        unit="deal",
        identity=identity_of(
            request.kind,
            rules=rules_to_dict(asked.rules),
            strategies=[plain_strategy(each) for each in asked.strategies],
            seats=seats,
            seed=asked.seed,
        ),
        work=work,
        add=add,
        count=attrgetter("deals"),
        widths=widths,
        largest_chunk=LARGEST_CHUNK,
        has_function=has_function(asked.strategies),
    )


def play_deals(
    job: Job[S],
    asked: Asked,
    *,
    rounds_a_deal: int,
    watcher: Watcher,
    folder: RunFolder | None = None,
) -> Played[S]:
    """Play deals until the limits; after Ctrl-C, or where a strategy fails, those before.

    Args:
        job: the deals.
        asked: their limits, and where they are played.
        rounds_a_deal: that each is played.
        watcher: whoever wants to see it; its ``progress`` is told of rounds.
        folder: in which it is kept; None keeps nothing.

    Raises:
        RunError: the engine reached a state that no round can reach.
        StrategyError: a strategy failed before the first chunk was played.
        KeyboardInterrupt: Ctrl-C, before that.
    """
    tell = watcher.progress
    if tell is not None:
        watcher = replace(
            watcher,
            progress=lambda done, total: tell(done * rounds_a_deal, total * rounds_a_deal),
        )
    return play(job, asked.limits, asked.where, folder=folder, watcher=watcher)
