"""Rows that Clew keeps beside the graphs: one interface (`tables`), in SQLite files (`sqlite`) or in a PostgreSQL that
several processes share (`postgres`); and names that one process at a time may hold (`claims`)."""
