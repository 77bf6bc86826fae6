"""The result document: what ``result.json`` holds, and how one that is read is checked.

Versions of simdom whose documents have the same number behind the slash of `SCHEMA` read each
other's, by these rules:

- A key or a toggle of the rules that this version does not know is refused: what it means could
  change every figure.
- Every metric of `METRICS` must be there, for each version so far has written all of them; what
  ``simdom run --metric`` prints is no result. A version that adds a metric under the same number
  also says here that older documents may lack it; one that drops a metric raises the number.
- A metric or a distribution that this version does not know is left out if another version wrote
  the document, and refused as misspelt if this one did.
- Distributions may be missing: a result taken out of a comparison has none.
- Figures must agree with each other and with the number of rounds, as far as that can be told.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from simdom._version import __version__
from simdom.agreement import (
    DISTRIBUTIONS,
    MATCH_DISTRIBUTIONS,
    NEAR,
    Distribution,
    check_distributions,
    check_figures,
    check_intervals,
    check_matches,
    check_wins,
    count_trials,
)
from simdom.counts import MOST_ROUNDS
from simdom.engine.matches import MOST_ROUNDS_A_MATCH
from simdom.errors import UsageError, check_choice
from simdom.estimate import Estimate, Metric, Metrics
from simdom.files import read_regular
from simdom.match_metrics import metrics_of
from simdom.presets import check_printable
from simdom.rules import Rules, rules_from_dict, rules_to_dict
from simdom.strategies import load_strategy, strategy_names
from simdom.variants import HIGHEST_TARGET, load_variant, variant_names

__all__ = [
    "COLUMNS",
    "SCHEMA",
    "Distribution",
    "Document",
    "StrategyDetail",
    "changes_of_preset",
    "check_strategies",
    "first_problem",
    "is_preset_strategy",
    "plain_estimate",
    "plain_metrics",
    "read_document",
    "strategy_in_words",
]

Schema = Literal["simdom.result/1"]
SCHEMA: Schema = "simdom.result/1"

COLUMNS = ("estimate", "se", "low", "high", "count", "sd")
"""What an estimate consists of; a rate has no sd, a mean no count."""

_MOST_SEED = 2**64 - 1
_FIRST_TOGGLES = Rules._fields[: Rules._fields.index("blank_pips") + 1]
"""Those of the first version; documents without later ones were made by their defaults."""


class _Checked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class _Rate(_Checked):
    estimate: float | None
    se: float | None
    low: float | None
    high: float | None
    count: int = Field(ge=0)


class _Mean(_Checked):
    estimate: float | None
    se: float | None
    low: float | None
    high: float | None
    sd: float | None


class StrategyDetail(_Checked):
    """What a strategy weighs, as a document tells it."""

    weights: dict[str, int | float]
    temperature: int | float = Field(ge=0)
    ties: str
    samples: int = 0
    aim: str = ""
    function: str = ""


class Document(_Checked):
    """A result document.

    ``matches`` and ``target`` are there if it is of matches, ``asked`` and ``partial`` if the run
    ended early, ``first`` if it does not begin with round or match 0, ``until`` and ``reached`` if
    some precision was asked for; ``title`` and
    ``strategy_details`` are missing in documents of earlier versions. What is in it belongs
    together once `check` has returned.
    """

    schema_: Schema = Field(alias="schema")
    simdom: str
    rules_version: int
    variant: str
    title: str = ""
    rules: dict[str, int | str]
    strategies: list[str]
    strategy_details: dict[str, StrategyDetail] = Field(default_factory=dict)
    seed: int
    matches: int | None = Field(default=None, ge=1, le=MOST_ROUNDS)
    target: int | None = Field(default=None, ge=1, le=HIGHEST_TARGET)
    rounds: int = Field(ge=1, le=MOST_ROUNDS * MOST_ROUNDS_A_MATCH)
    first: int = Field(default=0, ge=0, le=MOST_ROUNDS)
    asked: int | None = None
    partial: Literal[True] | None = None
    until: dict[str, float] = Field(default_factory=dict)
    reached: bool | None = None
    confidence: float = Field(gt=0, lt=1)
    metrics: dict[str, Any]
    distributions: dict[str, Distribution]
    seconds: float = Field(ge=0)
    rounds_per_second: float | None
    threads: int = Field(ge=1)
    command: str

    def check(self) -> None:
        """Return if the parts belong together.

        Raises:
            UsageError: rules that are incomplete or cannot be played; not one strategy a seat; a
                number out of its range; control characters in a text; figures that do not agree,
                see `simdom.agreement`; as `estimates` and `histograms`.
        """
        texts = [self.simdom, self.variant, self.title, self.command]
        for text in [*texts, *self.strategies, *self.strategy_details]:
            check_printable(text)
        missing = [name for name in _FIRST_TOGGLES if name not in self.rules]
        if missing:
            raise UsageError(f"rules.{missing[0]} is missing")
        rules = rules_from_dict(self.rules)
        self._check_run(rules.players)
        metrics = self.estimates(rules)
        trials = count_trials(metrics, self.rounds, self.matches)
        check_figures(metrics, trials)
        if self.matches is None:
            check_wins(metrics, self.rounds)
        else:
            check_matches(metrics, self.matches, self.rounds, rules)
        check_distributions(self.histograms(), metrics, self.played, rules)
        check_intervals(metrics, trials, self.confidence)

    def _check_run(self, players: int) -> None:
        check_strategies(self.strategies, self.strategy_details, players)
        if (self.asked is None) != (self.partial is None):
            raise UsageError("asked and partial belong together")
        if (self.matches is None) != (self.target is None):
            raise UsageError("matches and target belong together")
        if self.asked is not None and self.asked <= self.played:
            what = "rounds" if self.matches is None else "matches"
            raise UsageError(f"it is partial, but {self.played} {what} are all of {self.asked}")
        self._check_precision()
        if not 0 <= self.seed <= _MOST_SEED:
            raise UsageError(f"seed must be from 0 to {_MOST_SEED}, not {self.seed}")
        speed = self.rounds / self.seconds if self.seconds else None
        if speed != self.rounds_per_second and not (
            speed and math.isclose(speed, self.rounds_per_second or 0, rel_tol=NEAR)
        ):
            raise UsageError("rounds_per_second is not rounds divided by seconds")

    def _check_precision(self) -> None:
        if bool(self.until) != (self.reached is not None):
            raise UsageError("until and reached belong together")
        for name, width in self.until.items():
            if not width > 0:
                raise UsageError(f"until.{name} must be above 0, not {width}")

    @property
    def played(self) -> int:
        """Matches that were played; if it is of none, rounds."""
        return self.rounds if self.matches is None else self.matches

    def estimates(self, rules: Rules) -> Metrics:
        """The metrics as estimates; null becomes nan.

        Args:
            rules: of the rounds, for what there is of metrics by seat or by team.

        Raises:
            UsageError: an unknown or a missing metric; an estimate that is incomplete; a metric by
                seat without one estimate for each seat, or the other way round.
        """
        registry = metrics_of(matches=self.matches is not None)
        metrics = Metrics()
        for name in self._known("metric", self.metrics, registry):
            metrics[name] = self._estimate(name, registry[name], rules)
        for name, metric in registry.items():
            if not metric.parts(rules):
                metrics[name] = []
        metrics = Metrics({name: metrics[name] for name in registry if name in metrics})
        missing = [name for name in registry if name not in metrics]
        if missing:
            others = f" and {len(missing) - 1} others are" if missing[1:] else " is"
            raise UsageError(
                f"metrics.{missing[0]}{others} missing: a result has all metrics, unlike what "
                "--metric prints"
            )
        return metrics

    def _estimate(
        self, name: str, metric: Metric[Any, Any], rules: Rules
    ) -> Estimate | list[Estimate]:
        found = self.metrics[name]
        parts = list(range(len(found))) if isinstance(found, list) else [None]
        if parts != metric.parts(rules):
            raise UsageError(f"metrics.{name} does not fit {len(self.strategies)} seats")
        model = _Rate if metric.kind == "rate" else _Mean
        try:
            estimates = [
                _estimate_of(model.model_validate(one))
                for one in (found if isinstance(found, list) else [found])
            ]
        except ValidationError as error:
            raise UsageError(f"metrics.{name}.{first_problem(error)}") from None
        return estimates if metric.is_list else estimates[0]

    def histograms(self) -> dict[str, Distribution]:
        """The distributions that this version knows.

        Raises:
            UsageError: an unknown distribution.
        """
        allowed = DISTRIBUTIONS if self.matches is None else MATCH_DISTRIBUTIONS
        known = self._known("distribution", self.distributions, allowed)
        return {name: self.distributions[name] for name in known}

    def _known(self, what: str, names: Iterable[str], allowed: Iterable[str]) -> Iterator[str]:
        """Those of ``names`` that this version knows.

        Raises:
            UsageError: there is another, although this version wrote the document.
        """
        for name in names:
            if name in allowed:
                yield name
            elif self.simdom == __version__:
                check_choice(what, name, allowed)


def check_strategies(
    strategies: Sequence[str], details: Mapping[str, StrategyDetail], players: int
) -> None:
    """Return if there is one strategy a seat, and only these are told.

    Raises:
        UsageError: there is not, or another is told.
    """
    if len(strategies) != players:
        named = len(strategies)
        raise UsageError(f"{named} strateg{'y' if named == 1 else 'ies'} for {players} players")
    for name in details:
        check_choice("name in strategy_details", name, strategies)


def read_document(file: Path) -> Document:
    """The document in a file, checked.

    Raises:
        UsageError: the file cannot be read; it is no JSON, or no complete document of `SCHEMA`.
    """
    try:
        document = Document.model_validate_json(read_regular(file))
        document.check()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}") from None
    except ValidationError as error:
        raise UsageError(f"{file} is no result of simdom: {first_problem(error)}") from None
    except UsageError as error:
        raise UsageError(f"{file} is no result of simdom: {error}") from None
    return document


def plain_estimate(estimate: Estimate) -> dict[str, float | int | None]:
    """An estimate as the document has it: nan is None, and what its kind has not is left out."""
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in asdict(estimate).items()
        if value is not None
    }


def plain_metrics(metrics: Metrics) -> dict[str, Any]:
    """Every metric as `plain_estimate`; of a metric by seat, a list."""
    return {
        name: [*map(plain_estimate, found)] if isinstance(found, list) else plain_estimate(found)
        for name, found in metrics.items()
        if found != []
    }


def changes_of_preset(variant: str, rules: Rules) -> list[tuple[str, str, str]]:
    """Toggles that differ from the preset's: name, value, and the preset's value.

    Empty for a variant that is no preset: its own rules are all there is.
    """
    if variant not in variant_names():
        return []
    preset = load_variant(variant)
    before = rules_to_dict(preset.rules(rules.players if rules.players in preset.players else None))
    return [
        (name, str(value), str(before[name]))
        for name, value in rules_to_dict(rules).items()
        if value != before[name]
    ]


def is_preset_strategy(name: str, detail: dict[str, object]) -> bool:
    """Whether the preset of that name is the strategy that a document describes."""
    if name not in strategy_names():
        return False
    told = {key: value for key, value in detail.items() if key in StrategyDetail.model_fields}
    return told | {"weights": _weights(detail)} == load_strategy(name).content


def _weights(detail: dict[str, object]) -> dict[str, float]:
    """The weights that are not 0."""
    weights = detail.get("weights")
    return {name: w for name, w in weights.items() if w} if isinstance(weights, dict) else {}


def strategy_in_words(detail: dict[str, object]) -> str:
    """Such as ``pips 1, double 2, temperature 0.5``."""
    words = [f"{name} {weight:.10g}" for name, weight in _weights(detail).items()] or ["no weights"]
    if detail.get("temperature"):
        words.append(f"temperature {detail['temperature']}")
    if detail.get("ties") == "tiles":
        words.append("ties by tile")
    if detail.get("function"):
        return f"the Python function {detail['function']}"
    if detail.get("samples"):
        words.append(f"samples {detail['samples']}, aim {detail.get('aim')}")
    return ", ".join(words)


def _estimate_of(checked: _Rate | _Mean) -> Estimate:
    values: dict[str, Any] = {name: math.nan if value is None else value for name, value in checked}
    return Estimate(**values)


def first_problem(error: ValidationError) -> str:
    """What pydantic found wrong first, and at which key."""
    problem = error.errors(include_url=False)[0]
    keys = ".".join(map(str, problem["loc"]))
    return f"{keys}: {problem['msg']}" if keys else problem["msg"]
