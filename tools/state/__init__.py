"""Tables beside the graphs, in SQLite files or in a PostgreSQL that several processes share.

In: a file or a URL, and SQL that both databases understand. Out: one interface (`tables`) for `sqlite` and `postgres`,
and names that one process at a time may hold (`claims`).
"""
