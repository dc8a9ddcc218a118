"""What words may name in one graph: labels, properties, values and relations, and how its labels are joined.

Enters: the schema and the values of a graph. Leaves: tables from words to parts of the schema, and joins with how
well they agree with words.
"""
