"""Settings of all tests: examples that Hypothesis tries are the same in every run."""

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.load_profile("fixed")
