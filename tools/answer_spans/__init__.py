"""Spans of passages that answer a question: names, numbers, dates and quoted lines, without a language model.

In: a question and passages, best first. Out: the spans that answer it, with confidence, or the best sentences.
`expected_answer` reads what kind of answer a question asks for, `reading` measures the sentences of the passages
(`features`, `nearness`), `candidates` finds the spans that may be the answer, and `reader` and `best_sentences` choose
by learned `weights`.
"""
