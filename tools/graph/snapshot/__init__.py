"""A graph as flat arrays on disk, mapped into memory, for pattern matching and expansion.

In: the rows of nodes and edges. Out: positions, labels, and neighbours in both directions.
"""
