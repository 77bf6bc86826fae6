"""Calibration: the plainest row under which claims hold together, found on common rounds."""

import csv
import io
import itertools
import json
from dataclasses import replace

import pytest
from scipy import stats

from scale import IS_COMPILED, rounds
from simdom.calibration import calibrate as module
from simdom.calibration.calibrate import calibrate, play_plan
from simdom.calibration.calibration import SCHEMA
from simdom.calibration.fit import fit_of
from simdom.calibration.leeway import GRID, find_leeway
from simdom.calibration.meter import Meter
from simdom.calibration.plain import Limits, list_rows, plainness, strategy_of, weights_of
from simdom.calibration.plan import plan_calibration
from simdom.calibration.room import chance_inside, least_room, room_in
from simdom.calibration.screening import Figure, Screening, stages_below
from simdom.errors import UsageError
from simdom.estimate import Estimate, estimate_rate
from simdom.published.claims_file import load_claims
from simdom.simulate import simulate
from simdom.strategies import FEATURES, load_strategy

N = rounds(20_000, plain=120)
WIDE = 1 if IS_COMPILED else 2  # intervals of few rounds need more room
BLOCK = 0.625 - 0.095 * WIDE, 0.625 + 0.095 * WIDE
DRAW = 0.2 - 0.08 * WIDE, 0.2 + 0.08 * WIDE
FEW = {"features": ("pips", "own_fit", "-unseen_fit"), "most_features": 2, "most_weight": 4}


def claims_file(path, **claims):
    """A file of claims about blocked rounds: (variant, low, high) by id."""
    text = ['title = "Ours"', "[sources]", 'home = "Our table."']
    if len(claims) == 2:
        text += [
            "[plane]",
            *(f'{axis} = "{name}"' for axis, name in zip("xy", claims, strict=True)),
        ]
    for name, (variant, low, high) in claims.items():
        text += [
            f"[claims.{name}]",
            f'says = "Blocked {name}"',
            f'printed = "{100 * (low + high) / 2:g}%"',
            f"published = {(low + high) / 2}",
            f"low = {low}",
            f"high = {high}",
            'interval = "ours"',
            'source = "home"',
            f'variant = "{variant}"',
            'metric = "blocked_rate"',
        ]
    path.write_text("\n".join(text), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """Claims that some rows of `FEW` meet and others do not."""
    path = tmp_path_factory.mktemp("claims") / "ours.toml"
    return claims_file(path, block=("pagat-block", *BLOCK), draw=("pagat-draw", *DRAW))


@pytest.fixture(scope="module")
def found(source):
    return calibrate(source=source, rounds=N, **FEW)


# --- rows ------------------------------------------------------------------------------------


def test_rows_are_every_row_without_a_common_factor_the_plainest_first():
    rows = list_rows(Limits(("pips", "double", "-unseen_fit"), 2, 5))
    import math

    brute = {
        (p, d, *(0,) * 3, -u)
        for p, d, u in itertools.product(range(6), repeat=3)
        if 0 < p + d + u <= 5 and sum(map(bool, (p, d, u))) <= 2 and math.gcd(p, d, u) == 1
    }
    assert {row[:6] for row in rows} == brute
    assert all(not any(row[6:]) for row in rows)
    assert len(set(rows)) == len(rows)
    assert [*map(plainness, rows)] == sorted(map(plainness, rows))


def test_a_feature_may_have_either_sign_but_not_both_at_once():
    rows = list_rows(Limits(("pips", "-pips", "double"), 3, 2))
    assert [weights_of(row) for row in rows] == [
        {"pips": -1},
        {"pips": 1},
        {"double": 1},
        {"pips": -1, "double": 1},
        {"pips": 1, "double": 1},
    ]


# --- rounds ----------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_rounds_played_in_pieces_are_those_of_a_run(source, workers, monkeypatch):
    monkeypatch.setattr("simdom.calibration.meter.CHUNK", 70)
    plan = plan_calibration(source=source, rounds=N, seed=5)
    meter = Meter(plan.claims, seed=5, workers=workers)
    rows = list_rows(Limits(("pips", "double"), 2, 2))
    screening = Screening(plan, meter, rows)
    for stop in (50, 90):
        screening.look(stop)
    ends = [screening.finish(one, 110) for one in screening.left]
    assert ends
    for one in ends:
        for name in ("block", "draw"):
            estimate, played = one.figures[name]
            run = simulate(f"pagat-{name}", played, strategy=strategy_of(one.row), seed=5)
            assert estimate == run.metrics["blocked_rate"]
        assert [figure.rounds for figure in one.figures.values()] == [
            110 if which in one.open else one.tallies[which].rounds for which in (0, 1)
        ]
    assert meter.rounds >= 2 * 50 * len(rows)
    everything = meter.play_one(strategy_of(rows[0]), 75, 0.95)
    assert (
        everything["draw"]
        == simulate("pagat-draw", 75, strategy=strategy_of(rows[0]), seed=5).metrics["blocked_rate"]
    )


def test_stages_have_four_times_the_rounds_up_to_a_quarter_of_all():
    assert stages_below(10**7) == [2000 * 4**k for k in range(6)]
    assert stages_below(32_000) == [2000, 8000]
    assert stages_below(31_999) == [2000]
    assert stages_below(7) == [7]


def test_rows_that_play_alike_are_played_on_once(source, monkeypatch):
    monkeypatch.setattr("simdom.calibration.screening.ALIKE", 40)
    plan = plan_calibration(source=source, rounds=N)
    meter = Meter(plan.claims, seed=1, workers=1)
    row = list_rows(Limits(("pips",), 1, 1))[0]
    screening = Screening(plan, meter, [row, row])
    screening.look(40)
    assert (screening.stages[0].alike, len(screening.left)) == (1, 1)


@pytest.mark.jit
def test_a_rule_set_that_is_surely_inside_is_played_no_more(tmp_path):
    claims = claims_file(
        tmp_path / "c.toml", block=("pagat-block", 0.0, 1.0), draw=("pagat-draw", *DRAW)
    )
    plan = plan_calibration(source=claims, rounds=N)
    meter = Meter(plan.claims, seed=1, workers=1)
    screening = Screening(plan, meter, list_rows(Limits(("pips", "own_fit"), 1, 1)))
    screening.look(60)
    assert [one.open for one in screening.left] == [(1,), (1,)]
    screening.look(80)
    for one in screening.left:
        assert {name: figure.rounds for name, figure in one.figures.items()} == {
            "block": 60,
            "draw": 80,
        }
    assert meter.rounds == 2 * (60 + 60 + 20)


def test_other_rounds_are_inside_as_often_as_is_said(source):
    """The chance against the normal law worked by hand: both edges two standard errors off."""
    claim = load_claims(source).claim("block")
    middle = sum(BLOCK) / 2
    width = BLOCK[1] - BLOCK[0]
    here = Estimate(middle, width / 8, 0, 1, 1)  # of 100 rounds: four to each side
    assert room_in(claim, here, 100, 100) == pytest.approx(4)
    assert room_in(claim, here, 100, 25) == pytest.approx(2)
    z = stats.norm.ppf(0.975)
    for others, room in ((100, 4), (25, 2)):
        expected = 2 * stats.norm.cdf(room - z) - 1
        assert chance_inside(claim, here, 100, others, 0.95) == pytest.approx(expected, rel=1e-6)
    edge = replace(here, estimate=BLOCK[1])
    assert chance_inside(claim, edge, 100, 100, 0.95) == pytest.approx(stats.norm.cdf(-z), rel=1e-6)
    assert least_room(0.95, 0.8) == pytest.approx(z + stats.norm.ppf(0.8), rel=1e-6)
    assert least_room(0.95, 0.5) == pytest.approx(z, rel=1e-6)


# --- the search ------------------------------------------------------------------------------


def test_it_finds_the_plainest_row_that_brute_force_finds(found):
    """Nothing is left out by screening, and the first that fits is confirmed on fresh rounds."""

    def fits(row, rounds, seed):
        figures = {
            claim.id: Figure(
                simulate(answer.rules, rounds, strategy=strategy_of(row), seed=seed).metrics[
                    "blocked_rate"
                ],
                rounds,
            )
            for claim, answer in found.plan.claims.measured
        }
        fit = fit_of(found.plan, row, figures, seed)
        return fit.chance >= 0.8 and (fit.is_sure if seed == 2 else fit.is_inside)

    rows = list_rows(found.plan.limits)
    assert found.rows == len(rows)
    plainest = {}
    for row in rows:
        if fits(row, N, 1) and fits(row, 2 * N, 2):
            plainest.setdefault(plainness(row), []).append(row)
    first = next(iter(plainest.values()))
    assert found.found is not None
    assert found.found.row in first


def test_its_figures_are_of_fresh_rounds(found):
    for name in ("block", "draw"):
        run = simulate(f"pagat-{name}", 2 * N, strategy=found.strategy, seed=2)
        assert found.found.figures[name].estimate == run.metrics["blocked_rate"]
        assert found.found.figures[name].rounds == 2 * N
    assert found.found.is_sure
    assert found.found.verdict == "inside"
    assert 0.8 <= found.found.chance <= 1


def test_threads_change_nothing(found, source):
    for threads in (1, 2):
        assert (
            calibrate(source=source, rounds=N, threads=threads, **FEW).to_json() == found.to_json()
        )


@pytest.mark.jit
def test_it_finds_a_planted_row_again(tmp_path):
    """Claims are a row's own figures, rounded; a row at least as plain gives them."""
    planted = strategy_of([1, 0, 0, 2, 0, -1, *[0] * (len(FEATURES) - 6)])
    boxes = {}
    for name in ("block", "draw"):
        rate = simulate(f"pagat-{name}", 10**6, strategy=planted, seed=77).metrics["blocked_rate"]
        boxes[name] = (f"pagat-{name}", rate.estimate - 0.01, rate.estimate + 0.01)
    source = claims_file(tmp_path / "planted.toml", **boxes)
    found = calibrate(
        source=source, rounds=60_000, features="pips,own_fit,-unseen_fit", most_weight=5
    )
    assert found.found is not None
    assert plainness(found.found.row) <= (3, 4)


def test_no_row_is_found_where_none_fits(tmp_path):
    source = claims_file(tmp_path / "none.toml", block=("pagat-block", 0.0, 0.2))
    none = calibrate("block", source=source, rounds=N, **FEW)
    assert none.found is None
    assert none.strategy is None
    assert none.others == []
    assert none.told()[0] == (
        f"None of {none.rows} rows was found under which 10% holds so surely that another run of "
        f"{N:,} rounds would find the same with a chance of 80%."
    )
    rooms = [fit.room for fit in none.nearest]
    assert rooms == sorted(rooms, reverse=True)
    assert rooms[0] < 0
    with pytest.raises(UsageError, match="there is no row to write"):
        none.to_toml()


@pytest.mark.jit
def test_published_gives_both_published_figures():
    """At ten million rounds that it was not fitted on, each interval is inside."""
    plan = plan_calibration()
    row = tuple(int(weight) for weight in load_strategy("published").weights)
    figures = {
        claim.id: Figure(
            simulate(answer.rules, plan.rounds, strategy="published", seed=2026).metrics[
                "blocked_rate"
            ],
            plan.rounds,
        )
        for claim, answer in plan.claims.measured
    }
    assert fit_of(plan, row, figures, 2026).is_inside
    assert (
        "simdom calibrate --claims block-blocked draw-blocked" in load_strategy("published").source
    )


# --- how far weights may move ----------------------------------------------------------------


class Straight:
    """Stands in for a `Meter`: the figure of every claim is a linear function of the weights."""

    def __init__(self, slopes):
        self._slopes = slopes

    def play_one(self, strategy, _rounds, _confidence):
        value = 0.5 + sum(s * w for s, w in zip(self._slopes, strategy.weights, strict=False))
        return {"block": Estimate(value, 0.01, value, value, 1)}


@pytest.mark.parametrize(
    ("slope", "low", "high"),
    [
        (0.1, (1.0, True), (3.0, True)),  # a step beyond either leaves 0.4 to 0.6
        (-0.1, (1.0, True), (3.0, True)),
        (0.02, (0.0, False), (7.0, True)),
        (0.001, (0.0, False), (8.0, False)),
    ],
)
def test_leeway_ends_where_a_claim_is_no_longer_met(tmp_path, slope, low, high):
    claims = load_claims(claims_file(tmp_path / "c.toml", block=("pagat-block", 0.4, 0.6)))
    row = (0, 2, *(0,) * (len(FEATURES) - 2))
    # The meter is off by 2 * slope, which is allowed for.
    leeway = find_leeway(claims, Straight([0, slope]), row, {"block": 0.5}, 100)
    (ends,) = leeway.values()
    step = 2 / GRID
    assert [*leeway] == [FEATURES[1]]
    assert ends.low == pytest.approx(low[0], abs=step)
    assert ends.high == pytest.approx(high[0], abs=step)
    assert (ends.is_low_end, ends.is_high_end) == (low[1], high[1])


def test_leeway_of_a_weight_below_0_has_its_ends_in_order(tmp_path):
    claims = load_claims(claims_file(tmp_path / "c.toml", block=("pagat-block", 0.4, 0.6)))
    row = (-2, *(0,) * (len(FEATURES) - 1))
    (ends,) = find_leeway(claims, Straight([0.05]), row, {"block": 0.5}, 100).values()
    assert (ends.low, ends.high) == (pytest.approx(-4, abs=0.1), 0)
    assert (ends.is_low_end, ends.is_high_end) == (True, False)


def test_the_row_found_can_move_a_little(found):
    assert [*found.leeway] == [*weights_of(found.found.row)]
    for name, ends in found.leeway.items():
        assert ends.low <= weights_of(found.found.row)[name] <= ends.high


def test_room_is_in_standard_errors_and_below_0_outside(source):
    claim = replace(load_claims(source).claim("draw"), low=0.1, high=0.3)
    n = 10_000
    assert room_in(claim, estimate_rate(2500, n), n, n) == pytest.approx(0.05 / 0.00433, rel=1e-3)
    assert room_in(claim, estimate_rate(900, n), n, n) < 0
    assert room_in(claim, estimate_rate(0, 10), 10, n) < -1e6


# --- what people read and machines keep ------------------------------------------------------


def test_the_sentences(found):
    told = found.told()
    words = found.found.words
    assert told[0].startswith(f"62.5% and 20% both hold if every seat plays by {words}: ")
    assert told[0].endswith(", on rounds that no choice was made on.")
    assert told[1].startswith(f"Another run of {N:,} rounds would find the same with a chance of ")
    assert f"each of the {found.rows} rows of up to 2 weights and 4 in all was looked at" in told[2]
    assert told[-1].startswith("The search played ")
    assert found.summary().endswith(f"{found.made}.")
    assert repr(found) == f"<Calibration of block, draw: {words}>"


def test_what_is_printed_and_shown_in_a_notebook(found):
    text = str(found)
    html = found._repr_html_()
    for fact in (*found.told(), found.command):
        assert fact in text
    assert html.count("<table>") == len(found.tables())
    assert "How far the weights may move" in html


def test_the_document(found):
    document = json.loads(found.to_json())
    assert document["schema"] == SCHEMA == "simdom.calibration/1"
    assert [claim["id"] for claim in document["claims"]] == ["block", "draw"]
    assert document["features"] == ["pips", "own_fit", "-unseen_fit"]
    best = document["strategy"]
    assert best["weights"] == weights_of(found.found.row)
    assert (best["features"], best["weight"]) == plainness(found.found.row)
    assert (best["seed"], best["verdict"], best["again"]) == (2, "inside", found.found.chance)
    figure = best["figures"]["draw"]
    assert figure["rounds"] == 2 * N
    edges = (figure["estimate"] - DRAW[0], DRAW[1] - figure["estimate"])
    assert figure["to_edge"] == pytest.approx(min(edges))
    assert best["again"] == pytest.approx(
        best["figures"]["block"]["again"] * best["figures"]["draw"]["again"]
    )
    assert document["joint_confidence"] == 0.975
    assert set(document["leeway"]) == set(best["weights"])
    assert document["nearest"] == document["rejected"] == []
    assert "partial" not in document
    assert document["stages"][0]["rows"] == document["rows"] == found.rows
    assert best["weights"] in [fit["weights"] for fit in document["fits"]]


def test_the_frame_and_the_csv(found):
    frame = found.to_frame()
    best = frame[frame["row"] == "found"]
    assert list(best["claim"]) == ["block", "draw"]
    assert set(best["weights"]) == {found.found.words}
    assert list(best["claim_low"]) == [BLOCK[0], DRAW[0]]
    assert best.iloc[1]["estimate"] == found.found.figures["draw"].estimate.estimate
    assert len(frame) == 2 * (1 + len(found.fits))
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert list(rows[0]) == list(frame.columns)
    assert len(rows) == len(frame)


def test_the_strategy_file_is_the_row(found, tmp_path):
    path = tmp_path / "new.toml"
    found.save(path)
    loaded = load_strategy(str(path))
    assert loaded.weights == found.strategy.weights
    assert loaded.description == "Fitted to 62.5% by home and 20% by home."
    assert loaded.source == found.command
    with pytest.raises(UsageError, match="is there already"):
        found.save(path)


def test_other_rows_are_neither_found_nor_rejected(found):
    rejected = replace(found, rejected=(found.fits[-1],))
    assert found.found.row not in [fit.row for fit in found.others]
    assert found.fits[-1].row not in [fit.row for fit in rejected.others]


# --- Ctrl-C ----------------------------------------------------------------------------------


def interrupt_at(stage):
    def on_stage(text):
        if stage in text:
            raise KeyboardInterrupt

    return on_stage


def test_ctrl_c_keeps_the_nearest_so_far(source):
    plan = plan_calibration(source=source, rounds=N, **FEW)
    cut = play_plan(plan, on_stage=interrupt_at("fresh"))
    assert cut.partial
    assert cut.found is None
    assert cut.best == cut.nearest[0]
    assert cut.told()[0] == "Interrupted before a row was found under which 62.5% and 20% hold."
    assert json.loads(cut.to_json())["partial"] is True
    assert "Not fitted yet" in cut.to_toml()


def test_ctrl_c_within_the_first_look_keeps_what_was_looked_at(source, monkeypatch):
    monkeypatch.setattr("simdom.calibration.meter.CHUNK", 100)
    calls = itertools.count()

    def progress(_done, _total):
        if next(calls) == 5:
            raise KeyboardInterrupt

    plan = plan_calibration(source=source, rounds=rounds(300, plain=120), **FEW)
    cut = play_plan(plan, threads=1, progress=progress)
    assert cut.partial
    assert 0 < len(cut.nearest) <= 5
    assert cut.stages == ()


def test_ctrl_c_before_any_row_is_a_keyboard_interrupt(source):
    plan = plan_calibration(source=source, rounds=N, **FEW)
    with pytest.raises(KeyboardInterrupt):
        play_plan(plan, on_stage=interrupt_at("rows"))


def test_ctrl_c_after_the_row_is_found_keeps_it(source):
    plan = plan_calibration(source=source, rounds=N, **FEW)
    cut = play_plan(plan, on_stage=interrupt_at("how far"))
    assert cut.partial
    assert cut.best == cut.found
    assert cut.leeway == {}
    assert "not looked at" in str(cut)


# --- what cannot be asked --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"claims": "block-blokced"}, "unknown claim 'block-blokced'.*did you mean"),
        ({"claims": ["no-double"]}, "^no-double is counted exactly: no way to play changes it$"),
        ({"claims": "openspiel-opener"}, "openspiel-opener names its own strategy, random"),
        ({"features": ()}, "there is no feature to weigh"),
        ({"features": "pips,own-fit"}, "unknown feature 'own-fit'.*did you mean 'own_fit'"),
        ({"features": "pips,--double"}, "unknown feature '-double'"),
        ({"features": FEATURES, "most_weight": 40}, "rows are too many, more than 50,000"),
        ({"most_features": 0}, "most_features must be a whole number from 1"),
        ({"most_weight": 101}, "most_weight must be a whole number from 1 to 100"),
        ({"rounds": 4e6}, "^4,000,000 rounds are too few for draw-blocked.*at least 4.9e6$"),
        ({"rounds": 10_000}, "too few for draw-blocked: .* within 19.15% to 19.25%: at least"),
        ({"again": 0.4}, "again must be from 0.5 to below 1, such as 0.8, not 0.4"),
        ({"again": "often"}, "again must be from 0.5 to below 1, such as 0.8, not 'often'"),
        ({"confidence": 1}, "confidence must be between 0 and 1"),
        ({"seed": -1}, "seed must be a whole number"),
    ],
)
def test_what_cannot_be_asked(options, complaint):
    with pytest.raises(UsageError, match=complaint) as error:
        plan_calibration(**options)
    assert "\n" not in str(error.value)


def test_a_file_without_a_plane_needs_claims(source):
    claims = load_claims(source)._replace(plane=None)
    with pytest.raises(UsageError, match="there is no claim to meet: name one or more"):
        plan_calibration(source=claims)


def test_what_the_opener_gains_is_not_tallied(source):
    claims = load_claims(source)
    one = claims.claims[0]
    net = replace(one, answer=one.answer._replace(metric="opener_net_points"))
    with pytest.raises(UsageError, match="block cannot be calibrated: opener_net_points"):
        plan_calibration(["block"], source=claims._replace(claims=(net,)))


def test_the_two_claims_of_the_plane_unless_others_are_named():
    assert [claim.id for claim in plan_calibration().claims.claims] == [
        "block-blocked",
        "draw-blocked",
    ]


def test_the_last_seed_is_followed_by_the_first():
    assert plan_calibration(seed=2**64 - 1).fresh_seed == 0


def test_claims_made_in_python_are_named_in_the_command(source):
    claims = load_claims(source)
    command = module._command(plan_calibration(source=claims, rounds=N, **FEW))
    assert command.endswith("# made in Python, not in a file: Ours")
