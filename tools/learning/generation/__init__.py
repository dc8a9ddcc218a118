"""A causal language model that chooses among texts: loading it, asking it, and training it.

In: a model of transformers, and training examples as lines of JSON. Out: the likeliest of given texts (`choosing`), or
a trained model in a folder (`training`). Imports torch, transformers, `decoding`, `errors` and the standard library
only, so that it runs alone on a GPU host; peft, bitsandbytes and pydantic where they are needed.
Source: GraphRAFT, sections 4.2, 4.3 and B.3.
"""
