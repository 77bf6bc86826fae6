"""Who sits where when two strategies meet, so that both get every hand.

Deals are played in pairs of seatings: in the second of a pair, whoever plays a in the first plays
b, and the other way round. So each hand is played once by a and once by b, from the same place and
against as many of the other. The pairs are all rotations of one seating. For two players these
are two seatings, ab and ba; for four, abab and baba; for three, aba, aab and baa with their swaps,
so that each is once alone against two, in every place, and once two against one.
"""

from simdom.errors import UsageError, brief

__all__ = ["A", "B", "Seating", "find_seatings", "names_at"]

A, B = "ab"
_SWAP = str.maketrans(A + B, B + A)

Seating = str
"""A letter for each seat, seat 0 first: who plays there, ``a`` or ``b``."""


def find_seatings(players: int, seats: str | None = None) -> list[tuple[Seating, Seating]]:
    """All pairs of seatings that a deal is played in, each seating once.

    Args:
        players: seats at the table.
        seats: one seating, such as ``"aabb"``, that the others follow from; None alternates.

    Raises:
        UsageError: not one letter, a or b, for each seat; only one of the two has a seat.

    >>> find_seatings(2), find_seatings(4)
    ([('ab', 'ba')], [('abab', 'baba')])
    >>> find_seatings(3)
    [('aba', 'bab'), ('aab', 'bba'), ('baa', 'abb')]
    """
    first = ((A + B) * players)[:players] if seats is None else _check_seats(seats, players)
    pairs: list[tuple[Seating, Seating]] = []
    for turn in range(players):
        seating = first[-turn:] + first[:-turn] if turn else first
        if not any(seating in pair for pair in pairs):
            pairs.append((seating, seating.translate(_SWAP)))
    return pairs


def _check_seats(written: object, players: int) -> Seating:
    if not isinstance(written, str):
        raise UsageError(f"seats must be letters, such as 'aabb', not {brief(written)}")
    seats = written.replace(",", "").lower()
    if len(seats) != players:
        has = "1 seat" if len(seats) == 1 else f"{len(seats)} seats"
        raise UsageError(
            f"seats {brief(seats)} fill {has} at a table of {players}: one letter a seat"
        )
    if set(seats) != {A, B}:
        example = ((A + B) * players)[:players]
        raise UsageError(
            f"seats {brief(seats)} must be letters {A} and {B}, both, such as {example}"
        )
    return seats


def names_at(seating: Seating, names: tuple[str, str]) -> list[str]:
    """The names of the seats' strategies, seat 0 first."""
    return [names[(A + B).index(letter)] for letter in seating]
