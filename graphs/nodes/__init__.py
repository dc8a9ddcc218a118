"""The steps of the question graph, one a file.

In: the state, the run's context and the span that the trace keeps.
Out: a `StepResult` with the keys of the state that the step writes.
"""
