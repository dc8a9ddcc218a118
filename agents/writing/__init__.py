"""What a model writes once for a graph or its documents, ahead of questions.

Glosses for relations, questions to learn from, descriptions of chunks, and entities and relations of chunks (KET-RAG's
skeleton). In: a schema, queries or chunks. Out: checked values; everything invalid in a reply is dropped.
"""
