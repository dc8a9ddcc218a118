"""What can be done to a graph without a language model. Imports nothing from `agents`, `graphs` or `app`."""
