"""A picture of two claims: a plane with the published point, what it may stand for, and figures."""

import math
import textwrap
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from simdom.errors import UsageError
from simdom.estimate import Estimate
from simdom.plots.style import (
    BLACK,
    COLOURS,
    MARKERS,
    Picture,
    picture_of,
    render_figure,
    style,
    write_words,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation
    from matplotlib.transforms import Bbox

__all__ = ["Axis", "ClaimsPlot", "Place", "draw_claims", "figure_of_claims", "plot_claims"]

_SIZE = (9.0, 5.6)  # inches
_WIDTHS = (3, 2)  # of the two panels
_BAND = "#C4C4C4"
_COLOURS = COLOURS[:-1]  # black is what is published
_MARGIN = 0.12  # of the range of what is drawn, on each side


class Axis(NamedTuple):
    """One of the two claims.

    Attributes:
        label: what it is about.
        scale: 100 for what is drawn in percent, else 1.
        unit: "%", or nothing.
        published: the figure that is published.
        low, high: what it may stand for; None on a side that is open.
        range: the same in words.
    """

    label: str
    scale: float
    unit: str
    published: float
    low: float | None
    high: float | None
    range: str


class Place(NamedTuple):
    """A strategy: its name, and its figures for the two claims."""

    name: str
    x: Estimate
    y: Estimate


class ClaimsPlot(NamedTuple):
    """What is to be drawn.

    Attributes:
        title: the headline.
        x: the claim across.
        y: the claim upwards.
        published: what to write at the published point.
        places: the strategies.
        small_print: what was run; lines of it are wrapped.
    """

    title: str
    x: Axis
    y: Axis
    published: str
    places: Sequence[Place]
    small_print: Sequence[str]


def plot_claims(plot: ClaimsPlot, path: str | Path | None = None) -> Picture:
    """`figure_of_claims` as a picture, and in a file if there is a path; an old one is replaced.

    Raises:
        UsageError: as `simdom.plots.style.check_plot_path`; there is nothing to draw.
        RunError: the file cannot be written; what was there before is still there.
    """
    return picture_of(lambda: figure_of_claims(plot), path)


def draw_claims(plot: ClaimsPlot, file_format: str = "png") -> bytes:
    """The content of a file with `figure_of_claims`.

    Args:
        plot: what to draw.
        file_format: one of `simdom.plots.style.FORMATS`.

    Raises:
        UsageError: no such format; there is nothing to draw.
    """
    return render_figure(lambda: figure_of_claims(plot), file_format)


def figure_of_claims(plot: ClaimsPlot) -> "Figure":
    """Each strategy where its two figures put it, and closer, what is around the published point.

    Raises:
        UsageError: no strategy has both figures.
    """
    if not plot.places:
        raise UsageError("there is nothing to draw: no strategy has both figures")
    with style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=_SIZE)
        whole, near = figure.subplots(ncols=2, width_ratios=_WIDTHS)
        limits = _limits(plot, plot.places)
        for axes, shown in ((whole, limits), (near, _limits(plot, [_nearest(plot, limits)]))):
            _draw_claims(axes, plot, shown)
            for number, place in enumerate(plot.places):
                _draw_place(axes, plot, place, number)
        whole.set(title="All strategies")
        near.set(title="Around what is published", ylabel="")
        small = [_KEY.format(plot.x.range, plot.y.range), *plot.small_print]
        write_words(figure, plot.title, small)
        figure.draw_without_rendering()  # only then is it known where things are
        for axes in (whole, near):
            _write_labels(axes, plot)
    return figure


_KEY = (
    "Star: what is published. Grey: what it may stand for, {} across and {} upwards; the box is "
    "both. Bars: intervals."
)


class _Limits(NamedTuple):
    """What is shown across and upwards, each from least to most."""

    x: tuple[float, float]
    y: tuple[float, float]


def _limits(plot: ClaimsPlot, places: Sequence[Place]) -> _Limits:
    """All of these places and the claims, and a margin around them."""
    return _Limits(
        _range(plot.x, [place.x for place in places]), _range(plot.y, [place.y for place in places])
    )


def _range(axis: Axis, estimates: Sequence[Estimate]) -> tuple[float, float]:
    shown = [axis.published, axis.low, axis.high]
    shown += [x for each in estimates for x in (each.estimate, each.low, each.high)]
    values = [axis.scale * x for x in shown if x is not None and math.isfinite(x)]
    margin = _MARGIN * (max(values) - min(values)) or 1.0
    return min(values) - margin, max(values) + margin


def _nearest(plot: ClaimsPlot, limits: _Limits) -> Place:
    """The place that is nearest to the published point in the picture of all."""

    def distance(place: Place) -> float:
        sides = [
            axis.scale * (estimate.estimate - axis.published) / (most - least)
            for axis, estimate, (least, most) in (
                (plot.x, place.x, limits.x),
                (plot.y, place.y, limits.y),
            )
        ]
        return math.hypot(*sides)

    return min(plot.places, key=distance)


def _draw_claims(axes: "Axes", plot: ClaimsPlot, limits: _Limits) -> None:
    """A band for each claim, their common box, and the published point."""
    (left, right), (bottom, top) = (
        (
            least if axis.low is None else axis.scale * axis.low,
            most if axis.high is None else axis.scale * axis.high,
        )
        for axis, (least, most) in ((plot.x, limits.x), (plot.y, limits.y))
    )
    axes.axvspan(left, right, color=_BAND, linewidth=0)
    axes.axhspan(bottom, top, color=_BAND, linewidth=0)
    corners = [left, right, right, left, left], [bottom, bottom, top, top, bottom]
    axes.plot(*corners, color=BLACK, linewidth=1)
    published = plot.x.scale * plot.x.published, plot.y.scale * plot.y.published
    axes.plot(*published, marker="*", markersize=12, color=BLACK)
    across, up = (
        f"{axis.label} ({axis.unit})" if axis.unit else axis.label for axis in (plot.x, plot.y)
    )
    axes.set(xlim=limits.x, ylim=limits.y, xlabel=across, ylabel=up)


def _draw_place(axes: "Axes", plot: ClaimsPlot, place: Place, number: int) -> None:
    across, up = (
        [[axis.scale * _side(x.estimate - x.low)], [axis.scale * _side(x.high - x.estimate)]]
        for axis, x in ((plot.x, place.x), (plot.y, place.y))
    )
    axes.errorbar(
        plot.x.scale * place.x.estimate,
        plot.y.scale * place.y.estimate,
        xerr=across,
        yerr=up,
        fmt=MARKERS[number % len(MARKERS)],
        color=_COLOURS[number % len(_COLOURS)],
        markersize=6,
        linewidth=1,
    )


def _side(width: float) -> float:
    """One side of an interval; one round has none."""
    return 0.0 if math.isnan(width) else width


def _write_labels(axes: "Axes", plot: ClaimsPlot) -> None:
    """A name beside each point that is shown, where it hides no other name, point or interval."""
    star = Place(plot.published, _exactly(plot.x.published), _exactly(plot.y.published))
    points = {
        place.name: (plot.x.scale * place.x.estimate, plot.y.scale * place.y.estimate)
        for place in (star, *plot.places)
    }
    shown = {
        name: point
        for name, point in points.items()
        if axes.bbox.contains(*axes.transData.transform(point))
    }
    taken = [box for place in (star, *plot.places) for box in _boxes(axes, plot, place)]
    taken += _edges(axes)
    for name, point in shown.items():
        text = textwrap.shorten(name, _NAME, placeholder=" …")
        label = axes.annotate(text, point, (0, 0), textcoords="offset points")
        label.set_in_layout(False)
        best, least = _OFFSETS[0], math.inf
        for offset in _OFFSETS:
            hidden = _hidden(_move(label, offset), taken, axes.bbox)
            if hidden < least:
                best, least = offset, hidden
            if not hidden:
                break
        taken.append(_move(label, best))


def _edges(axes: "Axes") -> "list[Bbox]":
    """Where the outline of the box is, in pixels."""
    from matplotlib.transforms import Bbox

    corners = axes.transData.transform(axes.lines[0].get_xydata())
    return [Bbox([a, b]).padded(_BAR) for a, b in pairwise(corners)]


def _exactly(value: float) -> Estimate:
    return Estimate(value, 0.0, value, value)


def _boxes(axes: "Axes", plot: ClaimsPlot, place: Place) -> "list[Bbox]":
    """Where the marker of a place and its two intervals are, in pixels."""
    from matplotlib.transforms import Bbox

    (left, bottom), centre, (right, top) = axes.transData.transform(
        [
            (plot.x.scale * across, plot.y.scale * up)
            for across, up in (
                (place.x.low, place.y.low),
                (place.x.estimate, place.y.estimate),
                (place.x.high, place.y.high),
            )
        ]
    )
    half = _MARKER / 2 * axes.figure.dpi / _POINTS_AN_INCH
    marker = Bbox([centre - half, centre + half])
    bars = [
        Bbox([[left, centre[1]], [right, centre[1]]]),
        Bbox([[centre[0], bottom], [centre[0], top]]),
    ]
    return [marker, *(bar.padded(_BAR) for bar in bars if math.isfinite(left + top))]


_BAR = 1.0  # pixels on each side of an interval
_POINTS_AN_INCH = 72
_MARKER = 11.0  # points that a marker with its ends takes
# Where a label may stand, in points from its own point: beside it, then around it, then further.
_OFFSETS = [
    (far * across, far * up)
    for far in (8, 14, 22)
    for across, up in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
]


def _move(label: "Annotation", offset: tuple[float, float]) -> "Bbox":
    """Put a label at an offset from its point; where it then is, in pixels."""
    across, up = offset
    label.set_position(offset)
    label.set_horizontalalignment(_SIDES[_sign(across)])
    label.set_verticalalignment(_HEIGHTS[_sign(up)])
    return label.get_window_extent()


_SIDES: dict[int, Literal["left", "center", "right"]] = {1: "left", 0: "center", -1: "right"}
_HEIGHTS: dict[int, Literal["bottom", "center", "top"]] = {1: "bottom", 0: "center", -1: "top"}
_NAME = 40  # characters of a label


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _hidden(box: "Bbox", taken: Sequence["Bbox"], inside: "Bbox") -> float:
    """The area of ``box`` that is over something else, or outside of ``inside``."""
    from matplotlib.transforms import Bbox

    within = Bbox.intersection(box, inside)
    outside = _area(box) - (0.0 if within is None else _area(within))
    overlaps = (Bbox.intersection(box, other) for other in taken)
    return outside + sum(_area(each) for each in overlaps if each is not None)


def _area(box: "Bbox") -> float:
    return float(box.width * box.height)
