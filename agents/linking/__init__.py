"""Entity linking: what a question names, with KG-Linker's model or by the entity index alone.

In: a question, its conversation and the schema. Out: mentions with candidates, relation paths, queries, draft answers.
`follow_ups.py` resolves references to earlier turns, `clarifying.py` finds names that only the user can disambiguate.
"""
