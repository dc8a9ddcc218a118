"""Learning from questions and answers (GraphRAFT).

`teaching` learns which queries of a graph answer its questions, `generation` trains a causal language model to write
them and asks it, and `decoding` keeps that model to valid queries.

In: questions with answers, a graph's query space, models of transformers. Out: a ranker, a trained model, and the
likeliest of given queries.
"""
