"""The result document: what ``result.json`` holds, and how one that is read is checked."""

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from simdom.errors import UsageError, check_choice
from simdom.estimate import METRICS, Estimate, Metrics
from simdom.rules import rules_from_dict
from simdom.strategies import load_strategy, strategy_names

__all__ = [
    "COLUMNS",
    "SCHEMA",
    "Distribution",
    "Document",
    "is_preset_strategy",
    "plain_estimate",
    "read_document",
    "strategy_in_words",
]

Schema = Literal["simdom.result/1"]
SCHEMA: Schema = "simdom.result/1"

Distribution = dict[str, int] | list[dict[str, int]]

COLUMNS = ("estimate", "se", "low", "high", "count", "sd")
"""What an estimate consists of; a rate has no sd, a mean no count."""


class _Checked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class _Rate(_Checked):
    estimate: float | None
    se: float | None
    low: float | None
    high: float | None
    count: int


class _Mean(_Checked):
    estimate: float | None
    se: float | None
    low: float | None
    high: float | None
    sd: float | None


class _Strategy(_Checked):
    weights: dict[str, int | float]
    temperature: int | float
    ties: str


class Document(_Checked):
    """A result document.

    ``asked`` and ``partial`` are there if the run was interrupted; ``title`` and
    ``strategy_details`` are missing in documents of earlier versions.
    """

    schema_: Schema = Field(alias="schema")
    simdom: str
    rules_version: int
    variant: str
    title: str = ""
    rules: dict[str, int | str]
    strategies: list[str]
    strategy_details: dict[str, _Strategy] = Field(default_factory=dict)
    seed: int
    rounds: int = Field(ge=0)
    asked: int | None = None
    partial: Literal[True] | None = None
    confidence: float = Field(gt=0, lt=1)
    metrics: dict[str, Any]
    distributions: dict[str, dict[str, int] | list[dict[str, int]]]
    seconds: float
    rounds_per_second: float | None
    threads: int
    command: str

    def check(self) -> None:
        """Return if the parts belong together.

        Raises:
            UsageError: rules that cannot be played; not one strategy a seat; as `estimates`.
        """
        players = rules_from_dict(self.rules).players
        if len(self.strategies) != players:
            named = len(self.strategies)
            raise UsageError(f"{named} strateg{'y' if named == 1 else 'ies'} for {players} players")
        if (self.asked is None) != (self.partial is None):
            raise UsageError("asked and partial belong together")
        self.estimates()

    def estimates(self) -> Metrics:
        """The metrics as estimates; null becomes nan.

        Raises:
            UsageError: an unknown metric; an estimate that is incomplete; a metric by seat
                without one estimate for each seat, or the other way round.
        """
        metrics = Metrics()
        for name, found in self.metrics.items():
            metric = METRICS[check_choice("metric", name, METRICS)]
            seats = len(found) if isinstance(found, list) else None
            if seats != (len(self.strategies) if metric.per_seat else None):
                raise UsageError(f"metrics.{name} does not fit {len(self.strategies)} seats")
            model = _Rate if metric.kind == "rate" else _Mean
            try:
                estimates = [
                    _estimate_of(model.model_validate(one))
                    for one in (found if isinstance(found, list) else [found])
                ]
            except ValidationError as error:
                raise UsageError(f"metrics.{name}.{_first_problem(error)}") from None
            metrics[name] = estimates if metric.per_seat else estimates[0]
        return metrics


def read_document(file: Path) -> Document:
    """The document in a file, checked.

    Raises:
        UsageError: the file cannot be read; it is no JSON, or no complete document of `SCHEMA`.
    """
    try:
        document = Document.model_validate_json(file.read_bytes())
        document.check()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}") from None
    except ValidationError as error:
        raise UsageError(f"{file} is no result of simdom: {_first_problem(error)}") from None
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


def is_preset_strategy(name: str, detail: dict[str, object]) -> bool:
    """Whether the preset of that name is the strategy that a document describes."""
    if name not in strategy_names():
        return False
    preset = load_strategy(name)
    content = (_weights(detail), detail.get("temperature"), detail.get("ties"))
    return content == (preset.weighted, preset.temperature, preset.ties)


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
    return ", ".join(words)


def _estimate_of(checked: _Rate | _Mean) -> Estimate:
    values: dict[str, Any] = {name: math.nan if value is None else value for name, value in checked}
    return Estimate(**values)


def _first_problem(error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    keys = ".".join(map(str, problem["loc"]))
    return f"{keys}: {problem['msg']}" if keys else problem["msg"]
