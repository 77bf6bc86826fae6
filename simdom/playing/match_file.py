"""A match that is kept in a file after every choice, and the computer's word on it.

An unfinished match's file holds what repeats it: rules, strategies, seed and choices. Whoever reads
the seed in it can look the tiles up; nothing else would let the match go on.
"""

import hashlib
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import Field

from simdom._version import __version__
from simdom.errors import UsageError, brief
from simdom.playing.asking import Placement
from simdom.playing.saving import (
    Described,
    Kept,
    check_rules_version,
    describe_seats,
    parse_choices,
    read_sealed,
    seal,
    seats_from,
    unseal,
)
from simdom.playing.table import Setup, Table
from simdom.presets import Document, check_content, naming
from simdom.rules import RULES_VERSION, rules_from_dict, rules_to_dict
from simdom.variants import HIGHEST_TARGET

__all__ = ["KeptMatch", "begin_match", "commitment_of", "load_match", "match_to_dict"]

SCHEMA = "simdom.play/1"
RESULT_SCHEMA = "simdom.play-result/1"
SALT_BYTES = 16
SEED_BITS = 64
_SCHEMA_WITHIN = 100  # bytes from the beginning


class _MatchFile(Document):
    simdom: str = Field(description="text")
    rules_version: int = Field(description="a whole number")
    variant: str = Field(min_length=1, description="some text")
    rules: dict[str, int | str] = Field(description="a toggle's value")
    seats: list[Described | None] = Field(description="a strategy or null")
    target: int = Field(ge=1, le=HIGHEST_TARGET, description="a whole number of points")
    seed: int = Field(ge=0, lt=2**SEED_BITS, description="a whole number below 2**64")
    salt: str | None = Field(description="text or null")
    choices: list[str] = Field(description="text")


class KeptMatch:
    """A match at a table, and the file that it is kept in.

    Attributes:
        table: of the match.
        salt: that hides the seed in the commitment; None if the person has named the seed.
        path: of the file.
    """

    def __init__(self, table: Table, salt: str | None, kept: Kept) -> None:
        self.table = table
        self.salt = salt
        self._kept = kept

    @property
    def path(self) -> Path:
        """Of the file."""
        return self._kept.path

    @property
    def commitment(self) -> str | None:
        """What the computer tells before it deals; None if the person has named the seed."""
        return None if self.salt is None else commitment_of(self.table.setup.seed, self.salt)

    def choose(self, placement: Placement) -> None:
        """Make a choice for good: it is kept before anybody sees what follows.

        Raises:
            UsageError: it cannot be played.
            RunError: the file cannot be written.
        """
        self.table.choose(placement)
        self.save()

    def save(self) -> None:
        """Write the file.

        Raises:
            RunError: it cannot be written.
        """
        self._kept.write(seal(SCHEMA, self._to_dict()))

    def _to_dict(self) -> dict[str, Any]:
        setup = self.table.setup
        return {
            "simdom": __version__,
            "rules_version": RULES_VERSION,
            "variant": setup.variant,
            "rules": rules_to_dict(setup.rules),
            "seats": describe_seats(setup.seats),
            "target": setup.target,
            "seed": setup.seed,
            "salt": self.salt,
            "choices": [str(answer) for answer in self.table.answers],
        }


def commitment_of(seed: int, salt: str) -> str:
    """SHA-256, as hexadecimal digits, of the seed behind a salt that nobody can guess.

    >>> commitment_of(1, "00")[:16]
    'da226c6c64a42c69'
    """
    return hashlib.sha256(f"simdom play {seed} {salt}".encode()).hexdigest()


def match_to_dict(match: KeptMatch) -> dict[str, Any]:
    """How a match stands, as a document; what is hidden until its end is null before."""
    table = match.table
    setup = table.setup
    tells = table.is_over or match.salt is None
    rounds = [
        {
            "leader": played.told.opener,
            "end": played.told.end,
            "winner": played.told.winner,
            "points": played.told.points,
            "gained": played.told.gained,
            "score": list(played.score),
        }
        for played in table.rounds
    ]
    return {
        "schema": RESULT_SCHEMA,
        "simdom": __version__,
        "rules_version": RULES_VERSION,
        "variant": setup.variant,
        "rules": rules_to_dict(setup.rules),
        "seats": describe_seats(setup.seats),
        "seat": setup.seat,
        "side": setup.side,
        "target": setup.target,
        "seed": setup.seed if tells else None,
        "salt": match.salt if tells else None,
        "commitment": match.commitment,
        "rounds": rounds,
        "score": list(table.score),
        "finished": table.is_over,
        "winner": table.winner,
    }


def begin_match(
    path: Path,
    make_setup: Callable[[int], Setup],
    *,
    seed: int | None,
    overwrite: bool = False,
) -> KeptMatch:
    """Begin a match, and keep it.

    Args:
        path: of the file; a match in it that is over is replaced.
        make_setup: what is played, by its seed.
        seed: None draws one from the system's entropy.
        overwrite: whether a match that is not over may be replaced.

    Raises:
        UsageError: there is a match that is not over; the file holds something else.
        RunError: the file cannot be written.
    """
    with naming(str(path)):
        try:
            before = read_sealed(path)
        except FileNotFoundError:
            before = None
        if before is not None:
            _check_replaceable(path, before, overwrite=overwrite)
    salt = secrets.token_hex(SALT_BYTES) if seed is None else None
    setup = make_setup(secrets.randbits(SEED_BITS) if seed is None else seed)
    match = KeptMatch(Table(setup), salt, Kept(path, before))
    match.save()
    return match


def load_match(path: Path) -> KeptMatch:
    """A match that is kept in a file, as it stood.

    Raises:
        UsageError: there is no such file; it is no match, or has been changed; another version
            of the rules has played it.
    """
    with naming(str(path)):
        try:
            content = read_sealed(path)
        except FileNotFoundError:
            raise UsageError("no match is kept there") from None
        return _read(path, content)


def _check_replaceable(path: Path, content: bytes, *, overwrite: bool) -> None:
    """Return if what a file holds may be replaced by another match.

    Raises:
        UsageError: it is a match that is not over, or something else.
    """
    is_own = SCHEMA.encode() in content[:_SCHEMA_WITHIN]
    if overwrite and is_own:
        return
    if not is_own:
        raise UsageError("holds no match of simdom: name another file with --save")
    if not _read(path, content).table.is_over:
        raise UsageError(
            "holds a match that is not over: go on with --resume, keep another one with "
            "--save FILE, or give this one up with --overwrite"
        )


def _read(path: Path, content: bytes) -> KeptMatch:
    file = check_content(unseal(SCHEMA, content), _MatchFile)
    check_rules_version(file.rules_version)
    if not file.variant.isprintable():
        raise UsageError(f"variant must be on a line, not {brief(file.variant)}")
    rules = rules_from_dict(file.rules)
    seats = seats_from(file.seats, rules)
    setup = Setup(file.variant, rules, seats, file.seed, target=file.target)
    table = Table(setup, parse_choices(rules, file.choices))
    return KeptMatch(table, file.salt, Kept(path, content))
