"""Correction of Cypher that a model wrote, so that it fits one graph, and extraction of answers from its rows.

In: a query in any state, the graph's schema, and a lookup of names. Out: a `RepairedQuery` that has passed the guard,
or `Refused` with a reason (`repair.repair`); its rows as answers (`rows`) and as triplets (`matched`). The query is
parsed in full (`query_parser`); a query that cannot be parsed is refused.
"""
