"""What is answered where a request cannot be: one JSON shape for pages, OpenAI's own under `/v1`, and nothing of what
goes on inside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as StarletteHTTPException

from clew.app.serving.callers import Busy, GoingAway, UnknownTrace
from clew.app.serving.runs import Full
from clew.app.sessions.store import UnknownSession
from clew.tools.errors import BadInput, ClewError, DatabaseUnavailable, QueryFailed, UnknownGraph

AGAIN_AFTER = {"Retry-After": "1"}
_KINDS = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}
_CODES = {401: "invalid_api_key", 404: "model_not_found", 413: "request_too_large", 429: "rate_limit_exceeded"}


def refusal(
    path: str,
    status: int,
    detail: str,
    headers: Mapping[str, str] | None = None,
    *,
    remedy: str = "",
    errors: list[dict[str, Any]] | None = None,
) -> JSONResponse:
    """`{"detail": …}`, with `remedy` and `errors` where there are any; under `/v1` as OpenAI's clients read it."""
    body: dict[str, Any]
    if path.startswith("/v1/"):
        status = 400 if status == 422 else status
        kind = _KINDS.get(status, "invalid_request_error" if status < 500 else "server_error")
        where = ".".join(str(part) for part in errors[0]["loc"]) if errors else None
        said = (
            f"{detail} {errors[0]['loc']}: {errors[0]['msg']}" if errors else " ".join(filter(None, [detail, remedy]))
        )
        body = {"error": {"message": said, "type": kind, "param": where, "code": _CODES.get(status)}}
    else:
        body = {"detail": detail, **({"remedy": remedy} if remedy else {}), **({"errors": errors} if errors else {})}
    return JSONResponse(body, status, dict(headers or {}))


def status_of(error: ClewError) -> int:
    """Which HTTP status an error of Clew's is."""
    if isinstance(error, (UnknownGraph, UnknownSession, UnknownTrace)):
        return 404
    if isinstance(error, Busy):
        return 409
    if isinstance(error, (DatabaseUnavailable, GoingAway)):
        return 503
    return 422 if isinstance(error, (BadInput, QueryFailed)) else 500


def refuse_politely(app: FastAPI) -> None:
    """Have every error of `app` answered as above."""

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return refusal(request.url.path, 422, "The request makes no sense.", errors=told_errors(error.errors()))

    @app.exception_handler(StarletteHTTPException)
    async def refused(request: Request, error: StarletteHTTPException) -> JSONResponse:
        return refusal(request.url.path, error.status_code, str(error.detail), error.headers)

    @app.exception_handler(ClewError)
    async def known(request: Request, error: ClewError) -> JSONResponse:
        status = status_of(error)
        headers = AGAIN_AFTER if status == 503 else None
        return refusal(request.url.path, status, error.message, headers, remedy=error.remedy)

    @app.exception_handler(Full)
    async def full(request: Request, _: Full) -> JSONResponse:
        return refusal(request.url.path, 503, "Too many questions are waiting.", AGAIN_AFTER)

    @app.exception_handler(IsADirectoryError)
    async def folder(request: Request, _: IsADirectoryError) -> JSONResponse:
        return refusal(request.url.path, 404, "Not Found")  # LangServe's playground opens what it is asked for.

    @app.exception_handler(Exception)
    async def unexpected(request: Request, _: Exception) -> JSONResponse:
        return fault(request.url.path)  # Starlette raises the error again, for the gate to log.


def fault(path: str) -> JSONResponse:
    """A fault of ours: the client is told only that there was one."""
    return refusal(path, 500, "Something went wrong here; the server's log says what.")


def told_errors(errors: Any) -> list[dict[str, Any]]:
    """Where in a request something is wrong, and what; not what was sent, which may be anything."""
    known = [error for error in errors if isinstance(error, dict)][:10]
    told = [
        {"loc": [_plain(str(part)) for part in error.get("loc", ())], "msg": _plain(error.get("msg", ""))}
        for error in known
    ]
    return told or [{"loc": ["body"], "msg": "is no valid JSON"}]


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode()[:200]
