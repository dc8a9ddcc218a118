"""Teaching a graph (`clew teach`), and making training examples for the generator (`clew generator examples`).

In come files of questions with answers; out go a trained ranker in the graph's folder, or examples for a GPU host.
"""
