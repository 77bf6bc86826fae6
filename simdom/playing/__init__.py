"""A person at the table: matches against strategies, and the hand of the day."""
