"""The skeleton of a collection of documents (KET-RAG): entities and relations of its core chunks.

In: what a model or rules extract from chunks, and a question. Out: the entities, relations and chunks that the question
finds, within a token limit.
"""
