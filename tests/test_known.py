"""What seats are certain to lack, as functions see it, against the true hands of the same rounds.

Compiled or not, these tests see what the engine sees: a function that is asked writes down its
view, and the trace of the round says where every tile was then.
"""

import pytest

import simdom
from oracle import Tile
from scale import rounds
from simdom.rules import Boneyard, Rules, check_rules
from traces import Round, traced

RULES = [
    Rules(),
    Rules(boneyard=Boneyard.DRAW),
    Rules(boneyard=Boneyard.DRAW, reserve=2, players=3, deal=5),
    Rules(boneyard=Boneyard.DRAW_ONE_PLAY, players=4, deal=5),
    Rules(boneyard=Boneyard.DRAW_ONE_PASS),
    Rules(players=4, deal=6),
    Rules(max_pip=3, players=2, deal=3, boneyard=Boneyard.DRAW),
]

Seen = tuple[int, frozenset[Tile], frozenset[Tile], tuple[frozenset[int], ...]]
"""The seat, its hand, the line, and the numbers that each seat is certain to lack."""


def numbers_of(bits: int) -> frozenset[int]:
    return frozenset(number for number in range(bits.bit_length()) if bits >> number & 1)


def pairs(rows) -> frozenset[Tile]:
    return frozenset(map(tuple, rows.tolist()))


def seen_in(rules: Rules, index: int) -> tuple[Round, list[Seen]]:
    """A round, and what was seen at each choice."""
    seen: list[Seen] = []

    @simdom.strategy
    def watcher(view):
        lacks = tuple(numbers_of(int(bits)) for bits in view.lacks)
        seen.append((view.seat, pairs(view.hand), pairs(view.line), lacks))
        return int(view.chance * len(view.placements))

    return traced(rules, (watcher,) * rules.players, 11, index), seen


def true_states(rules: Rules, played: Round):
    """At every choice, all hands, and what seats lack by the rule in words.

    A seat that cannot play lacks both ends then. Tiles that it draws and keeps may show anything
    but the ends on which it was stuck; nothing at all is known of them if none may be played at
    once.
    """
    hands = [set(hand) for hand in played.deal]
    line: set[Tile] = set()
    lacks: list[frozenset[int]] = [frozenset()] * rules.players
    ends = None
    for turn in played.turns:
        seat = turn.seat
        if ends is not None and not any(set(ends) & set(tile) for tile in hands[seat]):
            kept = len(turn.draws) - (turn.tile is not None and bool(turn.draws))
            if not kept:
                lacks[seat] |= frozenset(ends)
            elif rules.boneyard == Boneyard.DRAW_ONE_PASS:
                lacks[seat] = frozenset()
            else:
                lacks[seat] = frozenset(ends)
        hands[seat] |= set(turn.draws)
        if turn.tile is not None:
            yield seat, [frozenset(hand) for hand in hands], frozenset(line), tuple(lacks)
            hands[seat].remove(turn.tile)
            line.add(turn.tile)
        ends = turn.ends


@pytest.mark.parametrize(
    "rules", RULES, ids=lambda r: f"D{r.max_pip}-{r.players}x{r.deal}-{r.boneyard.name.lower()}"
)
def test_what_is_certain_is_true_and_nothing_certain_is_forgotten(rules):
    rules = check_rules(rules)
    shown = 0
    for index in range(rounds(150, 30)):
        played, seen = seen_in(rules, index)
        states = true_states(rules, played)
        for seat, hand, line, lacks in seen:
            # Turns without a choice are not asked about.
            hands, expected = next(
                (hands, expected)
                for turn, hands, on_line, expected in states
                if (turn, hands[turn], on_line) == (seat, hand, line)
            )
            for other, numbers in enumerate(lacks):
                if other == seat:  # it may hold what it has just drawn to play it
                    continue
                assert not any(numbers & set(tile) for tile in hands[other])
                assert numbers == expected[other]
                shown += bool(numbers)
    assert shown
