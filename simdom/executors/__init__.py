"""Where chunks of rounds are played: one protocol, one module for each way."""
