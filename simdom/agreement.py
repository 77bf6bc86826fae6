"""Whether figures that were read from a file agree with each other and with the rounds played."""

import math
from collections.abc import Mapping, Sequence

from simdom.errors import UsageError
from simdom.estimate import Estimate, Metrics, estimate_rate, student_quantile
from simdom.presets import naming
from simdom.rules import Rules, Teams
from simdom.tiles import parse_tile

__all__ = [
    "DISTRIBUTIONS",
    "MATCH_DISTRIBUTIONS",
    "NEAR",
    "Distribution",
    "check_distributions",
    "check_figures",
    "check_intervals",
    "check_matches",
    "check_wins",
    "count_trials",
]

Distribution = dict[str, int] | list[dict[str, int]]

DISTRIBUTIONS = ("points", "plays", "draws", "passes", "opening_tile", "pips_left")
"""What `simdom.estimate.distributions` gives."""

MATCH_DISTRIBUTIONS = ("rounds_per_match",)
"""What `simdom.match_metrics.match_distributions` gives."""

NEAR = 1e-9
"""Relative: two ways to compute the same differ by less."""

_OF_TILES, _BY_SEAT = "opening_tile", "pips_left"
_MOST_DIGITS = 9
_LAST_DIGITS = 1e-14  # relative: what rounding may take from the end of an interval


def count_trials(metrics: Metrics, rounds: int, matches: int | None = None) -> dict[str, int]:
    """How many trials each metric is of: rounds, but for deals and for rounds that somebody wins.

    Those of matches are all of matches; a share of nothing has no trial.

    Args:
        metrics: ``tie_rate`` and ``redeal_rate`` at least; of matches, ``points_per_match``.
        rounds: that were played.
        matches: that were played, if the metrics are of matches.
    """
    if matches is not None:
        points = metrics["points_per_match"]
        has_points = isinstance(points, Estimate) and points.estimate > 0
        return dict.fromkeys(metrics, matches) | {"blocked_points_share": matches * has_points}
    trials = dict.fromkeys(metrics, rounds)
    trials["winner_pips"] = rounds - sum(_counts(metrics, "tie_rate"))
    trials["redeal_rate"] = rounds + sum(_counts(metrics, "redeal_rate"))
    return trials


def check_figures(metrics: Metrics, trials: Mapping[str, int]) -> None:
    """Return if every metric can be of so many trials.

    Args:
        metrics: every metric of rounds, or of matches.
        trials: as `count_trials` counts them.

    Raises:
        UsageError: more were counted than there were; a figure is undefined where it cannot be, or
            the other way round; a rate is not its count; an estimate is outside of its interval;
            a spread is below 0.
    """
    for name, found in metrics.items():
        with naming(f"metrics.{name}"):
            for one in found if isinstance(found, list) else [found]:
                _check_estimate(one, trials[name])


def check_wins(metrics: Metrics, rounds: int) -> None:
    """Return if who wins adds up.

    Args:
        metrics: every metric of `simdom.estimate.METRICS`.
        rounds: that were played.

    Raises:
        UsageError: the wins of all seats and the ties are not all rounds; the opener's wins are
            not those of seat 0.
    """
    ties = _counts(metrics, "tie_rate")
    for name in ("seat_win_rate", "table_seat_win_rate"):
        if sum(_counts(metrics, name) + ties) != rounds:
            raise UsageError(f"metrics.{name} and metrics.tie_rate do not add up to all rounds")
    if _counts(metrics, "opener_win_rate") != _counts(metrics, "seat_win_rate")[:1]:
        raise UsageError("metrics.opener_win_rate is not metrics.seat_win_rate of seat 0")


def check_matches(metrics: Metrics, matches: int, rounds: int, rules: Rules) -> None:
    """Return if who wins matches adds up, and matches and rounds go together.

    Args:
        metrics: every metric of `simdom.match_metrics.MATCH_METRICS`.
        matches: that were played.
        rounds: that were played in them.
        rules: that were played.

    Raises:
        UsageError: the wins of all sides and the unfinished matches are not all matches; the first
            opener's wins are not those of its own side; the rounds are not the mean times the
            matches.
    """
    sides = "team_match_win_rate" if rules.teams == Teams.PAIRS else "seat_match_win_rate"
    wins = _counts(metrics, sides)
    if sum(wins + _counts(metrics, "unfinished_rate")) != matches:
        raise UsageError(f"metrics.{sides} and metrics.unfinished_rate do not add up to all")
    if _counts(metrics, "match_win_rate_first_opener") != wins[:1]:
        raise UsageError(f"metrics.match_win_rate_first_opener is not the first of metrics.{sides}")
    mean = metrics["rounds_per_match"]
    if isinstance(mean, Estimate) and not math.isclose(
        mean.estimate, rounds / matches, rel_tol=NEAR
    ):
        raise UsageError(f"metrics.rounds_per_match is not {rounds} rounds in {matches} matches")


def check_intervals(metrics: Metrics, trials: Mapping[str, int], confidence: float) -> None:
    """Return if every standard error and every interval is the one that a run gives.

    Args:
        metrics: that `check_figures` has found to agree.
        trials: as `count_trials` counts them.
        confidence: of the intervals.

    Raises:
        UsageError: one does not follow from the figures beside it.
    """
    for name, found in metrics.items():
        with naming(f"metrics.{name}"):
            for one in found if isinstance(found, list) else [found]:
                _check_interval(one, trials[name], confidence)


def check_distributions(
    distributions: Mapping[str, Distribution], metrics: Metrics, rounds: int, rules: Rules
) -> None:
    """Return if distributions are of so many rounds and have the means that the metrics say.

    Args:
        distributions: some of `DISTRIBUTIONS`, or of `MATCH_DISTRIBUTIONS`.
        metrics: of the same rounds or matches.
        rounds: that were played; of matches, matches.
        rules: that were played.

    Raises:
        UsageError: one has no entry for each seat, or the other way round; a value is no whole
            number, or no tile; a count is below 0; the counts are not all rounds; another mean
            or standard deviation.
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
                _check_moments(found, mean, rounds, name)


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
    if is_rate and not math.isclose(found.estimate, count / trials, rel_tol=NEAR):
        raise UsageError(f"estimate {found.estimate} is not count {count} out of {trials}")
    if has_spread and not found.low <= found.estimate <= found.high:
        raise UsageError(
            f"estimate {found.estimate} is not from low {found.low} to high {found.high}"
        )
    if has_spread and min(found.se, found.sd or 0) < 0:
        raise UsageError("se and sd cannot be below 0")


def _check_interval(found: Estimate, trials: int, confidence: float) -> None:
    """Return if the standard error and the interval are those that a run gives."""
    if math.isnan(found.se):
        return
    if found.sd is None:
        again = estimate_rate(found.count or 0, trials, confidence)
        se, low, high = again.se, again.low, again.high
    else:
        se = found.sd / math.sqrt(trials)
        radius = student_quantile(confidence, trials - 1) * found.se
        low, high = found.estimate - radius, found.estimate + radius
    if not math.isclose(found.se, se, rel_tol=NEAR):
        source = "count" if found.sd is None else "sd"
        raise UsageError(f"se {found.se} does not follow from {source} and {trials} trials")
    width = NEAR * (high - low)
    for what, value, right in (("low", found.low, low), ("high", found.high, high)):
        if not math.isclose(value, right, rel_tol=_LAST_DIGITS, abs_tol=width):
            raise UsageError(f"{what} {value} is not that of an interval at {confidence}")


def _check_moments(counts: Mapping[str, int], mean: Estimate, rounds: int, name: str) -> None:
    """Return if counts have the mean and the standard deviation of an estimate."""
    first = sum(int(value) * count for value, count in counts.items())
    if not math.isclose(first / rounds, mean.estimate, rel_tol=NEAR):
        raise UsageError(f"it has another mean than metrics.{name}, {mean.estimate}")
    if rounds == 1 or mean.sd is None:
        return
    second = sum(int(value) ** 2 * count for value, count in counts.items())
    sd = math.sqrt((rounds * second - first * first) / (rounds * (rounds - 1)))
    if not math.isclose(sd, mean.sd, rel_tol=NEAR):
        raise UsageError(f"it has another sd than metrics.{name}, {mean.sd}")


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
