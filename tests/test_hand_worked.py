"""Rounds worked out by hand, one for each rule set of the world, as its source would judge them.

The files of ``tests/data/hand_worked`` hold the deal, every move and the end; their comments do
the sums. Here a table of plain lists says whether the moves are legal, and the engine's judge is
held to who wins and what it scores.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from oracle import Table, Tile, full_set, is_double, is_thrown_in, placements
from preset_values import WORLD
from simdom.rules import Opening, Rules
from simdom.settling import Last, Settled, settle_round
from simdom.variants import load_variant

FILES = sorted((Path(__file__).parent / "data" / "hand_worked").glob("*.txt"))

GAINED = {"block-multi": [16, 4, 46, 0, 46], "cutthroat-twenty": [10, 0, 0, 10]}
"""What each seat gains where it is not all for the winner."""


@dataclass
class Written:
    """A round as it is written down."""

    variant: str = ""
    players: int = 0
    hands: list[list[Tile]] = field(default_factory=list)
    moves: list[tuple[int, Tile | None, int | None]] = field(default_factory=list)
    ending: str = ""
    winner: int | None = None
    points: int = 0


def as_tile(name: str) -> Tile:
    high, low = map(int, name.split("-"))
    return (low, high)


def read(path: Path) -> Written:
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    assert first == "simdom-transcript 1"
    written = Written()
    for line in lines:
        match re.split(r"[: ;]+", line):
            case ["#", *_]:
                pass
            case ["variant", name]:
                written.variant = name
            case ["players", count]:
                written.players = int(count)
            case ["hand", seat, *tiles]:
                assert int(seat) == len(written.hands)
                written.hands.append([as_tile(tile) for tile in tiles])
            case ["end", ending, "winner", winner, "points", points]:
                written.ending, written.points = ending, int(points)
                written.winner = None if winner == "none" else int(winner)
            case [seat, "pass"]:
                written.moves.append((int(seat), None, None))
            case [seat, tile]:
                written.moves.append((int(seat), as_tile(tile), None))
            case [seat, tile, "on", number]:
                written.moves.append((int(seat), as_tile(tile), int(number)))
            case _:
                pytest.fail(f"{path.name}: {line}")
    return written


def replay(written: Written, rules: Rules) -> tuple[list[list[Tile]], Last, list[int]]:
    """The hands left, the last tile, and how often each seat saw all others pass between moves.

    Every move must be legal at its turn, and the round over with the last one and not before.
    """
    table = Table(rules, [list(hand) for hand in written.hands], [], written.moves[0][0])
    last, previous, passed = Last(-1, -1, -1, None), None, 0
    rounds = [0] * rules.players
    for seat, tile, number in written.moves:
        assert table.ending is None
        assert table.seat == seat
        if tile is None:
            assert not table.options()
            passed += 1
            table.pass_turn()
            continue
        if table.ends is None:
            end, last = 0, Last(seat, *tile, None)
        else:
            assert number is not None
            end = table.ends.index(number)
            last = Last(seat, number, sum(tile) - number, table.ends[1 - end])
        assert (tile, end) in placements(table.hands[seat], table.ends)
        rounds[seat] += previous == seat and passed == rules.players - 1
        table.place((tile, end))
        previous, passed = seat, 0
    assert table.ending == written.ending
    return table.hands, last, rounds


def judge(written: Written, rules: Rules) -> Settled:
    left, last, rounds = replay(written, rules)
    ids = full_set(rules.max_pip)
    return settle_round(
        rules,
        [[ids.index(tile) for tile in hand] for hand in left],
        opener=written.moves[0][0],
        last=last,
        is_blocked=written.ending == "blocked",
        pass_rounds=rounds,
    )


def test_every_rule_set_of_the_world_has_a_round():
    assert [path.stem for path in FILES] == sorted(WORLD)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_deal_and_the_lead_are_those_of_the_rules(path):
    written = read(path)
    assert written.variant == path.stem
    rules = load_variant(written.variant).rules(written.players)
    dealt = [tile for hand in written.hands for tile in hand]
    assert len(written.hands) == rules.players
    assert {len(hand) for hand in written.hands} == {rules.deal}
    assert len(set(dealt)) == len(dealt)
    assert set(dealt) <= set(full_set(rules.max_pip))
    assert not is_thrown_in(rules, written.hands)
    opener, lead, _ = written.moves[0]
    assert lead in written.hands[opener]
    if rules.opening in (Opening.HIGHEST_DOUBLE, Opening.NAMED_DOUBLE):
        # The named double is the highest of the set, so that the next one down is the highest
        # that was dealt.
        assert rules.opening == Opening.HIGHEST_DOUBLE or rules.named_double == rules.max_pip
        assert lead == max(filter(is_double, dealt))
    else:
        assert rules.opening == Opening.LOT


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_end_is_judged_as_by_hand(path):
    written = read(path)
    settled = judge(written, load_variant(written.variant).rules(written.players))
    assert (settled.winner, settled.points) == (written.winner, written.points)
    if written.winner is not None and written.variant not in GAINED:
        assert settled.gained[written.winner] == written.points
        assert sum(settled.gained) == written.points
    else:
        assert settled.gained == GAINED[written.variant]


# What the same rounds come to by the rule that a source denies. The sums are in the files.
OTHERWISE = {
    "partner-pagat": ({"block_winner": "lightest_hand"}, 1, 41),
    "partner-spain": ({"block_score": "opponents"}, 2, 58),
    "cuban-nine": ({"block_score": "all_hands"}, 2, 321),
    "cuban-east": ({"block_tie": "blocker"}, 3, 9),
    "dominican-patio": ({"domino_score": "opponents"}, 2, 73),
    "dominican-club": ({"domino_score": "all_hands"}, 0, 33),
    "puerto-rico-500": ({"blank_out_points": 25}, 2, 48),
    "puerto-rico-200": ({"pip_steps": "from_21"}, 1, 8),
    "jamaican-partner": ({"block_winner": "lightest_team"}, 3, 1),
    "jamaican-cutthroat": ({"domino_score": "opponents"}, 2, 17),
    "brazilian-100": ({"block_tie": "void"}, None, 0),
    "brazilian-6": ({"crossed_points": 2}, 2, 4),
    "martinique-three": ({"block_score": "minus_own"}, 0, 52),
    "texas-doubles": ({"block_score": "all_hands"}, 1, 84),
    "block-8-minus": ({"domino_score": "flat"}, 0, 1),
    "block-multi": ({"block_tie": "void"}, None, 0),
    "cutthroat-twenty": ({"block_tie": "nearest"}, 0, 20),
}


@pytest.mark.parametrize("name", WORLD)
def test_another_rule_judges_otherwise(name):
    overrides, winner, points = OTHERWISE[name]
    written = read(Path(__file__).parent / "data" / "hand_worked" / f"{name}.txt")
    settled = judge(written, load_variant(name).rules(written.players, overrides))
    assert (settled.winner, settled.points) == (winner, points)
