"""`/generator` behind `clew serve`: the model that the settings name chooses for others, too, behind the same gate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langserve import RemoteRunnable

from clew.agents.generating.chooser import ChooserFailed
from clew.agents.generating.served_choosers import ServiceChooser
from clew.app.serving.authentication import TokenFile
from clew.tools.learning.generation.fresh import fresh_model
from tests.app.serving.serving_world import serving

TEXTS = ["MATCH (a)-[:DIRECTED]->(b) RETURN b", "MATCH (a)-[:STARRED]->(b) RETURN b", "MATCH (a) RETURN a"]
QUESTION = "who directed Heat?"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny model."""
    folder = tmp_path_factory.mktemp("model")
    made = fresh_model([QUESTION, *TEXTS] * 9, vocabulary=300, hidden=16, layers=1, heads=2)
    made.model.save_pretrained(folder)
    made.tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def served(
    clew_home: Path, films: str, model: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str]]:
    """The server's address and a token."""
    tokens = TokenFile(tmp_path_factory.mktemp("tokens") / "tokens.json")
    secret = tokens.add("ann", (films,))[1]
    with serving(clew_home, tokens, graphs=(films,), generator=str(model), generator_device="cpu") as url:
        yield url, secret


@pytest.fixture
def client(served: tuple[str, str]) -> Iterator[httpx.Client]:
    url, secret = served
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {secret}"}, timeout=60) as opened:
        yield opened


def asked(**more: Any) -> dict[str, Any]:
    return {"prompt": QUESTION, "candidates": TEXTS, **more}


def test_it_chooses_for_langserve_s_own_client(served: tuple[str, str]) -> None:
    url, secret = served
    generator: Any = RemoteRunnable(f"{url}/generator", headers={"Authorization": f"Bearer {secret}"})
    choice = generator.invoke(asked())
    assert sorted(each["index"] for each in choice["chosen"]) == [0, 1, 2]
    probabilities = [each["probability"] for each in choice["chosen"]]
    assert probabilities == sorted(probabilities, reverse=True)
    assert sum(probabilities) == pytest.approx(1, abs=1e-3)
    first, second = generator.batch([asked(m=1), asked(m=2)])
    assert (len(first["chosen"]), len(second["chosen"])) == (1, 2)
    assert first["chosen"][0] == choice["chosen"][0]
    assert [*generator.stream(asked(m=1))][-1]["chosen"] == first["chosen"]


def test_it_serves_another_clew_as_clew_generator_serve_does(served: tuple[str, str]) -> None:
    url, secret = served
    chosen = ServiceChooser(f"{url}/generator", secret).choose(QUESTION, TEXTS, 3)
    assert len(chosen.chosen) == 3
    with pytest.raises(ChooserFailed):
        ServiceChooser(f"{url}/generator", "clew_wrong").choose(QUESTION, TEXTS, 3)


def test_it_stands_behind_the_same_gate(served: tuple[str, str], client: httpx.Client) -> None:
    url, _ = served
    assert httpx.post(f"{url}/generator/invoke", json={"input": asked()}).status_code == 401
    assert httpx.get(f"{url}/generator/health").status_code == 401
    assert (
        client.post("/generator/invoke", json={"input": asked()}, headers={"Origin": "http://evil"}).status_code == 403
    )
    assert client.get("/generator/health").json()["status"] == "ok"


@pytest.mark.parametrize("input", [{}, {"prompt": "", "candidates": TEXTS}, {"prompt": "x", "candidates": []}])
def test_what_makes_no_sense_is_refused(client: httpx.Client, input: Any) -> None:
    assert client.post("/generator/invoke", json={"input": input}).status_code == 422
    assert client.post("/generator/batch", json={"inputs": [asked(), input]}).status_code == 422


def test_its_requests_may_be_larger_than_others(client: httpx.Client) -> None:
    def padded(size: int) -> bytes:
        return b'{"input": {}, "x": "' + b"y" * size + b'"}'

    assert client.post("/api/ask", content=padded(2_000_000)).status_code == 413
    assert client.post("/generator/invoke", content=padded(2_000_000)).status_code == 422
    assert client.post("/generator/invoke", content=padded(4_100_000)).status_code == 413


def test_questions_are_answered_by_the_same_model(client: httpx.Client, films: str) -> None:
    result = client.post("/api/ask", json={"question": QUESTION, "graph": films, "stream": False}).json()
    trace = client.get(f"/api/traces/{result['trace_id']}").json()
    events = [event for span in trace["spans"] for event in span["events"] if event["kind"] == "generator"]
    assert events[0]["data"]["chosen"]
    assert trace["given"]["setup"]["generator"]


def test_without_a_model_of_its_own_there_is_none(clew_home: Path, films: str, tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path / "tokens.json")
    with serving(clew_home, tokens, graphs=(films,)) as url:
        assert httpx.post(f"{url}/generator/invoke", json={"input": asked()}).status_code == 404
