"""The files of the web pages as the server gives them: to whom, with which headers, and all of them in the wheel."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from clew.app.progress import NoProgress, TrackedProgress
from clew.app.serving.authentication import TokenFile
from clew.app.serving.errors import add_error_handlers
from clew.app.serving.hosts import hosts_of
from clew.app.serving.metrics import Metrics
from clew.app.serving.middleware import RequestMiddleware
from clew.app.serving.page_routes import POLICY, add_page_routes, page_files
from clew.app.serving.runs import Runs
from tests.app.serving.serving_world import listening

ROOT = Path(__file__).resolve().parents[3]
WEB = ROOT / "app" / "web"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server that wants a token, with nothing but the pages and one route of its own."""
    app = FastAPI(docs_url=None, redoc_url=None)
    add_error_handlers(app)
    add_page_routes(app)

    @app.get("/api/secret")
    async def secret() -> str:
        return "secret"

    tokens = TokenFile(tmp_path_factory.mktemp("tokens") / "tokens.json")
    tokens.add("ann", None)
    pages = frozenset(page_files())
    gate = RequestMiddleware(app, hosts_of("127.0.0.1", ()), tokens, Metrics(Runs(1, 1)), pages=pages)
    with listening(gate) as url, httpx.Client(base_url=url) as opened:
        yield opened


@pytest.mark.parametrize("path", sorted(page_files()))
def test_every_file_is_given_to_anybody_with_what_keeps_it_safe(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert client.get(path, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
    assert client.head(path).status_code == 200
    kinds = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
    assert answer.headers["content-type"].startswith(kinds.get(Path(path).suffix, "text/html"))


@pytest.mark.parametrize(
    "path",
    ["/web/", "/web/../api/secret", "/web/..%2f..%2fapp%2fcli%2fserve.py", "/web/%2e%2e/secret", "/web/__init__.py",
     "/web/none.js", "/index.html", "/web/index.html", "/api/secret"],
)  # fmt: skip
def test_nothing_else_is_given_without_a_token(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code in (401, 404), path
    assert "secret" not in client.get(path).text


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_pages_are_only_read(client: httpx.Client, method: str) -> None:
    assert client.request(method, "/").status_code == 405


def test_a_link_of_another_site_leads_to_the_page_and_to_nothing_else(client: httpx.Client) -> None:
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert client.get("/", headers=link).status_code == 200
    assert client.get("/api/secret", headers=link).status_code == 403
    assert client.get("/", headers={**link, "Sec-Fetch-Dest": "iframe"}).status_code == 403
    assert (
        client.get("/web/api.js", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "script"}).status_code
        == 403
    )
    assert client.get("/", headers={"Origin": "https://example.org"}).status_code == 403


@pytest.mark.parametrize("page", ["/", "/traces"])
def test_what_a_page_loads_is_kept_for_as_long_as_it_stays_the_same(client: httpx.Client, page: str) -> None:
    found = client.get(page)
    assert found.headers["cache-control"] == "no-cache"
    asked = re.findall(r'(?:href|src)="(/web/[^"]+)"', found.text)
    assert len(asked) > 4
    for address in asked:
        assert "immutable" in client.get(address).headers["cache-control"], address
        changed = client.get(address[:-4] + "0000")
        assert changed.status_code == 200
        assert changed.headers["cache-control"] == "no-cache"


def test_all_of_it_is_in_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["*"]
    files = [path.name for path in WEB.iterdir() if path.is_file() and path.suffix != ".py"]
    assert [name for name in files if not any(fnmatch(name, pattern) for pattern in patterns)] == []
    assert project["tool"]["setuptools"]["package-data"]["clew.app.web"] == ["vendor/*"]


def test_libraries_of_others_come_with_their_licence() -> None:
    vendored = sorted((WEB / "vendor").glob("*.js"))
    assert vendored
    for path in vendored:
        licence = path.with_name(f"{path.name.split('.')[0]}.LICENSE.txt").read_text("utf-8")
        assert "Permission is hereby granted" in licence
        assert re.search(r"\beval\(|new Function|innerHTML|document\.write", path.read_text("utf-8")) is None


def test_what_pages_load_is_there() -> None:
    known = set(page_files())
    for path in WEB.iterdir():
        if path.suffix not in (".html", ".js"):
            continue
        text = path.read_text("utf-8")
        asked = re.findall(r'(?:href|src)="(/web/[^"]+)"', text) + re.findall(r'(?:from|import) "(\./[^"]+)"', text)
        missing = {name.replace("./", "/web/", 1) for name in asked} - known
        assert missing == set(), path.name


@pytest.mark.parametrize("name", sorted(path.name for path in WEB.glob("*.html")))
def test_pages_hold_no_script_or_style_of_their_own(name: str) -> None:
    text = (WEB / name).read_text("utf-8")
    assert re.findall(r"<script(?![^>]* src=)", text) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=|https?://", text.replace("http://www.w3.org/2000/svg", "")) == []


@pytest.mark.parametrize("name", sorted(path.name for path in WEB.glob("*.js")))
def test_modules_never_read_html_or_code(name: str) -> None:
    text = (WEB / name).read_text("utf-8")
    reads = r"(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    elsewhere = r"https?://(?!www\.w3\.org/2000/svg)"
    assert re.search(f"{reads}|{elsewhere}", text) is None


def test_work_under_way_is_told() -> None:
    watched = TrackedProgress(NoProgress())
    with watched.task("Indexing names", "nodes", 10) as advance:
        advance(4)
        with watched.task("Embedding", "texts"):
            assert watched.current is not None
            assert watched.current.label == "Embedding"
        assert watched.current is not None
        assert (watched.current.label, watched.current.done, watched.current.total) == ("Indexing names", 4, 10)
    assert watched.current is None
