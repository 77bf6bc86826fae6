"""Claims as a TOML file: ``configs/claims.toml``, or a user's own; read and checked."""

import math
from typing import Any

from pydantic import Field

from simdom.errors import UsageError, check_choice
from simdom.exact.asked import Asked, check_asked
from simdom.presets import Document, check_content, dotted, load_preset, naming
from simdom.published.claim import Claim, Claims, Counted, Measured
from simdom.published.measures import check_measure
from simdom.strategies import load_strategy
from simdom.variants import load_variant

__all__ = ["PUBLISHED", "ClaimTable", "load_claims"]

PUBLISHED = "claims"
"""The name of the claims that come with simdom."""

_AXES = ("x", "y")


class _ClaimsFile(Document):
    title: str = Field(min_length=1, description="some text")
    sources: dict[str, str] = Field(description="text")
    plane: dict[str, str] = Field(default_factory=dict, description="the id of a claim")
    # What a claim may say is checked claim by claim, below.
    claims: dict[str, dict[str, Any]] = Field(min_length=1, description="a table")


class ClaimTable(Document):
    """What a claim may say."""

    says: str = Field(min_length=1, description="some text")
    printed: str = Field(min_length=1, description="some text")
    published: float = Field(allow_inf_nan=False, description="a number")
    low: float = Field(default=-math.inf, description="a number")
    high: float = Field(default=math.inf, description="a number")
    interval: str = Field(min_length=1, description="some text")
    source: str = Field(description="the id of a source")
    note: str = Field(default="", description="text")
    variant: str | None = Field(default=None, description="the name of a variant or a TOML file")
    players: int | None = Field(default=None, description="a whole number")
    set: dict[str, int | str] = Field(default_factory=dict, description="a value of the toggle")
    metric: str | None = Field(default=None, description="the name of a metric")
    seat: int | None = Field(default=None, description="a whole number")
    strategy: str | None = Field(
        default=None, description="the name of one strategy or a TOML file"
    )
    odds: dict[str, int | str] | None = Field(default=None, description="a value of the option")
    contrary: bool = Field(default=False, description="true or false")


_OF_MEASURED = ("variant", "players", "set", "metric", "seat", "strategy")
_OF_COUNTED = ("odds", "contrary")


def load_claims(name_or_path: str = PUBLISHED) -> Claims:
    """The claims of a file.

    Args:
        name_or_path: `PUBLISHED`; or the path of a TOML file, which has a separator or ends in
            ``.toml``.

    Raises:
        UsageError: no such file; it is not TOML in UTF-8; an unknown key, source, metric,
            variant, strategy or question; a value of the wrong type or out of its range; a claim
            that is neither measured nor counted, or both; a plane that is not of two claims that
            are measured with the same strategies.
        RulesError: rules under which no round can be played; hands that cannot be dealt.

    >>> [claim.printed for claim in load_claims().claims][:2]
    ['61%', '19.2%']
    """
    preset, content = load_preset("file of claims", "", name_or_path, _ClaimsFile)
    with naming(preset.file):
        claims = []
        for name, table in content.claims.items():
            with naming(dotted("claims", name)):
                claims.append(_parse_claim(name, table, content.sources))
        with naming("plane"):
            plane = _parse_plane(content.plane, {claim.id: claim for claim in claims})
    sources = {name: _on_one_line(text) for name, text in content.sources.items()}
    return Claims(_on_one_line(content.title), tuple(claims), sources, plane)


def _parse_claim(name: str, table: dict[str, Any], sources: dict[str, str]) -> Claim:
    said = check_content(table, ClaimTable)
    check_choice("source", said.source, sources)
    for key in _OF_COUNTED if said.odds is None else _OF_MEASURED:
        if key in table:
            other = "without odds" if said.odds is None else "beside odds"
            raise UsageError(f"{key} means nothing {other}: a claim is either measured or counted")
    claim = Claim(
        id=name,
        says=_on_one_line(said.says),
        printed=_on_one_line(said.printed),
        published=said.published,
        low=said.low,
        high=said.high,
        interval=_on_one_line(said.interval),
        source=said.source,
        note=_on_one_line(said.note),
        answer=_parse_measured(said)
        if said.odds is None
        else Counted(_parse_odds(said.odds), said.contrary),
    )
    _check_numbers(claim)
    return claim


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _parse_measured(said: ClaimTable) -> Measured:
    for key in ("variant", "metric"):
        if getattr(said, key) is None:
            raise UsageError(f"key {key} is missing: a claim has variant and metric, or odds")
    variant = load_variant(str(said.variant))
    rules = variant.rules(said.players, said.set)
    metric = str(said.metric)
    check_measure(metric, said.seat, rules)
    strategy = None if said.strategy is None else load_strategy(said.strategy)
    return Measured(variant, rules, said.set, metric, said.seat, strategy)


def _parse_odds(options: dict[str, int | str]) -> Asked:
    with naming("odds"):
        for key in options:
            check_choice("key", key, Asked._fields)
        if "question" not in options:
            raise UsageError("key question is missing: it is one of those of `simdom odds`")
        numbers: dict[str, Any] = {k: n for k, n in options.items() if k != "question"}
        asked = check_asked(str(options["question"]), **numbers)
        if asked.kind != "chance":
            raise UsageError(f"{asked.question} has not one chance for an answer: ask another")
    return asked


def _check_numbers(claim: Claim) -> None:
    """Raise a `UsageError` if what is published, or its interval, can be no such figure."""
    numbers = {"published": claim.published, "low": claim.low, "high": claim.high}
    for name, number in numbers.items():
        if claim.is_rate and math.isfinite(number) and not 0 <= number <= 1:
            raise UsageError(f"{name} is a probability: it must be from 0 to 1, not {number:g}")
    if math.isinf(claim.low) and math.isinf(claim.high):
        raise UsageError("low and high are missing: give one or both")
    if not claim.low <= claim.published <= claim.high:
        raise UsageError(
            f"published must be from low to high, not {claim.published:g} "
            f"with {claim.low:g} and {claim.high:g}"
        )


def _parse_plane(plane: dict[str, str], claims: dict[str, Claim]) -> tuple[str, str] | None:
    if not plane:
        return None
    for key in plane:
        check_choice("key", key, _AXES)
    for axis in _AXES:
        if axis not in plane:
            raise UsageError(f"key {axis} is missing: it must be the id of a claim")
        answer = claims[check_choice("claim", plane[axis], claims)].answer
        if not isinstance(answer, Measured) or answer.strategy is not None:
            raise UsageError(
                f"{axis} must be a claim that is measured with every strategy, not {plane[axis]}"
            )
    return plane["x"], plane["y"]
