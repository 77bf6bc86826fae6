"""Which toggles matter: in a round or only in a match, beside which others, and what they mean.

``simdom variants`` and reports of results leave out what makes no difference.
"""

from collections.abc import Callable

from simdom.rules import (
    TOGGLES,
    BlockScore,
    BlockTie,
    Boneyard,
    Capicua,
    DominoScore,
    NamedMissing,
    Opening,
    Rules,
    Teams,
    asks_for_double,
    rules_to_dict,
)

__all__ = [
    "MATCH_TOGGLES",
    "READING_ORDER",
    "describe_value",
    "values_that_matter",
    "why_no_effect",
]

MATCH_TOGGLES = frozenset(
    {"later_lead", "tie_lead", "overshoot", "others_points", "early_bonus", "early_rounds"}
)
"""Toggles that no single round depends on."""

_READ_AFTER = {
    "teams": "players",
    "named_double": "opening",
    "named_missing": "named_double",
    "domino_score": "misdeal",
    "block_winner": "domino_score",
    "flat_points": "block_score",
    "block_bonus": "block_tie",
}
"""Toggles that people read elsewhere than in the order of `Rules`, and after which other."""


def _reading_order() -> tuple[str, ...]:
    order = [name for name in TOGGLES if name not in _READ_AFTER]
    for name, before in _READ_AFTER.items():
        order.insert(order.index(before) + 1, name)
    return tuple(order)


READING_ORDER = _reading_order()
"""Every toggle, in the order of a round: who plays, how it opens, how it ends, what comes next."""


def describe_value(toggle: str, value: int) -> str:
    """What a value of a toggle means, in one sentence; for a number, what it counts."""
    enum = TOGGLES[toggle].enum
    return TOGGLES[toggle].doc if enum is None else enum(value).doc


def why_no_effect(rules: Rules, toggle: str, *, matches: bool = False) -> str | None:
    """Why the value of ``toggle`` makes no difference under ``rules``; None if it does.

    Args:
        rules: what is played.
        toggle: a field of `Rules`.
        matches: whether whole matches are played, and not single rounds.

    >>> why_no_effect(Rules(boneyard=Boneyard.BLOCK), "reserve")
    'Nothing is drawn, so nothing is kept back.'
    >>> why_no_effect(Rules(), "later_lead")
    'It matters only in a match.'
    """
    if toggle in MATCH_TOGGLES and not matches:
        return "It matters only in a match."
    reasons = _IDLE.get(toggle, ())
    return next((reason for is_idle, reason in reasons if is_idle(rules)), None)


def values_that_matter(rules: Rules, *, matches: bool = False) -> dict[str, int | str]:
    """The toggles that make a difference under ``rules``, as `rules_to_dict` has them.

    Args:
        rules: what is played.
        matches: whether whole matches are played, and not single rounds.
    """
    return {
        name: value
        for name, value in rules_to_dict(rules).items()
        if why_no_effect(rules, name, matches=matches) is None
    }


def _has_no_tie(rules: Rules) -> bool:
    """Whether every tied block goes to somebody: of two sides that tie, one is always meant."""
    if rules.block_tie == BlockTie.NEAREST:
        return True
    by_side = (BlockTie.OPENER, BlockTie.BLOCKER, BlockTie.BLOCKER_LOSES)
    return rules.teams == Teams.PAIRS and rules.block_tie in by_side


def _has_no_flat_score(rules: Rules) -> bool:
    return rules.block_score != BlockScore.FLAT and rules.domino_score != DominoScore.FLAT


def _has_flat_scores_only(rules: Rules) -> bool:
    return rules.block_score == BlockScore.FLAT and rules.domino_score == DominoScore.FLAT


def _is_named(rules: Rules) -> bool:
    return rules.opening == Opening.NAMED_DOUBLE


def _deals_all(rules: Rules) -> bool:
    return rules.boneyard_size == 0


_IDLE: dict[str, tuple[tuple[Callable[[Rules], bool], str], ...]] = {
    "reserve": (
        (
            lambda rules: rules.boneyard == Boneyard.BLOCK,
            "Nothing is drawn, so nothing is kept back.",
        ),
    ),
    "no_double": (
        (
            lambda rules: _is_named(rules) and rules.named_missing == NamedMissing.LOT,
            "A lot replaces the named double.",
        ),
        (lambda rules: not asks_for_double(rules), "The opening asks for no double."),
        (_deals_all, "All tiles are dealt, the doubles too."),
    ),
    "block_winner": ((lambda rules: rules.teams == Teams.NONE, "Every seat plays for itself."),),
    "flat_points": ((_has_no_flat_score, "No score is flat."),),
    "named_double": ((lambda rules: not _is_named(rules), "The opening names no double."),),
    "named_missing": (
        (lambda rules: not _is_named(rules), "The opening names no double."),
        (_deals_all, "All tiles are dealt, the named double too."),
    ),
    "capicua_points": (
        (
            lambda rules: rules.capicua == Capicua.NONE,
            "Nothing counts as going out on both ends.",
        ),
    ),
    "pip_steps": ((_has_flat_scores_only, "All scores are flat."),),
    "tie_lead": (
        (
            lambda rules: rules.block_tie == BlockTie.REPLAY_DOUBLE,
            "The replay of a tie is opened afresh.",
        ),
        (_has_no_tie, "Every tied block goes to somebody."),
    ),
    "early_rounds": (
        (lambda rules: rules.early_bonus == 0, "There is no bonus for early rounds."),
    ),
}
"""When a toggle's value makes no difference, and why."""
