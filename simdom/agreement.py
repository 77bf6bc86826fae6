"""Whether figures that were read from a file agree with each other and with the rounds played."""

import math
from collections.abc import Mapping, Sequence

from simdom.errors import UsageError
from simdom.estimate import Estimate, Metrics
from simdom.presets import naming
from simdom.rules import Rules
from simdom.tiles import parse_tile

__all__ = ["DISTRIBUTIONS", "Distribution", "check_distributions", "check_figures", "count_trials"]

Distribution = dict[str, int] | list[dict[str, int]]

DISTRIBUTIONS = ("points", "plays", "draws", "passes", "opening_tile", "pips_left")
"""What `simdom.estimate.distributions` gives."""

_OF_TILES, _BY_SEAT = "opening_tile", "pips_left"
_MOST_DIGITS = 9
_NEAR = 1e-9  # relative: two ways to compute the same differ by less


def count_trials(metrics: Metrics, rounds: int) -> dict[str, int]:
    """How many trials each metric is of: rounds, but for deals and for rounds that somebody wins.

    Args:
        metrics: ``tie_rate`` and ``redeal_rate`` at least.
        rounds: that were played.
    """
    trials = dict.fromkeys(metrics, rounds)
    trials["winner_pips"] = rounds - sum(_counts(metrics, "tie_rate"))
    trials["redeal_rate"] = rounds + sum(_counts(metrics, "redeal_rate"))
    return trials


def check_figures(metrics: Metrics, rounds: int) -> None:
    """Return if every metric can be of so many rounds, and who wins adds up.

    Args:
        metrics: every metric of `simdom.estimate.METRICS`.
        rounds: that were played.

    Raises:
        UsageError: more were counted than there were; a figure is undefined where it cannot be, or
            the other way round; a rate is not its count; an estimate is outside of its interval;
            a spread is below 0; the wins of all seats and the ties are not all rounds; the
            opener's wins are not those of seat 0.
    """
    trials = count_trials(metrics, rounds)
    for name, found in metrics.items():
        with naming(f"metrics.{name}"):
            for one in found if isinstance(found, list) else [found]:
                _check_estimate(one, trials[name])
    ties = _counts(metrics, "tie_rate")
    for name in ("seat_win_rate", "table_seat_win_rate"):
        if sum(_counts(metrics, name) + ties) != rounds:
            raise UsageError(f"metrics.{name} and metrics.tie_rate do not add up to all rounds")
    if _counts(metrics, "opener_win_rate") != _counts(metrics, "seat_win_rate")[:1]:
        raise UsageError("metrics.opener_win_rate is not metrics.seat_win_rate of seat 0")


def check_distributions(
    distributions: Mapping[str, Distribution], metrics: Metrics, rounds: int, rules: Rules
) -> None:
    """Return if distributions are of so many rounds and have the means that the metrics say.

    Args:
        distributions: some of `DISTRIBUTIONS`.
        metrics: of the same rounds.
        rounds: that were played.
        rules: that were played.

    Raises:
        UsageError: one has no entry for each seat, or the other way round; a value is no whole
            number, or no tile; a count is below 0; the counts are not all rounds; another mean.
    """
    for name, found in distributions.items():
        with naming(f"distributions.{name}"):
            seats = len(found) if isinstance(found, list) else None
            if seats != (rules.players if name == _BY_SEAT else None):
                raise UsageError(f"it does not fit {rules.players} seats")
            for counts in found if isinstance(found, list) else [found]:
                _check_counts(counts, rounds, rules.max_pip if name == _OF_TILES else None)
            mean = metrics.get(name)
            if isinstance(mean, Estimate) and isinstance(found, dict):
                total = sum(int(value) * count for value, count in found.items())
                if not math.isclose(total / rounds, mean.estimate, rel_tol=_NEAR):
                    raise UsageError(f"it has another mean than metrics.{name}, {mean.estimate}")


def _counts(metrics: Metrics, name: str) -> list[int]:
    found = metrics[name]
    return [one.count or 0 for one in (found if isinstance(found, list) else [found])]


def _check_estimate(found: Estimate, trials: int) -> None:
    count, is_rate = found.count or 0, found.count is not None
    if not 0 <= count <= trials:
        raise UsageError(f"count {count} is not from 0 to {trials}")
    spread = [found.se, found.low, found.high, *([] if found.sd is None else [found.sd])]
    has_spread = is_rate or trials > 1
    _check_defined("estimate", [found.estimate], is_defined=trials > 0)
    _check_defined("se, low, high or sd", spread, is_defined=has_spread)
    if is_rate and not math.isclose(found.estimate, count / trials, rel_tol=_NEAR):
        raise UsageError(f"estimate {found.estimate} is not count {count} out of {trials}")
    if has_spread and not found.low <= found.estimate <= found.high:
        raise UsageError(
            f"estimate {found.estimate} is not from low {found.low} to high {found.high}"
        )
    if has_spread and min(found.se, found.sd or 0) < 0:
        raise UsageError("se and sd cannot be below 0")


def _check_defined(what: str, values: Sequence[float], *, is_defined: bool) -> None:
    if any(math.isnan(value) == is_defined for value in values):
        raise UsageError(f"{what} {'is' if is_defined else 'must be'} null")


def _check_counts(counts: Mapping[str, int], rounds: int, max_pip: int | None) -> None:
    """Return if counts are of so many rounds, by whole numbers or by the tiles of a set."""
    for value, count in counts.items():
        if max_pip is not None:
            parse_tile(value, max_pip)
        elif not (value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS):
            raise UsageError(f"{value[:_MOST_DIGITS]!r} is no value of it")
        if count < 0:
            raise UsageError(f"{value} was counted {count} times")
    total = sum(counts.values())
    if total != rounds:
        raise UsageError(f"the counts add up to {total}, not to {rounds} rounds")
