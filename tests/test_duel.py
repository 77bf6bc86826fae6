"""Duels: against the same rounds listed one by one, and what must and must not change."""

import json
from dataclasses import replace
from math import isnan, lcm, nan, sqrt

import numpy as np
import pytest
from scipy import stats

import simdom
from evidence import FALSE_ALARM, Z_BOUND
from scale import rounds
from simdom import Rules, Strategy, load_strategy, load_variant, simulate_rounds, trace_round
from simdom.duels.columns import list_deals, new_match
from simdom.duels.duel import duel
from simdom.duels.duel_result import SCHEMA
from simdom.duels.seating import find_seatings, names_at
from simdom.errors import RulesError, StrategyError, UsageError
from simdom.estimate import estimate_rate
from simdom.executors.threads import ThreadsExecutor
from simdom.running import driver
from simdom.strategies import FEATURES

UNSETTLED = "but whether it scores more is not settled"
SHARES = ("luck_share", "skill_share", "rest_share")


# --- who sits where --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seats"),
    [*((players, None) for players in range(2, 15)), (3, "aab"), (4, "abbb"), (6, "aabbab")],
)
def test_both_sit_in_every_seat_equally_often_and_each_seating_comes_once(players, seats):
    pairs = find_seatings(players, seats)
    seatings = [seating for pair in pairs for seating in pair]
    assert len(seatings) == len(set(seatings))
    for seat in range(players):
        assert sum(seating[seat] == "a" for seating in seatings) == len(pairs)
    for one, other in pairs:
        assert all(a != b for a, b in zip(one, other, strict=True))
    rotations = {seating[turn:] + seating[:turn] for seating in seatings for turn in range(players)}
    assert rotations == set(seatings)


def test_seats_may_be_named():
    assert find_seatings(4, "a,a,B,b") == [("aabb", "bbaa"), ("baab", "abba")]
    assert len(find_seatings(4, "abbb")) == 4
    assert names_at("aba", ("sharp", "normal")) == ["sharp", "normal", "sharp"]


# --- against the same rounds listed one by one -----------------------------------------------


def outcomes(variant, n, a, b, *, seatings, players, overrides=None):
    """Winner and points by seat of every deal in every seating, from what is listed of rounds."""
    for seating in seatings:
        frame = simulate_rounds(
            variant,
            n,
            players=players,
            overrides=overrides,
            strategy=names_at(seating, (a, b)),
            seed=3,
        )
        pips = frame[[f"pips_{seat}" for seat in range(players)]].to_numpy()
        winner = frame["winner"].to_numpy()
        takes = winner[:, None] == np.arange(players)
        if (overrides or {}).get("block_tie") == "split":
            tied = pips == pips.min(axis=1, keepdims=True)
            takes |= (winner[:, None] < 0) & tied
        share = frame["points"].to_numpy() / np.maximum(takes.sum(axis=1), 1)
        yield winner, np.where(takes, share[:, None], 0.0)


def shares_of(gains, edges, players, seats_of_a):
    """The three shares, from what hands gain in a seating and in its swap, deal by deal.

    gains: shape (deals, pairs, 2, players); edges: of a's seats, shape (deals, pairs, 2).
    """
    square = (gains**2).mean()
    product = (gains[:, :, 0] * gains[:, :, 1]).mean()
    k, others = seats_of_a, players - seats_of_a
    t, u = edges[:, :, 0].mean(), edges[:, :, 1].mean()
    if k == others:
        t = u = (t + u) / 2
    # What a hand gains on average: a's seat and b's, in a seating and in its swap.
    means = np.array([[t / k] * k + [-t / others] * others, [-u / k] * k + [u / others] * others])
    luck = (product - (means[0] * means[1]).mean()) / square
    skill = (means**2).mean() / square
    return np.array([luck, skill, 1 - luck - skill])


CASES = {
    "two": ("pagat-block", 2, None, None),
    "draw": ("pagat-draw", 2, None, {"opening": "first_seat"}),
    "lots": ("pagat-draw-lot", 2, None, None),
    "deals thrown in": ("pagat-block", 2, None, {"misdeal": 3}),
    "three": ("pagat-block", 3, None, None),
    "four": ("pagat-draw", 4, None, None),
    "one against three": ("pagat-block", 4, "abbb", None),
    "pairs": ("household-block", 4, "aabb", {"block_tie": "split", "opening": "first_seat"}),
    "a tie is shared": ("household-block", 3, None, {"block_tie": "split", "deal": 7}),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_figure_is_that_of_the_rounds_one_by_one(case):
    variant, players, seats, overrides = case
    n = rounds(1000, 60)
    a, b = "normal", "random"
    found = duel(
        a, b, variant=variant, deals=n, players=players, seats=seats, overrides=overrides, seed=3
    )
    pairs = find_seatings(players, seats)
    seatings = [seating for pair in pairs for seating in pair]
    assert found.seatings == tuple(seatings)
    assert found.rounds == n * len(seatings)

    won, lost, net, gain, edge = [], [], [], [], []
    for seating, (winner, points) in zip(
        seatings,
        outcomes(variant, n, a, b, seatings=seatings, players=players, overrides=overrides),
        strict=True,
    ):
        of_a = np.array([letter == "a" for letter in seating])
        won.append((winner >= 0) & of_a[winner])
        lost.append((winner >= 0) & ~of_a[winner])
        net.append(points[:, of_a].sum(axis=1) - points[:, ~of_a].sum(axis=1))
        gain.append(points - points.mean(axis=1, keepdims=True))
        edge.append(gain[-1][:, of_a].sum(axis=1))
    won, lost, net = np.array(won), np.array(lost), np.array(net)
    t = stats.t.ppf(0.975, n - 1)
    for name, values in (
        ("win_rate", won),
        ("loss_rate", lost),
        ("tie_rate", ~won & ~lost),
        ("win_edge", won.astype(int) - lost),
        ("points_per_round", net),
    ):
        by_deal = values.mean(axis=0)
        figure = getattr(found, name)
        se = by_deal.std(ddof=1) / sqrt(n)
        assert figure.estimate == pytest.approx(by_deal.mean(), abs=1e-12), name
        assert figure.se == pytest.approx(se, abs=1e-12), name
        if name in ("win_edge", "points_per_round"):
            assert figure.low == pytest.approx(by_deal.mean() - t * se, abs=1e-10)
            assert figure.high == pytest.approx(by_deal.mean() + t * se, abs=1e-10)
        else:
            assert figure.count == values.sum()
            assert 0 <= figure.low <= figure.estimate <= figure.high <= 1
    assert found.figures.round_sd == pytest.approx(net.std())
    worth = net.var() / len(seatings) / net.mean(axis=0).var(ddof=1)
    assert found.figures.pairing == pytest.approx(worth)

    gains = np.array(gain).reshape(len(pairs), 2, n, players).transpose(2, 0, 1, 3)
    edges = np.array(edge).reshape(len(pairs), 2, n).transpose(2, 0, 1)
    seats_of_a = pairs[0][0].count("a")
    expected = shares_of(gains, edges, players, seats_of_a)
    # The jackknife knows nothing of linear parts, and agrees with them but for terms of 1/n.
    kept = ~np.eye(n, dtype=bool)[:200]
    without = [shares_of(gains[k], edges[k], players, seats_of_a) for k in kept]
    errors = np.std(without, axis=0) * (n - 1) / sqrt(n)
    for name, share, error in zip(SHARES, expected, errors, strict=True):
        figure = getattr(found, name)
        assert figure.estimate == pytest.approx(share, abs=1e-9), name
        assert figure.se == pytest.approx(error, rel=0.4), name
        assert figure.low <= figure.estimate <= figure.high
    assert sum(getattr(found, name).estimate for name in SHARES) == pytest.approx(1)


def test_points_in_parts_that_no_word_holds():
    split = Rules(players=14, deal=2, block_tie=3)
    void = split._replace(block_tie=0)
    n = 20
    parts, whole = (
        list_deals(new_match(rules, load_strategy("heaviest"), load_strategy("random"), 1), 0, n)
        for rules in (split, void)
    )
    assert whole.squares.dtype == np.int64
    assert parts.squares.dtype == object
    decided = [at for at in range(n) if whole.won[at] + whole.lost[at] == 2]
    assert len(decided) > 1
    point = lcm(*range(1, 15))
    for at in decided:
        assert parts.net[at] == point * int(whole.net[at])
        assert parts.squares[at] == point**2 * int(whole.squares[at])
        assert parts.products[at] == point**2 * int(whole.products[at])


# --- the same deals --------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["pagat-draw", "pagat-draw-lot", "app-draw"])
def test_a_deal_is_the_same_in_all_its_seatings(variant):
    for index in range(5):
        traces = [
            trace_round(variant, index, strategy=names_at(seating, ("normal", "lightest")), seed=9)
            for pair in find_seatings(2)
            for seating in pair
        ]
        assert len({str(trace.hands) for trace in traces}) == 1
        assert len({str(trace.boneyard) for trace in traces}) == 1
        assert len({trace.opener for trace in traces}) == 1


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", ["normal", "random"])
def test_a_strategy_against_itself_is_level_in_every_deal(players, name):
    found = duel(name, name, deals=rounds(300, 40), players=players)
    for figure in (found.win_edge, found.points_per_round):
        assert (figure.estimate, figure.se, figure.low, figure.high, figure.sd) == (0, 0, 0, 0, 0)
    assert found.win_rate == found.loss_rate
    assert found.luck_share.estimate == 1
    assert found.skill_share.estimate == found.rest_share.estimate == 0
    assert isnan(found.figures.pairing)
    assert found.rounds_to_lead is None
    assert found.summary().startswith(f"{name} (a) and {name} (b) are level in every deal: ")
    assert ("the deal and the lots explain" in found.summary()) == (name == "random")


def test_where_one_tile_each_is_dealt_the_deal_explains_everything():
    # The opener plays its only tile: a domino, whoever plays.
    found = duel("normal", "random", variant=Rules(deal=1), deals=rounds(400, 60))
    assert found.luck_share.estimate == pytest.approx(1)
    assert found.skill_share.estimate == 0
    assert found.points_per_round.estimate == 0
    assert found.tie_rate.estimate == 0


@pytest.mark.parametrize("players", [2, 3])
def test_to_swap_the_names_is_to_swap_the_signs(players):
    options = {"deals": rounds(500, 40), "players": players, "seed": 5}
    one, other = duel("normal", "random", **options), duel("random", "normal", **options)
    assert one.win_rate == other.loss_rate
    assert one.tie_rate == other.tie_rate
    assert one.points_per_round.estimate == -other.points_per_round.estimate
    assert one.points_per_round.low == -other.points_per_round.high
    for name in SHARES:
        assert getattr(one, name).estimate == pytest.approx(getattr(other, name).estimate)
        assert getattr(one, name).low == pytest.approx(getattr(other, name).low)
    assert one.verdict == other.verdict == "normal beats random"


def test_neither_threads_nor_chunks_change_a_figure(monkeypatch):
    def document(threads, first, seconds):
        monkeypatch.setattr(driver, "FIRST_CHUNK", first)
        monkeypatch.setattr(ThreadsExecutor, "seconds_a_chunk", seconds)
        found = duel("normal", "random", deals=rounds(700, 50), threads=threads)
        plain = found.to_dict()
        del plain["seconds"], plain["threads"]
        return plain, found.of_rounds, found.of_deals

    first = document(1, 10, 0.3)
    assert document(2, 10, 0.3) == first
    assert document(2, 7, 0.0) == first  # chunks of one deal
    assert document(1, 10**6, 1.0) == first


def test_a_function_may_play():
    @simdom.strategy
    def most_pips(view):
        return int((view.placements[:, 0] + view.placements[:, 1]).argmax())

    @simdom.strategy
    def lost(_view):
        return -1

    n = rounds(60, 20)
    found = duel(most_pips, "heaviest", variant="pagat-block", deals=n)
    assert found.strategies == ("most_pips", "heaviest")
    assert found.command.endswith("# made in Python, not in a file: most_pips")
    assert found.luck_share.estimate > 0.5  # both shed the most pips; ties and ends differ
    with pytest.raises(StrategyError, match="lost answered -1, which is no placement"):
        duel(lost, "random", deals=n)


# --- how sure it is --------------------------------------------------------------------------


def test_normal_beats_random():
    for variant in ("pagat-block", "pagat-draw"):
        found = duel("normal", "random", variant=variant, deals=rounds(20_000, 300), seed=2)
        # Play that is no better would be Z_BOUND errors ahead once in a million seeds.
        assert found.points_per_round.estimate > Z_BOUND * found.points_per_round.se
        assert found.win_edge.estimate > Z_BOUND * found.win_edge.se
        assert found.verdict == "normal beats random"
        rate, least, most = found.rounds_to_lead
        assert 1 <= least < rate < most < 1000


@pytest.mark.jit
def test_it_is_surer_than_deals_played_once():
    n = 20_000
    found = duel("normal", "heaviest", variant="pagat-block", deals=n, seed=4)
    frame = simulate_rounds("pagat-block", 2 * n, strategy="normal,heaviest", seed=8)
    points = frame["points"] * np.where(frame["winner"] == 0, 1, -1)
    # The variance of so many normal values is within 5% but for one seed in 10^6.
    worth = points.var() / (2 * n) / found.points_per_round.se**2
    assert found.figures.pairing == pytest.approx(worth, rel=0.1)
    assert found.figures.pairing > 1.3
    told = [note for note in found.reading if "are as good as" in note]
    worth = f"{round(2 * n * found.figures.pairing):,}"
    assert told == [
        f"For the points, these 40,000 rounds are as good as {worth} of deals played once each."
    ]


@pytest.mark.jit
def test_standard_errors_are_those_from_seed_to_seed():
    seeds, n = 120, 300
    for options in ({"variant": "pagat-block"}, {"variant": "pagat-block", "players": 3}):
        found = [
            duel("normal", "blocker", deals=n, seed=seed, threads=1, **options)
            for seed in range(seeds)
        ]
        # Chi-square of about normal estimates, by the odds of one false alarm in 10^6 either side.
        law = stats.chi2(seeds - 1)
        for name in ("win_rate", "tie_rate", "win_edge", "points_per_round", *SHARES):
            values = np.array([getattr(each, name).estimate for each in found])
            square = np.mean([getattr(each, name).se ** 2 for each in found])
            scatter = ((values - values.mean()) ** 2).sum() / square
            assert law.ppf(FALSE_ALARM) < scatter < law.isf(FALSE_ALARM), name


@pytest.mark.jit
def test_intervals_cover_as_often_as_they_say():
    seeds, n = 200, 100
    truth = duel("normal", "random", variant="pagat-block", deals=100_000, seed=10**6)
    missed = dict.fromkeys(("win_rate", "points_per_round", "luck_share", "skill_share"), 0)
    for seed in range(seeds):
        found = duel("normal", "random", variant="pagat-block", deals=n, seed=seed, threads=1)
        for name in missed:
            figure = getattr(found, name)
            missed[name] += not figure.low <= getattr(truth, name).estimate <= figure.high
    # Binomial tails, one false alarm in 10^6; the truth itself is known to a thirtieth of a width.
    law = stats.binom(seeds, 0.05)
    for name, count in missed.items():
        assert law.ppf(FALSE_ALARM) <= count <= law.isf(FALSE_ALARM), name


def test_a_share_that_is_the_same_in_every_deal_has_wilsons_interval_at_its_ends():
    found = duel("normal", "random", variant=Rules(deal=1), deals=50)  # nobody ever ties
    assert found.tie_rate.estimate == found.tie_rate.low == 0
    wilson = estimate_rate(0, 50)
    assert found.tie_rate.high == pytest.approx(
        wilson.high, rel=0.05
    )  # Student's quantile is wider
    assert found.tie_rate.high > wilson.high
    assert (found.win_rate.low, found.win_rate.high) == (0.5, 0.5)


def test_one_deal_has_no_interval():
    found = duel("normal", "random", deals=1)
    assert isnan(found.points_per_round.low)
    assert isnan(found.win_rate.se)
    assert isnan(found.luck_share.high)
    assert "(one deal)" in str(found)
    assert found.to_dict()["win_rate"]["se"] is None
    json.loads(found.to_json())
    assert found.summary().startswith("between normal and random nothing is settled: ")


# --- what is said of it ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def found():
    return duel("normal", "heaviest", variant="pagat-block", deals=rounds(2000, 200), seed=6)


def test_the_document(found):
    document = json.loads(found.to_json())
    assert document == json.loads(json.dumps(found.to_dict()))
    assert document["schema"] == SCHEMA == "simdom.duel/1"
    assert document["strategies"] == ["normal", "heaviest"]
    assert document["seatings"] == [["normal", "heaviest"], ["heaviest", "normal"]]
    assert document["rounds"] == 2 * document["deals"] == found.rounds
    assert document["variant"] == "pagat-block"
    assert document["rules"]["boneyard"] == "block"
    assert document["strategy_details"]["heaviest"]["weights"]["pips"] == 1
    for name in ("win_rate", "loss_rate", "tie_rate"):
        assert set(document[name]) == {"estimate", "se", "low", "high", "count"}
    for name in ("win_edge", "points_per_round"):
        assert set(document[name]) == {"estimate", "se", "low", "high", "sd"}
    for name in SHARES:
        assert set(document[name]) == {"estimate", "se", "low", "high"}
    assert set(document["rounds_to_lead"] or ()) in (set(), {"estimate", "low", "high"})
    assert "asked" not in document


def test_frame_and_csv(found):
    frame = found.to_frame()
    assert list(frame["metric"]) == [
        "win_rate", "loss_rate", "tie_rate", "win_edge", "points_per_round", *SHARES
    ]  # fmt: skip
    row = frame.set_index("metric").loc["points_per_round"]
    assert row["estimate"] == found.points_per_round.estimate
    assert row["strategy_a"] == "normal"
    assert frame.set_index("metric").loc["win_rate", "count"] == found.win_rate.count
    lines = found.to_csv().splitlines()
    assert lines[0] == "strategy_a,strategy_b,metric,estimate,se,low,high,count,sd"
    assert float(lines[5].split(",")[3]) == found.points_per_round.estimate


def test_words_for_people(found):
    assert found.summary().startswith("normal beats heaviest: ")
    assert "points a round; the deal alone explains" in found.summary()
    assert f"{found.deals:,} deals, each played 2 times ({found.rounds:,} rounds), seed 6" in str(
        found
    )
    assert "Seats, from seat 0: normal, heaviest; then heaviest, normal." in found.played
    assert repr(found) == f"<Duel of normal and heaviest, {found.deals:,} deals>"
    html = found._repr_html_()
    assert html.count("<tr>") == 1 + len(found.lines())
    assert "simdom duel normal heaviest" in html


@pytest.mark.parametrize(
    ("points", "wins", "verdict"),
    [
        ((1, 2), (0.1, 0.2), "x beats y"),
        ((-2, -1), (-0.2, -0.1), "y beats x"),
        ((1, 2), (-0.1, 0.1), "x beats y"),
        ((1, 2), (-0.2, -0.1), "x scores more than y, although it wins fewer rounds"),
        ((-2, -1), (0.1, 0.2), "y scores more than x, although it wins fewer rounds"),
        ((-1, 1), (0.1, 0.2), f"x wins more rounds than y, {UNSETTLED}"),
        ((-1, 1), (-0.2, -0.1), f"y wins more rounds than x, {UNSETTLED}"),
        ((-1, 1), (-0.1, 0.1), "between x and y nothing is settled"),
        ((nan, nan), (nan, nan), "between x and y nothing is settled"),
    ],
)  # fmt: skip
def test_the_verdict_goes_by_both_intervals(found, points, wins, verdict):
    a, b = (Strategy(name, "", "", (0.0,) * len(FEATURES)) for name in "xy")
    edited = replace(
        found,
        asked_for=replace(found.asked_for, strategies=(a, b)),
        figures=found.figures._replace(
            points_per_round=replace(found.points_per_round, low=points[0], high=points[1]),
            win_edge=replace(found.win_edge, low=wins[0], high=wins[1]),
        ),
    )
    assert edited.verdict == verdict


def test_rounds_to_lead_are_those_after_which_one_leads(found):
    n = int(found.rounds_to_lead[0])
    lead = n * abs(found.points_per_round.estimate) / (sqrt(n) * found.figures.round_sd)
    assert stats.norm.cdf(lead) == pytest.approx(0.95, abs=0.002)


def test_the_command_asks_for_the_same_again(tmp_path):
    file = tmp_path / "my play.toml"
    file.write_text('title = "x"\n[weights]\npips = 1\n')
    found = duel(
        "sharp:samples=2", str(file), variant="household-draw", deals=20, players=3,
        overrides={"reserve": 1, "block_tie": "opener"}, seats="abb", seed=12, confidence=0.9,
    )  # fmt: skip
    assert found.command == (
        f"simdom duel sharp:samples=2 '{file}' -n 20 --variant household-draw --players 3 "
        "--set reserve=1 --set block_tie=opener --seed 12 --confidence 0.9 --seats abb"
    )
    assert "my play.toml: pips 1." in found.played
    assert "Seats, from seat 0: abb, baa," in " ".join(found.played)
    mine = Strategy("mine", "", "", (1.0,) + (0.0,) * (len(FEATURES) - 1))
    made = duel(mine, "random", variant=load_variant("pagat-block"), deals=5)
    assert made.command.endswith("# made in Python, not in a file: mine")


def test_an_interrupted_duel_keeps_what_was_played(monkeypatch):
    monkeypatch.setattr(driver, "FIRST_CHUNK", 10)
    monkeypatch.setattr(ThreadsExecutor, "seconds_a_chunk", 0.0)

    def stop(done, total):
        assert total == 2 * 300
        if done >= 80:
            raise KeyboardInterrupt

    found = duel("normal", "random", deals=300, threads=1, progress=stop)
    assert found.asked == 300
    assert found.deals == 40
    whole = duel("normal", "random", deals=40)
    assert found.win_rate == whole.win_rate
    assert found.command == whole.command
    assert found.to_dict()["partial"] is True
    assert "40 deals (ended early: 300 asked for), each played 2 times" in found.made

    def at_once(*_):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(ThreadsExecutor, "play", at_once)
    with pytest.raises(KeyboardInterrupt):
        duel("normal", "random", deals=300)


# --- what was asked wrongly ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strategies", "options", "complaint"),
    [
        (("sharp",), {}, "a duel is of 2 strategies, not 1 strategy; `simdom ladder`"),
        ((), {}, "a duel is of 2 strategies, not 0 strategies"),
        (("sharp", "normal", "random"), {}, "a duel is of 2 strategies, not 3 strategies"),
        (("sharp", "norml"), {}, "unknown strategy 'norml'.*did you mean 'normal'"),
        (("sharp,normal", "random"), {}, "'sharp,normal' is a list of seats, not a strategy"),
        ((["sharp", "normal"], "random"), {}, "a strategy is a name, a path or a Strategy, not"),
        (("sharp:samples=0", "random"), {}, "samples must be a whole number from 1"),
        (("normal", "random"), {"seats": "aab"}, "seats 'aab' fill 3 seats at a table of 2"),
        (("normal", "random"), {"seats": "a"}, "seats 'a' fill 1 seat at a table of 2"),
        (("normal", "random"), {"players": 4, "seats": "aaaa"}, "a and b, both, such as abab"),
        (("normal", "random"), {"players": 3, "seats": "abc"}, "a and b, both, such as aba"),
        (("normal", "random"), {"variant": "nothing"}, "unknown variant 'nothing'"),
        (("normal", "random"), {"deals": 0}, "deals must be a whole number from 1"),
        (("normal", "random"), {"deals": 1.5}, "deals must be a whole number"),
        (("normal", "random"), {"seed": -1}, "seed must be"),
        (("normal", "random"), {"threads": 0}, "threads must be from 1"),
        (("normal", "random"), {"confidence": 95}, "confidence must be between 0 and 1"),
        (("normal", "random"), {"overrides": {"reserv": 1}}, "unknown toggle 'reserv'"),
    ],
)  # fmt: skip
def test_what_cannot_be_played(strategies, options, complaint):
    with pytest.raises(UsageError, match=complaint) as error:
        duel(*strategies, **options)
    assert error.value.exit_code == 2
    assert "\n" not in str(error.value)


def test_rules_that_cannot_be_played():
    with pytest.raises(RulesError, match="reserve 99"):
        duel("normal", "random", overrides={"reserve": 99})


def test_two_strategies_of_one_name(tmp_path):
    for folder, weight in (("x", 1), ("y", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "p.toml").write_text(f'title = "t"\n[weights]\npips = {weight}\n')
    with pytest.raises(UsageError, match=r"two different strategies are called p\.toml"):
        duel(str(tmp_path / "x" / "p.toml"), str(tmp_path / "y" / "p.toml"))
