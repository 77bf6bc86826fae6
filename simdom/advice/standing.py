"""How a round stands for one seat: all that it may know, and nothing that it may not.

What a transcript says of other hands, of tiles that others drew, and of the boneyard is taken out
first; then the referee goes through what is left. So nothing hidden can reach an answer, but for
one thing that is said aloud at the table: where the holder of the highest double leads any tile,
which double that was.
"""

from dataclasses import dataclass, replace

from simdom.counts import check_whole
from simdom.engine.asides import Scene
from simdom.engine.think import DECIDES, IS_MISSING
from simdom.errors import RunError, UsageError
from simdom.rules import NamedMissing, Opening, Rules
from simdom.tiles import tile_id
from simdom.transcripts.judging import JudgedRound, judge_round
from simdom.transcripts.openings import order_of_leads
from simdom.transcripts.referee import judge, leaders_of
from simdom.transcripts.table import ONE_DRAW, KnownTable
from simdom.transcripts.transcript import Tiles, Transcript, WrittenRound, WrittenTurn

__all__ = ["Standing", "take_standing"]


@dataclass(frozen=True)
class Standing:
    """How a round stands, as one seat sees it.

    Attributes:
        transcript: the round alone, without what the seat may not know.
        seat: who asks.
        to_move: whose turn it is; None before the lead, where that is not known.
        hand: the tiles that the seat holds, by id.
        table: as the referee sees it from there.
        turns: so far.
        scene: the same for the engine.
        assumes: what is taken for granted besides the rules; empty if nothing is.
    """

    transcript: Transcript
    seat: int
    to_move: int | None
    hand: tuple[int, ...]
    table: KnownTable
    turns: tuple[WrittenTurn, ...]
    scene: Scene
    assumes: str

    @property
    def rules(self) -> Rules:
        """Of the round."""
        return self.transcript.rules

    @property
    def others(self) -> list[int]:
        """The other seats in turn order, the next one first."""
        players = self.rules.players
        return [(self.seat + step) % players for step in range(1, players)]

    @property
    def may_draw(self) -> bool:
        """Whether the seat must draw before it may pass."""
        return self.table.drawable > 0

    @property
    def draws_once(self) -> bool:
        """Whether one tile is drawn in a turn."""
        return self.rules.boneyard in ONE_DRAW

    def name(self, seat: int) -> str:
        """The seat as people call it."""
        return self.transcript.name_of(seat)

    def where(self, number: int) -> str:
        """Where turn ``number``, from 0, is written."""
        line = self.turns[number].line
        return f"line {line}" if line else f"turn {number + 1}"


def take_standing(
    transcript: Transcript, seat: object, turn: object = None, source: str = "FILE"
) -> Standing:
    """How the last round of a transcript stands for a seat.

    Args:
        transcript: legal as far as it goes.
        seat: whose knowledge it is.
        turn: the turn of that round, from 1, before which it is looked at; None for after all.
        source: the name of its file, for errors.

    Raises:
        UsageError: no such seat or turn; the round is over; it is not known from this seat's side
            whether it is; the seat's own hand is not known.
        RunError: the transcript is not legal.
    """
    seat = check_whole("seat", seat, 0, transcript.rules.players - 1)
    if turn is not None:
        transcript = _cut(transcript, turn)
    report = judge(transcript)
    if report.problems:
        first = report.problems[0]
        where = f"line {first.line}: " if first.line else ""
        raise RunError(
            f"{source} is not legal: {where}{first.message} (see `simdom referee {source}`)"
        )
    number = len(report.rounds) - 1
    leaders, by_rule = leaders_of(transcript, number, report.rounds[:-1])
    judged = report.rounds[-1]
    _check_open(transcript, judged)
    own = _only_known(transcript, seat)
    table = judge_round(own, 0, leaders, by_rule=by_rule).table
    _check_known(own, table, seat)
    opening = _Opening(own, transcript.rounds[-1], seat, leaders, by_rule=by_rule)
    return Standing(
        transcript=own,
        seat=seat,
        to_move=opening.leader if table.seat is None else table.seat,
        hand=tuple(table.places.holds(seat)),
        table=table,
        turns=own.rounds[0].turns,
        scene=_scene(own, judged, table, seat, opening),
        assumes=opening.assumes,
    )


def _cut(transcript: Transcript, turn: object) -> Transcript:
    """The transcript up to a turn of its last round."""
    *before, last = transcript.rounds
    at = check_whole("turn", turn, 1, len(last.turns) + 1) - 1
    last = replace(last, turns=last.turns[:at], ending=None, score=None)
    return replace(transcript, rounds=(*before, last))


def _check_open(transcript: Transcript, judged: JudgedRound) -> None:
    if judged.end == "blocked":
        raise UsageError("the round is over: it is blocked (--turn N goes back to turn N)")
    if judged.end is not None:
        who = transcript.name_of(judged.table.last.seat) if judged.table.last else "a seat"
        raise UsageError(f"the round is over: {who} is out (--turn N goes back to turn N)")


def _only_known(transcript: Transcript, seat: int) -> Transcript:
    """The last round alone, without what the seat may not know."""
    written = transcript.rounds[-1]
    turns = (
        turn if turn.seat == seat else replace(turn, draws=(None,) * len(turn.draws))
        for turn in written.turns
    )
    hands = (hand if owner == seat else None for owner, hand in enumerate(written.hands))
    known: WrittenRound = replace(
        written, hands=tuple(hands), boneyard=None, turns=tuple(turns), ending=None
    )
    return replace(transcript, rounds=(known,))


def _check_known(own: Transcript, table: KnownTable, seat: int) -> None:
    name = own.name_of(seat)
    if not table.is_known(seat):
        raise UsageError(
            f"the hand of {name} is not known: write `hand {seat}: ...`, and what it draws"
        )
    if table.closing[1] == own.rules.players:
        raise UsageError(
            f"{name} cannot know whether the round goes on: that depends on the last tile drawn"
        )


class _Opening:
    """Who leads or led, and what that says of the deal.

    Attributes:
        leader: who leads, before the lead.
        decider, by_tile: as in `Scene`.
        assumes: what is taken for granted; empty if nothing is.
    """

    def __init__(
        self,
        own: Transcript,
        written: WrittenRound,
        seat: int,
        leaders: list[int] | None,
        *,
        by_rule: bool,
    ) -> None:
        """``written`` is all that is known of the round, and ``own`` what the seat knows."""
        self.own, self.rules, self.seat = own, own.rules, seat
        self.leader: int | None = None
        self.decider, self.by_tile = 0, 0
        self.assumes = ""
        is_by_rule = leaders is None and by_rule
        if not written.turns:
            self._before(leaders, is_by_rule=is_by_rule)
        elif is_by_rule:
            self._after(written)

    def _before(self, leaders: list[int] | None, *, is_by_rule: bool) -> None:
        opening, name = self.rules.opening, self.own.name_of(self.seat)
        if is_by_rule and opening == Opening.FIRST_SEAT:
            leaders = [0]
        if leaders is not None:
            is_one = self.seat in leaders
            self.leader = self.seat if is_one else leaders[0]
            self.assumes = f"{name} leads" if is_one and len(leaders) > 1 else ""
            return
        self.leader, self.assumes = self.seat, f"{name} leads"
        if not is_by_rule or opening == Opening.LOT:
            return
        order = order_of_leads(self.rules)
        hand = self.own.rounds[0].hands[self.seat] or ()
        first = next((tile for tile in order if tile in hand), None)
        if first is not None:
            self.decider, self.by_tile = first, DECIDES
            self.assumes = "" if first == order[0] else self.assumes
        elif opening == Opening.NAMED_DOUBLE and len(order) == 1:
            self.decider, self.by_tile = order[0], IS_MISSING
        else:
            self.leader, self.assumes = None, ""

    def _after(self, written: WrittenRound) -> None:
        rules, lead = self.rules, written.turns[0]
        led = lead.tile
        if led is None or rules.opening in (Opening.LOT, Opening.FIRST_SEAT):
            return
        self.decider, self.by_tile = led, DECIDES
        if rules.opening == Opening.NAMED_DOUBLE:
            named = tile_id(rules.named_double, rules.named_double)
            if rules.named_missing != NamedMissing.NEXT_DOUBLE and led != named:
                self.decider, self.by_tile = named, IS_MISSING
        elif rules.opening == Opening.HOLDER_LEADS_ANY:
            self._after_any(written.hands[lead.seat] or (None,))

    def _after_any(self, dealt: Tiles) -> None:
        """The tile that gave the lead was said aloud: it is known if the opener's hand is."""
        if None not in dealt:
            self.decider = next(tile for tile in order_of_leads(self.rules) if tile in dealt)
        else:
            self.decider, self.by_tile = 0, 0
            self.assumes = "nothing is learnt from who led: which tile gave the lead is not known"


def _scene(
    own: Transcript, judged: JudgedRound, table: KnownTable, seat: int, opening: _Opening
) -> Scene:
    turns = [
        (turn.seat, len(turn.draws), -1 if turn.tile is None else turn.tile, step.ends)
        for turn, step in zip(own.rounds[0].turns, judged.steps, strict=True)
    ]
    leader = seat if opening.leader is None else opening.leader
    return Scene(
        rules=own.rules,
        seat=seat,
        opener=leader if table.opener is None else table.opener,
        decider=opening.decider,
        by_tile=opening.by_tile,
        turns=turns,
        hand=table.places.holds(seat),
        held=table.held,
        closing=table.closing[0],
        last=-1 if table.last is None else table.last.seat,
        pass_rounds=table.pass_rounds,
    )
