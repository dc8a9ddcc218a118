"""Pattern graphs of questions and statements, for matching by graph semantic distance (SimGRAG).

In: a text and the schema, or ranked queries. Out: checked patterns (`clew.tools.patterns`).
"""
