"""The picture of matches: who wins, and how long they are."""

import pytest

from scale import rounds
from simdom import Rules, simulate_matches
from simdom.plots.matches import figure_of_matches
from simdom.plots.run import draw_run, figure_of_run
from simdom.plots.style import FORMATS


def play(variant="pagat-block", target=30, **how):
    return simulate_matches(variant, rounds(400, 20), target=target, **how)


@pytest.fixture(scope="module")
def result():
    return play()


def panels(result):
    """The two panels of the picture."""
    return [axes for part in figure_of_matches(result).subfigs for axes in part.axes]


def labels(axes):
    return [text.get_text() for text in axes.get_yticklabels()]


def test_who_wins_and_how_long_it_takes(result):
    wins, length = panels(result)
    assert wins.get_title(loc="left") == "Who wins the match"
    assert labels(wins) == ["1st to play", "2nd to play"]
    assert wins.get_xlabel() == "share of matches (%)"
    widths = [bar.get_width() for bar in wins.patches]
    assert widths == [100 * one.estimate for one in result.metrics["seat_match_win_rate"]]
    assert length.get_title(loc="left").startswith("Length: mean ")
    assert length.get_ylabel() == "share of matches (%)"
    assert sum(bar.get_height() for bar in length.patches) == pytest.approx(100, abs=0.2)


def test_what_was_played_is_in_it(result):
    figure = figure_of_matches(result)
    assert figure.get_suptitle() == "pagat-block, 2 players, strategy random, to 30 points"
    assert result.identity in figure.get_supxlabel().replace("\n", " ")
    assert result.command in figure.get_supxlabel().replace("\n", " ")


def test_teams_and_strategies_have_rows_of_their_own():
    assert labels(panels(play("partner-pagat"))[0]) == ["The opener's team", "The other team"]
    mixed = panels(play(strategy="normal,random"))[0]
    assert labels(mixed) == ["Seat 0, normal", "Seat 1, random"]


def test_matches_that_nobody_wins_are_drawn_too():
    rules = Rules(max_pip=1, deal=1, block_score=6, domino_score=2, flat_points=2, overshoot=1)
    wins, _ = panels(simulate_matches(rules, 2, target=1))
    assert labels(wins)[-1] == "nobody, not finished"
    assert wins.patches[-1].get_width() == 100


def test_a_single_match_is_drawn():
    assert len(panels(simulate_matches("pagat-block", 1))) == 2


@pytest.mark.parametrize("file_format", FORMATS)
def test_the_picture_of_a_run_is_that_of_matches_where_these_were_played(result, file_format):
    assert draw_run(result, file_format) == draw_run(result, file_format)
    assert figure_of_run(result).get_suptitle() == figure_of_matches(result).get_suptitle()
