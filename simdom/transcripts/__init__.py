"""Rounds as people write them down: read, written, and refereed."""
