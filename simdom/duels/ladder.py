"""Every strategy against every other on the same deals: who beats whom, and a rating for each."""

from collections.abc import Callable, Mapping
from functools import partial

from simdom.duels.asked import ask
from simdom.duels.columns import new_match, parts_of_a_point
from simdom.duels.ladder_result import Ladder
from simdom.duels.ladder_sums import Scale, estimate_meetings, estimate_standings, sum_matches
from simdom.duels.play import job_of_deals, play_deals
from simdom.duels.ratings import fit_ratings, pairs_of
from simdom.errors import UsageError
from simdom.rules import Rules
from simdom.running.driver import Watcher
from simdom.simulate import DEFAULT_CONFIDENCE, give, request_of
from simdom.strategies import Strategy, strategy_names
from simdom.variants import Variant

__all__ = ["DEFAULT_DEALS", "ladder"]

DEFAULT_DEALS = 20_000
FEWEST, MOST = 2, 20
_ANCHOR = "random"


def ladder(
    *strategies: str | Strategy,
    variant: str | Variant | Rules = "pagat-draw",
    deals: float = DEFAULT_DEALS,
    players: int | None = None,
    overrides: Mapping[str, object] | None = None,
    seats: str | None = None,
    seed: int = 1,
    threads: int | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Ladder:
    """Let every strategy meet every other on the same deals, each playing every hand.

    Each pair plays as in `simdom.duels.duel.duel`.

    Args:
        strategies: 2 to 20: names, paths of TOML files, or `Strategy` objects; none for all that
            come with simdom.
        variant: a preset's name, the path of a TOML file, a `Variant`, or `Rules`.
        deals: how many, from 1 to 1e13, the same for all pairs.
        players: seats at the table; None for the variant's own.
        overrides: toggles of `Rules` to change, such as ``{"reserve": 0}``.
        seats: who of a pair sits where in the first seating, such as ``"aabb"``; the others follow
            from it. None alternates.
        seed: 0 to 2**64 - 1.
        threads: to play on; None for every usable core. They never change a figure.
        confidence: of the intervals, between 0 and 1.
        progress: called now and then with the rounds played, and those asked for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.

    Returns:
        The ladder. On Ctrl-C, that of the deals played so far, with ``asked`` set.

    Raises:
        UsageError: fewer than 2 or more than 20 strategies; two of one name; a value that cannot
            be used, which the line names.
        RulesError: rules under which no round can be played.
        RunError: the engine reached a state that no round can reach.
        StrategyError: a strategy that is a function failed, or answered with no placement; the
            ladder of the deals that were finished before is in its ``result``.

    >>> found = ladder("random", "normal", variant="pagat-block", deals=500)
    >>> [standing.strategy for standing in found.standings]
    ['normal', 'random']
    """
    given = strategies or tuple(strategy_names())
    if not FEWEST <= len(given) <= MOST:
        what = "1 strategy" if len(given) == 1 else f"{len(given)} strategies"
        raise UsageError(f"a ladder is of {FEWEST} to {MOST} strategies, not {what}")
    asked = ask(
        given,
        variant=variant,
        deals=deals,
        players=players,
        overrides=overrides,
        seed=seed,
        threads=threads,
        confidence=confidence,
    )
    twice = [name for name in asked.names if asked.names.count(name) > 1]
    if twice:
        raise UsageError(f"{twice[0]} is given twice: a ladder tells strategies apart by name")
    matches = [
        new_match(asked.rules, asked.strategies[i], asked.strategies[j], asked.seed, seats)
        for i, j in pairs_of(len(given))
    ]
    seatings = matches[0].seatings
    job = job_of_deals(
        asked,
        partial(sum_matches, matches),
        request=request_of("ladder", f"{len(given)} strategies"),
        seats=seats,
        widths=lambda _: {},
    )
    played = play_deals(
        job,
        asked,
        rounds_a_deal=seatings * len(matches),
        watcher=Watcher(progress, on_compile),
    )
    sums = played.tally
    anchor = asked.names.index(_ANCHOR) if _ANCHOR in asked.names else None
    ratings = fit_ratings(len(given), sums.edges, seatings, anchor)
    scale = Scale(seatings, parts_of_a_point(asked.rules))
    standings = estimate_standings(asked.names, sums, ratings, scale, asked.confidence)
    return give(
        Ladder(
            asked_for=asked,
            seatings=tuple(seating for pair in matches[0].pairs for seating in pair),
            deals=sums.deals,
            anchor=None if anchor is None else _ANCHOR,
            standings=tuple(standings),
            meetings=estimate_meetings(asked.names, sums, ratings, scale, asked.confidence),
            seconds=played.seconds,
            command=asked.command("ladder", sums.deals, seats),
            asked=played.asked,
        ),
        played.failure,
    )
