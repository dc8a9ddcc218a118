"""Cutting documents into chunks: by paragraphs, by meaning, by length, and tables by rows.

In: the content of a file (`reading`). Out: a stream of chunks with titles, places, topics and names.
"""
