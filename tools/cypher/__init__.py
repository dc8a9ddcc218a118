"""Cypher as text: its lexer, the quoting of names, and the guard that keeps a query read-only.

In: text. Out: tokens, text, or `QueryForbidden`. Knows no graph and no schema.
"""
