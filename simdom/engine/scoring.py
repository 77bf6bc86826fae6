"""The end of a round: who wins it, and what that is worth under each published scoring."""

from typing import Any

from simdom.engine.hands import pips_of, row_of
from simdom.engine.streams import U64, compiled, compiled_for_all
from simdom.rules import BlockScore, BlockTie

__all__ = ["NOBODY", "count_pips", "score", "score_of", "winner_of_block"]

NOBODY = -1
ALL_SCORES = len(BlockScore)

MINUS_OWN = int(BlockScore.MINUS_OWN)
OTHERS = int(BlockScore.OTHERS)
ALL_HANDS = int(BlockScore.ALL_HANDS)
OPENER = int(BlockTie.OPENER)
LIGHTEST_TILE = int(BlockTie.LIGHTEST_TILE)

_1 = U64(1)


@compiled
def count_pips(hands: Any, rules: Any, pips: Any) -> None:
    """Count the pips left in each hand into ``pips``. Modified in place."""
    for seat in range(rules.players):
        pips[seat] = pips_of(
            hands, U64(seat), rules.max_pip + 1, rules.double_blank_pips, rules.blank_pips
        )


@compiled
def winner_of_block(hands: Any, pips: Any, opener: Any, rules: Any) -> Any:
    """(winner, pips of the lightest hand) of a blocked round; the winner is -1 for nobody."""
    least = pips[0]
    winner = 0
    tied = 1
    for seat in range(1, rules.players):
        if pips[seat] < least:
            least = pips[seat]
            winner = seat
            tied = 1
        elif pips[seat] == least:
            tied += 1
    if tied == 1:
        return winner, least
    if rules.block_tie == OPENER and pips[opener] == least:
        return opener, least
    if rules.block_tie == LIGHTEST_TILE:
        return holder_of_lightest(hands, pips, least, rules), least
    return NOBODY, least


@compiled
def holder_of_lightest(hands: Any, pips: Any, least: Any, rules: Any) -> Any:
    """Among the seats with ``least`` pips, the one with the lightest single tile; -1 if tied."""
    lightest = 1 << 30
    holder = NOBODY
    for seat in range(rules.players):
        if pips[seat] != least:
            continue
        tile = lightest_tile(hands, U64(seat), rules)
        if tile < lightest:
            lightest = tile
            holder = seat
        elif tile == lightest:
            holder = NOBODY
    return holder


@compiled
def lightest_tile(hands: Any, seat: Any, rules: Any) -> Any:
    """Pips that the lightest tile of a hand counts (int64)."""
    lightest = 1 << 30
    for high in range(rules.max_pip + 1):
        for low in range(high + 1):
            if (row_of(hands, seat, U64(high)) >> U64(low)) & _1:
                counted = low + high
                if low == 0:
                    counted += rules.double_blank_pips if high == 0 else rules.blank_pips
                lightest = min(lightest, counted)
    return lightest


def score(block_score: Any, total: Any, own: Any, players: Any) -> Any:
    """What the winner scores when all hands count ``total`` pips and its own counts ``own``."""
    if block_score == MINUS_OWN:
        return total - own - own
    if block_score == OTHERS:
        return total - own
    if block_score == ALL_HANDS:
        return total
    return total - players * own


score_of = compiled_for_all(score)
