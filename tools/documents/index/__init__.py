"""The index of document chunks: search by several channels together.

In come chunks, some at a time, and a question; out come chunks with a score for each channel.
"""
