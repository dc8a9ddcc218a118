"""The space of valid queries around linked entities: enumerated from the schema, rendered to Cypher and words,
executed by the database."""
