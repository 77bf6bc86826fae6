"""Ladders: ratings against independent fits, figures against duels, what must not change."""

import itertools
import json
from math import isnan, log10, sqrt

import numpy as np
import pytest
from scipy import optimize, stats

from evidence import FALSE_ALARM, Z_BOUND
from scale import rounds
from simdom import strategy_names
from simdom.duels.duel import duel
from simdom.duels.ladder import ladder
from simdom.duels.ladder_result import SCHEMA
from simdom.duels.ladder_words import CROSSTABLES
from simdom.duels.moments import Moments
from simdom.duels.ratings import ANCHOR, fit_ratings, pairs_of
from simdom.errors import UsageError
from simdom.executors.threads import ThreadsExecutor
from simdom.running import driver

FOUR = ("random", "heaviest", "normal", "lightest")


@pytest.fixture(scope="module")
def found():
    return ladder(*FOUR, variant="pagat-block", deals=rounds(3000, 60), seed=7)


# --- ratings ---------------------------------------------------------------------------------


def edges_of(scores, deals):
    """Moments of made-up deals of 2 seatings: shape (deals, pairs), rounds won less lost."""
    return Moments.of(np.asarray(scores).reshape(deals, -1))


def draw_edges(count, deals, seed):
    """Edges of deals that all pairs share: whole numbers from -2 to 2 that hang together."""
    generator = np.random.default_rng(seed)
    strength = np.linspace(0.5, -0.5, count)
    luck = generator.normal(size=(deals, 1))
    columns = [
        np.rint(strength[i] - strength[j] + luck[:, 0] + generator.normal(size=deals))
        for i, j in pairs_of(count)
    ]
    return np.clip(np.stack(columns, axis=1), -2, 2).astype(np.int64)


def fit_plainly(edges, count, anchor):
    """Ratings by minimising the negative logarithm of the likelihood, deal by deal summed."""
    scores = 0.5 + edges.mean(axis=0) / 4

    def loss(free):
        s = np.insert(free, anchor, 0.0)
        p = [1 / (1 + np.exp(s[j] - s[i])) for i, j in pairs_of(count)]
        return -sum(x * np.log(q) + (1 - x) * np.log(1 - q) for x, q in zip(scores, p, strict=True))

    finely = {"xatol": 1e-9, "fatol": 1e-14, "maxiter": 10**5}
    free = optimize.minimize(loss, np.zeros(count - 1), method="Nelder-Mead", options=finely).x
    return 1000 + 400 * np.insert(free, anchor, 0.0) / np.log(10)


def test_two_strategies_have_a_closed_form():
    deals = 400
    edges = draw_edges(2, deals, 1)
    ratings = fit_ratings(2, edges_of(edges, deals), 2, 1)
    score = 0.5 + edges.mean() / 4
    assert ratings.values[1] == ANCHOR == 1000
    assert ratings.values[0] == pytest.approx(1000 + 400 * log10(score / (1 - score)))
    assert ratings.expected[0, 1] == pytest.approx(score)
    # The delta method on that form.
    se = 400 / np.log(10) / (score * (1 - score)) * edges.std(ddof=1) / 4 / sqrt(deals)
    assert ratings.rating(0, 0.95).se == pytest.approx(se)
    assert ratings.rating(1, 0.95).se == 0
    assert ratings.difference(1, 0, 0.95).se == pytest.approx(se)


@pytest.mark.parametrize("anchor", [0, 2])
def test_ratings_are_the_likeliest(anchor):
    edges = draw_edges(4, 300, 2)
    ratings = fit_ratings(4, edges_of(edges, 300), 2, anchor)
    assert ratings.values == pytest.approx(fit_plainly(edges, 4, anchor), abs=1e-4)
    # At the maximum each strategy's scores add up to what is foreseen.
    scores = 0.5 + edges.mean(axis=0) / 4
    for one in range(4):
        seen = sum(
            score if one == i else 1 - score
            for score, (i, j) in zip(scores, pairs_of(4), strict=True)
            if one in (i, j)
        )
        foreseen = sum(ratings.expected[one, other] for other in range(4) if other != one)
        assert seen == pytest.approx(foreseen)


def test_intervals_are_those_of_a_jackknife_over_deals():
    deals = 400
    edges = draw_edges(4, deals, 3)
    ratings = fit_ratings(4, edges_of(edges, deals), 2, 0)
    without = np.array([
        fit_ratings(4, edges_of(np.delete(edges, k, axis=0), deals - 1), 2, 0).values
        for k in range(deals)
    ])  # fmt: skip
    spread = (without - without.mean(axis=0)).T
    covariance = spread @ spread.T * (deals - 1) / deals
    assert ratings.covariance == pytest.approx(covariance, rel=0.05, abs=1e-6)
    gap = covariance[1, 1] + covariance[3, 3] - 2 * covariance[1, 3]
    assert ratings.difference(1, 3, 0.95).se == pytest.approx(sqrt(gap), rel=0.05)
    # Pairs share the deals' luck here, and independent pairs would be taken for less sure.
    independent = [edges[:, [k]].var(ddof=1) for k in range(6)]
    assert np.corrcoef(edges.T)[0, 1] > 0.2
    assert min(independent) > 0


def test_two_that_play_alike_are_level():
    edges = draw_edges(3, 200, 5)
    edges[:, 0] = 0  # 0 against 1
    edges[:, 2] = edges[:, 1]  # against 2, one does what the other does
    ratings = fit_ratings(3, edges_of(edges, 200), 2, 2)
    lead = ratings.difference(0, 1, 0.95)
    assert (lead.estimate, lead.se, lead.low, lead.high) == (0, 0, 0, 0)
    assert ratings.rating(0, 0.95).se > 0


def test_without_random_the_mean_is_fixed():
    edges = draw_edges(4, 300, 4)
    moments = edges_of(edges, 300)
    about_mean, about_first = fit_ratings(4, moments, 2, None), fit_ratings(4, moments, 2, 0)
    assert about_mean.values.mean() == pytest.approx(1000)
    shift = about_first.values - about_mean.values
    assert shift == pytest.approx(np.full(4, shift[0]))
    for i, j in itertools.combinations(range(4), 2):
        one, other = (each.difference(i, j, 0.95) for each in (about_mean, about_first))
        assert one.se == pytest.approx(other.se)
        assert one.estimate == pytest.approx(other.estimate)
    assert about_mean.rating(0, 0.95).se > 0


@pytest.mark.parametrize(
    "scores",
    [
        [[2, 2, 0], [2, 2, 0]],  # 0 wins everything
        [[-2, 0, 2], [-2, -1, 2]],  # 1 loses nothing, and 2 wins nothing of it
    ],
)
def test_who_wins_everything_has_no_finite_rating(scores):
    ratings = fit_ratings(3, edges_of(scores, 2), 2, 0)
    assert np.isnan(ratings.values).all()
    assert isnan(ratings.difference(0, 1, 0.95).low)


def test_extreme_scores_are_fitted_too():
    edges = np.full((1000, 6), 2)
    edges[0] = 1  # a single half of a round goes to the weaker one of each pair
    ratings = fit_ratings(4, edges_of(edges, 1000), 2, 3)
    assert np.isfinite(ratings.values).all()
    assert (np.diff(ratings.values) < -400).all()


# --- figures ---------------------------------------------------------------------------------


def test_every_pair_is_a_duel(found):
    options = {"variant": "pagat-block", "deals": found.deals, "seed": 7}
    for one, other in itertools.permutations(FOUR, 2):
        alone, meeting = duel(one, other, **options), found.meetings[one, other]
        for name in ("win_rate", "loss_rate", "tie_rate", "points_per_round"):
            mine, its = getattr(meeting, name), getattr(alone, name)
            assert mine.estimate == pytest.approx(its.estimate, abs=1e-15), name
            assert (mine.se, mine.count) == (its.se, its.count)
            assert (mine.low, mine.high) == pytest.approx((its.low, its.high), abs=1e-12)
        score = alone.win_rate.estimate + alone.tie_rate.estimate / 2
        assert meeting.score.estimate == pytest.approx(score)
        assert meeting.score.se == pytest.approx(alone.win_edge.se / 2)


def test_standings_are_means_over_all_others(found):
    for standing in found.standings:
        against = [
            found.meetings[standing.strategy, other] for other in FOUR if other != standing.strategy
        ]
        for name in ("score", "points_per_round"):
            mean = np.mean([getattr(meeting, name).estimate for meeting in against])
            figure = getattr(standing, name)
            assert figure.estimate == pytest.approx(mean)
            assert figure.low < figure.estimate < figure.high
            # Deals are shared, so the mean is less sure than the mean of independent duels.
            most = np.mean([getattr(meeting, name).se for meeting in against])
            assert figure.se <= most * 1.0001
    scores = [standing.score.estimate for standing in found.standings]
    ratings = [standing.rating.estimate for standing in found.standings]
    assert scores == sorted(scores, reverse=True)
    assert ratings == sorted(ratings, reverse=True)
    for one, other in itertools.pairwise(found.standings):
        gap = one.rating.estimate - other.rating.estimate
        assert one.lead.estimate == pytest.approx(gap)
    assert found.standings[-1].lead is None
    assert found.anchor == "random"
    assert dict(zip(found.strategies, ratings, strict=True))["random"] == 1000


def test_points_under_a_split_and_at_three_seats():
    options = {"variant": "household-block", "deals": 30, "players": 3,
               "overrides": {"block_tie": "split"}}  # fmt: skip
    table = ladder("normal", "heaviest", "random", **options)
    alone = duel("normal", "heaviest", **options)
    meeting = table.meetings["normal", "heaviest"]
    assert meeting.points_per_round.estimate == pytest.approx(alone.points_per_round.estimate)
    assert table.rounds == 30 * 6 * 3
    assert table.seatings == ("aba", "bab", "aab", "bba", "baa", "abb")


@pytest.mark.jit
def test_normal_leads_and_the_ends_are_settled():
    for variant in ("pagat-block", "pagat-draw"):
        table = ladder(*FOUR, variant=variant, deals=3000, seed=1)
        assert table.strategies[0] == "normal"
        lead = table.standings[0].lead
        assert lead.estimate > Z_BOUND * lead.se  # else once in 10^6 seeds, if it were no better


@pytest.mark.jit
def test_standard_errors_are_those_from_seed_to_seed():
    seeds = 100
    runs = [
        ladder("random", "normal", "heaviest", variant="pagat-block", deals=200, seed=seed,
               threads=1)
        for seed in range(seeds)
    ]  # fmt: skip
    by_name = [{each.strategy: each for each in run.standings} for run in runs]
    # Chi-square of about normal estimates, by the odds of one false alarm in 10^6 either side.
    law = stats.chi2(seeds - 1)
    for name, figure in (("normal", "rating"), ("heaviest", "rating"), ("normal", "score"),
                         ("random", "points_per_round")):  # fmt: skip
        values = np.array([getattr(each[name], figure).estimate for each in by_name])
        square = np.mean([getattr(each[name], figure).se ** 2 for each in by_name])
        scatter = ((values - values.mean()) ** 2).sum() / square
        assert law.ppf(FALSE_ALARM) < scatter < law.isf(FALSE_ALARM), (name, figure)


def test_neither_threads_nor_chunks_nor_the_order_change_a_figure(monkeypatch):
    def document(names, threads, first, seconds):
        monkeypatch.setattr(driver, "FIRST_CHUNK", first)
        monkeypatch.setattr(ThreadsExecutor, "seconds_a_chunk", seconds)
        plain = ladder(*names, deals=rounds(200, 30), threads=threads).to_dict()
        for name in ("seconds", "threads", "command"):
            del plain[name]
        return plain

    first = document(FOUR, 1, 10, 0.3)
    assert document(FOUR, 2, 7, 0.0) == first
    other = document(FOUR[::-1], 2, 10**6, 1.0)
    assert other["strategies"] == first["strategies"]
    for row, column in itertools.permutations(FOUR, 2):
        one, again = (each["crosstable"][row][column] for each in (first, other))
        assert one["win_rate"] == again["win_rate"]
        assert one["expected"] == pytest.approx(again["expected"])


def test_all_named_strategies_unless_told_otherwise():
    table = ladder(deals=2, variant="pagat-block")
    assert sorted(table.strategies) == strategy_names()


# --- what is said of it ----------------------------------------------------------------------


def test_the_document(found):
    document = json.loads(found.to_json())
    assert document["schema"] == SCHEMA == "simdom.ladder/1"
    assert document["strategies"] == found.strategies
    assert document["rounds"] == 2 * 6 * document["deals"] == found.rounds
    assert document["anchor"] == {"strategy": "random", "rating": 1000}
    assert [each["strategy"] for each in document["ratings"]] == found.strategies
    assert set(document["ratings"][0]["rating"]) == {"estimate", "se", "low", "high"}
    assert document["ratings"][-1]["lead"] is None
    cell = document["crosstable"]["normal"]["random"]
    assert set(cell) == {*CROSSTABLES, "expected"}
    mirrored = document["crosstable"]["random"]["normal"]
    assert cell["win_rate"] == mirrored["loss_rate"]
    assert cell["points_per_round"]["estimate"] == -mirrored["points_per_round"]["estimate"]
    assert cell["score"]["low"] == pytest.approx(1 - mirrored["score"]["high"])
    assert cell["expected"] == pytest.approx(1 - mirrored["expected"])
    assert "normal" not in document["crosstable"]["normal"]


def test_frame_and_csv(found):
    frame = found.to_frame()
    ratings = frame[frame["metric"] == "rating"]
    assert list(ratings["strategy"]) == found.strategies
    assert ratings["opponent"].isna().all()
    table = frame[frame["metric"] == "score"].pivot_table(
        index="strategy", columns="opponent", values="estimate"
    )
    assert table.loc["normal", "random"] == found.meetings["normal", "random"].score.estimate
    assert len(frame) == 4 * 3 + 3 + 12 * len(CROSSTABLES)
    lines = found.to_csv().splitlines()
    assert lines[0] == "strategy,opponent,metric,estimate,se,low,high,count,sd"
    assert len(lines) == len(frame) + 1


def test_crosstables_for_people(found):
    points = found.crosstable()
    assert list(points.rows) == found.strategies
    assert points.rows[found.strategies[0]][0] == "·"
    assert all(row[0] != "+" for row in points.rows[found.strategies[-1]])
    assert points.within.startswith("± ")
    widest = max(
        each.points_per_round.high - each.points_per_round.estimate
        for each in found.meetings.values()
    )
    assert float(points.within.removeprefix("± ")) == pytest.approx(widest, rel=0.1)
    score = found.crosstable("score")
    at = found.strategies.index("random")
    shown = float(score.rows["normal"][at])
    assert shown == pytest.approx(100 * found.meetings["normal", "random"].score.estimate, abs=0.6)
    with pytest.raises(UsageError, match="unknown figure of a pair 'scor'"):
        found.crosstable("scor")


def test_words_for_people(found):
    assert found.summary().startswith("normal leads with 10")
    text = str(found)
    assert "1 normal" in text
    assert "1000 (fixed)" in text
    assert "How well one number a strategy fits: furthest from what the ratings foresee is" in text
    assert f"{found.deals:,} deals, each played 2 times by each of 6 pairs" in text
    html = found._repr_html_()
    assert html.count("<table>") == 3
    assert found.command in html
    assert repr(found) == f"<Ladder of 4 strategies, {found.deals:,} deals>"
    one, other = found.worst
    miss = {pair: abs(each.score.estimate - each.expected) for pair, each in found.meetings.items()}
    assert miss[one, other] == max(miss.values())


def test_one_deal_says_little():
    table = ladder("normal", "lightest", deals=1, seed=4)
    text = str(table)
    assert isnan(table.standings[0].score.low)
    json.loads(table.to_json())
    assert "(one deal)" in text
    assert "not settled which wins more" in table.summary()


def test_no_finite_ratings_are_said_to_be_none():
    seeds = (
        seed for seed in range(50) if not ladder("normal", "lightest", deals=1, seed=seed).is_rated
    )
    table = ladder("normal", "lightest", deals=1, seed=next(seeds))
    assert "No finite ratings fit" in " ".join(table.reading)
    assert json.loads(table.to_json())["ratings"][0]["rating"]["estimate"] is None
    assert (
        table.summary().split(";")[0]
        == f"{table.strategies[0]} leads, {table.strategies[1]} is last"
    )


def test_the_command_asks_for_the_same_again(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('title = "x"\n[weights]\npips = 1\n')
    table = ladder("sharp:samples=2", str(file), variant="pagat-block", deals=15, seed=3)
    assert table.command == (
        f"simdom ladder sharp:samples=2 {file} -n 15 --variant pagat-block --seed 3"
    )
    assert table.anchor is None
    assert "mine.toml: pips 1." in table.played


def test_an_interrupted_ladder_keeps_what_was_played(monkeypatch):
    monkeypatch.setattr(driver, "FIRST_CHUNK", 10)
    monkeypatch.setattr(ThreadsExecutor, "seconds_a_chunk", 0.0)

    def stop(done, total):
        assert total == 3 * 2 * 200
        if done >= 6 * 40:
            raise KeyboardInterrupt

    options = {"variant": "pagat-block", "threads": 1}
    table = ladder("normal", "random", "heaviest", deals=200, progress=stop, **options)
    assert (table.asked, table.deals) == (200, 40)
    whole = ladder("normal", "random", "heaviest", deals=40, **options)
    assert table.standings == whole.standings
    assert table.command == whole.command
    assert table.to_dict()["partial"] is True
    assert "(ended early: 200 asked for)" in table.made


# --- what was asked wrongly ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strategies", "options", "complaint"),
    [
        (("sharp",), {}, "a ladder is of 2 to 20 strategies, not 1 strategy"),
        (("normal",) * 21, {}, "a ladder is of 2 to 20 strategies, not 21"),
        (("normal", "norml"), {}, "unknown strategy 'norml'.*did you mean 'normal'"),
        (("normal", "random", "normal"), {}, "normal is given twice"),
        (("normal,random", "random"), {}, "is a list of seats, not a strategy"),
        (("normal", "random"), {"deals": 0}, "deals must be a whole number from 1"),
        (("normal", "random"), {"variant": "x"}, "unknown variant 'x'"),
        (("normal", "random"), {"players": 9}, "players, not 9"),
        (("normal", "random"), {"confidence": 0}, "confidence must be"),
    ],
)
def test_what_cannot_be_played(strategies, options, complaint):
    with pytest.raises(UsageError, match=complaint) as error:
        ladder(*strategies, **options)
    assert error.value.exit_code == 2
    assert "\n" not in str(error.value)


def test_seats_are_those_of_every_pair():
    """Partners sit as is asked for, as in a duel of the pair."""
    asked = {"variant": "pagat-block", "players": 4, "deals": 60, "seats": "aabb"}
    found = ladder("normal", "random", "heaviest", **asked)
    assert found.seatings == ("aabb", "bbaa", "baab", "abba")
    assert found.command.endswith("--seats aabb")
    pair = duel("normal", "heaviest", **asked)
    assert found.meetings["normal", "heaviest"].points_per_round == pair.points_per_round
    with pytest.raises(UsageError, match="fill 3 seats at a table of 4"):
        ladder("normal", "random", **(asked | {"seats": "aab"}))
