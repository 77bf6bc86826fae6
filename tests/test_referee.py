"""The referee, rule by rule: what is legal, what is not, at which line, and what was allowed."""

import pytest

from simdom.engine.kernels import Study, list_rounds
from simdom.engine.match_kernels import list_matches
from simdom.engine.matches import MatchOutcome
from simdom.rules import Opening, Rules
from simdom.simulate import study_of
from simdom.tiles import parse_tile
from simdom.transcripts.reading import parse_transcript
from simdom.transcripts.recording import transcribe, transcribe_match
from simdom.transcripts.referee import RULES, judge
from simdom.transcripts.verdict import tell_report
from simdom.transcripts.writing import write_transcript
from simdom.variants import load_variant, variant_names

HEAD = "simdom-transcript 1\nvariant {}\nplayers {}\n"

HAND_0 = "6-6 5-4 3-2 2-2 1-0 6-1 4-4"
HAND_1 = "6-4 5-5 3-3 2-1 4-0 5-0 6-0"
BONEYARD = "3-1 0-0 1-1 2-0 3-0 4-1 4-2 4-3 5-1 5-2 5-3 6-2 6-3 6-5"
DEAL = f"hand 0: {HAND_0}\nhand 1: {HAND_1}\nboneyard: {BONEYARD}\n"


def written(turns, variant="individual-draw", players=2, deal=DEAL, sets=()):
    """A transcript with these turns; the first of them is in line 7, or 4 without a deal."""
    head = HEAD.format(variant, players) + "".join(f"set {one}\n" for one in sets)
    return head + deal + "\n".join(turns) + "\n"


def report_of(turns, *arguments, **options):
    return judge(parse_transcript(written(turns, *arguments, **options)))


def the_problem(turns, *arguments, **options):
    (problem,) = report_of(turns, *arguments, **options).problems
    assert problem.rule in RULES
    return problem


# --- worked examples of S0


def test_s0_a_stuck_seat_draws_6_1_and_then_5_3_which_it_plays():
    """The ends show 5 and 2; 6-1 does not fit, 5-3 does: it is played on the 5 at once."""
    deal = (
        "hand 0: 5-5 4-3 4-4 6-6 3-3 6-4 1-1\n"
        "hand 1: 5-2 6-3 6-0 5-1 0-0 2-0 4-0\n"
        "boneyard: 6-1 5-3 1-0 2-1 2-2 3-0 3-1 3-2 4-1 4-2 5-0 5-4 6-2 6-5\n"
    )
    right = report_of(
        ["0: 5-5", "1: 5-2 on 5", "0: draw 6-1 draw 5-3 5-3 on 5", "1: 6-3 on 3"],
        deal=deal,
        sets=["opening=first_seat"],
    )
    assert right.is_legal
    assert right.rounds[0].steps[2].held == [7, 6]
    assert right.rounds[0].table.boneyard == 12
    stops = the_problem(
        ["0: 5-5", "1: 5-2 on 5", "0: draw 6-1 pass"], deal=deal, sets=["opening=first_seat"]
    )
    assert stops.message == "seat 0 passes, but must draw: 13 tiles may be drawn"
    assert (stops.rule, stops.line, stops.allowed) == ("pass", 10, ["0: draw"])
    goes_on = the_problem(
        ["0: 5-5", "1: 5-2 on 5", "0: draw 6-1 draw 5-3 draw 1-0 pass"],
        deal=deal,
        sets=["opening=first_seat"],
    )
    assert goes_on.message == "seat 0 draws again on 2 and 5, but can play 5-3"
    assert goes_on.allowed == ["0: 5-3 on 5"]


def test_s0_hands_of_6_11_and_18_score_23():
    """Three seats are blocked with 6, 11 and 18 pips: the first wins 11 + 18 - 6.

    The table is that of Block. At S0's own, where nothing stays hidden, these hands cannot be left:
    both ends show the same number, so the pips on the line are even, and with them those left.
    """
    study = study_of(load_variant("pagat-block").rules(3), "random", 1)
    transcript, _ = transcribe("pagat-block", study, 1263)
    report = judge(parse_transcript(write_transcript(transcript)))
    assert report.is_legal
    assert report.rounds[0].settled.pips == [6, 11, 18]
    assert "minus_own: 23 to seat 0; others: 29; all_hands: 35" in tell_report(report)


# --- turns


def test_a_round_in_progress():
    report = report_of(["0: 6-6", "1: 6-4 on 6", "0: 4-4 on 4"])
    assert report.is_legal
    document = report.to_dict()
    assert (document["finished"], document["to_move"], document["ends"]) == (False, 1, [4, 6])
    assert "not over: it is the turn of seat 1, on 4 and 6" in tell_report(report)


def test_a_tile_that_does_not_fit():
    problem = the_problem(["0: 6-6", "1: 5-5 on 6"])
    assert (problem.line, problem.rule, problem.message) == (8, "place", "5-5 has no 6")
    assert problem.allowed == ["1: 6-0 on 6", "1: 6-4 on 6"]


def test_an_end_that_is_not_open():
    problem = the_problem(["0: 6-6", "1: 6-4 on 4"])
    assert problem.message == "no open end shows 4, but 6"


def test_a_placement_says_on_what():
    assert the_problem(["0: 6-6", "1: 6-4"]).message == "it is not said what 6-4 is placed on"


def test_a_lead_is_placed_on_nothing():
    assert the_problem(["0: 6-6 on 6"]).rule == "lead"
    assert the_problem(["0: pass"]).rule == "lead"
    assert the_problem(["0: draw 3-1 6-6"]).rule == "lead"


def test_a_tile_that_the_seat_does_not_hold():
    problem = the_problem(["0: 6-6", "1: 6-5 on 6"])
    assert problem.message.startswith("seat 1 does not hold 6-5, but ")
    assert the_problem(["0: 6-6", "1: 6-1 on 6"]).message.startswith("seat 1 does not hold 6-1")


def test_a_tile_that_is_on_the_line():
    problem = the_problem(["0: 6-6", "1: 6-6 on 6"])
    assert problem.message == "6-6 is on the line already"


def test_a_turn_of_the_wrong_seat():
    problem = the_problem(["0: 6-6", "0: 6-1 on 6"])
    assert problem.message == "it is the turn of seat 1, not of seat 0"
    assert (problem.rule, problem.allowed) == ("turn", ["1: 6-0 on 6", "1: 6-4 on 6"])


def test_a_pass_of_a_seat_that_can_play():
    problem = the_problem(["0: 6-6", "1: pass"])
    assert problem.message == "seat 1 passes on 6, but can play 6-0 6-4"
    assert problem.rule == "pass"


def test_after_a_wrong_pass_the_round_goes_on():
    report = report_of(["0: 6-6", "1: pass", "0: 6-1 on 6", "1: 5-5 on 6"])
    assert [problem.line for problem in report.problems] == [8, 10]


def test_a_draw_of_a_seat_that_can_play():
    problem = the_problem(["0: 6-6", "1: draw 3-1 6-4 on 6"])
    assert problem.message == "seat 1 draws on 6, but can play 6-0 6-4"
    assert problem.rule == "draw"


def test_the_boneyard_is_drawn_in_its_order():
    deal = DEAL.replace("6-4 5-5 3-3 2-1 4-0 5-0 6-0", "4-0 5-5 3-3 2-1 2-0 5-0 1-1")
    deal = deal.replace("0-0 1-1 2-0", "0-0 6-4 6-0")
    problem = the_problem(["0: 6-6", "1: draw 6-4 6-4 on 6"], deal=deal)
    assert problem.message == "the next tile of the boneyard is 3-1, not 6-4"
    right = report_of(["0: 6-6", "1: draw 3-1 draw 0-0 draw 6-4 6-4 on 6"], deal=deal)
    assert right.is_legal


def test_the_reserve_is_not_drawn():
    deal = "hand 1: 5-5 4-4 3-3 2-2 1-1 0-0 5-4\n"
    turns = ["0: 6-6", "1: " + "draw ? " * 13 + "pass"]
    assert the_problem(turns, "pagat-draw", deal=deal).message == (
        "no tile may be drawn: the last 2 are never drawn"
    )
    assert report_of(["0: 6-6", "1: " + "draw ? " * 12 + "pass"], "pagat-draw", deal=deal).is_legal
    turns = ["0: 6-6", "1: " + "draw ? " * 15 + "pass"]
    assert the_problem(turns, deal=deal).message == "no tile may be drawn: the boneyard is empty"


def test_nothing_is_drawn_in_block():
    problem = the_problem(["0: 6-6", "1: draw 3-1 pass"], "pagat-block")
    assert problem.message == "nothing is drawn by these rules"


def test_draw_one_and_play_it():
    deal = DEAL.replace("6-4 5-5 3-3 2-1 4-0 5-0 6-0", "4-0 5-5 3-3 2-1 2-0 5-0 1-1")
    deal = deal.replace("3-1 0-0 1-1 2-0", "6-4 0-0 3-1 6-0")
    assert report_of(["0: 6-6", "1: draw 6-4 6-4 on 6"], "draw-one", deal=deal).is_legal
    passes = the_problem(["0: 6-6", "1: draw 6-4 pass"], "draw-one", deal=deal)
    assert passes.message == "seat 1 passes on 6, but can play 6-4"
    more = the_problem(["0: 6-6", "1: draw 6-4 draw 0-0 pass"], "draw-one", deal=deal)
    assert more.message == "one tile is drawn in a turn, and no more"
    sets = ["boneyard=draw_one_pass"]
    kept = report_of(["0: 6-6", "1: draw 6-4 pass"], "draw-one", deal=deal, sets=sets)
    assert kept.is_legal
    played = the_problem(["0: 6-6", "1: draw 6-4 6-4 on 6"], "draw-one", deal=deal, sets=sets)
    assert played.message == "a turn is over once a tile is drawn"


def test_the_tile_drawn_last_is_played_at_once():
    deal = "hand 0: 6-6 5-4 3-2 2-2 1-0 6-1 4-4\n"
    turns = ["0: 6-6", "1: draw 6-5 6-4 on 6"]
    problem = the_problem(turns, deal=deal)
    assert problem.message == "seat 1 cannot hold 6-4: it could not play on 6 in line 6"


# --- openings


def leads(turn, opening, deal=DEAL, **options):
    sets = [f"opening={opening}", *options.pop("sets", [])]
    return report_of([turn], deal=deal, sets=sets, **options).problems


@pytest.mark.parametrize(
    ("opening", "right", "wrong", "message"),
    [
        (
            "highest_double",
            "0: 6-6",
            "0: 6-1",
            "seat 0 holds 6-6, the highest double, and leads it",
        ),
        (
            "highest_double",
            "0: 6-6",
            "1: 5-5",
            "seat 0 holds 6-6, the highest double, and leads it",
        ),
        ("holder_leads_any", "0: 6-1", "1: 5-5", "seat 0 holds 6-6, the highest double, and leads"),
        ("first_seat", "0: 6-1", "1: 5-5", "seat 0 leads"),
        ("named_double", "0: 6-6", "1: 5-5", "seat 0 holds 6-6, the double that opens, and leads"),
    ],
)
def test_openings(opening, right, wrong, message):
    assert not leads(right, opening)
    (problem,) = leads(wrong, opening)
    assert problem.rule == "lead"
    assert problem.message.startswith(message)


def test_a_seat_by_lot_leads_any_tile():
    assert not leads("0: 1-0", "lot")
    assert not leads("1: 5-5", "lot")


def test_the_next_double_in_place_of_a_named_one():
    """3-3 is asked for and 2-2 is the next one below; 1-1 was not dealt."""
    sets = ["named_double=3"]
    assert not leads("1: 3-3", "named_double", sets=sets)
    deal = DEAL.replace("3-3", "3-0", 1).replace("2-0 3-0", "2-0 3-3")
    assert not leads("0: 2-2", "named_double", deal=deal, sets=sets)
    (problem,) = leads("0: 4-4", "named_double", deal=deal, sets=sets)
    assert problem.message == "seat 0 holds 2-2, the double that opens, and leads it"


def test_a_lot_in_place_of_a_named_double():
    sets = ["named_double=1", "named_missing=lot"]
    assert not leads("1: 5-0", "named_double", sets=sets)  # 1-1 is in the boneyard
    sets = ["named_double=2", "named_missing=lot"]
    (problem,) = leads("1: 5-0", "named_double", sets=sets)
    assert problem.message == "seat 0 holds 2-2, the double that opens, and leads it"


NO_DOUBLES = (
    "hand 0: 6-5 5-4 3-2 2-0 1-0 6-1 4-1\nhand 1: 6-4 5-1 3-1 2-1 4-0 5-0 6-0\n"
    "boneyard: 0-0 1-1 2-2 3-0 3-3 4-2 4-3 4-4 5-2 5-3 5-5 6-2 6-3 6-6\n"
)


def test_the_heaviest_tile_where_nobody_has_a_double():
    assert not leads("0: 6-5", "highest_double", deal=NO_DOUBLES)
    (problem,) = leads("1: 6-4", "highest_double", deal=NO_DOUBLES)
    assert problem.message == "seat 0 holds 6-5, the heaviest tile, and leads it"


def test_a_deal_without_a_double_may_not_be_played():
    (problem,) = leads("0: 6-5", "highest_double", deal=NO_DOUBLES, sets=["no_double=redeal"])
    assert problem.message.startswith("only a double opens")


def test_a_hand_of_many_doubles_is_dealt_again():
    deal = "hand 0: 6-6 5-5 4-4 3-3 2-2 1-0 6-1\n"
    (problem,) = leads("0: 6-6", "highest_double", deal=deal, sets=["misdeal=5"])
    assert (problem.rule, problem.turn) == ("deal", None)
    assert not leads("0: 6-6", "highest_double", deal=deal, sets=["misdeal=6"])


@pytest.mark.parametrize("opening", [one.name.lower() for one in Opening])
def test_a_leader_of_a_later_round_leads_any_tile(opening):
    assert not leads("1: 5-0", opening, deal="leader 1\n" + DEAL)
    (problem,) = leads("0: 6-6", opening, deal="leader 1\n" + DEAL)
    assert (problem.rule, problem.message) == ("leader", "seat 1 leads this round")


# --- the end


SHORT = Rules(max_pip=2, deal=2)
SMALL = "simdom-transcript 1\nvariant none\nset max_pip=2\nset deal=2\nplayers 2\n"


def small(turns):
    return judge(parse_transcript(SMALL + "\n".join(turns) + "\n"))


BLOCKED = [
    "hand 0: 2-2 1-0", "hand 1: 0-0 1-1", "boneyard: 2-1 2-0",
    "0: 2-2", "1: pass", "0: pass",
]  # fmt: skip


def test_a_blocked_round_and_its_points():
    report = small([*BLOCKED, "end: blocked; winner 0; points 1"])
    assert report.is_legal
    document = report.to_dict()
    assert (document["end"], document["winner"], document["points"]) == ("blocked", 0, 1)
    assert document["scores"] == {"minus_own": 1, "others": 2, "all_hands": 3}
    assert document["pips"] == [1, 2]


@pytest.mark.parametrize(
    ("end", "rule", "message"),
    [
        ("end: domino", "end", "the round is not domino, but blocked: everybody has passed"),
        ("end: blocked; winner 1", "winner", "seat 0 wins the round"),
        ("end: blocked; winner none", "winner", "seat 0 wins the round"),
        ("end: blocked; points 2", "points", "the round awards 1 points, not 2"),
    ],
)
def test_what_is_said_of_the_end_is_checked(end, rule, message):
    (problem,) = small([*BLOCKED, end]).problems
    assert (problem.rule, problem.message, problem.line) == (rule, message, 12)


def test_a_round_is_not_over_before_everybody_has_passed():
    (problem,) = small([*BLOCKED[:-1], "end: blocked"]).problems
    assert problem.message == "the round is not over: it is the turn of seat 0"
    assert problem.allowed == ["0: pass"]


def test_nothing_follows_the_end():
    (problem,) = small([*BLOCKED, "1: pass"]).problems
    assert (problem.rule, problem.message) == ("over", "the round is over: everybody has passed")


def test_a_tie():
    turns = [
        "hand 0: 2-2 1-0", "hand 1: 0-0 1-1", "boneyard: 2-1 2-0",
        "1: 0-0", "0: 1-0 on 0", "1: 1-1 on 1",
    ]  # fmt: skip
    text = SMALL + "set opening=lot\n" + "\n".join(turns) + "\n"
    report = judge(parse_transcript(text + "end: domino; winner 1; points 4\n"))
    assert report.is_legal
    tied = [
        "hand 0: 2-2 2-0", "hand 1: 1-1 1-0", "boneyard: 2-1 0-0",
        "0: 2-2", "1: pass", "0: 2-0 on 2",
    ]  # fmt: skip
    assert small(tied).to_dict()["end"] == "domino"


def test_scores_of_all_presets_are_those_of_the_engine():
    for name in variant_names():
        rules = load_variant(name).rules()
        study = Study(rules, study_of(rules, "random", 5).strategies, 5)
        rows = list_rounds(study, 0, 10)
        for index, row in enumerate(rows.tolist()):
            report = judge(parse_transcript(write_transcript(transcribe(name, study, index)[0])))
            assert report.is_legal
            assert report.rounds[0].settled.gained == row[-rules.players :]


# --- unknown hands


def hidden(turns, **options):
    return report_of(turns, deal=options.pop("deal", f"hand 0: {HAND_0}\n"), **options)


def test_with_hidden_hands_what_can_be_true_is_legal():
    report = hidden(["0: 6-6", "1: draw ? draw ? 6-5 on 6", "0: 5-4 on 5"])
    assert report.is_legal
    assert report.rounds[0].unknown == ["the hand of seat 1", "the boneyard"]


def test_a_seat_cannot_play_what_another_holds():
    report = hidden(["0: 6-6", "1: 6-1 on 6"])
    assert report.problems[0].message == ("seat 1 cannot hold 6-1: it is in the hand of seat 0")


def test_a_seat_cannot_play_what_it_passed_without():
    """In Block seat 1 passes on 6 and later plays 6-0, which it must have held."""
    turns = ["0: 6-6", "1: pass", "0: 6-1 on 6", "1: 6-0 on 6"]
    report = hidden(turns, variant="pagat-block")
    (problem,) = report.problems
    assert problem.line == 8
    assert problem.message == "seat 1 cannot hold 6-0: it could not play on 6 in line 6"


def test_unless_it_drew_in_between():
    turns = ["0: 6-6", "1: draw 5-5 pass", "0: 6-1 on 6", "1: draw 6-0 6-0 on 6"]
    assert hidden(turns, variant="draw-one").is_legal
    turns = ["0: 6-6", "1: draw ? pass", "0: 6-1 on 6", "1: 6-0 on 6"]
    (problem,) = hidden(turns, variant="draw-one").problems
    assert "6-0" in problem.message  # what was drawn did not fit, or it would have been played
    sets = ["boneyard=draw_one_pass"]
    assert hidden(turns, variant="draw-one", sets=sets).is_legal


def test_a_pass_is_wrong_if_there_is_no_other_place_for_a_tile_that_fits():
    """Seat 0 has four sixes, the boneyard at most one: the other two can only be with seat 1."""
    deal = "hand 0: 6-6 6-5 6-4 6-3 5-5 4-4 3-3\n"
    deal += "boneyard: 5-4 5-3 4-3 5-2 5-1 5-0 4-2 4-1 4-0 3-2 3-1 3-0 2-2 ?\n"
    report = report_of(["0: 6-6", "1: pass"], "pagat-block", deal=deal)
    (problem,) = report.problems
    assert problem.message == (
        "seat 1 passes on 6, but must hold a tile that fits: no other place is left"
    )


def test_the_last_hand_follows_from_all_others():
    deal = f"hand 0: {HAND_0}\nboneyard: {BONEYARD}\n"
    (problem,) = report_of(["0: 6-6", "1: pass"], deal=deal).problems
    assert problem.message == "seat 1 passes on 6, but can play 6-0 6-4"


def test_a_lead_with_hidden_hands():
    """5-5 opens: so nobody holds 6-6, and it lies in the boneyard."""
    deal = "hand 1: 6-4 5-5 3-3 2-1 4-0 5-0 6-0\n"
    turns = ["1: 5-5", "0: draw 6-6 draw 5-4 5-4 on 5"]
    assert report_of(turns, deal=deal).is_legal
    (problem,) = report_of(
        ["1: 5-5", "0: 5-4 on 5", "1: 6-4 on 4", "0: 6-6 on 6"], deal=deal
    ).problems
    assert problem.message == "seat 0 cannot hold 6-6: it is in the boneyard"
    (problem,) = report_of(["0: 4-4"], deal=deal).problems
    assert problem.message == "seat 1 holds 5-5, the highest double, and leads it"


def test_the_holder_of_some_double_leads_any_tile():
    sets = ["opening=holder_leads_any"]
    deal = "hand 1: 6-4 5-5 3-3 2-1 4-0 5-0 6-0\n"
    assert report_of(["0: 6-1"], deal=deal, sets=sets).is_legal  # with 6-6
    assert report_of(["1: 5-0"], deal=deal, sets=sets).is_legal  # 6-6 in the boneyard
    deal = DEAL.replace("6-3 6-5", "6-6 6-5").replace("6-6", "6-3", 1)
    (problem,) = report_of(["0: 6-1"], deal=deal, sets=sets).problems
    assert problem.message.startswith("seat 1 holds 5-5, the highest double")


def test_who_wins_without_all_hands():
    turns = ["0: 6-6", "1: pass", "0: 6-1 on 6", "1: pass"]
    deal = "hand 0: 6-6 6-1\n"
    sets = ["deal=2"]
    report = report_of(turns[:3], "pagat-block", deal=deal, sets=sets)
    assert report.is_legal
    assert report.to_dict()["winner"] == 0
    assert report.to_dict()["points"] is None
    assert "what it scores is not known without the hand of seat 1" in tell_report(report)


# --- matches


@pytest.mark.parametrize("name", ["brazilian-6", "cuban-east", "jamaican-partner", "app-draw"])
def test_the_score_of_a_match_is_the_engines(name):
    variant = load_variant(name)
    study = study_of(variant.rules(), "random", 11)
    target = min(variant.target(study.rules.players), 60)
    for number, row in enumerate(list_matches(study, target, 0, 2).tolist()):
        transcript = transcribe_match(name, study, target, number)
        report = judge(parse_transcript(write_transcript(transcript)))
        assert report.is_legal
        outcome = MatchOutcome._make(row[: len(MatchOutcome._fields)])
        assert report.match_winner == outcome.winner
        assert len(report.rounds) == outcome.rounds
        assert report.score == row[len(MatchOutcome._fields) :]


def match_text(name="brazilian-6", number=0):
    study = study_of(load_variant(name).rules(), "random", 11)
    target = load_variant(name).target(study.rules.players)
    return write_transcript(transcribe_match(name, study, target, number))


def test_a_wrong_score_is_found():
    text = match_text()
    lines = text.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("score:"))
    points = lines[at].removeprefix("score: ").split()
    lines[at] = f"score: {points[1]} {int(points[0]) + 1}"
    (problem,) = judge(parse_transcript("\n".join(lines))).problems
    assert (problem.rule, problem.line) == ("score", at + 1)
    assert problem.allowed == [f"score: {' '.join(points)}"]


def test_a_round_after_the_match_is_won():
    text = match_text().replace("target 6", "target 1")
    report = judge(parse_transcript(text))
    assert {problem.rule for problem in report.problems} == {"over"}


def test_a_match_from_its_middle():
    text = match_text()
    head, _, rest = text.partition("round 1\n")
    _, _, later = rest.partition("round 2\n")
    report = judge(parse_transcript(f"{head}round 2\n{later}"))
    assert report.is_legal
    assert report.score is not None
    assert report.match_winner is not None


def test_who_leads_a_later_round():
    text = match_text("dominican-club")
    transcript = parse_transcript(text)
    assert all(one.leader is not None for one in transcript.rounds[1:])
    second = transcript.rounds[1]
    line = f"leader {second.leader}\n"
    wrong = text.replace(f"round 2\n{line}", f"round 2\nleader {(second.leader + 1) % 4}\n")
    problems = judge(parse_transcript(wrong)).problems
    assert problems[0].rule == "leader"
    assert problems[0].allowed == [f"leader {second.leader}"]
    without = text.replace(f"round 2\n{line}", "round 2\n")
    assert judge(parse_transcript(without)).is_legal


def test_names_are_told():
    text = written(["0: 6-6", "1: pass"], deal="name 0: Anna\nname 1: Ben\n" + DEAL)
    report = judge(parse_transcript(text))
    assert report.problems[0].message == "seat 1 (Ben) passes on 6, but can play 6-0 6-4"
    assert report.to_dict()["names"] == ["Anna", "Ben"]


def test_every_rule_that_is_named_is_told():
    assert all(text.endswith(".") for text in RULES.values())
    assert parse_tile("6-6", 6) == 27
