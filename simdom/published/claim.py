"""Published claims: what a page prints, how it was rounded, and what in simdom answers it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from simdom.errors import check_choice
from simdom.exact.asked import Asked
from simdom.published.measures import measure_of
from simdom.rules import Rules, rules_to_dict
from simdom.strategies import Strategy
from simdom.variants import Variant

__all__ = ["Claim", "Claims", "Counted", "Measured"]


class Counted(NamedTuple):
    """What answers a claim exactly.

    Attributes:
        asked: a question of ``simdom odds`` with one chance.
        contrary: whether the claim is about the chance that it is not so.
    """

    asked: Asked
    contrary: bool


class Measured(NamedTuple):
    """What answers a claim by simulation.

    Attributes:
        variant: where the rules come from.
        rules: the rules that are played.
        changes: toggles that differ from the variant's, as the file has them.
        metric: see `simdom.published.measures.check_measure`.
        seat: of a metric by seat, which one; else None.
        strategy: how the source plays; None if it does not say.
    """

    variant: Variant
    rules: Rules
    changes: dict[str, Any]
    metric: str
    seat: int | None
    strategy: Strategy | None

    def played_by(self, strategies: Sequence[Strategy]) -> Sequence[Strategy]:
        """The source's own strategy if it names one, else all of ``strategies``."""
        return strategies if self.strategy is None else (self.strategy,)

    @property
    def title(self) -> str:
        """What is played, and what is measured of it."""
        changed = [f"{name} {value}" for name, value in self.changes.items()]
        with_these = f" with {', '.join(changed)}" if changed else ""
        label = measure_of(self.metric, self.seat).label
        return f"{self.variant.name}{with_these}, {self.rules.players} players: {label}"


@dataclass(frozen=True)
class Claim:
    """A figure that somebody has published.

    Attributes:
        id: its name.
        says: what it is about, in a few words.
        printed: as it was printed.
        published: the same as a number; a probability from 0 to 1.
        low, high: what it may stand for; infinite on a side that is open.
        interval: how these two were chosen.
        source: the id of a source.
        note: what else there is to say; may be empty.
        answer: how simdom answers it.
    """

    id: str
    says: str
    printed: str
    published: float
    low: float
    high: float
    interval: str
    source: str
    note: str
    answer: Counted | Measured

    @property
    def kind(self) -> Literal["exact", "simulated"]:
        """Whether it is counted or measured."""
        return "exact" if isinstance(self.answer, Counted) else "simulated"

    @property
    def is_rate(self) -> bool:
        """Whether its figures are probabilities."""
        answer = self.answer
        return isinstance(answer, Counted) or measure_of(answer.metric, answer.seat).kind == "rate"

    @property
    def quoted(self) -> str:
        """What was printed, in quotation marks if it begins with a word."""
        return f'"{self.printed}"' if self.printed[:1].isalpha() else self.printed

    @property
    def range(self) -> str:
        """What it may stand for, in words."""
        low, high = (self._number(edge) for edge in (self.low, self.high))
        if math.isinf(self.low):
            return f"up to {high}"
        return f"from {low}" if math.isinf(self.high) else f"{low} to {high}"

    def _number(self, value: float) -> str:
        return f"{100 * value:.10g}%" if self.is_rate else f"{value:.10g}"

    def to_dict(self) -> dict[str, Any]:
        """The claim as a document has it; an open side is None."""
        plain: dict[str, Any] = {
            "id": self.id,
            "says": self.says,
            "printed": self.printed,
            "published": self.published,
            "low": None if math.isinf(self.low) else self.low,
            "high": None if math.isinf(self.high) else self.high,
            "interval": self.interval,
            "source": self.source,
            "note": self.note,
            "kind": self.kind,
        }
        if isinstance(self.answer, Counted):
            return plain | {"odds": self.answer.asked.to_dict(), "contrary": self.answer.contrary}
        answer = self.answer
        seat = {} if answer.seat is None else {"seat": answer.seat}
        named = None if answer.strategy is None else answer.strategy.name
        return plain | {
            "variant": answer.variant.name,
            "rules": rules_to_dict(answer.rules),
            "metric": answer.metric,
            **seat,
            "unit": measure_of(answer.metric, answer.seat).unit,
            "strategy": named,
        }


class Claims(NamedTuple):
    """What a file of claims says.

    Attributes:
        title: a few words.
        claims: in the order of the file.
        sources: what the sources are, by id.
        plane: the claims that are the axes of a picture, x before y; None if it names none.
        cut: the plane of the file, if one of its claims is left out here; else None.
    """

    title: str
    claims: tuple[Claim, ...]
    sources: dict[str, str]
    plane: tuple[str, str] | None
    cut: tuple[str, str] | None = None

    @property
    def measured(self) -> list[tuple[Claim, Measured]]:
        """The claims that are answered by simulation, and how."""
        return [(one, one.answer) for one in self.claims if isinstance(one.answer, Measured)]

    @property
    def counted(self) -> list[tuple[Claim, Counted]]:
        """The claims that are answered exactly, and how."""
        return [(one, one.answer) for one in self.claims if isinstance(one.answer, Counted)]

    def claim(self, name: str) -> Claim:
        """The claim of that id, which must be there."""
        return next(claim for claim in self.claims if claim.id == name)

    def count_verdicts(self, strategies: Sequence[Strategy]) -> int:
        """How many verdicts rest on an interval, if these strategies play."""
        return sum(len(answer.played_by(strategies)) for _, answer in self.measured)

    def only(self, names: Sequence[str]) -> "Claims":
        """Only the claims of these names; the plane if both of its claims are left.

        Raises:
            UsageError: no such claim.
        """
        known = [claim.id for claim in self.claims]
        wanted = [check_choice("claim", name, known) for name in names]
        kept = tuple(claim for claim in self.claims if claim.id in wanted)
        whole = self.plane or self.cut
        is_left = whole is not None and set(whole) <= set(wanted)
        plane, cut = (whole, None) if is_left else (None, whole)
        return self._replace(claims=kept, plane=plane, cut=cut)
