"""The generator as a service, over real sockets; and its clients, for it and for OpenAI-compatible servers."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from langserve import RemoteRunnable
from sse_starlette.sse import AppStatus

from clew.agents.generating.chooser import ChooserFailed, LocalChooser
from clew.agents.generating.choosers import chooser_of
from clew.agents.generating.served_choosers import OpenAIChooser, ServiceChooser
from clew.app.cli import run
from clew.app.serving.generator import MOST_BYTES, generator_app
from clew.tools.errors import BadInput, ClewError
from clew.tools.learning.generation.chosen import MOST_CHARACTERS, Choice, ChosenText, Step, within_budget
from clew.tools.learning.generation.chosen import Request as ChoiceRequest
from tests.app.serving.serving_world import listening, until
from tests.neo4j_server import free_port
from tests.scripted_model import Request, Said, ScriptedModel, failing

TEXTS = ["MATCH a", "MATCH b", "MATCH c"]


@dataclass
class Scripted:
    """Chooses the last text; waits for `go` where it is cleared."""

    name: str = "scripted"
    asked: list[tuple[str, list[str], int]] = field(default_factory=list)
    go: threading.Event = field(default_factory=threading.Event)
    failing: Exception | None = None
    window: int | None = 4096
    counter: None = None

    def choose_all(self, requests: Sequence[ChoiceRequest]) -> list[Choice | ClewError]:
        return [self.choose(each.prompt, each.texts, each.m) for each in requests]

    def prepare(self) -> None:
        self.go.set()

    def choose(self, prompt: str, texts: Sequence[str], m: int, *, seconds: float = 60.0) -> Choice:
        self.asked.append((prompt, list(texts), m))
        assert self.go.wait(10)
        if self.failing is not None:
            raise self.failing
        step = Step("c", 0.75, (("c", 0.75), ("b", 0.25)), 3)
        chosen = (ChosenText(len(texts) - 1, 0.75, (step,)), ChosenText(0, 0.25))
        return Choice(chosen[:m], True, len(texts), 2, 1.5)


@contextmanager
def serving(chooser: Scripted, token: str | None = None, most_waiting: int = 32) -> Iterator[str]:
    with listening(generator_app(chooser, token, most_waiting=most_waiting)) as url:
        try:
            yield url
        finally:
            chooser.go.set()


def ready() -> Scripted:
    chooser = Scripted()
    chooser.prepare()
    return chooser


def asked(**more: Any) -> dict[str, Any]:
    return {"input": {"prompt": "Who?", "candidates": TEXTS, **more}}


def test_a_client_gets_what_the_model_chose() -> None:
    chooser = ready()
    with serving(chooser) as url:
        found = ServiceChooser(url).choose("Who?", TEXTS, 2)
        assert found == chooser.choose("Who?", TEXTS, 2)
        assert httpx.get(f"{url}/health").json()["model"] == "scripted"
        assert ServiceChooser(url).window == 4096


def test_langserves_own_client_asks_it_for_one_for_several_and_for_a_stream() -> None:
    chooser = ready()
    with serving(chooser, "secret") as url:
        remote: RemoteRunnable[Any, Any] = RemoteRunnable(url, headers={"Authorization": "Bearer secret"}, timeout=20)
        input = asked(m=2)["input"]
        one = remote.invoke(input, {"tags": ["a"], "metadata": {"b": 1}, "configurable": {"thread_id": "c"}})
        assert Choice.from_json(one, len(TEXTS)) == chooser.choose("Who?", TEXTS, 2)
        several = remote.batch([input, asked(prompt="When?", m=1)["input"]])
        assert [len(output["chosen"]) for output in several] == [2, 1]
        assert list(remote.stream(input)) == [one]
        assert asyncio.run(asked_and_closed(remote, input)) == one
        stranger: RemoteRunnable[Any, Any] = RemoteRunnable(url, timeout=20)
        with pytest.raises(httpx.HTTPStatusError, match="401"):
            stranger.invoke(input)
        with pytest.raises(httpx.HTTPStatusError, match="401"):
            list(stranger.stream(input))


async def asked_and_closed(remote: RemoteRunnable[Any, Any], input: Any) -> Any:
    try:
        return await remote.ainvoke(input)
    finally:
        await remote.async_client.aclose()  # its connections are of this loop


def test_it_says_what_it_takes_and_gives() -> None:
    with serving(ready(), "secret") as url:
        assert httpx.get(f"{url}/input_schema").status_code == 401
        own = {"Authorization": "Bearer secret"}
        assert "candidates" in httpx.get(f"{url}/input_schema", headers=own).json()["properties"]
        assert "passes" in httpx.get(f"{url}/output_schema", headers=own).text
        assert httpx.get(f"{url}/playground/", headers=own).status_code == 404


def test_a_stream_is_one_event_and_refused_before_it_begins() -> None:
    chooser = ready()
    with serving(chooser, most_waiting=1) as url:
        said = httpx.post(f"{url}/stream", json=asked())
        assert said.headers["content-type"].startswith("text/event-stream")
        assert [line for line in said.text.splitlines() if line.startswith("event:")] == [
            "event: metadata",
            "event: data",
            "event: end",
        ]
        assert httpx.post(f"{url}/stream", json=asked(m=0)).status_code == 422
        assert httpx.post(f"{url}/batch", json={"inputs": [asked()["input"]] * 2}).status_code == 503
        assert httpx.post(f"{url}/invoke", json=asked()).status_code == 200


def test_a_batch_with_anything_bad_in_it_is_refused_whole() -> None:
    chooser, good = ready(), {"prompt": "Who?", "candidates": TEXTS}
    bad = ([], [good, {"prompt": "Who?"}], [good] * 33, "Who?")
    with serving(chooser, most_waiting=64) as url:
        for body in (*({"inputs": inputs} for inputs in bad), {"inputs": [good], "config": [{}, {}]}, []):
            assert httpx.post(f"{url}/batch", json=body).status_code == 422, body
        assert httpx.post(f"{url}/batch", content=b"{").status_code == 422
        assert not chooser.asked


def test_only_who_has_the_token_may_ask() -> None:
    with serving(ready(), "secret") as url:
        assert httpx.post(f"{url}/invoke", json=asked()).status_code == 401
        assert httpx.post(f"{url}/invoke", json=asked(), headers={"Authorization": "Bearer wrong"}).status_code == 401
        assert httpx.get(f"{url}/health").status_code == 200
        assert ServiceChooser(url, "secret").choose("Who?", TEXTS, 1).chosen[0].index == 2
        with pytest.raises(ChooserFailed, match="refuses the token"):
            ServiceChooser(url, "wrong").choose("Who?", TEXTS, 1)


def test_equal_requests_that_wait_together_are_answered_by_one_search() -> None:
    chooser = Scripted()
    with serving(chooser) as url, ThreadPoolExecutor(8) as pool:
        first = pool.submit(httpx.post, f"{url}/invoke", json=asked(prompt="first"))
        until(lambda: chooser.asked)
        rest = [pool.submit(httpx.post, f"{url}/invoke", json=asked()) for _ in range(6)]
        until(lambda: httpx.get(f"{url}/health").json()["waiting"] == 6)
        chooser.go.set()
        assert {reply.result().status_code for reply in [first, *rest]} == {200}
        assert [prompt for prompt, _, _ in chooser.asked] == ["first", "Who?"]


def test_too_many_are_asked_to_come_back_and_a_client_does() -> None:
    chooser = Scripted()
    with serving(chooser, most_waiting=1) as url, ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(httpx.post, f"{url}/invoke", json=asked(prompt="1"), timeout=20)]
        until(lambda: chooser.asked)  # else the first one still stands in line
        waiting.append(pool.submit(httpx.post, f"{url}/invoke", json=asked(prompt="2"), timeout=20))
        until(lambda: httpx.get(f"{url}/health").json()["waiting"] == 1)
        refused = httpx.post(f"{url}/invoke", json=asked())
        assert refused.status_code == 503
        assert int(refused.headers["Retry-After"]) > 0
        with pytest.raises(ChooserFailed, match="503"):
            ServiceChooser(url).choose("Who?", TEXTS, 1, seconds=1)
        patient = pool.submit(ServiceChooser(url).choose, "Who?", TEXTS, 1, seconds=20)
        chooser.go.set()
        assert patient.result().chosen[0].index == 2
        assert {reply.result().status_code for reply in waiting} == {200}


def test_a_request_that_makes_no_sense_is_refused() -> None:
    senseless = [asked(prompt=""), asked(candidates=[]), asked(m=0), asked(candidates=["x"] * 2001)]
    senseless += [asked(file="/etc/passwd"), {**asked(), "config": "quick"}, {}]
    with serving(ready()) as url:
        for body in (*senseless, []):
            assert httpx.post(f"{url}/invoke", json=body).status_code == 422, body


def test_a_body_that_is_too_large_is_refused_whether_it_says_so_or_not() -> None:
    with serving(ready()) as url:
        large = b" " * (MOST_BYTES + 1)
        assert httpx.post(f"{url}/invoke", content=large).status_code == 413
        assert httpx.post(f"{url}/invoke", content=(large[i : i + 65536] for i in range(0, len(large), 65536))).is_error
        assert httpx.post(f"{url}/invoke", json=asked()).status_code == 200


def test_a_model_that_fails_says_why_and_the_service_lives_on() -> None:
    chooser = ready()
    chooser.failing = BadInput("The prompt is too long.", "Ask less.")
    with serving(chooser) as url:
        with pytest.raises(ChooserFailed, match=r"422.*too long"):
            ServiceChooser(url).choose("Who?", TEXTS, 1)
        chooser.failing = RuntimeError("a fault")
        assert httpx.post(f"{url}/invoke", json=asked()).status_code == 500
        chooser.failing = None
        assert ServiceChooser(url).choose("Who?", TEXTS, 1).chosen


def test_a_server_that_is_away_or_says_something_else() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(ChooserFailed, match="cannot be reached"):
            ServiceChooser(url).choose("Who?", TEXTS, 1, seconds=2)
    with ScriptedModel("hello") as server, pytest.raises(ChooserFailed, match="404"):
        ServiceChooser(server.base_url).choose("Who?", TEXTS, 1, seconds=2)


def test_a_choice_of_what_was_not_offered_is_refused() -> None:
    value = Choice((ChosenText(3, 0.5),), True, 3, 1, 1.0).to_json()
    with pytest.raises(ValueError, match="not offered"):
        Choice.from_json(value, 3)
    assert Choice.from_json(value, 4).to_json() == value


# An OpenAI-compatible server that keeps to a list.


def structured(request: Request) -> Said | str:
    return str(request["structured_outputs"]["choice"][1]) if "structured_outputs" in request else failing(400)


def guided(request: Request) -> Said | str:
    return str(request["guided_choice"][1]) if "guided_choice" in request else "I would rather talk."


@pytest.mark.parametrize("script", [structured, guided], ids=["structured_outputs", "guided_choice"])
def test_a_vllm_server_chooses_in_either_of_its_ways(script: Any) -> None:
    with ScriptedModel(script) as server:
        found = chooser_of(server.base_url, token="sk").choose("Who?", TEXTS, 5)
        assert [each.index for each in found.chosen] == [1]
        assert server.requests[0].model == "scripted"
        assert server.requests[0].user == "Who?"
        assert server.requests[0].headers["authorization"] == "Bearer sk"


def test_the_probability_is_what_the_server_tells() -> None:
    import json

    choice = {
        "message": {"content": TEXTS[0]},
        "logprobs": {"content": [{"logprob": -0.5}, {"logprob": -0.25}]},
    }
    with ScriptedModel(Said(raw=json.dumps({"choices": [choice]}).encode())) as server:
        found = OpenAIChooser(server.base_url, "m").choose("Who?", TEXTS, 1)
        assert found.chosen[0].probability == pytest.approx(0.4724, abs=1e-4)


@pytest.mark.parametrize("script", ["I would rather talk.", failing(500), Said(text=None), Said(choices=0)])
def test_a_server_that_does_not_keep_to_the_list_fails(script: Any) -> None:
    with ScriptedModel(script) as server, pytest.raises(ChooserFailed):
        OpenAIChooser(server.base_url, "m").choose("Who?", TEXTS, 1, seconds=5)


def test_where_a_setting_leads() -> None:
    assert isinstance(chooser_of("some/model"), LocalChooser)
    assert isinstance(chooser_of("http://localhost:8321"), ServiceChooser)
    assert isinstance(chooser_of("https://localhost:8000/v1/"), OpenAIChooser)
    with pytest.raises(BadInput, match="web address"):
        chooser_of("bolt://localhost")


def test_texts_beyond_the_budget_take_no_part() -> None:
    assert within_budget(["a", "b", "c"], 2) == ["a", "b"]
    long = "x" * (MOST_CHARACTERS // 2)
    assert len(within_budget([long] * 5)) == 2
    with pytest.raises(BadInput):
        within_budget([])


def test_a_model_that_cannot_be_loaded_is_tried_once(tmp_path: Path) -> None:
    chooser = LocalChooser(str(tmp_path / "nothing"))
    with pytest.raises(BadInput) as first:
        chooser.choose("Who?", TEXTS, 1)
    with pytest.raises(BadInput) as second:
        chooser.prepare()
    assert first.value is second.value


def test_the_command_serves_without_a_database_and_ends_at_a_signal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from clew.tools.learning.generation.fresh import fresh_model

    made = fresh_model(TEXTS * 20, vocabulary=300, hidden=16, layers=1, heads=2)
    made.model.save_pretrained(tmp_path / "model")
    made.tokenizer.save_pretrained(tmp_path / "model")
    for name in [name for name in os.environ if name.startswith("CLEW_")]:
        monkeypatch.delenv(name)
    port = free_port()
    chosen: list[Choice] = []

    def choose_and_end() -> None:
        url = f"http://127.0.0.1:{port}"
        try:
            until(lambda: is_reachable(url), 60)
            chosen.append(ServiceChooser(url).choose("Who?", TEXTS, 3))
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    AppStatus.should_exit_event = None
    client = threading.Thread(target=choose_and_end)
    client.start()
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        home = tmp_path / "home"
        assert run(["--home", str(home), "generator", "serve", str(tmp_path / "model"), "--port", str(port)]) == 0
    finally:
        signal.signal(signal.SIGTERM, before)
    client.join(20)
    (found,) = chosen
    assert sorted(each.index for each in found.chosen) == [0, 1, 2]
    assert sum(each.probability for each in found.chosen) == pytest.approx(1, abs=1e-4)
    told = capsys.readouterr().err
    assert f"on http://127.0.0.1:{port} " in told
    assert "Traceback" not in told
    assert not (home / "database").exists()


def is_reachable(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health", timeout=10).status_code == 200
    except httpx.TransportError:
        return False
