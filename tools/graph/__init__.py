"""Graphs: the store (ArcadeDB, Neo4j, any Bolt server), its schema, entities, triplets, times and snapshots.

In: the address of a database. Out: rows, schemas, the triplets around entities, periods of facts, and the Cypher
expressions for a graph's nodes. All other rooms read graphs through this one.
"""
