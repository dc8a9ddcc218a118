"""Conversations by name, in one SQLite file beside LangGraph's checkpoints.

`store` holds the sessions and their questions with results; `export` writes one as Markdown or JSON. In: thread ids,
questions and results. Out: lists of sessions and turns, and errors for names that cannot be used.
"""
