"""Clarifying choices: a run stops where only its user can say which entity is meant, and goes on from there."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.agents.linking.clarifying import MARGIN, readings
from clew.app.api.graph import Graph
from clew.app.api.requests import AskRequest
from clew.app.cli import run
from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.serving.authentication import TokenFile
from clew.app.settings import load_settings
from clew.tools.graph.entity import Candidate, Entity, Mention
from clew.tools.queries.space.query import Chain, Hop, Query, RankedQuery
from tests.app.serving.serving_world import serving, sse

NODES = """\
id:ID,name,:LABEL,year:int
kismet-1944,Kismet,Film,1944
kismet-1955,Kismet,Film,1955
heat,Heat,Film,1995
heat-book,Heat,Book,1960
dieterle,William Dieterle,Person,
minnelli,Vincente Minnelli,Person,
mann,Michael Mann,Person,
"""
EDGES = """\
:START_ID,:END_ID,:TYPE
dieterle,kismet-1944,directed
minnelli,kismet-1955,directed
mann,heat,directed
"""
KISMET = "Who directed Kismet?"


# ---- which readings are open ----------------------------------------------------------------------------------------


def ranked(score: float, *anchors: Entity) -> RankedQuery:
    chains = tuple(Chain(anchor, (Hop("directed", False, "Person"),)) for anchor in anchors)
    return RankedQuery(Query(chains), score, {})


def mention(*entities: tuple[Entity, float]) -> Mention:
    return Mention(0, 4, "Heat", tuple(Candidate(entity, score, "exact", "Heat") for entity, score in entities))


FILM, BOOK, SONG = (Entity(f"heat-{label}", "Heat", label) for label in ("Film", "Book", "Song"))


def test_only_what_is_equally_likely_is_open() -> None:
    both = mention((FILM, 1.0), (BOOK, 1.0), (SONG, 1.0))
    close = [ranked(0.5, FILM), ranked(0.5 - 0.9 * MARGIN, BOOK), ranked(0.5 - 1.1 * MARGIN, SONG)]
    assert [reading.candidate.entity for reading in readings(both, close)] == [FILM, BOOK]
    assert [reading.candidate.entity for reading in readings(both, close[:1])] == [FILM]
    assert readings(both, []) == []


def test_what_fits_the_name_worse_is_not_open() -> None:
    assert len(readings(mention((FILM, 1.0), (BOOK, 0.9)), [ranked(0.5, FILM), ranked(0.5, BOOK)])) == 1


def test_namesakes_that_the_ranker_did_not_see_stand_beside_their_label() -> None:
    other, song = Entity("heat-2", "Heat", "Film"), Entity("heat-3", "Heat", "Song")
    found = readings(mention((FILM, 1.0), (BOOK, 1.0)), [ranked(0.5, FILM), ranked(0.1, BOOK)], [FILM, other, song])
    assert [reading.candidate.entity for reading in found] == [FILM, other]
    assert found[0].asks
    assert not found[1].asks


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=5))
def test_the_likeliest_reading_is_always_first_and_none_is_far_behind(scores: list[float]) -> None:
    entities = [Entity(str(n), "Heat", "Film") for n in range(len(scores))]
    queries = sorted((ranked(s, e) for s, e in zip(scores, entities, strict=True)), key=lambda query: -query.score)
    found = [
        scores[int(reading.candidate.entity.id)]
        for reading in readings(mention(*((e, 1.0) for e in entities)), queries)
    ]
    assert found == sorted((score for score in scores if score >= max(scores) - MARGIN), reverse=True)


# ---- over HTTP ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder, name = tmp_path_factory.mktemp("namesakes"), f"namesakes-{uuid.uuid4().hex[:8]}"
    (folder / "nodes.csv").write_text(NODES)
    (folder / "edges.csv").write_text(EDGES)
    files = [str(folder / "nodes.csv"), str(folder / "edges.csv")]
    assert run(["--home", str(clew_home), "import", *files, "--graph", name]) == 0
    yield name
    run(["--home", str(clew_home), "drop", name, "--yes"])


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> TokenFile:
    return TokenFile(tmp_path_factory.mktemp("tokens") / "tokens.json")


@pytest.fixture(scope="module")
def client(clew_home: Path, films: str, tokens: TokenFile) -> Iterator[httpx.Client]:
    with serving(clew_home, tokens, graphs=(films,)) as url, httpx.Client(base_url=url, timeout=60) as opened:
        yield opened


@pytest.fixture
def session() -> str:
    return f"talk-{uuid.uuid4().hex[:8]}"


def told(client: httpx.Client, graph: str, session: str, **given: Any) -> list[dict[str, Any]]:
    body = {"graph": graph, "session": session, "clarify": True, **given}
    answer = client.post("/api/ask", json=body)
    assert answer.status_code == 200, answer.text
    return [{**json.loads(data), "event": name} for name, data in sse(answer.text)]


def names(event: dict[str, Any]) -> list[str]:
    return [answer["name"] for answer in event["answers"]]


def test_a_choice_is_asked_and_the_run_goes_on_with_it(client: httpx.Client, films: str, session: str) -> None:
    *steps, choice = told(client, films, session, question=KISMET)
    assert [step.get("node") for step in steps] == [None, "contextualize", "link", "link_entities"]
    assert (choice["event"], choice["mention"], choice["offset"], choice["session"]) == (
        "choice",
        "Kismet",
        13,
        session,
    )
    abouts = {each["id"]: each["about"] for each in choice["candidates"]}
    assert set(abouts) == {"kismet-1944", "kismet-1955"}
    assert "1955" in abouts["kismet-1955"]
    assert "Vincente Minnelli" in abouts["kismet-1955"]

    *steps, result = told(client, films, session, choice={"mention": "Kismet", "entity": "kismet-1955"})
    assert steps[1]["node"] == "clarify"
    assert (result["event"], names(result), result["question"]) == ("result", ["Vincente Minnelli"], KISMET)
    assert [c["id"] for c in result["linked"][0]["candidates"]] == ["kismet-1955"]


def test_any_of_them_may_be_meant(client: httpx.Client, films: str, session: str) -> None:
    told(client, films, session, question=KISMET)
    *_, result = told(client, films, session, choice={"mention": "Kismet", "entity": None})
    assert names(result)


def test_nobody_is_asked_where_the_question_tells(client: httpx.Client, films: str, session: str) -> None:
    *steps, result = told(client, films, session, question="Who directed Heat?")
    assert (result["event"], names(result)) == ("result", ["Michael Mann"])
    assert "clarify" in [step.get("node") for step in steps]


def test_without_leave_nobody_is_asked(client: httpx.Client, films: str, session: str) -> None:
    *steps, result = told(client, films, session, question=KISMET, clarify=False)
    assert result["event"] == "result"
    assert "clarify" not in [step.get("node") for step in steps]


def test_who_wants_no_steps_is_told_the_choice_or_the_result_alone(clew_home: Path, films: str, session: str) -> None:
    with closing(Container(load_settings(home=clew_home), NoProgress())) as container:
        for question, ends in ((KISMET, "choice"), ("Who directed Heat?", "result")):
            asked = AskRequest(question, thread=session, clarify=True, steps=False)
            assert [event["type"] for event in Graph(container, films).run(asked)] == [ends]


def test_the_choice_waits_through_a_restart_of_the_server(
    clew_home: Path, films: str, tokens: TokenFile, session: str
) -> None:
    with serving(clew_home, tokens, graphs=(films,)) as url, httpx.Client(base_url=url, timeout=60) as client:
        *_, choice = told(client, films, session, question=KISMET)
    with serving(clew_home, tokens, graphs=(films,)) as url, httpx.Client(base_url=url, timeout=60) as client:
        listed = {each["name"]: each for each in client.get("/api/sessions").json()}
        assert (listed[session]["title"], listed[session]["turns"]) == (KISMET, 0)
        kept = client.get(f"/api/sessions/{session}").json()
        assert kept["turns"] == []
        assert kept["waiting"]["asked"] == KISMET
        assert kept["waiting"]["candidates"] == choice["candidates"]
        *_, result = told(client, films, session, choice={"mention": "Kismet", "entity": "kismet-1944"})
        assert names(result) == ["William Dieterle"]
        kept = client.get(f"/api/sessions/{session}").json()
        assert kept["waiting"] is None
        assert [turn["question"] for turn in kept["turns"]] == [KISMET]


def test_a_follow_up_is_about_what_was_chosen(client: httpx.Client, films: str, session: str) -> None:
    told(client, films, session, question=KISMET)
    told(client, films, session, choice={"mention": "Kismet", "entity": "kismet-1955"})
    *_, result = told(client, films, session, question="And in which year was it released?")
    assert (result["event"], names(result)) == ("result", ["1955"])


def test_another_question_drops_the_one_that_waits(client: httpx.Client, films: str, session: str) -> None:
    told(client, films, session, question=KISMET)
    *_, result = told(client, films, session, question="Who directed Heat?")
    assert names(result) == ["Michael Mann"]
    assert client.get(f"/api/sessions/{session}").json()["waiting"] is None
    late = client.post(
        "/api/ask", json={"session": session, "choice": {"mention": "Kismet", "entity": "kismet-1955"}, "stream": False}
    )
    assert late.status_code == 422
    assert "waits for no choice" in late.json()["detail"]


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"choice": {"mention": "Kismet", "entity": "heat"}}, 422, "kismet-1944, kismet-1955"),
        ({"choice": {"mention": "Heat", "entity": "kismet-1944"}}, 422, "Kismet"),
        ({"choice": {"mention": "Kismet", "entity": 3}}, 422, "string"),
        ({"choice": {"mention": "Kismet"}}, 422, "required"),
        ({"choice": {"mention": "Kismet", "entity": None}, "question": "And?"}, 422, "either a question or a choice"),
        ({}, 422, "either a question or a choice"),
        ({"question": KISMET, "clarify": True, "session": None}, 422, "needs a session"),
    ],
)
def test_what_is_no_choice_is_refused_and_the_question_still_waits(
    client: httpx.Client, films: str, session: str, body: dict[str, Any], status: int, says: str
) -> None:
    told(client, films, session, question=KISMET)
    answer = client.post("/api/ask", json={"session": session, "stream": False, **body})
    assert answer.status_code == status, answer.text
    assert says.casefold() in answer.text.casefold()
    assert client.get(f"/api/sessions/{session}").json()["waiting"]["mention"] == "Kismet"


def test_the_trace_of_a_run_that_waits_says_so(client: httpx.Client, films: str, session: str) -> None:
    told(client, films, session, question=KISMET)
    (waiting,) = [t for t in client.get("/api/traces", params={"status": "waiting"}).json() if t["thread"] == session]
    trace = client.get(f"/api/traces/{waiting['id']}").json()
    assert trace["outcome"]["choice"]["mention"] == "Kismet"
    assert [span["error"] for span in trace["spans"]] == [None] * len(trace["spans"])
    *_, result = told(client, films, session, choice={"mention": "Kismet", "entity": "kismet-1955"})
    trace = client.get(f"/api/traces/{result['trace_id']}").json()
    (event,) = [e for span in trace["spans"] for e in span["events"] if e["kind"] == "choice"]
    assert event["data"]["chosen"] == "kismet-1955"
