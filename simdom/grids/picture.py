"""Which picture a grid has: a line for one axis, a heat map for two, several of them for three."""

from collections.abc import Sequence

from simdom.errors import UsageError
from simdom.estimate import Estimate
from simdom.grids.axes import Axis
from simdom.grids.cell import Column, columns_of
from simdom.match_metrics import ALL_METRICS, check_metrics_of
from simdom.plots.grid import GridAxis, GridPanel, GridPlot
from simdom.results import Result
from simdom.rules import TOGGLES

__all__ = ["check_drawable", "picture_of"]

DEFAULT_METRIC, DEFAULT_MATCH_METRIC = "blocked_rate", "rounds_per_match"
MOST_AXES = 3
SEVERAL_VALUES = 2
NO_SEAT = "no such seat"


def check_drawable(
    axes: Sequence[Axis], metrics: Sequence[str] | None, *, matches: bool = False
) -> tuple[str, ...]:
    """The metrics that are drawn; ask before a long run.

    Args:
        axes: of the grid. One with a single value takes no room in a picture.
        metrics: that were asked for, the first of which is drawn; all of them if there is one axis.
            None draws `DEFAULT_METRIC`, or that of matches.
        matches: whether cells are of matches.

    Raises:
        UsageError: more than three axes; a metric by seat with more than one axis; an unknown
            metric.
    """
    default = DEFAULT_MATCH_METRIC if matches else DEFAULT_METRIC
    names = tuple(check_metrics_of(metrics or [default], matches=matches))
    drawn = _drawn(axes)
    if len(drawn) > MOST_AXES:
        raise UsageError(
            f"a plot of {len(drawn)} axes ({', '.join(axis.name for axis in drawn)}): "
            f"at most {MOST_AXES} can be drawn; fix one of them, such as "
            f"{drawn[-1].name}={drawn[-1].labels[0]}"
        )
    if len(drawn) == 1:
        return tuple(dict.fromkeys(names))
    if ALL_METRICS[names[0]].is_list:
        part = "seat" if ALL_METRICS[names[0]].per_seat else "team"
        raise UsageError(
            f"{names[0]} is by {part}, for which a plot of {len(drawn)} axes has no room: "
            "name another metric first, such as --metric points, or vary one axis only"
        )
    return names[:1]


def picture_of(
    axes: Sequence[Axis],
    cells: Sequence[Result | str],
    metrics: Sequence[str] | None,
    title: str,
    small_print: Sequence[str],
) -> GridPlot:
    """What is drawn of a grid.

    Args:
        axes: of the grid.
        cells: in its order, the last axis varying first; where there is no result, why not.
        metrics: see `check_drawable`.
        title: the headline.
        small_print: what was played.

    Raises:
        UsageError: as `check_drawable`.
    """
    matches = any(isinstance(cell, Result) and cell.matches is not None for cell in cells)
    names = check_drawable(axes, metrics, matches=matches)
    return GridPlot(
        title=title,
        axes=[
            GridAxis(
                name=axis.name,
                doc=TOGGLES[axis.name].doc if axis.name in TOGGLES else "",
                labels=axis.labels,
                is_numeric=axis.is_numeric,
            )
            for axis in _drawn(axes)
        ],
        panels=[_panel(name, cells) for name in names],
        small_print=small_print,
    )


def _drawn(axes: Sequence[Axis]) -> list[Axis]:
    """The axes that a picture needs: those with several values, or else one."""
    return [axis for axis in axes if len(axis.choices) >= SEVERAL_VALUES] or [*axes[:1]]


def _panel(name: str, cells: Sequence[Result | str]) -> GridPanel:
    """A metric with a line for each seat if it is by seat, else with one."""
    metric = ALL_METRICS[name]
    results = [cell for cell in cells if isinstance(cell, Result)]
    return GridPanel(
        label=metric.group if metric.is_list else metric.label,
        unit=metric.unit,
        kind="mean" if metric.kind == "mean" else "rate",
        lines={
            column.label: [_figure_in(cell, column) for cell in cells]
            for column in columns_of(results, [name])
        },
    )


def _figure_in(cell: Result | str, column: Column) -> Estimate | str:
    if isinstance(cell, str):
        return cell
    found = column.find(cell)
    return NO_SEAT if found is None else found
