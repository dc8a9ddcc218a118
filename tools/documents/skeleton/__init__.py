"""The KG skeleton of documents (KET-RAG): entities and relations of their core chunks, kept, linked and searched."""
