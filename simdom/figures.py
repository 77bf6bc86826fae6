"""Figures as lines of a table: what each is called, and which go without saying."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from simdom.estimate import GROUPS, Estimate, Metrics
from simdom.match_metrics import ALL_METRICS, tell_estimate
from simdom.rules import (
    BlockScore,
    BlockTie,
    Boneyard,
    NoDouble,
    Opening,
    OthersPoints,
    Overshoot,
    Rules,
    accepted_deals,
)
from simdom.variants import why_no_effect

__all__ = ["Figure", "goes_without_saying", "group_figures", "list_figures"]


class Figure(NamedTuple):
    """One line of a table of figures."""

    metric: str
    seat: int | None
    """Of a metric by seat: turns after the opener, or the seat at the table."""
    label: str
    estimate: Estimate

    @property
    def text(self) -> str:
        """The estimate, for a person."""
        return " ".join(filter(None, tell_estimate(self.metric, self.estimate)))


def list_figures(metrics: Metrics, names: Iterable[str], strategies: Sequence[str]) -> list[Figure]:
    """The figures of some metrics, one a line; of a metric by seat, one a seat.

    Args:
        metrics: of a run.
        names: which of them, in this order.
        strategies: name of each table seat's strategy, seat 0 first.

    Raises:
        UsageError: ``metrics`` has no such name; the nearest spelling is offered.
    """
    lines = []
    for name in names:
        found, label = metrics[name], ALL_METRICS[name].label
        if isinstance(found, Estimate):
            lines.append(Figure(name, None, label, found))
            continue
        for seat, estimate in enumerate(found):
            told = label.format(
                nth=_nth(seat + 1), seat=seat, strategy=strategies[seat], team=_TEAMS[seat % 2]
            )
            lines.append(Figure(name, seat, told, estimate))
    return lines


def group_figures(figures: Iterable[Figure]) -> dict[str, list[Figure]]:
    """Figures under their headings, in the order of `GROUPS`; headings of none are left out."""
    groups: dict[str, list[Figure]] = {group: [] for group in GROUPS}
    for figure in figures:
        groups[ALL_METRICS[figure.metric].group].append(figure)
    return {group: lines for group, lines in groups.items() if lines}


def goes_without_saying(figure: Figure, rules: Rules, *, mixed: bool) -> bool:
    """Whether the rules decide a figure, or another figure says the same.

    Args:
        figure: of a run under ``rules``.
        rules: that were played.
        mixed: whether the seats play by more than one strategy.
    """
    blocking = rules.boneyard == Boneyard.BLOCK
    turns_are_seats = mixed and rules.opening == Opening.FIRST_SEAT
    never_drawn = blocking or rules.reserve == rules.boneyard_size
    return {
        "opener_win_rate": turns_are_seats,
        "seat_win_rate": turns_are_seats or figure.seat == 0,  # the opener
        "table_seat_win_rate": not mixed,
        "redeal_rate": accepted_deals(rules) == 1,
        "no_double_rate": _always_deals_a_double(rules),
        "dead_after_opening_rate": _never_dead_after_opening(rules),
        f"points_{rules.block_score.name.lower()}": True,
        "draws": never_drawn,
        "boneyard_left": never_drawn,
        "seat_match_win_rate": figure.seat == 0,  # the first opener
        "team_match_win_rate": figure.seat == 0,  # its team
        "table_seat_match_win_rate": not mixed,
        "both_over_rate": not _several_may_score(rules),
        "shutout_rate": rules.others_points == OthersPoints.RESET,
        "tied_rounds": rules.block_tie == BlockTie.NEAREST,
        "unfinished_rate": _always_ends(rules) and not figure.estimate.count,
    }.get(figure.metric, False)


def _several_may_score(rules: Rules) -> bool:
    """Whether more than one side may get points in one round."""
    shared = rules.block_score == BlockScore.PER_HEAVIER or rules.block_tie == BlockTie.SPLIT
    return shared or rules.pass_round_points > 0


def _always_ends(rules: Rules) -> bool:
    """Whether points are only ever added, so that a match is won sooner or later."""
    return rules.overshoot == Overshoot.COUNTS and rules.others_points == OthersPoints.KEPT


def _always_deals_a_double(rules: Rules) -> bool:
    """Whether every deal that is played has a double: the others do not suffice, or by rule."""
    by_rule = rules.no_double == NoDouble.REDEAL and not why_no_effect(rules, "no_double")
    return by_rule or rules.players * rules.deal > rules.tiles - (rules.max_pip + 1)


def _never_dead_after_opening(rules: Rules) -> bool:
    """Whether no round can be blocked by its first tile.

    At least ``max_pip`` other tiles fit that tile. A round is blocked only when nothing more may be
    drawn, so all of them would have to be among the tiles that no seat ever gets.
    """
    blocking = rules.boneyard == Boneyard.BLOCK
    never_held = rules.boneyard_size if blocking else rules.reserve
    return rules.deal == 1 or never_held < rules.max_pip


_TEAMS = ("The opener's team", "The other team")


def _nth(number: int) -> str:
    """The ordinal of a number from 1 to 20, such as 2nd."""
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"
