"""A reproduction for people: sentences, tables and notes, all of them made from its figures."""

from collections.abc import Iterator, Sequence, Sized
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from simdom.counts import format_count
from simdom.document import is_preset_strategy, strategy_in_words
from simdom.estimate import format_estimate
from simdom.exact.text import format_decimal
from simdom.formats import format_confidence
from simdom.published.claim import Claim, Measured
from simdom.published.judging import Judged, joint_confidence
from simdom.published.measures import OPENER_NET, OPENER_NET_DOC, measure_of
from simdom.simulate import describe_strategies

if TYPE_CHECKING:
    from simdom.published.reproduction import Reproduction

__all__ = ["Table", "notes_on", "own_strategies", "tables_of", "tell"]

RANDOM = "random"
NOT_PLAYED = "not played"
BY_ITSELF = "(alone)"
"""Marks a verdict that does not stand together with all others."""

_TWO = 2
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Table(NamedTuple):
    """One table for people.

    Attributes:
        heading: what was played and measured.
        lead: the claims about it, one a line.
        columns: their headings.
        rows: as many cells as there are columns; a cell may have two lines.
    """

    heading: str
    lead: list[str]
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]


# --- sentences -------------------------------------------------------------------------------


def tell(found: "Reproduction") -> list[str]:
    """What was found, in plain sentences."""
    open_claims = [claim for claim, answer in found.claims.measured if answer.strategy is None]
    return [
        *_who_names_no_strategy(open_claims),
        *_random_play(found, open_claims),
        *(_who_meets(found, claim) for claim in open_claims),
        *_who_meets_both(found),
        *_named(found),
        *_counted(found),
    ]


def _who_names_no_strategy(claims: Sequence[Claim]) -> Iterator[str]:
    by_source: dict[str, list[str]] = {}
    for claim in claims:
        by_source.setdefault(claim.source, []).append(claim.quoted)
    for source, printed in by_source.items():
        yield f"{source} names no strategy for {_and(printed)}."


def _random_play(found: "Reproduction", claims: Sequence[Claim]) -> Iterator[str]:
    told: dict[object, str] = {}
    for claim in claims:
        judged = found.figures[claim.id].get(RANDOM)
        if judged is not None:
            figure = f"{_figure(claim, judged)} where {claim.quoted} is published"
            told.setdefault(_question(claim), figure)
    if told:
        yield f"Random play gives {_and(list(told.values()))}."


def _nobody(found: "Reproduction", played: Sized) -> str:
    """What to say where no strategy of those that were played is meant."""
    count = len(found.strategies)
    if len(played) < count:
        return "none of those played"
    if count == 1:
        return "none, of one strategy tried"
    none = "neither" if count == _TWO else "none"
    return f"{none} of these {dict(enumerate(_NUMBERS)).get(count, count)} strategies"


def _who_meets(found: "Reproduction", claim: Claim) -> str:
    """Which strategies give what is claimed; the nearest one if none may."""
    figures = found.figures[claim.id]
    inside, unsettled = (
        [f"{name} ({_figure(claim, one)})" for name, one in figures.items() if one.verdict == this]
        for this in ("inside", "not settled")
    )
    met = f"{claim.quoted} ({claim.range}): met by {_and(inside) or _nobody(found, figures)}"
    if unsettled:
        return f"{met}; not settled for {_and(unsettled)}."
    if inside or not figures:
        return f"{met}."
    near = min(figures, key=lambda name: _distance(claim, figures[name].estimate.estimate))
    return f"{met}; the nearest is {near} ({_figure(claim, figures[near])})."


def _who_meets_both(found: "Reproduction") -> Iterator[str]:
    if found.claims.plane is None:
        return
    x, y = (found.claims.claim(name) for name in found.claims.plane)
    across, up = found.figures[x.id], found.figures[y.id]
    pairs = {name: {across[name].verdict, up[name].verdict} for name in across if name in up}
    both = [name for name, pair in pairs.items() if pair == {"inside"}]
    maybe = [name for name, pair in pairs.items() if pair - {"inside"} == {"not settled"}]
    met = _and(both) or _nobody(found, pairs)
    unsettled = f"; not settled for {_and(maybe)}" if maybe else ""
    yield f"Both {x.quoted} and {y.quoted}: met by {met}{unsettled}."


def _named(found: "Reproduction") -> Iterator[str]:
    for claim, answer in found.claims.measured:
        if answer.strategy is None:
            continue
        for name, judged in found.figures[claim.id].items():
            against = " against" if judged.verdict == "not settled" else ""
            yield (
                f"{claim.source} names its strategy, {name}: {claim.quoted} is published and "
                f"{_figure(claim, judged)} measured, {judged.verdict}{against} {claim.range}."
            )


def _counted(found: "Reproduction") -> Iterator[str]:
    for claim, _ in found.claims.counted:
        chance, verdict = found.chances[claim.id]
        yield (
            f"{claim.quoted}, counted exactly: {chance}, or {_percent(chance)}, "
            f"{verdict} {claim.range}."
        )


# --- tables ----------------------------------------------------------------------------------


def tables_of(found: "Reproduction") -> list[Table]:
    """A table for each question that was measured, and one for all that was counted."""
    questions: dict[object, list[tuple[Claim, Measured]]] = {}
    for claim, answer in found.claims.measured:
        questions.setdefault(_question(claim), []).append((claim, answer))
    tables = [_table_of_measured(found, claims) for claims in questions.values()]
    return [*tables, _table_of_counted(found)] if found.claims.counted else tables


def _table_of_measured(found: "Reproduction", claims: Sequence[tuple[Claim, Measured]]) -> Table:
    (first, answer), *_ = claims
    names = dict.fromkeys(
        one.name for _, answer in claims for one in answer.played_by(found.strategies)
    )
    rows = []
    for name in names:
        judged = [found.figures[claim.id].get(name) for claim, _ in claims]
        figure = next((_figure(first, one) for one in judged if one is not None), NOT_PLAYED)
        rows.append((name, figure, *map(_verdict, judged)))
    return Table(
        heading=answer.title,
        lead=[_in_full(claim) for claim, _ in claims],
        columns=("strategy", "measured", *(claim.quoted for claim, _ in claims)),
        rows=rows,
    )


def _table_of_counted(found: "Reproduction") -> Table:
    claims = [claim for claim, _ in found.claims.counted]
    rows: list[tuple[str, ...]] = []
    for claim in claims:
        chance, verdict = found.chances[claim.id]
        rows.append((claim.quoted, str(chance), _percent(chance), verdict))
    return Table(
        heading="Counted exactly",
        lead=[_in_full(claim) for claim in claims],
        columns=("claim", "fraction", "chance", "verdict"),
        rows=rows,
    )


def _question(claim: Claim) -> object:
    """What is measured: claims that agree in it share their figures."""
    answer = claim.answer
    return (answer.rules, answer.metric, answer.seat) if isinstance(answer, Measured) else None


def _in_full(claim: Claim) -> str:
    note = f" {claim.note}" if claim.note else ""
    return (
        f"{claim.says}: {claim.quoted} by {claim.source}, which may stand for {claim.range} "
        f"({claim.interval}).{note}"
    )


def _verdict(judged: Judged | None) -> str:
    if judged is None:
        return ""
    mark = "" if judged.firm else f" {BY_ITSELF}"
    more = "" if judged.settle is None else f"\nabout {format_count(judged.settle)} rounds"
    return f"{judged.verdict}{mark}{more}"


# --- notes -----------------------------------------------------------------------------------


def notes_on(found: "Reproduction") -> list[str]:
    """How to read the verdicts, how sure all of them are together, and who is no preset."""
    if not found.verdicts:
        return own_strategies(found)
    coupled = [_COUPLED] if found.verdicts > 1 else []
    return [_READING, _how_sure(found), *coupled, *_defined(found), *own_strategies(found)]


_READING = (
    "Inside: the whole interval is within what the claim may stand for. Outside: none of it is. "
    "Not settled: else. The rounds with it are those at which the interval would just leave the "
    "edge if the figure stayed as it is: about an even chance, and no promise."
)
_COUPLED = "All play the same shuffles, so their figures go up and down together."


def _defined(found: "Reproduction") -> Iterator[str]:
    """What is measured and no metric of `simdom metrics`."""
    if any(answer.metric == OPENER_NET for _, answer in found.claims.measured):
        label = measure_of(OPENER_NET, None).label
        yield f"{label} ({OPENER_NET}): {OPENER_NET_DOC}"


def own_strategies(found: "Reproduction") -> list[str]:
    """The strategies that are no presets, and what they weigh."""
    return [
        f"{name}: {strategy_in_words(detail)}."
        for name, detail in describe_strategies(found.strategies).items()
        if not is_preset_strategy(name, detail)
    ]


def _how_sure(found: "Reproduction") -> str:
    if found.verdicts == 1:
        return f"The interval is at {found.confidence_text}."
    joint = format_confidence(joint_confidence(found.confidence, found.verdicts))
    shaky = any(not judged.firm for by in found.figures.values() for judged in by.values())
    but = f", but for those marked {BY_ITSELF}," if shaky else ""
    made = sum(map(len, found.figures.values()))
    every = "Both" if found.verdicts == _TWO else f"All {found.verdicts}"
    if found.partial and made < found.verdicts:
        every = f"Only {made} of {found.verdicts} verdicts are there; these"
    return (
        f"Each interval is at {found.confidence_text} by itself. {every} verdicts{but} are the "
        f"same with intervals at {joint}, and so are right together with a confidence of "
        f"{found.confidence_text} (Bonferroni)."
    )


def _figure(claim: Claim, judged: Judged) -> str:
    """The figure to the digits that its interval gives it."""
    return format_estimate(judged.estimate, "rate" if claim.is_rate else "mean")


def _distance(claim: Claim, value: float) -> float:
    return max(claim.low - value, value - claim.high)


def _percent(chance: Fraction) -> str:
    return f"{format_decimal(100 * chance)}%"


def _and(words: Sequence[str]) -> str:
    *first, last = words or [""]
    return f"{', '.join(first)} and {last}" if first else last
