"""Exact answers about hands and deals: integers and fractions, nothing sampled."""
