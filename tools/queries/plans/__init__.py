"""Plans: what to look for in a graph step by step, checked against its schema before any of it runs, and then run."""
