"""The run that a round is taken from: as it is asked for, or as a saved file tells it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from simdom.engine.kernels import Study
from simdom.errors import UsageError
from simdom.records.reading import is_parquet, load_records_header
from simdom.results import load_result
from simdom.rules import RULES_VERSION
from simdom.simulate import Strategies, study_of
from simdom.strategies import Strategy, load_strategy, strategy_from_dict, strategy_names
from simdom.variants import Variant, as_variant

__all__ = ["Run", "run_asked", "run_saved"]


class Run(NamedTuple):
    """What rounds are taken from.

    Attributes:
        variant: name of it.
        study: what is played.
        rounds: that a saved result has; None for a run that is only asked for.
        target: points that win a match; None where no match is described.
        matches: that a saved result has; None for single rounds.
        first: index of the first round, or number of the first match, that is saved.
        records: the file that has a row for each round, if it is one that tells the run.
    """

    variant: str
    study: Study
    rounds: int | None
    target: int | None
    matches: int | None
    first: int = 0
    records: Path | None = None


def run_asked(
    variant: str | Variant,
    *,
    players: int | None,
    overrides: Mapping[str, object],
    strategy: Strategies,
    seed: int,
) -> Run:
    """A run as `simdom.simulate.simulate` would play it.

    Raises:
        UsageError: a value that cannot be used; the line names it and what is allowed.
        RulesError: rules under which no round can be played.
    """
    loaded = as_variant(variant)
    study = study_of(loaded.rules(players, overrides), strategy, seed)
    return Run(loaded.name, study, None, loaded.target(study.rules.players), None)


def run_saved(path: str | Path) -> Run:
    """The run of a saved result, or of a records file.

    Raises:
        UsageError: there is neither; it was made by another version of the rules; a strategy of it
            is a Python function, or is not told.
    """
    path = Path(path)
    if is_parquet(path):
        header = load_records_header(path)
        _check_version(path, header.rules_version)
        rules, details = header.checked_rules, header.details
        study = study_of(rules, _strategies_of(header.strategies, details), header.seed)
        matches = header.matches
        return Run(
            *(header.variant, study, header.rounds, header.target, matches),
            first=header.first,
            records=path,
        )
    result = load_result(path)
    _check_version(path, result.rules_version)
    seats = _strategies_of(result.strategies, result.strategy_details)
    study = study_of(result.rules, seats, result.seed)
    return Run(
        *(result.variant, study, result.rounds, result.target, result.matches),
        first=result.first,
    )


def _check_version(path: Path, version: int) -> None:
    if version != RULES_VERSION:
        raise UsageError(
            f"{path} was made by rules version {version}, which this simdom, of "
            f"version {RULES_VERSION}, does not play"
        )


def _strategies_of(
    names: Sequence[str], details: Mapping[str, Mapping[str, object]]
) -> list[Strategy]:
    """The strategy of each seat."""
    known = {name: _strategy_of(name, details.get(name, {})) for name in set(names)}
    return [known[name] for name in names]


def _strategy_of(name: str, detail: Mapping[str, Any]) -> Strategy:
    """A strategy as a result describes it, which is how it was when the rounds were played."""
    if detail.get("function"):
        raise UsageError(
            f"strategy {name} is a Python function, which is not saved: play the round from Python"
        )
    if not detail:
        if name in strategy_names():
            return load_strategy(name)
        raise UsageError(f"the result does not say what strategy {name} is")
    return strategy_from_dict(name, detail, "As a saved result describes it.")
