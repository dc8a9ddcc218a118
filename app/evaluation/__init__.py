"""Evaluation of questions, statements and retrieval against gold answers."""
