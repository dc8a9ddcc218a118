"""The keyword graph of a set of chunks (KET-RAG): which chunks share which names and words.

In: the postings of names and words. Out: scores by a walk from some chunks, and the core chunks.
"""
