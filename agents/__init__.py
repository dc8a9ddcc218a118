"""The roles that a language model can play in a question, each with a counterpart that needs no model.

In: a question, or what was found for it, and the tools of a graph. Out: plain values (`evidence.py`), which `graphs`
keeps in its state. Imports only `tools`; prompts are files of `prompts/`, filled in by `prompting.py`.
"""
