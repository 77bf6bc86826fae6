"""Every deal that agrees with what a seat has seen of a round, found by trying all of them.

Nothing is counted cleverly: each deal and each order in which the others may have drawn is laid out
at the oracle's table and replayed turn by turn.
"""

from collections.abc import Iterator
from itertools import combinations, permutations
from math import comb, perm

from oracle import Table, Tile, begin_turn, full_set, has_named_only, is_thrown_in, opening_seat
from simdom.rules import Opening, Rules
from traces import Round

Found = tuple[Table, list[list[Tile]], list[Tile]]
"""The table before a turn, the hands as they were dealt, and the boneyard as it was."""


def deals_to_try(rules: Rules, played: Round, cut: int, seat: int) -> int:
    """How many `agreeing_deals` tries."""
    drawn = sum(len(turn.draws) for turn in played.turns[:cut])
    own = sum(len(turn.draws) for turn in played.turns[:cut] if turn.seat == seat)
    hidden = len(full_set(rules.max_pip)) - rules.deal - own
    ways = 1
    for _ in range(rules.players - 1):
        ways *= comb(hidden, rules.deal)
        hidden -= rules.deal
    return ways * perm(hidden, drawn - own)


def agreeing_deals(rules: Rules, played: Round, cut: int, seat: int) -> Iterator[Found]:
    """All that agree with what ``seat`` sees of the turns before ``cut``, counted from 0."""
    for hands, boneyard in _decks(rules, played, cut, seat):
        table = Table(rules, [list(hand) for hand in hands], list(boneyard), played.opener)
        is_dealt = not is_thrown_in(rules, hands) and _opens_so(rules, hands, played)
        if is_dealt and _replays(table, played, cut):
            yield table, hands, boneyard


def _decks(
    rules: Rules, played: Round, cut: int, seat: int
) -> Iterator[tuple[list[list[Tile]], list[Tile]]]:
    own_draws, draws = {}, 0
    for turn in played.turns[:cut]:
        for tile in turn.draws:
            if turn.seat == seat:
                own_draws[draws] = tile
            draws += 1
    own = {*played.deal[seat], *own_draws.values()}
    hidden = [tile for tile in full_set(rules.max_pip) if tile not in own]
    for others in _dealt(hidden, rules.players - 1, rules.deal):
        taken = {tile for hand in others for tile in hand}
        rest = [tile for tile in hidden if tile not in taken]
        for drawn in permutations(rest, draws - len(own_draws)):
            order = iter(drawn)
            boneyard = [own_draws[at] if at in own_draws else next(order) for at in range(draws)]
            boneyard += [tile for tile in rest if tile not in drawn]
            hands = [list(hand) for hand in others]
            hands.insert(seat, list(played.deal[seat]))
            yield hands, boneyard


def _dealt(tiles: list[Tile], seats: int, size: int) -> Iterator[list[tuple[Tile, ...]]]:
    if seats == 0:
        yield []
        return
    for hand in combinations(tiles, size):
        rest = [tile for tile in tiles if tile not in hand]
        for others in _dealt(rest, seats - 1, size):
            yield [hand, *others]


def _opens_so(rules: Rules, hands: list[list[Tile]], played: Round) -> bool:
    """Whether the same seat opens, by the same tile if a tile decides it."""
    if rules.opening in (Opening.LOT, Opening.FIRST_SEAT):
        return True
    if has_named_only(rules):
        named = (rules.named_double, rules.named_double)
        holders = [seat for seat, hand in enumerate(hands) if named in hand]
        led = played.turns[0].tile
        return (holders == [played.opener]) if led == named else not holders
    named_only = rules.named_double if rules.opening == Opening.NAMED_DOUBLE else None
    return opening_seat(hands, named_only) == opening_seat(played.deal, named_only)


def _replays(table: Table, played: Round, cut: int) -> bool:
    """Whether all would see the same of the turns before ``cut``. Modifies the table."""
    for shown in played.turns[:cut]:
        if table.ending is not None:
            return False
        drawn, plays = begin_turn(table)
        if len(drawn) != len(shown.draws) or plays != (shown.tile is not None):
            return False
        if shown.tile is None:
            table.pass_turn()
            continue
        placement = shown.tile, shown.end or 0
        if placement not in table.options() or (drawn and drawn[-1] != shown.tile):
            return False
        table.place(placement)
    return table.ending is None
