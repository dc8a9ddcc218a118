"""Questions about numbers, groups, order and conditions.

Enters: a question, its mentions, a schema, and the values of text properties.
Leaves: an `Aggregation`, which tells the words that it does not explain, and its Cypher with parameters.
"""
