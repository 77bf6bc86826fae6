"""Settings of all tests: examples that Hypothesis tries are the same in every run, and no cell of
a sweep and no match is read from the user's folders or left there."""

import atexit
import os
import tempfile

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.load_profile("fixed")

_cells = tempfile.TemporaryDirectory(prefix="simdom-cells-")
atexit.register(_cells.cleanup)
os.environ["SIMDOM_CELLS"] = _cells.name

_data = tempfile.TemporaryDirectory(prefix="simdom-data-")
atexit.register(_data.cleanup)
os.environ["SIMDOM_DATA"] = _data.name
