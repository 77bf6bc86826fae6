"""Variants: the rules that a source describes, as data, with what it says and what it leaves open.

A variant is a TOML file: one of the presets under ``configs/variants/``, or a user's own. Any of
its toggles may depend on the number of players. Sources are listed in ``docs/rules.md``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import Field

from simdom.errors import UsageError, check_choice
from simdom.presets import (
    Document,
    configs_dir,
    dotted,
    load_preset,
    naming,
    preset_names,
    shown,
)
from simdom.relevance import (
    MATCH_TOGGLES,
    READING_ORDER,
    describe_value,
    values_that_matter,
    why_no_effect,
)
from simdom.rules import (
    TOGGLES,
    Boneyard,
    Rules,
    Teams,
    parse_toggle,
    rules_from_dict,
    rules_to_dict,
)

__all__ = [
    "FAMILIES",
    "HIGHEST_TARGET",
    "MATCH_TOGGLES",
    "READING_ORDER",
    "Difference",
    "Source",
    "Variant",
    "as_variant",
    "configs_dir",
    "describe_value",
    "find_differences",
    "load_variant",
    "parse_set",
    "variant_names",
    "why_no_effect",
]

Setting = int | dict[int, int]
"""A value; or one for each number of players, by that number."""

FAMILIES = ("block", "draw", "partnership")
"""What `Variant.family` may be."""

_LONGEST_INT = 63  # bits; TOML promises no more
HIGHEST_TARGET = 1_000_000
"""Points that a match may be played to."""


class Source(NamedTuple):
    """A page that rules come from: its id in ``docs/rules.md``, and what it is, in words."""

    id: str
    text: str


@dataclass(frozen=True)
class Variant:
    """The rules that a source describes, for each number of players that it provides for.

    Attributes:
        name: the preset's name, or the file's with its ending.
        title: a few words.
        description: one sentence.
        players: the numbers of players that it provides for; the first is the default.
        settings: what it sets, by toggle; other toggles keep their defaults.
        targets: the points that win a match; None where no match is described.
        sources: where it comes from.
        why: who says so, by toggle; "target" is one of them.
        left_open: what the sources leave open, and what was chosen.
        country: where it is played; None if it is of no one country.
    """

    name: str
    title: str
    description: str
    players: tuple[int, ...]
    settings: dict[str, Setting]
    targets: Setting | None
    sources: tuple[Source, ...]
    why: dict[str, str]
    left_open: dict[str, str]
    country: str | None = None

    @property
    def family(self) -> str:
        """One of `FAMILIES`: two against two, else by whether the boneyard is ever drawn."""
        rules = self.rules()
        if rules.teams == Teams.PAIRS:
            return "partnership"
        return "block" if rules.boneyard == Boneyard.BLOCK else "draw"

    def rules(
        self, players: int | None = None, overrides: Mapping[str, object] | None = None
    ) -> Rules:
        """The checked rules for a number of players.

        Args:
            players: seats at the table; None takes the default. For a number that the variant
                does not provide for, ``overrides`` must have a deal; whatever else depends on
                the number of players is then taken from the default one.
            overrides: toggles to change, as `parse_toggle` reads them. ``players`` may be one.

        Raises:
            UsageError: an unknown toggle or value; two numbers of players; a number of players
                without a deal.
            RulesError: rules under which no round can be played.
        """
        changed = {name: parse_toggle(name, value) for name, value in (overrides or {}).items()}
        if players is not None:
            players = parse_toggle("players", players)
            if changed.setdefault("players", players) != players:
                raise UsageError(
                    f"players is set twice, to {players} and to {changed['players']}: give one"
                )
        count = changed.setdefault("players", self.players[0])
        if count not in self.players and "deal" not in changed:
            raise UsageError(
                f"{self.name} is for {_alternatives(self.players)} players, not {count}: "
                "to play it so, set deal too"
            )
        like = count if count in self.players else self.players[0]
        settings = {name: _at(setting, like) for name, setting in self.settings.items()}
        return rules_from_dict(settings | changed)

    def target(self, players: int | None = None) -> int | None:
        """The points that win a match, or None if the variant names none for so many players."""
        if isinstance(self.targets, dict):
            return self.targets.get(self.players[0] if players is None else players)
        return self.targets

    def to_dict(self, counts: Iterable[int] | None = None) -> dict[str, Any]:
        """The variant as a document of plain values; rules and targets by number of players.

        Args:
            counts: numbers of players to give rules for; None takes all.
        """
        counts = self.players if counts is None else tuple(counts)
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "family": self.family,
            "country": self.country,
            "players": list(self.players),
            "rules": {str(n): rules_to_dict(self.rules(n)) for n in counts},
            "target": {str(n): self.target(n) for n in counts},
            "why": dict(self.why),
            "left_open": dict(self.left_open),
            "sources": [source._asdict() for source in self.sources],
        }


class _VariantFile(Document):
    title: str = Field(min_length=1, description="some text")
    description: str = Field(default="", description="text")
    country: str | None = Field(default=None, min_length=1, description="some text")
    players: list[int] = Field(
        min_length=1, description="a list of whole numbers from 2 to 14, such as [2, 3, 4]"
    )
    # What these two hold depends on the toggle: checked toggle by toggle, below.
    target: Any = None
    rules: dict[str, Any] = Field(description="a value of the toggle")
    sources: dict[str, str] = Field(default_factory=dict, description="text")
    why: dict[str, str] = Field(default_factory=dict, description="text")
    left_open: dict[str, str] = Field(default_factory=dict, description="text")


def as_variant(variant: str | Variant | Rules) -> Variant:
    """The variant that is meant by a name, a path, or rules made in Python.

    Raises:
        UsageError: neither of these; or see `load_variant`.
    """
    if isinstance(variant, Variant):
        return variant
    if isinstance(variant, Rules):
        return Variant(
            name="rules",
            title="Rules made in Python",
            description="",
            players=(variant.players,),
            settings={n: int(v) for n, v in variant._asdict().items() if n != "players"},
            targets=None,
            sources=(),
            why={},
            left_open={},
        )
    if isinstance(variant, str):
        return load_variant(variant)
    raise UsageError(f"a variant is a name, a path, a Variant or Rules, not {variant!r}")


def variant_names() -> list[str]:
    """The variants that come with simdom, in alphabetical order."""
    return preset_names("variants")


def load_variant(name_or_path: str) -> Variant:
    """The variant with that name, or in that TOML file.

    Args:
        name_or_path: one of `variant_names`; or a path, with a separator or ending in ``.toml``.

    Raises:
        UsageError: no such variant or file; the file is not TOML in UTF-8; an unknown key,
            toggle or value; a value of the wrong type; a number of players without a value.
        RulesError: rules under which no round can be played, for one of its numbers of players.
    """
    preset, content = load_preset("variant", "variants", name_or_path, _VariantFile)
    with naming(preset.file):
        with naming("players"):
            players = tuple(parse_toggle("players", count) for count in content.players)
            if len(set(players)) < len(players):
                raise UsageError(f"a number is listed twice in {content.players}")
        for name in content.why:
            check_choice("toggle in [why]", name, [*TOGGLES, "target"])
        variant = Variant(
            name=preset.name,
            title=content.title,
            description=content.description,
            players=players,
            settings={
                name: _parse_setting(("rules", name), value, players, _toggle_parser(name))
                for name, value in content.rules.items()
            },
            targets=None
            if content.target is None
            else _parse_setting(("target",), content.target, players, _parse_target),
            sources=tuple(Source(*source) for source in content.sources.items()),
            why=content.why,
            left_open=content.left_open,
            country=content.country,
        )
        for count in players:
            with naming(f"{count} players"):
                variant.rules(count)
    return variant


def _toggle_parser(name: str) -> Callable[[object], int]:
    toggle = TOGGLES[check_choice("toggle in [rules]", name, TOGGLES)]
    if name == "players":
        raise UsageError("players belongs above [rules]: players = [2, 3, 4]")

    def parse(value: object) -> int:
        wanted = int if toggle.enum is None else str
        if type(value) is not wanted or _is_huge(value):
            raise UsageError(f"{name} must be {toggle.allowed}, not {shown(value)}")
        return parse_toggle(name, value)

    return parse


def _parse_target(value: object) -> int:
    if type(value) is not int or not 1 <= value <= HIGHEST_TARGET:
        raise UsageError(
            f"target must be a whole number from 1 to {HIGHEST_TARGET}, not {shown(value)}"
        )
    return value


def _is_huge(value: object) -> bool:
    return isinstance(value, int) and value.bit_length() > _LONGEST_INT


def _parse_setting(
    keys: tuple[str, ...],
    value: object,
    players: tuple[int, ...],
    parse: Callable[[object], int],
) -> Setting:
    """A value, or a table with one value for each of the variant's numbers of players."""
    if not isinstance(value, dict):
        return parse(value)
    by_count: dict[int, int] = {}
    allowed = [str(count) for count in players]
    for count, one in value.items():
        with naming(dotted(*keys)):
            check_choice("number of players", count, allowed)
        with naming(dotted(*keys, count)):
            by_count[int(count)] = parse(one)
    missing = [count for count in players if count not in by_count]
    if missing:
        raise UsageError(
            f"{dotted(*keys)} has no value for {_alternatives(missing)} players: "
            f"give one for each of {', '.join(allowed)}"
        )
    return by_count


def _at(setting: Setting, players: int) -> int:
    return setting[players] if isinstance(setting, dict) else setting


def _alternatives(counts: Sequence[int]) -> str:
    *first, last = map(str, counts)
    return f"{', '.join(first)} or {last}" if first else last


def parse_set(items: Iterable[str]) -> dict[str, str]:
    """Overrides from the way that the command line writes them.

    >>> parse_set(["reserve=0", "block_score = others"])
    {'reserve': '0', 'block_score': 'others'}

    Raises:
        UsageError: no ``=``; nothing on one side of it; the same toggle twice.
    """
    overrides: dict[str, str] = {}
    for item in items:
        name, equals, value = (part.strip() for part in item.partition("="))
        if not (name and equals and value):
            raise UsageError(f"{item!r} sets nothing: write TOGGLE=VALUE, such as reserve=0")
        if name in overrides:
            raise UsageError(f"{name} is set twice, to {overrides[name]!r} and to {value!r}")
        overrides[name] = value
    return overrides


class Difference(NamedTuple):
    """A toggle in which variants differ.

    Attributes:
        toggle: its name; or "target".
        players: the number of players with which they differ so; None if it is the same with
            every number that was compared.
        values: its value in each variant; None where it has no effect, or there is no target.
    """

    toggle: str
    players: int | None
    values: tuple[int | str | None, ...]


def find_differences(variants: Sequence[Variant], counts: Iterable[int]) -> list[Difference]:
    """Where variants differ, toggle by toggle, in rounds and in matches.

    Args:
        variants: two or more.
        counts: the numbers of players to compare them for; each variant must provide for them.

    Raises:
        UsageError: a variant does not provide for one of ``counts``.
    """
    tables = {n: [_effective(variant, n) for variant in variants] for n in counts}
    differences = []
    for toggle in (*READING_ORDER, "target"):
        rows: dict[int | None, tuple[int | str | None, ...]] = {
            n: tuple(values[toggle] for values in table) for n, table in tables.items()
        }
        if len(set(rows.values())) == 1:
            rows = {None: next(iter(rows.values()))}
        differences += [
            Difference(toggle, n, values) for n, values in rows.items() if len(set(values)) > 1
        ]
    return differences


def _effective(variant: Variant, players: int) -> dict[str, int | str | None]:
    """Each toggle's value, None where it has no effect; and the target."""
    values = values_that_matter(variant.rules(players), matches=True)
    plain = {name: values.get(name) for name in TOGGLES}
    return {**plain, "target": variant.target(players)}
