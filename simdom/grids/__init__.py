"""Grids of rules: every combination of the values of some axes, each played as a run of its own."""
