"""The space of valid queries around linked entities.

Holds: the moves that a schema allows, queries, and their rendering to Cypher and to words. In: a schema, a store, and
entities. Out: queries that have answers in the graph, and what they answer.
"""
