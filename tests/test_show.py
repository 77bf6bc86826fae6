"""Single rounds for people: found, told with their sums, and taken from saved results."""

import dataclasses
import json
import re

import pytest

from simdom.engine.kernels import list_rounds
from simdom.errors import RunError, UsageError
from simdom.matches import simulate_matches
from simdom.rounds import simulate_rounds
from simdom.rules import Rules
from simdom.showing.finding import EXTREMES, find_round, parse_wanted
from simdom.showing.reasons import explain_end, explain_points
from simdom.showing.runs import run_asked, run_saved
from simdom.showing.taking import Which, take
from simdom.simulate import simulate, study_of
from simdom.strategies import load_strategy
from simdom.transcripts.loading import parse_content
from simdom.transcripts.recording import transcribe
from simdom.transcripts.referee import judge, told_scores
from simdom.variants import load_variant, variant_names

N = 400


def study(name="pagat-draw", players=None, strategy="random", seed=1):
    return study_of(load_variant(name).rules(players), strategy, seed)


def asked(name="pagat-draw", **options):
    facts = {"players": None, "overrides": {}, "strategy": "random", "seed": 1}
    return run_asked(name, **(facts | options))


# --- finding


def frame(name="pagat-draw", players=None):
    return simulate_rounds(name, N, players=players)


def find(text, name="pagat-draw", players=None):
    here = study(name, players)
    return find_round(here, parse_wanted(text, here.rules), N)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("blocked", "end == 'blocked'"),
        ("domino,winner=1", "end == 'domino' and winner == 1"),
        ("draws>=5, passes<2", "draws >= 5 and passes < 2"),
        ("winner!=0", "winner != 0"),
        ("opener==1,points>20", "opener == 1 and points > 20"),
        ("opening_tile=5-5", "opening_tile == '5-5'"),
        ("opening_tile=5-5,end=blocked", "opening_tile == '5-5' and end == 'blocked'"),
        ("first-reply-stuck", "first_reply_stuck"),
        ("pips_0=0,points_0>30", "pips_0 == 0 and points_0 > 30"),
        ("boneyard_left<=2", "boneyard_left <= 2"),
    ],
)
def test_the_first_round_that_meets_conditions(text, query):
    assert find(text) == frame().query(query)["round"].iloc[0]


def test_a_tied_round_and_one_without_a_double():
    tied = find("tied", "pagat-block")
    assert frame("pagat-block")["winner"][tied] == -1
    assert (frame("pagat-block")["winner"][:tied] >= 0).all()
    assert tied == find("winner=none", "pagat-block")


@pytest.mark.parametrize("name", EXTREMES)
def test_superlatives(name):
    rows = frame("pagat-block") if name == "earliest-block" else frame()
    found = find(name, "pagat-block" if name == "earliest-block" else "pagat-draw")
    column, highest, condition = EXTREMES[name]
    rows = rows[rows["end"] == condition] if condition else rows
    best = rows[column].max() if highest else rows[column].min()
    assert found == rows.loc[rows[column] == best, "round"].iloc[0]


def test_a_superlative_among_those_that_meet_conditions():
    rows = frame().query("winner == 1")
    assert find("winner=1,longest") == rows["plays"].idxmax()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("block", "'block' is no condition: write such as plays<=8, or one of blocked, domino"),
        ("play<=8", "unknown column 'play'.*did you mean 'plays'"),
        ("plays<=many", "plays is compared with a whole number, not with 'many'"),
        ("end=stuck", "unknown end 'stuck'"),
        ("opening_tile=9-9", "double-6 has no tile '9-9'"),
        ("longest,most-draws", "two superlatives"),
        ("pips_2=0", "unknown column 'pips_2'"),
        ("plays<=", "'plays<=' is no condition"),
        ("winner=2", "winner must be a whole number from 0 to 1, not 2"),
        ("opener!=7", "opener must be a whole number from 0 to 1, not 7"),
        ("", "'' is no condition"),
    ],
)
def test_what_cannot_be_looked_for(text, message):
    with pytest.raises(UsageError, match=message):
        parse_wanted(text, Rules())


def test_nothing_found():
    with pytest.raises(RunError, match="none of the first 400 rounds is 'plays>27'"):
        find("plays>27")


def test_the_search_says_how_far_it_is():
    seen = []
    here = study()
    find_round(here, parse_wanted("longest", here.rules), N, lambda *done: seen.append(done))
    assert seen == [(N, N)]


# --- the sums


@pytest.mark.parametrize("name", variant_names())
def test_the_sums_of_every_preset_come_to_its_points(name):
    players = load_variant(name).players[-1]
    here = study(name, players)
    for index in range(25):
        report = judge(transcribe(name, here, index)[0])
        judged = report.rounds[0]
        names = list(told_scores(here.rules.block_score, judged.settled))
        reasons = explain_points(
            here.rules,
            judged.settled,
            judged.table.last,
            judged.table.pass_rounds,
            is_blocked=judged.end == "blocked",
            names=names,
        )
        for reason in reasons:
            assert reason.points == judged.settled.scores[reason.name], (index, reason)
            for left, right in re.findall(r"([\d +−]+) = (\d+)", reason.sum):
                assert eval(left.replace("−", "-")) == int(right)  # noqa: S307 -- digits and signs
        told = explain_end(here.rules, judged.settled, is_blocked=judged.end == "blocked")
        winner = judged.settled.winner
        assert (f"eat {winner} " in told) if winner is not None else "nobody wins" in told


def test_a_sum_in_words():
    here = study("pagat-block", 3)
    judged = judge(transcribe("pagat-block", here, 1263)[0]).rounds[0]
    reasons = explain_points(
        here.rules, judged.settled, judged.table.last, [0, 0, 0], is_blocked=True,
        names=["minus_own", "others", "difference"],
    )  # fmt: skip
    assert [reason.sum for reason in reasons] == [
        "11 + 18 − 6 = 23",
        "11 + 18 = 29",
        "11 − 6 + 18 − 6 = 17",
    ]


# --- taking


def test_a_round_is_that_of_the_run():
    run = asked()
    row = list_rounds(run.study, 123, 124)[0]
    taken = take(run, Which(number=123))
    ending = taken.transcript.rounds[0].ending
    assert ending.points == row[12]
    document = json.loads(taken.to_json())
    assert (document["schema"], document["round"], document["seed"]) == ("simdom.round/1", 123, 1)
    assert document["strategies"] == ["random", "random"]
    assert judge(parse_content(taken.to_json().encode())).is_legal
    assert judge(parse_content(taken.to_text().encode())).is_legal


def test_a_leader():
    taken = take(asked(), Which(number=3, leader=1))
    assert taken.transcript.rounds[0].turns[0].seat == 1
    assert "leader 1\n" in taken.to_text()
    assert judge(parse_content(taken.to_json().encode())).is_legal
    assert taken.words == ["--round", "3", "--leader", "1"]


def test_rounds_of_a_match():
    run = asked("brazilian-6")
    match = take(run, Which(match=1))
    assert match.is_match
    assert len(match.transcript.rounds) > 2
    second = take(run, Which(match=1, number=1))
    assert second.transcript.rounds == match.transcript.rounds[1:2]
    assert judge(parse_content(second.to_text().encode())).is_legal
    assert json.loads(second.to_json())["match"] == 1
    with pytest.raises(UsageError, match="a match has many rounds: name one with --round"):
        match.to_json()
    with pytest.raises(UsageError, match="a match has many rounds"):
        match.drawing()


@pytest.mark.parametrize(
    ("which", "message"),
    [
        (Which(number=-1), "--round must be a whole number from 0"),
        (Which(number=1, wanted="blocked"), "--find looks for a round: leave out --round"),
        (Which(match=1, leader=0), "--leader is for single rounds"),
        (Which(leader=2), "--leader must be a whole number from 0 to 1"),
        (Which(match=-1), "--match must be"),
        (Which(match=0, number=10**6), "--round must be a whole number from 0 to"),
    ],
)
def test_what_cannot_be_taken(which, message):
    with pytest.raises(UsageError, match=message):
        take(asked(), which)


# --- saved results


@pytest.fixture
def saved(tmp_path):
    def save(result):
        result.save(tmp_path / "out")
        return tmp_path / "out"

    return save


def test_a_saved_result_gives_its_rounds(saved):
    strategy = dataclasses.replace(load_strategy("normal"), name="mine", temperature=2.0)
    result = simulate(
        "pagat-draw", 50, overrides={"reserve": 0}, strategy=[strategy, "random"], seed=9
    )
    run = run_saved(saved(result))
    assert run.study.rules == result.rules
    assert run.study.seed == 9
    original = study_of(result.rules, [strategy, "random"], 9)
    assert (list_rounds(run.study, 0, 50) == list_rounds(original, 0, 50)).all()
    assert take(run, Which(wanted="longest")).run.rounds == 50
    with pytest.raises(UsageError, match="--round must be a whole number from 0 to 49, not 50"):
        take(run, Which(number=50))


def test_a_saved_result_of_matches(saved):
    result = simulate_matches("brazilian-6", 5, target=4, seed=2)
    run = run_saved(saved(result))
    assert (run.target, run.matches) == (4, 5)
    assert take(run, Which(match=4)).transcript.target == 4
    with pytest.raises(UsageError, match="one of matches: name one with --match"):
        take(run, Which())
    with pytest.raises(UsageError, match="--match must be a whole number from 0 to 4"):
        take(run, Which(match=5))


def test_results_that_cannot_be_played_again(saved, tmp_path):
    folder = saved(simulate("pagat-draw", 10))
    path = folder / "result.json"
    document = json.loads(path.read_text())

    def change(**changes):
        path.write_text(json.dumps(document | changes))
        return folder

    with pytest.raises(UsageError, match="rules version 7, which this simdom, of version 1, does"):
        run_saved(change(rules_version=7))
    detail = {"weights": {}, "temperature": 0, "ties": "placements", "function": "mine"}
    with pytest.raises(UsageError, match="strategy random is a Python function"):
        run_saved(change(strategy_details={"random": detail}))
    with pytest.raises(UsageError, match="cannot be read"):
        run_saved(tmp_path / "nothing")
