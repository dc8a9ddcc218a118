"""A hundred clients at once on a server with few places: a stream that began ends in a result or an error."""

from __future__ import annotations

import asyncio
import errno
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from clew.app.serving.authentication import TokenFile
from clew.app.serving.local_backend import LocalBackend
from tests.app.serving.serving_world import serving, sse, until

CLIENTS = 100
QUESTION = "who directed Heat?"


@pytest.fixture(scope="module")
def url(clew_home: Path, films: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    tokens = TokenFile(tmp_path_factory.mktemp("none") / "tokens.json")
    with serving(clew_home, tokens, graphs=(films,), runs=2, waiting=6) as url:
        yield url


def bodies(films: str) -> dict[str, Any]:
    config = {"configurable": {"graph": films}}
    asked = {"input": {"question": QUESTION}, "config": config}
    talk = [("user", QUESTION), ("assistant", "Michael Mann directed Heat."), ("user", "and who starred in it?")]
    messages = [{"role": role, "content": text} for role, text in talk]
    return {
        "/api/ask": {"question": QUESTION, "graph": films},
        "/ask/stream": asked,
        "/ask/stream_log": asked,
        "/ask/stream_events": asked,
        "/verify/stream": {"input": {"statement": "Michael Mann directed Heat."}, "config": config},
        "/v1/chat/completions": {"model": f"clew:{films}", "messages": messages, "stream": True},
        "/ask/batch": {"inputs": [asked["input"]] * 3, "config": config},
    }


async def answers(url: str, path: str, body: Any) -> list[httpx.Response]:
    limits = httpx.Limits(max_connections=CLIENTS)
    async with httpx.AsyncClient(base_url=url, timeout=120, limits=limits) as client:
        return await asyncio.gather(*(client.post(path, json=body) for _ in range(CLIENTS)))


def ending(path: str, text: str) -> str:
    """How a body ends, which must be whole: `result` or `error`."""
    if path == "/ask/batch":
        return "result" if len(json.loads(text)["output"]) == 3 else "cut off"
    events = sse(text)
    if path == "/api/ask":
        return events[-1][0]
    last = events[-1] if path.startswith("/v1/") else events[-2]
    if path.startswith("/v1/"):
        return "result" if last[1] == "[DONE]" else next(iter(json.loads(last[1])))
    assert events[-1] == ("end", "")
    return "error" if '"type": "error"' in last[1] or '"type":"error"' in last[1] else "result"


@pytest.mark.parametrize("path", list(bodies("")))
def test_a_stream_that_began_ends_in_a_result_and_the_rest_is_refused(url: str, films: str, path: str) -> None:
    found = asyncio.run(answers(url, path, bodies(films)[path]))
    told = Counter(answer.status_code for answer in found)
    assert told[200] >= 2
    assert told[200] + told[503] == CLIENTS
    for answer in found:
        if answer.status_code == 200:
            assert ending(path, answer.text) == "result", answer.text
        else:
            assert int(answer.headers["Retry-After"]) > 0
            assert "Too many questions are waiting." in answer.text
            assert answer.headers["Content-Type"] == "application/json"
    until(lambda: places(url) == (0, 0))


def places(url: str) -> tuple[int, int]:
    """The runs under way and waiting."""
    ready = httpx.get(f"{url}/ready", timeout=20).json()
    return ready["running"], ready["waiting"]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (RuntimeError("a secret"), "the server's log says what"),
        (OSError(errno.ENOSPC, "a secret", "traces.sqlite"), "traces.sqlite"),
    ],
)
@pytest.mark.parametrize("path", ["/api/ask", "/v1/chat/completions", "/ask/stream", "/ask/stream_events"])
def test_a_fault_after_the_start_is_told_without_its_details(
    url: str, films: str, path: str, fault: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(*_: Any) -> Any:
        def work(_: Any) -> Iterator[Any]:
            yield {"type": "step"}
            raise fault

        return work

    monkeypatch.setattr(LocalBackend, "ask", ask)
    answer = httpx.post(f"{url}{path}", json=bodies(films)[path], timeout=60)
    assert (answer.status_code, ending(path, answer.text)) == (200, "error")
    assert said in answer.text
    assert "a secret" not in answer.text
    until(lambda: places(url) == (0, 0))
