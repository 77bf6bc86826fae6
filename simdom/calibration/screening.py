"""Screening: every row plays a few rounds, and those that may still fit play on.

A row is given up as soon as the interval of one of its figures, at `SURE`, is too far out for what
the claim may stand for. All rows play the same rounds; a row that goes on plays only those that it
has not played, and no more of a rule set whose figures are surely far enough inside. So most rows
cost little, and none is missed for lack of looking. Races of this kind go back to O. Maron and
A. W. Moore, *Advances in Neural Information Processing Systems* 6 (1994) 59-66.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from simdom.calibration.meter import Meter
from simdom.calibration.plain import Row, strategy_of
from simdom.calibration.plan import Plan
from simdom.calibration.room import error_of
from simdom.engine.tally import Tally, merge, new_tally
from simdom.estimate import Estimate
from simdom.published.claim import Claim

__all__ = ["Candidate", "Figure", "Screening", "Stage", "stages_below"]

FIRST = 2_000
"""Rounds of the first stage."""
MORE = 4
"""How many times the rounds of one stage the next has."""
SURE = 0.999
"""Confidence of the intervals by which rows are given up."""
ALIKE = 100_000
"""Rounds after which rows that have tallied the same are taken to play alike."""


class Stage(NamedTuple):
    """One look at rows.

    Attributes:
        rounds: that each row had played of rule sets that were still open.
        rows: that did.
        alike: of them, those that had tallied the same as a plainer one.
        left: those that may still fit.
    """

    rounds: int
    rows: int
    alike: int
    left: int


class Figure(NamedTuple):
    """An estimate, and the rounds that it comes from."""

    estimate: Estimate
    rounds: int


class Candidate(NamedTuple):
    """A row, and what it has played so far.

    Attributes:
        row: its weights.
        tallies: one for each rule set.
        open: rule sets whose figures are not surely far enough inside, by their places.
        figures: by claim, with intervals at the confidence that was asked for.
    """

    row: Row
    tallies: tuple[Tally, ...]
    open: tuple[int, ...]
    figures: dict[str, Figure]


def stages_below(rounds: int) -> list[int]:
    """Rounds that a row has played after each stage: up to a quarter of the ``rounds`` of the end.

    >>> stages_below(128_000), stages_below(500)
    ([2000, 8000, 32000], [500])
    """
    stages = [min(FIRST, rounds)]
    while MORE * MORE * stages[-1] <= rounds:
        stages.append(MORE * stages[-1])
    return stages


class Screening:
    """The screening of rows.

    Attributes:
        stages: those that are over.
        left: rows that may still fit, with all that they have played, the plainest first.
        looked_at: rows of the last look, without their tallies; after Ctrl-C within the first
            look, those that it came to.
    """

    def __init__(self, plan: Plan, meter: Meter, rows: Sequence[Row]) -> None:
        self._plan, self._meter = plan, meter
        self._claims = {claim.id: claim for claim in plan.claims.claims}
        blank = tuple(map(new_tally, meter.rules))
        everything = tuple(range(len(blank)))
        self.stages: list[Stage] = []
        self.left = [Candidate(row, blank, everything, {}) for row in rows]
        self.looked_at: list[Candidate] = []

    def look(self, rounds: int, progress: Callable[[int, int], None] | None = None) -> None:
        """Play rows on to so many rounds and give up those that cannot fit.

        Raises:
            RunError: the engine reached a state that no round can reach.
            KeyboardInterrupt: Ctrl-C; what was looked at is kept, and so are all that were left.
        """
        before = self.left
        looked_at: list[Candidate] = []
        left: dict[int, Candidate] = {}
        seen: set[bytes] = set()
        alike = 0
        try:
            for place, one in self._play_on(before, rounds, progress):
                looked_at.append(one._replace(tallies=()))  # which would take much memory
                same = _fingerprint(one.tallies)
                if rounds >= ALIKE and same in seen:
                    alike += 1
                elif self._may_fit(one):
                    left[place] = self._settle(one)
                seen.add(same)
        finally:
            self.looked_at = looked_at or self.looked_at
        self.left = [left[place] for place in sorted(left)]
        self.stages.append(Stage(rounds, len(before), alike, len(left)))

    def finish(
        self, one: Candidate, rounds: int, progress: Callable[[int, int], None] | None = None
    ) -> Candidate:
        """Play one row on to so many rounds.

        Raises:
            RunError: the engine reached a state that no round can reach.
        """
        ((_, ended),) = self._play_on([one], rounds, progress)
        return ended

    def _play_on(
        self,
        before: Sequence[Candidate],
        rounds: int,
        progress: Callable[[int, int], None] | None,
    ) -> Iterator[tuple[int, Candidate]]:
        """Play on each row's open rule sets, those with the same ones together."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for place, one in enumerate(before):
            groups.setdefault(one.open, []).append(place)
        everything = sum(
            (rounds - one.tallies[which].rounds) for one in before for which in one.open
        )
        done = 0

        def tell(more: int) -> None:
            nonlocal done
            done += more
            if progress is not None:
                progress(done, everything)

        for which, places in groups.items():
            start = min((before[places[0]].tallies[one].rounds for one in which), default=rounds)
            if start == rounds:
                yield from ((place, before[place]) for place in places)
                continue
            strategies = [strategy_of(before[place].row) for place in places]
            for at, more in self._meter.play(strategies, range(start, rounds), which, tell):
                yield places[at], self._played_on(before[places[at]], more)

    def _played_on(self, before: Candidate, more: Sequence[Tally]) -> Candidate:
        tallies = list(before.tallies)
        figures = dict(before.figures)
        for which, tally in zip(before.open, more, strict=True):
            tallies[which] = merge(tallies[which], tally)
            found = self._meter.figures(which, tallies[which], self._plan.confidence)
            for name, estimate in found.items():
                figures[name] = Figure(estimate, tallies[which].rounds)
        return before._replace(tallies=tuple(tallies), figures=figures)

    def _may_fit(self, one: Candidate) -> bool:
        return all(
            sure.low <= high and low <= sure.high
            for which in one.open
            for sure, low, high in self._surely(one, which)
        )

    def _settle(self, one: Candidate) -> Candidate:
        """The row, with rule sets closed whose figures are surely far enough inside."""
        still_open = tuple(
            which
            for which in one.open
            if not all(
                low <= sure.low and sure.high <= high
                for sure, low, high in self._surely(one, which)
            )
        )
        return one._replace(open=still_open)

    def _surely(self, one: Candidate, which: int) -> Iterator[tuple[Estimate, float, float]]:
        """A rule set's figures at `SURE`, each with the edges that it has to lie between."""
        tally = one.tallies[which]
        for name, estimate in self._meter.figures(which, tally, SURE).items():
            claim = self._claims[name]
            yield estimate, *_edges(claim, estimate, tally.rounds, self._plan)


def _edges(claim: Claim, estimate: Estimate, rounds: int, plan: Plan) -> tuple[float, float]:
    """Between what a true value must lie for a run of all rounds to be likely inside."""
    margin = plan.least_room * error_of(estimate, rounds, plan.rounds)
    return claim.low + margin, claim.high - margin


def _fingerprint(tallies: Sequence[Tally]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for array in (array for tally in tallies for array in tally):
        digest.update(array.tobytes())
    return digest.digest()
