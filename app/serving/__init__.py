"""The server: `clew serve`, `clew mcp` and `clew generator serve` over HTTP (docs/serving.md).

`middleware` checks every request (host, origin, token, rate, size). Routes ask through one `service`, whose `runs`
process questions in threads, in this process (`local_backend`) or in others (`worker_pool`). `generator` serves the
model that chooses queries. In: HTTP requests. Out: JSON, server-sent events and pages, errors as in `errors`. It is
built on `clew.app.api`.
"""
