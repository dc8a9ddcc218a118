"""The web pages: files that are served as they are, to anybody. What is in them is asked of the other routes."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from clew.app.web.bundle import bundled

_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
)
"""What a page may do: load and ask this server, and run nothing but its modules. No text can become HTML."""
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_CHANGES = "no-cache"  # Kept, but asked for anew: pages change with the server.
_STAYS = "public, max-age=31536000, immutable"
"""For what is asked for by its content's tag, as pages ask: a page that is opened again asks for nothing but itself."""

_LOADED = re.compile(r'(?<==")/web/[^"?]+(?=")')
_ENTRIES = ("chat_page.js", "traces_page.js")
"""What the pages load: sent with all that it imports, since two dozen requests take longer than what is in them."""


@dataclass(frozen=True, slots=True)
class PageFile:
    content: bytes
    kind: str
    tag: str
    """The same for the same content."""


@cache
def page_files() -> dict[str, PageFile]:
    """Path to file: `index.html` is at `/`, other pages at their names, and what they load under `/web/`."""
    found: dict[str, PageFile] = {}
    for file in sorted(files("clew.app.web").iterdir(), key=lambda file: file.name.endswith(".html")):
        stem, dot, ending = file.name.rpartition(".")
        if (kind := _KINDS.get(dot + ending)) is None:
            continue
        text = bundled(file.name) if file.name in _ENTRIES else file.read_text("utf-8")
        if ending == "html":  # The last ones: what they load is known by then.
            text = _LOADED.sub(lambda asked: f"{asked[0]}?v={found[asked[0]].tag}", text)
        path = f"/web/{file.name}" if ending != "html" else "/" if stem == "index" else f"/{stem}"
        found[path] = PageFile(text.encode(), kind, hashlib.sha256(text.encode()).hexdigest()[:32])
    return found


def add_page_routes(app: FastAPI) -> None:
    known = page_files()

    async def page(request: Request) -> Response:
        file = known.get(request.url.path)
        if file is None:
            raise HTTPException(404)
        stays = request.query_params.get("v") == file.tag
        headers = {**_HEADERS, "ETag": f'"{file.tag}"', "Cache-Control": _STAYS if stays else _CHANGES}
        if file.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(file.content, media_type=file.kind, headers=headers)

    for path in [*(path for path in known if not path.startswith("/web/")), "/web/{name}"]:
        app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False)
