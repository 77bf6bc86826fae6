"""Variants on the same shuffles, round by round: what a change of rules or of play does."""
