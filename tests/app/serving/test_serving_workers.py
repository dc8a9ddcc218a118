"""`clew serve --workers`: processes that answer, die, are replaced, and end with their server."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.serving.authentication import TokenFile
from clew.app.settings import load_settings
from clew.tools.ingest import versions
from tests.app.serving.serving_world import imported, serving, sse, until
from tests.app.serving.test_serving_api import asked, names

QUESTION = "who directed Heat?"


@pytest.fixture(scope="module")
def unfinished(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A graph whose import broke off."""
    with imported(clew_home, tmp_path_factory.mktemp("unfinished")) as name:
        with closing(Container(load_settings(home=clew_home), NoProgress())) as container:
            container.store(name).set_version(versions.unfinished(""))
        yield name


@pytest.fixture(scope="module")
def url(clew_home: Path, films: str, unfinished: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    tokens = TokenFile(tmp_path_factory.mktemp("tokens") / "tokens.json")
    with serving(clew_home, tokens, graphs=(films, unfinished), workers=2) as url:
        yield url
    assert not [child for child in multiprocessing.active_children() if child.name == "clew-worker"]


@pytest.fixture
def client(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=60) as opened:
        yield opened


def workers() -> list[Any]:
    return [child for child in multiprocessing.active_children() if child.name == "clew-worker"]


def test_steps_stream_and_end_in_the_result(client: httpx.Client, films: str) -> None:
    events = sse(client.post("/api/ask", json={"question": QUESTION, "graph": films}).text)
    assert [name for name, _ in events] == ["start", *["step"] * (len(events) - 2), "result"]
    assert names(json.loads(events[-1][1])) == ["Michael Mann"]


def test_a_trace_is_replayed_and_forked_by_a_worker(client: httpx.Client, films: str) -> None:
    id = asked(client, graph=films)["trace_id"]
    again = client.post(f"/api/traces/{id}/replay").json()
    assert (again["outcome"], again["replay_of"]) == ("same", id)
    forked = client.post(f"/api/traces/{id}/fork", json={"from": "link_entities", "strategies": ["paths"]})
    assert forked.json()["replay_of"] == id
    refused = client.post(f"/api/traces/{id}/fork", json={"from": "nosuch"})
    assert (refused.status_code, "no step nosuch" in refused.json()["detail"]) == (422, True)


def test_why_a_graph_cannot_be_opened_is_told(client: httpx.Client, films: str, unfinished: str) -> None:
    graphs = {graph["name"]: graph for graph in client.get("/api/graphs").json()}
    assert (graphs[films]["open"], graphs[films]["failed"]) == (True, None)
    assert (graphs[unfinished]["open"], graphs[unfinished]["opening"]) == (False, None)
    assert "was interrupted" in graphs[unfinished]["failed"]


def test_questions_at_the_same_time_are_all_answered(client: httpx.Client, films: str) -> None:
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append(names(asked(client, graph=films)))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [["Michael Mann"]] * 6


def test_a_conversation_goes_on_whichever_process_answers(client: httpx.Client, films: str) -> None:
    session = f"talk-{uuid.uuid4().hex[:8]}"
    first = asked(client, graph=films, session=session)
    second = asked(client, "and who starred in it?", graph=films, session=session)
    assert names(first) == ["Michael Mann"]
    assert sorted(names(second)) == ["Al Pacino", "Robert De Niro"]
    assert client.get(f"/api/sessions/{session}").json()["turns"][0]["question"] == QUESTION
    assert client.get(f"/api/traces/{second['trace_id']}").json()["question"] == "and who starred in it?"


def test_errors_keep_their_kind_and_remedy(client: httpx.Client, films: str) -> None:
    session = f"talk-{uuid.uuid4().hex[:8]}"
    asked(client, graph=films, session=session)
    answer = client.post("/api/ask", json={"question": QUESTION, "graph": "no such graph"})
    assert answer.status_code == 404
    assert answer.json()["remedy"]


def test_statements_and_other_front_doors_are_answered_too(client: httpx.Client, films: str) -> None:
    verdict = client.post("/api/verify", json={"statement": "Michael Mann directed Heat.", "graph": films}).json()
    assert verdict["verdict"] == "supported"
    said = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": "Michael Mann"}]
    body = {"model": f"clew:{films}", "messages": [*said, {"role": "user", "content": "and who starred in it?"}]}
    told = client.post("/v1/chat/completions", json=body).json()["choices"][0]["message"]["content"]
    assert "Al Pacino" in told
    result = client.post(
        "/ask/invoke", json={"input": {"question": QUESTION}, "config": {"configurable": {"graph": films}}}
    )
    assert names(result.json()["output"]) == ["Michael Mann"]


def test_what_a_process_worked_on_when_it_died_fails_and_it_is_replaced(client: httpx.Client, films: str) -> None:
    seen: list[tuple[str, str]] = []

    def listen() -> None:
        with client.stream("POST", "/api/ask", json={"question": QUESTION, "graph": films}) as answer:
            seen.extend(sse("".join(answer.iter_text())))

    before = {worker.pid for worker in workers()}
    assert len(before) == 2
    for process in before:
        os.kill(process, signal.SIGSTOP)
    thread = threading.Thread(target=listen)
    thread.start()
    until(lambda: client.get("/ready").json()["running"] == 1)
    for process in before:
        os.kill(process, signal.SIGKILL)
    thread.join(60)
    assert seen[-1][0] == "error"
    assert json.loads(seen[-1][1])["status"] == 503
    until(lambda: len({worker.pid for worker in workers()} - before) == 2, 30)
    until(lambda: client.post("/api/ask", json={"question": QUESTION, "graph": films}).status_code == 200, 90)
    assert names(asked(client, graph=films)) == ["Michael Mann"]


def test_whoever_leaves_frees_the_place(client: httpx.Client, films: str) -> None:
    with client.stream("POST", "/api/ask", json={"question": QUESTION, "graph": films}) as answer:
        next(answer.iter_text())
    until(lambda: client.get("/ready").json()["running"] == 0)
    began = time.monotonic()
    assert names(asked(client, graph=films)) == ["Michael Mann"]
    assert time.monotonic() - began < 30
