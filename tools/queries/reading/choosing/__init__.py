"""The choice among readings none of which agrees with the question in full.

Enters: a question and its readings. Leaves: the readings, likeliest first. A log-linear model over signs that any graph
has (Berant et al. 2013), with weights learned from questions and answers alone (`benchmarks.queries.choice_fit`).
"""
