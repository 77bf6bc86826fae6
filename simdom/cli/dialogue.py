"""Talking with a person at a table: what happened, what they may do, and what they answer.

Questions are put to a terminal with a prompt, and to a pipe without one. The answers are lines of
standard input, from wherever it comes.
"""

import io
import sys
from collections.abc import Callable, Iterable, Sequence

from simdom.cli.round_sheets import can_show_glyphs
from simdom.cli.sheets import new_console
from simdom.cli.streams import say_wrapped
from simdom.cli.table_words import HELP, Words
from simdom.errors import UsageError, brief
from simdom.playing.asking import Placement
from simdom.playing.seeing import SeenTurn
from simdom.playing.table import Table
from simdom.tiles import parse_tile

__all__ = ["Dialogue"]

_MOST_DIGITS = 9  # of a number that is looked at

_LONGEST_LINE = 1000  # characters; the rest of a longer line is not looked at
_QUIT = ("q", "quit", "exit")
_HELP = ("?", "h", "help")


class Dialogue:
    """A person at one table.

    Attributes:
        table: that they sit at.
        words: what they read.
    """

    def __init__(self, table: Table, *, seen: int, plain: bool, to_stderr: bool) -> None:
        """Everything is told on standard output, or on standard error; not the rounds ``seen``."""
        self.table = table
        self.words = Words(table.setup, glyphs=not plain and can_show_glyphs())
        self._console = new_console()
        if to_stderr:
            self._console.file = sys.stderr
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # what is no text is no placement either
        self._is_terminal = sys.stdin is not None and sys.stdin.isatty()
        self._round = seen  # the first one that has not been told to its end
        self._turns = 0  # of it, that have been told
        self._has_begun = False  # whether its number has been told

    def tell(self, lines: Iterable[str], *, heading: bool = False) -> None:
        """Print lines, broken where the window is too narrow."""
        for line in lines:
            self._console.print(line, style="bold" if heading else "")

    def has_room(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
        """Whether the window takes a table without breaking a cell."""
        widths = [max(map(len, cells)) for cells in zip(columns, *rows, strict=True)]
        return sum(widths) + 2 * (len(widths) - 1) < self._console.width

    def sit(self, choose: Callable[[Placement], None]) -> bool:
        """Let the person play until the end.

        Args:
            choose: makes a choice at the table, for good.

        Returns:
            Whether it is over; False if they quit before, or their input ended.
        """
        self._tell_news()
        while self.table.question is not None:
            self.tell(self.words.question(self.table.question))
            placement = self._ask(self.table.question.placements)
            if placement is None:
                return False
            choose(placement)
            self._tell_news()
        return True

    def _tell_news(self) -> None:
        """Tell what happened since it was told last."""
        table = self.table
        while self._round < len(table.rounds):
            played = table.rounds[self._round]
            self._tell_turns(played.turns)
            self.tell(self.words.end(played))
            self._round += 1
            self._turns, self._has_begun = 0, False
        if table.question is not None:
            self._tell_turns(table.question.turns)
        self._console.file.flush()

    def _tell_turns(self, turns: Sequence[SeenTurn]) -> None:
        if not self._has_begun and self.table.setup.target is not None:
            self.tell(["", f"Round {self._round + 1}"], heading=True)
        self._has_begun = True
        if turns[self._turns :]:
            self.tell(["", *map(self.words.turn, turns[self._turns :])])
        self._turns = len(turns)

    def _ask(self, placements: list[Placement]) -> Placement | None:
        """What the person chooses; None if they quit."""
        while True:
            if self._is_terminal:
                self._console.file.write(f"Your placement (1-{len(placements)}, ?, q): ")
            self._console.file.flush()
            line = self._read_answer()
            if line is None or line.lower() in _QUIT:
                return None
            if line.lower() in _HELP:
                self.tell(["", HELP])
                if self.table.question is not None:
                    self.tell(self.words.question(self.table.question))
                continue
            try:
                return _parse_answer(line, placements, self.table.setup.rules.max_pip)
            except UsageError as error:
                say_wrapped(str(error))

    def _read_answer(self) -> str | None:
        """A line; None at the end of all. A prompt that gets no line is left on its own."""
        line = None
        try:
            line = _read_line()
        finally:
            if line is None and self._is_terminal:
                self._console.file.write("\n")
                self._console.file.flush()
        return line


def _read_line() -> str | None:
    """A line of standard input without spaces around it; None at its end."""
    if sys.stdin is None:  # closed by the caller
        return None
    line = sys.stdin.readline(_LONGEST_LINE)
    rest = line
    while rest and not rest.endswith("\n"):
        rest = sys.stdin.readline(_LONGEST_LINE)
    return line.strip() if line else None


def _parse_answer(text: str, placements: list[Placement], max_pip: int) -> Placement:
    """The placement that a line names, by its number or its tile.

    Raises:
        UsageError: it names none of them, or a tile that has two.
    """
    allowed = f"write a number from 1 to {len(placements)}, ? for help, or q to quit"
    if text.isascii() and text.isdigit():
        number = int(text) if len(text) <= _MOST_DIGITS else 0
        if 1 <= number <= len(placements):
            return placements[number - 1]
        raise UsageError(f"{brief(text)} is none of the placements: {allowed}")
    tile, _, on = (part.strip() for part in text.partition(" on "))
    try:
        wanted = parse_tile(tile, max_pip)
    except UsageError:
        raise UsageError(f"{brief(text)} is no placement: {allowed}") from None
    found = [
        placement
        for placement in placements
        if wanted == placement.tile and on in ("", str(placement.on))
    ]
    if len(found) > 1:
        raise UsageError(f"{tile} fits both ends: write {' or '.join(map(str, found))}")
    if not found:
        raise UsageError(f"{brief(text)} is none of the placements: {allowed}")
    return found[0]
