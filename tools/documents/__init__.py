"""Documents and tables beside a graph: reading files, cutting them into chunks, keeping them."""
