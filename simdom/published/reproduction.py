"""What comes of confronting claims: figures, verdicts, and ways to show and keep them.

A saved reproduction is a folder with ``claims.json`` (all of it), ``claims.md`` (the same for
people) and, if the claims have a plane, ``plane.svg``. Nothing in it differs from one machine or
one day to another: made again, it is the same to the last byte.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simdom._version import __version__
from simdom.document import COLUMNS, plain_estimate
from simdom.errors import UsageError
from simdom.files import check_folder, write_folder
from simdom.formats import (
    csv_text,
    format_confidence,
    format_rounds,
    html_command,
    html_row,
    html_table,
    json_text,
)
from simdom.plots.claims import Axis, ClaimsPlot, Place, draw_claims, plot_claims
from simdom.plots.style import Picture
from simdom.published.claim import Claim, Claims, Measured
from simdom.published.judging import Judged, Verdict, joint_confidence
from simdom.published.telling import Table, notes_on, own_strategies, tables_of, tell
from simdom.rules import RULES_VERSION
from simdom.strategies import Strategy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FILES", "SCHEMA", "Reproduction", "check_out", "check_plane"]

_OWN = "simdom.reproduction/"
SCHEMA = f"{_OWN}1"

FILES = DOCUMENT_FILE, PAGE_FILE, PLOT_FILE = "claims.json", "claims.md", "plane.svg"

_CLAIM = ("claim", "source", "printed", "published", "claim_low", "claim_high", "kind")
_PLAYED = ("variant", "metric", "seat", "strategy", "rounds")
_FOUND = (*COLUMNS, "verdict", "firm", "rounds_to_settle")
_HEADER = (*_CLAIM, *_PLAYED, *_FOUND)


@dataclass(frozen=True, repr=False)
class Reproduction:
    """Published claims, and what simdom counts and measures instead.

    Attributes:
        claims: what was confronted.
        strategies: how all seats played, for claims that name no strategy.
        figures: what was measured, by the claim's id and the strategy's name.
        chances: what was counted, and its verdict, by the claim's id.
        seed: of both random streams, for all.
        rounds: that were asked for, of each rule set with each strategy.
        confidence: of each interval, between 0 and 1.
        command: the command line that repeats it.
        partial: whether it was interrupted before all rounds were played. Each figure has its own
            number of rounds; some may be missing.
        version: of simdom.
        rules_version: see `simdom.rules.RULES_VERSION`.
    """

    claims: Claims
    strategies: tuple[Strategy, ...]
    figures: dict[str, dict[str, Judged]]
    chances: dict[str, tuple[Fraction, Verdict]]
    seed: int
    rounds: int
    confidence: float
    command: str
    partial: bool = False
    version: str = __version__
    rules_version: int = RULES_VERSION

    @property
    def verdicts(self) -> int:
        """How many verdicts rest on an interval, once all rounds are played."""
        return self.claims.count_verdicts(self.strategies)

    @property
    def confidence_text(self) -> str:
        """The confidence as people say it, such as ``95%``."""
        return format_confidence(self.confidence)

    @property
    def made(self) -> str:
        """Rounds, seed, confidence and version, in one line."""
        version = f"simdom {self.version}, rules version {self.rules_version}"
        if not self.claims.measured:
            return f"Counted exactly, no round was played; {version}"
        interrupted = " (interrupted before all were played)" if self.partial else ""
        return (
            f"{format_rounds(self.rounds, None)} of each{interrupted}, seed {self.seed}; "
            f"intervals at {self.confidence_text}; {version}"
        )

    def told(self) -> list[str]:
        """What was found, in plain sentences; each is made from the figures."""
        return tell(self)

    def summary(self) -> str:
        """What was found, a sentence a line, and what was played."""
        return "\n".join([*tell(self), f"{self.made}."])

    def tables(self) -> list[Table]:
        """The figures for people: a table for each question, and one for what was counted."""
        return tables_of(self)

    def notes(self) -> list[str]:
        """How to read the verdicts, and the strategies that are no presets."""
        return notes_on(self)

    def __repr__(self) -> str:
        return f"<Reproduction of {len(self.claims.claims)} claims: {self.claims.title}>"

    def __str__(self) -> str:
        """The summary and plain tables."""
        text = [self.summary()]
        for table in self.tables():
            rows = [[cell.replace("\n", ", ") for cell in row] for row in table.rows]
            widths = [max(map(len, column)) for column in zip(table.columns, *rows, strict=True)]
            text += ["", table.heading, *table.lead]
            for row in (table.columns, *rows):
                cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
                text.append(f"  {'  '.join(cells)}".rstrip())
        return "\n".join([*text, "", *self.notes(), self.command])

    def _repr_html_(self) -> str:
        """The summary and the tables, for a notebook."""
        parts = [_paragraph(self.told())]
        for table in self.tables():
            rows = [html_row(cell.replace("\n", ", ") for cell in row) for row in table.rows]
            parts += [html_table(table.heading, table.columns, rows), _paragraph(table.lead)]
        parts.append(_paragraph([f"{self.made}.", *self.notes()]))
        return "".join([*parts, html_command(self.command)])

    def to_markdown(self, picture: str | None = None) -> str:
        """The summary, the tables and how to read them, as Markdown.

        Args:
            picture: where the plot is, for a page that shows it.
        """
        lines = [f"# {self.claims.title}", "", *(f"- {each}" for each in self.told()), ""]
        if picture is not None:
            lines += [f"![{self.to_plot().title}]({picture})", ""]
        for table in self.tables():
            lines += [f"## {table.heading}", "", *(f"- {each}" for each in table.lead), ""]
            lines += [_markdown_row(table.columns), _markdown_row(("---",) * len(table.columns))]
            lines += [*map(_markdown_row, table.rows), ""]
        lines += ["## How it was made, and how to read it", "", f"{self.made}.", ""]
        lines += [f"- {note}" for note in (*self.notes(), *self.sources())]
        return "\n".join([*lines, "", "```sh", self.command, "```"]) + "\n"

    def sources(self) -> list[str]:
        """The sources that are meant, each with what it is."""
        return [f"{name}: {text}" for name, text in self._used_sources.items()]

    @property
    def _used_sources(self) -> dict[str, str]:
        used = dict.fromkeys(claim.source for claim in self.claims.claims)
        return {name: self.claims.sources[name] for name in used}

    def to_dict(self) -> dict[str, Any]:
        """The document of schema `SCHEMA`: plain Python values only, nan as None.

        A measured claim has its figures under ``strategies``, by name; a counted one has its
        ``fraction`` and ``value``, and no strategies.
        """
        plane = self.claims.plane
        verdicts = self.verdicts
        joint = joint_confidence(self.confidence, verdicts) if verdicts else self.confidence
        return {
            "schema": SCHEMA,
            "simdom": self.version,
            "rules_version": self.rules_version,
            "title": self.claims.title,
            "summary": self.told(),
            "seed": self.seed,
            "rounds": self.rounds,
            **({"partial": True} if self.partial else {}),
            "confidence": self.confidence,
            "verdicts": verdicts,
            "joint_confidence": joint,
            "claims": [self._plain_claim(claim) for claim in self.claims.claims],
            "plane": None if plane is None else dict(zip("xy", plane, strict=True)),
            "strategies": [strategy.to_dict() for strategy in self.strategies],
            "sources": self._used_sources,
            "command": self.command,
        }

    def _plain_claim(self, claim: Claim) -> dict[str, Any]:
        figures = {
            name: plain_estimate(judged.estimate)
            | {
                "rounds": judged.rounds,
                "verdict": judged.verdict,
                "firm": judged.firm,
                "rounds_to_settle": judged.settle,
            }
            for name, judged in self.figures.get(claim.id, {}).items()
        }
        counted = {}
        if claim.id in self.chances:
            chance, verdict = self.chances[claim.id]
            counted = {"fraction": str(chance), "value": float(chance), "verdict": verdict}
        return claim.to_dict() | counted | {"strategies": figures}

    def to_json(self) -> str:
        """`to_dict` as text; numbers in full precision."""
        return json_text(self.to_dict())

    def to_csv(self) -> str:
        """The columns of `to_frame` as text, in full precision; what is not defined is empty."""
        return csv_text(_HEADER, self._records())

    def to_frame(self) -> "pd.DataFrame":
        """One row for each measured claim and strategy, and one for each counted claim.

        Returns:
            A DataFrame with the columns ``claim``, ``source``, ``printed``, ``published``,
            ``claim_low``, ``claim_high``, ``kind``, ``variant``, ``metric``, ``seat``,
            ``strategy``, ``rounds``, ``estimate``, ``se``, ``low``, ``high``, ``count``, ``sd``,
            ``verdict``, ``firm`` and ``rounds_to_settle``. A counted claim has its exact chance as
            the estimate and at both ends of the interval.
        """
        import pandas as pd

        frame = pd.DataFrame(self._records(), columns=list(_HEADER))
        whole = dict.fromkeys(("seat", "rounds", "count", "rounds_to_settle"), "Int64")
        real = dict.fromkeys(
            ("published", "claim_low", "claim_high", "estimate", "se", "low", "high", "sd"),
            "float64",
        )
        return frame.astype(whole | real | {"firm": "boolean"})

    def _records(self) -> list[dict[str, Any]]:
        records = []
        for claim in self.claims.claims:
            plain = self._plain_claim(claim)
            head = {"claim": claim.id, "claim_low": plain["low"], "claim_high": plain["high"]}
            head |= {key: plain[key] for key in ("source", "printed", "published", "kind")}
            head |= {key: plain.get(key) for key in ("variant", "metric", "seat")}
            for name, figure in plain["strategies"].items():
                records.append(head | {"strategy": name} | figure)
            if "value" in plain:
                exact = dict.fromkeys(("estimate", "low", "high"), plain["value"])
                records.append(head | exact | {"se": 0.0, "verdict": plain["verdict"]})
        return records

    def plot(self, path: str | Path | None = None) -> Picture:
        """Draw the plane of two claims with every strategy, as a picture or into a file.

        Raises:
            UsageError: as `check_plane`; as `simdom.plots.style.check_plot_path`.
            RunError: the file cannot be written; what was there before is still there.
        """
        return plot_claims(self.to_plot(), path)

    def to_plot(self) -> ClaimsPlot:
        """What `plot` draws.

        Raises:
            UsageError: as `check_plane`.
        """
        x, y = check_plane(self.claims)
        across, up = self.figures[x.id], self.figures[y.id]
        return ClaimsPlot(
            title=f"{x.quoted} and {y.quoted} as published, and what each strategy gives",
            x=_axis(x),
            y=_axis(y),
            published=f"{x.source}: {x.quoted}, {y.quoted}",
            places=[
                Place(name, across[name].estimate, up[name].estimate)
                for name in across
                if name in up
            ],
            small_print=[
                f"{self.made}. Across: {_title(x)}. Upwards: {_title(y)}.",
                *own_strategies(self),
                self.command,
            ],
        )

    def save(self, directory: str | Path, *, overwrite: bool = False) -> None:
        """Write ``claims.json``, ``claims.md`` and perhaps ``plane.svg`` into a new folder.

        Args:
            directory: the folder; it is made, or may exist if it is empty.
            overwrite: whether a reproduction that the folder holds already may be replaced.

        Raises:
            UsageError: as `check_out`.
            RunError: the disk is full, or some such; nothing is left behind.
        """
        is_drawn = self.claims.plane is not None and bool(self.to_plot().places)
        page = self.to_markdown(PLOT_FILE if is_drawn else None)
        contents = {DOCUMENT_FILE: self.to_json().encode(), PAGE_FILE: page.encode()}
        if is_drawn:
            contents[PLOT_FILE] = draw_claims(self.to_plot(), "svg")
        write_folder(Path(directory), contents, FILES, schema=_OWN, overwrite=overwrite)


def check_out(directory: str | Path, *, overwrite: bool = False) -> None:
    """Return if a reproduction can be saved in ``directory``; ask before a long run.

    Raises:
        UsageError: it is a file; it holds files already; it cannot be made or written to.
    """
    check_folder(Path(directory), FILES, schema=_OWN, overwrite=overwrite)


def check_plane(claims: Claims) -> tuple[Claim, Claim]:
    """The two claims that are the axes of the picture; ask before a long run.

    Raises:
        UsageError: there is no such plane; one of its claims was left out.
    """
    if claims.cut is not None:
        both = " and ".join(claims.cut)
        raise UsageError(f"there is nothing to draw: the plane is of {both}, so keep both of them")
    if claims.plane is None:
        raise UsageError(
            "there is nothing to draw: add [plane] with x and y, the ids of two measured claims, "
            "to the file of claims"
        )
    x, y = (claims.claim(name) for name in claims.plane)
    return x, y


def _title(claim: Claim) -> str:
    return claim.answer.title if isinstance(claim.answer, Measured) else claim.says


def _axis(claim: Claim) -> Axis:
    return Axis(
        label=claim.says,
        scale=100 if claim.is_rate else 1,
        unit="%" if claim.is_rate else "",
        published=claim.published,
        low=claim.low if math.isfinite(claim.low) else None,
        high=claim.high if math.isfinite(claim.high) else None,
        range=claim.range,
    )


def _markdown_row(cells: tuple[str, ...]) -> str:
    escaped = (cell.replace("|", "\\|").replace("\n", "<br>") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _paragraph(lines: list[str]) -> str:
    return f"<p>{'<br>'.join(map(escape, lines))}</p>"
