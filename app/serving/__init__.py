"""`clew serve`: questions, statements, sessions and traces over HTTP (docs/serving.md)."""
