"""A graph as flat arrays on disk, mapped into memory: what pattern matching and expansion walk."""
