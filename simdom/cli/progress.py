"""What a person sees while a run goes on: a bar on a terminal, nothing of it in a pipe."""

import signal
import sys
import time
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, NoReturn, Self

from simdom.cli.streams import say

if TYPE_CHECKING:
    from rich.progress import Progress

    from simdom.running.stopping import Look

__all__ = [
    "COMPILING",
    "ProgressBar",
    "end_interrupted",
    "heed_interrupts",
    "interrupts",
    "note",
]

COMPILING = "Compiling the engine for rules of this kind (once for each kind, about 10 s) ..."

_THOUSAND, _MILLION = 1_000, 1_000_000


def note(text: str, *, quiet: bool) -> None:
    """Say something on standard error that is neither result nor error."""
    if not quiet:
        say(text)


class _Interrupts:
    """Whether Ctrl-C was pressed, and whether what came of it has been said."""

    seen = False
    told = False


interrupts = _Interrupts()


def heed_interrupts() -> None:
    """Remember Ctrl-C as well as raising it: compiled code's call-backs swallow exceptions."""
    interrupts.seen = interrupts.told = False
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return

    def handle(_number: int, _frame: FrameType | None) -> None:
        interrupts.seen = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, handle)


def end_interrupted(
    done: int | None = None,
    asked: int | None = None,
    unit: str = "rounds",
    *,
    more: str = "",
    about: bool = False,
) -> NoReturn:
    """End a command that has printed its figures although Ctrl-C was pressed before the end.

    Args:
        done: rounds that the figures are of, if that is one number.
        asked: rounds that were asked for.
        unit: what rounds are called here, such as matches.
        more: what else there is to say.
        about: whether ``asked`` is an estimate.

    Raises:
        KeyboardInterrupt: always.
    """
    if done is None or asked is None:
        say(f"simdom: interrupted; the figures are of the {unit} played so far")
    else:
        of = f"about {asked:,}" if about else f"{asked:,}"
        say(f"simdom: interrupted after {done:,} of {of} {unit}; the figures are of those{more}")
    interrupts.told = True
    raise KeyboardInterrupt


class ProgressBar:
    """A context manager to be called with (done, asked for), such as rounds.

    It draws only if standard error is a terminal and ``quiet`` is off. ``unit`` is that of its
    rate. ``timed`` is whether the run may end because the time is over.

    Attributes:
        seen: the last look at how sure the figures are; None if there was none.
        timed: as above.
    """

    def __init__(self, *, quiet: bool, unit: str = "rounds/s", timed: bool = False) -> None:
        self.seen: Look | None = None
        self.timed = timed
        self._unit = unit
        self._shown = not quiet and sys.stderr.isatty()
        self._began = time.perf_counter()
        self._bar: Progress | None = None

    def __enter__(self) -> Self:
        """Return itself; nothing is drawn before the first call."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar away, whether the run went well or not."""
        if self._bar is not None:
            self._bar.stop()

    def see(self, look: "Look") -> None:
        """Show how far the figures are from being as sure as asked."""
        self.seen = look

    def __call__(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` rounds are played.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed where Python could not raise it.
        """
        if interrupts.seen:
            raise KeyboardInterrupt
        if not self._shown:
            return
        if self._bar is None:
            self._bar = _start_bar(total)
        rate = done / max(time.perf_counter() - self._began, 1e-9)
        seen = "" if self.seen is None else f"{self.seen.short}  "
        for task in self._bar.task_ids:
            self._bar.update(
                task, completed=done, total=total, rate=f"{seen}{_short(rate)} {self._unit}"
            )


def _short(rate: float) -> str:
    """A rate in a few characters, such as 3.08M, 435k or 1.2."""
    if rate >= _MILLION:
        return f"{rate / _MILLION:.2f}M"
    if rate >= _THOUSAND:
        return f"{rate / _THOUSAND:.0f}k"
    return f"{rate:.3g}"


def _start_bar(total: int) -> "Progress":
    """Draw a bar; rich is imported only here, where there is something to draw."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=Console(stderr=True),
        transient=True,
    )
    bar.add_task("", total=total, rate="")
    bar.start()
    return bar
