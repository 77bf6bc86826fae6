"""With hidden hands: what is legal stays legal, and what no deal at all allows is found."""

from dataclasses import replace
from functools import cache
from itertools import combinations, permutations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from simdom.rules import Boneyard, NamedMissing, NoDouble, Opening, Rules, check_rules
from simdom.simulate import study_of
from simdom.transcripts.judging import judge_round
from simdom.transcripts.recording import transcribe
from simdom.transcripts.referee import judge
from simdom.variants import load_variant, variant_names


@cache
def record(name, players, index):
    study = study_of(load_variant(name).rules(players), "random", 1)
    return transcribe(name, study, index)[0]


@cache
def record_small(rules, index):
    return transcribe("none", study_of(rules, "random", 1), index)[0]


def hide(draw, tiles):
    """All of some tiles, some of them, or none."""
    how = draw(st.sampled_from(["all", "some", "none"]))
    if tiles is None or how == "all":
        return None
    if how == "none":
        return tiles
    return tuple(draw(st.sampled_from([tile, None])) for tile in tiles)


def hide_draws(draw, turns):
    if draw(st.booleans()):
        return turns
    return tuple(
        replace(turn, draws=tuple(draw(st.sampled_from([tile, None])) for tile in turn.draws))
        for turn in turns
    )


@st.composite
def hidden(draw):
    """A legal round of any preset, and the same with some of it hidden."""
    name = draw(st.sampled_from(variant_names()))
    players = draw(st.sampled_from(load_variant(name).players))
    whole = record(name, players, draw(st.integers(0, 4)))
    written = whole.rounds[0]
    part = replace(
        written,
        hands=tuple(hide(draw, hand) for hand in written.hands),
        boneyard=hide(draw, written.boneyard),
        turns=hide_draws(draw, written.turns),
    )
    return whole, replace(whole, rounds=(part,))


@settings(max_examples=200)
@given(hidden())
def test_what_is_legal_stays_legal_however_much_is_hidden(pair):
    whole, part = pair
    report, known = judge(part), judge(whole).rounds[0]
    assert report.is_legal, report.problems
    judged = report.rounds[0]
    assert judged.end == known.end
    assert judged.winner in (known.winner, None)
    assert judged.settled in (known.settled, None)
    for seat, held in enumerate(judged.hands_left):
        assert set(held) <= set(known.hands_left[seat])


@st.composite
def small_rules(draw):
    """Rules of the double-2 set, two hands of two."""
    # Not holder_leads_any: which double made the opener is one of several, and not followed up.
    openings = [one for one in Opening if one != Opening.HOLDER_LEADS_ANY]
    return check_rules(
        Rules(
            max_pip=2,
            deal=2,
            boneyard=draw(st.sampled_from(Boneyard)),
            reserve=draw(st.integers(0, 1)),
            opening=draw(st.sampled_from(openings)),
            no_double=draw(st.sampled_from(NoDouble)),
            named_double=draw(st.integers(0, 2)),
            named_missing=draw(st.sampled_from(NamedMissing)),
        )
    )


@cache
def all_deals():
    """Every deal of two hands of two from the double-2 set, with every order of the boneyard."""
    deals = []
    for first in combinations(range(6), 2):
        rest = [tile for tile in range(6) if tile not in first]
        for second in combinations(rest, 2):
            left = [tile for tile in rest if tile not in second]
            deals += [((first, second), order) for order in permutations(left)]
    return deals


@st.composite
def turns_on_the_table(draw):
    """The turns of a round on the double-2 set, with one of them changed or left out."""
    rules = draw(small_rules())
    whole = record_small(rules, draw(st.integers(0, 60)))
    turns = list(whole.rounds[0].turns)
    at = draw(st.integers(0, len(turns) - 1))
    turn = turns[at]
    tile = draw(st.one_of(st.none(), st.integers(0, 5)))
    on = None if tile is None or at == 0 else draw(st.integers(0, 2))
    draws = draw(st.sampled_from([turn.draws, (), (None,), (None, None)]))
    turns[at] = replace(turn, tile=tile, on=on, draws=draws)
    turns = hide_draws(draw, tuple(replace(turn, ends=None) for turn in turns))
    return whole, turns[: draw(st.integers(at + 1, len(turns)))]


@settings(max_examples=400)
@given(turns_on_the_table())
def test_turns_are_legal_if_and_only_if_some_deal_allows_them(given_turns):
    whole, turns = given_turns
    written = replace(whole.rounds[0], turns=turns, ending=None)

    def is_legal(hands, boneyard):
        one = replace(written, hands=hands, boneyard=boneyard)
        return not judge_round(replace(whole, rounds=(one,)), 0).problems

    assume(turns)
    some_deal = any(is_legal(hands, boneyard) for hands, boneyard in all_deals())
    assert is_legal((None, None), None) == some_deal
