"""Dominoes by the million: what each rule changes, and how sure that is.

>>> import simdom
>>> result = simdom.simulate("pagat-block", rounds=1000, seed=1)
>>> result.rounds, result.seed
(1000, 1)

The names below are imported when they are first used, so that ``import simdom`` is quick.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from simdom._version import __version__

if TYPE_CHECKING:
    from simdom.advice.advice import Advice as Advice
    from simdom.advice.advise import advise as advise
    from simdom.advice.answering import AnswerOdds as AnswerOdds
    from simdom.advice.answering import answer_odds as answer_odds
    from simdom.calibration.calibrate import calibrate as calibrate
    from simdom.calibration.calibration import Calibration as Calibration
    from simdom.catalogue.comparing import compare_results as compare_results
    from simdom.catalogue.difference import Difference as Difference
    from simdom.catalogue.listing import list_results as list_results
    from simdom.catalogue.query import query as query
    from simdom.catalogue.tidy import tidy as tidy
    from simdom.duels.duel import duel as duel
    from simdom.duels.duel_result import Duel as Duel
    from simdom.duels.ladder import ladder as ladder
    from simdom.duels.ladder_result import Ladder as Ladder
    from simdom.errors import ExecutorError as ExecutorError
    from simdom.errors import RulesError as RulesError
    from simdom.errors import RunError as RunError
    from simdom.errors import SimdomError as SimdomError
    from simdom.errors import StrategyError as StrategyError
    from simdom.errors import UsageError as UsageError
    from simdom.exact.answer import Odds as Odds
    from simdom.exact.odds import odds as odds
    from simdom.grids.sweep import sweep as sweep
    from simdom.grids.table import Sweep as Sweep
    from simdom.hooks import View as View
    from simdom.hooks import strategy as strategy
    from simdom.matches import simulate_matches as simulate_matches
    from simdom.merging import merge_results as merge_results
    from simdom.pairing.compare import compare as compare
    from simdom.pairing.comparison import Comparison as Comparison
    from simdom.pairing.effect_table import Effects as Effects
    from simdom.pairing.effects import effects as effects
    from simdom.published.claims import claims as claims
    from simdom.published.reproduction import Reproduction as Reproduction
    from simdom.results import Result as Result
    from simdom.results import load_result as load_result
    from simdom.resuming import resume as resume
    from simdom.rounds import simulate_rounds as simulate_rounds
    from simdom.rounds import trace_round as trace_round
    from simdom.rules import RULES_VERSION as RULES_VERSION
    from simdom.rules import Rules as Rules
    from simdom.running.folder import RunFolder as RunFolder
    from simdom.simulate import simulate as simulate
    from simdom.strategies import Strategy as Strategy
    from simdom.strategies import load_strategy as load_strategy
    from simdom.strategies import strategy_names as strategy_names
    from simdom.transcripts.loading import load_transcript as load_transcript
    from simdom.transcripts.referee import judge as judge
    from simdom.transcripts.writing import write_transcript as write_transcript
    from simdom.variants import Variant as Variant
    from simdom.variants import load_variant as load_variant
    from simdom.variants import variant_names as variant_names

_NAMES_OF = {
    "advice.advice": ("Advice",),
    "advice.advise": ("advise",),
    "advice.answering": ("AnswerOdds", "answer_odds"),
    "calibration.calibrate": ("calibrate",),
    "calibration.calibration": ("Calibration",),
    "catalogue.comparing": ("compare_results",),
    "catalogue.difference": ("Difference",),
    "catalogue.listing": ("list_results",),
    "catalogue.query": ("query",),
    "catalogue.tidy": ("tidy",),
    "duels.duel": ("duel",),
    "duels.duel_result": ("Duel",),
    "duels.ladder": ("ladder",),
    "duels.ladder_result": ("Ladder",),
    "hooks": ("View", "strategy"),
    "matches": ("simulate_matches",),
    "merging": ("merge_results",),
    "grids.sweep": ("sweep",),
    "grids.table": ("Sweep",),
    "pairing.effect_table": ("Effects",),
    "pairing.effects": ("effects",),
    "published.claims": ("claims",),
    "published.reproduction": ("Reproduction",),
    "exact.answer": ("Odds",),
    "pairing.compare": ("compare",),
    "pairing.comparison": ("Comparison",),
    "errors": (
        "ExecutorError",
        "RulesError",
        "RunError",
        "SimdomError",
        "StrategyError",
        "UsageError",
    ),
    "exact.odds": ("odds",),
    "results": ("Result", "load_result"),
    "resuming": ("resume",),
    "rounds": ("simulate_rounds", "trace_round"),
    "rules": ("RULES_VERSION", "Rules"),
    "running.folder": ("RunFolder",),
    "simulate": ("simulate",),
    "strategies": ("Strategy", "load_strategy", "strategy_names"),
    "transcripts.loading": ("load_transcript",),
    "transcripts.referee": ("judge",),
    "transcripts.writing": ("write_transcript",),
    "variants": ("Variant", "load_variant", "variant_names"),
}
_HOME = {name: module for module, names in _NAMES_OF.items() for name in names}

__all__ = ["__version__", *_HOME]  # noqa: PLE0604 -- strings, all of them

if not TYPE_CHECKING:  # a type checker that saw it would let every misspelt name pass

    def __getattr__(name: str) -> Any:  # noqa: ANN401 -- whatever has that name in its module
        if name not in _HOME:
            raise AttributeError(f"module 'simdom' has no attribute {name!r}")
        value = getattr(import_module(f"simdom.{_HOME[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """The package, in which ``simdom.simulate`` is always the function.

    Importing a submodule binds it to its name in the package; the function of the same name would
    be hidden by that, or not, depending on who imported what first.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and name in _HOME):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
