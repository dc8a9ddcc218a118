"""The documents beside a graph, in one SQLite file.

In: documents with their chunks, the entities that chunks mention, and what was extracted from chunks. Out: the same as
streams, with a version that changes with every change, so that indexes know whether they are current.
"""
