"""Why a round awards the points that it does: the sum behind each way to score, written out."""

from collections.abc import Sequence
from typing import NamedTuple

from simdom.rules import (
    BlockScore,
    BlockTie,
    Capicua,
    DominoScore,
    PipSteps,
    Rules,
    Teams,
    side_of_seat,
)
from simdom.settling import Last, Settled
from simdom.tiles import tile_id, tile_name

__all__ = ["Reason", "explain_end", "explain_points"]


class Reason(NamedTuple):
    """A way to score, what it awards, and the sum that gives it."""

    name: str
    points: int
    sum: str


class _Part(NamedTuple):
    """One term of what a round awards."""

    points: int
    text: str


def explain_points(
    rules: Rules,
    settled: Settled,
    last: Last,
    pass_rounds: Sequence[int],
    *,
    is_blocked: bool,
    names: Sequence[str],
) -> list[Reason]:
    """The published ways to score and the variant's own, each with its sum.

    Args:
        rules: of the round.
        settled: how it ended.
        last: the last tile placed.
        pass_rounds: how often each seat played, saw all others pass and played again.
        is_blocked: whether nobody could play; else the seat of ``last`` is out.
        names: of the ways to score a block.
    """
    reasons = []
    for name in names:
        kind = BlockScore[name.upper()]
        parts = _base(rules._replace(block_score=kind), settled, is_blocked=is_blocked)
        parts += _bonuses(rules, settled, last, pass_rounds, is_blocked=is_blocked)
        told = "; ".join(part.text for part in parts if part.points) or "nobody scores"
        reasons.append(Reason(name, sum(part.points for part in parts), told))
    return reasons


def explain_end(rules: Rules, settled: Settled, *, is_blocked: bool, you: int | None = None) -> str:
    """Who won a round, and by what: one sentence; the seat ``you`` is called so, and is first."""
    is_yours = you is not None and settled.winner == you
    if not is_blocked:
        who, whose = ("You", "your") if is_yours else (f"Seat {settled.winner}", "its")
        return f"{who} played {whose} last tile."
    pips = ", ".join(
        f"{settled.pips[seat]} to {'you' if seat == you else f'seat {seat}'}"
        for seat in sorted(range(rules.players), key=lambda seat: seat != you)
    )
    least = min(settled.pips)
    tied = [seat for seat, pips in enumerate(settled.pips) if pips == least]
    if settled.winner is None:
        how = "they are tied, and share it" if rules.block_tie == BlockTie.SPLIT else "a tie"
        return f"Nobody can play. Pips left are {pips}: {how}, nobody wins."
    by_tie = f" by the rule for ties ({BlockTie(rules.block_tie).name.lower()})"
    is_tie = len(tied) > 1 and rules.teams == Teams.NONE
    wins = "you win" if is_yours else f"seat {settled.winner} wins"
    return f"Nobody can play. Pips left are {pips}: {wins}" + (f"{by_tie}." if is_tie else ".")


def _base(rules: Rules, settled: Settled, *, is_blocked: bool) -> list[_Part]:
    """What is scored before bonuses: mostly one term."""
    pips, winner = settled.pips, settled.winner
    if not is_blocked:
        assert winner is not None  # noqa: S101 -- somebody is out
        kind = DominoScore(rules.domino_score)
        if kind == DominoScore.FLAT:
            return [_flat(rules, "a domino")]
        counted = range(rules.players) if kind == DominoScore.ALL_HANDS else _against(rules, winner)
        return [_in_steps(rules, [(pips[seat], "+") for seat in counted])]
    if winner is None and rules.block_tie != BlockTie.SPLIT:
        return []
    if rules.block_score == BlockScore.PER_HEAVIER:
        return _per_heavier(rules, pips)
    if rules.block_score == BlockScore.FLAT:
        return [_flat(rules, "a block")]
    return [_in_steps(rules, _terms(rules, settled))]


def _terms(rules: Rules, settled: Settled) -> list[tuple[int, str]]:
    """The pips that are added and taken off, for a block that is scored by pips."""
    pips = settled.pips
    winner = pips.index(min(pips)) if settled.winner is None else settled.winner
    others = [seat for seat in range(rules.players) if seat != winner]
    kind = BlockScore(rules.block_score)
    if kind == BlockScore.OPPONENTS:
        others = _against(rules, winner)
    if kind == BlockScore.DIFFERENCE:
        return [term for seat in others for term in ((pips[seat], "+"), (pips[winner], "−"))]
    terms = [(pips[seat], "+") for seat in others]
    if kind == BlockScore.MINUS_OWN:
        terms.append((pips[winner], "−"))
    if kind == BlockScore.ALL_HANDS:
        terms.insert(winner, (pips[winner], "+"))
    return terms


def _against(rules: Rules, seat: int) -> list[int]:
    """The opponents of a seat."""
    own = side_of_seat(rules, seat)
    return [other for other in range(rules.players) if side_of_seat(rules, other) != own]


def _flat(rules: Rules, what: str) -> _Part:
    return _Part(rules.flat_points, f"{rules.flat_points} for {what}, whatever the pips")


def _per_heavier(rules: Rules, pips: list[int]) -> list[_Part]:
    parts = []
    for seat, own in enumerate(pips):
        more = [pips[other] for other in _against(rules, seat) if pips[other] > own]
        if more:
            part = _in_steps(rules, [term for one in more for term in ((one, "+"), (own, "−"))])
            parts.append(_Part(part.points, f"seat {seat}: {part.text}"))
    return parts


def _in_steps(rules: Rules, terms: list[tuple[int, str]]) -> _Part:
    total = sum(pips if sign == "+" else -pips for pips, sign in terms)
    text = " ".join(f"{sign} {pips}" for pips, sign in terms).removeprefix("+ ")
    text += f" = {total}" if len(terms) > 1 else ""
    if rules.pip_steps == PipSteps.NONE:
        return _Part(total, text)
    first, points = (15, 1) if rules.pip_steps == PipSteps.FROM_15 else (21, 2)
    points = points if total < first else points + 1 + (total - first) // 10
    return _Part(points, f"{text} pips, in steps {points}")


def _bonuses(
    rules: Rules,
    settled: Settled,
    last: Last,
    pass_rounds: Sequence[int],
    *,
    is_blocked: bool,
) -> list[_Part]:
    parts: list[_Part] = []
    if is_blocked and settled.winner is not None:
        parts.append(_Part(rules.block_bonus, f"{rules.block_bonus} for winning a block"))
    if not is_blocked:
        parts += _bonuses_of_last(rules, last)
    times = sum(pass_rounds)
    points = rules.pass_round_points * times
    parts.append(_Part(points, f"{points} for playing again after all others passed"))
    return parts


def _bonuses_of_last(rules: Rules, last: Last) -> list[_Part]:
    """What going out with this tile is worth."""
    is_double = last.fitted == last.other
    fits_both = last.kept in (last.fitted, last.other)
    is_capicua = {
        Capicua.NONE: False,
        Capicua.DIFFERENT_ENDS: last.other == last.kept != last.fitted,
        Capicua.NO_DOUBLES: fits_both and not is_double,
        Capicua.DOUBLES_TOO: fits_both,
        Capicua.EQUAL_AFTER: last.other == last.kept,
    }[Capicua(rules.capicua)]
    tile = tile_name(tile_id(last.fitted, last.other))
    kinds = [
        (is_capicua, rules.capicua_points, f"{tile}, which fits both ends"),
        (
            is_double and last.kept == last.other,
            rules.crossed_points,
            f"{tile}, a double that fits both ends",
        ),
        (is_double, rules.double_out_points, f"{tile}, a double"),
        (is_double and last.fitted == 0, rules.blank_out_points, tile),
    ]
    return [
        _Part(points, f"{points} for going out with {what}")
        for is_it, points, what in kinds
        if is_it
    ]
