"""Documents and tables beside a graph.

In: files. They are read (`reading`), cut into chunks (`chunking`), stored (`store`) and linked to the graph's entities
(`mentions`). Out: an index of the chunks (`index`, with the graphs `chunk_graph` and `keyword_graph`) and a skeleton of
what they say (`skeleton`).
"""
