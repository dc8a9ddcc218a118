"""What can be done to a graph without a language model. `tests/test_layers.py` holds the order of the rooms."""
