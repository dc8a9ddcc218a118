"""Evaluation against gold answers (`clew eval`).

`questions` and `statements` read files of JSON lines. `evaluation` scores answers, `statements` verdicts, and
`retrieval` what is found in documents. In: texts with gold answers, and a function that answers. Out: figures as
dictionaries.
"""
