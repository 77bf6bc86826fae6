"""The command line that repeats a paired run."""

import shlex
from collections.abc import Mapping, Sequence

from simdom.counts import format_count
from simdom.rules import TOGGLES, parse_toggle
from simdom.simulate import DEFAULT_CONFIDENCE, Strategies
from simdom.strategies import Strategy, strategy_names
from simdom.variants import Variant, variant_names

__all__ = ["command_of", "words_of_matches"]


def words_of_matches(matches: float | None, target: int | None) -> list[str]:
    """The options that ask for matches, if any are."""
    if matches is None:
        return []
    return ["--match", *([] if target is None else ["--target", str(target)])]


def command_of(
    words: Sequence[str],
    *,
    rounds: int,
    players: int | None,
    overrides: Mapping[str, object] | None,
    strategy: Strategies,
    seed: int,
    confidence: float,
    more: Sequence[str] = (),
    made: Sequence[Variant] = (),
) -> str:
    """The command: ``words``, then the options that paired runs share, then ``more``.

    What was made in Python has no spelling on a command line: a comment says so. ``made`` are the
    variants that were not given by name; strategies are looked at here.
    """
    words = [*words, "-n", format_count(rounds)]
    if players is not None:
        words += ["--players", str(players)]
    for name, value in (overrides or {}).items():
        number, enum = parse_toggle(name, value), TOGGLES[name].enum
        words += ["--set", f"{name}={number if enum is None else enum(number).name.lower()}"]
    seats = [strategy] if isinstance(strategy, str | Strategy) else list(strategy)
    words += ["--strategy", ",".join(s if isinstance(s, str) else s.name for s in seats)]
    words += ["--seed", str(seed)]
    if confidence != DEFAULT_CONFIDENCE:
        words += ["--confidence", str(confidence)]
    nameless = [variant.name for variant in made if variant.name not in variant_names()]
    nameless += [
        s.name for s in seats if isinstance(s, Strategy) and s.name not in strategy_names()
    ]
    names = ", ".join(dict.fromkeys(nameless))
    return shlex.join([*words, *more]) + (
        f"  # made in Python, not in a file: {names}" if names else ""
    )
