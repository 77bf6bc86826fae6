"""What a person at the table reads: the turns, the question, the end of a round."""

from collections.abc import Iterator, Sequence

from simdom.cli.round_sheets import tell_line, tile_in_words, tiles_in_words
from simdom.playing.asking import Placement
from simdom.playing.seeing import Question, SeenTurn
from simdom.playing.table import PlayedRound, Setup, Table
from simdom.rules import Teams, side_of_seat
from simdom.settling import Settled
from simdom.showing.reasons import explain_end

__all__ = ["HELP", "Words", "counted"]

HELP = (
    "Write the number of a placement, or the tile: 6-4, or 6-4 on 4 where it fits both ends. "
    "q keeps the game and quits, ? shows this and the table again. "
    "Draws, passes and placements without a choice are made for you. "
    "A choice cannot be taken back."
)


def counted(number: int, thing: str) -> str:
    """Such as "1 round" or "1,000 rounds"."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


class Words:
    """The words for one table.

    Attributes:
        setup: of the table.
        glyphs: whether tiles are shown as pictures too.
    """

    def __init__(self, setup: Setup, *, glyphs: bool) -> None:
        self.setup = setup
        self.glyphs = glyphs

    def game(self) -> Iterator[str]:
        """What is played, and against whom."""
        setup, rules = self.setup, self.setup.rules
        target = setup.target
        to = "one round" if target is None else f"a match to {counted(target, 'point')}"
        yield (
            f"{setup.variant}: {to}, {rules.players} players, {counted(rules.deal, 'tile')} each "
            f"of double-{rules.max_pip}"
        )
        others = [seat for seat in range(rules.players) if seat != setup.seat]
        plays = "; ".join(f"seat {seat} plays {self._strategy(seat)}" for seat in others)
        yield f"You have seat {setup.seat}; {plays}."
        if rules.teams == Teams.PAIRS:
            yield f"Your partner is seat {(setup.seat + 2) % rules.players}."

    def _strategy(self, seat: int) -> str:
        strategy = self.setup.seats[seat]
        return "" if strategy is None else strategy.name

    def seat(self, seat: int) -> str:
        """Such as "you" or "seat 1"."""
        return "you" if seat == self.setup.seat else f"seat {seat}"

    def sides(self) -> list[tuple[int, str]]:
        """The sides that have points, each with its name, the person's first."""
        side = self.setup.side
        others = [other for other in range(self.setup.rules.sides) if other != side]
        if self.setup.rules.teams == Teams.PAIRS:
            return [(side, "your team"), *((other, "the others") for other in others)]
        return [(side, "you"), *((other, f"seat {other}") for other in others)]

    def score(self, score: Sequence[int]) -> str:
        """The points by side, the person's first."""
        return ", ".join(f"{name} {score[side]}" for side, name in self.sides())

    def turn(self, turn: SeenTurn) -> str:
        """One turn, such as "seat 1 draws 2 tiles, plays 6-4 on 4"."""
        is_own = turn.seat == self.setup.seat
        s = "" if is_own else "s"
        acts = []
        if turn.draws:
            acts.append(f"draw {tiles_in_words(turn.draws, glyphs=self.glyphs)}")
        elif turn.drawn:
            acts.append(f"draws {counted(turn.drawn, 'tile')}")
        if turn.placement is None:
            acts.append("pass" if is_own else "passes")
        elif turn.placement.on is None:
            acts.append(f"lead{s} {self.placement(turn.placement)}")
        else:
            acts.append(f"play{s} {self.placement(turn.placement)}")
        forced = " (nothing else was possible)" if turn.is_forced else ""
        return f"{self.seat(turn.seat)} {', '.join(acts)}{forced}"

    def placement(self, placement: Placement) -> str:
        """Such as "6-4 on 4"."""
        tile = tile_in_words(placement.tile, glyphs=self.glyphs)
        return tile if placement.on is None else f"{tile} on {placement.on}"

    def question(self, question: Question) -> Iterator[str]:
        """The table, the person's hand, and what they may choose, numbered."""
        yield ""
        if question.draws:
            yield f"You draw {tiles_in_words(question.draws, glyphs=self.glyphs)}."
        if question.ends is None:
            yield "You lead, any tile you like."
        else:
            ends = " and ".join(map(str, dict.fromkeys(question.ends)))
            yield f"Line: {tell_line(question.line)}  (open: {ends})"
        held = [
            f"seat {seat} holds {tiles}"
            for seat, tiles in enumerate(question.held)
            if seat != self.setup.seat
        ]
        if question.boneyard:
            held.append(f"boneyard {question.boneyard}, {question.drawable} to draw")
        yield "; ".join(held)
        yield f"Your hand: {tiles_in_words(question.hand, glyphs=self.glyphs)}"
        for number, placement in enumerate(question.placements, 1):
            yield f"{number:>3}  {self.placement(placement)}"

    def end(self, played: PlayedRound) -> Iterator[str]:
        """How a round ended, and all that was hidden in it."""
        told, rules = played.told, self.setup.rules
        settled = Settled(told.winner, told.pips, told.scores, told.points, told.gained)
        yield ""
        you = self.setup.seat
        yield explain_end(rules, settled, is_blocked=told.end == "blocked", you=you)
        gained = [0] * rules.sides
        for seat, points in enumerate(told.gained):
            gained[side_of_seat(rules, seat)] += points
        gains = [f"{name} {gained[side]}" for side, name in self.sides() if gained[side]]
        yield f"Points: {', '.join(gains)}." if gains else "Nobody scores."
        for seat in sorted(range(rules.players), key=lambda seat: seat != you):
            tiles = tiles_in_words(told.hands[seat], glyphs=self.glyphs)
            yield f"Dealt to {self.seat(seat)}: {tiles}"
        if told.boneyard:
            yield f"Boneyard: {tiles_in_words(told.boneyard, glyphs=self.glyphs)}"
        if self.setup.target is not None:
            yield f"Score: {self.score(played.score)}"

    def result(self, table: Table) -> str:
        """Who has won the match."""
        if table.winner is None:
            return "Nobody has won the match."
        is_team = self.setup.rules.teams == Teams.PAIRS
        score = self.score(table.score)
        if table.winner == self.setup.side:
            return f"{'Your team wins' if is_team else 'You win'} the match: {score}."
        who = "The others win" if is_team else f"Seat {table.winner} wins"
        return f"{who} the match: {score}."

    def rounds(self, table: Table) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """The rounds of a match as a table, the score after each by side: its columns and rows."""
        sides = self.sides()
        columns = ("round", "leader", "end", "winner", "points", *(name for _, name in sides))
        rows = []
        for number, played in enumerate(table.rounds, 1):
            told = played.told
            winner = "nobody" if told.winner is None else self.seat(told.winner)
            cells = (str(number), self.seat(told.opener), told.end, winner, str(told.points))
            rows.append((*cells, *(str(played.score[side]) for side, _ in sides)))
        return columns, rows
