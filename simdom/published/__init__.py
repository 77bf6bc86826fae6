"""What others have published, confronted with what simdom counts and measures."""
