"""Correcting the Cypher that a model writes, so that it fits one graph, and reading answers off its rows.

In: a query in any state, the graph's schema, and a lookup of names. Out: a `RepairedQuery` that the guard has passed,
or `Refused` with a reason (`repair.repair`); its rows as answers (`rows`) and as triplets (`matched`).
The query is parsed in full (`query_parser`); what cannot be parsed is rejected.
"""
