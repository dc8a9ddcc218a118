"""What nodes say: search over their names and texts by words and by meaning.

Holds the text index (`index`, `arrays`, `builder`, `scoring`, `bm25`), what it is built from (`source`,
`sentences`, `words`), SAGE's expansion (`expansion`), and a reader of node details (`details`). In: a graph's nodes,
and a query. Out: nodes with scores and the parts of their texts that fit best.
"""
