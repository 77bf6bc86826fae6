"""What ``simdom variants`` prints: rule sets listed by family and country, explained, compared."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from simdom.cli.sheets import Sheet

if TYPE_CHECKING:
    from simdom.rules import Rules
    from simdom.variants import Variant

__all__ = ["comparison", "explanation", "lists_of_variants"]

NOTHING = "-"
INDENT = "  "
MANY = 3  # numbers in a row that are written as a range


def lists_of_variants(variants: "list[Variant]") -> list[Sheet]:
    """A sheet for each family, with countries in alphabetical order after those of none."""
    from simdom.variants import FAMILIES

    by_family = {
        family: [variant for variant in variants if variant.family == family] for family in FAMILIES
    }
    sheets = [_list_of_family(family, some) for family, some in by_family.items() if some]
    more = [
        "simdom variants pagat-draw               explains one, with its sources",
        "simdom variants pagat-draw pagat-block   shows where they differ",
        "simdom run --variant my-table.toml       your own rules: docs/own-rules.md",
    ]
    return [*sheets[:-1], sheets[-1]._replace(notes=[("More", more)])]


def _list_of_family(family: str, variants: "list[Variant]") -> Sheet:
    heading, lead, columns = _LISTED[family]
    rows: list[tuple[str, ...]] = []
    for country in sorted({variant.country or "" for variant in variants}):
        if country:
            rows.append((country,))
        rows += [
            (
                f"{INDENT if country else ''}{variant.name}",
                *(_CELLS[column](variant) for column in columns),
                variant.title,
            )
            for variant in variants
            if (variant.country or "") == country
        ]
    return Sheet(
        heading=f"{heading}: {len(variants)} rule set{'' if len(variants) == 1 else 's'}",
        lead=lead,
        columns=("name", *columns),
        rows=rows,
        notes=[],
        wide="what it is",
    )


_LISTED = {
    "block": (
        "Block",
        "Each for themselves; who cannot play passes.",
        ("players", "set", "deal", "opening", "block\nscores", "from"),
    ),
    "draw": (
        "Draw",
        "Each for themselves; who cannot play draws.",
        ("players", "deal", "boneyard", "opening", "block\nscores", "from"),
    ),
    "partnership": (
        "Partnership",
        "Two against two; who cannot play passes.",
        ("set", "deal", "opening", "block won by", "block\nscores", "from"),
    ),
}
"""How each of ``simdom.variants.FAMILIES`` is listed: heading, lead, columns."""

_CELLS: "dict[str, Callable[[Variant], str]]" = {
    "players": lambda variant: _in_short(variant.players),
    "set": lambda variant: _in_short(
        dict.fromkeys(variant.rules(count).max_pip for count in variant.players)
    ),
    "deal": lambda variant: _in_short(_deals(variant)),
    "boneyard": lambda variant: _boneyard(variant.rules()),
    "opening": lambda variant: _text(variant.rules(), "opening"),
    "block won by": lambda variant: _text(variant.rules(), "block_winner"),
    "block\nscores": lambda variant: _text(variant.rules(), "block_score"),
    "from": lambda variant: next((source.id for source in variant.sources), NOTHING),
}


def _deals(variant: "Variant") -> list[int]:
    """What is dealt to each number of players; once if it is the same to all."""
    deals = [variant.rules(count).deal for count in variant.players]
    return deals[:1] if len(set(deals)) == 1 else deals


def _boneyard(rules: "Rules") -> str:
    kept = f", {rules.reserve} kept" if rules.reserve else ""
    return f"{_text(rules, 'boneyard')}{kept}"


def _in_short(numbers: Iterable[int]) -> str:
    """Numbers with strokes between them; many in a row by the first and the last."""
    listed = list(numbers)
    if len(listed) >= MANY and listed == list(range(listed[0], listed[-1] + 1)):
        return f"{listed[0]} to {listed[-1]}"
    return _join(listed, "/")


def explanation(variant: "Variant", players: int | None) -> Sheet:
    """What a rule set says, toggle by toggle, for a number of players; None takes all of its."""
    from simdom.variants import READING_ORDER

    counts = variant.players if players is None else (players,)
    by_count = {count: variant.rules(count) for count in counts}
    told = [toggle for toggle in READING_ORDER if toggle == "players" or toggle in variant.settings]
    rows = [
        (
            toggle,
            _join(counts) if toggle == "players" else _by_count(by_count, toggle),
            _meanings(by_count.values(), toggle),
            variant.why.get(toggle, NOTHING),
        )
        for toggle in told
    ]
    points = _one_or_each({count: _plain(variant.target(count)) for count in counts})
    rows.append(("target", points, "Points that win a match.", variant.why.get("target", NOTHING)))
    defaults = [
        f"{toggle}={value}"
        for toggle in READING_ORDER
        if toggle not in told and (value := _by_count(by_count, toggle)) != NOTHING
    ]
    kind = variant.family.capitalize() + (f", {variant.country}" if variant.country else "")
    return Sheet(
        heading=f"{variant.name}: {variant.title}",
        lead=f"{kind}. {variant.description}".rstrip(),
        columns=("toggle", "value", "what it means", "who says so"),
        rows=rows,
        notes=[
            ("What the sources leave open", [f"{k}: {v}" for k, v in variant.left_open.items()]),
            ("All else, by default", [", ".join(defaults)] if defaults else []),
            ("Sources", [f"{source.id}: {source.text}" for source in variant.sources]),
        ],
    )


def _meanings(some_rules: "Iterable[Rules]", toggle: str) -> str:
    """What a toggle's values mean, each once; or why none of them makes a difference."""
    from simdom.variants import describe_value, why_no_effect

    reasons: dict[str, None] = {}
    meanings: dict[str, None] = {}
    for rules in some_rules:
        reason = why_no_effect(rules, toggle, matches=True)
        if reason is None:
            meanings[describe_value(toggle, getattr(rules, toggle))] = None
        else:
            reasons[reason] = None
    return " ".join(meanings or reasons)


def comparison(variants: "list[Variant]", counts: list[int]) -> Sheet:
    """Where rule sets differ, for numbers of players that all of them provide for."""
    from simdom.variants import find_differences

    names = tuple(variant.name for variant in variants)
    rows = [
        (
            difference.toggle + (f", {difference.players} players" if difference.players else ""),
            *map(_plain, difference.values),
        )
        for difference in find_differences(variants, counts)
    ]
    differ = "They differ in nothing else." if rows else "They are the same rules."
    return Sheet(
        heading=" against ".join(names),
        lead=f"Compared for {_join(counts)} players. {differ}",
        columns=("toggle", *names),
        rows=rows,
        notes=[],
    )


def _text(rules: "Rules", toggle: str) -> str:
    """A toggle's value as people write it; a dash where it has no effect."""
    from simdom.rules import rules_to_dict
    from simdom.variants import why_no_effect

    has_none = why_no_effect(rules, toggle, matches=True)
    return NOTHING if has_none else str(rules_to_dict(rules)[toggle])


def _plain(value: int | str | None) -> str:
    return NOTHING if value is None else str(value)


def _by_count(by_count: "dict[int, Rules]", toggle: str) -> str:
    """A toggle's value, or its values by number of players; a dash if none has an effect."""
    texts = {count: _text(rules, toggle) for count, rules in by_count.items()}
    return _one_or_each({n: text for n, text in texts.items() if text != NOTHING}) or NOTHING


def _one_or_each(values: dict[int, str]) -> str:
    """One text if all are equal, else one line for each number of players, or for several."""
    counts: dict[str, list[int]] = {}
    for count, value in values.items():
        counts.setdefault(value, []).append(count)
    if len(counts) <= 1:
        return "".join(counts)
    return "\n".join(f"{_in_short(some)} players: {value}" for value, some in counts.items())


def _join(numbers: Iterable[int], separator: str = ", ") -> str:
    return separator.join(map(str, numbers))
