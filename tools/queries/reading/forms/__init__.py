"""The logical form of a question, as Cypher and as words, and the scored parts that a reading composes it of."""
