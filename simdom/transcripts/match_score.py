"""The score of a match, round by round, by the rules of a variant; and who leads next.

The engine counts matches by the million in `simdom.engine.matches`; here one is counted from what
is known of its rounds.
"""

from collections.abc import Sequence

from simdom.rules import (
    BlockTie,
    LaterLead,
    OthersPoints,
    Overshoot,
    Rules,
    Teams,
    TieLead,
    side_of_seat,
)

__all__ = ["MatchScore", "next_leaders"]


class MatchScore:
    """Points by side, as far as they are known.

    Attributes:
        points: None once a round's are not known.
        winner: the side that has won the match; None before.
    """

    def __init__(
        self, rules: Rules, target: int | None, points: Sequence[int] | None, played: int = 0
    ) -> None:
        """A match of which so many rounds have been ``played``, and which stands at ``points``."""
        self.rules, self.target, self.played = rules, target, played
        self.points: list[int] | None = None if points is None else list(points)
        self.winner: int | None = None
        self._factor = 1

    def count(self, winner: int | None, gained: Sequence[int] | None) -> None:
        """Count a round; modified in place.

        Args:
            winner: of the round, a seat; None for nobody.
            gained: points that each seat gained; None if that is not known.
        """
        rules = self.rules
        factor, self._factor = self._factor, 1
        if winner is None and rules.block_tie == BlockTie.REPLAY_DOUBLE:
            self._factor = 2
        early = rules.early_rounds - self.played
        self.played += 1
        if self.points is None or gained is None:
            self.points = None
            return
        sides = [0] * rules.sides
        for seat, points in enumerate(gained):
            sides[side_of_seat(rules, seat)] += factor * points
        winning = None if winner is None else side_of_seat(rules, winner)
        if winning is not None and early > 0:
            sides[winning] += rules.early_bonus * early // rules.early_rounds
        for side, more in enumerate(sides):
            self._add(side, more, winning)
        self._look_for_winner()

    def set(self, points: Sequence[int]) -> None:
        """Take a score that is written, where none was known; modified in place."""
        self.points = list(points)
        self._look_for_winner()

    def _add(self, side: int, more: int, winning: int | None) -> None:
        assert self.points is not None  # noqa: S101 -- asked by `count`
        after = self.points[side] + more
        is_exact = self.rules.overshoot == Overshoot.IS_LOST and self.target is not None
        if winning not in (None, side) and self.rules.others_points == OthersPoints.RESET:
            self.points[side] = 0
        elif not is_exact or after <= (self.target or 0):
            self.points[side] = after

    def _look_for_winner(self) -> None:
        points = self.points or []
        most = max(points)
        if self.target is not None and most >= self.target and points.count(most) == 1:
            self.winner = points.index(most)


def next_leaders(
    rules: Rules, winner: int | None, opener: int, pips: Sequence[int] | None
) -> list[int] | None:
    """The seats of which one leads the next round of a match; None if it is opened like the first.

    Args:
        rules: of the match.
        winner: of the round before, a seat; None for nobody.
        opener: of that round.
        pips: left in each hand; None if they are not known, and then any opponent may have most.
    """
    following = (opener + 1) % rules.players
    if winner is None:
        ways = {TieLead.SAME_OPENER: [opener], TieLead.NEXT_SEAT: [following]}
        is_afresh = rules.block_tie == BlockTie.REPLAY_DOUBLE
        return None if is_afresh else ways.get(TieLead(rules.tie_lead))
    partner = (winner + 2) % rules.players
    return {
        LaterLead.AFRESH: None,
        LaterLead.WINNER: [winner],
        LaterLead.WINNING_TEAM: [winner, partner] if rules.teams == Teams.PAIRS else [winner],
        LaterLead.NEXT_SEAT: [following],
        LaterLead.SAME_OPENER: [opener],
        LaterLead.LOSER: _heaviest_opponents(rules, winner, pips),
    }[LaterLead(rules.later_lead)]


def _heaviest_opponents(rules: Rules, winner: int, pips: Sequence[int] | None) -> list[int]:
    """The opponent with most pips, of equal ones the first after the winner; or all of them."""
    in_turn = [(winner + after) % rules.players for after in range(1, rules.players)]
    own = side_of_seat(rules, winner)
    opponents = [seat for seat in in_turn if side_of_seat(rules, seat) != own]
    return opponents if pips is None else [max(opponents, key=lambda seat: pips[seat])]
