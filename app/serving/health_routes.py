"""`/health`, `/ready` and `/metrics`, for monitoring."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse

from clew.app.serving.metrics import CONTENT_TYPE
from clew.app.serving.service import QuestionService
from clew.tools.errors import ClewError

_SECONDS = 5.0
"""For the database to answer."""


def add_health_routes(app: FastAPI, service: QuestionService) -> None:
    """Add the routes by which other programs watch the server."""

    @app.get("/health")
    async def health() -> dict[str, str]:
        """The process runs."""
        return {"status": "ok"}

    @app.get("/ready")
    async def ready() -> JSONResponse:
        """Questions can be answered: the database responds, the graphs are open, and the server goes on. No token is
        needed, so graphs are not named."""
        if service.stopping:
            return JSONResponse({"status": "the server stops"}, 503)
        try:
            async with asyncio.timeout(_SECONDS):
                names = {graph.name for graph in await asyncio.to_thread(service.client.graphs)}
        except (ClewError, TimeoutError):
            return JSONResponse({"status": "the database does not answer"}, 503)
        open_now = set(service.backend.open_now)
        counts: dict[str, Any] = {
            "graphs": len(names),
            "open": len(open_now & names),
            "running": service.runs.running,
            "waiting": service.runs.waiting,
        }
        if not service.opened:
            return JSONResponse({"status": "graphs are being opened", **counts}, 503)
        return JSONResponse({"status": "ready", **counts})

    @app.get("/metrics")
    async def metrics() -> Response:
        return Response(service.metrics.text(), media_type=CONTENT_TYPE)
