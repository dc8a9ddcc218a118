"""A model's Cypher, made to fit the graph: see `repair.repair`."""
