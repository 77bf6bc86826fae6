"""``simdom variants`` and ``simdom strategies``: what there is to play, explained and compared."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simdom.cli.options import Players
from simdom.cli.sheets import FORMATS, Sheet, print_json, print_sheets
from simdom.errors import UsageError, check_choice

if TYPE_CHECKING:
    from simdom.rules import Rules
    from simdom.strategies import Strategy
    from simdom.variants import Variant

__all__ = ["check_provided", "provide_for", "strategies", "variants"]

NOTHING = "-"

Format = Annotated[
    str,
    typer.Option("--format", metavar="FORMAT", help=f"What to print: {', '.join(FORMATS)}."),
]


def variants(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="Nothing lists all presets; one preset or TOML file is explained; "
            "several are compared.",
        ),
    ] = None,
    players: Players = None,
    output_format: Format = "table",
) -> None:
    """List the rule sets, explain one, or show where several differ.

    \b
    Examples:
      simdom variants
      simdom variants pagat-draw
      simdom variants pagat-draw pagat-block --players 3
    """  # noqa: D301 -- \b keeps lines as they are in --help
    check_choice("format", output_format, FORMATS)
    from simdom.rules import parse_toggle
    from simdom.variants import load_variant, variant_names

    if players is not None:
        parse_toggle("players", players)
    chosen = [load_variant(name) for name in dict.fromkeys(names or variant_names())]
    if names:
        check_provided(chosen, players)
    else:
        chosen = provide_for(chosen, players)
    counts = _common_counts(chosen, players) if len(names or ()) > 1 else None
    if output_format == "json":
        print_json(_variants_document(chosen, players, counts))
    elif counts is not None:
        print_sheets([_comparison(chosen, counts)], output_format)
    elif names:
        print_sheets([_explanation(chosen[0], players)], output_format)
    else:
        print_sheets([_list_of_variants(chosen)], output_format)


def strategies(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="Nothing lists all strategies; presets and TOML files that are named are "
            "explained.",
        ),
    ] = None,
    output_format: Format = "table",
) -> None:
    """List the ways to play, or explain some of them.

    \b
    Examples:
      simdom strategies
      simdom strategies normal
    """  # noqa: D301 -- the same
    check_choice("format", output_format, FORMATS)
    from simdom.strategies import load_strategy, strategy_names

    chosen = [load_strategy(name) for name in dict.fromkeys(names or strategy_names())]
    if output_format == "json":
        described = [strategy.to_dict() for strategy in chosen]
        print_json({"schema": "simdom.strategies/1", "strategies": described})
    elif names:
        print_sheets(map(_explained_strategy, chosen), output_format)
    else:
        print_sheets([_list_of_strategies(chosen)], output_format)


def provide_for(variants: "list[Variant]", players: int | None) -> "list[Variant]":
    """Those of ``variants`` that are for so many players; None takes all.

    Raises:
        UsageError: none is.
    """
    chosen = [variant for variant in variants if players in (None, *variant.players)]
    if not chosen:
        counts = sorted({count for variant in variants for count in variant.players})
        raise UsageError(f"no preset is for {players} players: {_join(counts)} are provided for")
    return chosen


def check_provided(variants: "list[Variant]", players: int | None) -> None:
    """Check that each of ``variants``, which were named, is for so many players.

    Raises:
        UsageError: one is not; the line says for how many it is.
    """
    for variant in variants:
        if players not in (None, *variant.players):
            counts = _join(variant.players)
            raise UsageError(
                f"{variant.name} is for {counts} players, not {players}: leave --players out, "
                "or give a number that it is for"
            )


def _common_counts(variants: "list[Variant]", players: int | None) -> list[int]:
    if players is not None:
        return [players]
    common = set.intersection(*(set(variant.players) for variant in variants))
    if not common:
        each = "; ".join(f"{variant.name}: {_join(variant.players)}" for variant in variants)
        raise UsageError(f"no number of players is common to all ({each})")
    return sorted(common)


def _variants_document(
    variants: "list[Variant]", players: int | None, compared: list[int] | None
) -> dict[str, Any]:
    from simdom.variants import find_differences

    counts = None if players is None else [players]
    document: dict[str, Any] = {
        "schema": "simdom.variants/1",
        "variants": [variant.to_dict(counts) for variant in variants],
    }
    if compared is not None:
        document["compared_players"] = compared
        differences = find_differences(variants, compared)
        document["differences"] = [difference._asdict() for difference in differences]
    return document


def _list_of_variants(variants: "list[Variant]") -> Sheet:
    rows = []
    for variant in sorted(variants, key=lambda variant: (variant.family, variant.name)):
        by_count = [variant.rules(count) for count in variant.players]
        rules = by_count[0]
        kept = f", {rules.reserve} kept" if rules.reserve else ""
        rows.append(
            (
                variant.name,
                _join(variant.players, "/"),
                _join((rules.deal for rules in by_count), "/"),
                f"{_text(rules, 'boneyard')}{kept}",
                _text(rules, "opening"),
                _text(rules, "block_score"),
                next((source.id for source in variant.sources), NOTHING),
                variant.title,
            )
        )
    return Sheet(
        heading=f"{len(variants)} rule sets",
        lead="",
        columns=("name", "players", "deal", "boneyard", "opening", "block\nscore", "from"),
        rows=rows,
        notes=[
            ("Where they are from", _sources(variants)),
            (
                "More",
                [
                    "simdom variants pagat-draw               explains one, toggle by toggle",
                    "simdom variants pagat-draw pagat-block   shows where they differ",
                    "simdom run --variant my-table.toml       your own rules: docs/own-rules.md",
                ],
            ),
        ],
        wide="what it is",
    )


def _explanation(variant: "Variant", players: int | None) -> Sheet:
    from simdom.rules import TOGGLES
    from simdom.variants import describe_value, why_no_effect

    counts = variant.players if players is None else (players,)
    by_count = {count: variant.rules(count) for count in counts}
    rows = []
    for toggle in TOGGLES:
        values = {count: _text(rules, toggle) for count, rules in by_count.items()}
        value = _join(counts) if toggle == "players" else _by_count(values)
        meanings = dict.fromkeys(
            why_no_effect(rules, toggle) or describe_value(toggle, getattr(rules, toggle))
            for rules in by_count.values()
        )
        is_default = toggle not in variant.settings and value != NOTHING
        who = variant.why.get(toggle, "simdom's default" if is_default else NOTHING)
        rows.append((toggle, value, " ".join(meanings), who))
    points = _by_count({count: _plain(variant.target(count)) for count in counts})
    rows.append(("target", points, "Points that win a match.", variant.why.get("target", NOTHING)))
    return Sheet(
        heading=f"{variant.name}: {variant.title}",
        lead=variant.description,
        columns=("toggle", "value", "what it means", "who says so"),
        rows=rows,
        notes=[
            ("What the sources leave open", [f"{k}: {v}" for k, v in variant.left_open.items()]),
            ("Sources", _sources([variant])),
        ],
    )


def _comparison(variants: "list[Variant]", counts: list[int]) -> Sheet:
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


def _list_of_strategies(strategies: "list[Strategy]") -> Sheet:
    return Sheet(
        heading=f"{len(strategies)} ways to play",
        lead="",
        columns=("name", "what it does", "weights", "ties among"),
        rows=[
            (
                strategy.name,
                strategy.description,
                ", ".join(f"{name} {w:g}" for name, w in strategy.weighted.items()) or NOTHING,
                strategy.ties,
            )
            for strategy in strategies
        ],
        notes=[
            (
                "More",
                [
                    "simdom strategies normal             explains one, feature by feature",
                    "simdom run --strategy my-play.toml   your own way to play: docs/own-rules.md",
                ],
            )
        ],
    )


def _explained_strategy(strategy: "Strategy") -> Sheet:
    from simdom.strategies import FEATURE_DOCS

    weighted = strategy.weighted
    ties = {
        "placements": "Equal best placements are equally likely.",
        "tiles": "Equal best tiles are equally likely, then the ends that the tile fits.",
    }
    choice = (
        f"A placement that scores d less than the best is played exp(-d/{strategy.temperature:g}) "
        "times as often."
        if strategy.temperature
        else "The placement with the highest weighted sum is played."
    )
    if strategy.samples:
        aim = "most points" if strategy.aim == "points" else "most wins"
        choice = (
            f"Each placement is played on in {strategy.samples} deals that agree with what was "
            f"shown, every seat by the weights; the one with the {aim} is played."
        )
    return Sheet(
        heading=f"{strategy.name}: {strategy.title}",
        lead=strategy.description,
        columns=("feature of a placement", "weight", "what it counts"),
        rows=[
            (feature, f"{weighted.get(feature, 0):g}", doc) for feature, doc in FEATURE_DOCS.items()
        ],
        notes=[
            ("The choice", [choice, ties[strategy.ties]]),
            ("Source", [strategy.source] if strategy.source else []),
        ],
    )


def _sources(variants: "Iterable[Variant]") -> list[str]:
    texts = {source.id: source.text for variant in variants for source in variant.sources}
    return [f"{name}: {text}" for name, text in sorted(texts.items())]


def _text(rules: "Rules", toggle: str) -> str:
    """A toggle's value as people write it; a dash where it has no effect."""
    from simdom.rules import rules_to_dict
    from simdom.variants import why_no_effect

    return NOTHING if why_no_effect(rules, toggle) else str(rules_to_dict(rules)[toggle])


def _plain(value: int | str | None) -> str:
    return NOTHING if value is None else str(value)


def _by_count(values: dict[int, str]) -> str:
    """One text if all are equal, else one line for each number of players."""
    if len(set(values.values())) == 1:
        return next(iter(values.values()))
    return "\n".join(f"{count} players: {value}" for count, value in values.items())


def _join(numbers: Iterable[int], separator: str = ", ") -> str:
    return separator.join(map(str, numbers))
