"""Teaching a graph (`clew teach`), and making training examples for the generator (`clew generator examples`).

In: files of questions with answers. Out: a trained ranker in the graph's folder, or examples for a GPU host.
"""
