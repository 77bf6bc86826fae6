"""Strategies as data: a weight for each feature of a placement, and a temperature.

A seat scores every placement that it has, as the weighted sum of its features, and plays the best;
with a temperature it plays better ones more often instead. Strategies are TOML files under
``configs/strategies/``, or a user's own; no strategy is code.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Protocol

from pydantic import Field

from simdom.errors import UsageError, brief, check_choice
from simdom.presets import Document, load_preset, naming, preset_names

__all__ = [
    "AIMS",
    "FEATURES",
    "FEATURE_DOCS",
    "MOST_SAMPLES",
    "OPTIONS",
    "WEIGHT_STEP",
    "Strategy",
    "check_strategy",
    "load_strategy",
    "parse_strategies",
    "strategy_from_dict",
    "strategy_names",
]

FEATURE_DOCS: dict[str, str] = {
    "pips": "Pips of the tile, as they are counted in a hand.",
    "double": "1 if the tile is a double.",
    "high_end": "The higher number of the tile.",
    "own_fit": "Own tiles left that fit at least one of the new ends.",
    "share": "Own tiles left that show at least one of the tile's numbers.",
    "unseen_fit": "Tiles neither on the line nor in the own hand that fit a new end.",
    "equal_ends": "1 if both ends of the line then show the same number.",
    "own_number": "Own tiles left that show the number that the tile puts on the line.",
    "next_void": "Of the two new ends, those that the next seat is certain to hold nothing of.",
    "partner_void": "The same of the seat two places on, at a table of four.",
    "short_hand": "Pips of the tile, if another seat has two tiles left or fewer.",
    "random": "A number drawn anew for each placement, from 0 to 1.",
}
"""What a placement is judged by, feature by feature.

The new ends are the line's open ends after the placement; for a lead, the tile's two numbers. A
seat is certain to hold nothing of a number if it has shown so, see `simdom.engine.known`, or if all
tiles of that number are on the line or in the own hand.
"""

FEATURES: tuple[str, ...] = tuple(FEATURE_DOCS)
"""The features in the order of `Strategy.weights`."""

WEIGHT_STEP = 1 / 65536
"""Weights are rounded to whole steps of this size, so that every machine agrees on every tie."""

_HIGHEST = 1000
MOST_SAMPLES = 10_000
"""Worlds that a strategy may look at for one choice."""

AIMS = ("points", "win")
"""What a strategy that looks at worlds may play for."""

OPTIONS = ("samples", "aim")
OPTION = ":"  # between a strategy's name and what is changed of it


class Hook(Protocol):
    """A function that decides, as `simdom.hooks` makes it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def address(self) -> int:
        """Of a C function, see `simdom.engine.ask`."""

    def failure(self, flat: Any) -> BaseException:  # noqa: ANN401 -- an array; numpy is not loaded here
        """What to raise for an answer that is no placement."""


@dataclass(frozen=True)
class Strategy:
    """How a seat decides.

    Attributes:
        name: the preset's name, or the file's with its ending.
        title: a few words.
        description: one sentence.
        weights: one for each of `FEATURES`, in that order.
        temperature: 0 plays the best placement. At T > 0 a placement that scores d less than the
            best is played exp(-d/T) times as often.
        ties: equal best placements are drawn evenly among the "placements", or among the
            "tiles" and then among the ends of the tile drawn.
        source: who plays or describes it; empty where nobody is known.
        samples: 0 plays by the weights. A number above weighs each placement by playing so many
            deals, consistent with all that the seat has seen, to their end, every seat by the
            weights.
        aim: what is weighed so: the "points" won less those lost, or the chance to "win".
        hook: a function that decides instead, see `simdom.hooks`.
    """

    name: str
    title: str
    description: str
    weights: tuple[float, ...]
    temperature: float = 0.0
    ties: str = "placements"
    source: str = ""
    samples: int = 0
    aim: str = "points"
    hook: Hook | None = None

    @property
    def is_random(self) -> bool:
        """Whether this is the plain uniform choice over placements, whatever its name."""
        plain = not self.temperature and self.ties == "placements" and not self.samples
        plain = plain and self.hook is None
        return plain and not any(self.weights)

    @property
    def weighted(self) -> dict[str, float]:
        """The weights that are not 0, by feature."""
        return {name: w for name, w in zip(FEATURES, self.weights, strict=True) if w}

    @property
    def content(self) -> dict[str, Any]:
        """All that decides, as plain values; only weights that are not 0."""
        content: dict[str, Any] = {
            "weights": self.weighted,
            "temperature": self.temperature,
            "ties": self.ties,
        }
        if self.samples:
            content |= {"samples": self.samples, "aim": self.aim}
        if self.hook is not None:
            content |= {"function": self.hook.name}
        return content

    def to_dict(self) -> dict[str, Any]:
        """The strategy as a document of plain values."""
        words = {"name": self.name, "title": self.title, "description": self.description}
        return words | self.content | {"source": self.source}


_Weight = Annotated[float, Field(ge=-_HIGHEST, le=_HIGHEST, allow_inf_nan=False)]


class _StrategyFile(Document):
    title: str = Field(min_length=1, description="some text")
    description: str = Field(default="", description="text")
    source: str = Field(default="", description="text")
    ties: Literal["placements", "tiles"] = Field(
        default="placements", description="'placements' or 'tiles'"
    )
    temperature: float = Field(
        default=0.0,
        ge=0,
        le=_HIGHEST,
        allow_inf_nan=False,
        description=f"a number from 0 to {_HIGHEST}",
    )
    samples: int | None = Field(
        default=None,
        ge=1,
        le=MOST_SAMPLES,
        description=f"a whole number from 1 to {MOST_SAMPLES}",
    )
    aim: Literal["points", "win"] | None = Field(default=None, description="'points' or 'win'")
    weights: dict[str, _Weight] = Field(
        default_factory=dict, description=f"a number from -{_HIGHEST} to {_HIGHEST}"
    )


def strategy_names() -> list[str]:
    """The strategies that come with simdom, in alphabetical order."""
    return preset_names("strategies")


def load_strategy(name_or_path: str) -> Strategy:
    """The strategy with that name, or in that TOML file.

    Args:
        name_or_path: one of `strategy_names`; or a path, with a separator or ending in ``.toml``.
            Of one that samples, ``:samples=N`` and ``:aim=AIM`` may follow.

    Raises:
        UsageError: no such strategy or file; the file is not TOML in UTF-8; an unknown key or
            feature; a weight or temperature that is no number, not finite or out of range; a
            weight so small that it would count as 0; ``ties`` or ``aim`` that is none of its
            values; ``samples`` that is not a whole number from 1 to 10,000; ``aim`` of a strategy
            that samples nothing.

    >>> load_strategy("sharp:samples=16").samples
    16
    """
    name, *options = name_or_path.split(OPTION)
    strategy = _load_plain(name)
    return (
        replace(strategy, **_parse_options(strategy, name_or_path, options))
        if options
        else strategy
    )


def _parse_options(strategy: Strategy, text: str, options: Sequence[str]) -> dict[str, Any]:
    changed: dict[str, Any] = {"name": OPTION.join([strategy.name, *options])}
    for option in options:
        key, equals, value = (part.strip() for part in option.partition("="))
        with naming(text):
            check_choice("option", key, OPTIONS)
            if not strategy.samples:
                raise UsageError(f"{strategy.name} samples nothing, so {key} cannot be set")
            if key in changed or not equals:
                raise UsageError(f"write {key} once, as {key}=VALUE")
            if key == "aim":
                changed[key] = check_choice("aim", value, AIMS)
            elif value.isascii() and value.isdigit() and 1 <= int(value[:9]) <= MOST_SAMPLES:
                changed[key] = int(value)
            else:
                raise UsageError(
                    f"samples must be a whole number from 1 to {MOST_SAMPLES}, not {value!r}"
                )
    return changed


def _load_plain(name_or_path: str) -> Strategy:
    preset, content = load_preset("strategy", "strategies", name_or_path, _StrategyFile)
    with naming(preset.file):
        if content.aim is not None and content.samples is None:
            raise UsageError("aim is that of samples: set samples too, or leave out aim")
        for feature, weight in content.weights.items():
            check_choice("feature", feature, FEATURES)
            if weight and not round(weight / WEIGHT_STEP):
                raise UsageError(
                    f"weights.{feature} must be 0 or at least 1/{1 / WEIGHT_STEP:.0f}, not {weight}"
                )
    return Strategy(
        name=preset.name,
        title=content.title,
        description=content.description,
        weights=tuple(float(content.weights.get(feature, 0)) for feature in FEATURES),
        temperature=content.temperature,
        ties=content.ties,
        source=content.source,
        samples=content.samples or 0,
        aim=content.aim or AIMS[0],
    )


def _as_list(strategies: object) -> list[str | Strategy]:
    named: list[str | Strategy] = []
    for one in strategies if isinstance(strategies, Sequence) else [strategies]:
        if not isinstance(one, str | Strategy):
            raise UsageError(f"a strategy is a name, a path or a Strategy, not {brief(one)}")
        named.append(check_strategy(one) if isinstance(one, Strategy) else one)
    return named


def check_strategy(strategy: Strategy) -> Strategy:
    """Return ``strategy`` if the engine can play it; for those made in Python.

    Raises:
        UsageError: a name that is no text; not one weight for each feature; a weight or temperature
            that is no number, not finite or out of range; ``ties`` or ``aim`` that is none of its
            values; ``samples`` that is not a whole number from 0 to 10,000.
    """
    weights: Any = strategy.weights
    name: Any = strategy.name
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise UsageError(f"the name of a strategy must be some text on a line, not {brief(name)}")
    if not isinstance(weights, tuple) or len(weights) != len(FEATURES):
        raise UsageError(
            f"{name}: weights must be a tuple of {len(FEATURES)}, not {brief(weights)}"
        )
    numbers: dict[str, Any] = dict(zip(FEATURES, weights, strict=True))
    numbers["temperature"] = strategy.temperature
    for what, number in numbers.items():
        least = 0 if what == "temperature" else -_HIGHEST
        real = isinstance(number, int | float) and not isinstance(number, bool)
        if not real or not least <= number <= _HIGHEST:
            raise UsageError(
                f"{name}: {what} must be from {least} to {_HIGHEST}, not {brief(number)}"
            )
    check_choice(f"ties of {name}", strategy.ties, ("placements", "tiles"))
    check_choice(f"aim of {name}", strategy.aim, AIMS)
    if type(strategy.samples) is not int or not 0 <= strategy.samples <= MOST_SAMPLES:
        raise UsageError(
            f"{name}: samples must be a whole number from 0 to {MOST_SAMPLES}, "
            f"not {brief(strategy.samples)}"
        )
    return strategy


def strategy_from_dict(name: str, content: Mapping[str, Any], description: str) -> Strategy:
    """The strategy that `Strategy.content` describes, which is no function.

    Raises:
        UsageError: it weighs a feature that there is not; as `check_strategy`.
    """
    weights = content["weights"]
    unknown = [feature for feature in weights if feature not in FEATURES]
    if unknown:
        raise UsageError(f"strategy {name} weighs {unknown[0]}, which this simdom does not know")
    return check_strategy(
        Strategy(
            name=name,
            title=name,
            description=description,
            weights=tuple(float(weights.get(feature, 0)) for feature in FEATURES),
            temperature=float(content["temperature"]),
            ties=content["ties"],
            samples=content.get("samples", 0),
            aim=content.get("aim", AIMS[0]),
        )
    )


def parse_strategies(
    strategies: str | Strategy | Sequence[str | Strategy], players: int
) -> tuple[Strategy, ...]:
    """The strategy of each seat.

    Args:
        strategies: one for all seats, or one a seat in turn order; as text, names or paths
            with commas between them.
        players: seats at the table.

    Raises:
        UsageError: neither one strategy nor one for each seat; one of them cannot be loaded.
    """
    names = strategies.split(",") if isinstance(strategies, str) else _as_list(strategies)
    if len(names) not in (1, players):
        raise UsageError(
            f"{len(names)} strategies for {players} players: "
            "give one for all seats, or one for each seat"
        )
    known = {name: load_strategy(name.strip()) for name in set(names) if isinstance(name, str)}
    seats = tuple(name if isinstance(name, Strategy) else known[name] for name in names)
    return seats * players if len(seats) == 1 else seats
