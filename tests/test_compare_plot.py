"""Pictures of differences: what is drawn, and that the same differences give the same bytes."""

from math import nan

import pytest

from simdom.errors import UsageError
from simdom.estimate import Estimate
from simdom.plots.differences import (
    PERCENTAGE_POINTS,
    DifferencePlot,
    DifferenceRow,
    draw_differences,
    figure_of_differences,
    plot_differences,
)
from simdom.plots.style import FORMATS


def estimate(value, radius=0.01):
    return Estimate(value, radius / 2, value - radius, value + radius, sd=1.0)


def plot_of(names=("a", "b"), **changes):
    fields = {
        "title": "others against x",
        "names": names,
        "panels": {
            PERCENTAGE_POINTS: [
                DifferenceRow("Blocked", [estimate(-0.03), estimate(0.02)]),
                DifferenceRow("Won by the opener", [estimate(0.0), None]),
            ],
            "points a round": [DifferenceRow("Points", [estimate(0.5, nan), estimate(nan)])],
        },
        "small_print": ["1,000 rounds of each, seed 1", "simdom compare x a b"],
    }
    return DifferencePlot(**fields | changes)


def test_a_panel_for_each_unit_and_a_row_for_each_metric():
    rates, points = figure_of_differences(plot_of()).axes
    assert rates.get_xlabel() == "difference (percentage points)"
    assert points.get_xlabel() == "difference (points a round)"
    labels = [label.get_text() for label in rates.get_yticklabels()]
    assert labels == ["Blocked", "Won by the opener"]
    assert rates.get_ylim() == (1.5, -0.5)
    assert [text.get_text() for text in rates.get_legend().get_texts()] == ["a", "b"]


def test_markers_stand_at_the_differences_with_their_intervals():
    rates, points = figure_of_differences(plot_of()).axes
    first, second = rates.containers
    assert list(first.lines[0].get_xdata()) == pytest.approx([-3, 0])
    assert list(second.lines[0].get_xdata()) == pytest.approx([2])
    low, high = first.lines[2][0].get_segments()[0][:, 0]
    assert (low, high) == pytest.approx((-4, -2))
    assert first.lines[0].get_marker() != second.lines[0].get_marker()
    above, below = (each.lines[0].get_ydata()[0] for each in rates.containers)
    assert -0.5 < above < 0 < below < 0.5
    assert list(points.containers[0].lines[0].get_xdata()) == [0.5]  # not scaled; one round
    assert list(points.containers[1].lines[0].get_xdata()) == []


def test_one_contender_needs_no_legend():
    panels = {PERCENTAGE_POINTS: [DifferenceRow("Blocked", [estimate(-0.03)])]}
    figure = figure_of_differences(plot_of(["a"], panels=panels))
    assert figure.axes[0].get_legend() is None


def test_small_print_and_long_names_stay_within_the_picture():
    names = [f"pagat-draw:strategy=normal,random:block_score=others:reserve={k}" for k in range(19)]
    row = DifferenceRow("Blocked", [estimate(0.01 * k) for k in range(19)])
    figure = figure_of_differences(
        plot_of(names, panels={PERCENTAGE_POINTS: [row]}, small_print=["word " * 100])
    )
    assert figure.get_supxlabel().count("\n") >= 2
    figure.draw_without_rendering()
    width, _ = figure.get_size_inches() * figure.dpi
    (axes,) = figure.axes
    for box in [
        axes.get_legend().get_window_extent(),
        *(t.get_window_extent() for t in figure.texts),
    ]:
        assert box.x0 >= 0
        assert box.x1 <= width
    markers = {(c.lines[0].get_marker(), c.lines[0].get_color()) for c in axes.containers}
    assert len(markers) == 19


@pytest.mark.parametrize("file_format", FORMATS)
def test_same_differences_same_bytes(tmp_path, file_format):
    path = tmp_path / f"picture.{file_format}"
    plot_differences(plot_of(), path)
    content = draw_differences(plot_of(), file_format)
    assert path.read_bytes() == content
    assert not any(word in content for word in (b"dc:date", b"CreationDate", b"Software"))


def test_other_differences_other_bytes():
    assert draw_differences(plot_of()) != draw_differences(plot_of(("a", "c")))


def test_what_is_unchanged_in_every_round_is_not_drawn():
    from simdom.pairing.compare import compare

    comparison = compare("pagat-block", "pagat-block:block_score=others", rounds=300)
    plot = comparison.to_plot()
    assert [row.label for rows in plot.panels.values() for row in rows] == ["Points"]
    assert plot.small_print[0].startswith("Unchanged in every round, and so not drawn: blocked, ")
    assert plot.title == "pagat-block:block_score=others against pagat-block"
    asked = comparison.to_plot(["blocked_rate", "points"])
    assert [rows[0].label for rows in asked.panels.values()] == ["Blocked", "Points"]
    same = compare("pagat-block", "pagat-block", rounds=300).to_plot()
    assert same.panels[PERCENTAGE_POINTS][0].label == "Blocked"
    assert "Unchanged" not in same.small_print[0]


def test_many_names_are_no_title():
    from simdom.pairing.compare import compare

    names = [f"pagat-block:blank_pips={pips}" for pips in range(1, 7)]
    plot = compare("pagat-block", *names, rounds=10).to_plot()
    assert plot.title == "Others against pagat-block"
    assert plot.names == names


def test_what_cannot_be_drawn(tmp_path):
    with pytest.raises(UsageError, match="no metric is compared"):
        draw_differences(plot_of(panels={}))
    with pytest.raises(UsageError, match="choose from png, svg, pdf"):
        draw_differences(plot_of(), "gif")
    with pytest.raises(UsageError, match="has no suffix"):
        plot_differences(plot_of(), tmp_path / "picture")


def test_a_comparison_is_drawn_with_what_was_run(tmp_path):
    from simdom.pairing.compare import (
        compare,  # the function: the package binds the same name to it
    )

    comparison = compare("pagat-draw", "pagat-draw:reserve=0", "pagat-block:players=3", rounds=200)
    plot = comparison.to_plot()
    assert plot.names == ["pagat-draw:reserve=0", "pagat-block:players=3"]
    rates = plot.panels[PERCENTAGE_POINTS]
    assert rates[0].label == "Blocked"
    assert rates[0].estimates[1] == comparison.differences[1].metrics["blocked_rate"]
    assert "Won by the opener" in [row.label for row in rates]
    assert plot.panels["points a round"][0].estimates[1] is None
    small = figure_of_differences(plot).get_supxlabel()
    for fact in ("200 rounds of each", "seed 1", "simdom 0.", "strategy random", "reserve 0"):
        assert fact in small
    assert plot.title == ("reserve=0 and pagat-block:players=3 against pagat-draw")
    comparison.plot(tmp_path / "c.png", ["points"])
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
