"""The command line that repeats a sweep."""

import shlex

from simdom.counts import MOST_ROUNDS, format_count
from simdom.grids.axes import STRATEGY, VARIANT
from simdom.grids.plan import Plan
from simdom.simulate import DEFAULT_CONFIDENCE
from simdom.strategies import Strategy, strategy_names
from simdom.variants import variant_names

__all__ = ["command_of_sweep"]


def command_of_sweep(plan: Plan, confidence: float) -> str:
    """The command line that repeats a sweep, whatever becomes of its study's file.

    What was made in Python has no spelling on a command line: a comment says so.
    """
    words = ["simdom", "sweep"]
    if plan.title:
        words += ["--title", plan.title]
    fixed = dict(plan.fixed)
    strategy = fixed.pop(STRATEGY, None)
    options = {VARIANT: "--variant", "players": "--players"}
    for name, choice in fixed.items():
        if name in options:
            words += [options[name], str(choice.label)]
        else:
            words += ["--set", f"{name}={choice.label}"]
    for axis in plan.axes:
        words += ["--grid", axis.text]
    words += _how_far(plan)
    if plan.matches:
        words += ["--match", *([] if plan.target is None else ["--target", str(plan.target)])]
    if strategy is not None:
        in_words = isinstance(strategy.given, str)  # a path of it may have a plus
        label = strategy.given if in_words else str(strategy.label).replace("+", ",")
        words += ["--strategy", label]
    words += ["--seed", str(plan.seed)]
    if confidence != DEFAULT_CONFIDENCE:
        words += ["--confidence", str(confidence)]
    for metric in plan.metrics or ():
        words += ["--metric", metric]
    made = _made_in_python(plan)
    comment = f"  # made in Python, not in a file: {', '.join(made)}" if made else ""
    return shlex.join(words) + comment


def _how_far(plan: Plan) -> list[str]:
    """What says how many rounds each cell has, or how sure its figures are."""
    if not plan.until:
        return ["-n", format_count(plan.rounds)]
    words = [
        word for metric, width in plan.until.items() for word in ("--until", f"{metric}={width}")
    ]
    bound = ["--max-rounds", format_count(plan.rounds)] if plan.rounds < MOST_ROUNDS else []
    return words + bound


def _made_in_python(plan: Plan) -> list[str]:
    """Names of the variants and strategies that a command line cannot name."""
    choices = {name: [choice] for name, choice in plan.fixed.items()}
    choices |= {axis.name: list(axis.choices) for axis in plan.axes}
    variants = [c.loaded for c in choices.get(VARIANT, ()) if not isinstance(c.given, str)]
    made = [variant.name for variant in variants if variant.name not in variant_names()]
    for choice in choices.get(STRATEGY, ()):
        seats = () if isinstance(choice.given, str) else choice.given
        names = [seat.name for seat in seats if isinstance(seat, Strategy)]
        made += [name for name in names if name not in strategy_names()]
    return list(dict.fromkeys(made))
