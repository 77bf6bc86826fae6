"""``simdom variants`` and ``simdom strategies``: what there is to play, explained and compared."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simdom.cli.options import Players
from simdom.cli.sheets import FORMATS, Sheet, print_json, print_sheets
from simdom.cli.variant_sheets import comparison, explanation, lists_of_variants
from simdom.errors import UsageError, check_choice

if TYPE_CHECKING:
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
        print_sheets([comparison(chosen, counts)], output_format)
    elif names:
        print_sheets([explanation(chosen[0], players)], output_format)
    else:
        print_sheets(lists_of_variants(chosen), output_format)


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


def _join(numbers: Iterable[int], separator: str = ", ") -> str:
    return separator.join(map(str, numbers))
