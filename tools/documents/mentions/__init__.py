"""Mentions: the entities of a graph that chunks of documents name, and names by their form.

In: the text of chunks and the index of the graph's names. Out: the mentions of each chunk with scores (`linking`), and
the names in a text whether they are in the graph or not (`names`).
"""
