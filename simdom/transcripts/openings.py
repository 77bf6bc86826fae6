"""Who may lead a round, and with what: the opening rule, held against what is known of the deal."""

from typing import NamedTuple

from simdom.rules import NoDouble, Opening, Rules, asks_for_double
from simdom.tiles import tile_id, tile_name, tile_of
from simdom.transcripts.places import Places

__all__ = ["WrongLead", "check_lead", "find_misdeal", "order_of_leads"]


class WrongLead(NamedTuple):
    """What is wrong with a lead, and what was allowed, as turns are written; empty if unknown."""

    message: str
    allowed: list[str]


def find_misdeal(rules: Rules, places: Places) -> int | None:
    """The seat whose hand should have been dealt again for its doubles; None if none is known."""
    if not rules.misdeal:
        return None
    for seat in range(rules.players):
        doubles = sum(tile_of(tile).is_double for tile in places.holds(seat))
        if doubles >= rules.misdeal:
            return seat
    return None


def check_lead(rules: Rules, places: Places, seat: int, tile: int) -> WrongLead | None:
    """What is wrong with a seat's lead of a tile that it may hold; None if nothing is known to be.

    ``places`` learns what a right lead says of the deal. Nothing of it has been played.
    """
    if rules.opening == Opening.LOT or (rules.opening == Opening.FIRST_SEAT and seat == 0):
        return None
    if rules.opening == Opening.FIRST_SEAT:
        return WrongLead("seat 0 leads", _leads(places, 0))
    order = order_of_leads(rules)
    if rules.opening == Opening.HOLDER_LEADS_ANY:
        return _check_holder(rules, places, seat, order)
    if rules.opening == Opening.NAMED_DOUBLE and not asks_for_double(rules) and tile != order[0]:
        # The named double was not dealt, and a seat by lot leads any tile.
        before, is_right = order, places.put_in_boneyard(order)
    else:
        before = order[: order.index(tile)] if tile in order else order
        is_right = tile in order and places.put_in_boneyard(before) and places.give(seat, tile)
    return None if is_right else _wrong(rules, places, before, "leads it")


def order_of_leads(rules: Rules) -> list[int]:
    """The tiles that make their holder the opener, the first dealt one of them counts."""
    numbers = list(range(rules.max_pip, -1, -1))
    if rules.opening == Opening.NAMED_DOUBLE:
        named = rules.named_double
        if not asks_for_double(rules):
            return [tile_id(named, named)]
        numbers = [*range(named, -1, -1), *range(rules.max_pip, named, -1)]
    order = [tile_id(number, number) for number in numbers]
    if rules.no_double == NoDouble.HEAVIEST_TILE:
        order += sorted(
            (tile for tile in range(rules.tiles) if not tile_of(tile).is_double),
            key=lambda tile: (-tile_of(tile).pips, -tile_of(tile).high),
        )
    return order


def _check_holder(rules: Rules, places: Places, seat: int, order: list[int]) -> WrongLead | None:
    """As `check_lead`, where the holder of the first tile of ``order`` leads any tile."""
    for number, tile in enumerate(order):
        saved = places.save()
        is_possible = places.put_in_boneyard(order[:number]) and places.give(seat, tile)
        places.restore(saved)  # it may be another tile of the order that made the seat the opener
        if is_possible:
            return None
        if places.holder_of(tile) is not None:
            break  # and nothing that comes later in the order does
    return _wrong(rules, places, order, "leads any tile")


def _wrong(rules: Rules, places: Places, order: list[int], what: str) -> WrongLead:
    """The first tile of ``order`` that somebody certainly holds should have decided."""
    for tile in order:
        holder = places.holder_of(tile)
        if holder is None:
            continue
        name = tile_name(tile)
        kind = "highest double" if tile_of(tile).is_double else "heaviest tile"
        if rules.opening == Opening.NAMED_DOUBLE and tile_of(tile).is_double:
            kind = "double that opens"
        allowed = [f"{holder}: {name}"] if what == "leads it" else _leads(places, holder)
        return WrongLead(f"seat {holder} holds {name}, the {kind}, and {what}", allowed)
    if rules.no_double == NoDouble.REDEAL and asks_for_double(rules):
        return WrongLead("only a double opens, and without one all tiles are dealt again", [])
    return WrongLead("another tile that was dealt opens before this one", [])


def _leads(places: Places, seat: int) -> list[str]:
    return [f"{seat}: {tile_name(tile)}" for tile in places.holds(seat)]
