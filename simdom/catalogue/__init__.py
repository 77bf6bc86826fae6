"""What a folder of results holds: listed, read, compared, written as a table, asked in SQL."""
