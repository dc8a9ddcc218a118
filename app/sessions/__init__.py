"""Conversations that are kept by name."""
