"""Cutting documents into chunks: by length, by meaning, by rows of tables."""
