"""A causal language model that chooses among texts: loading it, asking it, and training it (GraphRAFT 4.2 and 4.3).

Imports torch and transformers, `decoding`, `errors` and the standard library only, so that it runs alone on
a GPU host; peft and bitsandbytes where they are asked for.
"""
