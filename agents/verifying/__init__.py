"""Statements: the claims in them, and whether the graph bears them out."""
