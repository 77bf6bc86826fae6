"""Strategies against each other: every deal is played again with the seats swapped."""
