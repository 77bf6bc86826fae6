"""Every single change of a game on the same shuffles: what each does, and whether it matters."""

from collections.abc import Callable, Mapping, Sequence

from simdom.engine.matches import MOST_ROUNDS_A_MATCH
from simdom.engine.tally import most_points
from simdom.estimate import Estimate, check_confidence
from simdom.executors.choosing import Where, as_executor
from simdom.pairing.changes import Change, find_changes
from simdom.pairing.command import command_of, words_of_matches
from simdom.pairing.compare import limits_of
from simdom.pairing.contenders import Contender, parse_contender, weigh_strategies
from simdom.pairing.contests import Contest
from simdom.pairing.effect import (
    OF_ROUNDS,
    Effect,
    EffectFigure,
    check_smallest,
    kind_of,
    watch_of,
)
from simdom.pairing.effect_table import Effects
from simdom.pairing.play import play_together, widest
from simdom.pairing.sums import Sums, estimate_changes, estimate_differences, estimate_own
from simdom.pairing.verdicts import Asked, Fixed, MeanChange, ShareChanged, check_shared, settle
from simdom.rules import Boneyard, OthersPoints, Overshoot, Rules
from simdom.running.driver import Watcher
from simdom.running.keeping import Keep, keep, opened_folder
from simdom.running.stopping import Look, check_precision
from simdom.simulate import DEFAULT_CONFIDENCE, Strategies, give, request_of
from simdom.variants import Variant, as_variant

__all__ = ["DEFAULT_ROUNDS", "effects"]

DEFAULT_ROUNDS = 200_000


def effects(  # noqa: PLR0913 -- those of `compare`, with what is changed and what matters
    variant: str | Variant | Rules = "pagat-draw",
    rounds: float | None = None,
    *,
    players: int | None = None,
    overrides: Mapping[str, object] | None = None,
    strategy: Strategies = "random",
    seed: int = 1,
    matches: float | None = None,
    target: int | None = None,
    threads: int | None = None,
    confidence: float = DEFAULT_CONFIDENCE,
    toggles: Sequence[str] | None = None,
    smallest: Mapping[str, object] | None = None,
    until: Mapping[str, float] | None = None,
    max_time: float | None = None,
    executor: Where = None,
    checkpoint: Keep = None,
    progress: Callable[[int, int], None] | None = None,
    on_compile: Callable[[], None] | None = None,
    on_look: Callable[[Look], None] | None = None,
) -> Effects:
    """Make every single change of a game, on the same shuffles, and say which of them matter.

    Args:
        variant: a preset's name, the path of a TOML file, a `Variant`, or `Rules`.
        rounds: that each plays, from 1 to 1e13; a whole number, also as a float such as ``2e5``.
            With ``until``, how many at most. None for 2e5, or with ``until`` as many as it takes.
        players: seats at the table; None for the variant's own.
        overrides: toggles of `Rules` to change beforehand, such as ``{"reserve": 0}``.
        strategy: how all seats play, or one strategy for each seat.
        seed: 0 to 2**64 - 1.
        matches: that each plays, from 1 to 1e13, instead of single rounds.
        target: points that win a match; None for the variant's own.
        threads: to play on; None for every usable core. They never change a figure.
        confidence: that all verdicts together are right, between 0 and 1.
        toggles: only these are changed, of `simdom.pairing.changes.CHANGEABLE`: ``"deal"`` to the
            values that are usually tried, ``"deal=3,4"`` to these. None takes all.
        smallest: the smallest effect of interest by metric, where it is not that of
            `simdom.pairing.effect.OF_ROUNDS` or ``OF_MATCHES``; rates as shares from 0 to 1.
        until: half-widths of the intervals of effects by metric, such as ``{"points": 0.02}``, the
            widest of all changes; they hold together, see ``confidence``.
        max_time: seconds after which no more are begun; None for no limit.
        executor: where to play instead of on threads, see `simdom.simulate.simulate`.
        checkpoint: a new folder in which it is kept, see `simdom.simulate.simulate`.
        progress: called now and then with the rounds, or matches, played of each, and those asked
            for.
        on_compile: called once if the engine must be compiled first, which takes some seconds.
        on_look: called with a `Look` whenever ``until`` is looked at.

    Returns:
        The table. On Ctrl-C, that of the rounds played so far, with ``asked`` set.

    Raises:
        UsageError: a value that cannot be used, which the line names; nothing to change; two
            strategies of one name; a target without matches, or matches of a variant that names no
            target without one.
        RulesError: rules under which no round can be played.
        RunError: the engine reached a state that no round can reach; ``checkpoint`` cannot be
            written at the end.
        StrategyError: a strategy that is a function failed; the table of the rounds before is in
            its ``result``.
        ExecutorError: the cluster is gone; the table of the rounds before is in its ``result``.

    >>> table = effects("pagat-draw", rounds=2000, toggles=["block_score"])
    >>> [(effect.name, effect.figures["blocked_rate"].estimate) for effect in table.effects][0]
    ('block_score=all_hands', 0.0)
    """
    confidence = check_confidence(confidence)
    watch = watch_of(matches=matches is not None)
    least = check_smallest(smallest or {}, watch)
    loaded = as_variant(variant)
    base = parse_contender(
        variant if isinstance(variant, str) else loaded,
        players=players,
        overrides=overrides,
        strategy=strategy,
        seed=seed,
        matches=matches is not None,
        target=target,
    )
    named = [toggles] if isinstance(toggles, str) else [*(toggles or ())]
    changes, left_out = find_changes(base, overrides=overrides, toggles=named, target=target)
    weigh_strategies([base, *(change.contender for change in changes)])  # refuses two of one name
    check_shared(confidence, len(changes) * len(least))
    contests = [base.contest, *(change.contender.contest for change in changes)]
    widths = check_precision(until, tuple(least))
    limits = limits_of(rounds, matches, target, widths, max_time, DEFAULT_ROUNDS)
    where = as_executor(executor, threads)
    more = [word for name in named for word in ("--toggle", str(name))]
    more += [word for name in smallest or () for word in ("--smallest", f"{name}={least[name]}")]
    with opened_folder(checkpoint) as folder:
        played = play_together(
            contests,
            limits,
            where,
            request=request_of(
                "effects",
                f"{len(changes)} changes of {base.name}",
                variant=variant,
                matches=matches,
                target=target,
                players=players,
                overrides=overrides,
                strategy=strategy,
                seed=base.study.seed,
                confidence=confidence,
                toggles=toggles,
                smallest=smallest,
            ),
            widths=lambda sums: widest(
                [effect.figures for effect in _judge(base, changes, sums, least, confidence)]
            ),
            folder=folder,
            watcher=Watcher(progress, on_compile, on_look),
        )
        sums = played.tally
        own = estimate_own(base.contest, sums, 0, confidence)
        found = Effects(
            base=base,
            metrics={
                name: found for name in watch.averages if isinstance(found := own[name], Estimate)
            },
            effects=tuple(_judge(base, changes, sums, least, confidence)),
            left_out=tuple(left_out),
            smallest=least,
            rounds=sums.trials,
            confidence=confidence,
            seconds=played.seconds,
            threads=where.workers,
            command=command_of(
                ["simdom", "effects", "--variant", base.text],
                rounds=sums.trials,
                players=players,
                overrides=overrides,
                strategy=strategy,
                seed=base.study.seed,
                confidence=confidence,
                more=[*words_of_matches(matches, target), *more],
                made=[] if isinstance(variant, str) else [loaded],
            ),
            asked=played.asked,
            until=widths,
            reached=played.reached,
        )
        return give(keep(checkpoint, folder, found, whole=played.is_whole), played.failure)


def _judge(
    base: Contender,
    changes: Sequence[Change],
    sums: Sums,
    smallest: Mapping[str, float],
    confidence: float,
) -> list[Effect]:
    """The effects of all changes, with verdicts that hold together, the largest first."""
    contests = [base.contest, *(change.contender.contest for change in changes)]
    estimates: list[tuple[int, str, Estimate]] = []
    asked: list[Asked] = []
    for index in range(1, len(contests)):
        found = {
            **estimate_differences(contests, sums, index, confidence),
            **estimate_changes(contests, sums, index, confidence),
        }
        for name in smallest:
            estimate = found.get(name)
            if isinstance(estimate, Estimate):
                estimates.append((index - 1, name, estimate))
                if base.target is None and _is_fixed(name, changes[index - 1], base.rules):
                    asked.append(Fixed(sums.trials, smallest[name]))
                    continue
                spans = (_span(contest, name) for contest in (contests[0], contests[index]))
                asked.append(_ask(estimate, sums.trials, smallest[name], max(spans)))
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
    watch = watch_of(matches=base.target is not None)
    made = [Effect(*each, smallest, watch) for each in zip(changes, figures, strict=True)]
    return sorted(made, key=lambda effect: -effect.size)


_TOUCHED = {"block_score": {"points"}, "block_tie": {"points", "opener_win_rate", OF_ROUNDS.winner}}
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


def _span(contest: Contest, name: str) -> int:
    """The most that a metric can be in a trial, and so the most that two can differ by."""
    rules = contest.rules
    if contest.target is not None:
        return _span_of_matches(rules, contest.target, name)
    if kind_of(name) == "rate":
        return 1
    return most_points(rules) if name == "points" else rules.tiles


def _span_of_matches(rules: Rules, target: int, name: str) -> int:
    """The same of a match.

    No match has more rounds than points before the last, if each round scores some and none are
    lost. Of a share of points it is the share of a match with twice the mean's points.
    """
    if kind_of(name) != "mean":
        return 2 if kind_of(name) == "share" else 1
    if rules.overshoot == Overshoot.COUNTS and rules.others_points == OthersPoints.KEPT:
        return min(rules.sides * target, MOST_ROUNDS_A_MATCH)
    return MOST_ROUNDS_A_MATCH
