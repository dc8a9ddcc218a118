"""The keyword graph of a set of chunks (KET-RAG): which chunks share which names and words.

In come the postings of names and words; out come scores by a walk from some chunks, and the core chunks.
"""
