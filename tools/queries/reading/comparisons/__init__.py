"""Comparisons of two things, or of a set with a thing: what is compared is read as a question about the one thing.

In: the words of a question and what it names. Out: readings, as of the whole question.
"""
