"""The LangGraph graphs: questions and the verification of statements.

In: a question or statement, and a `Context` (configuration, the graph's tools, and the run).
Out: a result with answers, evidence and explanation, and an event for each step (`ask.stream`, `verification.verify`).
`question.py` wires the question graph: `nodes/` has its steps, `strategies/` its strategies, and `sequence.py` its
routing, `verify/` the steps of the verification graph. `steps.py` makes a node of a step. `subgraph.py` is the question
graph as a node of another application's graph.
"""
