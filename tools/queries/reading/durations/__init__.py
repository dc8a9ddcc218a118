"""How long something took: the words of a question that say it, and the interval between two dates that they mean.

Enters: a question, the names of a schema, and a reader of the rest of the question. Leaves: readings in which the
interval is a calculated property (`tools.queries.calculated`).
"""
