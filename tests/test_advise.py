"""Advice: the very moves of sharp, what they are worth, and nothing that a seat may not know."""

import json
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import ClassVar

import numpy as np
import pytest

import plain_mind
import simdom
from plain_deals import agreeing_deals
from plain_mind import Mind
from plain_scoring import winner_of
from plain_streams import GOLDEN, WORD, mix
from scale import rounds
from simdom.advice import deals
from simdom.advice.standing import take_standing
from simdom.engine.asides import NOT_PLAYED, set_scene, weigh
from simdom.engine.kernels import Study
from simdom.errors import RunError, UsageError
from simdom.rules import Boneyard, Opening, Rules, check_rules
from simdom.strategies import parse_strategies
from simdom.tiles import tile_id, tile_name
from simdom.transcripts.reading import parse_transcript
from simdom.transcripts.recording import transcribe, transcribe_match
from simdom.transcripts.writing import write_transcript
from simdom.variants import load_variant
from traces import traced

SEED = 61
MANY = rounds(10_000, 20)


def played(name, players, strategy, index, seed=SEED):
    """A round of a preset, written down."""
    rules = load_variant(name).rules(players)
    study = Study(rules, parse_strategies(strategy, players), seed)
    return transcribe(name, study, index)[0]


def choices(transcript):
    """The turns, from 1, in which a seat may have had a choice: it has not drawn."""
    for number, turn in enumerate(transcript.rounds[0].turns, 1):
        if number > 1 and turn.tile is not None and not turn.draws:
            yield number, turn


# --- sharp's own moves ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "players", "aim"),
    [
        ("pagat-block", 2, "points"),
        ("pagat-draw", 2, "win"),
        ("pagat-draw", 3, "points"),
        ("app-draw", 2, "points"),
        ("cuban-east", 4, "points"),
        ("partner-spain", 4, "win"),
        ("puerto-rico-200", 4, "points"),
        ("dominican-patio", 4, "points"),
    ],
)
def test_the_best_placement_is_the_one_that_sharp_played(name, players, aim):
    strategy = f"sharp:samples=12:aim={aim}"
    told = 0
    for index in range(rounds(4, 1)):
        transcript = played(name, players, strategy, index)
        for number, turn in choices(transcript):
            advice = simdom.advise(
                transcript,
                turn.seat,
                turn=number,
                samples=12,
                aim=aim,
                seed=SEED,
                round_index=index,
            )
            assert advice.best == f"{turn.seat}: {turn.acts}"
            told += len(advice.options) > 1
    assert told >= rounds(8, 2)


def test_the_best_lead_is_the_one_that_sharp_led():
    for index in range(3):
        transcript = played("portal-draw", 2, "sharp:samples=12", index)
        seat = transcript.rounds[0].turns[0].seat
        advice = simdom.advise(transcript, seat, turn=1, samples=12, seed=SEED, round_index=index)
        assert len(advice.options) == 7
        assert advice.best == str(transcript.rounds[0].turns[0])


def test_what_must_be_done_is_what_was_done():
    done = {"draw": 0, "pass": 0}
    for index in range(6):
        transcript = played("app-draw", 2, "random", index)
        for number, turn in enumerate(transcript.rounds[0].turns, 1):
            if number > 1 and (turn.draws or turn.tile is None):
                advice = simdom.advise(transcript, turn.seat, turn=number)
                assert advice.must == ("draw" if turn.draws else "pass")
                assert advice.options == ()
                done[advice.must] += 1
    assert min(done.values()) >= 2


# --- what placements are worth --------------------------------------------------------------


class Noting(Mind):
    """Decides as its parent does, and writes down what came of each placement in each world."""

    noted: ClassVar[list[tuple[int, int, list[list[int]], list[list[int]]]]] = []

    def decide(self, table, seat, strategy, counter):
        options = table.options()
        if len(options) > 1:
            self.noted.append((seat, len(table.line), *self._note(table, seat, strategy, counter)))
        return super().decide(table, seat, strategy, counter)

    def _note(self, table, seat, strategy, counter):
        worlds = self.worlds(table, seat)
        is_every = worlds.total <= strategy.samples
        is_searched = is_every and table.ends is not None and not table.may_draw()
        is_searched = is_searched and sum(map(len, table.hands)) <= plain_mind.MOST_SEARCHED
        winners, points = [], []
        for look in range(int(worlds.total) if is_every else strategy.samples):
            key = mix((counter + (look + 1) * GOLDEN) % WORD) ^ plain_mind.WORLD_SALT
            if is_every:
                world = worlds.world(look, key)
            else:
                world, key = self._draw(worlds, key)
            ended = [
                self._play(
                    plain_mind._stage(table, seat, world, key), option, strategy, key, is_searched
                )
                for option in table.options()
            ]
            aims = replace(strategy, aim="points")
            winners.append(
                [-1 if (w := winner_of(e.ended(self.opener))) is None else w for e in ended]
            )
            points.append([self._gains(each, aims)[seat] for each in ended])
        return winners, points

    def _play(self, stage, option, strategy, key, is_searched):
        stage.place(option)
        if is_searched:
            return self._best_end(stage, strategy)
        plain_mind._play_on(stage, strategy, mix(key))
        return stage

    def _best_end(self, stage, strategy):
        """The table at the end of the best play of all."""
        if stage.ending is not None:
            return stage
        ends = []
        for option in stage.options() or [None]:
            after = stage.copy()
            if option is None:
                after.pass_turn()
            else:
                after.place(option)
            ends.append(self._best_end(after, strategy))
        return max(ends, key=lambda end: self._gains(end, strategy)[stage.seat])


@pytest.mark.parametrize("aim", ["points", "win"])
@pytest.mark.parametrize(
    "rules",
    [
        Rules(max_pip=4, deal=5, opening=Opening.LOT),
        Rules(max_pip=4, deal=4, boneyard=Boneyard.DRAW),
        Rules(max_pip=4, players=3, deal=4),
    ],
    ids=["block", "draw", "three"],
)
def test_what_came_of_each_world_is_what_plain_python_finds(rules, aim, monkeypatch):
    rules = check_rules(rules)
    strategies = parse_strategies(f"sharp:samples=8:aim={aim}", rules.players)
    study = Study(rules, strategies, SEED)
    searched = 0
    monkeypatch.setattr(plain_mind, "Mind", Noting)
    for index in range(3):
        Noting.noted = []
        plain_mind.play_round(rules, strategies, SEED, index)
        transcript, _ = transcribe("none", study, index)
        turns = transcript.rounds[0].turns
        for seat, plays, winners, points in Noting.noted:
            number = [n for n, turn in enumerate(turns, 1) if turn.tile is not None][plays]
            if turns[number - 1].draws:
                continue
            standing = take_standing(transcript, seat, number)
            weighed = weigh(set_scene(standing.scene, strategies[seat]), SEED, index)
            assert weighed.winners.tolist() == winners
            assert weighed.points.tolist() == points
            searched += weighed.is_searched
            if aim == "points":
                assert weighed.values == np.sum(weighed.points, axis=0).tolist()
    if rules.deal == 5:
        assert searched


def test_every_world_leaves_no_sampling_error():
    """Where all worlds are searched nothing is unsure; the chance is that of the worlds."""
    told = 0
    for index in range(rounds(10, 4)):
        transcript = played("pagat-block", 2, "normal", index)
        for number, turn in choices(transcript):
            advice = simdom.advise(transcript, turn.seat, turn=number, samples=MANY)
            if advice.worth is None or not advice.worth.is_searched:
                continue
            assert advice.worth.looks == advice.known.worlds
            for option in advice.options:
                assert option.wins.se == option.points.se == option.behind.se == 0
                assert option.wins.low == option.wins.high == option.wins.estimate
                wins = option.wins.estimate * advice.worth.looks
                assert wins == pytest.approx(round(wins))
            assert "No interval" in str(advice)
            told += 1
    assert told >= rounds(5, 3)


def test_samples_agree_with_all_worlds():
    """Ten positions, a hundred figures or so, at 99.99%: a false alarm in about a hundred seeds."""
    told = 0
    for index in range(rounds(10, 1)):
        transcript = played("pagat-block", 2, "normal", index)
        number, turn = next(c for c in choices(transcript) if c[0] >= 6)
        every = simdom.advise(transcript, turn.seat, turn=number, samples=MANY)
        some = simdom.advise(
            transcript, turn.seat, turn=number, samples=rounds(400, 10), confidence=0.9999
        )
        if not every.worth.is_every or some.worth.is_every:
            continue
        whole = {option.acts: option for option in every.options}
        for option in some.options:
            for figure in ("wins", "points"):
                sure = getattr(whole[option.acts], figure)
                found = getattr(option, figure)
                assert found.low - 5 * sure.se <= sure.estimate <= found.high + 5 * sure.se
                told += 1
    assert told >= rounds(20, 0)


def test_worlds_that_the_misdeal_rule_forbids_are_left_out():
    rules = check_rules(
        Rules(max_pip=3, deal=3, boneyard=Boneyard.DRAW, opening=Opening.LOT, misdeal=2)
    )
    study = Study(rules, parse_strategies("random", 2), SEED)
    left_out = 0
    for index in range(rounds(12, 4)):
        transcript, _ = transcribe("none", study, index)
        for number, turn in choices(transcript):
            advice = simdom.advise(transcript, turn.seat, turn=number, samples=300)
            assert advice.worth.looks == advice.known.worlds
            standing = take_standing(transcript, turn.seat, number)
            found = weigh(set_scene(standing.scene, advice.strategy), 1, 0)
            left_out += int(np.sum(found.winners[:, 0] == NOT_PLAYED))
    assert left_out


# --- what a seat may not know ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "players"), [("pagat-block", 3), ("pagat-draw", 2), ("app-draw", 4)]
)
def test_what_the_transcript_says_of_hidden_tiles_changes_nothing(name, players):
    """The whole transcript gives the same advice as one in which all that is hidden is a ?."""
    for index in range(rounds(3, 1)):
        transcript = played(name, players, "random", index)
        for number, turn in choices(transcript):
            known = take_standing(transcript, turn.seat, number).transcript
            blank = parse_transcript(write_transcript(known))
            whole = simdom.advise(transcript, turn.seat, turn=number, samples=20).to_dict()
            assert simdom.advise(blank, turn.seat, samples=20).to_dict() == _without_lines(
                whole, blank
            )


def _without_lines(document, blank):
    """The document with the lines of the other transcript, for these alone differ."""
    for void in document["lacks"]:
        if void["turn"] is not None:
            void["line"] = blank.rounds[0].turns[void["turn"] - 1].line
    return document


def test_permuting_the_hidden_tiles_changes_nothing():
    """Every deal that the seat cannot tell from the true one gives the same advice."""
    rules = check_rules(Rules(max_pip=3, players=3, deal=2, boneyard=Boneyard.DRAW, reserve=1))
    strategies = parse_strategies("random", 3)
    study = Study(rules, strategies, SEED)
    changed = 0
    for index in range(3):
        transcript, _ = transcribe("none", study, index)
        story = traced(rules, strategies, SEED, index)
        for number, turn in choices(transcript):
            cut = number - 1
            expected = simdom.advise(transcript, turn.seat, turn=number, samples=10).to_dict()
            found = list(agreeing_deals(rules, story, cut, turn.seat))
            for _, hands, boneyard in found[:: max(1, len(found) // 5)]:
                other = _redealt(transcript, cut, hands, boneyard)
                changed += other.rounds != transcript.rounds
                advice = simdom.advise(other, turn.seat, samples=10)
                assert advice.to_dict() == expected
    assert changed > 20


def _redealt(transcript, cut, hands, boneyard):
    """The turns before ``cut`` of another deal in which the same was seen."""
    hands = tuple(tuple(tile_id(*tile) for tile in hand) for hand in hands)
    order = [tile_id(*tile) for tile in boneyard]
    drawn, turns = 0, []
    for turn in transcript.rounds[0].turns[:cut]:
        turns.append(replace(turn, draws=tuple(order[drawn : drawn + len(turn.draws)])))
        drawn += len(turn.draws)
    written = replace(
        transcript.rounds[0], hands=hands, boneyard=tuple(order), turns=tuple(turns), ending=None
    )
    return replace(transcript, rounds=(written,))


# --- chances ---------------------------------------------------------------------------------


def test_the_chance_to_answer_worked_by_hand():
    """Seat 1 holds 7 of 15 tiles without a six, for it drew on 6; four of them show a 3."""
    answer = simdom.answer_odds(parse_transcript(ROUND), 0)
    assert answer.of == 1
    assert answer.chance == 1 - Fraction(comb(11, 7), comb(15, 7)) == Fraction(37, 39)
    assert answer.worlds == 8 * comb(15, 7)  # 4-3 came from the deal, or was drawn and kept
    assert answer.answer == "37/39, 0.948718, 1 in 1.054"


def test_a_leader_by_right_shows_nothing_of_the_doubles():
    """Who won the round before leads any tile; else a lead of 6-5 says that nobody has a double."""
    head = "simdom-transcript 1\nvariant individual-draw\nplayers 2\n"
    round_ = "hand 0: 5-4 4-3 3-2 2-1 1-0 6-5 6-3\n0: 6-5\n"
    free = simdom.answer_odds(parse_transcript(head + "leader 0\n" + round_), 0)
    assert free.chance == 1 - Fraction(comb(11, 7), comb(21, 7))  # 10 of 21 show a 6 or a 5
    led = simdom.answer_odds(parse_transcript(head + round_), 0)
    assert led.worlds == comb(14, 7)
    assert led.chance == 1  # only 6 of 14 that are no doubles show neither


def test_what_is_too_much_to_count_for_all_is_counted_for_some(monkeypatch):
    monkeypatch.setattr(deals, "FEW_STEPS", 0)
    advice = simdom.advise(parse_transcript(ROUND), 0, samples=10)
    assert not advice.known.all_voids
    assert [(void.seat, void.number) for void in advice.known.voids] == [(1, 6)]
    assert advice.known.now == {1: Fraction(37, 39)}
    assert "more may follow" in str(advice)


def test_what_takes_too_long_to_count_is_refused(monkeypatch):
    monkeypatch.setattr(deals, "MOST_STEPS", 1)
    with pytest.raises(RunError, match="take too long to count"):
        simdom.answer_odds(parse_transcript(ROUND), 0)
    advice = simdom.advise(parse_transcript(ROUND), 0, samples=10)
    assert advice.known is None
    assert "not counted: too many draws" in str(advice)
    assert "take too long to count" in advice.to_dict()["uncounted"]
    assert len(advice.to_frame()) == 2


# --- what cannot be answered ----------------------------------------------------------------

ROUND = """simdom-transcript 1
variant pagat-draw
players 2
name 0: Anna
hand 0: 6-6 5-4 3-2 2-2 1-0 6-1 4-4
0: 6-6
1: draw ? draw ? 6-5 on 6
0: 5-4 on 5
1: 4-3 on 4
"""


def parsed(text):
    return parse_transcript(text)


@pytest.mark.parametrize(
    ("text", "seat", "options", "error", "message"),
    [
        (ROUND, 2, {}, UsageError, "seat must be a whole number from 0 to 1, not 2"),
        (ROUND, 1, {}, UsageError, "the hand of seat 1 is not known: write `hand 1: ...`"),
        (ROUND, 0, {"turn": 6}, UsageError, "turn must be a whole number from 1 to 5, not 6"),
        (ROUND, 0, {"turn": 2}, UsageError, "it is the turn of seat 1, not of seat 0 (Anna)"),
        (ROUND, 0, {"of": 0}, UsageError, "of must be another seat than 0"),
        (ROUND, 0, {"samples": 0}, UsageError, "samples must be a whole number from 1 to 10,000"),
        (ROUND, 0, {"aim": "wins"}, UsageError, "unknown aim 'wins': choose from points, win"),
        (ROUND, 0, {"confidence": 1}, UsageError, "confidence must be between 0 and 1"),
        (ROUND, 0, {"seed": -1}, UsageError, "seed must be a whole number from 0"),
        (
            ROUND + "0: 3-1 on 4\n",
            0,
            {},
            RunError,
            "FILE is not legal: line 10: no open end shows 4",
        ),
        (ROUND.replace("4-3 on 4", "draw ? pass"), 0, {}, RunError, "see `simdom referee FILE`"),
    ],
)
def test_what_cannot_be_answered_is_said_in_a_line(text, seat, options, error, message):
    with pytest.raises(error) as raised:
        simdom.advise(parsed(text), seat, **options)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_round_that_is_over_has_no_advice():
    transcript = played("pagat-block", 2, "random", 0)
    with pytest.raises(UsageError, match="the round is over"):
        simdom.advise(transcript, 0)
    with pytest.raises(UsageError, match="the round is over"):
        simdom.answer_odds(transcript, 0)


def test_nobody_answers_before_the_lead():
    text = ROUND.partition("0: 6-6\n")[0]
    with pytest.raises(UsageError, match="nobody has led"):
        simdom.answer_odds(parsed(text), 0)
    advice = simdom.advise(parsed(text), 0)  # nothing is weighed
    assert advice.best == "0: 6-6"


def test_a_match_is_asked_about_its_last_round():
    variant = load_variant("dominican-patio")
    study = Study(variant.rules(4), parse_strategies("normal", 4), SEED)
    transcript = transcribe_match(variant.name, study, 60, 0)
    assert len(transcript.rounds) > 1
    turn = transcript.rounds[-1].turns[0]
    advice = simdom.advise(transcript, turn.seat, turn=1, samples=10)
    assert {option.acts for option in advice.options} == {
        tile_name(tile) for tile in transcript.rounds[-1].hands[turn.seat]
    }
    assert advice.to_dict()["position"]["round"] == len(transcript.rounds)
    with pytest.raises(UsageError, match="it is the turn of"):
        simdom.advise(transcript, (turn.seat + 1) % 4, turn=1)


UNSEEN = """simdom-transcript 1
variant none
set max_pip=3
set deal=3
set boneyard=draw_one_pass
set reserve=3
set opening=first_seat
players 2
hand 0: 3-3 0-0 1-1
0: 3-3
1: draw ? pass
0: pass
"""


def test_whether_the_round_goes_on_must_be_known():
    """The last tile that seat 1 drew, unseen by seat 0, fits, or the round is over."""
    with pytest.raises(UsageError, match="cannot know whether the round goes on"):
        simdom.answer_odds(parsed(UNSEEN), 0)
    seen = UNSEEN.replace("hand 0:", "hand 1: 2-2 1-0 2-0\nhand 0:").replace("draw ?", "draw 3-1")
    with pytest.raises(UsageError, match="seat 0 cannot know whether the round goes on"):
        simdom.answer_odds(parsed(seen), 0)
    assert simdom.advise(parsed(seen), 1).best == "1: 3-1 on 3"


# --- how it is told -------------------------------------------------------------------------


def test_the_document_is_all_there_is():
    advice = simdom.advise(parsed(ROUND), 0, samples=100)
    document = json.loads(advice.to_json())
    assert document["schema"] == "simdom.advice/1"
    assert document["best"] == document["options"][0]["turn"] == advice.best
    assert document["position"]["ends"] == [3, 6]
    assert document["position"]["held"] == [5, 7]
    turns = {option["turn"] for option in document["options"]}
    assert turns == {"0: 3-2 on 3", "0: 6-1 on 6"}
    lacks = {"seat": 1, "number": 6, "turn": 2, "line": 7, "all_seen": False}
    assert document["lacks"] == [lacks]
    assert document["seed"] == 1
    for option in document["options"]:
        assert option["wins"]["low"] <= option["wins"]["estimate"] <= option["wins"]["high"]
        (answer,) = option["answers"]
        assert answer["seat"] == 1
        assert 0 < answer["value"] < 1


def test_rows_and_text_are_of_the_same_figures():
    advice = simdom.advise(parsed(ROUND), 0, samples=100)
    frame = advice.to_frame()
    assert len(frame) == len(advice.options)
    assert advice.to_csv().splitlines()[0].split(",") == list(frame.columns)
    text = str(advice)
    html = advice._repr_html_()
    for option in advice.options:
        assert option.acts in text
        assert option.acts in html
    assert repr(advice) == f"<Advice to seat 0: {advice.best}>"
