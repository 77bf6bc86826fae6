"""One round of a transcript, judged turn by turn against the rules."""

from typing import NamedTuple, NoReturn

from simdom.rules import Boneyard
from simdom.settling import Settled, settle_round
from simdom.tiles import tile_name, tile_of
from simdom.transcripts.openings import check_lead, find_misdeal
from simdom.transcripts.table import ONE_DRAW, KnownTable, Step
from simdom.transcripts.transcript import Ending, Transcript, WrittenTurn, name_tiles

__all__ = ["JudgedRound", "Problem", "judge_round"]


class Problem(NamedTuple):
    """A rule that is broken, or something said that is not true.

    Attributes:
        line: of the transcript, from 1; 0 if it has no lines.
        round: its place in the transcript, from 0.
        turn: its place in the round, from 0; None if no turn is to blame.
        rule: one of `simdom.transcripts.referee.RULES`.
        message: what is wrong, in words.
        allowed: what could have been written there, as far as it is known.
    """

    line: int
    round: int
    turn: int | None
    rule: str
    message: str
    allowed: list[str]


class JudgedRound(NamedTuple):
    """What the referee says of a round.

    Attributes:
        problems: in the order in which they turn up.
        steps: the table after each turn that was judged.
        end: "domino" or "blocked"; None if the round is not over.
        winner: a seat; -1 for nobody; None if it is not known.
        settled: pips and points; None if they cannot be known.
        hands_left: what each seat certainly holds at the end.
        table: as it is left.
        unknown: what is not known of the deal, in words.
    """

    problems: list[Problem]
    steps: list[Step]
    end: str | None
    winner: int | None
    settled: Settled | None
    hands_left: list[list[int]]
    table: KnownTable
    unknown: list[str]


def judge_round(
    transcript: Transcript, number: int, leaders: list[int] | None = None, *, by_rule: bool = True
) -> JudgedRound:
    """Judge a round.

    A turn that breaks a rule but leaves no doubt about the table, such as a pass by a seat that
    could play, is noted, and the round goes on; else the turns after it are not judged.

    Args:
        transcript: that it is in.
        number: its place there, from 0.
        leaders: the seats that may lead, any tile they like; None for the rule of the opening.
        by_rule: whether that rule is known to hold; without it and ``leaders``, anybody may lead.
    """
    return _Judge(transcript, number).judge(leaders, by_rule=by_rule)


class _Stop(Exception):  # noqa: N818 -- no error: the rest of a round is not judged
    """Nothing certain can be said of the turns after this one."""


class _Judge:
    """Goes through a round once."""

    def __init__(self, transcript: Transcript, number: int) -> None:
        self.transcript, self.number = transcript, number
        self.rules = transcript.rules
        self.written = transcript.rounds[number]
        self.table = KnownTable(transcript, self.written)
        self.problems: list[Problem] = []
        self.steps: list[Step] = []
        self.end: str | None = None
        self.turn: WrittenTurn | None = None
        self.stuck_at: dict[tuple[int, int], str] = {}  # (seat, number) -> where it had none

    def judge(self, leaders: list[int] | None, *, by_rule: bool) -> JudgedRound:
        """Judge all that is written."""
        self._judge_deal()
        unknown = self._list_unknown()
        went_through = True
        try:
            for turn in self.written.turns:
                self.turn = turn
                self._judge_turn(turn, leaders, by_rule=by_rule)
                self.steps.append(self.table.step())
        except _Stop:
            went_through, self.end = False, None
        self.turn = None
        hands_left = [self.table.places.holds(seat) for seat in range(self.rules.players)]
        settled = self._settle(hands_left)
        winner = self._find_winner(settled)
        if went_through and self.written.ending is not None:
            self._judge_ending(self.written.ending, winner, settled)
        return JudgedRound(
            problems=self.problems,
            steps=self.steps,
            end=self.end,
            winner=winner,
            settled=settled,
            hands_left=hands_left,
            table=self.table,
            unknown=unknown,
        )

    # --- saying what is wrong

    def _note(
        self, rule: str, message: str, allowed: list[str] | None = None, *, line: int | None = None
    ) -> None:
        if line is None:
            line = self.turn.line if self.turn else self.written.line
        turn = len(self.steps) if self.turn else None
        self.problems.append(Problem(line, self.number, turn, rule, message, allowed or []))

    def _stop(self, rule: str, message: str, allowed: list[str] | None = None) -> NoReturn:
        self._note(rule, message, allowed)
        raise _Stop

    @property
    def _is_noted(self) -> bool:
        """Whether something is wrong with the turn already."""
        return any(problem.turn == len(self.steps) for problem in self.problems)

    def _name(self, seat: int | None) -> str:
        return "a seat" if seat is None else self.transcript.name_of(seat)

    def _list_unknown(self) -> list[str]:
        seats = [seat for seat in range(self.rules.players) if not self.table.is_known(seat)]
        hands = [f"the hand of {self._name(seat)}" for seat in seats]
        boneyard = self.written.boneyard or (None,) * self.rules.boneyard_size
        return hands + (["the boneyard"] if None in boneyard else [])

    # --- turn by turn

    def _judge_deal(self) -> None:
        seat = find_misdeal(self.rules, self.table.places)
        if seat is not None:
            doubles = f"{self.rules.misdeal} doubles or more"
            self._note("deal", f"{self._name(seat)} was dealt {doubles}: all is dealt again")

    def _judge_turn(self, turn: WrittenTurn, leaders: list[int] | None, *, by_rule: bool) -> None:
        if self.end is not None:
            self._stop("over", f"the round is over: {self._tell_end()}")
        if self.table.ends is None:
            self._judge_lead(turn, leaders, by_rule=by_rule)
        elif turn.seat != self.table.seat:
            seat = self.table.seat
            self._stop(
                "turn",
                f"it is the turn of {self._name(seat)}, not of {self._name(turn.seat)}",
                [] if seat is None else self.table.allowed(seat),
            )
        else:
            for number, tile in enumerate(turn.draws):
                self._judge_draw(turn.seat, number, tile)
            if turn.tile is None:
                self._judge_pass(turn)
            else:
                self._judge_placement(turn, turn.tile)
        if turn.ends is not None and sorted(turn.ends) != sorted(self.table.ends or ()):
            self._note("ends", f"the open ends are {self.table.open_ends} after this turn")

    def _tell_end(self) -> str:
        if self.end == "blocked":
            return "everybody has passed"
        return f"{self._name(self.table.last.seat if self.table.last else None)} is out"

    def _judge_lead(self, turn: WrittenTurn, leaders: list[int] | None, *, by_rule: bool) -> None:
        seat, tile = turn.seat, turn.tile
        if tile is None or turn.draws or turn.on is not None:
            self._stop("lead", "a round begins with a tile that is led, and placed on nothing")
        if leaders is not None and seat not in leaders:
            names = " or ".join(map(self._name, leaders))
            allowed = [turn for one in leaders for turn in self.table.allowed(one)]
            self._stop("leader", f"{names} leads this round", allowed)
        if not self.table.places.may_hold(seat, tile):
            self._stop("place", self._why_not_held(seat, tile), self.table.allowed(seat))
        if leaders is None and by_rule:
            wrong = check_lead(self.rules, self.table.places, seat, tile)
            if wrong is not None:
                self._note("lead", wrong.message, wrong.allowed)
        self._place(turn, tile)

    def _judge_draw(self, seat: int, number: int, tile: int | None) -> None:
        """The seat draws the tile ``number`` of this turn."""
        table, mode = self.table, self.rules.boneyard
        if mode == Boneyard.BLOCK:
            self._stop("draw", "nothing is drawn by these rules", table.allowed(seat))
        if number and mode in ONE_DRAW:
            self._stop("draw", "one tile is drawn in a turn, and no more", table.allowed(seat, 1))
        if table.drawable <= 0:
            left = table.boneyard
            why = f"the last {left} are never drawn" if left else "the boneyard is empty"
            self._stop("boneyard", f"no tile may be drawn: {why}", table.allowed(seat, number))
        if not self._is_noted:
            self._check_stuck(seat, "draw", "draws" if number == 0 else "draws again")
        known = table.places.known_at(table.drawn)
        if table.take_from_boneyard(seat, tile) or tile is None:
            return
        if known is not None:
            why = f"the next tile of the boneyard is {tile_name(known)}, not {tile_name(tile)}"
        elif tile not in table.places.unplayed:
            why = f"{tile_name(tile)} is on the line already"
        else:
            holder = table.places.holder_of(tile)
            where = "elsewhere" if holder is None else f"in the hand of {self._name(holder)}"
            why = f"{tile_name(tile)} is not in the boneyard, but {where}"
        self._stop("boneyard", why)

    def _check_stuck(self, seat: int, rule: str, does: str) -> bool:
        """Whether the seat may be unable to play, as it says by drawing or passing."""
        could = name_tiles([*dict.fromkeys(tile for tile, _ in self.table.placements(seat))])
        if not could and self.table.places.show_void(seat, self.table.ends or ()):
            line = self.turn.line if self.turn else 0
            where = f"line {line}" if line else f"turn {len(self.steps) + 1}"
            self.stuck_at |= {(seat, number): where for number in self.table.ends or ()}
            return True
        why = f"can play {could}" if could else "must hold a tile that fits: no other place is left"
        self._note(
            rule,
            f"{self._name(seat)} {does} on {self.table.open_ends}, but {why}",
            self.table.allowed(seat),
        )
        return False

    def _judge_pass(self, turn: WrittenTurn) -> None:
        table, seat, mode = self.table, turn.seat, self.rules.boneyard
        closes = (0, 0)
        if turn.draws and mode == Boneyard.DRAW_ONE_PASS:
            if table.drawable == 0:
                drawn = turn.draws[-1]
                closes = (0, 1) if drawn is None else (int(not table.fits(drawn)),) * 2
        else:
            is_stuck = self._is_noted or self._check_stuck(seat, "pass", "passes")
            may_draw = table.drawable > 0 and not (turn.draws and mode in ONE_DRAW)
            if is_stuck and may_draw and not self._is_noted:
                tiles = "1 tile" if table.drawable == 1 else f"{table.drawable} tiles"
                self._note(
                    "pass",
                    f"{self._name(seat)} passes, but must draw: {tiles} may be drawn",
                    [f"{seat}: draw"],
                )
            if table.drawable == 0 and not self._is_noted:
                closes = (1, 1)
        table.pass_on(seat, closes)
        if table.closing[0] == self.rules.players or (
            table.closing[1] == self.rules.players and self._is_said_to_be_blocked
        ):
            self.end = "blocked"

    @property
    def _is_said_to_be_blocked(self) -> bool:
        """Whether this is the last turn, and the transcript says that the round is blocked."""
        is_last = len(self.steps) + 1 == len(self.written.turns)
        return is_last and self.written.ending is not None and self.written.ending.end == "blocked"

    def _judge_placement(self, turn: WrittenTurn, tile: int) -> None:
        table, seat = self.table, turn.seat
        allowed = table.allowed(seat, len(turn.draws))
        if turn.draws and self.rules.boneyard == Boneyard.DRAW_ONE_PASS:
            self._stop("draw", "a turn is over once a tile is drawn", [f"{seat}: pass"])
        if turn.on is None:
            self._stop("place", f"it is not said what {tile_name(tile)} is placed on", allowed)
        if turn.on not in (table.ends or ()):
            self._stop("place", f"no open end shows {turn.on}, but {table.open_ends}", allowed)
        if turn.on not in tile_of(tile):
            self._stop("place", f"{tile_name(tile)} has no {turn.on}", allowed)
        self._place(turn, tile)

    def _place(self, turn: WrittenTurn, tile: int) -> None:
        table, seat = self.table, turn.seat
        # A seat that drew could not play before, so it plays the tile that it drew last; unless it
        # should not have drawn, which is noted by now.
        drawn_at = table.drawn - 1 if turn.draws else None
        is_held = table.places.play(seat, tile, drawn_at)
        if not is_held and not (turn.draws and table.places.play(seat, tile)):
            self._stop("place", self._why_not_held(seat, tile), table.allowed(seat))
        table.lay_down(seat, tile, turn.on)
        if table.held[seat] == 0:
            self.end = "domino"

    def _why_not_held(self, seat: int, tile: int) -> str:
        """Why the seat cannot hold a tile."""
        name, who, places = tile_name(tile), self._name(seat), self.table.places
        holder = places.holder_of(tile)
        if tile not in places.unplayed:
            return f"{name} is on the line already"
        if self.table.is_known(seat):
            return f"{who} does not hold {name}, but {name_tiles(places.holds(seat)) or 'nothing'}"
        if holder is not None:
            return f"{who} cannot hold {name}: it is in the hand of {self._name(holder)}"
        for number in tile_of(tile):
            if (seat, number) in self.stuck_at:
                where = self.stuck_at[seat, number]
                return f"{who} cannot hold {name}: it could not play on {number} in {where}"
        where = "in the boneyard" if places.is_in_boneyard(tile) else "elsewhere"
        return f"{who} cannot hold {name}: it is {where}"

    # --- the end

    def _settle(self, hands_left: list[list[int]]) -> Settled | None:
        """What the round scores; None if it is not over, or if it cannot be known."""
        table = self.table
        is_known = all(table.is_known(seat) for seat in range(self.rules.players))
        if self.end is None or table.last is None or table.opener is None or not is_known:
            return None
        return settle_round(
            self.rules,
            hands_left,
            opener=table.opener,
            last=table.last,
            is_blocked=self.end == "blocked",
            pass_rounds=table.pass_rounds,
        )

    def _find_winner(self, settled: Settled | None) -> int | None:
        if settled is not None:
            return -1 if settled.winner is None else settled.winner
        is_out = self.end == "domino" and self.table.last is not None
        return self.table.last.seat if is_out and self.table.last is not None else None

    def _judge_ending(self, said: Ending, winner: int | None, settled: Settled | None) -> None:
        """Compare what is said of the end with what it was."""
        if self.end is None:
            seat = self.table.seat
            self._note(
                "end",
                f"the round is not over: it is the turn of {self._name(seat)}",
                [] if seat is None else self.table.allowed(seat),
                line=said.line,
            )
        elif said.end != self.end:
            what = f"the round is not {said.end}, but {self.end}: {self._tell_end()}"
            self._note("end", what, [f"end: {self.end}"], line=said.line)
        if self.end is None or said.end != self.end:
            return
        if None not in (said.winner, winner) and said.winner != winner:
            who = "nobody wins" if winner == -1 else f"{self._name(winner)} wins"
            right = f"winner {'none' if winner == -1 else winner}"
            self._note("winner", f"{who} the round", [right], line=said.line)
        if settled is not None:
            self._judge_points(said, settled)

    def _judge_points(self, said: Ending, settled: Settled) -> None:
        if said.points not in (None, settled.points):
            self._note(
                "points",
                f"the round awards {settled.points} points, not {said.points}",
                [f"points {settled.points}"],
                line=said.line,
            )
        if said.pips is not None and list(said.pips) != settled.pips:
            pips = " ".join(map(str, settled.pips))
            self._note("pips", f"the pips left are {pips}, by seat", [pips], line=said.line)
        for name, points in (said.scores or {}).items():
            right = settled.scores[name]
            if points != right:
                self._note("scores", f"{name} awards {right}, not {points}", line=said.line)
