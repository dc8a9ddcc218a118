"""Feedback on answers: kept beside the trace, and exported as lines that `clew eval` and `clew teach` read."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from clew.app.cli import run
from clew.app.evaluation.questions import read_questions
from clew.app.serving.authentication import TokenFile
from tests.app.serving.serving_world import imported, serving

DIRECTOR, ACTORS = "who directed Heat?", "who starred in Heat?"


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with imported(clew_home, tmp_path_factory.mktemp("facts")) as name:
        yield name


@pytest.fixture(scope="module")
def url(clew_home: Path, films: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    tokens = TokenFile(tmp_path_factory.mktemp("tokens") / "tokens.json")
    for user in ("ann", "bob"):
        _, secret = tokens.add(user)
        SECRETS[user] = secret
    with serving(clew_home, tokens, graphs=(films,)) as url:
        yield url


SECRETS: dict[str, str] = {}


def user(url: str, name: str) -> httpx.Client:
    return httpx.Client(base_url=url, headers={"Authorization": f"Bearer {SECRETS[name]}"}, timeout=60)


def asked(client: httpx.Client, question: str, graph: str, session: str) -> str:
    body = {"question": question, "graph": graph, "session": session, "stream": False, "origin": "page"}
    return str(client.post("/api/ask", json=body).json()["trace_id"])


def test_feedback_becomes_lines_to_learn_from(url: str, films: str, clew_home: Path, tmp_path: Path) -> None:
    session = f"talk-{uuid.uuid4().hex[:6]}"
    with user(url, "ann") as ann, user(url, "bob") as bob:
        right, wrong = asked(ann, DIRECTOR, films, session), asked(ann, ACTORS, films, session)
        vague = asked(ann, "who wrote Heat?", films, session)
        assert ann.put(f"/api/traces/{right}/feedback", json={"rating": "up"}).status_code == 204
        told = {"rating": "down", "note": "Val Kilmer is missing", "answers": ["Al Pacino", "Val Kilmer"]}
        assert ann.put(f"/api/traces/{wrong}/feedback", json=told).status_code == 204
        assert ann.put(f"/api/traces/{vague}/feedback", json={"rating": "down"}).status_code == 204
        assert bob.put(f"/api/traces/{right}/feedback", json={"rating": "down"}).status_code == 404
        assert ann.put(f"/api/traces/{right}/feedback", json={"rating": "sideways"}).status_code == 422
        lines = [json.loads(line) for line in ann.get("/api/feedback").text.splitlines()]
        assert [(line["question"], line["answers"]) for line in lines] == [
            (DIRECTOR, ["Michael Mann"]),
            (ACTORS, ["Al Pacino", "Val Kilmer"]),
        ]
        assert bob.get("/api/feedback").text == ""
        kept = ann.get(f"/api/sessions/{session}").json()["feedback"]
        assert (kept[wrong]["rating"], kept[wrong]["note"]) == ("down", "Val Kilmer is missing")
        out = tmp_path / "rated.jsonl"
        command = ["--home", str(clew_home), "trace", "feedback", "--graph", films, "--out", str(out)]
        assert run(command) == 0
        assert [question.answers for question in read_questions(out).items] == [
            ("Michael Mann",),
            ("Al Pacino", "Val Kilmer"),
        ]
        assert ann.put(f"/api/traces/{right}/feedback", json={}).status_code == 204
        assert len(ann.get("/api/feedback").text.splitlines()) == 1
        ann.delete(f"/api/sessions/{session}")
        assert ann.get("/api/feedback").text == ""


def test_conversations_are_searched_and_say_where_they_began(url: str, films: str) -> None:
    with user(url, "bob") as bob:
        asked(bob, DIRECTOR, films, "of the page")
        bob.post("/api/ask", json={"question": ACTORS, "graph": films, "session": "of a script", "stream": False})
        found = {each["name"]: each["origin"] for each in bob.get("/api/sessions").json() if each["graph"] == films}
        assert found == {"of the page": "page", "of a script": "api"}

        def names(search: str) -> set[str]:
            found = bob.get("/api/sessions", params={"search": search}).json()
            return {each["name"] for each in found if each["graph"] == films}

        assert names("DIRECTED") == {"of the page"}  # of a question
        assert names("al pacino") == {"of a script"}  # of an answer
        assert names("a SCRIPT") == {"of a script"}  # of a name
        assert names("100%") == set()
        runs = bob.get("/api/traces", params={"search": "STARRED", "graph": films}).json()
        assert [each["question"] for each in runs] == [ACTORS]
