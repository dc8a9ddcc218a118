"""The Cypher generator (L1): choosing among valid queries, and a model's own query."""
