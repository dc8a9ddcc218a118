"""The Python API: what `import clew` offers, and what the command line, the server and the MCP server are built on.

`client` opens a Clew home (settings, database, sessions, traces). `graph` asks one graph: questions, statements, names,
schema, Cypher, documents, imports and teaching; `requests` says how, and `results` and `evidence` what comes back.
`importing`, `documents` and `generator` write. `streams` runs generators in threads. `loading`
holds the steps of loading what questions need in advance.

In: names of graphs, texts and options. Out: frozen dataclasses, and errors of `clew.tools.errors`.
"""
