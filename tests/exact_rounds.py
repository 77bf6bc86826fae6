"""All rounds of a tiny set, walked with fractions: what the oracle's rules imply, exactly."""

from collections import Counter
from fractions import Fraction

from oracle import Table, Tile, full_set, opening_seat
from plain_scoring import scores_of, winner_of
from simdom.rules import BlockScore, Rules

EXACT = ("blocked", "tie", "opener_wins", "points_minus_own", "plays", "draws")


def exact_values(rules: Rules, ties: str = "placements") -> dict[str, Fraction]:
    """Exact rates and means of a tiny two-player set under uniform play.

    Walks every deal, every choice and every draw of `Table`; seat 0 opens. ``ties`` says what a
    choice is uniform over: "placements", or "tiles" and then the ends of the tile.
    """
    # What was played last, or before, is not remembered; so no rule may ask for it.
    basic = Rules(rules.max_pip, 2, rules.deal, rules.boneyard, rules.reserve)
    assert rules == basic
    tiles = full_set(rules.max_pip)
    memo: dict[object, list[Fraction]] = {}
    total = [Fraction(0)] * len(EXACT)
    deals = 0
    for first in _subsets(tiles, rules.deal):
        rest = [tile for tile in tiles if tile not in first]
        for second in _subsets(rest, rules.deal):
            boneyard = [tile for tile in rest if tile not in second]
            opener, tile = opening_seat([first, second])
            if opener == 1:
                continue  # the same round as with the hands exchanged, where seat 0 opens
            table = Table(rules, [list(first), list(second)], boneyard, opener)
            table.place((tile, 0))
            value = _expected(table, ties, memo)
            total = [a + b for a, b in zip(total, value, strict=True)]
            deals += 1
    values = dict(zip(EXACT, (value / deals for value in total), strict=True))
    values["plays"] += 1  # the lead
    values["second_wins"] = 1 - values["tie"] - values["opener_wins"]
    return values


def _subsets(tiles: list[Tile], size: int) -> list[list[Tile]]:
    if size == 0:
        return [[]]
    if len(tiles) < size:
        return []
    with_first = [[tiles[0], *rest] for rest in _subsets(tiles[1:], size - 1)]
    return with_first + _subsets(tiles[1:], size)


def _expected(
    table: Table, ties: str, memo: dict[object, list[Fraction]], drawn: int = 0
) -> list[Fraction]:
    """The means of `EXACT` over the rest of the round, plays and draws from here on."""
    if table.ending is not None:
        ended = table.ended(opener=0)
        winner = winner_of(ended)
        points = scores_of(ended)[BlockScore.MINUS_OWN]
        ended = [table.ending == "blocked", winner is None, winner == 0, points, 0, 0]
        return [Fraction(int(value)) for value in ended]
    assert table.ends is not None
    held = tuple(frozenset(tiles) for tiles in (*table.hands, table.boneyard))
    key = (held, *sorted(table.ends), table.seat, table.closing, drawn)
    if key not in memo:
        value = [Fraction(0)] * len(EXACT)
        for share, after, plays, draws in _branches(table, drawn, ties):
            rest = _expected(after, ties, memo, drawn + 1 if draws else 0)
            rest = [*rest[:4], rest[4] + plays, rest[5] + draws]
            value = [a + share * b for a, b in zip(value, rest, strict=True)]
        memo[key] = value
    return memo[key]


def _branches(table: Table, drawn: int, ties: str) -> list[tuple[Fraction, Table, int, int]]:
    """(probability, table after, tiles played, tiles drawn) of what may come next."""
    branches = []
    if table.must_draw(drawn):
        for place in range(len(table.boneyard)):
            after = table.copy()
            after.draw(place)
            branches.append((Fraction(1, len(table.boneyard)), after, 0, 1))
    elif table.may_place(drawn):
        options = table.options()
        times = Counter(tile for tile, _ in options)
        for tile, end in options:
            after = table.copy()
            after.place((tile, end))
            by_tile = Fraction(1, len(times) * times[tile])
            share = by_tile if ties == "tiles" else Fraction(1, len(options))
            branches.append((share, after, 1, 0))
    else:
        after = table.copy()
        after.pass_turn()
        branches.append((Fraction(1), after, 0, 0))
    return branches
