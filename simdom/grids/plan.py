"""What a sweep is to play: from a study's file and from what was asked beside it, cell by cell.

A study is a TOML file: one of the presets under ``configs/studies/``, or a user's own. Names and
paths in it are read as the command line reads them. What was asked beside it overrides it.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import Field

from simdom.counts import MOST_ROUNDS, check_whole, parse_count
from simdom.engine.kernels import Study
from simdom.errors import RulesError, UsageError, check_choice
from simdom.grids.axes import (
    AXES,
    STRATEGY,
    VARIANT,
    Axis,
    Choice,
    Label,
    check_size,
    parse_axis,
    parse_choice,
)
from simdom.match_metrics import check_metrics_of, metrics_of
from simdom.matches import find_target
from simdom.presets import Document, check_printable, load_preset, naming
from simdom.rules import TOGGLES
from simdom.running.job import parts_of
from simdom.running.stopping import check_precision
from simdom.simulate import MOST_SEED, describe_strategies, study_of
from simdom.variants import HIGHEST_TARGET, variant_names

__all__ = ["Asked", "CellPlan", "Plan", "StudyFile", "load_study", "make_plan"]

DEFAULT_ROUNDS = 100_000  # of each cell: a grid has many
PLAYERS = "players"
_DEFAULTS = {VARIANT: "pagat-draw", STRATEGY: "random"}


class StudyFile(Document):
    """What a study's TOML file may say."""

    title: str = Field(min_length=1, description="some text")
    description: str = Field(default="", description="text")
    variant: str | None = Field(default=None, description="the name or path of a variant")
    rounds: int | float | str | None = Field(
        default=None, description="a number of rounds, such as 1e6"
    )
    until: dict[str, Any] | None = Field(
        default=None, min_length=1, description="half-widths, such as {blocked_rate = 0.001}"
    )
    seed: int | None = Field(default=None, description="a whole number")
    players: int | None = Field(default=None, description="a whole number")
    strategy: str | None = Field(
        default=None, description="a strategy, or one for each seat, such as 'normal+random'"
    )
    metrics: list[str] | None = Field(
        default=None, min_length=1, description="a list of metrics, such as ['points', 'plays']"
    )
    # What these two hold depends on the toggle: `load_study` checks that.
    set: dict[str, Any] = Field(default_factory=dict, description="a value of the toggle")
    grid: dict[str, Any] = Field(default_factory=dict, description="a list of values")

    @property
    def asked(self) -> "Asked":
        """What the file asks for."""
        named = {VARIANT: self.variant, STRATEGY: self.strategy, PLAYERS: self.players}
        fixed = {name: value for name, value in named.items() if value is not None}
        return Asked(
            fixed=fixed | self.set,
            grid=self.grid,
            rounds=parse_count(self.rounds) if isinstance(self.rounds, str) else self.rounds,
            until=self.until,
            seed=self.seed,
            metrics=tuple(self.metrics) if self.metrics else None,
            title=" ".join(self.title.split()),
        )


@dataclass(frozen=True)
class Asked:
    """What one source asks for: a study's file, or what was said beside it.

    Attributes:
        fixed: values for all cells, of toggles, ``strategy`` and ``variant``.
        grid: the values of each axis, see `simdom.grids.axes.parse_axis`.
        rounds: of each cell; here and below, None leaves it open. With ``until``, at most.
        seed: of all cells.
        metrics: that are asked for.
        title: of the whole.
        matches: whether cells are of matches; their number is then that of ``rounds``.
        target: points that win them.
        until: half-widths of intervals by metric, to which each cell is played.
    """

    fixed: dict[str, Any]
    grid: dict[str, Any]
    rounds: float | None = None
    seed: int | None = None
    metrics: tuple[str, ...] | None = None
    title: str | None = None
    matches: bool = False
    target: int | None = None
    until: Mapping[str, float] | None = None

    def check(self) -> None:
        """Return if each part can be used, whatever another source says.

        Raises:
            UsageError: a value that cannot; a key that is both varied and fixed.
        """
        for name in self.fixed:
            if name in self.grid:
                raise UsageError(f"{name} is both an axis of the grid and fixed: keep one of them")
        for name, value in self.fixed.items():
            parse_choice(check_choice("toggle", name, AXES), value)
        for name, values in self.grid.items():
            parse_axis(name, values)
        if self.rounds is not None:
            check_whole("matches" if self.matches else "rounds", self.rounds, 1, MOST_ROUNDS)
        check_precision(self.until, _all_parts(matches=self.matches))
        if self.target is not None:
            check_whole("target", self.target, 1, HIGHEST_TARGET)
        if self.seed is not None:
            check_whole("seed", self.seed, 0, MOST_SEED)
        check_metrics_of(self.metrics or (), matches=self.matches)
        check_printable(self.title or "")

    def over(self, other: "Asked") -> "Asked":
        """Both together; where they disagree, this one counts.

        A key that one varies and the other fixes is as this one has it. So is how far cells are
        played: who says how many rounds does not say how sure to be, and the other way round.
        """
        far = other if self.rounds is None and not self.until else self
        return Asked(
            fixed={k: v for k, v in other.fixed.items() if k not in self.grid} | self.fixed,
            grid={k: v for k, v in other.grid.items() if k not in self.fixed} | self.grid,
            rounds=far.rounds,
            until=far.until,
            seed=other.seed if self.seed is None else self.seed,
            # Those of rounds say nothing of matches.
            metrics=other.metrics
            if self.metrics is None and self.matches == other.matches
            else self.metrics,
            title=other.title if self.title is None else self.title,
            matches=self.matches,
            target=self.target,
        )


class CellPlan(NamedTuple):
    """One cell: what it is called, and what a run takes to play it.

    Attributes:
        labels: the value of each axis.
        variant: where its rules come from.
        toggles: what is changed of them.
        strategy: how it is played.
        study: its rules, strategies and seed; None where no round can be played.
        reason: why not, then; else empty.
        target: points that win a match; None where single rounds are played.
    """

    labels: dict[str, Label]
    variant: Choice
    toggles: dict[str, int]
    strategy: Choice
    study: Study | None
    reason: str
    target: int | None

    @property
    def playable(self) -> Study:
        """The study of a cell that has one.

        Raises:
            RulesError: it has none.
        """
        if self.study is None:
            raise RulesError(self.reason)
        return self.study


@dataclass(frozen=True)
class Plan:
    """All that is asked of a sweep, checked.

    Attributes:
        title: that was given, or of the study; empty if there is none.
        description: of the study, in one paragraph; empty if there is none.
        axes: at least one, of at most `simdom.grids.axes.MOST_CELLS` cells together.
        fixed: what all cells have in common: changes of toggles, and the variant and the strategy
            unless they are axes.
        rounds: of each cell; with ``until``, at most, which is `MOST_ROUNDS` if no bound was set.
        seed: of both random streams, in all cells.
        metrics: the ones asked for; None if none was named.
        matches: whether cells are of matches; ``rounds`` is then their number.
        target: points that win them; None for each variant's own.
        until: half-widths of intervals by metric, to which each cell is played; empty if all of
            ``rounds`` are played.
    """

    title: str
    description: str
    axes: tuple[Axis, ...]
    fixed: dict[str, Choice]
    rounds: int
    seed: int
    metrics: tuple[str, ...] | None
    matches: bool = False
    target: int | None = None
    until: Mapping[str, float] = field(default_factory=dict)

    @property
    def unit(self) -> str:
        """What is played in a cell: "round" or "match"."""
        return "match" if self.matches else "round"

    def cells(self) -> Iterator[CellPlan]:
        """Every cell, the last axis varying first."""
        names = [axis.name for axis in self.axes]
        for varied in itertools.product(*(axis.choices for axis in self.axes)):
            choices = self.fixed | dict(zip(names, varied, strict=True))
            labels = {name: choices[name].label for name in names}
            yield self._plan_cell(labels, choices)

    def check_until(self, cells: Sequence[CellPlan]) -> None:
        """Return if every cell has the metrics that it is played for.

        Raises:
            UsageError: one has not; the line names both.
        """
        for cell in cells if self.until else ():
            if cell.study is None:
                continue
            parts = parts_of(metrics_of(matches=self.matches), cell.study.rules)
            for name in self.until:
                if name not in parts:
                    where = ", ".join(f"{axis}={label}" for axis, label in cell.labels.items())
                    raise UsageError(f"until names {name}, which there is not where {where}")

    def _plan_cell(self, labels: dict[str, Label], choices: dict[str, Choice]) -> CellPlan:
        variant, strategy = choices.pop(VARIANT), choices.pop(STRATEGY)
        toggles: dict[str, int] = {name: choice.loaded for name, choice in choices.items()}
        study, target, reason = None, None, ""
        try:
            study = study_of(variant.loaded.rules(None, toggles), strategy.loaded, self.seed)
            describe_strategies(study.strategies)
            if self.matches:
                target = find_target(variant.loaded, study.rules, self.target)
        except UsageError as error:
            study, reason = None, str(error)
        return CellPlan(labels, variant, toggles, strategy, study, reason, target)


def load_study(name_or_path: str) -> StudyFile:
    """The study with that name, or in that TOML file.

    Args:
        name_or_path: a preset's name; or a path, with a separator or ending in ``.toml``.

    Raises:
        UsageError: no such study or file; the file is not TOML in UTF-8; an unknown key or toggle;
            a value that cannot be used.
    """
    if name_or_path in variant_names():
        raise UsageError(
            f"{name_or_path} is a variant, not a study: write --variant {name_or_path}"
        )
    if name_or_path.partition("=")[0] in AXES:
        raise UsageError(f"{name_or_path} is an axis, not a study: write --grid {name_or_path}")
    preset, content = load_preset("study", "studies", name_or_path, StudyFile)
    with naming(preset.file):
        for name in content.set:
            check_choice("toggle in [set]", name, TOGGLES)
        if content.players is not None and PLAYERS in content.set:
            raise UsageError("players is set twice, above and in [set]: keep one of them")
        content.asked.check()
    return content


def make_plan(own: Asked, content: StudyFile | None = None) -> Plan:
    """Put together what was asked and what a study says, and check all of it.

    Args:
        own: what was asked; it overrides the study.
        content: the study, as `load_study` gives it; None if there is none.

    Raises:
        UsageError: as `Asked.check`; no axis; more than `simdom.grids.axes.MOST_CELLS` cells.
    """
    own.check()
    asked = own if content is None else own.over(content.asked)
    axes = tuple(parse_axis(name, values) for name, values in asked.grid.items())
    check_size(axes)
    named = {name: word for name, word in _DEFAULTS.items() if name not in asked.grid}
    return Plan(
        title=" ".join((asked.title or "").split()),
        description="" if content is None else " ".join(content.description.split()),
        axes=axes,
        fixed={name: parse_choice(name, value) for name, value in (named | asked.fixed).items()},
        rounds=int(asked.rounds or (MOST_ROUNDS if asked.until else DEFAULT_ROUNDS)),
        seed=1 if asked.seed is None else int(asked.seed),
        metrics=asked.metrics,
        matches=asked.matches,
        target=asked.target,
        until=check_precision(asked.until, _all_parts(matches=asked.matches)),
    )


def _all_parts(*, matches: bool) -> tuple[str, ...]:
    """Names of all metrics of which some precision can be asked, whatever the rules."""
    names: list[str] = []
    for name, metric in metrics_of(matches=matches).items():
        seats = range(TOGGLES[PLAYERS].highest if metric.is_list else 0)
        names += [name, *(f"{name}[{seat}]" for seat in seats)]
    return tuple(names)
