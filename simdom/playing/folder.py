"""Where a person's matches and daily rounds are kept. Nothing slow is imported here."""

import os
from pathlib import Path

from simdom.errors import UsageError

__all__ = ["ENVIRONMENT", "data_folder"]

ENVIRONMENT = "SIMDOM_DATA"


def data_folder() -> Path:
    """The folder that ``SIMDOM_DATA`` names, else the user's data folder by the system's custom.

    Raises:
        UsageError: the user has no home, and has not said where else.
    """
    named = os.environ.get(ENVIRONMENT)
    if named:
        return Path(named)
    from platformdirs import user_data_path

    folder = user_data_path("simdom", appauthor=False)
    if not folder.is_absolute():
        raise UsageError(f"there is no home to keep matches in: name a folder in {ENVIRONMENT}")
    return folder
