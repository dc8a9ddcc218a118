"""Teaching a graph and making examples for the generator, as commands run them."""
