"""``simdom metrics``: the figures of rounds and of matches, and what each of them means."""

from typing import Annotated

import typer

from simdom.cli.sheets import FORMATS, Sheet, print_json, print_sheets
from simdom.cli.variants import Format
from simdom.errors import check_choice

__all__ = ["metrics"]


def metrics(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Only these; nothing lists all metrics."),
    ] = None,
    output_format: Format = "table",
) -> None:
    """List the figures of rounds and of matches: name, unit, label in tables, what each means.

    \b
    Examples:
      simdom metrics
      simdom metrics blocked_rate points rounds_per_match
    """  # noqa: D301 -- \b keeps lines as they are in --help
    check_choice("format", output_format, FORMATS)
    from simdom.match_metrics import ALL_METRICS

    chosen = [check_choice("metric", name, ALL_METRICS) for name in names or ALL_METRICS]
    chosen = list(dict.fromkeys(chosen))
    if output_format == "json":
        described = [
            {
                "name": name,
                "of": ALL_METRICS[name].trial,
                "kind": ALL_METRICS[name].kind,
                "unit": ALL_METRICS[name].unit,
                "label": _label_of(name),
                "per_seat": ALL_METRICS[name].per_seat,
                "per_team": ALL_METRICS[name].per_team,
                "meaning": ALL_METRICS[name].doc,
            }
            for name in chosen
        ]
        print_json({"schema": "simdom.metrics/1", "metrics": described})
        return
    more = {
        "round": "simdom run --metric blocked_rate --metric points   prints only these",
        "match": "simdom match --metric rounds_per_match   prints only this",
    }
    of = {trial: [n for n in chosen if ALL_METRICS[n].trial == trial] for trial in more}
    sheets = [_sheet(trial, of[trial], hint) for trial, hint in more.items() if of[trial]]
    print_sheets(sheets, output_format)


def _sheet(trial: str, names: list[str], hint: str) -> Sheet:
    from simdom.match_metrics import ALL_METRICS

    metrics = [ALL_METRICS[name] for name in names]
    return Sheet(
        heading=f"{len(names)} metric{'' if len(names) == 1 else 's'} of a {trial}",
        lead="",
        columns=("name", "unit", "label in tables"),
        rows=[
            (name, metric.unit, _label_of(name), metric.doc)
            for name, metric in zip(names, metrics, strict=True)
        ],
        notes=[("More", [hint])],
        wide="what it means",
    )


def _label_of(name: str) -> str:
    """Its name in tables, with a word where a seat's own would stand."""
    from simdom.match_metrics import ALL_METRICS

    return ALL_METRICS[name].label.format(
        nth="k-th", seat="s", strategy="its strategy", team="The opener's or the other team"
    )
