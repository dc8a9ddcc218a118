"""The web pages: static files that need no token. They load their data from the other routes."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from clew.app.web.bundle import bundled, web_file

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
"""Pages may load from this server only, and run only its modules. Text cannot become HTML."""
PAGE_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_CHANGES = "no-cache"  # Cached, but checked at every request: pages change with the server.
_STAYS = "public, max-age=31536000, immutable"
"""For requests with the tag of the content, as pages send them: a page that is opened again loads only itself."""

_LOADED = re.compile(r'(?<==")/web/[^"?]+(?=")')
_INLINE = re.compile(r"<!-- (\w+\.svg) -->")
"""An image that is part of a page, so that it takes the page's colours."""
_ENTRIES = ("chat_page.js", "data_page.js", "explore_page.js", "query_page.js", "traces_page.js")
"""The scripts of the pages, sent with all that they import: two dozen requests would take longer than their content."""


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of the pages as it is sent."""

    content: bytes
    kind: str
    tag: str
    """A hash of the content."""


@cache
def page_files() -> dict[str, PageFile]:
    """Files by path: `index.html` is at `/`, other pages at their names, and what they load under `/web/`."""
    found: dict[str, PageFile] = {}
    folder = files("clew.app.web")
    listed = [*folder.iterdir(), *(folder / "vendor").iterdir()]
    for file in sorted(listed, key=lambda file: file.name.endswith(".html")):
        stem, dot, ending = file.name.rpartition(".")
        if (kind := _KINDS.get(dot + ending)) is None:
            continue
        text = bundled(file.name) if file.name in _ENTRIES else file.read_text("utf-8")
        if ending == "html":  # These come last, when the tags of what they load are known.
            text = _INLINE.sub(lambda svg: web_file(svg[1]).rstrip(), text)
            text = _LOADED.sub(lambda path: f"{path[0]}?v={found[path[0]].tag}", text)
        path = f"/web/{file.name}" if ending != "html" else "/" if stem == "index" else f"/{stem}"
        found[path] = PageFile(text.encode(), kind, hashlib.sha256(text.encode()).hexdigest()[:32])
    return found


def add_page_routes(app: FastAPI) -> None:
    """Add the pages and their files."""
    known = page_files()

    async def page(request: Request) -> Response:
        file = known.get(request.url.path)
        if file is None:
            raise HTTPException(404)
        stays = request.query_params.get("v") == file.tag
        headers = {**PAGE_HEADERS, "ETag": f'"{file.tag}"', "Cache-Control": _STAYS if stays else _CHANGES}
        if file.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(file.content, media_type=file.kind, headers=headers)

    for path in [*(path for path in known if not path.startswith("/web/")), "/web/{name}"]:
        app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False)
