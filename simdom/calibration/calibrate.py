"""Find weights under which published claims hold together."""

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from simdom.calibration.calibration import Calibration
from simdom.calibration.fit import Fit, fit_of
from simdom.calibration.leeway import Leeway, find_leeway
from simdom.calibration.meter import Meter
from simdom.calibration.plain import (
    MOST_FEATURES,
    MOST_WEIGHT,
    OF_S4,
    Row,
    list_rows,
    plainness,
    strategy_of,
    weights_of,
)
from simdom.calibration.plan import AGAIN, Plan, plan_calibration
from simdom.calibration.screening import Candidate, Figure, Screening, stages_below
from simdom.counts import format_count
from simdom.executors.threads import ThreadsExecutor
from simdom.published.claim import Claims
from simdom.published.claims_file import PUBLISHED
from simdom.simulate import DEFAULT_CONFIDENCE

__all__ = ["calibrate", "play_plan"]

NEAREST = 5
"""Rows that are told if none fits."""
OTHERS = 3
"""Rows of other features that play on as well, if so many are left."""


def calibrate(  # noqa: PLR0913 -- keyword-only, each documented
    claims: str | Sequence[str] = (),
    *,
    source: str | Path | Claims = PUBLISHED,
    features: str | Sequence[str] = OF_S4,
    most_features: int = MOST_FEATURES,
    most_weight: int = MOST_WEIGHT,
    rounds: float = 10_000_000,
    seed: int = 1,
    threads: int | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    again: float = AGAIN,
    progress: Callable[[int, int], None] | None = None,
    on_stage: Callable[[str], None] | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Calibration:
    """Find the plainest way to play, all seats alike, that gives published figures.

    Every row of small whole weights is screened on the same rounds: a few for all, more for those
    that may still fit. Those whose intervals all lie well within what the claims may stand for
    are played on other rounds, the one with the fewest, then the smallest weights first; the first
    that is well inside there as well is found.

    Args:
        claims: ids of claims that are measured; none takes the two that are the file's plane.
        source: the path of a TOML file of claims, or `Claims`; by default those that come with
            simdom.
        features: that a row may weigh; a minus before a name makes its weights negative.
        most_features: that one row may weigh.
        most_weight: that the sizes of a row's weights may add up to, from 1 to 100.
        rounds: that a row which fits plays of each rule set, and twice as many others.
        seed: 0 to 2**64 - 1. The others have the next seed.
        threads: to play on; None for every usable core. They never change a figure.
        confidence: of each interval, between 0 and 1.
        again: how likely a run of so many rounds with yet another seed must be to meet the claims
            as well, from 0.5 to below 1.
        progress: called now and then with the rounds played in a stage, and those to be played.
        on_stage: called with a line before each stage.
        on_compile: called once if the engine must be compiled first, which takes some seconds.

    Returns:
        The calibration. On Ctrl-C, with the nearest rows so far, and ``partial`` set; before the
        first of them, Ctrl-C is a KeyboardInterrupt as everywhere.

    Raises:
        UsageError: as `simdom.calibration.plan.plan_calibration`; threads that cannot be.
        RunError: the engine reached a state that no round can reach.
    """
    plan = plan_calibration(
        claims,
        source=source,
        features=features,
        most_features=most_features,
        most_weight=most_weight,
        rounds=rounds,
        seed=seed,
        confidence=confidence,
        again=again,
    )
    return play_plan(
        plan, threads=threads, progress=progress, on_stage=on_stage, on_compile=on_compile
    )


def play_plan(
    plan: Plan,
    *,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    on_stage: Callable[[str], None] | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Calibration:
    """`calibrate` for a plan that is checked already."""
    search = _Search(plan, ThreadsExecutor(threads).workers, progress, on_stage)
    search.run(on_compile)
    return search.result()


class _Search:
    """The search, step by step, so that Ctrl-C leaves what it had found."""

    def __init__(
        self,
        plan: Plan,
        workers: int,
        progress: Callable[[int, int], None] | None,
        on_stage: Callable[[str], None] | None,
    ) -> None:
        self._plan, self._progress, self._on_stage = plan, progress, on_stage
        self._meter = Meter(plan.claims, seed=plan.seed, workers=workers)
        self._fresh = Meter(plan.claims, seed=plan.fresh_seed, workers=workers)
        self._rows = list_rows(plan.limits)
        self._screening = Screening(plan, self._meter, self._rows)
        self._fits: dict[Row, Fit] = {}
        self._ended: set[Row] = set()  # given up, or at the end of their rounds
        self._rejected: list[Fit] = []
        self._found: Fit | None = None
        self._leeway: dict[str, Leeway] = {}
        self._partial = False

    def run(self, on_compile: Callable[[], None] | None) -> None:
        """Search until the end, or until Ctrl-C.

        Raises:
            RunError: the engine reached a state that no round can reach.
            KeyboardInterrupt: Ctrl-C, before any row was looked at.
        """
        try:
            self._meter.compile(strategy_of(self._rows[-1]), on_compile)
            self._screen()
            self._find()
            if self._found is not None:
                self._find_others(self._found)
                self._move(self._found)
        except KeyboardInterrupt:
            if not self._screening.looked_at:
                raise
            self._partial = True

    def result(self) -> Calibration:
        """What came of it."""
        seen = [*self._fits.values()] or map(self._fit, self._screening.looked_at)
        nearest = sorted(seen, key=lambda fit: -fit.room)[:NEAREST]
        return Calibration(
            plan=self._plan,
            rows=len(self._rows),
            stages=tuple(self._screening.stages),
            found=self._found,
            fits=tuple(sorted(self._fits.values(), key=_plainest_first)),
            rejected=tuple(self._rejected),
            nearest=() if self._found else tuple(nearest),
            leeway=self._leeway,
            rounds_played=self._meter.rounds + self._fresh.rounds,
            command=_command(self._plan),
            partial=self._partial,
        )

    def _screen(self) -> None:
        for rounds in stages_below(self._plan.rounds):
            left = len(self._screening.left)
            if not left:
                return
            self._say(f"{left:,} rows, {rounds:,} rounds")
            self._screening.look(rounds, self._progress)
            self._fits = {one.row: self._fit(one) for one in self._screening.left}

    def _find(self) -> None:
        """Play the rows left on, the plainest first, until one fits on fresh rounds."""
        for one in sorted(self._fits.values(), key=_plainest_first):
            fit = self._finish(one)
            if not fit.is_inside or fit.chance < self._plan.again:
                continue
            again = self._play_afresh(fit)
            if again.is_sure and again.chance >= self._plan.again:
                self._found = again
                return
            self._rejected.append(again)

    def _find_others(self, found: Fit) -> None:
        """Play on the rows of other features that are farthest inside."""
        kinds = {frozenset(weights_of(found.row))}
        for fit in sorted(self._fits.values(), key=lambda fit: -fit.room):
            kind = frozenset(weights_of(fit.row))
            if kind not in kinds and fit.room > 0 and len(kinds) <= OTHERS:
                kinds.add(kind)
                if fit.row not in self._ended:
                    self._finish(fit)

    def _finish(self, fit: Fit) -> Fit:
        (one,) = (one for one in self._screening.left if one.row == fit.row)
        self._say(f"{fit.words}: up to {self._plan.rounds:,} rounds")
        self._ended.add(fit.row)
        one = self._screening.finish(one, self._plan.rounds, self._progress)
        self._fits[fit.row] = self._fit(one)
        return self._fits[fit.row]

    def _play_afresh(self, fit: Fit) -> Fit:
        rounds = self._plan.fresh_rounds
        self._say(f"{fit.words}: {rounds:,} fresh rounds")
        everything = rounds * len(self._fresh.rules)
        done = 0

        def tell(more: int) -> None:
            nonlocal done
            done += more
            if self._progress is not None:
                self._progress(done, everything)

        found = self._fresh.play_one(strategy_of(fit.row), rounds, self._plan.confidence, tell)
        figures = {name: Figure(estimate, rounds) for name, estimate in found.items()}
        return fit_of(self._plan, fit.row, figures, self._plan.fresh_seed)

    def _move(self, fit: Fit) -> None:
        self._say(f"{fit.words}: how far each weight may move")
        figures = {name: one.estimate.estimate for name, one in fit.figures.items()}
        self._leeway = find_leeway(
            self._plan.claims, self._meter, fit.row, figures, self._plan.rounds
        )

    def _fit(self, one: Candidate) -> Fit:
        return fit_of(self._plan, one.row, one.figures, self._plan.seed)

    def _say(self, text: str) -> None:
        if self._on_stage is not None:
            self._on_stage(text)


def _plainest_first(fit: Fit) -> tuple[int, int, float]:
    return *plainness(fit.row), -fit.room


def _command(plan: Plan) -> str:
    """The command line that repeats it; claims made in Python are named in a comment."""
    limits = plan.limits
    words = ["simdom", "calibrate"]
    if plan.source not in ("", PUBLISHED):
        words += ["--from", plan.source]
    words += ["--claims", *(claim.id for claim in plan.claims.claims)]
    if limits.features != OF_S4:
        words += ["--features", ",".join(limits.features)]
    if limits.most_features != MOST_FEATURES:
        words += ["--most-features", str(limits.most_features)]
    if limits.most_weight != MOST_WEIGHT:
        words += ["--most-weight", str(limits.most_weight)]
    words += ["-n", format_count(plan.rounds), "--seed", str(plan.seed)]
    if plan.confidence != DEFAULT_CONFIDENCE:
        words += ["--confidence", str(plan.confidence)]
    if plan.again != AGAIN:
        words += ["--again", str(plan.again)]
    comment = "" if plan.source else f"  # made in Python, not in a file: {plan.claims.title}"
    return shlex.join(words) + comment
