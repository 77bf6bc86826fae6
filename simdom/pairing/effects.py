"""Every single change of a game on the same shuffles: what each does, and whether it matters."""

from collections.abc import Callable, Mapping, Sequence

from simdom.counts import MOST_ROUNDS, check_whole
from simdom.engine.tally import set_pips
from simdom.estimate import Estimate, check_confidence
from simdom.executors.threads import ThreadsExecutor
from simdom.pairing.changes import Change, find_changes
from simdom.pairing.command import command_of
from simdom.pairing.contenders import Contender, parse_contender, weigh_strategies
from simdom.pairing.effect import (
    AVERAGES,
    WINNER,
    Effect,
    EffectFigure,
    check_smallest,
    kind_of,
)
from simdom.pairing.effect_table import Effects
from simdom.pairing.play import play_together
from simdom.pairing.sums import Sums, estimate_changes, estimate_differences, estimate_own
from simdom.pairing.verdicts import Asked, Fixed, MeanChange, ShareChanged, check_shared, settle
from simdom.rules import Boneyard, Rules
from simdom.simulate import DEFAULT_CONFIDENCE, Strategies
from simdom.variants import Variant, as_variant

__all__ = ["DEFAULT_ROUNDS", "effects"]

DEFAULT_ROUNDS = 200_000


def effects(
    variant: str | Variant | Rules = "pagat-draw",
    rounds: float = DEFAULT_ROUNDS,
    *,
    players: int | None = None,
    overrides: Mapping[str, object] | None = None,
    strategy: Strategies = "random",
    seed: int = 1,
    threads: int | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    toggles: Sequence[str] | None = None,
    smallest: Mapping[str, object] | None = None,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Effects:
    """Make every single change of a game, on the same shuffles, and say which of them matter.

    Args:
        variant: a preset's name, the path of a TOML file, a `Variant`, or `Rules`.
        rounds: that each plays, from 1 to 1e13; a whole number, also as a float such as ``2e5``.
        players: seats at the table; None for the variant's own.
        overrides: toggles of `Rules` to change beforehand, such as ``{"reserve": 0}``.
        strategy: how all seats play, or one strategy for each seat.
        seed: 0 to 2**64 - 1.
        threads: to play on; None for every usable core. They never change a figure.
        confidence: that all verdicts together are right, between 0 and 1.
        toggles: only these are changed, of `simdom.pairing.changes.CHANGEABLE`: ``"deal"`` to the
            values that are usually tried, ``"deal=3,4"`` to these. None takes all.
        smallest: the smallest effect of interest by metric, where it is not that of
            `simdom.pairing.effect.WATCHED`; rates as shares from 0 to 1.
        progress: called now and then with the rounds played of each, and those asked for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.

    Returns:
        The table. On Ctrl-C, that of the rounds played so far, with ``asked`` set.

    Raises:
        UsageError: a value that cannot be used, which the line names; nothing to change; two
            strategies of one name.
        RulesError: rules under which no round can be played.
        RunError: the engine reached a state that no round can reach.

    >>> table = effects("pagat-draw", rounds=2000, toggles=["block_score"])
    >>> [(effect.name, effect.figures["blocked_rate"].estimate) for effect in table.effects][0]
    ('block_score=all_hands', 0.0)
    """
    rounds = check_whole("rounds", rounds, 1, MOST_ROUNDS)
    confidence = check_confidence(confidence)
    workers = ThreadsExecutor(threads).workers
    least = check_smallest(smallest or {})
    loaded = as_variant(variant)
    base = parse_contender(
        variant if isinstance(variant, str) else loaded,
        players=players,
        overrides=overrides,
        strategy=strategy,
        seed=seed,
    )
    named = [toggles] if isinstance(toggles, str) else [*(toggles or ())]
    changes, left_out = find_changes(base, overrides=overrides, toggles=named)
    weigh_strategies([base, *(change.contender for change in changes)])  # refuses two of one name
    check_shared(confidence, len(changes) * len(least))
    studies = [base.study, *(change.contender.study for change in changes)]
    sums, seconds = play_together(
        studies, rounds, workers, progress=progress, on_compile=on_compile
    )
    own = estimate_own(base.study, sums, 0, confidence)
    more = [word for name in named for word in ("--toggle", str(name))]
    more += [word for name in smallest or () for word in ("--smallest", f"{name}={least[name]}")]
    return Effects(
        base=base,
        metrics={name: found for name in AVERAGES if isinstance(found := own[name], Estimate)},
        effects=tuple(_judge(base, changes, sums, least, confidence)),
        left_out=tuple(left_out),
        smallest=least,
        rounds=sums.rounds,
        confidence=confidence,
        seconds=seconds,
        threads=workers,
        command=command_of(
            ["simdom", "effects", "--variant", base.text],
            rounds=sums.rounds,
            players=players,
            overrides=overrides,
            strategy=strategy,
            seed=base.study.seed,
            confidence=confidence,
            more=more,
            made=[] if isinstance(variant, str) else [loaded],
        ),
        asked=rounds if sums.rounds < rounds else None,
    )


def _judge(
    base: Contender,
    changes: Sequence[Change],
    sums: Sums,
    smallest: Mapping[str, float],
    confidence: float,
) -> list[Effect]:
    """The effects of all changes, with verdicts that hold together, the largest first."""
    studies = [base.study, *(change.contender.study for change in changes)]
    estimates: list[tuple[int, str, Estimate]] = []
    asked: list[Asked] = []
    for index in range(1, len(studies)):
        found = {
            **estimate_differences(studies, sums, index, confidence),
            **estimate_changes(studies, sums, index, confidence),
        }
        for name in smallest:
            estimate = found.get(name)
            if isinstance(estimate, Estimate):
                estimates.append((index - 1, name, estimate))
                if _is_fixed(name, changes[index - 1], base.rules):
                    asked.append(Fixed(sums.rounds, smallest[name]))
                    continue
                spans = (_span(study.rules, name) for study in (studies[0], studies[index]))
                asked.append(_ask(estimate, sums.rounds, smallest[name], max(spans)))
    figures: list[dict[str, EffectFigure]] = [{} for _ in changes]
    for (at, name, estimate), said in zip(estimates, settle(asked, 1 - confidence), strict=True):
        figures[at][name] = EffectFigure(
            estimate.estimate,
            estimate.se,
            said.low,
            said.high,
            count=estimate.count,
            sd=estimate.sd,
            level=said.level,
            verdict=said.verdict,
            rounds_needed=said.rounds_needed,
        )
    made = [Effect(*each, smallest) for each in zip(changes, figures, strict=True)]
    return sorted(made, key=lambda effect: -effect.size)


_TOUCHED = {"block_score": {"points"}, "block_tie": {"points", "opener_win_rate", WINNER}}
"""What toggles can change that no seat knows of before the round has ended."""


def _is_fixed(name: str, change: Change, rules: Rules) -> bool:
    """Whether the rules do not let a change touch a metric, whatever is played."""
    if name == "draws" and _never_drawn(rules) and _never_drawn(change.contender.rules):
        return True
    return name not in _TOUCHED.get(change.toggle, {name})


def _never_drawn(rules: Rules) -> bool:
    return rules.boneyard == Boneyard.BLOCK or rules.reserve == rules.boneyard_size


def _ask(estimate: Estimate, rounds: int, smallest: float, span: float) -> Asked:
    if estimate.count is not None:
        return ShareChanged(estimate.count, rounds, smallest)
    return MeanChange(estimate.estimate, estimate.se, rounds, smallest, span)


def _span(rules: Rules, name: str) -> int:
    """The most that a metric can be in a round, and so the most that two can differ by."""
    if kind_of(name) == "rate":
        return 1
    return set_pips(rules) if name == "points" else rules.tiles
