"""Columns of figures, one value a round or a match, and the sums that estimates are made of.

Every metric is a ratio of two sums over trials (rounds, or matches): of a value, and of a size. The
size is 1 in every trial, but for a metric that not every trial has (the pips of a winner) or that
has several a trial (deals). All sums are Python's integers, so no figure depends on their order.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simdom.estimate import (
    Estimate,
    Kind,
    Metric,
    Metrics,
    Ratio,
    estimate_rate,
    estimate_share,
    mean_of_sums,
)
from simdom.rules import Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

__all__ = ["Columns", "Key", "add_products", "by_metric", "estimate_sums", "keys_of", "sum_columns"]

Key = tuple[str, int | None]
"""A metric, and for a metric by seat or by team which one."""

Registry = Mapping[str, Metric[Any, Any]]

FITS = 1 << 62


class Columns(NamedTuple):
    """What each trial gives.

    Attributes:
        keys: of the values, see `keys_of`.
        values: shape (keys, trials).
        sizes: shape (trials,), of the metrics whose size is not 1 in every trial.
        changing: shape (changes, trials), what is looked at to see whether a trial goes otherwise.
    """

    keys: list[Key]
    values: "Integers"
    sizes: "dict[str, Integers]"
    changing: "Integers"


def keys_of(registry: Registry, rules: Rules) -> list[Key]:
    """Every metric; one by seat or by team, once for each."""
    return [(name, part) for name, metric in registry.items() for part in metric.parts(rules)]


def sum_columns(columns: Columns) -> "NDArray[np.object_]":
    """Shape (5, keys): sums of values v, sizes t, vv, vt, tt; see `simdom.estimate.Ratio`."""
    values = _summable(columns.values)
    total = values.sum(axis=1).astype(object)
    trials = np.full_like(total, values.shape[1])
    sums = np.stack([total, trials, add_products(values, values), total, trials])
    for name, sizes in columns.sizes.items():
        at = columns.keys.index((name, None))
        t = _summable(sizes)
        v = values[at]
        sums[[1, 3, 4], at] = int(t.sum()), *add_products(np.stack([v, t]), np.stack([t, t]))
    return sums


def add_products(a: "NDArray[Any]", b: "NDArray[Any]") -> "NDArray[np.object_]":
    """Row by row, the sum of the products of two tables, as Python's integers."""
    a, b = _summable(a), _summable(b)
    if np.object_ in {a.dtype.type, b.dtype.type}:
        return np.array([x.astype(object) @ y for x, y in zip(a, b, strict=True)], object)
    products: NDArray[np.object_] = np.einsum("kn,kn->k", a, b).astype(object)
    return products


def _summable(values: "NDArray[Any]") -> "NDArray[Any]":
    """The values; as Python's integers if sums of their products may not fit into 64 bits."""
    if values.dtype == object or not values.size:
        return values
    most = max(int(values.max()), -int(values.min()))
    return values if most * most * values.shape[-1] < FITS else values.astype(object)


def estimate_sums(
    registry: Registry,
    keys: Sequence[Key],
    sums: "NDArray[np.object_]",
    trials: int,
    confidence: float,
) -> Metrics:
    """The estimate of every metric; of one by seat or by team a list, empty if it has no part.

    Args:
        registry: the metrics.
        keys: of the sums, see `keys_of`.
        sums: as `sum_columns` gives them.
        trials: rounds or matches that they are of.
        confidence: of the intervals.
    """
    ratios = itertools.starmap(Ratio, sums.T.tolist())
    estimates = [
        _estimate(registry[name].kind, ratio, trials, confidence)
        for (name, _), ratio in zip(keys, ratios, strict=True)
    ]
    found = by_metric(registry, keys, estimates)
    return Metrics({name: found.get(name, []) for name in registry})


def _estimate(kind: Kind, ratio: Ratio, trials: int, confidence: float) -> Estimate:
    if kind == "rate":
        return estimate_rate(ratio.v, ratio.t, confidence)
    if kind == "share":
        return estimate_share(trials, ratio, confidence)
    return mean_of_sums(ratio.t, ratio.v, ratio.vv, confidence)


def by_metric(registry: Registry, keys: Sequence[Key], estimates: Sequence[Estimate]) -> Metrics:
    """Estimates by metric; those of a metric by seat or by team come one by one."""
    lists: dict[str, list[Estimate]] = {}
    for (name, _), estimate in zip(keys, estimates, strict=True):
        lists.setdefault(name, []).append(estimate)
    return Metrics(
        {name: found if registry[name].is_list else found[0] for name, found in lists.items()}
    )
