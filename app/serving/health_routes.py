"""`/health`, `/ready` and `/metrics`: for who watches over the server."""

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
    @app.get("/health")
    async def health() -> dict[str, str]:
        """The process is there."""
        return {"status": "ok"}

    @app.get("/ready")
    async def ready() -> JSONResponse:
        """Questions can be answered: the database is there, and the graphs are open. Anybody may ask, so no name of a
        graph is told."""
        try:
            async with asyncio.timeout(_SECONDS):
                names = await asyncio.to_thread(service.graphs.names)
        except (ClewError, TimeoutError):
            return JSONResponse({"status": "the database does not answer"}, 503)
        open_now = set(service.backend.open_now)
        told: dict[str, Any] = {
            "graphs": len(names),
            "open": len(open_now & {*names}),
            "running": service.runs.running,
            "waiting": service.runs.waiting,
        }
        if not service.opened:
            return JSONResponse({"status": "graphs are being opened", **told}, 503)
        return JSONResponse({"status": "ready", **told})

    @app.get("/metrics")
    async def metrics() -> Response:
        return Response(service.metrics.text(), media_type=CONTENT_TYPE)
