"""Paths and triplets around entities.

Holds: shortest paths, relation paths that a model writes, the graph reranker and its encoders.
Enters: entities, a question, and a store. Leaves: paths, chains of hops, and triplets with scores.
"""
