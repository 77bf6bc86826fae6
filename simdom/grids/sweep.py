"""A grid of rules, played cell by cell; what is on disk already is not played again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from simdom.counts import MOST_ROUNDS
from simdom.errors import BrokenOffError, UsageError, check_choice
from simdom.estimate import check_confidence
from simdom.executors.choosing import Where, as_executor
from simdom.formats import format_rounds
from simdom.grids.axes import STRATEGY, VARIANT
from simdom.grids.cell import NOT_PLAYED, SKIPPED, Cell
from simdom.grids.cells import CellStore
from simdom.grids.command import command_of_sweep
from simdom.grids.folder import default_folder
from simdom.grids.plan import Asked, CellPlan, Plan, load_study, make_plan
from simdom.grids.playing import Note, Table, Watching, play_missing
from simdom.grids.table import Sweep
from simdom.grids.words import tell_wanted
from simdom.matches import check_target_asked
from simdom.presets import shown
from simdom.rules import TOGGLES, Rules, parse_toggle
from simdom.running.stopping import check_seconds
from simdom.simulate import DEFAULT_CONFIDENCE, Strategies
from simdom.variants import Variant

__all__ = ["plan_sweep", "play_plan", "sweep"]

Progress = Callable[[int, int], None]


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
    until: Mapping[str, float] | None = None,
    max_time: float | None = None,
    executor: Where = None,
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
    So is one that is broken off, if it takes some seconds: it is gone on with, to the same bits.
    What Python functions have played is not kept, for nothing tells whether a function has changed.

    Args:
        study: a preset's name or the path of a TOML file, which may say all that follows down to
            ``metrics``; what is given here overrides it.
        grid: the axes, in the order of the table: toggles, ``strategy`` or ``variant``, each with
            its values, such as ``{"deal": "5..9", "strategy": ["random", "normal+random"]}``.
        variant: of all cells; ``"pagat-draw"`` if nothing else is said.
        rounds: of each cell, from 1 to 1e13; 100,000 if nothing else is said. With ``until``, how
            many at most.
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
        until: half-widths of intervals by metric, such as ``{"blocked_rate": 0.001}``: each cell is
            played until all of them are reached, see `simdom.simulate.simulate`. Such cells are
            read only at the same confidence.
        max_time: seconds after which no more rounds are begun, but for those of the first cell;
            None for no limit.
        executor: where to play instead of on threads, see `simdom.simulate.simulate`.
        cells: the folder in which cells are kept; None for
            `simdom.grids.folder.default_folder`, without which nothing is kept.
        fresh: whether to play all cells, whatever is kept.
        progress: called now and then with the rounds, or matches, played and those to play, in all
            cells that are not read; with ``until``, about how many.
        on_compile: called if the engine must be compiled first, which takes some seconds.
        on_note: called with a line of text where something is read, skipped or not trusted.

    Returns:
        The sweep. On Ctrl-C, that of the cells finished so far; before the first of them, Ctrl-C is
        a KeyboardInterrupt as everywhere. So too where a TOML file is changed meanwhile, with
        ``problem`` set, and where the time is over, with ``time_over`` set, be any cell finished or
        not.

    Raises:
        UsageError: no axis, or more than 10,000 cells; a value that cannot be used, which the line
            names; no cell in which a round can be played; ``cells`` cannot
            be looked into, or made.
        RunError: the engine reached a state that no round can reach; a TOML file was changed
            before the first cell was finished.
        StrategyError: a strategy that is a function failed, or answered with no placement; the
            sweep of the cells finished before is in its ``result``.
        ExecutorError: the cluster is gone; likewise.

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
        until=until,
    )
    return play_plan(
        plan,
        threads=threads,
        confidence=confidence,
        max_time=max_time,
        executor=executor,
        cells=cells,
        fresh=fresh,
        watching=Watching(progress, on_compile, on_note),
    )


def plan_sweep(  # noqa: PLR0913 -- those of `sweep` that say what is played
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
    until: Mapping[str, float] | None = None,
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
        until=until,
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
    max_time: float | None = None,
    executor: Where = None,
    cells: str | Path | None = None,
    fresh: bool = False,
    watching: Watching | None = None,
) -> Sweep:
    """Play the cells of a plan that are not kept. The arguments and the sweep are those of `sweep`.

    Raises:
        UsageError: ``threads``, ``confidence``, ``max_time`` or ``executor`` that cannot be used;
            no cell in which a round can be played, or one that lacks a metric it is played for;
            ``cells`` cannot be looked into, or made.
        RunError: the engine reached a state that no round can reach; a TOML file was changed
            before the first cell was finished.
        StrategyError: as `sweep`.
        ExecutorError: as `sweep`.
    """
    watching = watching or Watching()
    say = watching.say
    confidence = check_confidence(confidence)
    max_time = check_seconds(max_time)
    where = as_executor(executor, threads)
    planned = _check_some_legal([*plan.cells()])
    plan.check_until(planned)
    table = Table(plan, confidence, where, _store(cells, say), fresh, watching)
    found = [table.look_up(cell) for cell in planned]
    missing = [number for number, cell in enumerate(found) if cell.status == NOT_PLAYED]
    say(_outlook(found, len(missing), plan))
    if missing:
        table.check_keeping()
    ended = play_missing(table, planned, found, missing, max_time)
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
        threads=where.workers,
        command=command_of_sweep(plan, confidence),
        of_matches=plan.matches,
        until=dict(plan.until),
        problem=str(ended.problem or ""),
        time_over=ended.time_over,
    )
    if isinstance(ended.problem, BrokenOffError):
        ended.problem.result = swept
        raise ended.problem
    return swept


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
    number = f"{len(cells):,} cell{'' if len(cells) == 1 else 's'}"
    each = format_rounds(plan.rounds, None, plan.unit)
    if plan.until:
        bound = f", with at most {each} each" if plan.rounds < MOST_ROUNDS else ""
        return f"{number}, to know {tell_wanted(plan.until)}{bound}: {parts}."
    much = f" ({format_rounds(missing * plan.rounds, None, plan.unit)})" if missing else ""
    return f"{number} of {each}: {parts}{much}."
