"""What can be done to a graph without a language model.

In: graphs, files, documents and questions. Out: rows, indexes, logical forms, queries and paths.
`tests/test_layers.py` holds the order of the rooms.
"""
