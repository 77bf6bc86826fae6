"""``simdom metrics``: the figures that a run prints, and what each of them means."""

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
    """List the figures of a run: name, unit, label in tables, and what each means.

    \b
    Examples:
      simdom metrics
      simdom metrics blocked_rate points
    """  # noqa: D301 -- \b keeps lines as they are in --help
    check_choice("format", output_format, FORMATS)
    from simdom.estimate import METRICS, check_metrics

    chosen = [(name, METRICS[name]) for name in dict.fromkeys(check_metrics(names or [*METRICS]))]
    labels = {
        name: metric.label.format(nth="k-th", seat="s", strategy="its strategy")
        for name, metric in chosen
    }
    if output_format == "json":
        described = [
            {
                "name": name,
                "kind": metric.kind,
                "unit": metric.unit,
                "label": labels[name],
                "per_seat": metric.per_seat,
                "meaning": metric.doc,
            }
            for name, metric in chosen
        ]
        print_json({"schema": "simdom.metrics/1", "metrics": described})
        return
    sheet = Sheet(
        heading=f"{len(chosen)} metric{'' if len(chosen) == 1 else 's'}",
        lead="",
        columns=("name", "unit", "label in tables"),
        rows=[(name, metric.unit, labels[name], metric.doc) for name, metric in chosen],
        notes=[("More", ["simdom run --metric blocked_rate --metric points   prints only these"])],
        wide="what it means",
    )
    print_sheets([sheet], output_format)
