"""What a claim may be about: every metric of a run, and what the opener gains on the others."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from simdom.engine.kernels import Study, list_rounds
from simdom.engine.tally import Outcome, most_points, set_pips
from simdom.errors import RunError, UsageError, check_choice
from simdom.estimate import METRICS, Estimate, Kind, estimate_mean
from simdom.executors.threads import map_in_order
from simdom.rules import BlockTie, Rules
from simdom.running.driver import patience

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "OPENER_NET",
    "OPENER_NET_DOC",
    "Measure",
    "bounds_of",
    "check_measure",
    "measure_of",
    "play_opener_net",
]

OPENER_NET = "opener_net_points"
OPENER_NET_DOC = (
    "the points of a round if the opener wins, minus them if another does, 0 if nobody does."
)
CHUNK = 50_000  # rounds that a thread lists at a time; no figure depends on it


class Measure(NamedTuple):
    """What is measured.

    Attributes:
        kind: a rate, or a mean.
        unit: of the figure.
        label: in tables.
    """

    kind: Kind
    unit: str
    label: str


def measure_of(name: str, seat: int | None) -> Measure:
    """The measure of that name.

    Args:
        name: one that `check_measure` accepts.
        seat: for a metric by seat, which one; else None.
    """
    if name == OPENER_NET:
        return Measure("mean", "points a round", "Opener's points minus the others'")
    metric = METRICS[name]
    label = metric.label if seat is None else f"{name}[{seat}]"
    return Measure(metric.kind, metric.unit, label)


def bounds_of(name: str, rules: Rules) -> tuple[int, int]:
    """The least and the most that a measure can be in a round under ``rules``.

    >>> bounds_of("blocked_rate", Rules()), bounds_of("points", Rules())
    ((0, 1), (0, 168))
    """
    points = most_points(rules)
    if name == OPENER_NET:
        return -points, points
    metric = METRICS[name]
    if metric.kind == "rate":
        return 0, 1
    if metric.unit.startswith("points"):
        return 0, points
    if metric.unit.startswith("pips"):
        return 0, set_pips(rules)
    # Between two tiles that are played each seat passes at most once, and once more at the end.
    return 0, rules.players * (rules.tiles + 1) if name == "passes" else rules.tiles


def check_measure(name: str, seat: int | None, rules: Rules) -> None:
    """Return if rounds under ``rules`` have that measure.

    Raises:
        UsageError: no such metric; a seat too many, missing, or not at the table; what the opener
            gains where tied seats share a block.
    """
    check_choice("metric", name, [*METRICS, OPENER_NET])
    seats = METRICS[name].parts(rules) if name in METRICS else [None]
    if None in seats and seat is not None:
        raise UsageError(f"{name} is not by seat: leave out seat")
    if not seats:
        raise UsageError(f"{name} is by team: these rules have no teams")
    if seat not in seats:
        raise UsageError(f"{name} is by seat: give seat, from 0 to {len(seats) - 1}")
    if name == OPENER_NET and rules.block_tie == BlockTie.SPLIT:
        raise UsageError(f"{OPENER_NET} cannot be told where block_tie is split")


def play_opener_net(
    study: Study,
    rounds: int,
    *,
    workers: int,
    confidence: float,
    progress: Callable[[int, int], None],
    on_compile: Callable[[], None] | None,
) -> tuple[Estimate, int]:
    """Play rounds 0 to ``rounds - 1`` and estimate the opener's points minus the others'.

    The rounds are those of `simdom.simulate.simulate`.

    Args:
        study: what is played; its rules do not split blocks.
        rounds: at least 1.
        workers: threads to play on; no figure depends on it.
        confidence: of the interval, between 0 and 1.
        progress: called now and then with the rounds played, and those asked for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.

    Returns:
        The mean a round with Student's t interval, and the rounds played: after Ctrl-C, fewer than
        asked for.

    Raises:
        RunError: the engine reached a state that no round can reach.
        KeyboardInterrupt: Ctrl-C, before any round was played.
    """
    zero = most_points(study.rules)  # no score is larger: element v counts the value v - zero
    histogram = np.zeros(2 * zero + 1, np.int64)
    chunks = (range(at, min(at + CHUNK, rounds)) for at in range(0, rounds, CHUNK))
    done = 0
    try:
        with patience(on_compile):
            list_rounds(study, 0, 0)
        for net in map_in_order(lambda chunk: _opener_net(study, chunk), chunks, workers):
            histogram += np.bincount(net + zero, minlength=histogram.size)
            done += net.size
            progress(done, rounds)
    except KeyboardInterrupt:
        if not done:
            raise
    shifted = estimate_mean(histogram.tolist(), confidence)
    mean, low, high = (x - zero for x in (shifted.estimate, shifted.low, shifted.high))
    return replace(shifted, estimate=mean, low=low, high=high), done


def _opener_net(study: Study, chunk: range) -> "NDArray[np.int64]":
    """The opener's points minus the others', of each round."""
    rows = list_rounds(study, chunk.start, chunk.stop).T
    of = dict(zip(Outcome._fields, rows, strict=False))
    if of["impossible"].any():
        raise RunError("a round reached a state that no round can reach: a bug")
    gained = rows[-study.rules.players :]
    own = np.take_along_axis(gained, of["opener"][None, :], axis=0)[0]
    net: NDArray[np.int64] = 2 * own - gained.sum(axis=0)
    return net
