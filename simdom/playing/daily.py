"""The hand of the day: one round with the same tiles for everyone, of which the first try counts.

The seed of a day is the first eight bytes, big endian, of the SHA-256 of ``simdom daily`` and the
date, as in ``simdom daily 2026-11-29``; the round is round 0 of that seed. Anybody can look it up.
A try is kept from its first moment, so that who has seen the tiles has begun it. One try a day is
kept, whomever it is against: the tiles are the same.
"""

import datetime as dt
import hashlib
import re
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field

from simdom._version import __version__
from simdom.engine.kernels import Study, record_round
from simdom.errors import RunError, UsageError, brief
from simdom.playing.asking import Placement
from simdom.playing.saving import (
    Described,
    Kept,
    check_rules_version,
    describe,
    parse_choices,
    read_sealed,
    seal,
    unseal,
)
from simdom.playing.table import Setup, Table
from simdom.presets import Document, check_content, naming
from simdom.rules import RULES_VERSION
from simdom.strategies import Strategy
from simdom.variants import load_variant

__all__ = [
    "FIRST_DAY",
    "PLAYERS",
    "RESULT_SCHEMA",
    "VARIANT",
    "Daily",
    "Try",
    "begin_daily",
    "daily_folder",
    "daily_setup",
    "load_try",
    "parse_day",
    "seed_of_day",
    "today",
]

SCHEMA = "simdom.daily/1"
RESULT_SCHEMA = "simdom.daily-result/1"
VARIANT = "pagat-draw"
PLAYERS = 2
FIRST_DAY = dt.date(2026, 1, 1)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class _TryFile(Document):
    simdom: str = Field(description="text")
    rules_version: int = Field(description="a whole number")
    date: str = Field(description="a date")
    begun: str = Field(description="a date")
    against: Described = Field(description="a strategy")
    choices: list[str] = Field(description="text")
    points: int | None = Field(description="a whole number or null")
    par: int | None = Field(description="a whole number or null")
    end: str | None = Field(description="text or null")


class Try(NamedTuple):
    """A first try, as it is kept.

    Attributes:
        date: the day whose tiles they are.
        begun: the day on which it was begun.
        against: the strategy of the other seat.
        choices: made so far.
        points: that the person caught, less those that the other seat caught; None if it is not
            over, as are
        par: the points of the strategy in the person's place, and
        end: "domino" or "blocked".
    """

    date: dt.date
    begun: dt.date
    against: Strategy
    choices: tuple[str, ...]
    points: int | None
    par: int | None
    end: str | None


def today() -> dt.date:
    """The date on this machine."""
    return dt.date.today()  # noqa: DTZ011 -- a person's day is that of their own clock


def parse_day(text: str, latest: dt.date) -> dt.date:
    """A day that has tiles.

    Raises:
        UsageError: it is no date as in 2026-11-29; it is before `FIRST_DAY` or after ``latest``.
    """
    try:
        day = dt.date.fromisoformat(text if _DAY.fullmatch(text) else "")
    except ValueError:
        raise UsageError(f"{brief(text)} is no date: write it as 2026-11-29") from None
    if day > latest:
        raise UsageError(f"{day} is not dealt before {day}: today is {latest}")
    if day < FIRST_DAY:
        raise UsageError(f"{day} has no tiles: the first day that has is {FIRST_DAY}")
    return day


def seed_of_day(day: dt.date) -> int:
    """The seed of a day's round, from the date alone.

    >>> seed_of_day(dt.date(2026, 11, 29))
    5796871494742714763
    """
    digest = hashlib.sha256(f"simdom daily {day.isoformat()}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def daily_setup(day: dt.date, against: Strategy) -> Setup:
    """A day's round; the person has seat 0."""
    rules = load_variant(VARIANT).rules(PLAYERS)
    return Setup(VARIANT, rules, (None, against), seed_of_day(day), target=None)


def daily_folder(data: Path) -> Path:
    """Where first tries are kept, one file a day."""
    return data / "daily"


class Daily:
    """A day's round at a table, kept if it counts.

    Attributes:
        day: whose tiles they are.
        table: of the round.
        counts: whether it is the first try; another one is kept nowhere.
        is_new: whether it is begun now.
    """

    def __init__(
        self,
        day: dt.date,
        against: Strategy,
        choices: list[Placement],
        *,
        begun: dt.date | None,
        kept: Kept | None,
    ) -> None:
        """A round that was ``begun`` before, or is now."""
        self.day = day
        self.against = against
        self.table = Table(daily_setup(day, against), choices)
        self.counts = kept is not None
        self.is_new = begun is None
        self._begun = begun or today()
        self._kept = kept

    @property
    def points(self) -> int | None:
        """What the person caught, less what the other seat caught; None before the end."""
        if not self.table.is_over:
            return None
        return _points_of(self.table.rounds[0].told.gained)

    @property
    def par(self) -> int:
        """The points of the strategy in the person's place, which met the same tiles."""
        setup = self.table.setup
        trace = record_round(Study(setup.rules, (self.against,) * PLAYERS, setup.seed), 0)
        return _points_of(trace.gained.tolist())

    def choose(self, placement: Placement) -> None:
        """Make a choice for good: it is kept before anybody sees what follows.

        Raises:
            UsageError: it cannot be played.
            RunError: the file cannot be written.
        """
        self.table.choose(placement)
        self.save()

    def save(self) -> None:
        """Write the file, if it counts.

        Raises:
            RunError: it cannot be written.
        """
        if self._kept is not None:
            self._kept.write(seal(SCHEMA, self.to_dict()))

    def to_dict(self) -> dict[str, Any]:
        """The try as it is kept."""
        is_over = self.table.is_over
        return {
            "simdom": __version__,
            "rules_version": RULES_VERSION,
            "date": self.day.isoformat(),
            "begun": self._begun.isoformat(),
            "against": describe(self.against),
            "choices": [str(answer) for answer in self.table.answers],
            "points": self.points,
            "par": self.par if is_over else None,
            "end": self.table.rounds[0].told.end if is_over else None,
        }


def begin_daily(
    folder: Path, day: dt.date, against: Strategy | None, default: Strategy, *, again: bool
) -> Daily:
    """A day's round: the first try, begun now or gone on with, or another one.

    Args:
        folder: where tries are kept.
        day: whose tiles they are.
        against: the strategy of the other seat; None takes that of the first try.
        default: the strategy where there is no first try.
        again: whether to play once more, for nothing, what has been played.

    Raises:
        UsageError: the first try was against another strategy, or cannot be read; another one is
            wanted before the first is over.
        RunError: it cannot be written; another simdom has begun it at this moment.
    """
    path = folder / f"{day}.json"
    try:
        content = read_sealed(path)
    except FileNotFoundError:
        if again:
            raise UsageError(f"{day} has not been played yet: leave out --again") from None
        daily = Daily(day, against or default, [], begun=None, kept=Kept(path, None))
        daily.save()
        return daily
    except UsageError as error:
        raise RunError(f"{path}: {error}") from None
    first = load_try(path, content)
    if again:
        if first.points is None:
            raise UsageError(f"the first try of {day} is not over: leave out --again")
        return Daily(day, against or first.against, [], begun=None, kept=None)
    if against is not None and against.content != first.against.content:
        raise UsageError(
            f"the first try of {day} is against {first.against.name}, not {against.name}: "
            "add --again to play those tiles once more, which does not count"
        )
    with naming(str(path)):
        choices = parse_choices(load_variant(VARIANT).rules(PLAYERS), first.choices)
        kept = Kept(path, content)
        return Daily(day, first.against, choices, begun=first.begun, kept=kept)


def load_try(path: Path, content: bytes) -> Try:
    """A first try from its file, which is named after the day.

    Raises:
        UsageError: it is no try, has been changed, or is another day's; another version of the
            rules has played it.
    """
    with naming(str(path)):
        file = check_content(unseal(SCHEMA, content), _TryFile)
        day, begun = _date("date", file.date), _date("begun", file.begun)
        if path.stem != str(day):
            raise UsageError(f"is the try of {day}: a file is named after its day")
        if None in (file.points, file.par, file.end):
            check_rules_version(file.rules_version)
        return Try(
            day,
            begun,
            file.against.strategy(),
            tuple(file.choices),
            points=file.points,
            par=file.par,
            end=file.end,
        )


def _date(name: str, text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"{name} must be a date, not {brief(text)}") from None


def _points_of(gained: list[int]) -> int:
    own, other = gained
    return own - other
