"""One reading of a question: anchors found in its words, joined over the schema into a logical form.

Enters: a question, its linked entities, the graph's schema and words. Leaves: logical forms, best first, with the score
of each and the words that it leaves unexplained; a form renders to Cypher and to words.
"""
