"""From evidence to answers (L2): reasoners with and without a model, and the confidence of their answers.

In: the `Findings` of a run. Out: a `Conclusion`: answers with confidence, supporting triplets and an explanation.
`reasoner.py` works without a model, `model_reasoner.py` with one, `node_reasoner.py` with one that only chooses nodes.
"""
