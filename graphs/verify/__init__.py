"""The steps of the verification graph, one a file, and what they share."""
