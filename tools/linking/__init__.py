"""Finding the entities that a question names."""
