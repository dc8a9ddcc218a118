"""What a model writes once for a graph: glosses, and questions to teach with."""
