"""Pictures of many changes: what is drawn, and that the same effects give the same bytes."""

import sys
from itertools import pairwise
from math import nan

import pytest

import simdom.pairing.effects  # noqa: F401 -- the module, whatever the package binds to its name
from simdom.errors import UsageError
from simdom.estimate import Estimate
from simdom.pairing.effect import OF_ROUNDS
from simdom.plots.effects import (
    EffectMark,
    EffectPanel,
    EffectPlot,
    draw_effects,
    figure_of_effects,
    plot_effects,
)
from simdom.plots.style import FORMATS

effects = sys.modules["simdom.pairing.effects"].effects

VERDICTS = ("beyond it", "within it", "not settled")


def mark(value, verdict, radius=0.01):
    return EffectMark(Estimate(value, radius / 2, value - radius, value + radius), verdict)


def plot_of(**changes):
    fields = {
        "title": "What single changes of x do",
        "rows": ["reserve=0", "deal=6", "players=3"],
        "panels": [
            EffectPanel(
                "blocked (pp)",
                100,
                is_share=False,
                smallest=0.01,
                marks=[
                    mark(-0.4, "beyond it"),
                    mark(0.0, "within it", 0.002),
                    mark(0.011, "not settled"),
                ],
            ),
            EffectPanel(
                "other winner (%)",
                100,
                is_share=True,
                smallest=0.01,
                marks=[mark(0.3, "beyond it"), mark(0.0, "within it", nan), None],
            ),
        ],
        "verdicts": VERDICTS,
        "small_print": ["1,000 rounds of each, seed 1", "simdom effects --variant x"],
    }
    return EffectPlot(**fields | changes)


def test_a_panel_for_each_metric_and_rows_in_common():
    blocked, winner = figure_of_effects(plot_of()).axes
    assert [blocked.get_xlabel(), winner.get_xlabel()] == ["blocked (pp)", "other winner (%)"]
    labels = [label.get_text() for label in blocked.get_yticklabels()]
    assert labels == ["reserve=0", "deal=6", "players=3"]
    assert blocked.get_ylim() == winner.get_ylim() == (2.5, -0.5)


def test_verdicts_are_told_apart_by_their_markers():
    blocked, winner = figure_of_effects(plot_of()).axes
    lines = [container.lines[0] for container in blocked.containers]
    assert len({line.get_marker() for line in lines}) == 3
    assert [list(line.get_xdata()) for line in lines] == [[-40], [0], [pytest.approx(1.1)]]
    assert [list(line.get_ydata()) for line in lines] == [[0], [1], [2]]
    assert [len(each.lines[0].get_xdata()) for each in winner.containers] == [1, 1, 0]
    low, high = blocked.containers[0].lines[2][0].get_segments()[0][:, 0]
    assert (low, high) == pytest.approx((-41, -39))


def test_the_smallest_effect_is_shaded_and_the_axis_linear_within():
    figure = figure_of_effects(plot_of())
    for axes, least in zip(figure.axes, (-1, 0), strict=True):
        (band,) = axes.patches
        ends = band.get_x(), band.get_x() + band.get_width()
        assert ends == pytest.approx((least, 1))
        assert axes.xaxis.get_transform().linthresh == pytest.approx(1)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "smallest effect of interest:",
        *VERDICTS,
    ]
    ticks = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert {"-10", "-1", "0", "1"} <= set(ticks)


def test_ticks_beyond_the_band():
    """Those between have no names; the names of the others stand apart."""
    marks = [mark(-0.4, "beyond it"), mark(0.5, "beyond it"), None]
    panel = EffectPanel("blocked (pp)", 100, is_share=False, smallest=0.01, marks=marks)
    figure = figure_of_effects(plot_of(panels=[panel] * 6))
    figure.draw_without_rendering()
    for axes in figure.axes:
        ticks = [float(label.get_text()) for label in axes.get_xticklabels()]
        assert {-10, -1, 0, 1, 10} <= set(ticks) <= {-30, -10, -3, -1, 0, 1, 3, 10, 30}
        assert len(ticks) > 5
        assert {-20, -2, 2, 5, 20} <= set(axes.get_xticks(minor=True))
        boxes = sorted(
            (label.get_window_extent() for label in axes.get_xticklabels()), key=lambda box: box.x0
        )
        assert all(one.x1 < other.x0 for one, other in pairwise(boxes))


@pytest.mark.parametrize("file_format", FORMATS)
def test_same_effects_same_bytes(tmp_path, file_format):
    path = tmp_path / f"picture.{file_format}"
    plot_effects(plot_of(), path)
    content = draw_effects(plot_of(), file_format)
    assert path.read_bytes() == content
    assert not any(word in content for word in (b"dc:date", b"CreationDate", b"Software"))


def test_other_effects_other_bytes():
    assert draw_effects(plot_of()) != draw_effects(plot_of(title="y"))


def test_what_cannot_be_drawn(tmp_path):
    with pytest.raises(UsageError, match="choose from png, svg, pdf"):
        draw_effects(plot_of(), "gif")
    with pytest.raises(UsageError, match="has no suffix"):
        plot_effects(plot_of(), tmp_path / "picture")


def test_a_table_is_drawn_with_what_was_run(tmp_path):
    table = effects("pagat-draw", 60)
    plot = table.to_plot()
    assert plot.rows == [effect.name for effect in table.effects]
    assert [panel.smallest for panel in plot.panels] == [
        each.smallest for each in OF_ROUNDS.watched.values()
    ]
    points, winner = plot.panels[2], plot.panels[-1]
    assert points.label == "points (per round)"
    assert points.scale == 1
    assert winner.is_share
    assert plot.verdicts == VERDICTS
    assert "no part of the verdict" in winner.label
    at = plot.rows.index("players=3")
    assert points.marks[at] is None
    figure = figure_of_effects(plot)
    small = figure.get_supxlabel()
    for fact in ("60 rounds of each", "seed 1", "simdom 0.", "strategy random", "-n 60 "):
        assert fact in small
    figure.draw_without_rendering()
    width, height = figure.get_size_inches() * figure.dpi
    for text in (*figure.texts, *figure.axes[0].get_yticklabels()):
        box = text.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= width
        assert 0 <= box.y0 <= box.y1 <= height
    table.plot(tmp_path / "e.png")
    assert (tmp_path / "e.png").read_bytes().startswith(b"\x89PNG")
