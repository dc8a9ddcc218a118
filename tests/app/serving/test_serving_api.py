"""The JSON API for pages, and the OpenAI-compatible one with its own client; two users who must not meet."""

from __future__ import annotations

import gc
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from openai import OpenAI

from clew.app.serving.authentication import TokenFile
from tests.app.serving.serving_world import imported, serving, sse, until

QUESTION = "who directed Heat?"


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with imported(clew_home, tmp_path_factory.mktemp("facts")) as name:
        yield name


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> TokenFile:
    return TokenFile(tmp_path_factory.mktemp("tokens") / "tokens.json")


@pytest.fixture(scope="module")
def secrets(tokens: TokenFile, films: str) -> dict[str, str]:
    limited = {"ann": (films,), "bob": (films,), "eve": ("another graph",)}
    return {user: tokens.add(user, graphs)[1] for user, graphs in limited.items()}


@pytest.fixture(scope="module")
def url(clew_home: Path, films: str, tokens: TokenFile, secrets: dict[str, str]) -> Iterator[str]:
    with serving(clew_home, tokens, graphs=(films,)) as url:
        yield url


def client(url: str, secret: str) -> httpx.Client:
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {secret}"}, timeout=60)


@pytest.fixture
def ann(url: str, secrets: dict[str, str]) -> Iterator[httpx.Client]:
    with client(url, secrets["ann"]) as opened:
        yield opened


@pytest.fixture
def bob(url: str, secrets: dict[str, str]) -> Iterator[httpx.Client]:
    with client(url, secrets["bob"]) as opened:
        yield opened


@pytest.fixture
def eve(url: str, secrets: dict[str, str]) -> Iterator[httpx.Client]:
    with client(url, secrets["eve"]) as opened:
        yield opened


@pytest.fixture
def clew(url: str, secrets: dict[str, str]) -> Iterator[OpenAI]:
    with OpenAI(base_url=f"{url}/v1", api_key=secrets["ann"], max_retries=0, timeout=60) as opened:
        yield opened


def asked(client: httpx.Client, question: str = QUESTION, **given: Any) -> Any:
    answer = client.post("/api/ask", json={"question": question, "stream": False, **given})
    assert answer.status_code == 200, answer.text
    return answer.json()


def names(result: Any) -> list[str]:
    return [answer["name"] for answer in result["answers"]]


def test_steps_stream_and_end_in_the_result(ann: httpx.Client, films: str) -> None:
    events = sse(ann.post("/api/ask", json={"question": QUESTION}).text)
    assert [name for name, _ in events] == ["start", *["step"] * (len(events) - 2), "result"]
    assert [json.loads(data)["node"] for _, data in events[1:4]] == ["contextualize", "link", "link_entities"]
    assert json.loads(events[0][1]) == {"type": "start", "graph": films, "session": None}
    assert names(json.loads(events[-1][1])) == ["Michael Mann"]
    assert names(asked(ann)) == ["Michael Mann"]


def test_the_first_event_comes_before_the_work_is_done(ann: httpx.Client) -> None:
    begun = time.monotonic()
    with ann.stream("POST", "/api/ask", json={"question": QUESTION}) as answer:
        first = next(answer.iter_lines())
        assert first == "event: start"
        assert time.monotonic() - begun < 1


def test_who_one_is_and_what_there_is(ann: httpx.Client, eve: httpx.Client, films: str) -> None:
    assert ann.get("/api/me").json()["user"] == "ann"
    assert ann.get("/api/me").json()["graphs"] == [films]
    (graph,) = ann.get("/api/graphs").json()
    assert (graph["name"], graph["nodes"], graph["open"]) == (films, 14, True)
    assert (graph["opening"], graph["failed"]) == (None, None)
    schema = ann.get(f"/api/graphs/{films}/schema").json()
    assert {"directed_by", "starred_actors"} <= {relation["type"] for relation in schema["relations"]}
    assert eve.get("/api/graphs").json() == []
    assert eve.get("/api/me").json()["graphs"] == []


def test_examples_are_questions_that_can_be_answered(ann: httpx.Client, films: str) -> None:
    examples = ann.get(f"/api/graphs/{films}/examples").json()
    assert len(examples) >= 2
    for question in examples:
        found = asked(ann, question)
        assert len(found["answers"]) >= 2, question
        assert found["confidence"] > 0.5, question


def test_a_graph_that_is_not_one_s_own_is_not_there(eve: httpx.Client, films: str) -> None:
    for answer in (
        eve.get(f"/api/graphs/{films}/schema"),
        eve.get(f"/api/graphs/{films}/examples"),
        eve.post("/api/ask", json={"question": QUESTION, "graph": films}),
        eve.post("/api/verify", json={"statement": "Michael Mann directed Heat.", "graph": films}),
        eve.post(
            "/v1/chat/completions", json={"model": f"clew:{films}", "messages": [{"role": "user", "content": "x"}]}
        ),
        eve.post("/ask/invoke", json={"input": {"question": "x"}, "config": {"configurable": {"graph": films}}}),
        eve.post("/ask/batch", json={"inputs": [{"question": "x"}], "config": [{"configurable": {"graph": films}}]}),
        eve.post("/verify/stream", json={"input": {"statement": "x"}, "config": {"configurable": {"graph": films}}}),
        eve.get(f"/v1/models/clew:{films}"),
    ):
        assert answer.status_code == 404, answer.url
        assert "14" not in answer.text.replace(films, "")
    assert eve.post("/api/ask", json={"question": QUESTION}).status_code == 422


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..%2f..%2fetc", "a\x00b", "x' OR 1=1 --", "`", "\u202e", "a" * 200]
)
def test_odd_graph_names_are_not_there(ann: httpx.Client, name: str) -> None:
    answer = ann.post("/api/ask", json={"question": QUESTION, "graph": name})
    assert answer.status_code == 404
    assert ann.get(f"/api/graphs/{name.encode().hex()}/schema").status_code == 404


def test_a_statement_is_checked(ann: httpx.Client) -> None:
    result = ann.post("/api/verify", json={"statement": "Michael Mann directed Heat."}).json()
    assert result["verdict"] == "supported"
    assert ann.get(f"/api/traces/{result['trace_id']}").json()["question"] == "Michael Mann directed Heat."


def test_sessions_are_listed_resumed_renamed_exported_and_deleted(ann: httpx.Client, films: str) -> None:
    asked(ann, session="films night")
    assert set(names(asked(ann, "and who starred in it?", session="films night"))) == {"Al Pacino", "Robert De Niro"}
    (listed,) = [each for each in ann.get("/api/sessions").json() if each["name"] == "films night"]
    assert (listed["graph"], listed["title"], listed["turns"]) == (films, QUESTION, 2)
    kept = ann.get("/api/sessions/films night").json()
    assert [turn["question"] for turn in kept["turns"]] == [QUESTION, "and who starred in it?"]
    assert kept["turns"][0]["result"]["evidence"]
    assert ann.patch("/api/sessions/films night", json={"name": "neu ä"}).json() == {"name": "neu ä"}
    assert ann.get("/api/sessions/films night").status_code == 404
    assert names(asked(ann, "and when was it released?", session="neu ä")) == ["1995"]
    exported = ann.get("/api/sessions/neu ä/export", params={"format": "markdown"})
    assert "## who directed Heat?" in exported.text
    assert "Heat is directed by Michael Mann [1]." in exported.text
    assert json.loads(ann.get("/api/sessions/neu ä/export").text)["turns"][0]["question"] == QUESTION
    trace = kept["turns"][0]["result"]["trace_id"]
    assert ann.delete("/api/sessions/neu ä").status_code == 204
    assert ann.get("/api/sessions/neu ä").status_code == 404
    assert ann.get(f"/api/traces/{trace}").status_code == 404


def test_another_s_sessions_and_traces_are_not_there(ann: httpx.Client, bob: httpx.Client) -> None:
    trace = asked(ann, session="secret")["trace_id"]
    before = ann.get("/api/sessions/secret").json()
    for name in ("secret", "ann/secret", "ann%2fsecret", "../ann/secret", "%2e%2e%2fann%2fsecret"):
        assert bob.get(f"/api/sessions/{name}").status_code in (404, 422)
        assert bob.get(f"/api/sessions/{name}/export").status_code in (404, 422)
        assert bob.patch(f"/api/sessions/{name}", json={"name": "mine"}).status_code in (404, 405, 422)
        assert bob.delete(f"/api/sessions/{name}").status_code in (404, 405, 422)
    asked(bob, session="own")
    assert bob.patch("/api/sessions/own", json={"name": "ann/own"}).status_code == 422
    for id in (trace, trace[:6], "", "%", "_" * 16):
        for path in (f"/api/traces/{id}", f"/api/traces/{id}/export", f"/api/traces/{id}/diff/{id}"):
            answer = bob.get(path)
            assert answer.status_code == 404 or trace not in answer.text
    assert trace not in bob.get("/api/traces", params={"limit": 500}).text
    assert bob.get("/api/traces", params={"owner": "ann"}).status_code == 422
    assert ann.get("/api/sessions/secret").json() == before
    assert ann.get(f"/api/traces/{trace}").status_code == 200


def test_traces_are_filtered_compared_and_exported(ann: httpx.Client, films: str) -> None:
    one, other = asked(ann)["trace_id"], asked(ann, strategies=["triplets"])["trace_id"]
    empty = asked(ann, "who directed Zzyzx Qwertz?")
    listed = ann.get("/api/traces", params={"graph": films, "strategy": "triplets", "limit": 500}).json()
    assert other in {run["id"] for run in listed}
    assert one not in {run["id"] for run in listed}
    if not empty["answers"]:
        assert empty["trace_id"] in {run["id"] for run in ann.get("/api/traces", params={"empty": True}).json()}
    assert ann.get("/api/traces", params={"slower_ms": 1e9}).json() == []
    assert ann.get("/api/traces", params={"status": "error"}).json() == []
    begun = ann.get(f"/api/traces/{one}").json()["started"]
    assert one not in {run["id"] for run in ann.get("/api/traces", params={"before": begun}).json()}
    diff = ann.get(f"/api/traces/{one}/diff/{other}").json()
    assert {step["step"] for step in diff["steps"] if step["a"] is None} >= {"triplets"}
    assert ann.get(f"/api/traces/{one}/diff/{one}").json()["same"]
    assert f"trace-{one}.json" in ann.get(f"/api/traces/{one}/export").headers["content-disposition"]


@pytest.mark.parametrize(
    "body",
    [
        b"", b"[]", b"{", b"\xff", b'{"question": ""}', b'{"question": "  "}', b'{"question": 5}',
        b'{"question": "\\ud800"}', b'{"question": "x", "rows": 0}', b'{"question": "x", "seconds": "NaN"}',
        b'{"question": "x", "owner": "ann"}', b'{"question": "x", "thread": "ann/secret"}',
        b'{"question": "x", "session": "a/b"}', b'{"question": "x", "strategies": []}',
        b'{"question": "' + b"x" * 4001 + b'"}', b'{"question": ' + b"[" * 3000 + b"]" * 3000 + b"}",
    ],
)  # fmt: skip
def test_a_bad_question_is_refused_without_a_word_of_what_is_inside(ann: httpx.Client, body: bytes) -> None:
    answer = ann.post("/api/ask", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    assert "detail" in answer.json()
    assert "Traceback" not in answer.text
    assert "pydantic" not in answer.text


def test_a_method_is_named_in_a_request(ann: httpx.Client, films: str) -> None:
    result = asked(ann, method="graphraft")
    assert result["answers"][0]["name"] == "Michael Mann"
    trace = ann.get(f"/api/traces/{result['trace_id']}").json()
    assert (trace["given"]["method"], trace["given"]["strategies"]) == ("graphraft", ["cypher"])
    methods = ann.get("/api/traces/choices").json()["methods"]
    assert methods[0]["name"] == "default"
    assert all(each["does"] for each in methods)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"method": "rag"}, "There are default, graphraft"),
        ({"method": "spark"}, "needs nodes with texts"),
        ({"method": "byokg", "strategies": ["read"]}, "not both"),
    ],
)
def test_a_method_that_cannot_be_used_is_told(ann: httpx.Client, films: str, given: dict[str, Any], told: str) -> None:
    answer = ann.post("/api/ask", json={"question": "who directed Heat?", "graph": films, "stream": False, **given})
    assert answer.status_code == 422
    assert told in answer.text


def test_a_session_is_about_one_graph(ann: httpx.Client, films: str, tmp_path: Path) -> None:
    asked(ann, session="about films")
    assert (
        ann.post("/api/ask", json={"question": "x", "session": "about films", "graph": "elsewhere"}).status_code == 404
    )


def test_no_secret_is_kept(ann: httpx.Client, secrets: dict[str, str], clew_home: Path) -> None:
    asked(ann, f"who directed Heat? Bearer {secrets['ann']}")
    for path in clew_home.glob("traces.sqlite*"):
        assert secrets["ann"].encode() not in path.read_bytes()
    assert secrets["ann"] not in ann.get("/metrics").text


# OpenAI's own client.


def test_models_are_graphs(clew: OpenAI, films: str) -> None:
    assert [model.id for model in clew.models.list()] == [f"clew:{films}"]
    assert clew.models.retrieve(f"clew:{films}").owned_by == "clew"


def test_an_answer_in_sentences_with_its_evidence(clew: OpenAI, films: str) -> None:
    said = clew.chat.completions.create(model=f"clew:{films}", messages=[{"role": "user", "content": QUESTION}])
    assert re.fullmatch(
        r"Heat is directed by Michael Mann \[1\]\.\n\nRead as: (People|Person) that Heat is directed by\n\n"
        r"\[1\] Heat — directed by → Michael Mann",
        said.choices[0].message.content or "",
    )
    assert said.choices[0].finish_reason == "stop"
    assert said.usage is not None
    assert said.usage.total_tokens == said.usage.prompt_tokens + said.usage.completion_tokens > 0
    assert said.model_extra is not None
    assert said.model_extra["clew"]["trace_id"]


def test_it_streams_and_says_what_it_took(clew: OpenAI, films: str) -> None:
    chunks = list(
        clew.chat.completions.create(
            model=f"clew:{films}",
            messages=[{"role": "user", "content": [{"type": "text", "text": QUESTION}]}],
            stream=True,
            stream_options={"include_usage": True},
            temperature=0.3,
        )
    )
    assert chunks[0].choices[0].delta.role == "assistant"
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text.startswith("Heat is directed by Michael Mann [1].")
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].usage is not None
    assert len({chunk.id for chunk in chunks}) == 1


@pytest.mark.parametrize("echoed", [True, False], ids=["as it was said", "in other words"])
def test_a_follow_up_is_understood_from_the_messages(clew: OpenAI, films: str, echoed: bool) -> None:
    first = clew.chat.completions.create(model=f"clew:{films}", messages=[{"role": "user", "content": QUESTION}])
    said = (first.choices[0].message.content or "") if echoed else "It was Michael Mann."
    follow = clew.chat.completions.create(
        model=f"clew:{films}",
        messages=[
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": QUESTION},
            {"role": "assistant", "content": said},
            {"role": "user", "content": "and who starred in it?"},
        ],
    )
    assert (follow.choices[0].message.content or "").startswith("Heat starred Al Pacino [1] and Robert De Niro [2].")


def test_errors_are_openais(clew: OpenAI, url: str, films: str) -> None:
    with pytest.raises(openai.NotFoundError, match="no graph"):
        clew.chat.completions.create(model="clew:nothing", messages=[{"role": "user", "content": "x"}])
    with pytest.raises(openai.NotFoundError, match="no model"):
        clew.chat.completions.create(model="gpt-4", messages=[{"role": "user", "content": "x"}])
    for messages in ([], [{"role": "assistant", "content": "x"}], [{"role": "user", "content": " "}],
                     [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}],
                     [{"role": "king", "content": "x"}], [{"role": "user", "content": "x" * 4001}]):  # fmt: skip
        with pytest.raises(openai.BadRequestError):
            clew.chat.completions.create(model=f"clew:{films}", messages=messages)  # type: ignore[arg-type]
    with pytest.raises(openai.BadRequestError):
        clew.chat.completions.create(model=f"clew:{films}", messages=[{"role": "user", "content": "x"}], n=2)
    stranger = OpenAI(base_url=f"{url}/v1", api_key="wrong", max_retries=0)
    with stranger, pytest.raises(openai.AuthenticationError):
        stranger.models.list()


def test_a_graph_that_changes_is_opened_anew(ann: httpx.Client, clew_home: Path, films: str, tmp_path: Path) -> None:
    from clew.app.cli import run

    path = tmp_path / "more.txt"
    path.write_text("Ali|directed_by|Michael Mann\n", encoding="utf-8")
    assert run(["--home", str(clew_home), "import", str(path), "--graph", films]) == 0
    until(lambda: names(asked(ann, "who directed Ali?")) == ["Michael Mann"], 30)


def test_what_is_opened_is_left_alone_by_the_garbage_collector(ann: httpx.Client) -> None:
    """The server runs in this process. All threads would wait while the collector walks over a graph's names."""
    assert names(asked(ann, "who directed Heat?")) == ["Michael Mann"]
    assert gc.get_freeze_count() > 1000
