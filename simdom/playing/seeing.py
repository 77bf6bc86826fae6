"""What a person sees from their seat: the turns, their own tiles, and of the others only how many.

Nothing here holds a tile that the person may not know.
"""

from collections.abc import Sequence
from typing import NamedTuple

from simdom.hooks import View
from simdom.playing.asking import Placement, Replay
from simdom.rounds import Turn
from simdom.tiles import tile_id, tile_of

__all__ = ["Question", "SeenTurn", "line_after", "see_question", "see_turns"]


class SeenTurn(NamedTuple):
    """What everybody sees of a turn, and the person of their own.

    Attributes:
        seat: who.
        drawn: how many tiles were drawn.
        draws: which; None if they are not the person's.
        placement: None for a pass.
        ends: the open ends after the turn.
        is_forced: whether the person had nothing to choose; False for the others' turns.
    """

    seat: int
    drawn: int
    draws: tuple[int, ...] | None
    placement: Placement | None
    ends: tuple[int, int]
    is_forced: bool


class Question(NamedTuple):
    """The table when the person is to choose.

    Attributes:
        turns: of the round so far.
        draws: what the person has drawn in this turn.
        hand: their tiles, those drawn included, by id.
        line: the tiles from end 0 to end 1, each as (tile, its number towards end 0).
        ends: the open ends; None before the lead.
        held: tiles in each hand.
        boneyard: tiles in it, those included that are never drawn.
        drawable: those that may still be drawn.
        placements: what they may choose; more than one.
    """

    turns: tuple[SeenTurn, ...]
    draws: tuple[int, ...]
    hand: tuple[int, ...]
    line: list[tuple[int, int]]
    ends: tuple[int, int] | None
    held: tuple[int, ...]
    boneyard: int
    drawable: int
    placements: list[Placement]


def see_turns(turns: Sequence[Turn], seat: int, asked_at: frozenset[int]) -> tuple[SeenTurn, ...]:
    """Turns as the person at ``seat`` sees them, who was asked when so many tiles lay."""
    seen = []
    laid = 0
    for turn in turns:
        is_own = turn.seat == seat
        placement = None if turn.tile is None else Placement(turn.tile, turn.number)
        seen.append(
            SeenTurn(
                turn.seat,
                len(turn.draws),
                tuple(turn.draws) if is_own else None,
                placement,
                turn.ends,
                is_forced=is_own and placement is not None and laid not in asked_at,
            )
        )
        laid += placement is not None
    return tuple(seen)


def see_question(turns: Sequence[Turn], view: View, seat: int, replay: Replay) -> Question:
    """What the person at ``seat`` is asked.

    Args:
        turns: of the whole round, of which those from the question on are made up.
        view: what the engine tells the seat.
        seat: the person's.
        replay: of the round.
    """
    laid = len(view.line)
    placing = [number for number, turn in enumerate(turns) if turn.tile is not None]
    at = placing[laid]  # the turn that is asked for
    is_lead = laid == 0
    return Question(
        turns=see_turns(turns[:at], seat, replay.asked_at),
        draws=tuple(turns[at].draws),
        hand=tuple(tile_id(low, high) for low, high in view.hand.tolist()),
        line=line_after(turns[:at]),
        ends=None if is_lead else (int(view.end_0), int(view.end_1)),
        held=tuple(view.hand_sizes.tolist()),
        boneyard=int(view.boneyard),
        drawable=int(view.drawable),
        placements=replay.placements,
    )


def line_after(turns: Sequence[Turn]) -> list[tuple[int, int]]:
    """The line as it lies, each tile as (tile, its number towards end 0)."""
    line: list[tuple[int, int]] = []
    for turn in turns:
        if turn.tile is None:
            continue
        low, high = tile_of(turn.tile)
        if turn.number is None:
            line.append((turn.tile, low))
        elif turn.end == 0:
            line.insert(0, (turn.tile, high if turn.number == low else low))
        else:
            line.append((turn.tile, turn.number))
    return line
