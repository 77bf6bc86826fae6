"""A table at which a person plays a match, or a single round, against strategies."""

from collections.abc import Sequence
from typing import NamedTuple

from simdom.engine.kernels import Trace
from simdom.engine.matches import MOST_ROUNDS_A_MATCH
from simdom.errors import UsageError
from simdom.playing.asking import Placement, Replay, Seats, replay_round
from simdom.playing.seeing import Question, SeenTurn, see_question, see_turns
from simdom.rounds import RoundTrace, tell_round
from simdom.rules import Rules, side_of_seat
from simdom.transcripts.match_score import MatchScore, next_leaders
from simdom.transcripts.phrases import check_name
from simdom.transcripts.recording import draw_leader, known_variant, write_down
from simdom.transcripts.transcript import Transcript, WrittenScore

__all__ = ["PlayedRound", "Setup", "Table"]

_LONGEST_NAME = 40


class Setup(NamedTuple):
    """What is played, besides the person's choices.

    Attributes:
        variant: name of it.
        rules: checked rules.
        seats: how each seat plays; None, once, for the person.
        seed: 0 to 2**64 - 1. Round number r is round r of the seed, as in match 0 of a run.
        target: points that win the match; None for a single round.
    """

    variant: str
    rules: Rules
    seats: Seats
    seed: int
    target: int | None

    @property
    def seat(self) -> int:
        """The person's."""
        return self.seats.index(None)

    @property
    def side(self) -> int:
        """The side that the person plays for."""
        side: int = side_of_seat(self.rules, self.seat)
        return side

    @property
    def names(self) -> tuple[str | None, ...]:
        """What the seats are called in a transcript."""
        return tuple("you" if seat is None else _name(seat.name) for seat in self.seats)


class PlayedRound(NamedTuple):
    """A round that is over.

    Attributes:
        leader: the seat that led any tile; None where the opening rule said who leads.
        trace: as the engine recorded it.
        told: its story.
        turns: as the person saw them.
        score: of the match after it, by side.
        choices: made in the match until its end.
    """

    leader: int | None
    trace: Trace
    told: RoundTrace
    turns: tuple[SeenTurn, ...]
    score: tuple[int, ...]
    choices: int


class Table:
    """A match in play: it stands at a question to the person, or is over.

    Attributes:
        setup: what is played.
        answers: what the person has chosen so far.
        rounds: that are over.
        question: what the person is asked; None if the match is over.
        winner: the side that has won the match; None before, and where there is no match.
    """

    def __init__(self, setup: Setup, answers: Sequence[Placement] = ()) -> None:
        """A table at which these choices have been made already.

        Raises:
            UsageError: one of them was not possible; there are more than the match takes.
        """
        self.setup = setup
        self.answers = list(answers)
        self.rounds: list[PlayedRound] = []
        self.question: Question | None = None
        self._score = MatchScore(setup.rules, setup.target, [0] * setup.rules.sides)
        self._leader: int | None = None
        self._before = 0  # answers that the rounds before took
        self._go_on()

    @property
    def winner(self) -> int | None:
        """The side that has won the match."""
        return self._score.winner

    @property
    def score(self) -> tuple[int, ...]:
        """Points by side."""
        return tuple(self._score.points or ())

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to choose."""
        return self.question is None

    @property
    def rounds_seen(self) -> int:
        """Rounds that were over before the last choice, so that the person has seen them."""
        return sum(played.choices < len(self.answers) for played in self.rounds)

    def choose(self, placement: Placement) -> None:
        """Make a choice, and let the others play until the next one; modified in place.

        Raises:
            UsageError: it is none of the question's placements.
        """
        if self.question is None or placement not in self.question.placements:
            raise UsageError(f"{placement} cannot be played now")
        self.answers.append(placement)
        self._go_on()

    def transcript(self) -> Transcript:
        """The rounds that are over.

        Raises:
            UsageError: there are none.
        """
        if not self.rounds:
            raise UsageError("no round is over yet: there is nothing to write down")
        setup = self.setup
        is_match = setup.target is not None
        rounds = (
            write_down(
                setup.rules,
                played.trace,
                leader=played.leader,
                number=number if is_match else None,
                score=WrittenScore(played.score) if is_match else None,
            )
            for number, played in enumerate(self.rounds, 1)
        )
        variant = known_variant(setup.variant)
        return Transcript(
            variant, setup.rules, tuple(rounds), target=setup.target, names=setup.names
        )

    def _go_on(self) -> None:
        setup = self.setup
        while True:
            replay = replay_round(
                setup.rules,
                setup.seats,
                setup.seed,
                len(self.rounds),
                self._leader,
                self.answers[self._before :],
            )
            if replay.wrong is not None:
                number = self._before + replay.used + 1
                raise UsageError(f"choice {number}, {replay.wrong}, could not be played then")
            told = tell_round(setup.rules, replay.trace)
            if replay.question is not None:
                self.question = see_question(told.turns, replay.question, setup.seat, replay)
                return
            self._finish(replay, told)
            if self._has_ended():
                self.question = None
                break
        if self._before < len(self.answers):
            raise UsageError(
                f"{len(self.answers)} choices are too many: it was over after {self._before}"
            )

    def _finish(self, replay: Replay, told: RoundTrace) -> None:
        rules, trace = self.setup.rules, replay.trace
        self._score.count(told.winner, told.gained)
        turns = see_turns(told.turns, self.setup.seat, replay.asked_at)
        self._before += replay.used
        self.rounds.append(
            PlayedRound(self._leader, trace, told, turns, score=self.score, choices=self._before)
        )
        leaders = next_leaders(rules, told.winner, told.opener, told.pips)
        index = len(self.rounds)
        self._leader = (
            None if leaders is None else draw_leader(leaders, rules, self.setup.seed, index)
        )

    def _has_ended(self) -> bool:
        if self.setup.target is None or self._score.winner is not None:
            return True
        return len(self.rounds) == MOST_ROUNDS_A_MATCH


def _name(strategy: str) -> str | None:
    """A strategy's name as that of a seat; None if no seat can be called so."""
    try:
        return check_name(strategy[:_LONGEST_NAME].strip())
    except UsageError:
        return None
