"""Spans of passages that answer a question: names, numbers, dates and quoted lines, without a language model.

`asked` reads what kind of answer a question asks for, `candidates` finds the spans of a passage that may be one,
`evidence` measures what speaks for each, and `reader` chooses.
"""
