"""OpenTelemetry: finished runs are sent as spans over OTLP (HTTP with protobuf), in a thread of their own.

The standard variables configure it (OTEL_EXPORTER_OTLP_ENDPOINT, …_HEADERS, …_TIMEOUT, OTEL_SERVICE_NAME,
OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER, OTEL_BSP_…). Runs pass through a queue that never blocks: if the
collector is down or slow, spans are lost, and answers are not delayed.
"""

from __future__ import annotations

import hashlib
import logging
import os
import time
from contextlib import suppress
from importlib.metadata import version
from queue import Full, Queue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from clew.tools.errors import BadInput

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider

    from clew.app.traces.otel_spans import SpanRecord
    from clew.app.traces.store import TraceRecord

_WAITING = 256
"""Runs in the queue; more are dropped."""
CLOSING_SECONDS = 3.0
"""To send the rest when the process ends."""
_HIDE = "OPENINFERENCE_HIDE_"
_log = logging.getLogger(__name__)


class OtelExporter:
    """Sends runs. Safe for several threads. Close it after use."""

    def __init__(self) -> None:
        """Raises BadInput if the extra is not installed."""
        try:
            from clew.app.traces.otel_spans import HiddenFields

            self._closing = Event()
            self._provider, self._ids = _provider(self._closing)
        except ImportError as error:
            raise BadInput(
                f"Traces cannot be exported: {error.name} is not installed.", 'Install it: pip install "clew[otel]"'
            ) from None
        self._hiding = HiddenFields(inputs=_is_set(_HIDE + "INPUTS"), outputs=_is_set(_HIDE + "OUTPUTS"))
        self._runs: Queue[TraceRecord | None] = Queue(_WAITING)
        self._thread = Thread(target=self._work, name="clew-otel", daemon=True)
        self._thread.start()

    def send(self, run: TraceRecord) -> None:
        """Queue a finished run, without waiting."""
        if self._closing.is_set():
            return
        try:
            self._runs.put_nowait(run)
        except Full:
            _log.warning("A trace was not exported: %d others wait.", _WAITING)

    def close(self, seconds: float = CLOSING_SECONDS) -> None:
        """Send the queued runs, within `seconds`."""
        if self._closing.is_set():
            return
        self._closing.set()
        end = time.monotonic() + seconds
        with suppress(Full):
            self._runs.put(None, timeout=seconds)
        self._thread.join(max(0.0, end - time.monotonic()))
        ending = Thread(target=self._provider.shutdown, name="clew-otel-end", daemon=True)
        ending.start()
        ending.join(max(0.05, end - time.monotonic()))

    def _work(self) -> None:
        from clew.app.traces.otel_spans import span_record

        while (run := self._runs.get()) is not None:
            try:
                shown = run.shown()
                self._ids.next = trace_id_of(shown["id"])
                self._emit(span_record(shown, self._hiding), round(shown["started"] * 1e9), None)
            except Exception:  # The next run is sent in any case.
                _log.warning("A trace was not exported.", exc_info=True)

    def _emit(self, span: SpanRecord, origin: int, parent: Context | None) -> None:
        """Send a span and its children; `origin` is the start of the run, in nanoseconds since 1970."""
        from opentelemetry import trace

        tracer = self._provider.get_tracer("clew", version("clew"))
        started = tracer.start_span(
            span.name, context=parent, attributes=span.attributes, start_time=_at(origin, span.start)
        )
        for name, at, attributes in span.events:
            started.add_event(name, attributes, _at(origin, at))
        if span.error is not None:
            started.set_status(trace.Status(trace.StatusCode.ERROR, span.error))
        else:
            started.set_status(trace.Status(trace.StatusCode.OK))
        inside = trace.set_span_in_context(started)
        for child in span.children:
            self._emit(child, origin, inside)
        started.end(_at(origin, span.end))


def trace_id_of(id: str) -> int:
    """OpenTelemetry's id of a trace: 32 hexadecimal digits that begin with Clew's id."""
    digest = hashlib.sha256(id.encode()).hexdigest()
    return int((id + digest)[:32], 16)


def _provider(closing: Event) -> tuple[TracerProvider, Any]:
    import requests
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

    class Ids(RandomIdGenerator):
        """Returns the trace id that was set."""

        next = 0

        def generate_trace_id(self, parent_context: Context | None = None) -> int:
            return self.next or super().generate_trace_id()

    class Session(requests.Session):
        """While closing, reports a missing collector as a permanent error, so that it is not retried."""

        def request(self, *given: Any, **options: Any) -> requests.Response:
            try:
                return super().request(*given, **options)
            except requests.ConnectionError as error:
                if closing.is_set():
                    raise requests.RequestException(f"There is no collector: {error}") from error
                raise

    named = "OTEL_SERVICE_NAME" in os.environ or "service.name=" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    ids = Ids()
    resource = Resource.create({"service.version": version("clew"), **({} if named else {"service.name": "clew"})})
    provider = TracerProvider(resource=resource, id_generator=ids, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(session=Session())))
    return provider, ids


def _at(origin: int, ms: float) -> int:
    return origin + round(ms * 1e6)


def _is_set(name: str) -> bool:
    return os.environ.get(name, "").strip().lower() in ("1", "true", "yes", "on")
