"""The index of document chunks: search by several channels together.

In: chunks in batches, and a question. Out: chunks with a score for each channel.
"""
