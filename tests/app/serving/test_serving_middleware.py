"""The gate over real sockets: who is let in, what is too large, too slow or too much. As an attacker would try."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse

import clew.app.serving.middleware as gate_module
from clew.app.serving.authentication import TokenFile, caller_of
from clew.app.serving.errors import add_error_handlers
from clew.app.serving.hosts import Hosts, hosts_of
from clew.app.serving.metrics import Metrics
from clew.app.serving.middleware import MOST_BYTES, RequestMiddleware
from clew.app.serving.runs import Runs
from clew.app.serving.server import BoundedProtocol, bound_socket
from clew.tools.errors import BadInput
from tests.app.serving.serving_world import listening, until


def echoing() -> FastAPI:
    app = FastAPI(docs_url=None, redoc_url=None)
    add_error_handlers(app)

    @app.get("/health")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.post("/echo")
    async def echo(request: Request) -> dict[str, Any]:
        return {"bytes": len(await request.body()), "user": caller_of(request).owner}

    @app.get("/things/{name}")
    async def thing(name: str) -> dict[str, str]:
        return {"name": name}

    @app.get("/endless")
    async def endless() -> StreamingResponse:
        async def blocks() -> AsyncIterator[bytes]:
            while True:
                yield b"x" * 65536

        return StreamingResponse(blocks())

    @app.get("/fault")
    async def fault() -> None:
        raise RuntimeError("the password is sesame")

    return app


@contextmanager
def guarded(tokens: TokenFile, **given: Any) -> Iterator[tuple[str, RequestMiddleware]]:
    gate = RequestMiddleware(
        echoing(), given.pop("hosts", hosts_of("127.0.0.1", ["kg.example.org"])), tokens, Metrics(Runs(1, 1)), **given
    )
    with listening(gate) as url:
        yield url, gate


@pytest.fixture(scope="module")
def no_tokens(tmp_path_factory: pytest.TempPathFactory) -> TokenFile:
    return TokenFile(tmp_path_factory.mktemp("none") / "tokens.json")


@pytest.fixture(scope="module")
def open_gate(no_tokens: TokenFile) -> Iterator[tuple[str, RequestMiddleware]]:
    with guarded(no_tokens, open_here=True) as served:
        yield served


@pytest.fixture(scope="module")
def url(open_gate: tuple[str, RequestMiddleware]) -> str:
    return open_gate[0]


def spoken(url: str, data: bytes, *, patience: float = 5.0) -> bytes:
    """What comes back for `data` on a connection of its own, until it is closed or nothing more comes."""
    with raw(url) as connection:
        connection.settimeout(patience)
        connection.sendall(data)
        return heard(connection)


def raw(url: str) -> socket.socket:
    host, port = url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=5)


def heard(connection: socket.socket) -> bytes:
    found = b""
    try:
        while part := connection.recv(65536):
            found += part
            if b"\r\n\r\n" in found and found.endswith((b"}", b"\n\n")):
                break
    except (TimeoutError, ConnectionError):
        pass
    return found


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "localhost@evil.example", "[::1", "10.0.0.1"]
)
def test_another_name_is_refused(url: str, host: str) -> None:
    answer = httpx.get(f"{url}/health", headers={"Host": host})
    assert answer.status_code in (400, 421)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:99", "127.0.0.1:1", "[::1]:8000", "kg.example.org"])
def test_its_own_names_are_known(url: str, host: str) -> None:
    assert httpx.get(f"{url}/health", headers={"Host": host}).status_code == 200


def test_elsewhere_it_is_known_by_its_addresses_too() -> None:
    outside = Hosts("0.0.0.0", frozenset({"kg.example.org"}))
    assert all(outside.knows(host) for host in ("192.168.1.5:8000", "[fe80::1]", "kg.example.org", "localhost"))
    assert not outside.knows("evil.example")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://\xff"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_page_of_another_site_may_not_ask(url: str, headers: dict[str, str]) -> None:
    encoded = {name: value.encode("latin-1") for name, value in headers.items()}
    answer = httpx.post(f"{url}/echo", content=b"x", headers=encoded)  # type: ignore[arg-type]
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


def test_its_own_page_may(url: str) -> None:
    assert httpx.post(f"{url}/echo", content=b"x", headers={"Origin": url}).json() == {"bytes": 1, "user": None}
    preflight = httpx.options(f"{url}/echo", headers={"Origin": url, "Access-Control-Request-Method": "POST"})
    assert "access-control-allow-origin" not in preflight.headers


def test_only_who_has_a_token_gets_past_health(tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "tokens.json")
    made, secret = tokens.add("ann")
    with guarded(tokens) as (url, _):
        assert httpx.get(f"{url}/health").status_code == 200
        for wrong in ("", "Bearer", "Bearer wrong", f"Basic {secret}", f"Bearer {made.sha256}", f"Bearer {secret}x"):
            answer = httpx.post(f"{url}/echo", headers={"Authorization": wrong})
            assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
        assert httpx.get(f"{url}/nothing").status_code == 401
        assert httpx.post(f"{url}/echo", headers={"Authorization": f"bearer {secret}"}).json()["user"] == "ann"
        assert httpx.get(f"{url}/v1/models").json()["error"]["code"] == "invalid_api_key"
        tokens.revoke(made.id)
        until(lambda: httpx.post(f"{url}/echo", headers={"Authorization": f"Bearer {secret}"}).status_code == 401)
        assert httpx.post(f"{url}/echo").status_code == 401


def test_the_first_token_ends_the_time_without_for_good(tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "tokens.json")
    with guarded(tokens, open_here=True) as (url, _):
        assert httpx.post(f"{url}/echo").status_code == 200
        made, secret = TokenFile(tokens.path).add("ann")
        until(lambda: httpx.post(f"{url}/echo").status_code == 401)
        assert httpx.post(f"{url}/echo", headers={"Authorization": f"Bearer {secret}"}).status_code == 200
        tokens.revoke(made.id)
        tokens.path.unlink()
        time.sleep(0.6)
        assert httpx.post(f"{url}/echo").status_code == 401


def test_who_asks_too_often_has_to_wait(tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "tokens.json")
    slow, quick = tokens.add("ann", per_minute=3)[1], tokens.add("bob")[1]
    with guarded(tokens) as (url, _):
        answers = [httpx.post(f"{url}/echo", headers={"Authorization": f"Bearer {slow}"}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 20
        assert httpx.post(f"{url}/echo", headers={"Authorization": f"Bearer {quick}"}).status_code == 200


def test_a_body_that_is_too_large_is_refused_whether_it_says_so_or_not(url: str) -> None:
    large = b" " * (MOST_BYTES + 1)
    assert httpx.post(f"{url}/echo", content=large).status_code == 413
    chunked = (large[start : start + 65536] for start in range(0, len(large), 65536))
    assert httpx.post(f"{url}/echo", content=chunked).status_code == 413
    head = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999999\r\n\r\n"
    assert b" 413 " in spoken(url, head) or b" 400 " in spoken(url, head)
    assert httpx.post(f"{url}/echo", content=large[:MOST_BYTES]).json()["bytes"] == MOST_BYTES


def test_a_body_that_comes_too_slowly_is_refused(
    open_gate: tuple[str, RequestMiddleware], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_module, "BODY_SECONDS", 0.3)
    begun = time.monotonic()
    head = b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx"
    assert b" 408 " in spoken(open_gate[0], head)
    assert time.monotonic() - begun < 4


def test_a_client_that_does_not_read_is_not_waited_for(
    open_gate: tuple[str, RequestMiddleware], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_module, "SEND_SECONDS", 0.3)
    url, gate = open_gate
    with raw(url) as connection:
        connection.sendall(b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
        until(lambda: b'route="/endless",status="200"' in gate.metrics.text())
    assert httpx.get(f"{url}/health").status_code == 200


def test_headers_that_come_too_slowly_or_never_end_are_not_waited_for(
    no_tokens: TokenFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedProtocol, "header_seconds", 0.4)
    with guarded(no_tokens, open_here=True) as (url, _):
        for begun in (b"", b"GET /health HTTP/1.1\r\nHost: local"):
            with raw(url) as connection:
                connection.sendall(begun)
                started = time.monotonic()
                assert heard(connection) == b""
                assert time.monotonic() - started < 3
        with raw(url) as connection:  # a second request on a connection that was served before
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in heard(connection)
            connection.sendall(b"GET /heal")
            started = time.monotonic()
            assert heard(connection) == b""
            assert time.monotonic() - started < 3
        endless = b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 5_000_000
        with suppress(ConnectionError):  # cut off while it is still sent
            assert b" 200 " not in spoken(url, endless)
        assert httpx.get(f"{url}/health").status_code == 200


def test_a_keep_alive_connection_may_rest_between_requests(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedProtocol, "header_seconds", 0.2)
    with raw(url) as connection:
        for _ in range(2):
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in heard(connection)
            time.sleep(0.6)


def test_many_silent_connections_leave_room_for_others(no_tokens: TokenFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedProtocol, "most", 20)
    with guarded(no_tokens, open_here=True) as (url, _):
        silent = [raw(url) for _ in range(60)]
        try:
            assert [httpx.get(f"{url}/health").status_code for _ in range(5)] == [200] * 5
        finally:
            for connection in silent:
                connection.close()


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\xff\xfe garbage\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /health HTTP/1.1\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: a\r\nHost: localhost\r\n\r\n",
        b"GET /things/%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /things/%ff%fe HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /things/..%2f..%2fetc%2fpasswd HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"BREW /fault HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /fault HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
)
def test_odd_requests_get_an_answer_without_internals(url: str, data: bytes) -> None:
    said = spoken(url, data, patience=3)
    assert said.startswith(b"HTTP/1.1 ")
    for inside in (b"Traceback", b"sesame", b"site-packages", b"RuntimeError"):
        assert inside not in said
    assert httpx.get(f"{url}/health").status_code == 200


def test_a_fault_is_counted_by_route_and_not_by_what_was_asked(open_gate: tuple[str, RequestMiddleware]) -> None:
    url, gate = open_gate
    httpx.get(f"{url}/things/private")
    httpx.get(f"{url}/private/nowhere")
    assert httpx.get(f"{url}/fault").json()["detail"].startswith("Something went wrong here")
    until(lambda: b'route="/fault",status="500"' in gate.metrics.text())
    text = gate.metrics.text().decode()
    assert 'clew_requests_total{method="GET",route="/things/{name}",status="200"}' in text
    assert "private" not in text


def test_a_client_that_leaves_before_its_body_is_there_costs_nothing(url: str) -> None:
    with raw(url) as connection:
        connection.sendall(b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx")
    assert httpx.get(f"{url}/health").status_code == 200


def test_elsewhere_than_here_it_needs_tokens() -> None:
    with pytest.raises(BadInput, match="no tokens"):
        bound_socket("0.0.0.0", 0, has_tokens=False)
    with bound_socket("0.0.0.0", 0, has_tokens=True) as taken, pytest.raises(BadInput, match="cannot be served on"):
        bound_socket("0.0.0.0", taken.getsockname()[1], has_tokens=True)
    bound_socket("127.0.0.1", 0, has_tokens=False).close()


def test_many_at_once_are_all_answered(url: str) -> None:
    statuses: list[int] = []

    def ask() -> None:
        with httpx.Client(base_url=url) as client:
            statuses.extend(client.post("/echo", content=b"x" * 1000).status_code for _ in range(10))

    ask_all(ask, 16)
    assert statuses == [200] * 160


def ask_all(ask: Callable[[], None], clients: int) -> None:
    threads = [threading.Thread(target=ask) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
