"""How many rounds a test plays: as many as it likes compiled, a few in plain Python."""

import os

IS_COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


def rounds(compiled: int, plain: int = 1000) -> int:
    """``compiled`` rounds, or at most ``plain`` when the engine runs without the JIT.

    What is held to a bound is held by the odds of ``evidence.py``, which know how many rounds
    were played, so the same test is valid at either size.
    """
    return compiled if IS_COMPILED else min(compiled, plain)
