"""From text to a transcript, by the grammar in ``docs/transcripts.md``.

Whatever cannot be read is a `UsageError` of one line that begins with ``line N:``.
"""

import re
from dataclasses import dataclass, field, replace

from simdom.errors import UsageError
from simdom.presets import naming, shown
from simdom.rules import Rules, parse_toggle
from simdom.transcripts.choice import Choice
from simdom.transcripts.phrases import (
    after_colon,
    around_colon,
    check_apart,
    check_choice_of_words,
    check_name,
    parse_acts,
    parse_end,
    parse_score,
    parse_seat,
    parse_tiles,
    parse_whole,
)
from simdom.transcripts.transcript import (
    NO_VARIANT,
    Ending,
    Tiles,
    Transcript,
    WrittenRound,
    WrittenScore,
    WrittenTurn,
)
from simdom.transcripts.writing import FIRST_LINE
from simdom.variants import HIGHEST_TARGET, parse_set, variant_names

__all__ = ["LONGEST_LINE", "parse_transcript"]

LONGEST_LINE = 10_000
"""Characters of a line; the largest hand or boneyard takes some 1,200."""

HEADER = ("variant", "set", "players", "target", "name", "score")
"""What stands before the first round."""

ROUND = ("round", "leader", "hand", "boneyard", "end", "score")
"""What a round consists of, besides its turns."""

LONGEST_SETTING = 60
MOST_ROUNDS = 10_000  # as in `simdom.engine.matches`
MOST_SEATS = 14
_KEY = re.compile(r"[a-z]+")


def parse_transcript(text: str, choice: Choice | None = None) -> Transcript:
    """The transcript that a text is.

    Args:
        text: of the form that ``docs/transcripts.md`` describes.
        choice: rules to judge by instead of its own.

    Raises:
        UsageError: a line is none that the grammar knows, or stands where it may not; a tile that
            the set does not have, or that is dealt twice; a hand of the wrong size; a seat that is
            not at the table. The message begins with the number of the line.
        RulesError: rules under which no round can be played.
    """
    return _Reader(choice or Choice()).read(text)


@dataclass
class _Header:
    """What is written before the first round, and in which lines."""

    lines: dict[str, int] = field(default_factory=dict)
    variant: str | None = None
    changes: dict[str, str] = field(default_factory=dict)
    players: int | None = None
    target: int | None = None
    names: dict[int, str] = field(default_factory=dict)
    score: str | None = None

    def take(self, key: str, rest: str, line: int) -> None:
        """Read a line.

        Raises:
            UsageError: it cannot be read; what is there once is written twice.
        """
        if key not in ("set", "name") and key in self.lines:
            raise UsageError(f"{key!r} is written in line {self.lines[key]} already")
        self.lines.setdefault(key, line)
        if key == "variant":
            self.variant = check_choice_of_words(key, rest, [*variant_names(), NO_VARIANT])
        elif key == "set":
            self._take_set(rest)
        elif key == "players":
            self.players = parse_toggle(key, rest)
        elif key == "target":
            self.target = parse_whole(key, rest, 1, HIGHEST_TARGET)
        elif key == "name":
            self._take_name(*around_colon(rest, "name SEAT: NAME"))
        else:
            self.score = after_colon(rest, "score: POINTS")

    def _take_set(self, rest: str) -> None:
        if len(rest) > LONGEST_SETTING:
            raise UsageError(f"{shown(rest)} sets nothing: write TOGGLE=VALUE, such as reserve=0")
        ((name, value),) = parse_set([rest]).items()
        if name == "players":
            raise UsageError("players has a line of its own: write `players 3`")
        if name in self.changes:
            raise UsageError(f"{name} is set already, to {self.changes[name]}")
        parse_toggle(name, value)
        self.changes[name] = value

    def _take_name(self, seat: str, name: str) -> None:
        number = parse_whole("seat", seat, 0, MOST_SEATS - 1)
        if number in self.names:
            raise UsageError(f"seat {number} has a name already")
        self.names[number] = check_name(name)

    def settle(self, choice: Choice, line: int) -> tuple[str, Rules]:
        """The variant's name and the rules; ``line`` comes after the header.

        Raises:
            UsageError: there are no such rules; the message begins with a line of the header.
        """
        lines = [self.lines[key] for key in ("variant", "set", "players") if key in self.lines]
        with naming(f"line {max(lines, default=line)}"):
            variant, rules = choice.rules(self.variant, self.changes, self.players)
        with naming(f"line {self.lines.get('name')}"):
            for seat in self.names:
                parse_seat(rules, str(seat))
        return variant, rules


@dataclass
class _Draft:
    """A round that is being read."""

    line: int
    number: int | None = None
    leader: int | None = None
    hands: dict[int, Tiles] = field(default_factory=dict)
    boneyard: Tiles | None = None
    turns: list[WrittenTurn] = field(default_factory=list)
    ending: Ending | None = None
    score: WrittenScore | None = None

    def take(self, rules: Rules, key: str, rest: str, line: int) -> None:
        """Read a line of the round.

        Raises:
            UsageError: it cannot be read, or stands where it may not.
        """
        if key == "score":
            self._take_score(rules, rest, line)
            return
        if self.ending is not None:
            raise UsageError(
                f"the round ended in line {self.ending.line}: begin another with `round N`"
            )
        if key == "":
            self._take_turn(rules, rest, line)
        elif key == "end":
            if not self.turns:
                raise UsageError("the round ends before its first turn")
            self.ending = parse_end(rules, after_colon(rest, "end: blocked"), line)
        elif self.turns:
            raise UsageError(f"{key!r} belongs before the first turn of the round")
        elif key == "leader":
            if self.leader is not None:
                raise UsageError("the leader is written already")
            self.leader = parse_seat(rules, rest)
        else:
            self._take_tiles(rules, key, rest)

    def _take_turn(self, rules: Rules, line_text: str, line: int) -> None:
        seat, acts = around_colon(line_text, "SEAT: WHAT IT DID")
        turn = parse_acts(rules, acts)
        self.turns.append(replace(turn, seat=parse_seat(rules, seat), line=line))

    def _take_tiles(self, rules: Rules, key: str, rest: str) -> None:
        if key == "boneyard":
            if self.boneyard is not None:
                raise UsageError("the boneyard is written already")
            place, text = "the boneyard", after_colon(rest, "boneyard: TILES")
            self.boneyard = new = parse_tiles(rules, text, place, rules.boneyard_size)
        else:
            seat_text, text = around_colon(rest, "hand SEAT: TILES")
            seat = parse_seat(rules, seat_text)
            place = f"hand {seat}"
            if seat in self.hands:
                raise UsageError(f"{place} is written already")
            self.hands[seat] = new = parse_tiles(rules, text, place, rules.deal)
        written = {f"hand {seat}": hand for seat, hand in self.hands.items()}
        written["the boneyard"] = self.boneyard or ()
        del written[place]
        check_apart([*written.items(), (place, new)])

    def _take_score(self, rules: Rules, rest: str, line: int) -> None:
        if self.ending is None:
            raise UsageError("a score belongs before the first round, or behind the end of one")
        if self.number is None:
            raise UsageError("a score belongs to a match: begin the round with `round N`")
        if self.score is not None:
            raise UsageError("the score is written already")
        self.score = parse_score(rules, after_colon(rest, "score: POINTS"), line)

    def finish(self, players: int) -> WrittenRound:
        """The round as it was read."""
        return WrittenRound(
            hands=tuple(self.hands.get(seat) for seat in range(players)),
            boneyard=self.boneyard or None,
            turns=tuple(self.turns),
            ending=self.ending,
            number=self.number,
            leader=self.leader,
            score=self.score,
            line=self.line,
        )


class _Reader:
    """Goes through the lines once."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self.header = _Header()
        self.settled: tuple[str, Rules] | None = None
        self.rounds: list[WrittenRound] = []
        self.draft: _Draft | None = None

    def read(self, text: str) -> Transcript:
        """The transcript of ``text``, see `parse_transcript`."""
        at, begun = 0, False
        for at, raw in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
            with naming(f"line {at}"):
                if len(raw) > LONGEST_LINE:
                    raise UsageError(f"it is longer than {LONGEST_LINE:,} characters")
                line = " ".join(raw.partition("#")[0].split())
                if line and not begun and line != FIRST_LINE:
                    raise UsageError(f"a transcript begins with {FIRST_LINE!r}, not {shown(line)}")
            if line and begun:
                self._take(line, at)
            begun = begun or bool(line)
        with naming(f"line {at}"):
            if not begun:
                raise UsageError(f"a transcript begins with {FIRST_LINE!r}, and this one is empty")
        return self._finish(at)

    def _take(self, line: str, at: int) -> None:
        match = _KEY.match(line)
        key = match[0] if match else ""
        rest = line[len(key) :].strip()
        is_before = self.draft is None
        if is_before and key in HEADER:
            with naming(f"line {at}"):
                self.header.take(key, rest, at)
            return
        _, rules = self._settle(at)
        with naming(f"line {at}"):
            if key in HEADER and key not in ROUND:
                raise UsageError(f"{key!r} belongs before the first round")
            if key not in ROUND and not line[0].isdigit():
                check_choice_of_words(
                    "line", re.split(r"[ :]", line, maxsplit=1)[0], [*HEADER, *ROUND[:-1]]
                )
            if key == "round":
                self._begin(rules, rest, at)
                return
            if self.draft is None:
                self.draft = _Draft(at)
            self.draft.take(rules, key, rest, at)

    def _settle(self, at: int) -> tuple[str, Rules]:
        """The variant and the rules, which are known once the header is read."""
        if self.settled is None:
            self.settled = self.header.settle(self.choice, at)
        return self.settled

    def _begin(self, rules: Rules, rest: str, at: int) -> None:
        """Begin a round of a match, and end the one before."""
        number = parse_whole("round", rest, 1, MOST_ROUNDS)
        if self.draft is not None:
            before = self.draft
            if before.number is None:
                raise UsageError(f"the round of line {before.line} has no number: write `round 1`")
            if before.ending is None:
                raise UsageError(f"round {before.number} has no `end:` line")
            if number != before.number + 1:
                raise UsageError(f"round {number} cannot follow round {before.number}")
            self.rounds.append(before.finish(rules.players))
        self.draft = _Draft(at, number=number)

    def _finish(self, at: int) -> Transcript:
        variant, rules = self._settle(at)
        with naming(f"line {at}"):
            if self.draft is None or not (self.draft.turns or self.draft.hands):
                raise UsageError("the transcript ends before there is a round in it")
            self.rounds.append(self.draft.finish(rules.players))
        score = None
        if self.header.score is not None:
            line = self.header.lines["score"]
            with naming(f"line {line}"):
                score = parse_score(rules, self.header.score, line)
        names = self.header.names
        return Transcript(
            variant=variant,
            rules=rules,
            rounds=tuple(self.rounds),
            target=self.choice.points_to_win(rules, self.header.target),
            names=tuple(names.get(seat) for seat in range(max(names, default=-1) + 1)),
            score=score,
        )
