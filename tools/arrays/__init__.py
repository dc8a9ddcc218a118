"""Arrays and strings on disk, and the template of every index.

Holds columns that are written chunk by chunk and read memory-mapped (`columns`), strings in flat arrays (`strings`), a
hash table from ids to positions (`id_table`), compiled functions (`compiled`), matrix products in one thread
(`one_thread`), and the template that locks, checks, builds, publishes and opens an index (`index_files`). In: arrays,
texts and a function that fills a folder. Out: memory-mapped arrays and an opened index. Nothing here knows what an
index is about.
"""
