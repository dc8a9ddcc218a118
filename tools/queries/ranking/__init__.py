"""Ranking queries for a question without a language model.

Holds: a lexicon, the alignment of words with hops, constraints and times, and the reading of claims. In: a question or
a claim, its mentions, and the query space. Out: queries or paths with scores, best first.
"""
