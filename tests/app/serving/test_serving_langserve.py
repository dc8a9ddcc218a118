"""LangServe's routes over a real socket: what goes wrong in 0.3.3 with a compiled graph does not here."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langserve import RemoteRunnable

from clew.app.serving.authentication import TokenFile
from tests.app.serving.serving_world import serving, sse

QUESTION = {"question": "who directed Heat?"}


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> TokenFile:
    return TokenFile(tmp_path_factory.mktemp("tokens") / "tokens.json")


@pytest.fixture(scope="module")
def secrets(tokens: TokenFile) -> dict[str, str]:
    return {user: tokens.add(user)[1] for user in ("ann", "bob")}


@pytest.fixture(scope="module")
def url(clew_home: Path, films: str, tokens: TokenFile, secrets: dict[str, str]) -> Iterator[str]:
    with serving(clew_home, tokens, graphs=(films,)) as url:
        yield url


@pytest.fixture
def ann(url: str, secrets: dict[str, str]) -> Iterator[httpx.Client]:
    with client(url, secrets["ann"]) as opened:
        yield opened


def client(url: str, secret: str) -> httpx.Client:
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {secret}"}, timeout=60)


def body(films: str, **configurable: Any) -> dict[str, Any]:
    return {"input": QUESTION, "config": {"configurable": {"graph": films, **configurable}}}


def remote(url: str, secret: str, path: str = "/ask") -> RemoteRunnable[Any, Any]:
    return RemoteRunnable(f"{url}{path}", headers={"Authorization": f"Bearer {secret}"}, timeout=60)


def names(output: Any) -> list[str]:
    return [answer["name"] for answer in output["answers"]]


def test_langserves_own_client_asks_streams_and_batches(url: str, films: str, secrets: dict[str, str]) -> None:
    asked, config = remote(url, secrets["ann"]), {"configurable": {"graph": films}, "tags": ["a"], "metadata": {"b": 1}}
    assert names(asked.invoke(QUESTION, config)) == ["Michael Mann"]  # type: ignore[arg-type]
    events = list(asked.stream(QUESTION, config))  # type: ignore[arg-type]
    assert events[0] == {"type": "start", "graph": films, "session": None}
    assert [event["node"] for event in events[1:-1]][:3] == ["contextualize", "link", "link_entities"]
    assert names(events[-1]["result"]) == ["Michael Mann"]
    several = asked.batch([QUESTION, {"question": "who wrote Taxi Driver?"}], config)  # type: ignore[arg-type]
    assert [names(output) for output in several] == [["Michael Mann"], ["Paul Schrader"]]
    checked = remote(url, secrets["ann"], "/verify").invoke({"statement": "Michael Mann directed Heat."}, config)  # type: ignore[arg-type]
    assert checked["verdict"] == "supported"


def test_its_asynchronous_client_sees_events_and_logs(url: str, films: str, secrets: dict[str, str]) -> None:
    async def ask() -> tuple[list[Any], list[Any]]:
        asked, config = remote(url, secrets["ann"]), {"configurable": {"graph": films}}
        try:
            events = [each async for each in asked.astream_events(QUESTION, config, version="v2")]  # type: ignore[arg-type]
            logs = [each async for each in asked.astream_log(QUESTION, config)]  # type: ignore[arg-type]
            return events, logs
        finally:
            await asked.async_client.aclose()

    events, logs = asyncio.run(ask())
    nodes = [each["data"]["chunk"].get("node") for each in events if each["event"] == "on_chain_stream"]
    assert "read" in nodes
    assert "Michael Mann" in json.dumps(logs[-1].ops if logs[-1].ops else [op for log in logs for op in log.ops])


def test_every_streaming_call_has_events_not_only_the_first(ann: httpx.Client, films: str) -> None:
    for path in ("stream", "stream_log", "stream_events", "stream", "stream_log", "stream_events"):
        events = sse(ann.post(f"/ask/{path}", json=body(films)).text)
        assert events[-1][0] == "end", path
        assert "Michael Mann" in json.dumps(events, ensure_ascii=False), path
        assert all(json.loads(data) for event, data in events if event == "data"), path


def test_schemas_ask_for_a_question_and_nothing_else(ann: httpx.Client) -> None:
    assert ann.get("/ask/input_schema").json()["required"] == ["question"]
    assert "evidence" in ann.get("/ask/output_schema").json()["properties"]
    settable = ann.get("/ask/config_schema").json()["$defs"]["Configurable"]["properties"]
    limits, how = {"seconds", "rows", "tokens"}, {"method", "strategies", "reading", "strict", "model", "without_model"}
    assert set(settable) == {"graph", "session", "origin", "updates", "messages"} | limits | how
    assert ann.get("/verify/input_schema").json()["required"] == ["statement"]
    assert ann.get("/ask/playground/").status_code == 200
    assert ann.get("/ask/c/N4XyA/input_schema").json()["required"] == ["question"]
    assert ann.get("/ask/c/N4XyA/config_schema").status_code == 404
    assert ann.post("/ask/c/N4XyA/invoke", json=body("x")).status_code == 404
    for path in ("assets", "..%2f..%2fserver.py", "%2e%2e/%2e%2e/server.py", "%2fetc%2fpasswd"):
        assert ann.get(f"/ask/playground/{path}").status_code == 404


def test_what_nodes_write_is_told_as_json(ann: httpx.Client, films: str) -> None:
    events = [
        json.loads(data) for event, data in sse(ann.post("/ask/stream", json=body(films, updates=True)).text) if data
    ]
    written = {event["node"]: event["update"] for event in events if event.get("type") == "update"}
    assert written["contextualize"]["evidence"] == {}
    assert written["reason"]["answers"][0]["name"] == "Michael Mann"


def test_settings_of_a_request_are_heeded(ann: httpx.Client, films: str) -> None:
    output = ann.post("/ask/invoke", json=body(films, strategies=["triplets"])).json()["output"]
    assert {found["strategy"] for item in output["evidence"] for found in item["found_by"]} == {"triplets"}
    one = ann.post(
        "/ask/invoke",
        json={"input": {"question": "who starred in Heat?"}, "config": {"configurable": {"graph": films, "rows": 1}}},
    )
    assert len(one.json()["output"]["answers"]) == 1


def test_a_session_is_the_user_s_own(url: str, films: str, ann: httpx.Client, secrets: dict[str, str]) -> None:
    follow_up = {"input": {"question": "and who starred in it?"}, "config": {"configurable": {"session": "s"}}}
    ann.post("/ask/invoke", json=body(films, session="s"))
    assert set(names(ann.post("/ask/invoke", json=follow_up).json()["output"])) == {"Al Pacino", "Robert De Niro"}
    with client(url, secrets["bob"]) as bob:
        before = {session["name"] for session in bob.get("/api/sessions").json()}
        stranger = {**follow_up, "config": {"configurable": {"session": "s", "graph": films}}}
        without = set(names(bob.post("/ask/invoke", json=stranger).json()["output"]))
        assert without != {"Al Pacino", "Robert De Niro"}
        for stolen in ("ann/s", "../ann/s", "ann%2Fs"):
            stranger["config"]["configurable"]["session"] = stolen
            answer = bob.post("/ask/invoke", json=stranger)
            found = set() if answer.status_code == 422 else set(names(answer.json()["output"]))
            assert not found & {"Al Pacino"} or found == without
        after = {session["name"] for session in bob.get("/api/sessions").json()}
        assert after - before <= {"s", "ann%2Fs"}


@pytest.mark.parametrize(
    "configurable", [{"thread_id": "ann/s"}, {"__caller": {"owner": "ann"}}, {"checkpoint_id": "1"}]
)
def test_what_the_server_sets_cannot_be_set_by_a_client(
    ann: httpx.Client, films: str, configurable: dict[str, Any]
) -> None:
    for path in ("invoke", "stream", "stream_log", "stream_events"):
        assert ann.post(f"/ask/{path}", json=body(films, **configurable)).status_code == 422


def test_items_of_a_batch_do_not_share_a_session(ann: httpx.Client, films: str) -> None:
    asked = {
        "inputs": [QUESTION, {"question": "and who starred in it?"}],
        "config": {"configurable": {"graph": films, "session": "batch"}},
    }
    first, second = ann.post("/ask/batch", json=asked).json()["output"]
    assert names(first) == ["Michael Mann"]
    assert set(names(second)) != {"Al Pacino", "Robert De Niro"}
    kept = {session["name"]: session["turns"] for session in ann.get("/api/sessions").json()}
    assert (kept["batch.1"], kept["batch.2"]) == (1, 1)
    assert "batch" not in kept


BAD_BATCHES: list[Any] = [
    {"inputs": [QUESTION, {"statement": "no"}]},
    {"inputs": [QUESTION, "who?"]},
    {"inputs": [QUESTION, {"question": ""}]},
    {"inputs": [QUESTION, {"question": "x" * 4001}]},
    {"inputs": []},
    {"inputs": [QUESTION] * 17},
    {"inputs": [QUESTION], "config": [{}, {}]},
    {"inputs": [QUESTION], "config": None},
    {"inputs": [QUESTION], "config": "quick"},
    {"inputs": QUESTION},
    [],
]


@pytest.mark.parametrize("asked", BAD_BATCHES, ids=lambda asked: json.dumps(asked)[:60])
def test_a_bad_item_of_a_batch_is_the_client_s_fault(ann: httpx.Client, asked: Any) -> None:
    answer = ann.post("/ask/batch", json=asked)
    assert answer.status_code == 422
    assert "Traceback" not in answer.text


BAD: list[bytes] = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b'{"input": {"question": "\xff"}}',
    b'{"input": {"question": "\\ud800"}}',
    b'{"input": {"question": "who?"}, "config": null}',
    b'{"input": {"question": "who?"}, "config": {"configurable": {"seconds": -1}}}',
    b'{"input": {"question": "who?"}, "config": {"configurable": {"seconds": NaN}}}',
    b'{"input": {"question": "who?"}, "config": {"configurable": {"rows": 1e400}}}',
    b'{"input": {"question": "who?"}, "config": {"configurable": {"strategies": ["all"]}}}',
    b'{"input": {"question": "who?"}, "config": {"configurable": {"session": "a/b"}}}',
    b'{"input": {"question": "who?"}, "include_names": 5}',
    b'{"input": {"question": "who?"}, "x": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    b'{"input": {"question": "who?", "__proto__": {}}}',
]


@pytest.mark.parametrize("content", BAD, ids=lambda content: content[:60].decode("latin-1"))
@pytest.mark.parametrize("path", ["invoke", "stream", "stream_log", "stream_events"])
def test_a_bad_body_is_the_client_s_fault(ann: httpx.Client, path: str, content: bytes) -> None:
    answer = ann.post(f"/ask/{path}", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert "Traceback" not in answer.text


def test_an_unknown_graph_is_refused_before_a_stream_begins(ann: httpx.Client) -> None:
    for path in ("invoke", "stream", "stream_log", "stream_events"):
        answer = ann.post(f"/ask/{path}", json=body("../../etc/passwd"))
        assert (answer.status_code, "no graph" in answer.json()["detail"]) == (404, True)
