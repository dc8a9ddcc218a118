"""Metrics for Prometheus at `/metrics`. No label names a user, a graph or a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest

from clew.app.serving.runs import Runs

disable_created_metrics()  # type: ignore[no-untyped-call]
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """The series of one server."""

    def __init__(self, runs: Runs) -> None:
        self._registry = registry = CollectorRegistry()
        self._requests = Counter(
            "clew_requests", "Requests by route, method and status.", ["route", "method", "status"], registry=registry
        )
        self._seconds = Histogram(
            "clew_request_seconds", "From a request to the end of its response.", ["route"],
            buckets=_SECONDS, registry=registry,
        )  # fmt: skip
        self._first = Histogram(
            "clew_first_byte_seconds", "From a request to the first byte of its response's body.", ["route"],
            buckets=_SECONDS, registry=registry,
        )  # fmt: skip
        self._outcomes = Counter(
            "clew_runs", "Runs by kind (ask, verify, replay, fork) and outcome (answered, empty, error, left).",
            ["kind", "outcome"], registry=registry,
        )  # fmt: skip
        self._tokens = Counter("clew_model_tokens", "Tokens of language models.", ["direction"], registry=registry)
        self._calls = Counter("clew_model_calls", "Calls of language models.", registry=registry)
        self._price = Counter("clew_model_dollars", "What they cost, where prices are known.", registry=registry)
        gauges = {
            "clew_runs_running": ("Runs under way.", lambda: runs.running),
            "clew_runs_waiting": ("Runs that wait for a place.", lambda: runs.waiting),
            "clew_runs_refused": ("Runs that were refused because too many waited.", lambda: runs.refused),
        }
        for name, (text, value) in gauges.items():
            Gauge(name, text, registry=registry).set_function(value)

    def request(self, route: str, method: str, status: int, seconds: float, first: float | None) -> None:
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        if first is not None:
            self._first.labels(route).observe(first)

    def run(self, kind: str, outcome: str, cost: Mapping[str, Any] | None = None) -> None:
        """Count a finished run; `cost` is the `model` of its result."""
        self._outcomes.labels(kind, outcome).inc()
        if cost is not None:
            self._calls.inc(cost["calls"])
            self._tokens.labels("input").inc(cost["input_tokens"])
            self._tokens.labels("output").inc(cost["output_tokens"])
            self._price.inc(cost["price"] or 0.0)

    def text(self) -> bytes:
        return generate_latest(self._registry)
