"""The documents beside a graph, in SQLite: chunks, mentions, extractions."""
