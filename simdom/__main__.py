"""The command itself, as ``simdom`` and as ``python -m simdom``.

What it imports at its top is next to nothing: Ctrl-C may come while the rest is imported, and then
a traceback would be the answer.
"""

import os
import signal
import sys
from contextlib import suppress
from types import FrameType

__all__ = ["main"]

_INTERRUPTED = 130
_STANDARD_ERROR = 2


def main() -> None:
    """Run the command line and leave Python with its exit code, see `simdom.cli.main`."""
    heeds = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    sys.unraisablehook = _overlook_interrupts
    try:
        if heeds:
            signal.signal(signal.SIGINT, _stop)
        from simdom.cli import main as run_command_line

        if heeds:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run_command_line()
    except KeyboardInterrupt:  # before the command line heeds it, or when it is done
        _say_interrupted()
        sys.exit(_INTERRUPTED)
    finally:
        if heeds:  # Python's own end would answer it with a traceback
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _stop(_number: int, _frame: FrameType | None) -> None:
    """End at once: nothing is there yet that could be lost, and an import may swallow errors."""
    _say_interrupted()
    os._exit(_INTERRUPTED)


def _say_interrupted() -> None:
    with suppress(OSError):
        os.write(_STANDARD_ERROR, b"simdom: interrupted\n")


def _overlook_interrupts(unraisable: "sys.UnraisableHookArgs") -> None:
    """Ctrl-C in a call-back is swallowed, but `simdom.cli.progress` has seen it: say nothing."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


if __name__ == "__main__":
    main()
