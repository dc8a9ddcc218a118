"""Traces of questions: what each step did.

`recording` collects a run in memory, without secrets (`redaction`), and writes it to the `store` within `retention`.
`replaying` asks a traced question again or continues it from a step (`forking`), and `diff` compares two runs. `page`
makes an HTML file of a run, and `otel_spans` and `otel_export` send it to OpenTelemetry. In: events of
`clew.graphs.recorder`. Out: runs as dictionaries (see `TraceStore.show`).
"""
