"""Published claims: what the file says, what is measured for them, and the verdicts."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from commands import one_line
from evidence import FALSE_ALARM, Z_BOUND
from scale import rounds
from simdom import load_strategy, simulate, simulate_rounds
from simdom.errors import RulesError, UsageError
from simdom.estimate import Estimate, estimate_rate
from simdom.exact.asked import check_asked
from simdom.published import measures, runs
from simdom.published.claim import Claim, Counted, Measured
from simdom.published.claims import STRATEGIES, claims
from simdom.published.claims_file import load_claims
from simdom.published.judging import Judged, joint_confidence, judge, verdict_of
from simdom.published.measures import play_opener_net
from simdom.rules import Opening
from simdom.simulate import study_of
from simdom.variants import load_variant
from strategy_files import write_strategy

# --- the file --------------------------------------------------------------------------------


def test_what_is_published():
    """As printed, as a number, and what it may stand for: from the sources, not from the file."""
    found = {
        claim.id: (claim.source, claim.kind, claim.printed, claim.published, claim.low, claim.high)
        for claim in load_claims().claims
    }
    assert found == {
        "block-blocked": ("S3", "simulated", "61%", 0.61, 0.605, 0.615),
        "draw-blocked": ("S3", "simulated", "19.2%", 0.192, 0.1915, 0.1925),
        "block-roughly": ("S3", "simulated", "roughly six in ten", 0.6, 0.55, 0.65),
        "draw-roughly": ("S3", "simulated", "fewer than two in ten", 0.2, -math.inf, 0.2),
        "openspiel-opener": (
            *("OpenSpiel", "simulated", "3.045 ± 0.030 (one standard error)"),
            *(3.045, round(3.045 - 1.96 * 0.030, 3), round(3.045 + 1.96 * 0.030, 3)),
        ),
        "some-double": ("S3", "exact", "99.7%", 0.997, 0.9965, 0.9975),
        "no-double": ("S3", "exact", "roughly three in a thousand", 0.003, 0.0025, 0.0035),
    }


def test_what_is_played_for_them():
    answers = {claim.id: answer for claim, answer in load_claims().measured}
    block, draw = (load_variant(name).rules(2) for name in ("pagat-block", "pagat-draw"))
    for name, rules in (("block", block), ("draw", draw)):
        for kind in ("blocked", "roughly"):
            answer = answers[f"{name}-{kind}"]
            assert (answer.rules, answer.metric, answer.strategy) == (rules, "blocked_rate", None)
    leader = answers["openspiel-opener"]
    assert leader.rules == load_variant("household-block").rules(2, {"opening": "first_seat"})
    assert (leader.metric, leader.strategy.name) == ("opener_net_points", "random")


TABLE = """
title = "Mine"

[sources]
home = "Our own table."

[claims.mine]
says = "Rounds that end blocked"
printed = "half"
published = 0.5
low = 0.45
high = 0.55
interval = "so to say"
source = "home"
"""
MEASURED = 'variant = "pagat-block"\nmetric = "blocked_rate"\n'
COUNTED = 'odds = { question = "no-double" }\n'


@pytest.fixture
def file(tmp_path):
    """Write a file of claims: the one of `TABLE` with these lines, and some of them changed."""

    def write(lines, **changes):
        text = TABLE + lines
        for key, value in changes.items():
            kept = [line for line in text.splitlines() if not line.startswith(f"{key} =")]
            text = "\n".join([*kept, *([] if value is None else [f"{key} = {value}"])])
        path = tmp_path / "mine.toml"
        path.write_text(f"{text}\n", encoding="utf-8")
        return str(path)

    return write


def test_a_file_of_ones_own(file):
    path = file(
        'variant = "pagat-draw"\nplayers = 3\nset = { reserve = 1, block_score = "others" }\n'
        'metric = "seat_win_rate"\nseat = 2\nstrategy = "normal"\n',
        says='"Rounds\\n that end blocked"',
        low=None,
    )
    (claim,) = load_claims(path).claims
    rules = load_variant("pagat-draw").rules(3, {"reserve": 1, "block_score": "others"})
    assert claim.answer.rules == rules
    assert (claim.answer.seat, claim.answer.strategy) == (2, load_strategy("normal"))
    assert claim.says == "Rounds that end blocked"
    assert (claim.range, claim.quoted) == ("up to 55%", '"half"')
    title = "pagat-draw with reserve 1, block_score others, 3 players: seat_win_rate[2]"
    assert claim.answer.title == title
    (counted,) = load_claims(file(f"{COUNTED}contrary = true\n", high=None)).claims
    assert counted.answer == Counted(check_asked("no-double"), contrary=True)
    assert counted.range == "from 45%"


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (MEASURED.replace("blocked_rate", "blocked_rat"), "unknown metric 'blocked_rat'.*mean"),
        (MEASURED.replace("block", "blok"), "unknown variant 'pagat-blok'.*mean 'pagat-block'"),
        (f'{MEASURED}strategy = "norml"', "unknown strategy 'norml'.*mean 'normal'"),
        (f"{MEASURED}seat = 1", "blocked_rate is not by seat: leave out seat"),
        (
            MEASURED.replace("blocked", "seat_win"),
            "seat_win_rate is by seat: give seat, from 0 to 1",
        ),
        (f"{MEASURED.replace('blocked', 'seat_win')}seat = 2", "seat_win_rate is by seat"),
        (f'{MEASURED}players = "2"', "players must be a whole number, not '2'"),
        (f"{MEASURED}players = 9", "pagat-block is for 2, 3 or 4 players, not 9"),
        (f"{MEASURED}set = {{ reserv = 1 }}", "unknown toggle 'reserv'"),
        (f"{MEASURED}sed = {{ reserve = 1 }}", "unknown key 'sed'.*mean 'set'"),
        (f"{MEASURED}contrary = true", "contrary means nothing without odds"),
        (f"{MEASURED}{COUNTED}", "variant means nothing beside odds"),
        ('variant = "pagat-block"', "key metric is missing"),
        ('metric = "points"', "key variant is missing"),
        ("", "key variant is missing: a claim has variant and metric, or odds"),
        ('odds = { question = "no-doubl" }', "odds: unknown question 'no-doubl'"),
        ('odds = { question = "no-double", hans = 3 }', "odds: unknown key 'hans'.*mean 'hand'"),
        ("odds = { hand = 7 }", "odds: key question is missing"),
        ('odds = { question = "pips" }', "odds: pips has not one chance for an answer"),
        (
            'variant = "pagat-block"\nmetric = "opener_net_points"\nset = { block_tie = "split" }',
            "opener_net_points cannot be told where block_tie is split",
        ),
    ],
)
def test_an_answer_that_there_is_not(file, lines, complaint):
    path = file(lines)
    with pytest.raises(UsageError, match=rf"mine\.toml: claims\.mine: {complaint}") as error:
        load_claims(path)
    one_line(error)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"published": "50"}, "published is a probability: it must be from 0 to 1, not 50"),
        ({"high": "61.5"}, "high is a probability"),
        ({"published": "0.6"}, "published must be from low to high, not 0.6 with 0.45 and 0.55"),
        ({"low": None, "high": None}, "low and high are missing: give one or both"),
        ({"low": '"x"'}, "low must be a number, not 'x'"),
        ({"source": '"hom"'}, "unknown source 'hom'.*mean 'home'"),
        ({"says": '""'}, "says must be some text, not ''"),
        ({"printed": None}, "key printed is missing"),
        ({"published": "nan"}, "published must be a number, not nan"),
    ],
)
def test_numbers_and_words_that_cannot_be(file, changes, complaint):
    path = file(MEASURED, **changes)
    with pytest.raises(UsageError, match=rf"claims\.mine: {complaint}"):
        load_claims(path)


def test_rules_that_cannot_be_played(file):
    with pytest.raises(RulesError, match=r"claims\.mine: reserve 99 is more than the boneyard"):
        load_claims(file(f"{MEASURED}set = {{ reserve = 99 }}\n"))


@pytest.mark.parametrize(
    ("plane", "complaint"),
    [
        ('x = "mine"', "key y is missing"),
        ('x = "mine"\ny = "mien"', "unknown claim 'mien'.*mean 'mine'"),
        ('x = "mine"\nz = "mine"', "unknown key 'z': choose from x, y"),
        ('x = "mine"\ny = "other"', "y must be a claim that is measured with every strategy"),
    ],
)
def test_a_plane_that_is_none(file, plane, complaint):
    other = TABLE.partition("[claims.mine]")[2]
    lines = f"{MEASURED}[claims.other]{other}{COUNTED}[plane]\n{plane}\n"
    with pytest.raises(UsageError, match=rf"mine\.toml: plane: {complaint}"):
        load_claims(file(lines))


def test_only_some_of_them():
    published = load_claims()
    some = published.only(["no-double", "block-blocked"])
    assert [claim.id for claim in some.claims] == ["block-blocked", "no-double"]
    assert (some.plane, some.cut) == (None, published.plane)
    assert published.only(["no-double"]).only(["no-double"]).cut == published.plane
    assert published.only(["draw-blocked", "block-blocked"]).plane == published.plane
    with pytest.raises(UsageError, match="unknown claim 'block'"):
        published.only(["block"])


# --- verdicts --------------------------------------------------------------------------------


def claim_of(low, high, *, metric="blocked_rate"):
    variant = load_variant("pagat-block")
    answer = Measured(variant, variant.rules(), {}, metric, None, None)
    return Claim("c", "s", "p", 0.5, low, high, "i", "S", "", answer)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.45, 0.55, "inside"),
        (0.4, 0.6, "inside"),
        (0.39, 0.5, "not settled"),
        (0.5, 0.61, "not settled"),
        (0.3, 0.7, "not settled"),
        (0.6, 0.7, "not settled"),
        (0.61, 0.7, "outside"),
        (0.1, 0.39, "outside"),
        (math.nan, math.nan, "not settled"),
    ],
)
def test_a_verdict_by_an_interval(low, high, verdict):
    assert verdict_of(claim_of(0.4, 0.6), low, high) == verdict


def test_an_open_side_is_open():
    below = claim_of(-math.inf, 0.2)
    assert verdict_of(below, 0.0, 0.2) == "inside"
    assert verdict_of(below, 0.1, 0.3) == "not settled"
    assert verdict_of(below, 0.21, 0.3) == "outside"


def judged(claim, estimate, n, verdicts=29, confidence=0.95):
    joint = joint_confidence(confidence, verdicts)
    return judge(claim, estimate, n, confidence=confidence, joint=joint)


def test_a_verdict_is_firm_if_it_stands_with_all_others():
    claim = claim_of(0.605, 0.615)
    for count, verdict, firm in [
        (60_900, "inside", False),
        (60_100, "outside", False),
        (59_000, "outside", True),
        (60_500, "not settled", True),
    ]:
        found = judged(claim, estimate_rate(count, 100_000), 100_000)
        assert (found.verdict, found.firm) == (verdict, firm)
        wider = estimate_rate(count, 100_000, joint_confidence(0.95, 29))
        assert (verdict_of(claim, wider.low, wider.high) == verdict) == firm
    assert judged(claim, estimate_rate(60_900, 100_000), 100_000, verdicts=1).firm


def test_so_many_rounds_settle_it():
    claim = claim_of(0.605, 0.615)
    n, count = 10_000, 6020
    settle = judged(claim, estimate_rate(count, n), n).settle
    # Two digits, rounded up: a little fewer rounds do not settle it, these do.
    after = estimate_rate(round(settle * count / n), settle)
    assert verdict_of(claim, after.low, after.high) == "outside"
    before = estimate_rate(round(0.9 * settle * count / n), round(0.9 * settle))
    assert verdict_of(claim, before.low, before.high) == "not settled"
    mean = Estimate(3.0, 0.1, 2.804, 3.196, sd=10.0)
    found = judged(claim_of(2.9, 3.3, metric="points"), mean, 10_000)
    assert found.verdict == "not settled"
    # A little more than (z sd / distance)**2: the allowance for what was not seen.
    assert (1.96 * 10 / 0.1) ** 2 < found.settle == pytest.approx((1.96 * 10 / 0.1) ** 2, rel=0.05)


def test_an_edge_that_nothing_can_be_beyond_keeps_nothing_open():
    """A rate of 0 with a claim of at most 0.2%: about z**2 (1 - p) / p rounds settle it."""
    for low, high, count in ((0.0, 0.002, 0), (-math.inf, 0.002, 0), (0.998, 1.0, 1000)):
        found = judged(claim_of(low, high), estimate_rate(count, 1000), 1000)
        assert found.verdict == "not settled"
        assert found.settle == pytest.approx(3.8415 * 0.998 / 0.002, rel=0.05)


@pytest.mark.parametrize("n", [2, 5, 10])
def test_a_mean_without_spread_of_few_rounds_is_not_settled(n):
    alike = Estimate(0.0, 0.0, 0.0, 0.0, sd=0.0)
    for low, high in ((0.5, 1.5), (0.0, 0.4)):
        claim = claim_of(low, high, metric="winner_pips")
        found = judged(claim, alike, n)
        assert (found.verdict, found.firm) == ("not settled", True)
        assert found.settle > n
        many = judged(claim, alike, 10**6)
        assert many.verdict == ("outside" if low else "inside")
        assert many.firm


def test_the_trials_of_a_winners_pips_are_the_rounds_that_somebody_wins():
    measured = claim_of(0.0, 1.0, metric="winner_pips").answer
    result = simulate("pagat-draw", 300)
    ties = result.metrics["tie_rate"].count
    assert ties
    played = runs.Played(result.metrics, 300)
    assert played.trials(measured) == 300 - ties
    assert played.trials(measured._replace(metric="points")) == 300
    mean = result.metrics["winner_pips"]
    assert (mean.sd / mean.se) ** 2 == pytest.approx(300 - ties)


@pytest.mark.parametrize("name", ["passes", "plays", "draws", "boneyard_left", "points"])
def test_no_round_is_beyond_the_bounds_of_a_measure(name):
    rules = load_variant("pagat-draw").rules(4)
    mean = simulate(rules, 300).metrics[name]
    least, most = measures.bounds_of(name, rules)
    assert least <= mean.estimate - mean.sd
    assert mean.estimate + 3 * mean.sd < most


def test_a_strategy_given_twice_is_counted_once(tmp_path):
    one, other = (write_strategy(tmp_path / where / "q.toml", pips=1) for where in "ab")
    found = claims(only="block-blocked", rounds=20, strategies=[one, other])
    assert found.verdicts == 1
    assert [each.name for each in found.strategies] == ["q.toml"]
    write_strategy(tmp_path / "b" / "q.toml", pips=-1)
    with pytest.raises(UsageError, match=r"two different strategies are called q\.toml"):
        claims(only="block-blocked", rounds=10**13, strategies=[one, other])


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"only": 5}, "only must be a name or a list of names, not 5"),
        ({"strategies": 5}, "strategies must be a name or a list of names, not 5"),
        ({"confidence": 0.9999999999999999}, "0.9999999999999999 is too near to 1"),
    ],
)
def test_what_no_claims_can_be_asked_with(options, complaint):
    with pytest.raises(UsageError, match=complaint):
        claims(**{"rounds": 10**13} | options)


def test_nothing_settles_what_lies_on_the_edge_or_is_not_known():
    claim = claim_of(0.5, 0.6)
    assert judged(claim, estimate_rate(500, 1000), 1000).settle is None
    assert judged(claim, estimate_rate(0, 0), 1).settle is None
    one_round = Estimate(0.55, math.nan, math.nan, math.nan, sd=math.nan)
    found = judged(claim_of(0.5, 0.6, metric="points"), one_round, 1)
    assert found == Judged(one_round, 1, "not settled", firm=True, settle=None)
    near = Estimate(0.5 + 1e-9, 0.01, 0.48, 0.52, sd=1.0)
    assert judged(claim_of(0.5, 0.6, metric="points"), near, 10_000).settle is None


def test_a_wrong_verdict_among_all_is_rare():
    """Every true value lies just outside: "inside" is wrong, and so is each firm one."""
    reports, verdicts, n = 400, 29, 2000
    claim = claim_of(0.6, 1.0)
    counts = np.random.default_rng(1).binomial(n, 0.6 - 1e-12, (reports, verdicts))
    wrong = sum(
        any(
            found.verdict == "inside" and found.firm
            for found in (judged(claim, estimate_rate(int(k), n), n) for k in report)
        )
        for report in counts
    )
    # By Bonferroni no more than 5% of the reports; one false alarm in 10^6.
    assert stats.binom(reports, 0.05).sf(wrong - 1) > FALSE_ALARM
    assert wrong > 0  # the bound is not empty: half of it is expected


def test_the_confidence_of_all():
    assert joint_confidence(0.95, 1) == joint_confidence(0.95, 0) == 0.95
    assert joint_confidence(0.95, 29) == pytest.approx(1 - 0.05 / 29, abs=1e-6)


# --- what is measured ------------------------------------------------------------------------


NET_RULES = {
    "two": ("pagat-block", 2, {"opening": "first_seat", "block_score": "others"}),
    "three": ("pagat-draw", 3, {}),
    "ties": ("household-block", 4, {"block_tie": "opener"}),
}


@pytest.mark.parametrize("case", NET_RULES.values(), ids=NET_RULES)
def test_what_the_opener_gains_is_that_of_the_rounds_one_by_one(case, monkeypatch):
    variant, players, changes = case
    n = rounds(20_000, 200)
    study = study_of(load_variant(variant).rules(players, changes), "normal", 3)
    frame = simulate_rounds(
        variant, n, players=players, overrides=changes, strategy="normal", seed=3
    )
    sign = np.where(frame["winner"] == frame["opener"], 1, -1)
    net = sign * np.where(frame["winner"] >= 0, frame["points"], 0)
    told = []
    estimates = []
    for chunk, workers in ((n, 1), (n // 3, 2), (17 * n // 100, 5)):
        monkeypatch.setattr(measures, "CHUNK", chunk)
        found, played = play_opener_net(
            study,
            n,
            workers=workers,
            confidence=0.95,
            progress=lambda *counts: told.append(counts),
            on_compile=None,
        )
        assert played == n
        assert told[-1] == (n, n)
        estimates.append(found)
    assert estimates[0] == estimates[1] == estimates[2]
    found = estimates[0]
    assert found.estimate == pytest.approx(net.mean(), abs=1e-9)
    assert found.sd == pytest.approx(net.std(ddof=1))
    assert found.se == pytest.approx(net.std(ddof=1) / math.sqrt(n))
    radius = stats.t.ppf(0.975, n - 1) * found.se
    assert (found.low, found.high) == pytest.approx((net.mean() - radius, net.mean() + radius))


def test_the_measure_needs_no_metric_of_a_run():
    assert load_claims().claim("openspiel-opener").answer.rules.opening == Opening.FIRST_SEAT
    found = claims(only="openspiel-opener", rounds=rounds(2000, 100), strategies="heaviest")
    assert list(found.figures["openspiel-opener"]) == ["random"]  # as its source says


@pytest.mark.jit
def test_openspiel_s_leader():
    """The figure of 300,000 rounds of another program, and a million of these."""
    found = claims(only="openspiel-opener", rounds=1_000_000, seed=2)
    leader = found.figures["openspiel-opener"]["random"].estimate
    # Both have an error: 0.030, and our own; one false alarm in 10^6.
    assert abs(leader.estimate - 3.045) < Z_BOUND * math.hypot(0.030, leader.se)


@pytest.mark.jit
def test_s3_s_figures_under_random_play():
    """Random play gives 65.6% and 20.2%, each rounded by up to 0.1 points here."""
    found = claims(only=["block-blocked", "draw-blocked"], rounds=1_000_000, strategies="random")
    for name, value in (("block-blocked", 0.656), ("draw-blocked", 0.202)):
        judged_so = found.figures[name]["random"]
        assert abs(judged_so.estimate.estimate - value) < 0.001 + Z_BOUND * judged_so.estimate.se
        assert (judged_so.verdict, judged_so.firm) == ("outside", True)


def test_what_is_counted():
    found = claims(only=["some-double", "no-double"])
    assert found.chances == {
        "some-double": (Fraction(344, 345), "inside"),
        "no-double": (Fraction(1, 345), "inside"),
    }
    assert (found.figures, found.partial, found.verdicts) == ({}, False, 0)


def test_figures_are_those_of_a_run(file):
    n = rounds(3000, 100)
    found = claims(
        only=["block-blocked", "draw-roughly"], rounds=n, strategies=["random", "normal"], seed=5
    )
    for name, variant in (("block-blocked", "pagat-block"), ("draw-roughly", "pagat-draw")):
        for strategy, judged_so in found.figures[name].items():
            alone = simulate(variant, n, strategy=strategy, seed=5)
            assert judged_so.estimate == alone.metrics["blocked_rate"]
            assert judged_so.rounds == n
    path = file(f"{MEASURED.replace('blocked', 'seat_win')}seat = 1\n")
    (second,) = claims(path, rounds=n, strategies="random").figures.values()
    assert second["random"].estimate == simulate("pagat-block", n).metrics["seat_win_rate"][1]


def test_claims_about_the_same_rules_share_their_runs(monkeypatch):
    played = []

    def count(rules, *arguments, **options):
        played.append((rules, options["strategy"].name))
        return simulate(rules, *arguments, **options)

    monkeypatch.setattr(runs, "simulate", count)
    told = []
    found = claims(rounds=50, progress=lambda *counts: told.append(counts))
    assert len(played) == len(set(played)) == 2 * len(STRATEGIES)
    all_rounds = 50 * (2 * len(STRATEGIES) + 1)  # one more for OpenSpiel's claim
    assert told[-1] == (all_rounds, all_rounds)
    assert all(done <= total for done, total in told)
    assert found.verdicts == sum(map(len, found.figures.values())) == 4 * len(STRATEGIES) + 1


def test_threads_change_no_figure():
    options = {"rounds": rounds(3000, 100), "strategies": ["random", "normal"]}
    assert claims(threads=1, **options).figures == claims(threads=3, **options).figures


def test_ctrl_c_keeps_what_was_played(monkeypatch):
    monkeypatch.setattr(measures, "CHUNK", 100)

    def stop_after(calls):
        def progress(*_):
            nonlocal calls
            calls -= 1
            if calls < 0:
                raise KeyboardInterrupt

        return progress

    n = rounds(100_000, 2500)
    some = claims(rounds=n, strategies=["random", "normal"], progress=stop_after(1))
    assert some.partial
    assert some.figures["draw-blocked"] == {}
    (first,) = some.figures["block-blocked"].values()
    assert 0 < first.rounds < n
    assert first.estimate == simulate("pagat-block", first.rounds).metrics["blocked_rate"]
    assert "not played" in str(some)
    assert "(interrupted before all were played)" in some.made
    assert some.to_dict()["partial"] is True
    net = load_claims().only(["openspiel-opener"])
    part = claims(net, rounds=300, progress=stop_after(1), threads=1)
    assert part.partial
    assert part.figures["openspiel-opener"]["random"].rounds in (100, 200)


@pytest.mark.parametrize("only", ["block-blocked", "openspiel-opener"])
def test_ctrl_c_before_the_first_round_is_ctrl_c(only, monkeypatch):
    def press(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(runs, "simulate", press)
    monkeypatch.setattr(measures, "_opener_net", press)
    with pytest.raises(KeyboardInterrupt):
        claims(only=only, rounds=50)


def test_strategies_of_ones_own(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('title = "Mine"\n[weights]\npips = 2\n', encoding="utf-8")
    found = claims(only="block-blocked", rounds=50, strategies=["random", str(path), "random"])
    assert list(found.figures["block-blocked"]) == ["random", "mine.toml"]
    assert "mine.toml: pips 2." in found.notes()
    assert found.command.endswith(f"--strategy random --strategy {path} --strategy random --seed 1")
    heaviest = replace(load_strategy("heaviest"), name="mine.toml")
    with pytest.raises(UsageError, match=r"two different strategies are called mine\.toml"):
        claims(only="block-blocked", rounds=50, strategies=[str(path), heaviest])
    made = claims(load_claims().only(["block-blocked"]), rounds=50, strategies=heaviest)
    assert made.command.endswith("  # made in Python, not in a file: Published figures, mine.toml")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"strategies": []}, "there is no strategy to play"),
        ({"strategies": ["norml"]}, "unknown strategy 'norml'"),
        (
            {"strategies": ["normal,random"]},
            "'normal,random' is a strategy for each seat, but here",
        ),
        ({"strategies": ["normal+random"]}, "one is played by all seats: give several one by one"),
        ({"strategies": [3]}, "a strategy is a name, a path or a Strategy, not 3"),
        ({"rounds": 0}, "rounds must be a whole number"),
        ({"seed": -1, "only": ["no-double"]}, "seed must be a whole number"),
        ({"confidence": 1}, "confidence must be between 0 and 1"),
        ({"threads": 0}, "threads must be from 1"),
        ({"only": ["block"]}, "unknown claim 'block'"),
    ],
)
def test_what_is_asked_wrongly(options, complaint):
    with pytest.raises(UsageError, match=complaint):
        claims(**options)
