"""Runs that nobody waits for, that are too many, or that the server's end comes upon; with a scripted model."""

from __future__ import annotations

import json
import socket
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from clew.app.serving.authentication import TokenFile
from tests.app.serving.serving_world import imported, serving, sse, until
from tests.scripted_model import Request, Said, ScriptedModel

QUESTION = "who directed Heat?"


class Patient:
    """A model that says nothing until it is told to."""

    def __init__(self) -> None:
        self.wait = 60.0

    def __call__(self, request: Request) -> Said:
        return Said("<answers>Michael Mann</answers>", wait=self.wait)


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with imported(clew_home, tmp_path_factory.mktemp("facts")) as name:
        yield name


@pytest.fixture(scope="module")
def patient() -> Patient:
    return Patient()


@pytest.fixture(scope="module")
def model(patient: Patient) -> Iterator[ScriptedModel]:
    with ScriptedModel(patient) as server:
        yield server


@pytest.fixture(scope="module")
def no_tokens(tmp_path_factory: pytest.TempPathFactory) -> TokenFile:
    return TokenFile(tmp_path_factory.mktemp("none") / "tokens.json")


def with_model(model: ScriptedModel) -> dict[str, Any]:
    return {"model": "scripted", "model_base_url": model.base_url, "model_api_key": "sk-scripted"}


@pytest.fixture(scope="module")
def url(clew_home: Path, films: str, model: ScriptedModel, no_tokens: TokenFile) -> Iterator[str]:
    with serving(clew_home, no_tokens, graphs=(films,), runs=1, waiting=1, **with_model(model)) as url:
        yield url


def request(films: str, path: str) -> bytes:
    config = {"configurable": {"graph": films}}
    bodies: dict[str, Any] = {
        "/api/ask": {"question": QUESTION, "graph": films},
        "/api/ask?whole": {"question": QUESTION, "graph": films, "stream": False},
        "/api/verify": {"statement": "Michael Mann directed Heat and wrote Collateral.", "graph": films},
        "/v1/chat/completions": {"model": f"clew:{films}", "messages": [{"role": "user", "content": QUESTION}]},
    }
    bodies["/v1/chat/completions?stream"] = {**bodies["/v1/chat/completions"], "stream": True}
    body = json.dumps(bodies.get(path, {"input": {"question": QUESTION}, "config": config})).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return f"{head}\r\n\r\n".encode() + body


def connected(url: str) -> socket.socket:
    host, port = url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=10)


def running(url: str) -> int:
    return int(httpx.get(f"{url}/ready", timeout=20).json()["running"])


PATHS = ["/ask/invoke", "/ask/stream", "/ask/stream_log", "/ask/stream_events", "/api/ask", "/api/ask?whole",
         "/api/verify", "/v1/chat/completions", "/v1/chat/completions?stream"]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_a_client_that_leaves_ends_its_model_s_calls(url: str, films: str, model: ScriptedModel, path: str) -> None:
    asked, left = len(model.requests), model.left
    with connected(url) as connection:
        connection.sendall(request(films, path))
        assert model.wait_until(lambda m: len(m.requests) > asked, 20)
    gone = time.monotonic()
    assert model.wait_until(lambda m: m.left > left, 5)
    assert time.monotonic() - gone < 2
    until(lambda: running(url) == 0)
    assert len(model.requests) == asked + 1


def test_too_many_are_asked_to_come_back(url: str, films: str, model: ScriptedModel) -> None:
    asked = len(model.requests)
    with connected(url) as one, connected(url) as two:
        one.sendall(request(films, "/api/ask"))
        assert model.wait_until(lambda m: len(m.requests) > asked, 20)
        two.sendall(request(films, "/ask/invoke"))
        until(lambda: httpx.get(f"{url}/ready").json()["waiting"] == 1)
        for path in PATHS:
            answer = raw_answer(url, request(films, path))
            assert answer.startswith(b"HTTP/1.1 503"), path
            assert b"retry-after: 1" in answer.lower(), path
    until(lambda: running(url) == 0)
    assert "clew_runs_refused 9.0" in httpx.get(f"{url}/metrics").text


def raw_answer(url: str, data: bytes) -> bytes:
    with connected(url) as connection:
        connection.sendall(data)
        return connection.recv(65536)


def test_one_question_at_a_time_in_a_session(url: str, films: str, model: ScriptedModel) -> None:
    asked = len(model.requests)
    body = {"question": QUESTION, "graph": films, "session": "s"}
    with httpx.stream("POST", f"{url}/api/ask", json=body, timeout=30) as first:
        assert model.wait_until(lambda m: len(m.requests) > asked, 20)
        assert first.status_code == 200
        assert httpx.post(f"{url}/api/ask", json=body).status_code == 409
    until(lambda: running(url) == 0)


def test_the_trace_of_a_run_that_was_left_says_so(url: str, films: str, model: ScriptedModel) -> None:
    with connected(url) as connection:
        asked = len(model.requests)
        connection.sendall(request(films, "/ask/stream"))
        assert model.wait_until(lambda m: len(m.requests) > asked, 20)
    until(lambda: running(url) == 0)
    runs = httpx.get(f"{url}/api/traces", params={"graph": films, "status": "interrupted"}).json()
    assert runs[0]["question"] == QUESTION
    assert 'clew_runs_total{kind="ask",outcome="left"}' in httpx.get(f"{url}/metrics").text


def test_a_question_under_way_is_answered_before_the_server_ends(
    clew_home: Path, films: str, no_tokens: TokenFile, patient: Patient, model: ScriptedModel
) -> None:
    patient.wait, asked = 0.3, len(model.requests)
    with ThreadPoolExecutor(2) as pool:
        with serving(clew_home, no_tokens, graphs=(films,), closing=40.0, **with_model(model)) as url:
            whole = pool.submit(httpx.post, f"{url}/api/ask", json={"question": QUESTION, "graph": films}, timeout=60)
            body = {"input": {"question": QUESTION}, "config": {"configurable": {"graph": films}}}
            streamed = pool.submit(httpx.post, f"{url}/ask/stream", json=body, timeout=60)
            assert model.wait_until(lambda m: len(m.requests) >= asked + 2, 20)
        assert sse(whole.result().text)[-1][0] == "result"
        assert sse(streamed.result().text)[-1][0] == "end"
    patient.wait = 60.0


def test_what_does_not_end_in_time_is_ended_and_leaves_its_trace(
    clew_home: Path, films: str, no_tokens: TokenFile, model: ScriptedModel
) -> None:
    asked, begun = len(model.requests), 0.0

    def ask(url: str, session: str) -> tuple[int, list[tuple[str, str]]]:
        body = {"question": QUESTION, "graph": films, "session": session}
        answer = httpx.post(f"{url}/api/ask", json=body, timeout=60)
        return answer.status_code, sse(answer.text)

    with ThreadPoolExecutor(2) as pool:
        with serving(clew_home, no_tokens, graphs=(films,), closing=1.0, runs=1, **with_model(model)) as url:
            running = pool.submit(ask, url, "cut")
            assert model.wait_until(lambda m: len(m.requests) > asked, 20)
            waiting = pool.submit(ask, url, "cut too")
            until(lambda: httpx.get(f"{url}/ready").json()["waiting"] == 1)
            begun = time.monotonic()
        assert time.monotonic() - begun < 10
    for status, events in (running.result(), waiting.result()):
        assert (status, events[0][0], events[-1][0]) == (200, "start", "error")
        assert json.loads(events[-1][1])["status"] == 503
    with sqlite3.connect(clew_home / "traces.sqlite") as traces:
        last = traces.execute("SELECT status FROM runs WHERE graph = ? ORDER BY started DESC", [films]).fetchone()
    assert last == ("interrupted",)
    with sqlite3.connect(clew_home / "conversations.sqlite") as sessions:
        assert sessions.execute("SELECT count(*) FROM sessions WHERE graph = ?", [films]).fetchone() == (0,)
