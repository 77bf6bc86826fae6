"""Pictures of duels: what is drawn, and that the same duel gives the same bytes."""

from math import nan

import pytest

from simdom.duels.duel import duel
from simdom.errors import UsageError
from simdom.estimate import Estimate
from simdom.plots.duel import DuelPlot, Spread, draw_duel, figure_of_duel, plot_duel
from simdom.plots.style import FORMATS


def estimate(value, radius=0.02):
    return Estimate(value, radius / 2, value - radius, value + radius)


def plot_of(**changes):
    fields = {
        "title": "a beats b",
        "xlabel": "points of a less points of b",
        "spreads": [
            Spread("single rounds", {-6.0: 20, 0.0: 10, 7.0: 70}),
            Spread("mean of a deal", {-0.5: 20, 0.0: 50, 0.5: 30}),
        ],
        "mean": estimate(0.25),
        "shares": [("The deal", estimate(0.6)), ("The play", estimate(0.1)),
                   ("The rest", estimate(0.3))],
        "small_print": ["10 deals, seed 1", "simdom duel a b"],
    }  # fmt: skip
    return DuelPlot(**fields | changes)


def test_bars_are_shares_of_all_and_a_border_is_shared():
    spreads, _ = figure_of_duel(plot_of()).axes
    wide, narrow = ({round(bar.get_center()[0], 6): bar.get_height() for bar in bars if
                     bar.get_height()} for bars in spreads.containers)  # fmt: skip
    assert wide == pytest.approx({-6: 20, 0: 10, 7: 70})
    # Half of the deals at -0.5 go to the bar around -1, half to that around 0.
    assert narrow == pytest.approx({-1: 10, 0: 10 + 50 + 15, 1: 15})
    assert spreads.get_xlabel() == "points of a less points of b"


def test_the_mean_stands_where_it_is():
    spreads, _ = figure_of_duel(plot_of()).axes
    zero, mean = (line.get_xdata()[0] for line in spreads.lines)
    assert (zero, mean) == (0, 0.25)
    texts = [text.get_text() for text in spreads.get_legend().get_texts()]
    assert "mean 0.250 ± 0.020" in texts


def test_wide_spreads_have_wide_bars_and_what_is_far_out_is_left_out():
    counts = {float(value): 10 for value in range(-100, 101)} | {5000.0: 1}
    spreads, _ = figure_of_duel(plot_of(spreads=[Spread("x", counts)] * 2)).axes
    assert spreads.containers[0][0].get_width() == 4
    low, high = spreads.get_xlim()
    assert -105 < low < -99
    assert 99 < high < 105


def test_the_bar_is_cut_into_the_shares():
    _, shares = figure_of_duel(plot_of()).axes
    widths = [bars[0].get_width() for bars in shares.containers]
    assert widths == pytest.approx([60, 10, 30])
    assert shares.containers[1][0].get_x() == pytest.approx(60)
    texts = [text.get_text() for text in shares.get_legend().get_texts()]
    assert texts == ["The deal: 60.0% ± 2.0", "The play: 10.0% ± 2.0", "The rest: 30.0% ± 2.0"]
    unknown = [(name, estimate(nan, nan)) for name in "xyz"]
    _, shares = figure_of_duel(plot_of(shares=unknown, mean=estimate(0.0, nan))).axes
    assert [bars[0].get_width() for bars in shares.containers] == [0, 0, 0]
    assert shares.get_legend().get_texts()[0].get_text() == "x: undefined"


@pytest.mark.parametrize("file_format", FORMATS)
def test_same_duel_same_bytes(tmp_path, file_format):
    path = tmp_path / f"picture.{file_format}"
    plot_duel(plot_of(), path)
    content = draw_duel(plot_of(), file_format)
    assert path.read_bytes() == content
    assert draw_duel(plot_of(mean=estimate(0.5)), file_format) != content


def test_what_cannot_be_drawn(tmp_path):
    with pytest.raises(UsageError, match="choose from png, svg, pdf"):
        draw_duel(plot_of(), "gif")
    with pytest.raises(UsageError, match="has no suffix"):
        plot_duel(plot_of(), tmp_path / "picture")


def test_a_duel_is_drawn_with_what_was_played(tmp_path):
    found = duel("normal", "random", variant="pagat-block", deals=60)
    plot = found.to_plot()
    assert sum(plot.spreads[0].counts.values()) == 120
    assert sum(plot.spreads[1].counts.values()) == 60
    mean = sum(value * count for value, count in plot.spreads[1].counts.items()) / 60
    assert mean == pytest.approx(found.points_per_round.estimate)
    assert [label for label, _ in plot.shares] == [
        "The deal", "The difference in play", "The rest"
    ]  # fmt: skip
    small = figure_of_duel(plot).get_supxlabel()
    for fact in ("60 deals", "seed 1", "simdom 0.", "boneyard block", "simdom duel normal random"):
        assert fact in small
    shown = found.plot(tmp_path / "d.png")._repr_png_()
    assert shown.startswith(b"\x89PNG")
    assert (tmp_path / "d.png").read_bytes() == shown
