"""What one change does: a figure for each metric that is watched, and a verdict on all of them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple

from simdom.counts import MOST_ROUNDS, format_count
from simdom.document import plain_estimate
from simdom.errors import UsageError, check_choice
from simdom.estimate import Estimate, Kind, format_parts
from simdom.match_metrics import ALL_METRICS
from simdom.pairing.changes import Change
from simdom.pairing.differences import UNCHANGED, format_difference
from simdom.pairing.verdicts import DOES_NOT_MATTER, MATTERS, NOT_SETTLED, Verdict

__all__ = [
    "OF_MATCHES",
    "OF_ROUNDS",
    "Effect",
    "EffectFigure",
    "Watch",
    "Watched",
    "check_smallest",
    "kind_of",
    "least_rounds",
    "rounds_in_words",
    "watch_of",
]

LEAST, MOST = 1e-9, 1e9
"""Smallest effects of interest are from here to there: no run has rounds for less."""


class Watched(NamedTuple):
    """What a metric is called in this table.

    Attributes:
        label: a word or two.
        unit: of its changes, as it is printed; rates are printed in hundredths.
        smallest: the smallest effect of interest by default.
    """

    label: str
    unit: str
    smallest: float

    def size_text(self, size: float) -> str:
        """An effect for a person, such as ``1 pp``."""
        unit = self.unit if self.unit == "%" else f" {self.unit}"
        return f"{100 * size:g}{unit}" if self.unit else f"{size:g}"


class Watch(NamedTuple):
    """What is watched of rounds, or of matches.

    Attributes:
        watched: the metrics of the table, in its order.
        winner: the one of them that says how often another side wins.
        unit: what is played: "round" or "match".
        units: of several.
    """

    watched: dict[str, Watched]
    winner: str
    unit: str
    units: str

    @property
    def averages(self) -> tuple[str, ...]:
        """The metrics that the verdict on a change goes by.

        Who wins single rounds is left to luck by most changes: where choices are drawn by lot, play
        that goes otherwise once goes on otherwise. So that share is shown, and claimed, but is no
        effect.
        """
        return tuple(name for name in self.watched if name != self.winner)

    def unsigned(self, name: str) -> bool:
        """Whether a figure is a share of what was played, and not a difference."""
        return name == self.winner


OF_ROUNDS = Watch(
    {
        "blocked_rate": Watched("blocked", "pp", 0.01),
        "opener_win_rate": Watched("opener wins", "pp", 0.01),
        "points": Watched("points", "", 0.5),
        "plays": Watched("tiles played", "", 0.1),
        "draws": Watched("tiles drawn", "", 0.1),
        "winner_changed_rate": Watched("other winner", "%", 0.01),
    },
    "winner_changed_rate",
    "round",
    "rounds",
)
OF_MATCHES = Watch(
    {
        "match_win_rate_first_opener": Watched("opener wins", "pp", 0.01),
        "rounds_per_match": Watched("rounds", "", 0.5),
        "blocked_points_share": Watched("from blocks", "pp", 0.02),
        "lead_changes": Watched("lead changes", "", 0.2),
        "comeback_rate": Watched("comebacks", "pp", 0.01),
        "match_winner_changed_rate": Watched("other winner", "%", 0.01),
    },
    "match_winner_changed_rate",
    "match",
    "matches",
)


def watch_of(*, matches: bool) -> Watch:
    """What is watched of matches, or of rounds."""
    return OF_MATCHES if matches else OF_ROUNDS


def kind_of(name: str) -> Kind:
    """Whether a watched metric is a share, printed in percent, or a mean."""
    return ALL_METRICS[name].kind if name in ALL_METRICS else "rate"


def check_smallest(smallest: Mapping[str, object], watch: Watch = OF_ROUNDS) -> dict[str, float]:
    """The smallest effect of interest of every watched metric: ``smallest``, else the default.

    Raises:
        UsageError: no such metric; not a number from `LEAST` to `MOST`, and below 1 for a rate.
    """
    found = {name: watched.smallest for name, watched in watch.watched.items()}
    for name, given in smallest.items():
        rate = kind_of(check_choice("metric", name, watch.watched)) != "mean"
        value = _number(given)
        if not LEAST <= value <= MOST or (rate and value >= 1):
            allowed = "between 0 and 1" if rate else f"a number above 0, up to {MOST:.0e}"
            least = f", and no less than {LEAST:g}" if 0 < value < LEAST else ""
            told = value if math.isinf(value) else given  # a whole number may be of any length
            raise UsageError(
                f"the smallest effect of {name} must be {allowed}{least}, not {told!r}"
            )
        found[name] = value
    return found


def _number(given: object) -> float:
    """A number of any kind, or as it is written; nan if it is none, inf if it is too large."""
    try:
        return float(given) if isinstance(given, str | Real) else math.nan
    except ValueError:
        return math.nan
    except OverflowError:
        return math.inf


@dataclass(frozen=True, slots=True)
class EffectFigure(Estimate):
    """What one change does to one metric; the interval is at a level of its own."""

    level: float = math.nan
    """Of the interval, see `simdom.pairing.verdicts`."""
    verdict: Verdict = NOT_SETTLED
    """Beyond its smallest effect, within it, or neither."""
    rounds_needed: float | None = None
    """Rounds that would settle it if it stays as it is: inf on the border, nan if nothing is known;
    None if it is settled."""

    @property
    def is_fixed(self) -> bool:
        """Whether the rules do not let it change; what was seen in no round has an interval."""
        return self.low == self.high

    def parts(self, kind: Kind, *, signed: bool, trial: str = "round") -> tuple[str, str]:
        """The figure for a person, and the longer side of its interval behind "±".

        Rates are in percentage points if they are ``signed``. Those that are not are shares of
        rounds, in percent: where a side would leave 0 to 100% both ends are written in brackets.
        """
        if self.is_fixed:
            return UNCHANGED, ""
        side = max(self.high - self.estimate, self.estimate - self.low)
        even = Estimate(self.estimate, self.se, self.estimate - side, self.estimate + side)
        if not signed:
            return format_parts(even if even.low >= 0 and even.high <= 1 else self, kind, trial)
        value, interval = format_difference(even, kind, trial)
        return UNCHANGED if self.estimate == 0 == self.sd else value, interval

    def to_dict(self) -> dict[str, Any]:
        """The figure as a document has it."""
        plain = plain_estimate(self)
        if self.rounds_needed is not None:
            plain["rounds_needed"] = least_rounds(self.rounds_needed)
        return plain


class Open(NamedTuple):
    """The metric on which a change that is not settled waits, and the rounds that it needs."""

    metric: str
    rounds: float


@dataclass(frozen=True)
class Effect:
    """What one change does.

    Attributes:
        change: of the baseline.
        figures: by metric, in the order of `Watch.watched`: the change minus the baseline; of
            `Watch.winner`, the share of rounds or matches. With another number of players, the
            rates of the table only.
        smallest: the smallest effect of interest of each metric.
        watch: what is watched.
    """

    change: Change
    figures: dict[str, EffectFigure]
    smallest: Mapping[str, float]
    watch: Watch = OF_ROUNDS

    @property
    def name(self) -> str:
        """Such as ``reserve=0``, see `simdom.pairing.changes.Change.name`."""
        return self.change.name

    @property
    def averages(self) -> dict[str, EffectFigure]:
        """The figures that the verdict goes by."""
        return {name: self.figures[name] for name in self.watch.averages if name in self.figures}

    @property
    def size(self) -> float:
        """The largest effect on an average, in smallest effects of interest."""
        return max(abs(each.estimate) / self.smallest[name] for name, each in self.averages.items())

    @property
    def largest(self) -> str:
        """The metric that has that effect."""
        found = self.averages
        return max(found, key=lambda name: abs(found[name].estimate) / self.smallest[name])

    @property
    def verdict(self) -> Verdict:
        """It matters if any average is beyond its smallest effect; not if all are within theirs."""
        verdicts = {each.verdict for each in self.averages.values()}
        if MATTERS in verdicts:
            return MATTERS
        return NOT_SETTLED if NOT_SETTLED in verdicts else DOES_NOT_MATTER

    @property
    def open(self) -> Open | None:
        """What keeps it from being settled; None if it is.

        One average that turns out beyond its smallest effect is enough; else all must be within.
        """
        if self.verdict != NOT_SETTLED:
            return None
        waiting = {
            name: each.rounds_needed
            for name, each in self.averages.items()
            if each.rounds_needed is not None
        }
        beyond = [
            name for name in waiting if abs(self.figures[name].estimate) > self.smallest[name]
        ]
        choose, among = (min, beyond) if beyond else (max, [*waiting])
        metric = choose(among, key=lambda name: (math.isnan(waiting[name]), waiting[name]))
        return Open(metric, waiting[metric])

    @property
    def luck_only(self) -> bool:
        """Whether it changes who wins single rounds, and no average by its smallest effect."""
        winner = self.figures.get(self.watch.winner)
        return self.verdict == DOES_NOT_MATTER and winner is not None and winner.verdict == MATTERS

    def text(self, name: str) -> str:
        """One figure in words, such as ``blocked -2.78 pp ± 0.20``."""
        value, interval = self.parts(name)
        return f"{self.watch.watched[name].label} {value} {interval}".rstrip()

    def parts(self, name: str) -> tuple[str, str]:
        """One figure and how sure it is, for a person."""
        signed = not self.watch.unsigned(name)
        return self.figures[name].parts(kind_of(name), signed=signed, trial=self.watch.unit)


def least_rounds(needed: float) -> int | None:
    """Rounds to two digits, upwards; None if no run has so many, or if nothing is known.

    >>> least_rounds(1234567.8), least_rounds(math.inf)
    (1300000, None)
    """
    if not needed <= MOST_ROUNDS:
        return None
    whole = math.ceil(needed)
    step = int(10 ** max(0, len(str(whole)) - 2))
    return -(-whole // step) * step


def rounds_in_words(needed: float, *, short: bool = False, units: str = "rounds") -> str:
    """How many rounds would settle it; ``short`` for a column, and empty if that cannot be told.

    ``units`` is "matches" where these are meant.

    >>> [rounds_in_words(needed) for needed in (1234567.8, math.inf, math.nan)]
    ['about 1,300,000 rounds', 'more than 1e13 rounds', 'cannot tell yet']
    >>> [rounds_in_words(needed, short=True) for needed in (64321, 1234567.8, math.inf, math.nan)]
    ['~65k', '~1.3M', '>1e13', '']
    """
    if math.isnan(needed):
        return "" if short else "cannot tell yet"
    rounds = least_rounds(needed)
    if rounds is None:
        most = format_count(MOST_ROUNDS)
        return f">{most}" if short else f"more than {most} {units}"
    return f"~{_short_count(rounds)}" if short else f"about {rounds:,} {units}"


def _short_count(rounds: int) -> str:
    """Such as 650, 65k or 1.3M, as ``-n`` reads it."""
    for size, suffix in ((10**9, ""), (10**6, "M"), (10**3, "k")):
        if rounds >= size:
            return f"{rounds / size:g}{suffix}" if suffix else format_count(rounds)
    return str(rounds)
