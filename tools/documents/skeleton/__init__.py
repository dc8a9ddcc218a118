"""The skeleton of a collection of documents (KET-RAG): entities and relations of its core chunks.

In come what a model or rules extract from chunks, and a question; out come the entities, relations and chunks that the
question finds, within a token limit.
"""
