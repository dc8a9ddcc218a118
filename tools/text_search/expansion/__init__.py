"""SAGE's expansion: from the nodes found so far to their neighbours, ranked by the question.

Holds the similarity edges between nodes (`similar`), the expansion over these and the graph's own relationships
(`expansion`), and both with their text index (`graph_texts`). In: seeds with scores, and a question. Out: neighbours
with scores and their links to the seeds.
"""
