"""A grid of rules, played cell by cell; what is on disk already is not played again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from simdom.engine.kernels import Study
from simdom.errors import RunError, StrategyError, UsageError, check_choice
from simdom.estimate import check_confidence
from simdom.executors.threads import ThreadsExecutor
from simdom.formats import format_rounds
from simdom.grids.axes import STRATEGY, VARIANT
from simdom.grids.cell import NOT_PLAYED, SKIPPED, Cell
from simdom.grids.cells import CellStore, check_played
from simdom.grids.command import command_of_sweep
from simdom.grids.folder import default_folder
from simdom.grids.plan import Asked, CellPlan, Plan, load_study, make_plan
from simdom.grids.table import Sweep
from simdom.matches import check_target_asked, simulate_matches
from simdom.presets import shown
from simdom.results import Result
from simdom.rules import TOGGLES, Rules, parse_toggle
from simdom.simulate import DEFAULT_CONFIDENCE, Strategies, command_of, simulate
from simdom.variants import Variant

__all__ = ["plan_sweep", "play_plan", "sweep"]

Progress = Callable[[int, int], None]
Note = Callable[[str], None]


def sweep(  # noqa: PLR0913 -- those of `simulate`, with the grid and where cells are kept
    study: str | None = None,
    *,
    grid: Mapping[str, object] | None = None,
    variant: str | Variant | Rules | None = None,
    rounds: float | None = None,
    matches: float | None = None,
    target: int | None = None,
    players: int | None = None,
    overrides: Mapping[str, object] | None = None,
    strategy: Strategies | None = None,
    seed: int | None = None,
    metrics: Sequence[str] | None = None,
    title: str | None = None,
    threads: int | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    cells: str | Path | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
    on_compile: Callable[[], None] | None = None,
    on_note: Note | None = None,
) -> Sweep:
    """Play every combination of the values of some axes, each as `simdom.simulate.simulate` would.

    All cells have the same seed, so those that play with the same set have the same shuffles. A
    cell under whose rules no round can be played is skipped, with the reason. A finished cell is
    kept on disk: where the same rules, strategies, seed and rounds are asked for again, it is read.
    What Python functions have played is not kept, for nothing tells whether a function has changed.

    Args:
        study: a preset's name or the path of a TOML file, which may say all that follows down to
            ``metrics``; what is given here overrides it.
        grid: the axes, in the order of the table: toggles, ``strategy`` or ``variant``, each with
            its values, such as ``{"deal": "5..9", "strategy": ["random", "normal+random"]}``.
        variant: of all cells; ``"pagat-draw"`` if nothing else is said.
        rounds: of each cell, from 1 to 1e13; 100,000 if nothing else is said.
        matches: of each cell, from 1 to 1e13, instead of single rounds.
        target: points that win a match; None for each variant's own.
        players: seats at the table, in all cells.
        overrides: toggles of `Rules` to change, in all cells.
        strategy: how all seats play, or one strategy for each seat, in all cells; ``"random"`` if
            nothing else is said.
        seed: 0 to 2**64 - 1; 1 if nothing else is said.
        metrics: those of tables, files and plots; None for all of them in files, and for a few
            that a person wants to see.
        title: the headline; that of the study unless given.
        threads: to play on; None for every usable core. They never change a figure.
        confidence: of the intervals, between 0 and 1; cells that were kept can be read at any.
        cells: the folder in which cells are kept; None for
            `simdom.grids.folder.default_folder`, without which nothing is kept.
        fresh: whether to play all cells, whatever is kept.
        progress: called now and then with the rounds, or matches, played and those to play, in all
            cells that are not read.
        on_compile: called if the engine must be compiled first, which takes some seconds.
        on_note: called with a line of text where something is read, skipped or not trusted.

    Returns:
        The sweep. On Ctrl-C, that of the cells finished so far; before the first of them, Ctrl-C is
        a KeyboardInterrupt as everywhere. So too where a TOML file is changed meanwhile, with
        ``problem`` set.

    Raises:
        UsageError: no axis, or more than 10,000 cells; a value that cannot be used, which the line
            names; no cell in which a round can be played; ``cells`` cannot
            be looked into, or made.
        RunError: the engine reached a state that no round can reach; a TOML file was changed
            before the first cell was finished.
        StrategyError: a strategy that is a function failed, or answered with no placement; the
            sweep of the cells finished before is in its ``result``.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     found = sweep(grid={"reserve": [0, 2]}, rounds=200, cells=folder)
    >>> [cell.labels for cell in found.cells]
    [{'reserve': 0}, {'reserve': 2}]
    """
    plan = plan_sweep(
        study,
        grid=grid,
        variant=variant,
        rounds=rounds,
        matches=matches,
        target=target,
        players=players,
        overrides=overrides,
        strategy=strategy,
        seed=seed,
        metrics=metrics,
        title=title,
    )
    return play_plan(
        plan,
        threads=threads,
        confidence=confidence,
        cells=cells,
        fresh=fresh,
        progress=progress,
        on_compile=on_compile,
        on_note=on_note,
    )


def plan_sweep(
    study: str | None = None,
    *,
    grid: Mapping[str, object] | None = None,
    variant: str | Variant | Rules | None = None,
    rounds: float | None = None,
    matches: float | None = None,
    target: int | None = None,
    players: int | None = None,
    overrides: Mapping[str, object] | None = None,
    strategy: Strategies | None = None,
    seed: int | None = None,
    metrics: Sequence[str] | None = None,
    title: str | None = None,
) -> Plan:
    """What is to be played, all of it checked. The arguments are those of `sweep`.

    Raises:
        UsageError: no axis, or more than 10,000 cells; a value that cannot be used, which the line
            names; a target without matches.
    """
    check_target_asked(target, matches)
    fixed: dict[str, Any] = {VARIANT: variant, STRATEGY: strategy}
    for name, value in _mapping("overrides", overrides).items():
        fixed[check_choice("toggle", name, TOGGLES)] = value
    if players is not None:
        counts = [parse_toggle("players", n) for n in (players, fixed.get("players", players))]
        if counts[0] != counts[1]:
            raise UsageError(f"players is set twice, to {counts[0]} and to {counts[1]}: give one")
        fixed["players"] = players
    if study is not None and not isinstance(study, str):
        raise UsageError(f"a study is a name or a path, not {shown(study)}")
    # A generator can be read only once, and axes are read more often.
    axes = {
        name: list(values) if isinstance(values, Iterator) else values
        for name, values in _mapping("grid", grid).items()
    }
    named = [metrics] if isinstance(metrics, str) else metrics
    own = Asked(
        fixed={name: value for name, value in fixed.items() if value is not None},
        grid=axes,
        rounds=rounds if matches is None else matches,
        seed=seed,
        metrics=None if named is None else tuple(named),
        title=title,
        matches=matches is not None,
        target=target,
    )
    return make_plan(own, None if study is None else load_study(study))


def _mapping(what: str, given: object) -> Mapping[str, Any]:
    """Return ``given``, of which None is an empty one.

    Raises:
        UsageError: it is no dictionary.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise UsageError(f"{what} must be a dictionary, such as {{'deal': 5}}, not {shown(given)}")
    return given


def play_plan(
    plan: Plan,
    *,
    threads: int | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    cells: str | Path | None = None,
    fresh: bool = False,
    progress: Progress | None = None,
    on_compile: Callable[[], None] | None = None,
    on_note: Note | None = None,
) -> Sweep:
    """Play the cells of a plan that are not kept. The arguments and the sweep are those of `sweep`.

    Raises:
        UsageError: ``threads`` or ``confidence`` that cannot be used; no cell in which a round can
            be played; ``cells`` cannot be looked into, or made.
        RunError: the engine reached a state that no round can reach; a TOML file was changed
            before the first cell was finished.
        StrategyError: as `sweep`.
    """
    say = on_note or _say_nothing
    confidence = check_confidence(confidence)
    workers = ThreadsExecutor(threads).workers
    planned = _check_some_legal([*plan.cells()])
    table = _Table(plan.rounds, confidence, workers, _store(cells, say), say)
    found = [table.look_up(cell, fresh=fresh) for cell in planned]
    missing = [number for number, cell in enumerate(found) if cell.status == NOT_PLAYED]
    say(_outlook(found, len(missing), plan))
    if missing:
        table.check_keeping()
    ended = _play_missing(table, planned, found, missing, progress, on_compile)
    swept = Sweep(
        title=plan.title,
        description=plan.description,
        axes=plan.axes,
        fixed=plan.fixed,
        cells=tuple(found),
        seed=plan.seed,
        rounds=plan.rounds,
        confidence=confidence,
        metrics=plan.metrics,
        folder=None if table.store is None else table.store.folder,
        seconds=ended.seconds,
        threads=workers,
        command=command_of_sweep(plan, confidence),
        problem=str(ended.problem or ""),
    )
    if isinstance(ended.problem, StrategyError):
        ended.problem.result = swept
        raise ended.problem
    return swept


class _End(NamedTuple):
    """How it ended: the seconds that rounds took, and what went wrong."""

    seconds: float
    problem: RunError | None


def _play_missing(
    table: "_Table",
    planned: Sequence[CellPlan],
    found: list[Cell],
    missing: Sequence[int],
    progress: Progress | None,
    on_compile: Callable[[], None] | None,
) -> _End:
    """Play the cells that are not there, until the last one, Ctrl-C or a failure.

    ``found`` is changed in place. Before any cell is there, what ended it is raised.
    """
    seconds = 0.0
    try:
        for turn, number in enumerate(missing):
            part = _Part(progress, turn * table.rounds, len(missing) * table.rounds)
            result = table.play(planned[number], part, on_compile)
            seconds += result.seconds
            found[number] = replace(found[number], result=_slim(result))
            found[number] = replace(found[number], file=table.keep(planned[number], result))
            if part.is_interrupted:
                break
    except (KeyboardInterrupt, _ChangedFileError, StrategyError) as error:
        if isinstance(error, StrategyError):
            error.result = None  # that of a part of one cell is no sweep
        if not any(cell.result for cell in found):
            raise
        return _End(seconds, None if isinstance(error, KeyboardInterrupt) else error)
    return _End(seconds, None)


class _ChangedFileError(RunError):
    """A TOML file is no longer what it was when the sweep began."""


@dataclass
class _Table:
    """Where cells are played and kept."""

    rounds: int
    confidence: float
    threads: int
    store: CellStore | None
    say: Note

    def look_up(self, plan: CellPlan, *, fresh: bool) -> Cell:
        """The cell as far as nothing must be played for it."""
        cell = Cell(plan.labels, reason=plan.reason)
        if plan.study is None or fresh or self.store is None or _has_function(plan.study):
            return cell
        found = self.store.find(plan.study, self.rounds, self.confidence, plan.target)
        for file, reason in found.broken.items():
            self.say(f"Played again: {cell.name}; {file} is not used: {reason}")
        if found.result is None:
            return cell
        variant = plan.variant.loaded
        # It may have been kept for another variant that comes to the same rules.
        result = replace(
            found.result,
            variant=variant.name,
            title=variant.title,
            command=command_of(
                variant,
                plan.study,
                self.rounds,
                plan.toggles,
                self.confidence,
                written=(plan.variant.given, plan.strategy.given),
                target=plan.target,
            ),
        )
        return replace(cell, result=_slim(result), file=found.file, kept=True)

    def play(
        self, plan: CellPlan, progress: Progress, on_compile: Callable[[], None] | None
    ) -> Result:
        """The result of a cell, all of its rounds.

        Raises:
            KeyboardInterrupt: on Ctrl-C; what was played of the cell is lost.
            RunError: the TOML file of its variant or strategy is not what it was; the engine
                reached a state that no round can reach.
        """
        try:
            play = (
                simulate if plan.target is None else partial(simulate_matches, target=plan.target)
            )
            result = play(
                plan.variant.given,
                self.rounds,
                overrides=plan.toggles,
                strategy=plan.strategy.given,
                seed=plan.playable.seed,
                threads=self.threads,
                confidence=self.confidence,
                progress=progress,
                on_compile=on_compile,
            )
            if result.partial:
                raise KeyboardInterrupt
            check_played(result, plan.playable, self.rounds, plan.target)
        except UsageError as error:  # all was checked before the first cell
            raise _ChangedFileError(f"a file was changed during the sweep: {error}") from None
        return result

    def check_keeping(self) -> None:
        """Give up a store that can be read and not written to, and say so."""
        try:
            if self.store is not None:
                self.store.check_writable()
        except UsageError as problem:
            self.say(f"Cells are not kept: {problem}")
            self.store = None

    def keep(self, plan: CellPlan, result: Result) -> Path | None:
        """Write the cell into the store; a store that cannot be written to is given up."""
        if self.store is None or _has_function(plan.playable):
            return None
        try:
            return self.store.keep(plan.playable, result)
        except RunError as error:
            self.say(f"From here on, cells are not kept: {error}")
            self.store = None
            return None


def _has_function(study: Study) -> bool:
    """Whether a seat asks a Python function: another one may have its name next time."""
    return any(seat.hook is not None for seat in study.strategies)


def _slim(result: Result) -> Result:
    """The result without its distributions, of which ten thousand cells would fill the memory."""
    return replace(result, distributions={})


def _check_some_legal(planned: list[CellPlan]) -> list[CellPlan]:
    """Return ``planned`` if a round can be played in any of it.

    Raises:
        UsageError: none can.
    """
    if all(cell.study is None for cell in planned):
        first = Cell(planned[0].labels, reason=planned[0].reason)
        which = "the cell" if len(planned) == 1 else f"any of the {len(planned):,} cells"
        raise UsageError(f"no round can be played in {which}; {first.name}: {first.reason}")
    return planned


def _store(folder: str | Path | None, say: Note) -> CellStore | None:
    """The store that was named; or that of the user, if there can be one.

    Raises:
        UsageError: the one that was named is no path, or cannot be looked into or made.
    """
    named: object = folder
    if named is not None and (not isinstance(named, str | Path) or not str(named).strip()):
        raise UsageError(f"cells must be the path of a folder, not {shown(named)}")
    try:
        store = CellStore(default_folder() if folder is None else Path(folder))
        store.check()
    except (UsageError, RuntimeError) as problem:  # the latter where a user has no home
        if folder is not None:
            raise
        say(f"Cells are not kept: {problem}")
        return None
    return store


def _outlook(cells: Sequence[Cell], missing: int, plan: Plan) -> str:
    """What is there and what is to be played, in a sentence."""
    counts = {
        SKIPPED: sum(cell.status == SKIPPED for cell in cells),
        "kept from before": sum(cell.kept for cell in cells),
        "to play": missing,
    }
    parts = ", ".join(f"{count:,} {word}" for word, count in counts.items() if count)
    much = f" ({format_rounds(missing * plan.rounds, None, plan.unit)})" if missing else ""
    each = format_rounds(plan.rounds, None, plan.unit)
    size = f"{len(cells):,} cell{'' if len(cells) == 1 else 's'} of {each}"
    return f"{size}: {parts}{much}."


class _Part:
    """The progress of one cell, told as that of all.

    A run that is interrupted once its last round is played is whole, and says nothing of it: what
    went through here is remembered.
    """

    def __init__(self, progress: Progress | None, before: int, total: int) -> None:
        self._progress = progress
        self._before = before
        self._total = total
        self.is_interrupted = False

    def __call__(self, done: int, _rounds: int) -> None:
        """Tell it.

        Raises:
            KeyboardInterrupt: on Ctrl-C.
        """
        try:
            if self._progress is not None:
                self._progress(self._before + done, self._total)
        except KeyboardInterrupt:
            self.is_interrupted = True
            raise


def _say_nothing(_line: str) -> None:
    pass
