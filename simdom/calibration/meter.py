"""Rows played on the same rounds, piece by piece, and what they make of claims."""

from collections.abc import Callable, Iterator, Sequence

from simdom.engine.kernels import Study, compile_engine, tally_rounds
from simdom.engine.tally import Tally, merge
from simdom.errors import RunError
from simdom.estimate import METRICS, Estimate, estimate_mean, estimate_rate
from simdom.executors.threads import map_in_order
from simdom.published.claim import Claims
from simdom.running.driver import patience
from simdom.strategies import Strategy

__all__ = ["Meter"]

CHUNK = 100_000  # rounds that a thread plays at a time; no figure depends on it

_Piece = tuple[int, range]


class Meter:
    """Plays strategies, all seats alike, under the rule sets that claims are about.

    Round number i has the same shuffle for every strategy, and is that of
    `simdom.simulate.simulate`.

    Attributes:
        rules: every rule set once.
        rounds: played so far by all strategies together, of all rule sets.
    """

    def __init__(self, claims: Claims, *, seed: int, workers: int) -> None:
        self._claims = claims
        self._seed = seed
        self._workers = workers
        self.rules = list(dict.fromkeys(answer.rules for _, answer in claims.measured))
        self.rounds = 0

    def compile(self, strategy: Strategy, on_compile: Callable[[], None] | None) -> None:
        """Compile what all strategies need, or load it from disk."""
        with patience(on_compile):
            for which in range(len(self.rules)):
                compile_engine(self._study(strategy, which))

    def play(
        self,
        strategies: Sequence[Strategy],
        rounds: range,
        which: Sequence[int],
        progress: Callable[[int], None] | None = None,
    ) -> Iterator[tuple[int, list[Tally]]]:
        """Play these rounds with each strategy.

        Args:
            strategies: one or more.
            rounds: their numbers, at least one.
            which: of the rule sets are played, by their places.
            progress: called now and then with the rounds played since the last call.

        Yields:
            The place of each strategy in turn, and its tallies, one for each of ``which``.

        Raises:
            RunError: the engine reached a state that no round can reach.
        """
        studies = [[self._study(strategy, one) for one in which] for strategy in strategies]
        jobs = _jobs(len(studies), rounds)

        def work(job: range) -> list[list[Tally]]:
            return [
                [tally_rounds(study, part.start, part.stop) for study in studies[place]]
                for place, part in jobs[job.start]
            ]

        tallies: list[Tally] = []
        each = (range(job, job + 1) for job in range(len(jobs)))
        for job, found in zip(jobs, map_in_order(work, each, self._workers), strict=True):
            for (place, part), more in zip(job, found, strict=True):
                tallies = [*map(merge, tallies, more)] if tallies else more
                if part.stop == rounds.stop:
                    _check_possible(tallies)
                    yield place, tallies
                    tallies = []
            played = len(which) * sum(len(part) for _, part in job)
            self.rounds += played
            if progress is not None:
                progress(played)

    def play_one(
        self,
        strategy: Strategy,
        rounds: int,
        confidence: float,
        progress: Callable[[int], None] | None = None,
    ) -> dict[str, Estimate]:
        """Play rounds 0 to ``rounds - 1`` of every rule set with one strategy.

        Returns:
            What the claims are about, by id.

        Raises:
            RunError: the engine reached a state that no round can reach.
        """
        places = range(len(self.rules))
        ((_, tallies),) = self.play([strategy], range(rounds), places, progress)
        found: dict[str, Estimate] = {}
        for which, tally in zip(places, tallies, strict=True):
            found |= self.figures(which, tally, confidence)
        return found

    def figures(self, which: int, tally: Tally, confidence: float) -> dict[str, Estimate]:
        """What the claims about one rule set are about, by id."""
        rules = self.rules[which]
        found = {}
        for claim, answer in self._claims.measured:
            if answer.rules != rules:
                continue
            metric = METRICS[answer.metric]
            histogram = metric.read(tally, rules)[answer.seat or 0]
            found[claim.id] = (
                estimate_rate(histogram[1], sum(histogram), confidence)
                if metric.kind == "rate"
                else estimate_mean(histogram, confidence)
            )
        return found

    def names(self, which: int) -> list[str]:
        """The ids of the claims about one rule set."""
        rules = self.rules[which]
        return [claim.id for claim, answer in self._claims.measured if answer.rules == rules]

    def _study(self, strategy: Strategy, which: int) -> Study:
        rules = self.rules[which]
        return Study(rules, (strategy,) * rules.players, self._seed)


def _jobs(strategies: int, rounds: range) -> list[list[_Piece]]:
    """Pieces of work for a thread: several strategies, or a part of the rounds of one."""
    pieces = [
        (place, range(at, min(at + CHUNK, rounds.stop)))
        for place in range(strategies)
        for at in range(rounds.start, rounds.stop, CHUNK)
    ]
    together = max(1, CHUNK // len(rounds))
    return [pieces[at : at + together] for at in range(0, len(pieces), together)]


def _check_possible(tallies: Sequence[Tally]) -> None:
    impossible = sum(tally.impossible for tally in tallies)
    if impossible:
        raise RunError(f"{impossible} rounds reached a state that no round can reach: a bug")
