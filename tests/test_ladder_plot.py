"""Pictures of ladders: what is drawn, and that the same ladder gives the same bytes."""

from math import nan

import pytest
from matplotlib.colors import to_rgb

from simdom.duels.ladder import ladder
from simdom.errors import UsageError
from simdom.estimate import Estimate
from simdom.plots.ladder import LadderPlot, draw_ladder, figure_of_ladder, plot_ladder
from simdom.plots.style import FORMATS


def estimate(value, radius=5.0):
    return Estimate(value, radius / 2, value - radius, value + radius)


def plot_of(**changes):
    fields = {
        "title": "The ladder of x",
        "names": ["a", "b", "c"],
        "ratings": [estimate(1080.0), estimate(1020.0), estimate(1000.0, 0.0)],
        "rating_label": "rating, c = 1000",
        "anchor": 1000.0,
        "table_title": "Points",
        "values": [[nan, 2.0, 5.0], [-2.0, nan, 3.0], [-5.0, -3.0, nan]],
        "texts": [["·", "+2", "+5"], ["-2", "·", "+3"], ["-5", "-3", "·"]],
        "small_print": ["10 deals, seed 1", "simdom ladder a b c"],
    }
    return LadderPlot(**fields | changes)


def test_ratings_stand_in_rows_with_their_intervals():
    ratings, _ = figure_of_ladder(plot_of()).axes
    (bars,) = ratings.containers
    assert list(bars.lines[0].get_xdata()) == [1080, 1020, 1000]
    assert list(bars.lines[0].get_ydata()) == [0, 1, 2]
    low, high = bars.lines[2][0].get_segments()[0][:, 0]
    assert (low, high) == (1075, 1085)
    assert ratings.get_ylim() == (2.5, -0.5)
    assert [label.get_text() for label in ratings.get_yticklabels()] == ["1 a", "2 b", "3 c"]
    assert ratings.get_xlabel() == "rating, c = 1000"


def test_no_rating_no_marker():
    none = [estimate(nan), estimate(nan), estimate(nan)]
    ratings, table = figure_of_ladder(plot_of(ratings=none)).axes
    assert list(ratings.containers[0].lines[0].get_xdata()) == []
    assert len(table.texts) == 9


def test_cells_say_their_figure_on_a_scale_that_is_even_about_zero():
    _, table = figure_of_ladder(plot_of()).axes
    assert [text.get_text() for text in table.texts][:3] == ["·", "+2", "+5"]
    assert [text.get_position() for text in table.texts][5] == (2, 1)
    (image,) = table.images
    assert image.get_clim() == (-5, 5)
    colours = {text.get_text(): sum(to_rgb(text.get_color())) for text in table.texts}
    assert colours["-5"] == 3  # white on the dark end
    assert colours["+5"] == 0
    assert [label.get_text() for label in table.get_xticklabels()] == ["1", "2", "3"]


def test_equal_strategies_can_be_drawn():
    level = [[nan, 0.0], [0.0, nan]]
    plot = plot_of(names=["a", "b"], ratings=[estimate(1000.0)] * 2, values=level,
                   texts=[["·", "0"], ["0", "·"]])  # fmt: skip
    _, table = figure_of_ladder(plot).axes
    assert table.images[0].get_clim() == (-1, 1)


@pytest.mark.parametrize("file_format", FORMATS)
def test_same_ladder_same_bytes(tmp_path, file_format):
    path = tmp_path / f"picture.{file_format}"
    plot_ladder(plot_of(), path)
    content = draw_ladder(plot_of(), file_format)
    assert path.read_bytes() == content
    assert draw_ladder(plot_of(table_title="Score"), file_format) != content


def test_what_cannot_be_drawn(tmp_path):
    with pytest.raises(UsageError, match="choose from png, svg, pdf"):
        draw_ladder(plot_of(), "gif")
    with pytest.raises(UsageError, match="has no suffix"):
        plot_ladder(plot_of(), tmp_path / "picture")


def test_a_ladder_is_drawn_with_what_was_played(tmp_path):
    found = ladder("normal", "random", "heaviest", variant="pagat-block", deals=60)
    plot = found.to_plot()
    assert plot.names == found.strategies
    assert plot.ratings[0] == found.standings[0].rating
    assert plot.values[0][1] == found.meetings[tuple(plot.names[:2])].points_per_round.estimate
    assert plot.texts == list(found.crosstable().rows.values())
    assert plot.rating_label == "rating, random = 1000"
    small = figure_of_ladder(plot).get_supxlabel()
    for fact in ("60 deals", "seed 1", "simdom 0.", "boneyard block", "simdom ladder normal"):
        assert fact in small
    shown = found.plot(tmp_path / "l.png")._repr_png_()
    assert shown.startswith(b"\x89PNG")
    assert (tmp_path / "l.png").read_bytes() == shown
