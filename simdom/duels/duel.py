"""Two strategies on the same deals, each playing every hand: who is better, how much is luck."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

from simdom.duels.asked import ask
from simdom.duels.columns import Match, new_match, parts_of_a_point
from simdom.duels.duel_result import Duel
from simdom.duels.duel_sums import DuelSums, estimate_figures, sum_deals
from simdom.duels.play import job_of_deals, play_deals
from simdom.errors import UsageError
from simdom.executors.choosing import Where
from simdom.rules import Rules
from simdom.running.driver import Watcher
from simdom.running.keeping import Keep, keep, opened_folder
from simdom.running.stopping import Look, half_width
from simdom.simulate import DEFAULT_CONFIDENCE, give, request_of
from simdom.strategies import Strategy
from simdom.variants import Variant

__all__ = ["TARGETS", "duel"]

TARGETS = (
    *("win_rate", "loss_rate", "tie_rate", "win_edge", "points_per_round"),
    *("luck_share", "skill_share", "rest_share"),
)
"""Figures of which some precision can be asked."""

_SIDES = 2


def duel(  # noqa: PLR0913 -- those of `simulate`, with who sits where
    *strategies: str | Strategy,
    variant: str | Variant | Rules = "pagat-draw",
    deals: float | None = None,
    players: int | None = None,
    overrides: Mapping[str, object] | None = None,
    seats: str | None = None,
    seed: int = 1,
    threads: int | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    until: Mapping[str, float] | None = None,
    max_time: float | None = None,
    executor: Where = None,
    checkpoint: Keep = None,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
    on_look: Callable[[Look], None] | None = None,
) -> Duel:
    """Let two strategies play every hand of the same deals, and say which is better.

    Each deal is played in several seatings, such that both strategies play every hand from the same
    place: two for two or four players, six for three; see `simdom.duels.seating`. The luck of the
    deal is the same for both, and cancels. In round number i of a seating the deal is that of round
    i of `simdom.simulate.simulate` with the same seed.

    Args:
        strategies: two: names, paths of TOML files, or `Strategy` objects; the first is a, the
            second b.
        variant: a preset's name, the path of a TOML file, a `Variant`, or `Rules`.
        deals: how many, from 1 to 1e13; each is played as many times as there are seatings. With
            ``until``, how many at most. None for 1e5, or with ``until`` as many as it takes.
        players: seats at the table; None for the variant's own.
        overrides: toggles of `Rules` to change, such as ``{"reserve": 0}``.
        seats: who sits where in the first seating, such as ``"aabb"``; the others follow from it.
            None alternates.
        seed: 0 to 2**64 - 1.
        threads: to play on; None for every usable core. They never change a figure.
        confidence: of the intervals, between 0 and 1.
        until: half-widths of intervals by figure, such as ``{"points_per_round": 0.05}``, see
            `simdom.simulate.simulate`.
        max_time: seconds after which no more deals are begun; None for no limit.
        executor: where to play instead of on threads, see `simdom.simulate.simulate`.
        checkpoint: a new folder in which it is kept, see `simdom.simulate.simulate`.
        progress: called now and then with the rounds played, and those asked for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.
        on_look: called with a `Look` whenever ``until`` is looked at.

    Returns:
        The duel. On Ctrl-C, that of the deals played so far, with ``asked`` set.

    Raises:
        UsageError: not two strategies; a value that cannot be used, which the line names.
        RulesError: rules under which no round can be played.
        RunError: the engine reached a state that no round can reach; ``checkpoint`` cannot be
            written at the end.
        StrategyError: a strategy that is a function failed, or answered with no placement; the
            duel of the deals that were finished before is in its ``result``.
        ExecutorError: the cluster is gone; the duel of the deals before is in its ``result``.

    >>> found = duel("normal", "random", variant="pagat-block", deals=500)
    >>> found.rounds, found.win_rate.estimate > found.loss_rate.estimate
    (1000, True)
    """
    if len(strategies) != _SIDES:
        what = "1 strategy" if len(strategies) == 1 else f"{len(strategies)} strategies"
        raise UsageError(
            f"a duel is of 2 strategies, not {what}; `simdom ladder` plays any number, each "
            "against each"
        )
    asked = ask(
        strategies,
        variant=variant,
        deals=deals,
        players=players,
        overrides=overrides,
        seed=seed,
        threads=threads,
        confidence=confidence,
        executor=executor,
        until=until,
        targets=TARGETS,
        max_time=max_time,
    )
    a, b = asked.strategies
    match = new_match(asked.rules, a, b, asked.seed, seats)
    job = job_of_deals(
        asked,
        partial(sum_deals, match),
        request=request_of(
            "duel",
            f"{a.name} against {b.name} at {asked.variant.name}",
            strategies=strategies,
            variant=variant,
            players=players,
            overrides=overrides,
            seats=seats,
            seed=asked.seed,
            confidence=asked.confidence,
        ),
        seats=seats,
        widths=lambda sums: _widths(match, sums, asked.confidence),
    )
    parts = parts_of_a_point(asked.rules)
    with opened_folder(checkpoint) as folder:
        played = play_deals(
            job,
            asked,
            rounds_a_deal=match.seatings,
            watcher=Watcher(progress, on_compile, on_look),
            folder=folder,
        )
        sums = played.tally
        found = Duel(
            asked_for=asked,
            seatings=tuple(seating for pair in match.pairs for seating in pair),
            deals=sums.deals,
            figures=estimate_figures(match, sums, asked.confidence),
            of_rounds=_in_points(sums.of_rounds, parts),
            of_deals=_in_points(sums.of_deals, parts * match.seatings),
            seconds=played.seconds,
            command=asked.command("duel", sums.deals, seats),
            asked=played.asked,
            reached=played.reached,
        )
        return give(keep(checkpoint, folder, found, whole=played.is_whole), played.failure)


def _widths(match: Match, sums: DuelSums, confidence: float) -> dict[str, float]:
    figures = estimate_figures(match, sums, confidence)
    return {name: half_width(getattr(figures, name)) for name in TARGETS}


def _in_points(counted: Counter[int], parts: int) -> Counter[float]:
    return Counter({value / parts: count for value, count in sorted(counted.items())})
