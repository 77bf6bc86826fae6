"""A strategy that samples: every move against a plain one, what it knows, how well it plays."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings

import simdom
from generators import ROUND_INDICES, SEEDS, rules_and_minds
from oracle import Tile, placements
from plain_mind import play_round
from scale import IS_COMPILED, rounds
from simdom.engine.kernels import Study, tally_rounds
from simdom.engine.tally import Tally, merge
from simdom.errors import UsageError
from simdom.executors.threads import ThreadsExecutor
from simdom.rounds import simulate_rounds
from simdom.rules import Boneyard, Opening, Rules, check_rules
from simdom.strategies import load_strategy, parse_strategies
from simdom.variants import load_variant
from test_oracle_agreement import check_round
from traces import Round, traced

EXAMPLES = 80 if IS_COMPILED else 50

# --- move by move ---------------------------------------------------------------------------


@settings(max_examples=EXAMPLES)
@given(rules_and_minds(), SEEDS, ROUND_INDICES)
def test_every_move_of_any_round(setup, seed, index):
    rules, strategies = setup
    check_round(traced(rules, strategies, seed, index), play_round(rules, strategies, seed, index))


@pytest.mark.parametrize("aim", ["points", "win"])
@pytest.mark.parametrize("variant", ["pagat-block", "pagat-draw", "app-draw"])
def test_rules_that_people_play(variant, aim):
    """One seat thinks, so that it cannot be right by what others would have thought."""
    for players in load_variant(variant).players:
        rules = load_variant(variant).rules(players)
        if players > 4:
            continue
        seats = [f"sharp:samples=3:aim={aim}", "normal", "random", "sharp:samples=2"]
        strategies = parse_strategies(seats[:players], players)
        for index in range(rounds(4, 2)):
            story = play_round(rules, strategies, 31, index)
            check_round(traced(rules, strategies, 31, index), story)


@pytest.mark.parametrize(
    "rules",
    [
        Rules(max_pip=9, players=6, deal=7, boneyard=Boneyard.DRAW),
        Rules(max_pip=9, players=3, deal=3, boneyard=Boneyard.DRAW_ONE_PASS, misdeal=2),
        Rules(max_pip=9, players=2, deal=7, boneyard=Boneyard.DRAW, misdeal=4),
        Rules(max_pip=7, players=2, deal=18, opening=Opening.HOLDER_LEADS_ANY),
        Rules(max_pip=12, players=8, deal=11, opening=Opening.LOT),
    ],
    ids=lambda rules: f"D{rules.max_pip}-{rules.players}x{rules.deal}",
)
def test_more_worlds_than_can_be_told_apart(rules):
    """Lots are put together, or worlds drawn tile by tile, or not counted but swapped."""
    strategies = parse_strategies(
        ["sharp:samples=2", *["normal"] * (rules.players - 1)], rules.players
    )
    for index in range(rounds(4, 1)):
        story = play_round(check_rules(rules), strategies, 32, index)
        check_round(traced(check_rules(rules), strategies, 32, index), story)


def test_the_decider_is_of_the_deal_wherever_its_holder_plays_it():
    """Rounds in which it was once thought that the tile may have been drawn later."""
    rules = Rules(max_pip=4, players=2, deal=3, boneyard=Boneyard.DRAW_ONE_PASS)
    rules = check_rules(rules._replace(opening=Opening.HOLDER_LEADS_ANY))
    strategies = [replace(load_strategy("accompanied"), samples=4)] * 2
    for index in range(rounds(300, 60)):
        story = play_round(rules, strategies, 33, index)
        check_round(traced(rules, strategies, 33, index), story)


# --- what is certain ------------------------------------------------------------------------


@dataclass
class Stuck:
    """A seat could not play on these numbers, and kept so many of the tiles that it drew."""

    numbers: set[int]
    kept: int


def certain_of(events: list[Stuck], *, hides: bool) -> set[int]:
    """What the hand lacks: later kept tiles show what they may, but for what made the seat draw."""
    certain: set[int] = set()
    for event in events:
        if not event.kept:
            certain = certain | event.numbers
        else:
            certain = set() if hides else set(event.numbers)
    return certain


def choices(played: Round) -> list[tuple[list[list[Tile]], list[list[Stuck]]]]:
    """Hands and events by seat, whenever a seat has a choice.

    The hands are without the tile just drawn that is to be played: of it the events say nothing.
    """
    hands = [list(hand) for hand in played.deal]
    events: list[list[Stuck]] = [[] for _ in hands]
    found = []
    ends = None
    for turn in played.turns:
        is_stuck = ends is not None and not placements(hands[turn.seat], ends)
        hands[turn.seat] += turn.draws
        if is_stuck:
            kept = len(turn.draws) - (turn.tile is not None)
            events[turn.seat].append(Stuck({*ends}, kept))
        if turn.tile is not None:
            if len(placements(hands[turn.seat], ends)) > 1:
                kept = [[t for t in hand if t not in turn.draws[-1:]] for hand in hands]
                found.append((kept, [list(each) for each in events]))
            hands[turn.seat].remove(turn.tile)
        ends = turn.ends
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("boneyard", Boneyard)
def test_what_a_seat_has_shown_to_lack_it_lacks(boneyard, players):
    """Nothing is held that is said to be lacked, and nothing that was shown is forgotten."""
    views = []

    @simdom.strategy
    def watcher(view):
        views.append(view)
        return int(view.chance * len(view.placements))

    rules = Rules(players=players, deal=5, boneyard=boneyard, opening=Opening.LOT)
    rules = check_rules(rules._replace(reserve=rules.boneyard_size // 2))
    lacked = 0
    for index in range(rounds(100, 60)):
        views.clear()
        played = traced(rules, (watcher,) * players, 34, index)
        for (hands, events), view in zip(choices(played), views, strict=True):
            for seat in range(players):
                lacks = {n for n in range(7) if int(view.lacks[seat]) >> n & 1}
                assert not any(lacks & {*tile} for tile in hands[seat])
                hides = boneyard == Boneyard.DRAW_ONE_PASS
                assert lacks == certain_of(events[seat], hides=hides)
                lacked += len(lacks)
    assert lacked >= 10


# --- how well it plays ----------------------------------------------------------------------


def standard_errors(one: str, other: str, variant: str, deals: int) -> float:
    """How many standard errors above 0 the points are that ``one`` wins of ``other``.

    Two players, and each deal twice, with the seats exchanged.
    """
    nets = []
    for seat in (0, 1):
        seats = [one, other] if seat == 0 else [other, one]
        frame = simulate_rounds(variant, deals, strategy=seats, seed=35)
        won, points = frame["winner"].to_numpy(), frame["points"].to_numpy()
        nets.append(np.where(won == seat, points, np.where(won < 0, 0, -points)))
    of_deals = (nets[0] + nets[1]) / 2
    return float(of_deals.mean() / (of_deals.std(ddof=1) / deals**0.5))


@pytest.mark.jit
@pytest.mark.parametrize(("variant", "deals"), [("pagat-block", 30_000), ("pagat-draw", 8_000)])
def test_sharp_beats_normal(variant, deals):
    assert standard_errors("sharp", "normal", variant, deals) > 5


@pytest.mark.jit
@pytest.mark.parametrize("other", ["heaviest", "doubles-first", "accompanied", "random"])
@pytest.mark.parametrize("variant", ["pagat-block", "pagat-draw"])
def test_normal_beats_the_plain_ones(variant, other):
    assert standard_errors("normal", other, variant, 20_000) > 5


# --- its options, and threads ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sharp:samples=0", "samples must be a whole number from 1 to 10000, not '0'"),
        ("sharp:samples=x", "samples must be a whole number from 1 to 10000, not 'x'"),
        ("sharp:samples=10001", "samples must be a whole number from 1 to 10000, not '10001'"),
        ("sharp:samples=1e3", "samples must be a whole number from 1 to 10000, not '1e3'"),
        ("sharp:aim=luck", "unknown aim 'luck': choose from points, win"),
        ("sharp:samples", "write samples once, as samples=VALUE"),
        ("sharp:samples=2:samples=3", "write samples once, as samples=VALUE"),
        ("sharp:sample=3", "did you mean 'samples'?"),
        ("normal:samples=3", "normal samples nothing, so samples cannot be set"),
    ],
)
def test_bad_options_get_one_line(name, message):
    with pytest.raises(UsageError) as caught:
        load_strategy(name)
    assert str(caught.value).startswith(f"{name}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("samples = -1", "samples must be a whole number from 1 to 10000, not -1"),
        ("samples = 1.5", "samples must be a whole number from 1 to 10000, not 1.5"),
        ("samples = 0", "samples must be a whole number from 1 to 10000, not 0"),
        ('aim = "win"', "aim is that of samples: set samples too, or leave out aim"),
        ('samples = "many"', "samples must be a whole number from 1 to 10000, not 'many'"),
        ("samples = 10001", "samples must be a whole number from 1 to 10000, not 10001"),
        ('aim = "luck"', "aim must be 'points' or 'win', not 'luck'"),
    ],
)
def test_bad_files_get_one_line(tmp_path, line, message):
    path = tmp_path / "mine.toml"
    path.write_text(f'title = "T"\n{line}\n', encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        load_strategy(str(path))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("samples", "aim"), [(-1, "points"), (1.5, "points"), (True, "win")])
def test_bad_samples_of_a_strategy_made_in_python(samples, aim):
    strategy = replace(load_strategy("sharp"), samples=samples, aim=aim)
    with pytest.raises(UsageError, match="sharp: samples must be a whole number from 0 to 10000"):
        parse_strategies(strategy, 2)


def test_options_behind_a_name():
    strategy = load_strategy("sharp:aim=win:samples=7")
    assert (strategy.samples, strategy.aim) == (7, "win")
    assert strategy.name == "sharp:aim=win:samples=7"
    assert strategy.weights == load_strategy("normal").weights


def test_two_threads_equal_one():
    rules = load_variant("pagat-draw").rules(3)
    study = Study(rules, parse_strategies("sharp:samples=2", 3), 36)
    two = ThreadsExecutor()
    two.workers = 2
    size = rounds(50, 1)
    chunks = [range(start, start + size) for start in range(0, 4 * size, size)]
    played = two.play(lambda chunk: tally_rounds(study, chunk.start, chunk.stop), chunks)
    *_, last = _sums(played)
    for name, one, other in zip(Tally._fields, last, tally_rounds(study, 0, 4 * size), strict=True):
        assert np.array_equal(one, other), name


def _sums(tallies):
    total = None
    for tally in tallies:
        total = tally if total is None else merge(total, tally)
        yield total
