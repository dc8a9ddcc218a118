"""A graph as flat arrays on disk, mapped into memory, for pattern matching and expansion.

In come the rows of nodes and edges; out come positions, labels, and neighbours in both directions.
"""
