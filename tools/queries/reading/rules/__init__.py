"""Rules of composition: how two neighbouring items of a question become one, and the chart that applies them."""
