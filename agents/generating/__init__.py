"""The Cypher generator (L1): a language model that chooses among valid queries and can write nothing else.

In: the ranked queries of a question. Out: the chosen ones with their probabilities. `choosers.py` reaches the model.
"""
