"""Screening: every row plays a few rounds, and those that may still fit play on.

A row is given up as soon as the interval of one of its figures, at `SURE`, is too far out for what
the claim may stand for. All rows play the same rounds; a row that goes on plays only those that it
has not played, and no more of a rule set whose figures are surely far enough inside. So most rows
cost little, and none is missed for lack of looking. Races of this kind go back to O. Maron and
A. W. Moore, *Advances in Neural Information Processing Systems* 6 (1994) 59-66.
"""

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from simdom.calibration.meter import Meter
from simdom.calibration.plain import Row, strategy_of
from simdom.calibration.plan import Plan
from simdom.calibration.room import error_of, room_in
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
        looked_at = dict[int, Candidate]()
        running = dict(enumerate(before))
        try:
            for place, one in self._race(running, rounds, progress):
                looked_at[place] = one._replace(tallies=())  # which would take much memory
        finally:
            self.looked_at = [*looked_at.values()] or self.looked_at
        unlike: dict[object, Candidate] = {}
        for place, one in sorted(running.items()):
            same = _fingerprint(one.tallies) if rounds >= ALIKE else place
            unlike.setdefault(same, self._settle(one))
        self.left = [*unlike.values()]
        self.stages.append(
            Stage(rounds, len(before), len(running) - len(self.left), len(self.left))
        )

    def finish(
        self, one: Candidate, rounds: int, progress: Callable[[int, int], None] | None = None
    ) -> Candidate:
        """Play one row on to so many rounds, or until it cannot fit.

        Raises:
            RunError: the engine reached a state that no round can reach.
        """
        played = [played for _, played in self._race({0: one}, rounds, progress)]
        return played[-1] if played else one

    def _race(
        self,
        running: dict[int, Candidate],
        rounds: int,
        progress: Callable[[int, int], None] | None,
    ) -> Iterator[tuple[int, Candidate]]:
        """Play rows on, step by step, and take those away that cannot fit.

        The rule set under which a row looks worst comes first: if it is given up, the others need
        not be played. A row that has played nothing yet plays all.

        Args:
            running: rows by their places; changed in place.
            rounds: where the race ends.
            progress: called with the rounds played or saved, and their number.

        Yields:
            A place and its row, whenever it has played.
        """
        everything = sum(self._ahead(one, rounds) for one in running.values())
        done = 0

        def tell(more: int) -> None:
            nonlocal done
            done += more
            if progress is not None:
                progress(done, everything)

        for stop in _steps([*running.values()], rounds):
            turns = {place: self._turns(one, stop) for place, one in running.items()}
            while any(turns.values()):
                playing = {
                    place: (running[place], turn.pop(0)) for place, turn in turns.items() if turn
                }
                for place, one in self._play_on(playing, stop, tell):
                    running[place] = one
                    if not self._may_fit(one, playing[place][1]):
                        del running[place], turns[place]
                        tell(self._ahead(one, rounds))
                    yield place, one

    def _ahead(self, one: Candidate, rounds: int) -> int:
        return sum(rounds - one.tallies[which].rounds for which in one.open)

    def _turns(self, one: Candidate, stop: int) -> list[tuple[int, ...]]:
        """Open rule sets that have not played so far, those together that are played together."""
        behind = tuple(which for which in one.open if one.tallies[which].rounds < stop)
        if not one.figures:
            return [behind]
        return sorted(((which,) for which in behind), key=lambda each: self._room(one, each[0]))

    def _room(self, one: Candidate, which: int) -> float:
        """Standard errors between a rule set's figures and the nearest edge; below 0 outside."""
        rounds = one.tallies[which].rounds
        return min(
            room_in(self._claims[name], one.figures[name].estimate, rounds, rounds)
            for name in self._meter.names(which)
        )

    def _play_on(
        self,
        playing: Mapping[int, tuple[Candidate, tuple[int, ...]]],
        stop: int,
        tell: Callable[[int], None],
    ) -> Iterator[tuple[int, Candidate]]:
        """Play some rule sets of each row on, those with the same ones together."""
        groups: dict[tuple[tuple[int, ...], int], list[int]] = {}
        for place, (one, which) in playing.items():
            groups.setdefault((which, one.tallies[which[0]].rounds), []).append(place)
        for (which, start), places in groups.items():
            strategies = [strategy_of(playing[place][0].row) for place in places]
            for at, more in self._meter.play(strategies, range(start, stop), which, tell):
                yield places[at], self._played_on(playing[places[at]][0], which, more)

    def _played_on(
        self, before: Candidate, which: tuple[int, ...], more: Sequence[Tally]
    ) -> Candidate:
        tallies = list(before.tallies)
        figures = dict(before.figures)
        for each, tally in zip(which, more, strict=True):
            tallies[each] = merge(tallies[each], tally) if tallies[each].rounds else tally
            found = self._meter.figures(each, tallies[each], self._plan.confidence)
            for name, estimate in found.items():
                figures[name] = Figure(estimate, tallies[each].rounds)
        return before._replace(tallies=tuple(tallies), figures=figures)

    def _may_fit(self, one: Candidate, which: tuple[int, ...]) -> bool:
        return all(
            low <= claim_high and claim_low <= high
            for each in which
            for low, high, claim_low, claim_high in self._surely(one, each)
        )

    def _settle(self, one: Candidate) -> Candidate:
        """The row, with rule sets closed whose figures are surely far enough inside."""
        still_open = tuple(
            which
            for which in one.open
            if not all(
                claim_low <= low and high <= claim_high
                for low, high, claim_low, claim_high in self._surely(one, which)
            )
        )
        return one._replace(open=still_open)

    def _surely(self, one: Candidate, which: int) -> Iterator[tuple[float, float, float, float]]:
        """Between what a rule set's figures will lie in the end, and what they have to.

        They are those of all rounds, some of which are played: so they are nearer to those here
        than true values need be.
        """
        tally = one.tallies[which]
        nearer = math.sqrt(max(0.0, 1 - tally.rounds / self._plan.rounds))
        for name, sure in self._meter.figures(which, tally, SURE).items():
            here = sure.estimate
            yield (
                here - nearer * (here - sure.low),
                here + nearer * (sure.high - here),
                *_edges(self._claims[name], sure, tally.rounds, self._plan),
            )


def _steps(rows: Sequence[Candidate], rounds: int) -> Iterator[int]:
    """Rounds of each step of a race: half as many again as those before."""
    played = next((one.tallies[which].rounds for one in rows for which in one.open), rounds)
    step = max(played * 3 // 2, FIRST // 4)
    while step < rounds:
        yield step
        step = step * 3 // 2
    yield rounds


def _edges(claim: Claim, estimate: Estimate, rounds: int, plan: Plan) -> tuple[float, float]:
    """Between what a true value must lie for a run of all rounds to be likely inside."""
    margin = plan.least_room * error_of(estimate, rounds, plan.rounds)
    return claim.low + margin, claim.high - margin


def _fingerprint(tallies: Sequence[Tally]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for array in (array for tally in tallies for array in tally):
        digest.update(array.tobytes())
    return digest.digest()
