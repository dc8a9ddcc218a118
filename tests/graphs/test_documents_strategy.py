"""Graph and documents answer together: passages are cited, and found by what the graph knows."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.agents.evidence import PASSAGE
from clew.app.api.graph import Graph
from clew.app.cli import run
from clew.app.cli.render import passage
from clew.app.cli.terminal import echo
from clew.app.container import Container
from clew.app.progress import NoProgress
from clew.app.settings import load_settings
from clew.graphs.sequence import first, when_unsure
from clew.tools.documents.store.extractions import SkeletonSettings
from tests.contexts import altered
from tests.film_facts import FACTS

NOTES = {
    "nights.md": (
        "# Shooting at night\n\nMichael Mann shot most of the film with digital cameras because he liked how the city "
        "glows. He walked the streets for weeks before.\n\n## Boats\n\nThe speedboats of the other film were borrowed "
        "from a smuggler who had retired.\n"
    ),
    "rain.md": "# Weather\n\nIt rained on every day of the shoot, and the umbrellas were all painted black.\n",
    "prices.csv": "camera,price\nRed One,17500\nViper,90000\n",
}


@pytest.fixture(scope="module")
def container(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    """With a graph of films and notes about them, and one of notes alone."""
    folder = tmp_path_factory.mktemp("notes")
    (folder / "films.txt").write_text(FACTS, encoding="utf-8")
    (folder / "notes").mkdir()
    for name, text in NOTES.items():
        (folder / "notes" / name).write_text(text, encoding="utf-8")
    where = ["--home", str(clew_home)]
    names = [f"both-{uuid.uuid4().hex[:8]}", f"alone-{uuid.uuid4().hex[:8]}"]
    assert run([*where, "import", str(folder / "films.txt"), "--graph", names[0]]) == 0
    for name in names:
        assert run([*where, "documents", "add", str(folder / "notes"), "--graph", name]) == 0
    opened = Container(load_settings(home=clew_home), NoProgress())
    opened.names = names  # type: ignore[attr-defined]
    yield opened
    for name in names:
        opened.drop(name)
    opened.close()


@pytest.fixture
def both(container: Container) -> str:
    name: str = container.names[0]  # type: ignore[attr-defined]
    return name


def test_a_passage_answers_what_the_graph_does_not(container: Container, both: str) -> None:
    result = Graph(container, both).ask("Who were the speedboats borrowed from?").to_dict()
    best = result["answers"][0]
    assert "smuggler" in best["name"]
    assert best["label"] == PASSAGE
    assert best["detail"] == "Shooting at night, Boats"
    assert result["confidence"] < 0.6
    assert "nothing vouches" in result["explanation"]
    cited = [item for item in result["evidence"] if item["tail"]["label"] == PASSAGE]
    assert cited[0]["head"]["name"] == "Shooting at night"
    assert cited[0]["relation"] == "Boats"


def test_what_the_graph_answers_is_looked_for_in_the_documents(container: Container, both: str) -> None:
    """No passage names Heat; the graph knows who directed it."""
    result = Graph(container, both).ask("Why did the director of Heat like digital cameras?").to_dict()
    assert "he liked how the city glows" in result["answers"][0]["name"]
    assert "Michael Mann" in result["explanation"]


def test_a_question_of_the_graph_stays_one(container: Container, both: str) -> None:
    result = Graph(container, both).ask("Who directed Heat?").to_dict()
    assert [each["name"] for each in result["answers"]] == ["Michael Mann"]
    assert result["confidence"] > 0.6


def test_rows_of_tables_are_found_and_cited(container: Container, both: str) -> None:
    result = Graph(container, both).ask("What is the price of the Viper camera?", strategies=("documents",)).to_dict()
    assert "90000" in result["answers"][0]["name"]
    assert result["answers"][0]["detail"].startswith("prices")


def test_documents_alone_are_a_graph(container: Container) -> None:
    alone: str = container.names[1]  # type: ignore[attr-defined]
    result = Graph(container, alone).ask("What colour were the umbrellas?").to_dict()
    assert "painted black" in result["answers"][0]["name"]


def test_a_span_answers_where_one_is_asked_for(container: Container, both: str) -> None:
    """The answer is the span, its passage is its evidence, and its place is told everywhere."""
    found = Graph(container, both).ask("How much does a Viper cost?", strategies=("documents",))
    assert (found[0].name, found[0].id, found[0].label) == ("90000", None, "")
    span, (passage,) = found[0].passage, found[0].evidence
    assert span is not None
    assert passage.is_passage
    assert passage.tail.id == span.id
    assert passage.tail.name[span.start : span.end] == "90000"
    assert "It was read in a document" in found.explanation
    assert found.to_dict()["answers"][0]["passage"] == {
        "id": span.id, "start": span.start, "end": span.end, "kind": span.kind,
    }  # fmt: skip


def test_a_span_that_is_a_node_is_that_node(container: Container, both: str) -> None:
    found = Graph(container, both).ask("Who shot most of the film with digital cameras?", strategies=("documents",))
    assert (found[0].name, found[0].label) == ("Michael Mann", "Person")
    assert found[0].passage is not None


def test_passages_that_answer_nothing_are_no_answers(container: Container, both: str) -> None:
    """Neither beside a graph nor alone, and the name that no document has is told."""
    alone: str = container.names[1]  # type: ignore[attr-defined]
    for name in (both, alone):
        found = Graph(container, name).ask("Who directed Zorblax?")
        assert found.answers == ()
        assert not [item for item in found.evidence if item.is_passage]
        assert "No document mentions “Zorblax”." in found.explanation
    assert "The graph has no node named" in Graph(container, both).ask("Who directed Zorblax?").explanation


@pytest.mark.parametrize("mode", ["sage", "ket"])
def test_documents_can_be_searched_as_the_papers_do(clew_home: Path, both: str, mode: str) -> None:
    """The answer is the same; the steps tell how it was found."""
    with Container(load_settings(home=clew_home, document_search=mode), NoProgress()) as opened:
        if mode == "ket":
            opened.files(both).documents().extractions.set(SkeletonSettings("rules", 1.0))
        try:
            events = list(
                Graph(opened, both).stream("Who were the speedboats borrowed from?", strategies=("documents",))
            )
        finally:
            opened.files(both).documents().extractions.forget()
    assert events[-1].result is not None
    result = events[-1].result.to_dict()
    assert "smuggler" in result["answers"][0]["name"]
    [step] = [event.data for event in events if event.type == "step" and event.data["node"] == "documents"]
    if mode == "ket":
        told = [item["head"]["name"] for item in result["evidence"] if item["relation"] == "described as"]
        assert "Michael Mann" in told
    else:
        assert any("(beside Shooting at night" in line for line in step["details"])


def test_large_documents_without_a_keyword_channel_say_how_to_build_it(
    clew_home: Path, both: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clew.tools.documents.collection.FEW_CHUNKS", 0)
    with Container(load_settings(home=clew_home, document_search="ket", document_splits=2), NoProgress()) as opened:
        events = list(Graph(opened, both).stream("Who rowed?", strategies=("documents",)))
    titles = [event.data["title"] for event in events if event.type == "step"]
    assert any(f"clew documents keywords --graph {both}" in title for title in titles)


def test_the_command_line_shows_the_passage_around_a_span(capsys: pytest.CaptureFixture[str]) -> None:
    text = "x " * 400 + "the boat of Anna Berg sank " + "y " * 400
    item = {"head": {"name": "Boats"}, "relation": "page 2", "tail": {"name": text}}
    start = text.index("Anna")
    echo(passage(item, {"start": start, "end": start + 9}))
    shown = capsys.readouterr().out.rstrip("\n")
    assert shown.startswith("[Boats, page 2] …x x")
    assert "the boat of Anna Berg sank y" in shown
    assert shown.endswith("…")
    assert len(shown) < 350


def test_documents_that_come_and_go_are_seen_at_once(
    container: Container, both: str, tmp_path: Path, clew_home: Path
) -> None:
    question = "Which violinist wrote the music in a lighthouse?"
    path = tmp_path / "music.md"
    path.write_text("# Music\n\nThe violinist Ingeborg Vang wrote the music in a lighthouse.\n", encoding="utf-8")
    assert run(["--home", str(clew_home), "documents", "add", str(path), "--graph", both]) == 0
    assert "Ingeborg Vang" in Graph(container, both).ask(question).to_dict()["answers"][0]["name"]
    assert run(["--home", str(clew_home), "documents", "remove", str(path), "--graph", both]) == 0
    assert "Ingeborg" not in json.dumps(Graph(container, both).ask(question).to_dict())


def test_a_graph_without_documents_never_looks_for_any(container: Container, both: str) -> None:
    bare = altered(container.context(both), documents=None)
    state: Any = {"resolved": "Who wrote it?", "artifacts": None, "mentions": [], "tried": [], "follow_ups": []}
    state["strategies"] = first(state, bare)
    assert "documents" not in (*state["strategies"], *when_unsure(state, bare))
    assert not bare.tools.has_documents
