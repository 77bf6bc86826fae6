"""A row for every round of a run, in a Parquet file: played, written, and read again."""
