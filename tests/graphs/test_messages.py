"""What models say, told while they say it: by their servers, in a run's events, and over HTTP; and not where nobody
asked for it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langserve import RemoteRunnable

from clew.agents.models.cache import ReplyCache
from clew.agents.models.calls import ModelFailed
from clew.agents.models.chat import ThinkingFilter
from clew.agents.models.role_models import Models
from clew.app.models import models_of
from clew.app.serving.authentication import TokenFile
from clew.app.settings import load_settings
from clew.graphs.ask import RunRequest, stream
from clew.graphs.question import QuestionGraph
from clew.tools.linking.index import EntityIndex
from tests.agents.test_models import PROMPT, asking, models_on
from tests.app.serving.serving_world import imported, serving, sse
from tests.scripted_model import Request, Said, ScriptedModel, by_text, failing, malformed
from tests.tools.queries.question_world import context, film_index, graph, linker, stand_ins

__all__ = ["film_index", "graph", "stand_ins"]

TEXT = "Ridley Scott directed Alien in 1979, as every film-goer knows."
QUESTION = "Who directed Alien?"


# ---- a reply in pieces ----------------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(["a", " b", "<", "<think>", "</think>", "<thi", "nk>", "hm"]), max_size=12), st.data())
def test_thinking_is_not_said_however_it_is_cut(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pieces = [text[one:other] for one, other in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    one, other = ThinkingFilter(), ThinkingFilter()
    whole = one.next(text)
    assert "".join(other.next(piece) for piece in pieces) == whole
    said = re.sub(r"<think>.*?(?:</think>|\Z)", "", text, flags=re.S)
    assert said.startswith(whole)
    assert "<think>".startswith(said.removeprefix(whole)), "only what may begin a thought is held back"


def test_what_is_said_is_all_but_the_thinking() -> None:
    visible = ThinkingFilter()
    assert "".join(visible.next(each) for each in ["<th", "ink>hm</thi", "nk>Al", "ien"]) == "Alien"
    assert ThinkingFilter().next("a < b") == "a < b"


def hearing(models: Models) -> tuple[Any, list[tuple[str, str]]]:
    heard: list[tuple[str, str]] = []
    model = models.of("reasoner", seconds=10, cancelled=Event(), on_token=lambda call, text: heard.append((call, text)))
    return model, heard


def test_pieces_make_the_reply_and_the_account_is_the_same() -> None:
    with (
        ScriptedModel(Said(TEXT, usage=(30, 12), finish_reason="stop")) as server,
        models_on(server.base_url) as models,
    ):
        model, heard = hearing(models)
        told = model.ask(PROMPT)
        whole = models.of("reasoner", seconds=10, cancelled=Event()).ask(PROMPT)  # type: ignore[union-attr]
        assert "".join(text for _, text in heard) == told.text == whole.text == TEXT
        assert len(heard) > 5
        assert len({call for call, _ in heard}) == 1
        assert (told.usage, told.finish_reason) == (whole.usage, whole.finish_reason)
        assert [request.get("stream", False) for request in server.requests] == [True, False]


def test_pieces_come_before_the_reply_is_whole() -> None:
    with ScriptedModel(Said(TEXT, drip=0.02)) as server, models_on(server.base_url) as models:
        times: list[float] = []
        model = models.of("reasoner", seconds=10, cancelled=Event(), on_token=lambda *_: times.append(time.monotonic()))
        assert model is not None
        model.ask(PROMPT)
        assert time.monotonic() - times[0] > 0.2


def test_a_server_without_streams_gives_its_reply_whole() -> None:
    def script(request: Request) -> str | Said:
        return failing(400, "stream_options is not supported") if request.get("stream") else TEXT

    with ScriptedModel(script) as server, models_on(server.base_url) as models:
        model, heard = hearing(models)
        first, second = model.ask(PROMPT), model.ask(PROMPT)
        assert (first.text, second.text, heard) == (TEXT, TEXT, [])
        assert (first.attempts, second.attempts) == (2, 1)
        assert [bool(request.get("stream")) for request in server.requests] == [True, False, False]


def test_a_stream_that_breaks_off_begins_anew_under_another_name() -> None:
    with asking([Said(TEXT, cut="within"), TEXT]) as (server, _), models_on(server.base_url) as models:
        model, heard = hearing(models)
        assert model.ask(PROMPT).text == TEXT
        first, last = heard[0][0], heard[-1][0]
        assert first != last
        assert "".join(text for call, text in heard if call == last) == TEXT
        assert TEXT.startswith("".join(text for call, text in heard if call == first))


@pytest.mark.parametrize("said", [failing(401), malformed(), Said(status=500, raw=b"{}")])
def test_faults_are_told_as_without_a_stream(said: Said) -> None:
    with ScriptedModel(said) as server, models_on(server.base_url) as models:
        model, heard = hearing(models)
        with pytest.raises(ModelFailed) as streamed:
            model.ask(PROMPT)
        with pytest.raises(ModelFailed) as whole:
            models.of("reasoner", seconds=10, cancelled=Event()).ask(PROMPT)  # type: ignore[union-attr]
        assert streamed.value.reason == whole.value.reason
        assert heard == []


def test_a_kept_reply_is_said_at_once(tmp_path: Path) -> None:
    with ScriptedModel(TEXT) as server, models_on(server.base_url, cache=ReplyCache(tmp_path / "r")) as models:
        model, heard = hearing(models)
        model.ask(PROMPT)
        heard.clear()
        model.ask(PROMPT)
        assert [text for _, text in heard] == [TEXT]


# ---- in a run -------------------------------------------------------------------------------------------------------


def messages(events: list[dict[str, Any]]) -> dict[tuple[str, str], str]:
    """What was said, by node and role."""
    found: dict[tuple[str, str], str] = {}
    for event in events:
        if event["type"] == "message":
            key = event["node"], event["role"]
            found[key] = found.get(key, "") + event["text"]
    return found


LINKED, ANSWERED = linker("Alien", "directed_by"), "<answers>\nRidley Scott [F1]\n</answers>"
SCRIPT = by_text({"opencypher": LINKED}, ANSWERED)


def test_a_run_tells_what_models_say_where_it_is_asked_to(
    graph: QuestionGraph, film_index: EntityIndex, tmp_path: Path
) -> None:
    with ScriptedModel(SCRIPT) as server:
        settings = load_settings(home=tmp_path, model="m", model_base_url=server.base_url, model_api_key="sk-x")
        models = models_of(settings)
        assert models is not None
        try:
            events = list(stream(graph, context(film_index, models=models, messages=True), RunRequest(QUESTION)))
            plain = list(stream(graph, context(film_index, models=models), RunRequest(QUESTION)))
        finally:
            models.close()
    said = messages(events)
    assert said[("link", "linker")] == LINKED
    assert said[("reason", "reasoner")] == ANSWERED
    kinds = [event["type"] for event in events]
    first = next(n for n, event in enumerate(events) if event["type"] == "message")
    done = next(n for n, event in enumerate(events) if event.get("node") == "link" and event["type"] == "step")
    assert first < done
    assert kinds[-1] == "result"
    assert "message" not in {event["type"] for event in plain}
    assert events[-1]["result"]["answers"] == plain[-1]["result"]["answers"]
    assert events[-1]["result"]["model"] == plain[-1]["result"]["model"]


def test_without_a_model_there_is_nothing_to_tell(graph: QuestionGraph, film_index: EntityIndex) -> None:
    events = list(stream(graph, context(film_index, messages=True), RunRequest(QUESTION)))
    assert {event["type"] for event in events} == {"step", "result"}


# ---- over HTTP ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def url(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("facts")
    with (
        imported(clew_home, folder) as films,
        ScriptedModel(by_text({"opencypher": linker("Heat")}, "FINISH")) as model,
    ):
        given = {"model": "m", "model_base_url": model.base_url, "model_api_key": "sk-x"}
        with serving(clew_home, TokenFile(folder / "tokens.json"), graphs=(films,), **given) as url:
            yield f"{url} {films}"


def test_messages_are_streamed_on_request(url: str) -> None:
    url, films = url.split()
    body = {"question": "who directed Heat?", "graph": films}
    events = [(name, json.loads(data)) for name, data in sse(httpx.post(f"{url}/api/ask", json=body, timeout=60).text)]
    assert "message" not in {name for name, _ in events}
    told = httpx.post(f"{url}/api/ask", json={**body, "messages": True}, timeout=60).text
    events = [(name, json.loads(data)) for name, data in sse(told)]
    said = [data for name, data in events if name == "message"]
    assert {(each["node"], each["role"]) for each in said} >= {("link", "linker")}
    assert set(said[0]) == {"type", "role", "node", "call", "text"}
    assert events[-1][0] == "result"
    whole = httpx.post(f"{url}/api/ask", json={**body, "messages": True, "stream": False}, timeout=60).json()
    assert whole["answers"] == events[-1][1]["answers"]


def test_langserve_streams_them_too(url: str) -> None:
    url, films = url.split()
    clew: Any = RemoteRunnable(f"{url}/ask")
    given = {"configurable": {"graph": films, "messages": True}}
    events = list(clew.stream({"question": "who directed Heat?"}, given))
    assert "".join(e["text"] for e in events if e["type"] == "message" and e["role"] == "linker") == linker("Heat")
