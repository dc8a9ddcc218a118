"""The keyword graph of a set of chunks (KET-RAG): which chunks share which names and words."""
