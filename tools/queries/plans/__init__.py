"""Plans: searches and queries in several steps.

Holds: plans as data, the values and orders that a question asks for, and the checking and running of plans. In: a plan,
a schema, and a store. Out: a corrected plan or the reason of its refusal, and ranked nodes.
"""
