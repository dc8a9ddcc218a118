"""Cypher as text: quoting of names, and the guard that keeps a query read-only.

In: text. Out: text, or `QueryForbidden`. Knows no graph and no schema.
"""
