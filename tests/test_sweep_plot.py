"""Pictures of a grid: what is drawn, and that the same grid gives the same bytes."""

import itertools
from math import nan

import matplotlib as mpl
import pytest
from matplotlib.colors import to_rgb

from simdom.errors import UsageError
from simdom.estimate import Estimate
from simdom.grids.axes import parse_axis
from simdom.grids.picture import check_drawable
from simdom.grids.sweep import sweep
from simdom.plots.grid import (
    GridAxis,
    GridPanel,
    GridPlot,
    _ink_on,
    draw_grid,
    figure_of_grid,
    plot_grid,
)
from simdom.plots.style import FORMATS


def estimate(value, radius=0.01):
    return Estimate(value, radius / 2, value - radius, value + radius, count=1)


RESERVE = GridAxis("reserve", "Tiles kept.", (0, 1, 4, 6), is_numeric=True)
PLAY = GridAxis("strategy", "", ("random", "normal"), is_numeric=False)
DEAL = GridAxis("deal", "Tiles dealt.", (5, 7, 9), is_numeric=True)


def panel(*cells, label="Blocked", kind="rate"):
    return GridPanel(label, "share of rounds", kind, {"": cells})


def plot_of(axes, *panels):
    return GridPlot("a grid", axes, panels, ["1,000 rounds a cell", "simdom sweep --grid"])


LINE = plot_of([RESERVE], panel(estimate(0.2), estimate(0.3), "skipped", estimate(0.25, nan)))
MAP = plot_of(
    [PLAY, DEAL],
    panel(estimate(0.2), estimate(0.3), "skipped", estimate(0.9), estimate(0.5), "not played"),
)
MAPS = plot_of(
    [PLAY, DEAL, GridAxis("players", "Seats at the table.", (2, 3), is_numeric=True)],
    panel(*(estimate(0.05 * number) for number in range(11)), "skipped"),
)


# --- lines --------------------------------------------------------------------------------------


def test_a_line_stands_at_its_numbers_with_intervals_and_a_gap():
    (axes,) = figure_of_grid(LINE).axes
    line, _, (bars,) = axes.containers[0].lines
    assert list(line.get_xdata()) == [0, 1, 4, 6]
    assert list(line.get_ydata()) == pytest.approx([20, 30, nan, 25], nan_ok=True)
    assert line.get_linestyle() == "-"
    assert bars.get_segments()[0][:, 1] == pytest.approx([19, 21])
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "1", "4", "6"]
    assert axes.get_xlabel() == "reserve: tiles kept"
    assert axes.get_ylabel() == "share of rounds (%)"
    assert axes.get_title(loc="left") == "Blocked"


def test_a_skipped_value_is_hatched_and_named():
    (axes,) = figure_of_grid(LINE).axes
    (band,) = axes.patches
    assert band.get_x() < 4 < band.get_x() + band.get_width()
    assert band.get_hatch()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["skipped"]


def test_names_are_not_joined():
    figure = figure_of_grid(plot_of([PLAY], panel(estimate(0.2), estimate(0.3))))
    (axes,) = figure.axes
    line = axes.containers[0].lines[0]
    assert line.get_linestyle() == "None"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["random", "normal"]
    assert axes.get_legend() is None


def test_a_panel_for_each_metric_and_a_line_for_each_seat():
    seats = {"Seat 0": [estimate(0.6), estimate(0.5)], "Seat 1": [estimate(0.4), "no such seat"]}
    figure = figure_of_grid(
        plot_of(
            [PLAY],
            GridPanel("Who wins, by seat", "share of rounds", "rate", seats),
            panel(estimate(16.0), estimate(17.0), label="Points", kind="mean"),
        )
    )
    wins, points = figure.axes
    assert [text.get_text() for text in wins.get_legend().get_texts()] == ["Seat 0", "Seat 1"]
    first, second = (container.lines[0] for container in wins.containers)
    assert first.get_marker() != second.get_marker()
    assert first.get_xdata()[0] < 0 < second.get_xdata()[0]  # side by side
    assert not wins.patches  # a seat that a table has not is no cell that was skipped
    assert list(points.containers[0].lines[0].get_ydata()) == [16, 17]  # not scaled


def test_of_very_many_values_some_are_labelled():
    axis = GridAxis("reserve", "", range(100), is_numeric=True)
    (axes,) = figure_of_grid(plot_of([axis], panel(*[estimate(0.5)] * 100))).axes
    assert len(axes.get_xticklabels()) <= 24


# --- heat maps ----------------------------------------------------------------------------------


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_a_heat_map_has_each_figure_with_its_interval_in_its_cell():
    axes, scale = figure_of_grid(MAP).axes
    assert texts(axes) == [
        "20.0%\n± 1.0", "30.0%\n± 1.0", "skipped", "90.0%\n± 1.0", "50.0%\n± 1.0", "not played"
    ]  # fmt: skip
    assert [label.get_text() for label in axes.get_yticklabels()] == ["random", "normal"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["5", "7", "9"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("deal: tiles dealt", "strategy")
    assert axes.get_ylim() == (2, 0)  # the first row is on top, as in the table
    assert scale.get_ylabel() == "Blocked: share of rounds (%)"
    assert scale.get_ylim() == (20, 90)
    places = [(box.get_x(), box.get_y()) for box in axes.patches]
    assert places == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]


def test_cells_without_a_figure_are_hatched_each_in_its_way():
    axes, _ = figure_of_grid(MAP).axes
    hatches = [box.get_hatch() for box in axes.patches]
    assert [bool(hatch) for hatch in hatches] == [False, False, True, False, False, True]
    assert hatches[2] != hatches[5]


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_text_can_be_read_on_every_colour_and_colours_in_grey():
    colours = [mpl.colormaps["cividis"](step / 255) for step in range(256)]
    lights = [luminance(colour) for colour in colours]
    assert all(a < b + 1e-3 for a, b in itertools.pairwise(lights))
    for colour, light in zip(colours, lights, strict=True):
        ink = luminance(_ink_on(colour))
        contrast = (max(ink, light) + 0.05) / (min(ink, light) + 0.05)
        assert contrast >= 4.5  # what WCAG 2.1 asks of text


def test_what_an_axis_means_is_in_small_print_where_a_label_has_no_room():
    long = DEAL._replace(doc="Tiles that each seat is dealt, " * 9)
    figure = figure_of_grid(MAP._replace(axes=[PLAY, long]))
    assert figure.axes[0].get_xlabel() == "deal"
    assert figure.get_supxlabel().startswith("deal: tiles that each seat is dealt, Tiles that")


def test_several_heat_maps_share_one_scale():
    figure = figure_of_grid(MAPS)
    *maps, scale = figure.axes
    assert figure.get_supxlabel().startswith("players: seats at the table.\n")
    assert [axes.get_title(loc="left") for axes in maps] == ["players = 2", "players = 3"]
    assert texts(maps[0]) == [f"{value}.0%\n± 1.0" for value in (0, 10, 20, 30, 40, 50)]
    assert texts(maps[1])[:-1] == [f"{value}.0%\n± 1.0" for value in (5, 15, 25, 35, 45)]
    assert texts(maps[1])[-1] == "skipped"
    assert scale.get_ylim() == pytest.approx((0, 50))


def test_a_grid_too_large_for_text_has_colours_and_a_legend():
    axis = GridAxis("reserve", "", range(60), is_numeric=True)
    cells = [estimate(0.5), "skipped"] * 900
    figure = figure_of_grid(plot_of([axis, axis._replace(labels=range(30))], panel(*cells)))
    assert not figure.axes[0].texts
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["skipped"]
    assert max(figure.get_size_inches()) < 22


@pytest.mark.parametrize("plot", [LINE, MAP, MAPS])
def test_nothing_lies_outside_of_the_picture(plot):
    wide = plot._replace(small_print=["word " * 150], title="word " * 40)
    figure = figure_of_grid(wide)
    figure.draw_without_rendering()
    width, height = figure.get_size_inches() * figure.dpi
    for axes in figure.axes:
        box = axes.get_tightbbox()
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= width + 1
        assert box.y1 <= height + 1


def test_equal_figures_have_a_scale_too():
    plot = plot_of([PLAY, DEAL], panel(*[estimate(0.5)] * 6))
    assert figure_of_grid(plot).axes[1].get_ylim() == (49, 51)


@pytest.mark.parametrize("file_format", FORMATS)
@pytest.mark.parametrize("plot", [LINE, MAP])
def test_same_grid_same_bytes(tmp_path, plot, file_format):
    path = tmp_path / f"picture.{file_format}"
    plot_grid(plot, path)
    content = draw_grid(plot, file_format)
    assert path.read_bytes() == content
    assert not any(word in content for word in (b"dc:date", b"CreationDate", b"Software"))


def test_nothing_to_draw():
    with pytest.raises(UsageError, match="there is nothing to draw"):
        draw_grid(plot_of([PLAY], panel("skipped", estimate(nan))))


# --- what of a sweep is drawn -------------------------------------------------------------------


def axes_of(*words):
    return [parse_axis(*word.split("=")) for word in words]


def test_which_metrics_are_drawn():
    one, two = axes_of("deal=5,6", "players=2,3")
    assert check_drawable([one], None) == ("blocked_rate",)
    assert check_drawable([one], ["points", "plays", "points"]) == ("points", "plays")
    assert check_drawable([one, two], ["points", "plays"]) == ("points",)
    (single,) = axes_of("reserve=2")
    assert check_drawable([one, single], ["seat_win_rate", "points"]) == ("seat_win_rate", "points")


def test_what_has_no_picture_is_said_before_anything_is_played():
    four = axes_of("deal=5,6", "players=2,3", "reserve=0,1", "misdeal=0,5")
    with pytest.raises(UsageError, match=r"a plot of 4 axes .*fix one of them, such as misdeal=0"):
        check_drawable(four, None)
    with pytest.raises(UsageError, match="seat_win_rate is by seat"):
        check_drawable(four[:2], ["seat_win_rate", "points"])
    assert check_drawable([*four[:3], *axes_of("misdeal=5")], None)


@pytest.fixture
def sweep_of(tmp_path):
    def call(**grid):
        return sweep(variant="pagat-block", grid=grid, rounds=60, cells=tmp_path / "cells")

    return call


def test_a_sweep_is_drawn_with_what_was_played(sweep_of, tmp_path):
    found = sweep_of(deal="5,13", players="2,3")
    plot = found.to_plot(["points"])
    (drawn,) = plot.panels
    assert drawn.lines["Points"] == [
        *(result.estimate("points") for result in found.results), "skipped"
    ]  # fmt: skip
    assert [axis.labels for axis in plot.axes] == [(5, 13), (2, 3)]
    small = figure_of_grid(plot).get_supxlabel().replace("\n", " ")
    for fact in ("60 rounds a cell, seed 1", "intervals at 95%", "block_score", "not corrected"):
        assert fact in small
    assert found.command in small
    found.plot(tmp_path / "grid.png")
    assert (tmp_path / "grid.png").read_bytes().startswith(b"\x89PNG")


def test_seats_are_lines_and_may_be_missing_at_smaller_tables(sweep_of):
    plot = sweep_of(players="2,3").to_plot(["seat_win_rate", "plays"])
    wins, plays = plot.panels
    assert list(wins.lines) == ["1st to play", "2nd to play", "3rd to play"]
    assert wins.lines["3rd to play"][0] == "no such seat"
    assert plays.label == "Tiles played"
