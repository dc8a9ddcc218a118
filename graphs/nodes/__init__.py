"""The steps of the question graph, one a file: each reads the state and the context and gives a `StepResult`."""
