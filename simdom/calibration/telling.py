"""A calibration for people: sentences, tables and notes, all of them made from its figures."""

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from simdom.calibration.fit import Fit
from simdom.calibration.leeway import Leeway
from simdom.calibration.plain import plainness, weights_of
from simdom.calibration.screening import SURE
from simdom.counts import format_count
from simdom.estimate import format_estimate
from simdom.formats import format_confidence
from simdom.published.claim import Claim, Measured
from simdom.published.judging import Judged
from simdom.published.telling import Table

if TYPE_CHECKING:
    from simdom.calibration.calibration import Calibration

__all__ = ["notes_on", "tables_of", "tell"]

SHOWN = 8
"""Rows in a table; the document has them all."""

_NAMED = 3  # rows in a sentence
_WIDEST = 28  # characters of a row of weights in a table


# --- sentences -------------------------------------------------------------------------------


def tell(found: "Calibration") -> list[str]:
    """What was found, in plain sentences."""
    return [*_finding(found), *_plainer(found), *_others(found), _cost(found)]


def _finding(found: "Calibration") -> Iterator[str]:
    claims = found.plan.claims.claims
    printed = _and([claim.quoted for claim in claims])
    holds, hold = ("both hold" if len(claims) == 2 else "all hold", "hold")  # noqa: PLR2004
    if len(claims) == 1:
        holds = hold = "holds"
    if found.found is not None:
        yield (
            f"{printed} {holds} if every seat plays by {found.found.words}: "
            f"{_figures(found, found.found)}, on rounds that no choice was made on."
        )
        yield (
            f"Another run of {found.plan.rounds:,} rounds would find the same with a chance of "
            f"{found.found.chance:.0%}."
        )
    elif found.partial:
        yield f"Interrupted before a row was found under which {printed} {hold}."
    else:
        yield (
            f"None of {found.rows:,} rows was found under which {printed} {hold} so surely that "
            f"another run of {found.plan.rounds:,} rounds would find the same with a chance of "
            f"{found.plan.again:.0%}."
        )
    if found.found is None and found.nearest:
        best = found.nearest[0]
        yield (
            f"The nearest is {best.words}: {_figures(found, best)} after up to "
            f"{best.rounds:,} rounds, {best.verdict}."
        )


def _plainer(found: "Calibration") -> Iterator[str]:
    if found.found is None:
        return
    features, weight = plainness(found.found.row)
    limit = found.plan.limits
    yield (
        f"It has {features} weight{'s' if features > 1 else ''}, of {weight} in all; "
        f"each of the {found.rows:,} rows of up to {limit.most_features} weights and "
        f"{limit.most_weight} in all was looked at."
    )
    plainer = [
        fit
        for fit in (*found.others, *found.rejected)
        if not fit.is_outside and plainness(fit.row) < (features, weight)
    ]
    inside = [fit.words for fit in plainer if fit.is_inside]
    if inside:
        yield f"Plainer, but with less room to the edges: {_some(inside)}."
    if len(plainer) > len(inside):
        yield f"Plainer, and not settled: {_some([x.words for x in plainer if not x.is_inside])}."
    if not plainer:
        yield "Every plainer one is outside."


def _others(found: "Calibration") -> Iterator[str]:
    """Whether rows of other features may give the same: then it is not told how people played."""
    if found.found is None:
        return
    kind = set(weights_of(found.found.row))
    others = [fit for fit in found.others if set(weights_of(fit.row)) != kind]
    does = [fit.words for fit in others if fit.is_inside]
    may = [fit.words for fit in others if not fit.is_inside and not fit.is_outside]
    if does:
        yield f"Other features do it as well: {_some(does)}."
    if may:
        yield f"Other features may do it, for they are not settled: {_some(may)}."
    yield (
        "So the figures do not tell how people played."
        if does or may
        else "No row of other features is left; but there are more features than were tried."
    )


def _cost(found: "Calibration") -> str:
    plan = found.plan
    rule_sets = len({answer.rules for _, answer in plan.claims.measured})
    full = found.rounds_played / (plan.rounds * rule_sets)
    return (
        f"The search played {format_count(_two_digits(found.rounds_played))} rounds in all, "
        f"what {full:.3g} rows take that play {format_count(plan.rounds)} of each rule set."
    )


# --- tables ----------------------------------------------------------------------------------


def tables_of(found: "Calibration") -> list[Table]:
    """How the row fits, how far its weights may move, which rows fit too, and the screening."""
    tables = []
    if found.found is not None:
        tables += [_table_of_fit(found, found.found), _table_of_weights(found, found.found)]
    near = sorted((fit for fit in found.others if not fit.is_outside), key=lambda fit: -fit.room)
    if near and found.found is not None:
        heading = "Other rows that are left"
        if near[SHOWN:]:
            heading += f": the {SHOWN} nearest to the middle of {len(near)}"
        tables.append(_table_of_rows(heading, found, near[:SHOWN]))
    if found.nearest:
        tables.append(_table_of_rows("The nearest rows", found, found.nearest))
    if found.rejected:
        tables.append(
            _table_of_rows("Not well enough inside on fresh rounds", found, found.rejected)
        )
    return [*tables, _table_of_stages(found)]


def _table_of_fit(found: "Calibration", fit: Fit) -> Table:
    rows: list[tuple[str, ...]] = []
    lead = []
    for claim in found.plan.claims.claims:
        judged = fit.figures[claim.id]
        rows.append(
            (
                claim.quoted,
                claim.range,
                _figure(claim, judged),
                judged.verdict,
                _to_edge(claim, judged),
                f"{fit.again[claim.id]:.0%}",
            )
        )
        lead.append(f"{claim.quoted} by {claim.source}: {claim.says} ({_title(claim)}).")
    columns = ("claim", "may stand for", "measured", "verdict", "to the edge", "again")
    return Table(f"All play by {fit.words}", lead, columns, rows)


def _table_of_weights(found: "Calibration", fit: Fit) -> Table:
    rows: list[tuple[str, ...]] = [
        (name, str(weight), _leeway(found.leeway.get(name)))
        for name, weight in weights_of(fit.row).items()
    ]
    lead = ["About what each weight may be for the estimates to stay inside, the others standing."]
    return Table("How far the weights may move", lead, ("feature", "weight", "may be"), rows)


def _table_of_rows(heading: str, found: "Calibration", fits: Sequence[Fit]) -> Table:
    claims = found.plan.claims.claims
    rows = [
        (
            fill(fit.words, _WIDEST),
            *(_figure(claim, fit.figures[claim.id]) for claim in claims),
            fit.verdict,
        )
        for fit in fits
    ]
    return Table(heading, [], ("row", *(claim.quoted for claim in claims), "verdict"), rows)


def _table_of_stages(found: "Calibration") -> Table:
    rows: list[tuple[str, ...]] = [
        (
            f"{one.rounds:,}",
            f"{one.rows:,}",
            f"{one.rows - one.alike - one.left:,}",
            f"{one.alike:,}",
            f"{one.left:,}",
        )
        for one in found.stages
    ]
    lead = [f"{found.made}."]
    columns = ("rounds", "rows", "given up", "play alike", "left")
    return Table("How it was found", lead, columns, rows)


# --- notes -----------------------------------------------------------------------------------


def notes_on(found: "Calibration") -> list[str]:
    """How to read the tables."""
    plan = found.plan
    sure = format_confidence(SURE)
    joint = ""
    if len(plan.claims.claims) > 1:
        joint = (
            f"; a row that is found is so at {format_confidence(plan.joint)} each as well, and "
            f"meets all claims together at {format_confidence(plan.confidence)} (Bonferroni)"
        )
    return [
        f"Inside: the whole interval is within what the claim may stand for{joint}.",
        (
            f"All rows play the same shuffles. A row is given up once an interval at {sure} is too "
            "far out, left out if it plays as a plainer one does, and plays no more of a rule set "
            f"once all of such an interval is far enough inside."
        ),
        (
            "Again: how likely the interval of another run of so many rounds is inside, if the "
            f"estimate is the true value; for all claims together it must be {plan.again:.0%}."
        ),
        "Plain is first few weights, then small ones. Only their proportions matter.",
    ]


# --- words -----------------------------------------------------------------------------------


def _figures(found: "Calibration", fit: Fit) -> str:
    return _and([_figure(claim, fit.figures[claim.id]) for claim in found.plan.claims.claims])


def _figure(claim: Claim, judged: Judged) -> str:
    return format_estimate(judged.estimate, "rate" if claim.is_rate else "mean")


def _to_edge(claim: Claim, judged: Judged) -> str:
    estimate = judged.estimate
    room = min(estimate.estimate - claim.low, claim.high - estimate.estimate)
    return f"{100 * room:.2g} points" if claim.is_rate else f"{room:.2g}"


def _title(claim: Claim) -> str:
    return claim.answer.title if isinstance(claim.answer, Measured) else ""


def _leeway(leeway: Leeway | None) -> str:
    if leeway is None:
        return "not looked at"
    below = "" if leeway.is_low_end else " or below"
    above = "" if leeway.is_high_end else " or above"
    return f"{leeway.low:.4g}{below} to {leeway.high:.4g}{above}"


def _two_digits(number: int) -> int:
    step: int = 10 ** max(0, len(str(number)) - 2)
    return round(number / step) * step


def _and(words: Sequence[str]) -> str:
    *first, last = words or [""]
    return f"{', '.join(first)} and {last}" if first else last


def _some(rows: Sequence[str]) -> str:
    """The first rows, and how many there are besides."""
    more = len(rows) - _NAMED
    return "; ".join(rows[:_NAMED]) + (f"; and {more} more" if more > 0 else "")
