"""Runs of any length: played in chunks until enough is known, and kept so that they survive."""
