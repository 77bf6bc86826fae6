"""What the catalogue reads of each kind of document: what was played, its figures, its gist.

Nothing is asked of a document that not all versions have written, and keys that came later are
passed over: `simdom.document` is stricter, and reads a result before it is compared.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field

from simdom.catalogue.figures import Found, Given, Plain, Whole, in_words
from simdom.document import changes_of_preset
from simdom.errors import UsageError
from simdom.match_metrics import ALL_METRICS
from simdom.rules import Rules, rules_from_dict

__all__ = [
    "MAIN_DIFFERENCES",
    "CompareShape",
    "EffectsShape",
    "Game",
    "OfGame",
    "Shape",
    "SweepShape",
    "each_figure",
    "label_difference",
    "plural",
]

RulesGiven = dict[str, int | str]
_MOST_SEATS = 100  # more than any table has
Given_ = Given | Annotated[list[Given], Field(max_length=_MOST_SEATS)]


class Shape(Plain):
    """What most documents say, each in its own place."""

    simdom: str = ""
    rules_version: Annotated[int, Field(ge=0, le=10**9)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**64)] | None = None
    first: Whole = 0
    rounds: Whole | None = None
    matches: Whole | None = None
    deals: Whole | None = None
    asked: Whole | str | None = None
    partial: bool = False
    confidence: Annotated[float, Field(gt=0, lt=1)] | None = None
    command: str = ""

    @property
    def trials(self) -> tuple[int | None, str]:
        """How many were played, and of what: rounds, matches or deals."""
        for unit, count in (("match", self.matches), ("deal", self.deals), ("round", self.rounds)):
            if count is not None:
                return count, unit
        return None, ""

    @property
    def begin(self) -> int:
        """The index of the first of them."""
        return self.first

    @property
    def asked_for(self) -> int | None:
        """Rounds, matches or deals that were asked for, if it was interrupted."""
        return self.asked if isinstance(self.asked, int) else None

    def subject(self) -> str:
        """The variant, or whatever it is of."""
        return ""

    def changed(self) -> str:
        """Toggles that differ from the variant's preset."""
        return ""

    def play(self) -> str:
        """The strategies."""
        return ""

    def game(self) -> "Game | None":
        """The one set of rules that it is of; None if there are several, or none."""
        return None

    def figures(self) -> Iterator[Found]:
        """Every figure."""
        yield from ()

    def gist(self) -> list[str]:
        """Two or three figures with their intervals, in words."""
        return []


class Game(Plain):
    """What is played: a variant, its rules, who plays."""

    variant: str = ""
    rules: RulesGiven
    strategies: list[str] = Field(default=[])
    target: Whole | None = None

    def changed(self) -> str:
        """Such as ``reserve 0, deal 5``; of a table of more players than the variant's own also."""
        try:
            rules = rules_from_dict(self.rules)
        except UsageError:
            return "rules that this simdom does not know"
        target = [] if self.target is None else [f"to {self.target:,} points"]
        return ", ".join([*_changes(self.variant, rules), *target])

    def play(self) -> str:
        """The strategy of all seats, or one a seat."""
        names = self.strategies
        return ", ".join(names[:1] if len(set(names)) == 1 else names)


@lru_cache(maxsize=1024)  # many results of a folder are of the same rules
def _changes(variant: str, rules: Rules) -> list[str]:
    changes = [f"{name} {value}" for name, value, _ in changes_of_preset(variant, rules)]
    is_told = any(change.startswith("players ") for change in changes)
    return changes if is_told else [f"{rules.players} players", *changes]


class OfGame(Shape):
    """A document of one game."""

    variant: str = ""
    rules: RulesGiven = Field(default={})
    strategies: list[str] = Field(default=[])
    target: Whole | None = None

    def subject(self) -> str:
        """See `Shape`."""
        return self.variant

    def game(self) -> Game | None:
        """See `Shape`."""
        if not self.rules:
            return None
        given = {"rules": self.rules, "strategies": self.strategies, "target": self.target}
        return Game(variant=self.variant, **given)  # type: ignore[arg-type]

    def changed(self) -> str:
        """See `Shape`."""
        game = self.game()
        return "" if game is None else game.changed()

    def play(self) -> str:
        """See `Shape`."""
        game = self.game()
        return "" if game is None else game.play()


def each_figure(
    metric: str, given: Given | list[Given], part: str = "", against: str = ""
) -> Iterator[Found]:
    """The figures of a metric, one a seat if it is by seat."""
    if isinstance(given, Given):
        yield Found(metric, given, part, against)
        return
    for seat, one in enumerate(given):
        yield Found(metric, one, part, against, seat)


class CompareShape(Shape):
    """``simdom.comparison``."""

    variants: list[str]
    contenders: list[Game]
    metrics: dict[str, list[Given_]]
    differences: list[dict[str, Any]]

    def subject(self) -> str:
        """See `Shape`."""
        return " and ".join(self.variants)

    def play(self) -> str:
        """See `Shape`."""
        return ", ".join(dict.fromkeys(game.play() for game in self.contenders))

    def figures(self) -> Iterator[Found]:
        """Of each contender, and of what it changes of the first."""
        for metric, found in self.metrics.items():
            for name, given in zip(self.variants, found, strict=False):
                yield from each_figure(metric, given, name)
        for name, versus in zip(self.variants[1:], self.differences, strict=False):
            for metric, given in versus.items():
                yield from each_figure(metric, _estimates(given), name, self.variants[0])

    def gist(self) -> list[str]:
        """See `Shape`."""
        of_second = (f for f in self.figures() if f.against and f.part == self.variants[1])
        return [label_difference(f) for f in of_second if f.metric in MAIN_DIFFERENCES]


MAIN_DIFFERENCES = ("blocked_rate", "points", "match_win_rate_first_opener", "rounds_per_match")
"""Of rounds two, of matches two: what is said of a difference in a few words."""


def label_difference(found: Found) -> str:
    """A difference of a metric with its name, such as ``Blocked +2.5 pp ± 0.3``."""
    return f"{ALL_METRICS[found.metric].label} {in_words(found, is_difference=True)}"


def _estimates(given: object) -> Given | list[Given]:
    """What is an estimate, or a list of such; nothing of anything else."""
    if isinstance(given, dict) and "estimate" in given:
        return Given.model_validate(given)
    if not isinstance(given, list) or len(given) > _MOST_SEATS:
        return []
    return [Given.model_validate(one) for one in given]


class _Effect(Plain):
    toggle: str
    value: int | str
    contender: str = ""
    verdict: str
    metrics: dict[str, dict[str, Any]]


class _Baseline(Game):
    metrics: dict[str, Given]


class EffectsShape(Shape):
    """``simdom.effects``."""

    baseline: _Baseline
    effects: list[_Effect]

    def subject(self) -> str:
        """See `Shape`."""
        return self.baseline.variant

    def changed(self) -> str:
        """See `Shape`."""
        return self.baseline.changed()

    def play(self) -> str:
        """See `Shape`."""
        return self.baseline.play()

    def game(self) -> Game:
        """See `Shape`."""
        return self.baseline

    def figures(self) -> Iterator[Found]:
        """Of the baseline, and of what each change does; at the level that its verdict holds."""
        base = self.baseline.variant
        for metric, given in self.baseline.metrics.items():
            yield Found(metric, given, base)
        for effect in self.effects:
            part = f"{effect.toggle}={effect.value}"
            for metric, figure in effect.metrics.items():
                level = figure.get("level")
                known = level if isinstance(level, float) and 0 < level < 1 else None
                yield Found(metric, Given.model_validate(figure), part, base, confidence=known)

    def gist(self) -> list[str]:
        """Verdicts, which are not single figures: how many there are of each."""
        verdicts = [effect.verdict for effect in self.effects]
        told = [f"{verdicts.count(each)} {each}" for each in dict.fromkeys(verdicts)]
        return [f"of {plural(len(verdicts), 'change')}: {', '.join(told)}"] if told else []


class _Cell(Plain):
    values: dict[str, int | float | str]
    status: str
    metrics: dict[str, Given_] = Field(default={})

    @property
    def name(self) -> str:
        return ", ".join(f"{axis}={value}" for axis, value in self.values.items())


class SweepShape(Shape):
    """``simdom.sweep``."""

    variant: str | None = None
    strategy: str | None = None
    set: dict[str, int | str] = Field(default={})
    grid: dict[str, list[int | float | str]]
    cells: list[_Cell]

    def subject(self) -> str:
        """See `Shape`."""
        by = " and ".join(self.grid)
        return f"{self.variant} by {by}" if self.variant else f"by {by}"

    def changed(self) -> str:
        """See `Shape`."""
        return ", ".join(f"{name} {value}" for name, value in self.set.items())

    def play(self) -> str:
        """See `Shape`."""
        return self.strategy or ""

    def figures(self) -> Iterator[Found]:
        """Of each cell."""
        for cell in self.cells:
            for metric, given in cell.metrics.items():
                yield from each_figure(metric, given, cell.name)

    def gist(self) -> list[str]:
        """The lowest and the highest cell of its first metric."""
        done = [found for found in self.figures() if found.given.estimate is not None]
        first = [found for found in done if found.metric == done[0].metric and not found.seat]
        told = [f"{len(self.cells)} cells"]
        if first:
            ends = (min(first, key=_value), max(first, key=_value))
            metric = first[0].metric
            label = ALL_METRICS[metric].label if metric in ALL_METRICS else metric
            told += [f"{label} {in_words(found)} at {found.part}" for found in ends]
        return list(dict.fromkeys(told))


def _value(found: Found) -> float:
    return found.given.estimate or 0.0


def plural(count: int, word: str) -> str:
    """Such as ``1 round`` or ``2,000 rounds``; words that end in ch get ``es``.

    >>> plural(1, "round"), plural(2000, "match")
    ('1 round', '2,000 matches')
    """
    ending = "" if count == 1 else "es" if word.endswith("ch") else "s"
    return f"{count:,} {word}{ending}"
