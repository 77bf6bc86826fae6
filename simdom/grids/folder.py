"""Where cells are kept. Nothing slow is imported here, for `simdom sweep --help` says it."""

import os
import sys
from pathlib import Path

__all__ = ["ENVIRONMENT", "default_folder", "user_folder"]

ENVIRONMENT = "SIMDOM_CELLS"


def default_folder() -> Path:
    """Where cells are kept: ``SIMDOM_CELLS``, else `user_folder`.

    Raises:
        RuntimeError: the user has no home, and has not said where else.
    """
    named = os.environ.get(ENVIRONMENT)
    return Path(named) if named else user_folder()


def user_folder() -> Path:
    """A folder of simdom among the user's caches, by the custom of the system.

    Raises:
        RuntimeError: the user has no home, and has not said where else caches are.
    """
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "simdom" / "cells"
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not caches.is_absolute():  # as its specification wants it
        caches = Path.home() / ".cache"
    return caches / "simdom" / "cells"
