"""Verification of statements: the claims that they make, and verdicts on them.

In: a statement with its linked names, and what the graph says of each claim. Out: a formula of claims
(`decomposition.py`), and a verdict on it, without a model (`verdicts.py`) or with one (`verifier.py`).
"""
