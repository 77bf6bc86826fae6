"""What comes of a calibration: the plainest row that fits, how well, and what else fits."""

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simdom._version import __version__
from simdom.calibration.fit import Fit
from simdom.calibration.leeway import Leeway
from simdom.calibration.plain import strategy_of, weights_of
from simdom.calibration.plan import Plan
from simdom.calibration.screening import Stage
from simdom.calibration.telling import notes_on, tables_of, tell
from simdom.document import COLUMNS
from simdom.errors import UsageError
from simdom.files import check_file, write_file
from simdom.formats import (
    csv_text,
    format_confidence,
    format_rounds,
    html_command,
    html_row,
    html_table,
    json_text,
)
from simdom.published.claim import Claim
from simdom.published.telling import Table
from simdom.rules import RULES_VERSION
from simdom.strategies import Strategy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SCHEMA", "Calibration", "check_out"]

SCHEMA = "simdom.calibration/1"

_ROW = ("row", "weights", "seed")
_FOUND = (*COLUMNS, "rounds", "verdict", "firm", "to_edge", "again")
_HEADER = (*_ROW, "claim", "published", "claim_low", "claim_high", *_FOUND)


@dataclass(frozen=True, repr=False)
class Calibration:
    """Ways to play that give published figures.

    Attributes:
        plan: what was asked for.
        rows: how many were looked at.
        stages: of the screening.
        found: the plainest row that fits, with figures from rounds that no choice was made on;
            None if there is none.
        fits: the rows left after all stages, the plainest first, with figures from the rounds that
            they were chosen on. Those plainer than the row found have played all rounds, or until
            it was sure that they would not fit; so have some others.
        rejected: rows that fitted there, but not well enough on fresh rounds.
        nearest: if none is found, some of ``fits``, or of the last stage, the nearest first.
        leeway: how far each weight of the row found may move.
        rounds_played: in all, of every row and rule set.
        command: the command line that repeats it.
        partial: whether it was interrupted.
        version: of simdom.
        rules_version: see `simdom.rules.RULES_VERSION`.
    """

    plan: Plan
    rows: int
    stages: tuple[Stage, ...]
    found: Fit | None
    fits: tuple[Fit, ...]
    rejected: tuple[Fit, ...]
    nearest: tuple[Fit, ...]
    leeway: dict[str, Leeway]
    rounds_played: int
    command: str
    partial: bool = False
    version: str = __version__
    rules_version: int = RULES_VERSION

    @property
    def strategy(self) -> Strategy | None:
        """The row found, to be played; after Ctrl-C, the nearest so far; None if there is none."""
        best = self.best
        return None if best is None else strategy_of(best.row, "calibrated")

    @property
    def best(self) -> Fit | None:
        """The row found; after Ctrl-C, the nearest so far."""
        return self.found or (self.nearest[0] if self.partial else None)

    @property
    def others(self) -> list[Fit]:
        """Rows left after all stages that were neither found nor rejected."""
        known = {fit.row for fit in (self.found, *self.rejected) if fit is not None}
        return [fit for fit in self.fits if fit.row not in known]

    @property
    def made(self) -> str:
        """Rounds, seeds, confidence and version, in one line."""
        plan = self.plan
        interrupted = " (interrupted)" if self.partial else ""
        return (
            f"rows chosen on up to {format_rounds(plan.rounds, None)} of each rule set, seed "
            f"{plan.seed}{interrupted}; figures from {plan.fresh_rounds:,} others, seed "
            f"{plan.fresh_seed}; intervals at "
            f"{format_confidence(plan.confidence)}; simdom {self.version}, rules version "
            f"{self.rules_version}"
        )

    def told(self) -> list[str]:
        """What was found, in plain sentences; each is made from the figures."""
        return tell(self)

    def summary(self) -> str:
        """What was found, a sentence a line, and what was played."""
        return "\n".join([*tell(self), f"{self.made}."])

    def tables(self) -> list[Table]:
        """The figures for people."""
        return tables_of(self)

    def notes(self) -> list[str]:
        """How to read the tables."""
        return notes_on(self)

    def __repr__(self) -> str:
        claims = ", ".join(claim.id for claim in self.plan.claims.claims)
        return f"<Calibration of {claims}: {self.best.words if self.best else 'nothing found'}>"

    def __str__(self) -> str:
        """The summary and plain tables."""
        text = [self.summary()]
        for table in self.tables():
            rows = [[cell.replace("\n", " ") for cell in row] for row in table.rows]
            widths = [max(map(len, column)) for column in zip(table.columns, *rows, strict=True)]
            text += ["", table.heading, *table.lead]
            for row in (table.columns, *rows):
                cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
                text.append(f"  {'  '.join(cells)}".rstrip())
        return "\n".join([*text, "", *self.notes(), self.command])

    def _repr_html_(self) -> str:
        """The summary and the tables, for a notebook."""
        parts = [f"<p>{'<br>'.join(map(escape, self.told()))}</p>"]
        parts += [
            html_table(table.heading, table.columns, map(_html_row, table.rows))
            for table in self.tables()
        ]
        parts.append(f"<p>{'<br>'.join(map(escape, [f'{self.made}.', *self.notes()]))}</p>")
        return "".join([*parts, html_command(self.command)])

    def to_dict(self) -> dict[str, Any]:
        """The document of schema `SCHEMA`: plain Python values only.

        ``strategy`` is the row found and its fresh figures, or null; ``fits``, ``rejected`` and
        ``nearest`` are lists of the same kind.
        """
        plan = self.plan
        return {
            "schema": SCHEMA,
            "simdom": self.version,
            "rules_version": self.rules_version,
            "summary": self.told(),
            "claims": [claim.to_dict() for claim in plan.claims.claims],
            "features": list(plan.limits.features),
            "most_features": plan.limits.most_features,
            "most_weight": plan.limits.most_weight,
            "seed": plan.seed,
            "fresh_seed": plan.fresh_seed,
            "rounds": plan.rounds,
            **({"partial": True} if self.partial else {}),
            "confidence": plan.confidence,
            "joint_confidence": plan.joint,
            "again": plan.again,
            "strategy": None if self.found is None else self.found.to_dict(plan),
            "leeway": {
                name: {"weight": weight} | self.leeway[name]._asdict()
                for name, weight in (weights_of(self.found.row) if self.found else {}).items()
                if name in self.leeway
            },
            **{
                name: [fit.to_dict(plan) for fit in fits]
                for name, fits in (
                    ("fits", self.fits),
                    ("rejected", self.rejected),
                    ("nearest", self.nearest),
                )
            },
            "rows": self.rows,
            "stages": [stage._asdict() for stage in self.stages],
            "rounds_played": self.rounds_played,
            "command": self.command,
        }

    def to_json(self) -> str:
        """`to_dict` as text; numbers in full precision."""
        return json_text(self.to_dict())

    def to_csv(self) -> str:
        """The columns of `to_frame` as text, in full precision; what is not defined is empty."""
        return csv_text(_HEADER, self._records())

    def to_frame(self) -> "pd.DataFrame":
        """One row for each row of weights and claim.

        Returns:
            A DataFrame with the columns ``row`` ("found", "fit", "rejected" or "nearest"),
            ``weights`` in words, ``seed``, ``claim``, ``published``, ``claim_low``,
            ``claim_high``, ``estimate``, ``se``, ``low``, ``high``, ``count``, ``sd``, ``rounds``,
            ``verdict``, ``firm``, how far it is ``to_edge``, the nearest one, and how likely other
            rounds are inside ``again``.
        """
        import pandas as pd

        frame = pd.DataFrame(self._records(), columns=list(_HEADER))
        whole = {"rounds": "Int64", "seed": "uint64", "count": "Int64"}
        real = dict.fromkeys(("claim_low", "claim_high", "sd"), "float64")
        return frame.astype(whole | real)

    def to_toml(self) -> str:
        """`strategy` as a file that ``--strategy`` takes.

        Raises:
            UsageError: there is no such row.
        """
        best = self.best
        if best is None:
            raise UsageError("there is no row to write: none was found")
        claims = self.plan.claims.claims
        printed = " and ".join(f"{claim.printed} by {claim.source}" for claim in claims)
        begin = "Fitted to" if self.found else "Not fitted yet to"
        texts = {
            "title": f"{begin} published figures",
            "description": f"{begin} {printed}.",
            "source": self.command,
        }
        # A JSON string of printable text is a TOML string.
        lines = [f"{key} = {json.dumps(text, ensure_ascii=False)}" for key, text in texts.items()]
        weights = [f"{name} = {weight}" for name, weight in weights_of(best.row).items()]
        return "\n".join([*lines, "", "[weights]", *weights]) + "\n"

    def save(self, path: str | Path) -> None:
        """Write `to_toml` into a new file.

        Raises:
            UsageError: there is no such row; as `check_out`.
            RunError: the file cannot be written.
        """
        check_out(path)
        write_file(Path(path), self.to_toml().encode())

    def _records(self) -> list[dict[str, Any]]:
        kinds = {
            "found": [self.found] if self.found else [],
            "fit": self.fits,
            "rejected": self.rejected,
            "nearest": self.nearest,
        }
        return [
            {"row": kind, "weights": fit.words, "seed": fit.seed}
            | _claimed(claim)
            | {name: value for name, value in figure.items() if name in _FOUND}
            for kind, fits in kinds.items()
            for fit in fits
            for claim in self.plan.claims.claims
            for figure in [fit.to_dict(self.plan)["figures"][claim.id]]
        ]


def check_out(path: str | Path) -> None:
    """Return if a strategy can be written into ``path``; ask before a long run.

    Raises:
        UsageError: its name does not end in ``.toml``; it is there already; its folder is a file
            or cannot be written to.
    """
    file = Path(path)
    if file.suffix != ".toml":
        raise UsageError(f"{file} must end in .toml, to be read as a strategy")
    if file.exists():
        raise UsageError(f"{file} is there already: name a new file")
    check_file(file)


def _html_row(row: tuple[str, ...]) -> str:
    return html_row(cell.replace("\n", " ") for cell in row)


def _claimed(claim: Claim) -> dict[str, Any]:
    plain = claim.to_dict()
    return {
        "claim": claim.id,
        "published": claim.published,
        "claim_low": plain["low"],
        "claim_high": plain["high"],
    }
