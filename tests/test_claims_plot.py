"""The picture of two claims: what is drawn where, and that the same figures give the same bytes."""

from itertools import combinations, pairwise
from math import nan

import pytest
from matplotlib.transforms import Bbox

from simdom.errors import UsageError
from simdom.estimate import Estimate
from simdom.plots.claims import Axis, ClaimsPlot, Place, draw_claims, figure_of_claims, plot_claims
from simdom.plots.style import FORMATS


def estimate(value, radius=0.003):
    return Estimate(value, radius / 2, value - radius, value + radius)


ACROSS = Axis("Block", 100, "%", 0.61, 0.605, 0.615, "60.5% to 61.5%")
UPWARDS = Axis("Draw", 100, "%", 0.192, 0.1915, 0.1925, "19.15% to 19.25%")
PLACES = [
    Place(name, estimate(x), estimate(y))
    for name, x, y in [
        ("random", 0.656, 0.202),
        ("heaviest", 0.678, 0.226),
        ("random-tile", 0.655, 0.2),
        ("normal", 0.604, 0.195),
        ("a name that nobody would give to a strategy of their own", 0.601, 0.195),
    ]
]


def plot_of(**changes):
    fields = {
        "title": "61% and 19.2% as published",
        "x": ACROSS,
        "y": UPWARDS,
        "published": "S3: 61%, 19.2%",
        "places": PLACES,
        "small_print": ["1,000 rounds of each, seed 1", "simdom reproduce -n 1e3"],
    }
    return ClaimsPlot(**fields | changes)


def test_the_plane_and_what_is_around_the_published_point():
    whole, near = figure_of_claims(plot_of()).axes
    assert (whole.get_xlabel(), whole.get_ylabel()) == ("Block (%)", "Draw (%)")
    (left, right), (bottom, top) = whole.get_xlim(), whole.get_ylim()
    for place in PLACES:
        assert left < 100 * place.x.low < 100 * place.x.high < right
        assert bottom < 100 * place.y.low < 100 * place.y.high < top
    (left, right), (bottom, top) = near.get_xlim(), near.get_ylim()
    assert (left < 60.1, 61.5 < right < 65) == (True, True)  # the box and the nearest strategy
    assert (bottom < 19.15, 19.5 < top < 20) == (True, True)  # and not all of them


def test_what_is_published_and_what_it_may_stand_for():
    for axes in figure_of_claims(plot_of()).axes:
        across, upwards = (patch.get_bbox() for patch in axes.patches)
        assert (across.x0, across.x1) == pytest.approx((60.5, 61.5))
        assert (upwards.y0, upwards.y1) == pytest.approx((19.15, 19.25))
        box, star = axes.lines[:2]
        corners = box.get_xydata()
        assert corners.min(axis=0).tolist() == pytest.approx([60.5, 19.15])
        assert corners.max(axis=0).tolist() == pytest.approx([61.5, 19.25])
        assert star.get_xydata().tolist() == [[61, 19.2]]
    small = figure_of_claims(plot_of()).get_supxlabel()
    for fact in ("60.5% to 61.5% across", "19.15% to 19.25% upwards", "seed 1", "-n 1e3"):
        assert fact in small


def test_an_open_side_goes_to_the_end():
    axis = UPWARDS._replace(low=None, high=0.2, range="up to 20%")
    whole, _ = figure_of_claims(plot_of(y=axis)).axes
    upwards = whole.patches[1].get_bbox()
    assert (upwards.y0, upwards.y1) == pytest.approx((whole.get_ylim()[0], 20))


def test_strategies_are_told_apart_and_stand_with_their_intervals():
    whole, _ = figure_of_claims(plot_of()).axes
    looks = {(bars.lines[0].get_marker(), bars.lines[0].get_color()) for bars in whole.containers}
    assert len({marker for marker, _ in looks}) == len(PLACES)
    (across,), (up,) = (bars.get_segments() for bars in whole.containers[0].lines[2])
    assert across[:, 0].tolist() == pytest.approx([65.3, 65.9])
    assert up[:, 1].tolist() == pytest.approx([19.9, 20.5])


def test_no_name_hides_another_or_a_point():
    figure = figure_of_claims(plot_of())
    figure.draw_without_rendering()
    for axes in figure.axes:
        boxes = [label.get_window_extent() for label in axes.texts]
        assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
        for place in (Place("", estimate(0.61), estimate(0.192)), *PLACES):
            at = axes.transData.transform((100 * place.x.estimate, 100 * place.y.estimate))
            assert not any(box.contains(*at) for box in boxes)
        assert all(axes.bbox.fully_contains(*box.min) for box in boxes)
        assert all(axes.bbox.fully_contains(*box.max) for box in boxes)
    whole, near = figure.axes
    assert len(whole.texts) == len(PLACES) + 1
    names = {label.get_text() for label in near.texts}
    assert {"S3: 61%, 19.2%", "normal"} <= names
    assert "random" not in names
    assert "a name that nobody would give to a …" in names


def test_no_name_runs_across_the_edge_of_the_box():
    figure = figure_of_claims(plot_of(places=PLACES[:1] + PLACES[3:4]))
    figure.draw_without_rendering()
    near = figure.axes[1]
    corners = near.transData.transform(near.lines[0].get_xydata())
    for label in near.texts:
        box = label.get_window_extent()
        assert not any(box.overlaps(Bbox(side)) for side in pairwise(corners))


def test_one_round_has_no_interval_and_is_drawn():
    one = Estimate(0.0, nan, nan, nan, sd=nan)
    plain = Axis("Points", 1, "", 3.045, 2.986, None, "from 2.986")
    whole, _ = figure_of_claims(plot_of(x=plain, y=plain, places=[Place("a", one, one)])).axes
    assert whole.get_xlabel() == "Points"
    assert [label.get_text() for label in whole.texts] == ["S3: 61%, 19.2%", "a"]


@pytest.mark.parametrize("file_format", FORMATS)
def test_same_figures_same_bytes(tmp_path, file_format):
    path = tmp_path / f"plane.{file_format}"
    plot_claims(plot_of(), path)
    assert path.read_bytes() == draw_claims(plot_of(), file_format)
    assert path.read_bytes() != draw_claims(plot_of(title="x"), file_format)


def test_what_cannot_be_drawn(tmp_path):
    with pytest.raises(UsageError, match="nothing to draw: no strategy has both figures"):
        draw_claims(plot_of(places=[]))
    with pytest.raises(UsageError, match="choose from png, svg, pdf"):
        draw_claims(plot_of(), "gif")
    with pytest.raises(UsageError, match="has no suffix"):
        plot_claims(plot_of(), tmp_path / "plane")
