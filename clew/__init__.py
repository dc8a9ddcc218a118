"""Clew: answers questions over a knowledge graph, and shows the thread that led to each answer."""
