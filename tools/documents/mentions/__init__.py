"""Mentions: the entities of a graph that chunks of documents name."""
