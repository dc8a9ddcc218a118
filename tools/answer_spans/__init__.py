"""Spans of passages that answer a question: names, numbers, dates and quoted lines, without a language model.

In: a question and passages, best first. Out: the spans that answer it, with confidence, or the best sentences.
`expected_answer` reads what kind of answer a question asks for, `candidates` finds the spans of a passage that may be
one, `features` measures the evidence for each, and `reader` chooses.
"""
