"""Questions about a graph as queries.

Holds: the space of valid queries (`space`), their ranking for a question (`ranking`), the reading of questions as
logical forms (`reading`), plans of several steps (`plans`), paths and triplets around entities (`paths`), and questions
about what surrounds them (`surroundings`). In: a
question with its linked entities, and the graph's schema and store. Out: ranked queries, Cypher with parameters, and
answers. No language model takes part.
"""
