"""Learning from questions and answers (GraphRAFT): teaching, training of the generator, constrained decoding."""
