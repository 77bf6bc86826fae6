"""Finds the weights of `normal`, the sensible player of ``configs/strategies/normal.toml``.

    python scripts/search_normal.py

What is sought is a row of small whole weights over the features that S4 names for its Normal
computer player. A row is worth the points that it wins less those that it loses, a round, against
every strategy of a field, in two-player Block and Draw under pagat rules. Points are divided by
their standard deviation when two random players meet, so that the two games count alike.

Every deal is played twice, with the seats swapped, and all rows meet the same opponents on the same
deals; so what is compared is a difference deal by deal, and its standard error is small.

1. Climb: from no weights, from equal ones and from the best of 200 drawn at random, change one
   weight at a time by 8, 4, 2, 1, and keep what gains more than `SURE` standard errors; then go on
   from the best on `MORE` times as many deals.
2. Simplify: take the row with the smallest weights that loses at most `TOLERANCE`.
3. Add the row to the field and climb on, `--generations` times.

Then fresh deals, which no choice was made on, say what the row is worth against each opponent, what
is lost without each weight, what another search finds for each game alone or with all features, and
how the row does among three and four.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import gcd
from typing import Any, NamedTuple

import numpy as np

from simdom.counts import parse_count
from simdom.engine.kernels import list_rounds
from simdom.engine.tally import Outcome
from simdom.executors.threads import usable_cores
from simdom.rules import Rules
from simdom.simulate import study_of
from simdom.strategies import FEATURES, Strategy, load_strategy
from simdom.variants import load_variant

GAMES = ("pagat-block", "pagat-draw")
FIELD = ("random", "heaviest", "lightest", "doubles-first", "accompanied", "blocker")
OF_S4 = ("pips", "double", "own_fit", "unseen_fit", "next_void")
OTHERS = ("high_end", "share", "equal_ends", "own_number", "short_hand")

STEPS = (8, 4, 2, 1)
SURE = 2.0
"""Standard errors of the difference that a change must gain; chance does so once in 44 tries."""
TOLERANCE = 0.001
"""What a plainer row may lose: a thousandth of the spread of one round between random players."""
MORE = 5
FRESH = 1000
"""Added to the seed for deals that no choice was made on."""

Weights = dict[str, int]
Values = np.ndarray[Any, np.dtype[np.float64]]


class Gain(NamedTuple):
    """A mean over deals, with its standard error."""

    mean: float
    se: float

    @classmethod
    def of(cls, values: Values) -> "Gain":
        """The mean of independent values."""
        return cls(float(values.mean()), float(values.std(ddof=1) / len(values) ** 0.5))

    def __str__(self) -> str:
        return f"{self.mean:+.4f} ± {1.96 * self.se:.4f}"


# --- what a row is worth ---------------------------------------------------------------------


def strategy_of(weights: Mapping[str, int], name: str = "row") -> Strategy:
    """A row of weights as a strategy."""
    return Strategy(name, "A row", "", tuple(float(weights.get(one, 0)) for one in FEATURES))


@cache
def rules_of(game: str, players: int) -> Rules:
    """The rules of a game."""
    return load_variant(game).rules(players)


def net_points(rules: Rules, seats: Sequence[Strategy], me: int, deals: range, seed: int) -> Values:
    """What seat ``me`` wins less what it loses, deal by deal: nothing where nobody wins.

    Where others win, it loses its share of their points: the seats' net points add up to 0.
    """
    rows = list_rounds(study_of(rules, seats, seed), deals.start, deals.stop).T
    of = dict(zip(Outcome._fields, rows, strict=False))
    return np.where(of["winner"] == me, of["points"], -of["points"] / (rules.players - 1))


def rotated_net(
    game: str, one: Strategy, other: Strategy, deals: range, seed: int, players: int = 2
) -> Values:
    """Net points of ``one`` against ``other`` in all other seats, the mean over every seat."""
    rules = rules_of(game, players)
    total = np.zeros(len(deals))
    for me in range(players):
        seats = [one if seat == me else other for seat in range(players)]
        total += net_points(rules, seats, me, deals, seed)
    return total / players


@cache
def spread_of(game: str) -> float:
    """Standard deviation of a seat's net points in a round between two random players."""
    random = load_strategy("random")
    return float(net_points(rules_of(game, 2), [random, random], 0, range(100_000), 1).std())


class Judge:
    """Says what rows are worth against a field, on deals that are the same for all of them."""

    def __init__(
        self,
        field: Sequence[Strategy],
        deals: int,
        seed: int,
        pool: ThreadPoolExecutor,
        games: Sequence[str] = GAMES,
    ) -> None:
        self.field, self.deals, self.seed = tuple(field), deals, seed
        self.games, self._pool = tuple(games), pool
        self._known: dict[tuple[int, ...], Values] = {}

    def values(self, weights: Weights) -> Values:
        """What the row wins a deal, in spreads of the game, the mean over field and games."""
        key = plain_key(weights)
        if key not in self._known:
            one = strategy_of(weights)
            jobs = [(game, other) for game in self.games for other in self.field]
            nets = self._pool.map(
                lambda job: (
                    rotated_net(job[0], one, job[1], range(self.deals), self.seed)
                    / spread_of(job[0])
                ),
                jobs,
            )
            self._known[key] = sum(nets, np.zeros(self.deals)) / len(jobs)
        return self._known[key]

    def worth(self, weights: Weights) -> Gain:
        """What the row is worth."""
        return Gain.of(self.values(weights))

    def gain(self, weights: Weights, over: Weights) -> Gain:
        """What the row is worth more than another, from differences deal by deal."""
        return Gain.of(self.values(weights) - self.values(over))

    def on(self, deals: int, seed: int) -> "Judge":
        """The same judge on other deals."""
        return Judge(self.field, deals, seed, self._pool, self.games)


def plain_key(weights: Weights) -> tuple[int, ...]:
    """The row in the order of `FEATURES`, divided by the common factor: how it plays."""
    row = [weights.get(feature, 0) for feature in FEATURES]
    factor = gcd(*row) or 1
    return tuple(weight // factor for weight in row)


def reduced(weights: Weights) -> Weights:
    """The same row without zeros and without a common factor."""
    row = dict(zip(FEATURES, plain_key(weights), strict=True))
    return {feature: weight for feature, weight in row.items() if weight}


def told(weights: Weights) -> str:
    """The row in words."""
    return ", ".join(f"{name} {weight}" for name, weight in reduced(weights).items()) or "nothing"


# --- the search ------------------------------------------------------------------------------


def climb(
    judge: Judge,
    start: Weights,
    features: Sequence[str],
    steps: Iterable[int] = STEPS,
    say: Callable[[str], None] = lambda _: None,
) -> Weights:
    """Change one weight at a time while that surely gains; the best row met on the way."""
    best = dict(start)
    for step in steps:
        moved = True
        while moved:
            moved = False
            for feature in features:
                for change in (step, -step):
                    tried = best | {feature: best.get(feature, 0) + change}
                    gain = judge.gain(tried, best)
                    if gain.mean > SURE * gain.se > 0:
                        best, moved = tried, True
                        say(f"  {judge.worth(best)}  {told(best)}")
    return best


def explore(judge: Judge, features: Sequence[str], rows: int = 200, kept: int = 2) -> list[Weights]:
    """The best of rows drawn at random: a quarter of all weights 0, the others from 1 to 64."""
    draw = np.random.default_rng(judge.seed)
    tried = []
    for _ in range(rows):
        sizes = np.exp2(draw.uniform(0, 6, len(features))).round().astype(int)
        signs = draw.choice((0, 1, 1, 1), len(features))
        signed = zip(features, (sizes * signs).tolist(), strict=True)
        tried.append({name: -size if name == "unseen_fit" else size for name, size in signed})
    return sorted(tried, key=lambda row: judge.worth(row).mean, reverse=True)[:kept]


def simplify(judge: Judge, weights: Weights, tolerance: float = TOLERANCE) -> Weights:
    """The row with the smallest weights that loses at most ``tolerance``.

    At every smaller scale the row is rounded, and climbs on by single steps; the first that loses
    little enough then loses weights as well, the least missed first.
    """
    weights = reduced(weights)
    largest = max(map(abs, weights.values()))
    for scale in range(1, largest):
        rounded = {name: round(weight * scale / largest) for name, weight in weights.items()}
        row = reduced(climb(judge, rounded, [name for name in rounded if rounded[name]], (1,)))
        smaller = sum(map(abs, row.values())) < sum(map(abs, weights.values()))
        if smaller and -judge.gain(row, weights).mean <= tolerance:
            return _drop(judge, row, weights, tolerance)
    return _drop(judge, weights, weights, tolerance)


def _drop(judge: Judge, weights: Weights, best: Weights, tolerance: float) -> Weights:
    """Set weights to 0, the least missed first, while the row loses at most ``tolerance``."""
    row = reduced(weights)
    while len(row) > 1:
        fewer = max(
            ({name: row[name] for name in row if name != dropped} for dropped in row),
            key=lambda one: judge.gain(one, best).mean,
        )
        if -judge.gain(fewer, best).mean > tolerance:
            break
        row = reduced(fewer)
    return row


def search(
    judge: Judge,
    starts: Sequence[Weights],
    features: Sequence[str],
    say: Callable[[str], None] = lambda _: None,
) -> tuple[Weights, Weights]:
    """Climb from each start, climb on from the best with more deals, and simplify.

    Returns:
        The best row, and the plainer one.
    """
    tops = []
    for start in starts:
        say(f" from {told(start)}:")
        tops.append(climb(judge, start, features, STEPS, say))
    sharper = judge.on(MORE * judge.deals, judge.seed + 1)
    top = max(tops, key=lambda row: sharper.worth(row).mean)
    say(f" on from {told(top)}, {sharper.deals:,} deals:")
    top = climb(sharper, top, features, (2, 1), say)
    row = simplify(sharper, top)
    say(f" plainer: {told(row)} ({sharper.gain(row, top)})")
    return top, row


# --- the report ------------------------------------------------------------------------------


def margins(
    row: Weights, field: Sequence[Strategy], deals: int, seed: int, pool: ThreadPoolExecutor
) -> dict[tuple[str, str], Gain]:
    """Net points a round by game and opponent, on deals of that seed."""
    one = strategy_of(row)
    jobs = [(game, other) for game in GAMES for other in field]
    nets = pool.map(lambda job: rotated_net(job[0], one, job[1], range(deals), seed), jobs)
    return {(game, other.name): Gain.of(net) for (game, other), net in zip(jobs, nets, strict=True)}


def report(
    row: Weights, field: Sequence[Strategy], options: argparse.Namespace, pool: ThreadPoolExecutor
) -> None:
    """Say what the row is worth on fresh deals."""
    deals, seed = MORE * options.deals, options.seed + FRESH
    say(f"\nOn {deals:,} fresh deals, each played in both seats: points a round, won less lost")
    for (game, other), gain in margins(row, field, deals, seed, pool).items():
        say(f"  {game} v {other:<14}{gain}  ({gain.mean / gain.se:+.0f} standard errors)")
    judge = Judge(field, deals, seed, pool)
    say(f"\nIn spreads of a round, the mean over field and games: {judge.worth(row)}")
    for name in row:
        fewer = {other: weight for other, weight in row.items() if other != name}
        say(f"  without {name:<12}{judge.gain(fewer, row)}")
    for players in (3, 4):
        say(f"\nOne among {players}, in every seat by turns: points a round, won less lost")
        for game in GAMES:
            for name in ("random", "heaviest", "blocker"):
                net = rotated_net(
                    game, strategy_of(row), load_strategy(name), range(deals), seed, players
                )
                say(f"  {game} v {name:<14}{Gain.of(net)}")


def compare_searches(
    top: Weights,
    row: Weights,
    field: Sequence[Strategy],
    options: argparse.Namespace,
    pool: ThreadPoolExecutor,
) -> None:
    """Say what is found from the best row on for each game alone, and with all features."""
    fresh = MORE * options.deals, options.seed + FRESH
    for game in GAMES:
        alone = Judge(field, options.deals, options.seed, pool, [game])
        _, best = search(alone, [top], OF_S4)
        gains = [Judge(field, *fresh, pool, [each]).gain(best, row) for each in GAMES]
        say(f"\nBest for {game} alone: {told(best)}")
        for each, gain in zip(GAMES, gains, strict=True):
            say(f"  in {each}, over the row: {gain}")
    judge = Judge(field, options.deals, options.seed, pool)
    _, best = search(judge, [top], [*OF_S4, *OTHERS])
    gain = judge.on(*fresh).gain(best, row)
    say(f"\nWith all features: {told(best)}\n  over the row: {gain}")


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> None:
    """Search and report."""
    parser = argparse.ArgumentParser(description="Find the weights of the strategy normal.")
    parser.add_argument("--deals", type=parse_count, default=20_000, help="of each comparison")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--generations", type=int, default=3)
    options = parser.parse_args(arguments)
    field = [load_strategy(name) for name in FIELD]
    with ThreadPoolExecutor(usable_cores()) as pool:
        spreads = ", ".join(f"{spread_of(game):.2f} in {game}" for game in GAMES)
        say(f"Points are divided by their spread: {spreads}.")
        starts: list[Weights] = [{}, dict.fromkeys(OF_S4, 8) | {"unseen_fit": -8}]
        top: Weights = {}
        row: Weights = {}
        for generation in range(options.generations):
            say(f"\nGeneration {generation + 1}, against {', '.join(one.name for one in field)}")
            judge = Judge(field, options.deals, options.seed + 10 * generation, pool)
            if not generation:
                starts += explore(judge.on(options.deals // 4, judge.seed), OF_S4)
            top, row = search(judge, starts, OF_S4, say)
            starts = [top]
            field.append(strategy_of(row, f"row {generation + 1}"))
        field.pop()
        report(row, field, options, pool)
        compare_searches(top, row, field, options, pool)
    say("\n[weights]")
    for name, weight in reduced(row).items():
        say(f"{name} = {weight}")


if __name__ == "__main__":
    main()
