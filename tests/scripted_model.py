"""A scripted OpenAI-compatible server over real sockets: what a model says is a script, and so are its faults.

    with ScriptedModel("<answers>Heat [F1]</answers>") as server:                  # always the same
    with ScriptedModel([rate_limited(0), "<answers>Heat</answers>"]) as server:    # one after the other, then the last
    with ScriptedModel(by_text({"list the relations": "<paths>…</paths>"}, "FINISH")) as server:
    with ScriptedModel(lambda request: Said(request.user.upper(), usage=None)) as server:
        ... server.base_url ... server.requests[0].user ...

A script gets the request's JSON as a `Request` (a dict with short cuts). It is called by one thread per connection.
"""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self


class Request(dict[str, Any]):
    """The JSON body of one request for a completion."""

    headers: Mapping[str, str]
    """By lower-case name."""

    @property
    def model(self) -> str:
        return str(self.get("model", ""))

    @property
    def system(self) -> str:
        return self._said_by("system", "developer")

    @property
    def user(self) -> str:
        return self._said_by("user")

    @property
    def wants_json(self) -> bool:
        return "response_format" in self

    def _said_by(self, *roles: str) -> str:
        return "\n".join(str(part["content"]) for part in self.get("messages", ()) if part["role"] in roles)


@dataclass(frozen=True, slots=True)
class Said:
    """One reply of the server."""

    text: str | None = ""
    """None is sent as null."""
    finish_reason: str = "stop"
    usage: tuple[int, int] | None = (100, 20)
    """Input and output tokens; None leaves usage out."""
    calls: Sequence[tuple[str, Mapping[str, Any]]] = ()
    """Tools that the model calls, each with its arguments; only in replies that are not streamed."""
    reasoning: str | None = None
    """Sent as `reasoning_content`, as servers of thinking models do."""
    choices: int = 1
    """0 sends an empty list."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    """The whole body as it is sent, in place of all of the above that would go into it."""
    content_type: str = "application/json"
    wait: float = 0.0
    """Seconds before the first byte."""
    drip: float = 0.0
    """Seconds between pieces of the body, of which there are 20 or more."""
    cut: Literal["never", "before", "within"] = "never"
    """Whether the connection is dropped before the status line, or half-way through the body."""


Script = str | Said | Sequence[str | Said] | Callable[[Request], str | Said]


def by_text(replies: Mapping[str, str | Said], otherwise: str | Said = "") -> Callable[[Request], str | Said]:
    """The reply of the first key that occurs in the request's system or user text."""
    return lambda request: next(
        (reply for key, reply in replies.items() if key in request.system + "\n" + request.user), otherwise
    )


def by_model(replies: Mapping[str, str | Said]) -> Callable[[Request], str | Said]:
    """The reply of the model that is asked for; another one is not found."""
    return lambda request: replies.get(request.model, failing(404, f"The model {request.model} does not exist"))


def embedding(vector_of: Callable[[str], Sequence[float]]) -> Callable[[Request], Said]:
    """A model of sentence vectors. The last text comes first, as servers need not keep the order."""

    def script(request: Request) -> Said:
        rows = [
            {"object": "embedding", "index": place, "embedding": list(vector_of(text))}
            for place, text in enumerate(request["input"])
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return Said(
            raw=json.dumps({"object": "list", "model": request.model, "data": rows[::-1], "usage": usage}).encode()
        )

    return script


def failing(status: int, message: str = "It did not work", headers: Mapping[str, str] | None = None) -> Said:
    """An error in the form in which OpenAI sends it."""
    body = json.dumps({"error": {"message": message, "type": "error", "param": None, "code": None}}).encode()
    return Said(status=status, raw=body, headers=headers or {})


def rate_limited(retry_after: float | str | None = None) -> Said:
    """429, with `Retry-After` in seconds or as an HTTP date."""
    return failing(429, "Too many requests", {} if retry_after is None else {"Retry-After": str(retry_after)})


def malformed() -> Said:
    """A body that breaks off in the middle of its JSON, and says that it is whole."""
    return Said(raw=b'{"id": "x", "choices": [{"index": 0, "message": {"role": "assis')


def html() -> Said:
    """What a proxy says in place of the endpoint."""
    return Said(raw=b"<!doctype html><title>Welcome</title>", content_type="text/html")


def no_choices() -> Said:
    return Said(choices=0)


def null_content() -> Said:
    return Said(text=None)


def refusing_json(script: Callable[[Request], str | Said]) -> Callable[[Request], str | Said]:
    """A server without JSON mode: it answers 400 wherever `response_format` is asked for."""
    return lambda request: failing(400, "response_format is not supported") if request.wants_json else script(request)


class ScriptedModel:
    """The running server; `/v1/chat/completions` (whole or streamed), `/v1/embeddings` and `/v1/models`."""

    def __init__(self, script: Script = "") -> None:
        self.requests: list[Request] = []
        """Those for a completion, in the order in which they came."""
        self.left = 0
        """Clients that closed their connection before they had their reply."""
        self.most_at_once = 0
        """Requests that were being answered at the same time."""
        self._script = script
        self._now = 0
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.scripted = self

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def environment(self, model: str = "scripted", key: str = "sk-scripted") -> dict[str, str]:
        """The environment variables by which `clew` uses this server."""
        return {"CLEW_MODEL": model, "CLEW_MODEL_BASE_URL": self.base_url, "CLEW_MODEL_API_KEY": key}

    def wait_until(self, holds: Callable[[ScriptedModel], bool], seconds: float = 5.0) -> bool:
        """Whether `holds(self)` within `seconds`; for what the server sees a moment later than its client."""
        end = time.monotonic() + seconds
        while not holds(self) and time.monotonic() < end:
            time.sleep(0.005)
        return holds(self)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def begin(self, request: Request) -> Said:
        """What is said to a request that has come in."""
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        script = self._script
        if callable(script):
            said = script(request)
        elif isinstance(script, str | Said):
            said = script
        else:
            said = script[min(number, len(script) - 1)]
        return Said(said) if isinstance(said, str) else said

    def end(self, *, left: bool) -> None:
        with self._lock:
            self._now -= 1
            self.left += left


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    scripted: ScriptedModel

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves is no news."""


class _Left(Exception):
    """The client closed its connection."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""

    def do_GET(self) -> None:
        known = self.path == "/v1/models"
        body = {"object": "list", "data": [{"id": "scripted", "object": "model"}]} if known else {"error": "not found"}
        self._send(Said(status=200 if known else 404), [json.dumps(body).encode()], chunked=False)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path not in ("/v1/chat/completions", "/v1/embeddings"):
            return self._send(failing(404), [b'{"error": "not found"}'], chunked=False)
        request = Request(json.loads(body))
        request.headers = {name.lower(): value for name, value in self.headers.items()}
        left = False
        said = self.server.scripted.begin(request)
        try:
            self._pause(said.wait)
            self._answer(request, said)
        except (_Left, OSError):
            left = self.close_connection = True
        finally:
            self.server.scripted.end(left=left)

    def _answer(self, request: Request, said: Said) -> None:
        if said.cut == "before":
            return self._drop()
        streamed = bool(request.get("stream")) and said.raw is None
        if streamed:
            pieces = list(_events(request, said))
            said = Said(cut=said.cut, drip=said.drip, headers=said.headers, content_type="text/event-stream")
        else:
            whole = said.raw if said.raw is not None else json.dumps(_completion(request, said)).encode()
            size = max(1, len(whole) // 20)
            pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
        self._send(said, pieces, chunked=streamed)

    def _send(self, said: Said, pieces: Sequence[bytes], *, chunked: bool) -> None:
        self.send_response(said.status)
        self.send_header("Content-Type", said.content_type)
        for name, value in said.headers.items():
            self.send_header(name, value)
        length = ("Transfer-Encoding", "chunked") if chunked else ("Content-Length", str(sum(map(len, pieces))))
        self.send_header(*length)
        self.end_headers()
        for number, piece in enumerate(pieces):
            if said.cut == "within" and number >= len(pieces) // 2:
                return self._drop()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
            if said.drip:
                self._pause(said.drip)
        if chunked:
            self.wfile.write(b"0\r\n\r\n")

    def _pause(self, seconds: float) -> None:
        """Wait, unless the client leaves."""
        if seconds <= 0:
            return
        readable, _, _ = select.select([self.connection], [], [], seconds)
        if readable:
            if self.connection.recv(1, socket.MSG_PEEK) == b"":
                raise _Left
            time.sleep(seconds)

    def _drop(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


def _completion(request: Request, said: Said) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.text}
    if said.reasoning is not None:
        message["reasoning_content"] = said.reasoning
    if said.calls:
        message["tool_calls"] = [
            {"id": f"call-{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            for n, (name, arguments) in enumerate(said.calls)
        ]
    finish_reason = "tool_calls" if said.calls else said.finish_reason
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return _headed(request, "chat.completion", [choice] * said.choices) | _usage(said)


def _events(request: Request, said: Said) -> Iterator[bytes]:
    """The server-sent events of a streamed reply, each with a piece of the text."""
    text = said.text or ""
    size = max(1, len(text) // 20)
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": None if said.text is None else ""}]
    deltas += [{"reasoning_content": said.reasoning}] if said.reasoning is not None else []
    deltas += [{"content": text[at : at + size]} for at in range(0, len(text), size)]
    for delta in deltas if said.choices else []:
        yield _event(_headed(request, "chat.completion.chunk", [{"index": 0, "delta": delta, "finish_reason": None}]))
    if said.choices:
        last = {"index": 0, "delta": {}, "finish_reason": said.finish_reason}
        yield _event(_headed(request, "chat.completion.chunk", [last]))
    if said.usage is not None and (request.get("stream_options") or {}).get("include_usage"):
        yield _event(_headed(request, "chat.completion.chunk", []) | _usage(said))
    yield b"data: [DONE]\n\n"


def _event(value: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def _headed(request: Request, kind: str, choices: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": "scripted-1", "object": kind, "created": 1_700_000_000, "model": request.model, "choices": choices}


def _usage(said: Said) -> dict[str, Any]:
    if said.usage is None:
        return {}
    taken, given = said.usage
    return {"usage": {"prompt_tokens": taken, "completion_tokens": given, "total_tokens": taken + given}}
