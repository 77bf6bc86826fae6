"""``simdom calibrate``: the plainest way to play that gives published figures."""

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Self

import typer

from simdom.cli.options import Confidence, OutputFormat, Quiet, Rounds, Seed, Threads
from simdom.cli.progress import COMPILING, ProgressBar, end_interrupted, note
from simdom.cli.sheets import Sheet, print_answer
from simdom.errors import RunError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simdom.calibration.calibration import Calibration

__all__ = ["calibrate"]


def calibrate(
    more: Annotated[
        list[str],
        typer.Argument(
            metavar="CLAIM",
            show_default=False,
            help="Claims that are to be met together; unless given, the two that are the plane of "
            "the file of claims.",
        ),
    ] = [],
    claims: Annotated[
        list[str],
        typer.Option("--claims", metavar="CLAIM", help="The same; may be repeated."),
    ] = [],
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="A TOML file of claims, instead of those that come with simdom "
            "(configs/claims.toml shows how).",
        ),
    ] = None,
    features: Annotated[
        list[str],
        typer.Option(
            "--features",
            metavar="NAME[,NAME...]",
            help="Features that may be weighed (docs/own-rules.md explains them), with a minus "
            "before those whose weights are below 0; may be repeated. Unless given, those that S4 "
            "describes: pips,double,own_fit,-unseen_fit,next_void.",
        ),
    ] = [],
    most_features: Annotated[
        int, typer.Option(metavar="K", help="Features that one row of weights may have.")
    ] = 3,
    most_weight: Annotated[
        int, typer.Option(metavar="W", help="What the sizes of its weights may add up to.")
    ] = 20,
    rounds: Rounds = 10_000_000,
    seed: Seed = 1,
    threads: Threads = None,
    confidence: Confidence = 0.95,
    again: Annotated[
        float,
        typer.Option(
            metavar="P",
            help="How likely a run of N rounds with yet another seed must be to meet the claims as "
            "well, from 0.5 on.",
        ),
    ] = 0.8,
    output_format: OutputFormat = "table",
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Also write the strategy that is found into this new TOML file."
        ),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Find the plainest strategy, played by all seats, that gives published figures.

    Rows of small whole weights are screened on the same rounds: a few for all rows, up to N for
    those that may fit. The plainest that fits has to fit on twice as many fresh rounds as well.

    \b
    Examples:
      simdom calibrate
      simdom calibrate --claims block-blocked draw-blocked --out my-play.toml
      simdom calibrate block-roughly draw-roughly -n 1e5
      simdom calibrate --features pips,own_fit,-unseen_fit,random --most-weight 12
    """  # noqa: D301 -- \b keeps lines as they are in --help
    from simdom.calibration.calibrate import play_plan
    from simdom.calibration.calibration import check_out
    from simdom.calibration.plain import OF_S4
    from simdom.calibration.plan import plan_calibration
    from simdom.published.claims_file import PUBLISHED

    plan = plan_calibration(
        [*claims, *more],
        source=source or PUBLISHED,
        features=",".join(features) if features else OF_S4,
        most_features=most_features,
        most_weight=most_weight,
        rounds=rounds,
        seed=seed,
        confidence=confidence,
        again=again,
    )
    if out is not None:
        check_out(out)
    with _StageBars(quiet=quiet) as bars:
        found = play_plan(
            plan,
            threads=threads,
            progress=bars,
            on_stage=bars.begin,
            on_compile=lambda: note(COMPILING, quiet=quiet),
        )
    try:
        # Before the figures are printed, for whoever reads them may stop reading, as `head` does.
        if out is not None and found.best is not None:
            found.save(out)
            note(f"Saved in {out}.", quiet=quiet)
    finally:
        print_answer(
            output_format,
            to_json=found.to_json,
            to_csv=found.to_csv,
            sheets=lambda: _sheets(found),
            command=found.command,
        )
    if found.partial:
        end_interrupted()
    if found.found is None:
        raise RunError(
            "no row of weights surely meets the claims: name other --features, or allow more "
            "with --most-features and --most-weight"
        )


class _StageBars:
    """A progress bar for each stage, with a line that says which one it is."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._open = ExitStack()
        self._bar = ProgressBar(quiet=quiet)

    def __enter__(self) -> Self:
        """Return itself; nothing is drawn before a stage begins."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the last bar away."""
        self._open.close()

    def begin(self, stage: str) -> None:
        """Say what begins, and start a new bar."""
        self._open.close()
        note(f"{stage} ...", quiet=self._quiet)
        self._bar = self._open.enter_context(ProgressBar(quiet=self._quiet))

    def __call__(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` rounds of the stage are played."""
        self._bar(done, total)


def _sheets(found: "Calibration") -> "Iterator[Sheet]":
    claims = ", ".join(claim.quoted for claim in found.plan.claims.claims)
    yield Sheet(f"Which play gives {claims}", "", (), [], [("What was found", found.told())])
    *tables, last = found.tables()
    for table in tables:
        yield Sheet(table.heading, "\n".join(table.lead), table.columns, table.rows, [])
    notes = [("How to read it", found.notes())]
    yield Sheet(last.heading, "\n".join(last.lead), last.columns, last.rows, notes)
