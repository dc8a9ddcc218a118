"""The graph itself: the store (ArcadeDB, Neo4j, any Bolt server), its schema, entities, triplets, times and snapshots.

In: the address of a database. Out: rows, schemas, triplets. Everything above reads graphs through this room.
"""
