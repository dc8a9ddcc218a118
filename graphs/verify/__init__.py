"""The steps of the verification graph, one a file, and what they share.

In: a statement, divided into claims about entities of the graph.
Out: a finding for each claim, and the verdict on the statement.
"""
