"""Paths and triplets around entities.

Holds: shortest paths, relation paths that a model writes, the graph reranker and its encoders. In: entities, a
question, and a store. Out: paths, chains of hops, and triplets with scores.
"""
