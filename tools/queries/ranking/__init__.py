"""Choosing among the valid queries without a model: glosses, alignment of a question to relation paths."""
