"""Questions about what surrounds named nodes, from the words to the answer, in a conversation as well."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import clew

FILES = {
    "nodes-Person.csv": """\
id:ID,name,:LABEL,born:int
ann,Ann Lee,Person,1960
bob,Bob Ray,Person,1971
eve,Eve Fox,Person,1971
kim,Kim Roe,Person,1985
lou,Lou Poe,Person,1990
""",
    "nodes-Film.csv": """\
id:ID,name,:LABEL,year:int
harbour,Harbour,Film,1995
tundra,Tundra,Film,2001
ember,Ember,Film,2010
""",
    "edges.csv": """\
:START_ID,:TYPE,:END_ID
ann,DIRECTED,harbour
ann,DIRECTED,tundra
bob,ACTED_IN,harbour
eve,ACTED_IN,harbour
eve,ACTED_IN,ember
kim,ACTED_IN,ember
""",
}


@pytest.fixture(scope="module")
def films(clew_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[clew.Graph]:
    folder = tmp_path_factory.mktemp("surroundings")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    with clew.connect(f"surroundings-{uuid.uuid4().hex[:8]}", home=clew_home) as graph:
        graph.import_files(folder)
        yield graph
        graph.client.drop(graph.name)


def names(films: clew.Graph, question: str) -> list[str]:
    return [answer.name for answer in films.ask(question).answers]


@pytest.mark.parametrize("question", ["who is Ann Lee?", "tell me about Ann Lee", "Ann Lee"])
def test_a_node_is_described_by_its_properties_and_neighbours(films: clew.Graph, question: str) -> None:
    found = films.ask(question)
    assert [answer.name for answer in found.answers] == ["Ann Lee"]
    assert found.answers[0].detail == "born 1960; films that Ann Lee directed: Harbour and Tundra"
    assert found.answers[0].values["born"] == 1960
    assert {each.tail.name for each in found.evidence} == {"Harbour", "Tundra"}
    assert found.sentence == "Ann Lee is a person: born 1960; films that Ann Lee directed: Harbour and Tundra."


def test_what_is_described_may_be_found_by_a_reading(films: clew.Graph) -> None:
    found = films.ask("tell me about the director of Tundra")
    assert [answer.name for answer in found.answers] == ["Ann Lee"]
    assert "films that Ann Lee directed" in (found.answers[0].detail or "")


def test_two_nodes_are_connected_by_their_shortest_paths(films: clew.Graph) -> None:
    found = films.ask("how are Ann Lee and Kim Roe connected?")
    way = "Ann Lee —directed→ Harbour ←acted in— Eve Fox —acted in→ Ember ←acted in— Kim Roe"
    assert [answer.name for answer in found.answers] == [way]
    assert found.sentence == f"Ann Lee is 4 steps from Kim Roe: {way}."
    assert len(found.evidence) == 4


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how many steps are there between Ann Lee and Kim Roe?", ["4"]),
        ("is Ann Lee connected to Kim Roe in any way?", ["yes"]),
        ("is Ann Lee connected to Lou Poe in any way?", ["no"]),
        ("which film connects Bob Ray and Eve Fox?", ["Harbour"]),
        ("what do Bob Ray and Eve Fox have in common?", ["Harbour"]),
        ("what is linked to Harbour?", ["Ann Lee", "Bob Ray", "Eve Fox"]),
        ("which people are related to Ember?", ["Eve Fox", "Kim Roe"]),
        ("which film has the most connections?", ["Harbour"]),
        ("who are the best connected people?", ["Ann Lee", "Eve Fox"]),
        ("compare Harbour and Ember", ["Ember", "Harbour"]),
        ("films like Harbour", ["Ember", "Tundra"]),
        ("who is most similar to Kim Roe?", ["Eve Fox"]),
    ],
)
def test_what_surrounds_nodes_is_found(films: clew.Graph, question: str, expected: list[str]) -> None:
    assert sorted(names(films, question)) == expected


def test_nodes_that_share_no_neighbour_may_share_values(films: clew.Graph) -> None:
    assert names(films, "what do Harbour and Tundra have in common?") == ["Ann Lee"]
    found = films.ask("what do Bob Ray and Kim Roe have in common?")
    assert not found.answers
    assert "Nothing in the graph fulfils that" in found.explanation


def test_an_unknown_name_is_connected_to_nothing(films: clew.Graph) -> None:
    found = films.ask("how is Zed Quibble connected to Ann Lee?")
    assert not found.answers
    assert list(found.unmatched) == ["Zed Quibble"]


def test_a_conversation_goes_on_from_what_was_described(films: clew.Graph) -> None:
    thread = uuid.uuid4().hex

    def ask(question: str) -> list[str]:
        return [answer.name for answer in films.ask(question, session=thread).answers]

    assert ask("tell me about Ann Lee") == ["Ann Lee"]
    assert ask("which films did she direct?") == ["Harbour", "Tundra"]
    assert ask("how is she connected to Bob Ray?") == ["Ann Lee —directed→ Harbour ←acted in— Bob Ray"]
    assert ask("and to Eve Fox?") == ["Ann Lee —directed→ Harbour ←acted in— Eve Fox"]
    assert ask("tell me about Kim Roe") == ["Kim Roe"]
    found = films.ask("and Lou Poe?", session=thread)
    assert [answer.name for answer in found.answers] == ["Lou Poe"]
    assert found.answers[0].detail == "born 1990"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what's in this graph?", ["Person", "Film"]),
        ("which relationship types are there?", ["ACTED_IN", "DIRECTED"]),
        ("how many nodes are there?", ["8"]),
        ("how many relationships are there?", ["6"]),
    ],
)
def test_the_graph_as_a_whole_is_told_from_its_schema(films: clew.Graph, question: str, expected: list[str]) -> None:
    found = films.ask(question)
    assert [answer.name for answer in found.answers] == expected
    assert not found.cypher
    assert found.confidence > 0.9
