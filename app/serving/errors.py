"""Error responses: one JSON shape for pages, OpenAI's under `/v1`, and no internal details."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException

from clew.app.serving.runs import QueueFull, ShuttingDown
from clew.app.sessions.store import UnknownSession
from clew.tools.errors import BadInput, ClewError, DamagedFile, DatabaseUnavailable, DiskFull, QueryFailed, UnknownGraph
from clew.tools.full_disk import full_disk

RETRY_AFTER = {"Retry-After": "1"}
_UNEXPECTED = "Something went wrong here; the server's log says what."
_log = logging.getLogger("clew.serve")
_KINDS = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}
_CODES = {401: "invalid_api_key", 404: "model_not_found", 413: "request_too_large", 429: "rate_limit_exceeded"}


class Busy(ClewError):
    """Something else has to end first."""


class UnknownTrace(ClewError):
    """The caller has no trace of that id."""


class UnknownDocument(ClewError):
    """The graph has no document of that id."""


class UnknownImport(ClewError):
    """The caller has no import of that id."""


class Forbidden(ClewError):
    """The caller may not do this."""


class TooLarge(ClewError):
    """More is sent than the server accepts."""


class InternalError(ClewError):
    """Something unexpected, without its details."""


_STATUS: dict[tuple[type[ClewError], ...], int] = {
    (UnknownGraph, UnknownSession, UnknownTrace, UnknownDocument, UnknownImport): 404,
    (Forbidden,): 403,
    (Busy,): 409,
    (TooLarge,): 413,
    (DiskFull,): 507,
    (DamagedFile, DatabaseUnavailable, QueueFull, ShuttingDown): 503,
}
"""The HTTP status of errors; others have 422 or 500."""


def error_response(
    path: str,
    status: int,
    detail: str,
    headers: Mapping[str, str] | None = None,
    *,
    remedy: str = "",
    errors: list[dict[str, Any]] | None = None,
) -> JSONResponse:
    """`{"detail": …}`, with `remedy` and `errors` where there are any; under `/v1` as OpenAI's clients expect it."""
    body: dict[str, Any]
    if path.startswith("/v1/"):
        status = 400 if status == 422 else status
        kind = _KINDS.get(status, "invalid_request_error" if status < 500 else "server_error")
        where = ".".join(str(part) for part in errors[0]["loc"]) if errors else None
        text = f"{detail} {errors[0]['loc']}: {errors[0]['msg']}" if errors else f"{detail} {remedy}".strip()
        body = {"error": {"message": text, "type": kind, "param": where, "code": _CODES.get(status)}}
    else:
        body = {"detail": detail, **({"remedy": remedy} if remedy else {}), **({"errors": errors} if errors else {})}
    return JSONResponse(body, status, dict(headers or {}))


def status_of(error: ClewError) -> int:
    """The HTTP status of an error."""
    for kinds, status in _STATUS.items():
        if isinstance(error, kinds):
            return status
    return 422 if isinstance(error, (BadInput, QueryFailed)) else 500


def add_error_handlers(app: FastAPI) -> None:
    """Answer every error of `app` in these shapes."""

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        errors = validation_errors(error.errors())
        return error_response(request.url.path, 422, "The request makes no sense.", errors=errors)

    @app.exception_handler(StarletteHTTPException)
    async def http_error(request: Request, error: StarletteHTTPException) -> JSONResponse:
        return error_response(request.url.path, error.status_code, str(error.detail), error.headers)

    @app.exception_handler(ClewError)
    async def known(request: Request, error: ClewError) -> JSONResponse:
        status = status_of(error)
        headers = RETRY_AFTER if status == 503 else None
        return error_response(request.url.path, status, error.message, headers, remedy=error.remedy)

    @app.exception_handler(OSError)
    async def disk(request: Request, error: OSError) -> JSONResponse:
        if full := full_disk(error):
            return await known(request, full)
        raise error

    @app.exception_handler(Exception)
    async def unexpected(request: Request, _: Exception) -> JSONResponse:
        return internal_error(request.url.path)  # Starlette raises the error again, for the middleware to log.


def internal_error(path: str) -> JSONResponse:
    """The response to an unexpected error, without its details."""
    return error_response(path, 500, _UNEXPECTED)


def client_error(error: Exception) -> ClewError:
    """The error as the client of a started stream receives it. An unexpected one is logged."""
    if isinstance(error, ClewError):
        return error
    if full := full_disk(error):
        return full
    _log.error("A run failed.", exc_info=error)
    return InternalError(_UNEXPECTED)


def validation_errors(errors: Any) -> list[dict[str, Any]]:
    """Which parts of a request are wrong, and why, without their content, which may be anything."""
    found = [
        {"loc": [_readable(str(part)) for part in error.get("loc", ())], "msg": _readable(error.get("msg", ""))}
        for error in errors
        if isinstance(error, dict)
    ]
    return found[:10] or [{"loc": ["body"], "msg": "is not valid JSON"}]


def validated(model: type[BaseModel], body: bytes) -> Any:
    """`body` as `model`. Raises RequestValidationError, which becomes status 422."""
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise RequestValidationError(error.errors(include_url=False, include_context=False)) from None


def _readable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()[:200]
